package audit_test

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/poolproof/poolproof/policy/audit"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/all"
	"github.com/poolproof/poolproof/sources/load"
	"github.com/poolproof/poolproof/sources/manifest"
	"github.com/poolproof/poolproof/sources/tree"
)

// memory is a tree of texts.
type memory map[string]string

func (memory) Revision() string { return "" }

func (m memory) List(dir string, _ func(string) bool) ([]tree.Entry, error) {
	var out []tree.Entry
	for name := range m {
		if dir == "." || name == dir || strings.HasPrefix(name, dir+"/") {
			out = append(out, tree.Entry{Path: name})
		}
	}
	slices.SortFunc(out, func(a, b tree.Entry) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

func (m memory) Read(p string) ([]byte, error) {
	if text, ok := m[p]; ok {
		return []byte(text), nil
	}
	return nil, fmt.Errorf("%s: %w", p, fs.ErrNotExist)
}

// prepared loads a tree, which must have a manifest, and pairs its copies.
func prepared(t *testing.T, files memory, o audit.Options) *audit.Prepared {
	t.Helper()
	m, problems := manifest.Load("poolproof.yaml", []byte(files["poolproof.yaml"]))
	loaded, err := load.Load(context.Background(), files, &m, load.Options{Adapters: all.Adapters()})
	if err != nil {
		t.Fatal(err)
	}
	o.Rules, o.Now, o.Workers = rules.All(), moment, 1
	return audit.Prepare(&m, problems, loaded, o)
}

// told words a difference.
func told(rule, pool string, at schema.Place, field, member, want, got string) string {
	return fmt.Sprintf("%s %s %s %s:%v %s %s %s %s", rule, pool, at.Side, at.File, at.Span, field, member, want, got)
}

// toldBy are the findings of differences from a truth.
func toldBy(findings []schema.Finding) []string {
	var out []string
	for _, f := range findings {
		settled := f.Rule == "members/missing" || f.Rule == "members/extra" || strings.HasSuffix(f.Rule, "/differs")
		if settled && f.Truth != "" && f.Status != schema.Suppressed {
			out = append(out, told(f.Rule, f.Pool, f.At, f.Field, f.Member, f.Want, f.Got))
		}
	}
	slices.Sort(out)
	return slices.Compact(out) // a copy of several environments is told once
}

// TestDifferences: over the trees of the rules' cases, Differences are what Judge finds, and what Against says of a copy is
// what the pool holds of it.
func TestDifferences(t *testing.T) {
	archives, err := filepath.Glob("../../testdata/rules/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	seen := 0
	for _, file := range archives {
		for name, files := range readCase(t, file).trees {
			if files["poolproof.yaml"] == "" {
				continue
			}
			p := prepared(t, files, audit.Options{})
			differences := p.Differences()
			var got []string
			for _, g := range p.Groups {
				d := differences.Of(g)
				for _, open := range d.Open {
					got = append(got, told(open.Rule, d.Pool.Group.Pool, rules.PlaceOf(open.Copy, open.At), open.Field, open.Member, open.Want, open.Got))
				}
				against(t, &d)
			}
			result, err := prepared(t, files, audit.Options{}).Judge(context.Background(), nil)
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(got)
			got = slices.Compact(got)
			want := toldBy(result.Findings)
			seen += len(want)
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s, %s (-judged +differences):\n%s", filepath.Base(file), name, diff)
			}
		}
	}
	if seen < 15 {
		t.Errorf("only %d differences", seen)
	}
}

// against compares what a pool holds of each copy with what it says against it.
func against(t *testing.T, d *audit.Differing) {
	t.Helper()
	held := map[*schema.Copy][]reconcile.Divergence{}
	for _, list := range [][]audit.Difference{d.Open, d.Passed} {
		for _, x := range list {
			held[x.Copy] = append(held[x.Copy], x.Divergence)
		}
	}
	for _, c := range d.Pool.Copies {
		order := cmpopts.SortSlices(func(a, b reconcile.Divergence) bool { return key(a) < key(b) })
		if diff := cmp.Diff(held[c.Copy], d.Pool.Against(c.Copy), order, cmpopts.EquateEmpty(), cmp.Comparer(func(a, b *schema.Copy) bool { return a == b }),
			cmp.AllowUnexported(schema.Value{})); diff != "" {
			t.Errorf("%s, %s (-held +against):\n%s", d.Pool.Group.Pool, c.Copy.File(), diff)
		}
	}
}

func key(d reconcile.Divergence) string {
	return fmt.Sprintf("%d %v %s %s", d.Kind, d.Item, d.Field, d.Member)
}

// TestDifferencesThatPass: what an exception or a severity lets pass, and what is not asked for, is apart.
func TestDifferencesThatPass(t *testing.T) {
	text := memory{
		"gw.cfg":   "backend orders\n    server a 10.0.0.1:8080 check\n    server b 10.0.0.2:8080 check\n    server c 10.0.0.3:8080 check\n",
		"app.yaml": "pools:\n  orders:\n    members:\n      - {address: 10.0.0.1, port: 8080}\n      - {address: 10.0.0.9, port: 8080}\n",
		"doc.md":   "## orders\n\n| Address | Port |\n|---|---|\n| 10.0.0.1 | 8080 |\n| 10.0.0.2 | 8080 |\n\n<!-- poolproof:ignore members/missing until=2026-12-31 by=a because=b -->\n",
	}
	const sources = "sources:\n  - {side: gateway, format: haproxy, files: [gw.cfg]}\n  - {side: app, files: [app.yaml]}\n  - {side: doc, files: [doc.md]}\n"
	const all, doc = "-10.0.0.2:8080 -10.0.0.3:8080 +10.0.0.9:8080", "(-10.0.0.3:8080)"
	for _, tt := range []struct {
		name, manifest, want string
		options              audit.Options
	}{
		{"all", "", all + " " + doc, audit.Options{}},
		{"an exception", "exceptions: [{initiator: a, saw: b, reclaim: c, expires: 2026-12-31, rule: members/missing, pool: orders, side: app, member: \"10.0.0.2:8080\"}]\n",
			"-10.0.0.3:8080 +10.0.0.9:8080 (-10.0.0.2:8080) " + doc, audit.Options{}},
		{"one that has expired", "exceptions: [{initiator: a, saw: b, reclaim: c, expires: 2026-11-29, rule: members/missing, pool: orders, side: app, member: \"10.0.0.2:8080\"}]\n", all + " " + doc, audit.Options{}},
		{"off", "severity: {members/missing: off}\n", "+10.0.0.9:8080 (-10.0.0.2:8080) (-10.0.0.3:8080) " + doc, audit.Options{}},
		{"a warning", "severity: {members/missing: warning}\n", all + " " + doc, audit.Options{}},
		{"a rule", "", "+10.0.0.9:8080 (-10.0.0.2:8080) (-10.0.0.3:8080) " + doc, audit.Options{RuleNames: []string{"members/extra"}}},
		{"an area", "", all + " " + doc, audit.Options{RuleNames: []string{"members/*"}}},
		{"another pool", "", "(-10.0.0.2:8080) (-10.0.0.3:8080) (+10.0.0.9:8080) " + doc, audit.Options{Pools: []string{"stock"}}},
		{"other files", "", "(-10.0.0.2:8080) (-10.0.0.3:8080) (+10.0.0.9:8080) " + doc, audit.Options{Touched: map[string]bool{}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := memory{"poolproof.yaml": sources + tt.manifest}
			for name, t := range text {
				files[name] = t
			}
			p := prepared(t, files, tt.options)
			differences := p.Differences()
			var got []string
			for _, g := range p.Groups {
				d := differences.Of(g)
				if !differences.Asked(g) && len(d.Open) > 0 {
					t.Errorf("not asked for: %v", d.Open)
				}
				signs := map[reconcile.DivergenceKind]string{reconcile.Missing: "-", reconcile.Extra: "+"}
				for _, x := range d.Open {
					got = append(got, signs[x.Kind]+x.Member)
				}
				for _, x := range d.Passed {
					got = append(got, "("+signs[x.Kind]+x.Member+")")
				}
			}
			slices.SortStableFunc(got, func(a, b string) int { return strings.Count(a, "(") - strings.Count(b, "(") })
			want := strings.Fields(tt.want)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}
