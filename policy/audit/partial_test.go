package audit_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/poolproof/poolproof/policy/audit"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/reconcile/index"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/all"
	"github.com/poolproof/poolproof/sources/load"
	"github.com/poolproof/poolproof/sources/manifest"
	"github.com/poolproof/poolproof/sources/tree"
)

// TestPartOfTree reads, for every file of every case, only what the index says is in reach of that file, and must find
// what a run over the whole tree finds about the pools of that file.
func TestPartOfTree(t *testing.T) {
	cases, err := filepath.Glob("../../testdata/cases/*.txtar")
	if err != nil || len(cases) < 100 {
		t.Fatalf("%d cases: %v", len(cases), err)
	}
	parts := 0
	for _, file := range cases {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		files := map[string]string{}
		for _, f := range a.Files {
			files[f.Name] = escapes(string(f.Data))
		}
		text, ok := files["poolproof.yaml"]
		if !ok || len(files) > 12 {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		parts += comparePart(t, name, files, text)
	}
	if parts < 100 {
		t.Errorf("only %d times was a part smaller than the whole", parts)
	}
}

func comparePart(t *testing.T, name string, files map[string]string, text string) (smaller int) {
	dir := t.TempDir()
	for _, n := range slices.Sorted(maps.Keys(files)) {
		p := filepath.Join(dir, filepath.FromSlash(n))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if target, ok := strings.CutPrefix(files[n], "symlink "); ok {
			_ = os.Symlink(strings.TrimSpace(target), p)
		} else if err := os.WriteFile(p, []byte(files[n]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w, err := tree.OpenWork(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	m, problems := manifest.Load("poolproof.yaml", []byte(text))
	m.File = "poolproof.yaml"
	if !index.Serves(&m) {
		return 0
	}
	ctx, o := context.Background(), load.Options{Adapters: all.Adapters()}
	list, err := load.List(w, &m, o)
	if err != nil {
		return 0 // a pattern that the grammar refuses
	}
	everything := load.Part{}
	read := func(p load.Part) *load.Loaded {
		l, err := list.Some(ctx, w, &m, o, p)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	judge := func(l *load.Loaded, touched string, elsewhere func(string) bool) []string {
		res, err := audit.Audit(ctx, &m, problems, l, audit.Options{Rules: rules.All(), Now: moment, Touched: map[string]bool{touched: true}, Elsewhere: elsewhere})
		if err != nil {
			t.Fatal(err)
		}
		return spoken(res.Findings)
	}
	x := index.New(&m)
	for _, f := range read(everything).Files {
		x.Put(index.Of(f, string(f.Sum[:])))
	}
	kept, err := index.Decode(x.Append(nil), &m)
	if err != nil {
		t.Fatal(err)
	}
	for n := range files {
		changed := kept.At(map[string]bool{n: true})
		reach := kept.Reach(changed, nil)
		id := func(f *load.File) index.ID { return index.ID{Path: f.Path, Source: f.Source, Env: f.Env} }
		part := read(load.Part{
			Want: func(f *load.File) bool { return reach.Readings[id(f)] },
			Keep: func(f *load.File, c *schema.Copy) bool { return changed[id(f)] || reach.Holds(c) },
		})
		if len(part.Files) < len(list.Files) {
			smaller++
		}
		want := judge(read(everything), n, nil)
		if d := cmp.Diff(want, judge(part, n, kept.Knows)); d != "" {
			t.Errorf("%s, part of %s (%d of %d readings), -whole +part:\n%s", name, n, len(part.Files), len(list.Files), d)
		}
	}
	return smaller
}

func spoken(findings []schema.Finding) []string {
	var out []string
	for i := range findings {
		f := &findings[i]
		out = append(out, fmt.Sprintf("%s %v %s %s %s:%d %s %s %s %d %s", f.Rule, f.Severity, f.Pool, f.Env, f.At.File, f.At.Span.Start, f.Message.En, f.Got, f.Want, len(f.Related), f.Status))
	}
	slices.Sort(out)
	return out
}
