package load

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/tree"
)

// files is a tree in memory. A value that starts with "error: " cannot be read.
type files map[string]string

var errBroken = errors.New("broken disk")

func (f files) Revision() string { return f["revision"] }

func (f files) List(dir string, skip func(string) bool) ([]tree.Entry, error) {
	if _, ok := f[dir]; ok {
		return []tree.Entry{{Path: dir}}, nil
	}
	var out []tree.Entry
next:
	for p := range f {
		if dir != "." && !strings.HasPrefix(p, dir+"/") || p == "revision" {
			continue
		}
		for above := path.Dir(p); above != "." && above != dir; above = path.Dir(above) {
			if skip != nil && skip(above) {
				continue next
			}
		}
		e := tree.Entry{Path: p}
		if f[p] == "error: listed" {
			e.Err = fmt.Errorf("%s: %w", p, tree.ErrOutside)
		}
		out = append(out, e)
	}
	if len(out) == 0 && dir != "." {
		return nil, fmt.Errorf("%s: %w", dir, fs.ErrNotExist)
	}
	slices.SortFunc(out, func(a, b tree.Entry) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

func (f files) Read(p string) ([]byte, error) {
	text, ok := f[p]
	switch {
	case !ok:
		return nil, fmt.Errorf("%s: %w", p, fs.ErrNotExist)
	case text == "error: large":
		return nil, fmt.Errorf("%s: %w", p, tree.ErrTooLarge)
	case strings.HasPrefix(text, "error: "):
		return nil, fmt.Errorf("%s: %w", p, errBroken)
	}
	return []byte(text), nil
}

// lines is a format whose files start with their name, and whose lines are pools. It writes down everything that it
// sees of its input, so that a result that should have been another shows.
func lines(name string, sides ...schema.Side) sources.Adapter {
	return sources.Adapter{
		Name: name, Sides: sides, Version: 1, Profile: name + "-1",
		Detect: func(_ string, data []byte) sources.Confidence {
			switch {
			case strings.HasPrefix(string(data), name+"!\n"):
				return sources.Certain
			case strings.HasPrefix(string(data), name+"\n"):
				return sources.Likely
			case strings.Contains(string(data), name):
				return sources.Possible
			}
			return sources.Unlikely
		},
		Read: func(in sources.Input) (r sources.Result) {
			if strings.Contains(string(in.Data), "panic") {
				panic("a defect")
			}
			for i, line := range strings.Split(strings.TrimSpace(string(in.Data)), "\n") {
				if i == 0 {
					continue
				}
				c := schema.Copy{Side: in.Source.Side, Format: name, Profile: in.Source.Profile, Env: in.Source.Env, Files: []string{in.Path}, Pool: line}
				s := *in.Source
				s.Map = nil
				c.Set("saw", schema.TextOf(fmt.Sprintf("%+v %+v %v %v", s, in.Source.Map, in.Vars, in.Vocabulary)), schema.At(0, 1))
				if name, ok := strings.CutPrefix(line, "include "); ok {
					text, err := in.Sibling(name)
					c.Set("sibling", schema.TextOf(fmt.Sprintf("%q %v", text, err)), schema.At(0, 1))
				}
				r.Copies = append(r.Copies, c)
			}
			return r
		},
	}
}

func adapters() []sources.Adapter {
	return []sources.Adapter{lines("alpha", schema.App, schema.Gateway), lines("beta", schema.Gateway), lines("mapped", schema.App), lines("change-order", schema.Order)}
}

func mustLoad(t *testing.T, tr tree.Tree, m *schema.Manifest, o Options) *Loaded {
	t.Helper()
	if o.Adapters == nil {
		o.Adapters = adapters()
	}
	l, err := Load(context.Background(), tr, m, o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// show writes what was loaded, one line a file.
func show(l *Loaded) string {
	var b strings.Builder
	for _, f := range l.Files {
		fmt.Fprintf(&b, "%d %s", f.Source, f.Path)
		if f.Env != "" {
			fmt.Fprintf(&b, " env=%s", f.Env)
		}
		if f.Format != "" {
			fmt.Fprintf(&b, " %s", f.Format)
		}
		if f.Detected {
			b.WriteString("?")
		}
		for _, c := range f.Result.Copies {
			fmt.Fprintf(&b, " %s/%s/%s/%s", c.Side, c.Profile, c.Env, c.Pool)
		}
		for _, p := range f.Result.Problems {
			fmt.Fprintf(&b, " [%s: %s]", p.Rule, p.Text.En)
		}
		b.WriteString("\n")
	}
	for _, p := range l.Problems {
		fmt.Fprintf(&b, "[%s: %s]\n", p.Rule, p.Text.En)
	}
	for _, s := range l.Skipped {
		fmt.Fprintf(&b, "skipped %s: %s\n", s.What, s.Why.En)
	}
	return b.String()
}

func TestLoad(t *testing.T) {
	for name, c := range map[string]struct {
		files   files
		sources []schema.Source
		want    string
	}{
		"patterns, exclusion, order": {
			files{"a/z.cfg": "alpha\np", "a/b.cfg": "alpha\np", "a/b.txt": "alpha\np", "a/deep/c.cfg": "alpha\np", "a/old/d.cfg": "alpha\np", "a/.git/e.cfg": "alpha\np"},
			[]schema.Source{{Side: schema.App, Format: "alpha", Files: []string{"a/z.cfg", "a/**/*.cfg"}, Exclude: []string{"a/old/**"}}},
			"0 a/b.cfg alpha app/alpha-1//p\n0 a/deep/c.cfg alpha app/alpha-1//p\n0 a/z.cfg alpha app/alpha-1//p\n",
		},
		"environment from the path": {
			files{"envs/prod/x.cfg": "alpha\np", "envs/test/x.cfg": "alpha\np"},
			[]schema.Source{{Side: schema.Gateway, Format: "alpha", Files: []string{"envs/{env}/*.cfg"}}},
			"0 envs/prod/x.cfg env=prod alpha gateway/alpha-1/prod/p\n0 envs/test/x.cfg env=test alpha gateway/alpha-1/test/p\n",
		},
		"environment and profile of the source": {
			files{"envs/prod/x.cfg": "alpha\np"},
			[]schema.Source{{Side: schema.Gateway, Format: "alpha", Env: "live", Profile: "alpha-2", Files: []string{"envs/{env}/*.cfg"}}},
			"0 envs/prod/x.cfg env=live alpha gateway/alpha-2/live/p\n",
		},
		"detection": {
			files{"a": "alpha\np", "b": "beta\np", "both": "alpha\nbeta!\n", "hint": "is this beta?", "none": "x"},
			[]schema.Source{{Side: schema.Gateway, Files: []string{"*"}}},
			"0 a alpha? gateway/alpha-1//p\n0 b beta? gateway/beta-1//p\n0 both alpha? gateway/alpha-1//beta!\n" +
				"0 hint [source/undetected: the format of hint was not recognised]\n0 none [source/undetected: the format of none was not recognised]\n",
		},
		"detection keeps to the side": {
			files{"b": "beta!\np"},
			[]schema.Source{{Side: schema.App, Files: []string{"b"}}},
			"0 b [source/undetected: the format of b was not recognised]\n",
		},
		"formats that follow from the source": {
			files{"m": "mapped\np", "o": "change-order\np"},
			[]schema.Source{{Side: schema.App, Map: &schema.Map{}, Files: []string{"m"}}, {Side: schema.Order, Files: []string{"o"}}},
			"0 m mapped app/mapped-1//p\n1 o change-order order/change-order-1//p\n",
		},
		"unknown format": {
			files{"a": "alpha\np"},
			[]schema.Source{{Side: schema.App, Format: "gamma", Files: []string{"a"}}},
			"0 a gamma [source/undetected: format \"gamma\" is not known]\n",
		},
		"what cannot be read hides nothing": {
			files{"a": "alpha\np", "b": "error: x", "c": "error: large", "d": "error: listed", "e": "alpha\npanic"},
			[]schema.Source{{Side: schema.App, Format: "alpha", Files: []string{"*"}}},
			"0 a alpha app/alpha-1//p\n0 b [source/unreadable: b cannot be read: broken disk]\n" +
				"0 c [source/unreadable: c is larger than 32 MiB and is not read]\n0 d [source/unreadable: d leads out of the root and is not read]\n" +
				"0 e alpha [source/unreadable: reading e as alpha failed with an internal error: a defect]\n",
		},
		"nothing matches": {
			files{"a": "alpha\np"},
			[]schema.Source{{Side: schema.App, Files: []string{"b"}}, {Side: schema.Doc, Files: []string{"docs/*.md"}}, {Side: schema.App, Format: "alpha", Files: []string{"*"}, Exclude: []string{"a"}}},
			"[source/empty: app source \"b\" matches no file]\n[source/empty: doc source \"docs/*.md\" matches no file]\n[source/empty: app source \"*\" matches no file]\n",
		},
		"another repository": {
			files{"a": "alpha\np"},
			[]schema.Source{{Side: schema.App, Repo: "git@example.com:x", Files: []string{"*"}}},
			"[source/skipped: source git@example.com:x is not read: the operator has not allowed this repository]\n" +
				"skipped git@example.com:x: another repository, which the operator has not allowed\n",
		},
		"a file in two sources": {
			files{"a": "alpha\np"},
			[]schema.Source{
				{Side: schema.App, Format: "alpha", Files: []string{"*"}}, {Side: schema.App, Format: "alpha", Files: []string{"a"}},
				{Side: schema.Gateway, Format: "alpha", Files: []string{"a"}}, {Side: schema.App, Format: "alpha", Env: "x", Files: []string{"a"}},
			},
			"0 a alpha app/alpha-1//p\n2 a alpha gateway/alpha-1//p\n3 a env=x alpha app/alpha-1/x/p\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := mustLoad(t, c.files, &schema.Manifest{Sources: c.sources}, Options{})
			if diff := cmp.Diff(c.want, show(l)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestWorkers: however many files are read at once, the outcome is the same.
func TestWorkers(t *testing.T) {
	tr := files{}
	for i := range 200 {
		tr[fmt.Sprintf("d%d/f%03d", i%7, i)] = fmt.Sprintf("alpha\npool-%d\n", i)
	}
	tr["d0/f000"] = "alpha\npanic"
	m := &schema.Manifest{Sources: []schema.Source{{Side: schema.Gateway, Files: []string{"d3/*", "**"}}, {Side: schema.App, Files: []string{"d1/*"}}}}
	var mu sync.Mutex
	most := 0
	want := mustLoad(t, tr, m, Options{Workers: 1, Progress: func(done, total int) {
		mu.Lock()
		defer mu.Unlock()
		if total != 229 || done > total {
			t.Errorf("%d of %d", done, total)
		}
		most = max(most, done)
	}})
	if most != 229 {
		t.Errorf("progress ended at %d", most)
	}
	for _, workers := range []int{0, 2, 3, 8, 1000} {
		got := mustLoad(t, tr, m, Options{Workers: workers})
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(schema.Value{}), cmpopts.IgnoreUnexported(File{}, Loaded{})); diff != "" {
			t.Errorf("with %d workers (-want +got):\n%s", workers, diff)
		}
	}
}

func TestBadPattern(t *testing.T) {
	for _, s := range []schema.Source{{Files: []string{"../x"}}, {Files: []string{"a"}, Exclude: []string{"["}}} {
		s.At = schema.At(3, 9)
		_, err := Load(context.Background(), files{"a": ""}, &schema.Manifest{Sources: []schema.Source{s}}, Options{})
		var bad *PatternError
		if !errors.As(err, &bad) || bad.At != s.At {
			t.Errorf("%v: %v", s.Files, err)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Load(ctx, files{"a": "alpha\n"}, &schema.Manifest{Sources: []schema.Source{{Side: schema.App, Files: []string{"a"}}}}, Options{Adapters: adapters()})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestBound: a file that is wrong as a whole does not flood the report.
func TestBound(t *testing.T) {
	var r sources.Result
	for i := range 150 {
		r.Report(schema.Problem{Rule: "source/syntax", Got: fmt.Sprint("file ", i)})
	}
	r.Copies = make([]schema.Copy, 2)
	for i := range 40 {
		r.Copies[0].Report(schema.Problem{Rule: "schema/unit", Got: fmt.Sprint("first ", i)})
		r.Copies[1].Report(schema.Problem{Rule: "schema/invalid", Got: fmt.Sprint("second ", i), At: schema.At(i, i+1)})
	}
	bad := lines("alpha", schema.App)
	bad.Read = func(sources.Input) sources.Result { return r }
	got := mustLoad(t, files{"a": "alpha\n"}, &schema.Manifest{Sources: []schema.Source{{Side: schema.App, Files: []string{"a"}}}},
		Options{Adapters: []sources.Adapter{bad}}).Files[0].Result
	if a, b, c := len(got.Problems), len(got.Copies[0].Problems), len(got.Copies[1].Problems); a != 151 || b != 40 || c != 10 {
		t.Fatalf("%d, %d and %d problems", a, b, c)
	}
	last := got.Problems[150]
	if last.Rule != "schema/invalid" || last.At != schema.At(10, 11) || !strings.HasPrefix(last.Text.En, "30 more problems") {
		t.Errorf("%+v", last)
	}
}

// TestBoundTellsErrors: a flood of warnings drowns no error, so that it cannot decide the exit code.
func TestBoundTellsErrors(t *testing.T) {
	r := sources.Result{Copies: make([]schema.Copy, 1), LeftOut: 7}
	for i := range 300 {
		r.Report(schema.Problem{Rule: "schema/implausible", Severity: schema.Warning, At: schema.At(i, i+1)})
	}
	r.Copies[0].Report(schema.Problem{Rule: "schema/invalid"})
	bound(&r)
	if len(r.Copies[0].Problems) != 1 || len(r.Problems) != 200 {
		t.Fatalf("%d problems of the file, %d of the copy", len(r.Problems), len(r.Copies[0].Problems))
	}
	if last := r.Problems[199]; !strings.HasPrefix(last.Text.En, "108 more problems") || last.At != schema.At(199, 200) || last.Severity != schema.Warning {
		t.Errorf("%+v", last)
	}
}

// TestBoundUnresolved: many pools that share a placeholder do not flood the report, and it stays unresolved in each.
func TestBoundUnresolved(t *testing.T) {
	r := sources.Result{Copies: make([]schema.Copy, 250)}
	for i := range r.Copies {
		r.Copies[i].Unresolve("cooldown.duration", "${WAIT}", schema.At(i, i+1))
		r.Copies[i].Unresolved = append(r.Copies[i].Unresolved, schema.Unresolved{Path: "probe.interval", Quiet: true})
	}
	bound(&r)
	told := 0
	for i := range r.Copies {
		u := r.Copies[i].Unresolved
		if len(u) != 2 || u[0].Path != "cooldown.duration" {
			t.Fatalf("copy %d: %+v", i, u)
		}
		if !u[0].Quiet {
			told++
		}
	}
	if told != 200 || len(r.Problems) != 1 || r.Problems[0].At != schema.At(200, 201) || !strings.HasPrefix(r.Problems[0].Text.En, "50 more values") {
		t.Errorf("told %d, and %+v", told, r.Problems)
	}
}

func TestDiscover(t *testing.T) {
	tr := files{
		"app/a.cfg": "alpha\np", "gateway/a.cfg": "alpha\np", "lb/b{1}.cfg": "beta\np", "x/hint": "beta?", "node_modules/m/a.cfg": "alpha\np",
		".hidden": "alpha\np", ".tool/a": "alpha\np", "picture.png": "alpha\np", "nul": "alpha\n\x00", "broken": "error: x", "large": "alpha\n" + strings.Repeat("x", 5<<20),
	}
	found := func(below string) string {
		t.Helper()
		m, err := Discover(context.Background(), tr, Options{Adapters: adapters()}, below)
		if err != nil {
			t.Fatal(err)
		}
		if !m.Discovered {
			t.Error("not marked as discovered")
		}
		var b strings.Builder
		for _, s := range m.Sources {
			fmt.Fprintln(&b, s.Side, s.Format, s.Files)
		}
		return b.String()
	}
	for below, want := range map[string]string{
		"":                  "app alpha [app/a.cfg large]\ngateway alpha [gateway/a.cfg]\ngateway beta [lb/b[{]1}.cfg]\n",
		"lb":                "gateway beta [lb/b[{]1}.cfg]\n",
		"node_modules/m":    "app alpha [node_modules/m/a.cfg]\n",
		".hidden":           "app alpha [.hidden]\n",
		"nul":               "app alpha [nul]\n",
		"broken":            "gateway  [broken]\n",
		"node_modules/none": "",
	} {
		if below == "node_modules/none" {
			if _, err := Discover(context.Background(), tr, Options{Adapters: adapters()}, below); !errors.Is(err, fs.ErrNotExist) {
				t.Error(err)
			}
			continue
		}
		if diff := cmp.Diff(want, found(below)); diff != "" {
			t.Errorf("below %q (-want +got):\n%s", below, diff)
		}
	}
}

func TestEscapePattern(t *testing.T) {
	for _, p := range []string{"a/b.cfg", "a*b", "a?[x]", "{env}/{a,b}", "[", "配置/{x}*", "a]b", "**/x", "a[!b]", "-[a-z]"} {
		g, err := tree.CompileGlob(EscapePattern(p))
		if err != nil {
			t.Errorf("%s: %v", p, err)
			continue
		}
		if env, ok := g.Match(p); !ok || env != "" {
			t.Errorf("%s: its pattern %s does not match it", p, EscapePattern(p))
		}
		for _, other := range []string{"axb", "a/x", "prod/a", "a/b.cfgx", "x"} {
			if _, ok := g.Match(other); ok {
				t.Errorf("%s: its pattern matches %s", p, other)
			}
		}
	}
}
