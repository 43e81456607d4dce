package load

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
)

// memory is a cache that counts.
type memory struct {
	mu         sync.Mutex
	kept       map[Key]Reading
	hits, puts int
}

func (c *memory) Get(key Key, _ func(*schema.Copy) bool) (Reading, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.kept[key]
	if ok {
		c.hits++
		r.Result.Copies = slices.Clone(r.Result.Copies)
	}
	return r, ok
}

func (c *memory) Put(key Key, r Reading) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.puts++
	if c.kept == nil {
		c.kept = map[Key]Reading{}
	}
	r.Result.Copies = slices.Clone(r.Result.Copies)
	c.kept[key] = r
}

// TestCache changes one thing at a time between two loads, and requires the second to give what it gives without a
// cache, and to use the cache exactly where nothing changed that counts.
func TestCache(t *testing.T) {
	base := func() (files, *schema.Manifest, []sources.Adapter) {
		list := adapters()
		list[1].Siblings = true
		return files{"envs/x/a": "alpha\np\nq", "envs/x/b": "beta\ninclude c\ninclude none", "envs/x/c": "text"},
			&schema.Manifest{
				Vars: map[string]string{"A": "1"}, Vocabulary: map[string][]string{"member": {"node"}},
				Sources: []schema.Source{
					{Side: schema.Gateway, Format: "alpha", Files: []string{"envs/{env}/a"}, Map: &schema.Map{Pool: "p", Members: "m", Probe: []schema.MapEntry{{Key: "k", Expr: "e"}}}},
					{Side: schema.Gateway, Format: "beta", Files: []string{"envs/x/b"}},
				},
			}, list
	}
	const alpha, beta = 1, 2 // which file is found in the cache
	for name, c := range map[string]struct {
		change func(f files, m *schema.Manifest, a []sources.Adapter)
		hits   int
	}{
		"nothing":                {func(files, *schema.Manifest, []sources.Adapter) {}, alpha | beta},
		"content":                {func(f files, _ *schema.Manifest, _ []sources.Adapter) { f["envs/x/a"] += "\nr" }, beta},
		"places in the manifest": {func(_ files, m *schema.Manifest, _ []sources.Adapter) { m.Sources[0].At = schema.At(9, 12) }, alpha | beta},
		"patterns": {func(_ files, m *schema.Manifest, _ []sources.Adapter) {
			m.Sources[0].Exclude, m.Sources[1].Exclude = []string{"z"}, []string{"z"}
		}, alpha}, // the other may ask which files are selected
		"path": {func(f files, m *schema.Manifest, _ []sources.Adapter) {
			f["envs/x/d"] = f["envs/x/a"]
			m.Sources[0].Files[0] = "envs/{env}/d"
		}, beta},
		"environment":           {func(_ files, m *schema.Manifest, _ []sources.Adapter) { m.Sources[0].Files[0] = "{env}/x/a" }, beta},
		"environment by source": {func(_ files, m *schema.Manifest, _ []sources.Adapter) { m.Sources[1].Env = "y" }, alpha},
		"side":                  {func(_ files, m *schema.Manifest, _ []sources.Adapter) { m.Sources[0].Side = schema.App }, beta},
		"profile":               {func(_ files, m *schema.Manifest, _ []sources.Adapter) { m.Sources[0].Profile = "alpha-2" }, beta},
		"profiles":              {func(_ files, m *schema.Manifest, _ []sources.Adapter) { m.Sources[0].Profiles = []string{"a"} }, beta},
		"adapter's version":     {func(_ files, _ *schema.Manifest, a []sources.Adapter) { a[0].Version++ }, beta},
		"adapter's profile":     {func(_ files, _ *schema.Manifest, a []sources.Adapter) { a[0].Profile = "alpha-3" }, beta},
		"adapter": {func(_ files, m *schema.Manifest, a []sources.Adapter) {
			a[2].Profile = a[0].Profile
			m.Sources[0].Format = "mapped"
		}, beta},
		"map":               {func(_ files, m *schema.Manifest, _ []sources.Adapter) { m.Sources[0].Map.Members = "n" }, beta},
		"map's entries":     {func(_ files, m *schema.Manifest, _ []sources.Adapter) { m.Sources[0].Map.Probe[0].Expr = "f" }, beta},
		"no map":            {func(_ files, m *schema.Manifest, _ []sources.Adapter) { m.Sources[0].Map = nil }, beta},
		"variables":         {func(_ files, m *schema.Manifest, _ []sources.Adapter) { m.Vars["A"] = "2" }, 0},
		"vocabulary":        {func(_ files, m *schema.Manifest, _ []sources.Adapter) { m.Vocabulary["member"] = nil }, 0},
		"sibling":           {func(f files, _ *schema.Manifest, _ []sources.Adapter) { f["envs/x/c"] = "other" }, alpha},
		"sibling gone":      {func(f files, _ *schema.Manifest, _ []sources.Adapter) { delete(f, "envs/x/c") }, alpha},
		"sibling new":       {func(f files, _ *schema.Manifest, _ []sources.Adapter) { f["envs/x/none"] = "" }, alpha},
		"sibling broken":    {func(f files, _ *schema.Manifest, _ []sources.Adapter) { f["envs/x/c"] = "error: x" }, alpha},
		"sibling elsewhere": {func(f files, _ *schema.Manifest, _ []sources.Adapter) { f["envs/c"], f["c"] = "x", "x" }, alpha | beta},
		"revision":          {func(f files, _ *schema.Manifest, _ []sources.Adapter) { f["revision"] = "0123abc" }, alpha | beta},
	} {
		t.Run(name, func(t *testing.T) {
			cache := &memory{}
			f, m, a := base()
			mustLoad(t, f, m, Options{Adapters: a, Cache: cache})
			if cache.puts != 2 || cache.hits != 0 {
				t.Fatalf("first load: %d puts, %d hits", cache.puts, cache.hits)
			}
			c.change(f, m, a)
			var reads atomic.Int32
			for i := range a {
				read := a[i].Read
				a[i].Read = func(in sources.Input) sources.Result {
					reads.Add(1)
					return read(in)
				}
			}
			got := mustLoad(t, f, m, Options{Adapters: a, Cache: cache})
			n := 2 - int(reads.Load())
			want := mustLoad(t, f, m, Options{Adapters: a})
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(schema.Value{}), cmpopts.IgnoreUnexported(File{}, Loaded{})); diff != "" {
				t.Errorf("with the cache it is not what it is without (-without +with):\n%s", diff)
			}
			for _, file := range got.Files {
				for _, c := range file.Result.Copies {
					if c.Revision != f.Revision() {
						t.Errorf("revision %q", c.Revision)
					}
				}
			}
			if bits := c.hits&1 + c.hits>>1; n != bits {
				t.Errorf("%d files came from the cache, want %d", n, bits)
			}
		})
	}
}

// TestNotKept: results that hold for this run only are not kept.
func TestNotKept(t *testing.T) {
	list := adapters()
	list[0].Siblings = true
	cache := &memory{}
	f := files{"panic": "alpha\npanic", "unsure": "alpha\ninclude c", "c": "error: x", "unread": "error: x", "unknown": "x", "sub": "alpha\ninclude ../c"}
	mustLoad(t, f, &schema.Manifest{Sources: []schema.Source{{Side: schema.App, Files: []string{"*"}}}}, Options{Adapters: list, Cache: cache})
	for _, r := range cache.kept {
		if text := fmt.Sprint(r); !strings.Contains(text, "include ../c") {
			t.Errorf("kept: %s", text)
		}
	}
	if cache.puts != 1 {
		t.Errorf("%d results were kept", cache.puts)
	}
}

// TestKeptWithoutPlace: what is kept knows no revision, which the next tree has one of its own of.
func TestKeptWithoutPlace(t *testing.T) {
	cache := &memory{}
	mustLoad(t, files{"a": "alpha\np", "revision": "abc"}, &schema.Manifest{Sources: []schema.Source{{Side: schema.App, Files: []string{"a"}}}}, Options{Cache: cache})
	for _, r := range cache.kept {
		if r.Result.Copies[0].Revision != "" {
			t.Error("the revision was kept")
		}
	}
}

// TestSourcesApart: sources that differ in anything an adapter sees never share a result.
func TestSourcesApart(t *testing.T) {
	list := []schema.Source{
		{}, {Env: "x"}, {Profile: "x"}, {Format: "x"}, {Side: "x"}, {Profiles: []string{"x"}}, {Profiles: []string{"x", ""}}, {Profiles: []string{"x\x00"}},
		{Map: &schema.Map{}}, {Map: &schema.Map{Pool: "x"}}, {Map: &schema.Map{PoolEach: "x"}}, {Map: &schema.Map{Pool: "\xff"}}, {Map: &schema.Map{Pool: "\xfe"}},
		{Map: &schema.Map{Probe: []schema.MapEntry{{}}}}, {Map: &schema.Map{Retry: []schema.MapEntry{{}}}}, {Map: &schema.Map{At: schema.At(1, 2)}},
		{Files: []string{"x"}}, {Exclude: []string{"x"}},
	}
	alone, beside := map[[32]byte]int{}, map[[32]byte]int{}
	for i, v := range viewsOf(&schema.Manifest{Sources: list}) {
		alone[v.alone.digest]++
		beside[v.beside.digest]++
		if len(v.alone.source.Files)+len(v.alone.source.Exclude) > 0 {
			t.Errorf("%d: an adapter sees what its key does not cover", i)
		}
	}
	if len(alone) != len(list)-2 || len(beside) != len(list) {
		t.Errorf("%d and %d digests of %d sources", len(alone), len(beside), len(list))
	}
	a := adapters()[0]
	v := &viewsOf(&schema.Manifest{Sources: list})[0].alone
	seen := map[[32]byte]bool{}
	for _, c := range []struct{ path, env, profile string }{{"a", "", ""}, {"", "a", ""}, {"", "", "a"}, {"a 1:b", "", ""}, {"a", "b", ""}, {"ab", "", ""}, {"a", "", "b"}} {
		seen[v.reader(&a, c.path, &schema.Source{Env: c.env, Profile: c.profile})] = true
	}
	if len(seen) != 7 {
		t.Errorf("%d of 7 are told apart", len(seen))
	}
}
