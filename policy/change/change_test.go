package change_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/poolproof/poolproof/policy/change"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/all"
	"github.com/poolproof/poolproof/sources/cache"
	"github.com/poolproof/poolproof/sources/cache/pack"
	"github.com/poolproof/poolproof/sources/load"
	"github.com/poolproof/poolproof/sources/manifest"
	"github.com/poolproof/poolproof/sources/tree"
)

// memory is a tree in memory.
type memory struct {
	revision string
	files    map[string]string
	reads    *atomic.Int64
}

func (m memory) Revision() string { return m.revision }

func (m memory) ID(p string) (string, bool) {
	text, ok := m.files[p]
	if !ok {
		return "", false
	}
	return name(text), true
}

func name(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte("blob "+text))) }

func (m memory) Read(p string) ([]byte, error) {
	text, ok := m.files[p]
	if !ok {
		return nil, fmt.Errorf("%s: %w", p, fs.ErrNotExist)
	}
	m.reads.Add(1)
	return []byte(text), nil
}

func (m memory) List(dir string, _ func(string) bool) ([]tree.Entry, error) {
	var list []tree.Entry
	for p := range m.files {
		if dir == "." || p == dir || strings.HasPrefix(p, dir+"/") {
			list = append(list, tree.Entry{Path: p})
		}
	}
	if len(list) == 0 && dir != "." {
		return nil, fmt.Errorf("%s: %w", dir, fs.ErrNotExist)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Path < list[j].Path })
	return list, nil
}

// kept is a store in memory.
type kept map[string][]byte

type slot struct {
	in   kept
	name string
}

func (s slot) Get() ([]byte, bool) { data, ok := s.in[s.name]; return data, ok }

func (s slot) Put(data []byte) error { s.in[s.name] = data; return nil }

var moment = time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)

// TestIndexChangesNothing judges every change three times: without an index, with an empty one, and with one that an
// earlier run left behind. All must say the same, and the last must read less.
func TestIndexChangesNothing(t *testing.T) {
	cases, err := filepath.Glob("../../testdata/cases/ci/*.txtar")
	if err != nil || len(cases) < 50 {
		t.Fatalf("%d cases: %v", len(cases), err)
	}
	less := 0
	for _, file := range cases {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		ends := map[string]map[string]string{"base": {}, "head": {}}
		for _, f := range a.Files {
			if end, rest, ok := strings.Cut(f.Name, "/"); ok && ends[end] != nil {
				ends[end][rest] = string(f.Data)
			}
		}
		store := kept{}
		folder := t.TempDir()
		judge := func(indexed bool) (string, int) {
			var reads atomic.Int64
			c := cache.Open(folder, "/root", "build")
			o := change.Options{
				Base: memory{"b", ends["base"], &reads}, Head: memory{"h", ends["head"], &reads},
				Load: load.Options{Adapters: all.Adapters(), Packer: new(pack.Packer), Cache: c, Workers: 1}, Rules: rules.All(), Now: moment,
			}
			if indexed {
				o.Store = func(manifest string) change.Store { return slot{store, manifest} }
			}
			got, err := change.Judge(context.Background(), o)
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
			if err != nil {
				return err.Error(), int(reads.Load())
			}
			return told(got), int(reads.Load())
		}
		want, _ := judge(false)
		first, _ := judge(true)
		again, reads := judge(true)
		if d := cmp.Diff(want, first); d != "" {
			t.Errorf("%s, first index:\n%s", filepath.Base(file), d)
		}
		if d := cmp.Diff(want, again); d != "" {
			t.Errorf("%s, index of an earlier run:\n%s", filepath.Base(file), d)
		}
		if reads < len(ends["base"])+len(ends["head"]) {
			less++
		}
		store = kept{}
		if remember(t, ends["base"], store) {
			whole, _ := judge(true)
			if d := cmp.Diff(want, whole); d != "" {
				t.Errorf("%s, index of a whole reading:\n%s", filepath.Base(file), d)
			}
		}
	}
	if less < len(cases)/3 {
		t.Errorf("only %d of %d changes were judged with fewer reads than there are files", less, len(cases))
	}
}

// remember keeps the index of a tree that is read whole, as a run over the working tree does.
func remember(t *testing.T, files map[string]string, in kept) bool {
	m, _ := manifest.Load("poolproof.yaml", []byte(files["poolproof.yaml"]))
	if len(m.Sources) == 0 {
		return false
	}
	var reads atomic.Int64
	base := memory{"", files, &reads}
	l, err := load.Load(context.Background(), base, &m, load.Options{Adapters: all.Adapters(), Name: func(data []byte) string {
		return name(string(data))
	}})
	if err != nil {
		return false
	}
	ids := map[string]string{}
	for _, f := range l.Files {
		ids[f.Path] = f.ID()
	}
	err = change.Remember(slot{in, change.Described(&m)}, l, &m, func(p string) (string, bool) {
		if id := ids[p]; id != "" {
			return id, true
		}
		return base.ID(p)
	})
	if err != nil {
		t.Fatal(err)
	}
	return true
}

// TestRememberedIsNotReadAgain: what a run over the working tree learnt spares the first change the reading of all that it
// does not touch.
func TestRememberedIsNotReadAgain(t *testing.T) {
	base := map[string]string{"poolproof.yaml": "sources:\n  - {side: app, files: [app/*.yaml]}\n"}
	head := map[string]string{}
	for i := range 50 {
		base[fmt.Sprintf("app/p%d.yaml", i)] = fmt.Sprintf("pools:\n  p%d: {members: [{host: 10.0.0.1, port: 80}]}\n", i)
	}
	maps.Copy(head, base)
	head["app/p7.yaml"] += "# touched\n"
	store := kept{}
	if !remember(t, base, store) {
		t.Fatal("not read")
	}
	var reads atomic.Int64
	_, err := change.Judge(context.Background(), change.Options{
		Base: memory{"b", base, &reads}, Head: memory{"h", head, &reads}, Rules: rules.All(), Now: moment,
		Load: load.Options{Adapters: all.Adapters()}, Store: func(manifest string) change.Store { return slot{store, manifest} },
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := reads.Load(); n > 10 {
		t.Errorf("%d files were read for a change of one", n)
	}
}

func told(c *change.Change) string {
	var lines []string
	for i := range c.Findings {
		f := &c.Findings[i]
		lines = append(lines, fmt.Sprintf("%s %v %s %s %s %s:%d %s", f.Rule, f.Severity, f.Status, f.Pool, f.Env, f.At.File, f.At.Span.Start, f.Message.En))
	}
	for _, o := range c.Evidence.Obligations {
		lines = append(lines, fmt.Sprintf("owed: %+v", o))
	}
	for _, p := range c.Touched {
		lines = append(lines, fmt.Sprintf("touched: %+v", p))
	}
	slices.Sort(lines)
	for _, e := range []change.End{c.Base, c.Head} {
		lines = append(lines, fmt.Sprintf("totals: %+v", e.Totals))
	}
	return strings.Join(lines, "\n")
}

// TestBesideFiles: a file that no source lists touches the pools of the file beside it that depends on it.
func TestBesideFiles(t *testing.T) {
	base := map[string]string{
		"poolproof.yaml":                  "sources:\n  - {side: app, format: spring, files: [app/application.yml], profiles: [prod]}\n",
		"app/application.yml":             "resilience4j.circuitbreaker.instances.orders:\n  waitDurationInOpenState: 30s\n",
		"app/application-prod.yml":        "resilience4j.circuitbreaker.instances.orders:\n  failureRateThreshold: 50\n",
		"app/application-unused.yml":      "x: 1\n",
		"somewhere/else/application.yml":  "x: 1\n",
		"somewhere/else/application2.yml": "x: 1\n",
	}
	for name, touched := range map[string]int{"app/application-prod.yml": 1, "app/application.yml": 1, "somewhere/else/application.yml": 0} {
		head := map[string]string{}
		for n, text := range base {
			head[n] = text
		}
		head[name] += "# touched\n"
		var reads atomic.Int64
		c, err := change.Judge(context.Background(), change.Options{
			Base: memory{"b", base, &reads}, Head: memory{"h", head, &reads}, Rules: rules.All(), Now: moment,
			Load: load.Options{Adapters: all.Adapters(), Packer: new(pack.Packer)},
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Touched) != touched || c.Head.Totals.Sides[schema.App] != 1 {
			t.Errorf("%s: %d pools touched, want %d; %+v", name, len(c.Touched), touched, c.Head.Totals)
		}
	}
}
