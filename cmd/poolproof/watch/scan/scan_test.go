package scan

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/all"
	"github.com/poolproof/poolproof/sources/cache/pack"
	"github.com/poolproof/poolproof/sources/load"
	"github.com/poolproof/poolproof/sources/manifest"
	"github.com/poolproof/poolproof/sources/tree"
)

const manifestText = `sources:
  - side: app
    format: poolproof
    files: ["app/*.yaml"]
  - side: gateway
    files: ["gw/*.cfg"]
  - side: doc
    files: ["docs/*.md"]
`

func app(name string, port, fall int) string {
	return fmt.Sprintf("pools:\n  %s:\n    members:\n      - {address: 10.0.0.1, port: %d}\n      - {address: 10.0.0.2, port: %d}\n    probe: {interval: 2s, fall: %d}\n", name, port, port, fall)
}

func gw(port, fall int, names ...string) string {
	var b strings.Builder
	for _, n := range names {
		fmt.Fprintf(&b, "backend %s\n    default-server check inter 2s fall %d\n    server a 10.0.0.1:%d\n    server b 10.0.0.2:%d\n\n", n, fall, port, port)
	}
	return b.String()
}

func scanner(t testing.TB, root string) *Scanner {
	t.Helper()
	work, err := tree.OpenWork(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { work.Close() })
	m, problems := manifest.Load("poolproof.yaml", []byte(manifestText))
	m.File = "poolproof.yaml"
	now := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	return New(Options{Tree: work, Manifest: &m, Problems: problems, Text: []byte(manifestText), Rules: rules.All(), Now: func() time.Time { return now },
		Load: load.Options{Adapters: all.Adapters(), Packer: new(pack.Packer), Workers: 1}})
}

func put(t testing.TB, root, name, text string) {
	t.Helper()
	p := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func told(list []schema.Finding) []string {
	var out []string
	for _, f := range list {
		out = append(out, fmt.Sprintf("%s %s %s %s:%d %s %s %s %s", f.Rule, f.Severity, f.Pool, f.At.File, f.At.Line, f.Field, f.Member, f.Got, f.Want))
	}
	slices.Sort(out)
	return out
}

// partly leaves out findings of rules that need a look at everything.
func (s *Scanner) partly(list []schema.Finding) []schema.Finding {
	return slices.DeleteFunc(slices.Clone(list), func(f schema.Finding) bool { return s.full[f.Rule] })
}

// lines are the findings of the other rules.
func lines(s *Scanner) []string { return told(s.partly(s.Findings())) }

// TestPaths edits a tree at random: a look at what changed finds what a look at everything finds.
func TestPaths(t *testing.T) {
	root := t.TempDir()
	pools := []string{"orders", "payments", "users", "mail"}
	for _, p := range pools {
		put(t, root, "app/"+p+".yaml", app(p, 8080, 3))
	}
	put(t, root, "gw/a.cfg", gw(8080, 3, "orders", "payments"))
	put(t, root, "gw/b.cfg", gw(8080, 3, "users", "mail"))
	put(t, root, "docs/orders.md", "# orders\n\n| member | weight |\n|---|---|\n| 10.0.0.1:8080 | 1 |\n| 10.0.0.2:8080 | 1 |\n")
	s := scanner(t, root)
	if err := s.All(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	texts := func(p string) string {
		return []string{app(p, 8080, 3), app(p, 8081, 3), app(p, 8080, 3+r.IntN(3)), app(pools[r.IntN(4)], 8080, 3), "pools: [", "", "pools:\n  " + p + ":\n    probe: {interval: 2}\n"}[r.IntN(7)]
	}
	found, differing := 0, 0
	var before []string
	_, known := s.Take()
	if again, list := s.Take(); again.All || len(list) != len(s.run) {
		t.Errorf("taken twice: %+v, %d findings", again, len(list))
	}
	for step := range 150 {
		changed := map[string]bool{}
		for range 1 + r.IntN(3) {
			name := "app/" + pools[r.IntN(4)] + ".yaml"
			switch r.IntN(7) {
			case 0:
				name = []string{"gw/a.cfg", "gw/b.cfg", "gw/c.cfg"}[r.IntN(3)]
				put(t, root, name, gw(8080+r.IntN(2), 3, pools[r.IntN(4)], pools[r.IntN(4)]))
			case 1:
				os.Remove(filepath.Join(root, name))
			case 5: // a folder in its place, or a file again
				if name = "gw/folder.cfg"; os.Remove(filepath.Join(root, name)) == nil && r.IntN(2) == 0 {
					if err := os.Mkdir(filepath.Join(root, name), 0o755); err != nil {
						t.Fatal(err)
					}
				} else if _, err := os.Lstat(filepath.Join(root, name)); err != nil {
					put(t, root, name, gw(8080, 3, pools[r.IntN(4)]))
				}
				changed[name+"/x.cfg"] = true
			case 2:
				name = "docs/" + pools[r.IntN(4)] + ".md"
				put(t, root, name, fmt.Sprintf("# %s\n\n| member | weight |\n|---|---|\n| 10.0.0.1:8080 | %d |\n", pools[r.IntN(4)], r.IntN(3)))
			case 3:
				name = "app/new.yaml"
				put(t, root, name, app(pools[r.IntN(4)], 8080, 3))
			default:
				put(t, root, name, texts(pools[r.IntN(4)]))
			}
			changed[name] = true
		}
		if err := s.Paths(t.Context(), changed); err != nil {
			t.Fatal(err)
		}
		fresh := scanner(t, root)
		if err := fresh.All(t.Context()); err != nil {
			t.Fatal(err)
		}
		got, want := lines(s), lines(fresh)
		if !slices.Equal(got, want) {
			t.Fatalf("step %d, %v:\ngot\n%s\nwant\n%s", step, changed, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if got, want := s.Counts(), fresh.Counts(); got.Files != want.Files || got.Pools != want.Pools || got.Copies != want.Copies || !maps.Equal(got.Sides, want.Sides) {
			t.Fatalf("step %d: counts %+v, want %+v", step, got, want)
		}
		if got, want := len(s.Pools()), len(fresh.Pools()); got != want {
			t.Fatalf("step %d: %d pools shown, want %d", step, got, want)
		}
		for i, p := range s.Pools() {
			if q := fresh.Pools()[i]; p.Name != q.Name || len(p.Copies) != len(q.Copies) || !slices.Equal(told(s.partly(p.Findings)), told(s.partly(q.Findings))) {
				t.Fatalf("step %d: shown %s %s, want %s %s", step, p.Name, told(p.Findings), q.Name, told(q.Findings))
			}
		}
		// What was known, less what the delta covers, and what is wrong with that now, is what is wrong.
		delta, now := s.Take()
		known = slices.DeleteFunc(known, func(f schema.Finding) bool { return delta.Covers(f.Env, f.Pool, f.At.File) })
		known = append(known, now...)
		if got, want := told(known), told(s.Findings()); !slices.Equal(got, want) {
			t.Fatalf("step %d, %v: followed\n%s\nwant\n%s", step, changed, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		for _, p := range append(pools, "new") {
			if f := "app/" + p + ".yaml"; s.Unread(f) != fresh.Unread(f) {
				t.Fatalf("step %d: %s unread: %v, want %v", step, f, s.Unread(f), fresh.Unread(f))
			}
		}
		found += len(got)
		if !slices.Equal(got, before) {
			differing++
		}
		before = got
	}
	if found < 300 || differing < 75 {
		t.Errorf("only %d findings, %d changes: the test proves little", found, differing)
	}
}

// TestUnread names the files that cannot be read.
func TestUnread(t *testing.T) {
	root := t.TempDir()
	put(t, root, "app/orders.yaml", "pools: [")
	put(t, root, "gw/a.cfg", gw(8080, 3, "orders"))
	s := scanner(t, root)
	if err := s.All(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !s.AnyUnread() || !s.Unread("app/orders.yaml") || s.Unread("gw/a.cfg") {
		t.Errorf("unread: %v", s.unread)
	}
	for _, f := range s.Loose() {
		if f.At.File == "app/orders.yaml" && f.At.Line == 0 {
			t.Errorf("%s has no line", f.Rule)
		}
	}
	groups, whole := s.Groups()
	for _, g := range groups {
		for _, c := range g.Copies {
			if c.Side == schema.Gateway && len(whole(c).Members) != 2 {
				t.Errorf("%s is not whole", c.File())
			}
		}
	}
}

// TestUnreadWhateverIsAsked: what cannot be read is known also where other findings are asked for, and what a side then
// seems to lack is doubtful.
func TestUnreadWhateverIsAsked(t *testing.T) {
	root := t.TempDir()
	put(t, root, "app/orders.yaml", app("orders", 8080, 3))
	put(t, root, "gw/a.cfg", gw(8080, 3, "orders"))
	s := scanner(t, root)
	s.options.RuleNames = []string{"pool/*"}
	look := map[bool]func() error{true: func() error { return s.All(t.Context()) }, false: func() error { return s.Paths(t.Context(), map[string]bool{"gw/a.cfg": true}) }}
	unmatched := &schema.Finding{Rule: "pool/unmatched", At: schema.Place{Side: schema.App}}
	for _, all := range []bool{true, false} {
		put(t, root, "gw/a.cfg", gw(8080, 3, "orders"))
		if err := s.All(t.Context()); err != nil || s.AnyUnread() || s.Doubtful(unmatched) {
			t.Errorf("%v, unread %v", err, s.AnyUnread())
		}
		if err := os.Remove(filepath.Join(root, "gw/a.cfg")); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(filepath.Join(root, "gw/a.cfg"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := look[all](); err != nil || !s.Unread("gw/a.cfg") || !s.AnyUnread() {
			t.Errorf("all %v: %v, unread %v", all, err, s.AnyUnread())
		}
		for _, tt := range []struct {
			finding schema.Finding
			want    bool
		}{{*unmatched, true}, {schema.Finding{Rule: "pool/unmatched", At: schema.Place{Side: schema.Gateway}}, false},
			{schema.Finding{Rule: "pool/missing-copy", Field: "app"}, false}, {schema.Finding{Rule: "source/empty"}, true}, {schema.Finding{Rule: "members/missing"}, false}} {
			if s.Doubtful(&tt.finding) != tt.want {
				t.Errorf("all %v: %s at %q doubtful: %v", all, tt.finding.Rule, tt.finding.At.Side, !tt.want)
			}
		}
		if err := os.Remove(filepath.Join(root, "gw/a.cfg")); err != nil {
			t.Fatal(err)
		}
		put(t, root, "gw/a.cfg", gw(8080, 3, "orders"))
		if err := look[false](); err != nil || s.AnyUnread() || !s.Doubtful(unmatched) { // as long as nobody looked at everything
			t.Errorf("all %v, and it can be read again: %v, unread %v", all, err, s.AnyUnread())
		}
	}
}

// TestExhausted: a machine without descriptors says nothing about the files.
func TestExhausted(t *testing.T) {
	root := t.TempDir()
	put(t, root, "app/orders.yaml", app("orders", 8080, 3))
	put(t, root, "gw/a.cfg", gw(8080, 3, "orders"))
	s := scanner(t, root)
	if err := s.All(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.options.Tree = without{s.options.Tree}
	if err := s.Paths(t.Context(), map[string]bool{"gw/a.cfg": true}); !errors.Is(err, syscall.EMFILE) {
		t.Errorf("paths: %v", err)
	}
	if err := s.All(t.Context()); !errors.Is(err, syscall.EMFILE) {
		t.Errorf("all: %v", err)
	}
}

// without is a tree on a machine without descriptors.
type without struct{ tree.Tree }

func (without) Read(p string) ([]byte, error) { return nil, fmt.Errorf("%s: %w", p, syscall.EMFILE) }
