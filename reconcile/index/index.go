// Package index remembers which files hold copies of which pools. A run about a few files then reads only these and the
// files that speak of the same pools, and still judges what a run over the whole tree would.
package index

import (
	"maps"
	"path"
	"slices"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
)

// ID names one reading of a file: the file as one source reads it.
type ID struct {
	Path   string
	Source int // index into the manifest's sources
	Env    string
}

// Entry is what is remembered of a reading.
type Entry struct {
	ID
	// Content names the bytes that were read, as the tree names them (the id of a blob); two equal ones are equal bytes.
	Content string
	load.Known
	// Keys are the keys (reconcile.Key) of the pools that the file may speak of: of copies, of headings above tables, of
	// orders. Sorted, each once.
	Keys []string
	// Names are the keys of the pools that it gives to documents to be bound to. Sorted, each once.
	Names []string
	// Copies counts the copies that the file holds, but for those of documents: how many these are, Sections tell.
	Copies   int
	Sections []Section
	// Beside are the paths of further files that its copies depend on, sorted.
	Beside []string
}

// Index is the entries of one tree.
type Index struct {
	entries map[ID]*Entry
	links   *links // nil until they are worth making
	asked   int
	names   map[string]int // keys of pools, counted
	same    map[string][]string
	wild    wild
	sides   []schema.Side     // of the manifest's sources
	docs    map[string]string // by what names documents call pools
}

// New returns the empty index of trees that a manifest describes.
func New(m *schema.Manifest) *Index {
	x := &Index{entries: map[ID]*Entry{}, names: map[string]int{}, same: synonyms(m), wild: wildOf(m), docs: docNames(m)}
	for i := range m.Sources {
		x.sides = append(x.sides, m.Sources[i].Side)
	}
	for i := range m.Pools {
		x.name(reconcile.Key(m.Pools[i].Name), 1)
		for _, names := range m.Pools[i].Names {
			for _, n := range names {
				x.name(reconcile.Key(n), 1)
			}
		}
	}
	return x
}

// Serves reports whether an index can tell which pools a file speaks of. Where names of the manifest hold {env}, that depends
// on the environments of the whole tree.
func Serves(m *schema.Manifest) bool {
	for i := range m.Pools {
		for _, names := range m.Pools[i].Names {
			if slices.ContainsFunc(names, reconcile.HasEnv) {
				return false
			}
		}
	}
	return true
}

// synonyms joins the keys by which the manifest calls one pool.
func synonyms(m *schema.Manifest) map[string][]string {
	same := map[string][]string{}
	for i := range m.Pools {
		keys := []string{reconcile.Key(m.Pools[i].Name)}
		for _, names := range m.Pools[i].Names {
			for _, n := range names {
				keys = append(keys, reconcile.Key(n))
			}
		}
		for _, k := range keys {
			same[k] = append(same[k], keys...)
		}
	}
	return same
}

func (x *Index) name(key string, n int) {
	if x.names[key] += n; x.names[key] == 0 {
		delete(x.names, key)
	}
}

// Of describes a reading of a file. content names its bytes.
func Of(f *load.File, content string) *Entry {
	e := &Entry{ID: ID{f.Path, f.Source, f.Env}, Content: content,
		Known: load.Known{Sum: f.Sum, Format: f.Format, Detected: f.Detected, Markers: f.Markers}}
	for i := range f.Result.Copies {
		c := &f.Result.Copies[i]
		keys := keysOf(c)
		e.Keys = append(e.Keys, keys...)
		if c.Side == schema.Doc {
			e.Sections = append(e.Sections, Section{Env: c.Env, Bound: len(c.Candidates) == 0, Keys: keys})
		} else {
			e.Copies++
		}
		if key := reconcile.Key(c.Pool); len(c.Candidates) == 0 && c.Side != schema.Doc && key != "" {
			e.Names = append(e.Names, key)
		}
	}
	for i := range f.Result.Orders {
		o := &f.Result.Orders[i]
		for _, pool := range o.Pools {
			e.Keys = append(e.Keys, reconcile.Key(pool))
		}
		for j := range o.Items {
			e.Keys = append(e.Keys, reconcile.Key(o.Items[j].Pool))
		}
		for j := range o.Exceptions { // it may excuse other pools than it changes
			e.Keys = append(e.Keys, reconcile.Key(o.Exceptions[j].Pool))
		}
	}
	e.Beside = Beside(f)
	e.Sections = distinct(e.Sections)
	for _, list := range []*[]string{&e.Keys, &e.Names, &e.Beside} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return e
}

// Beside are the paths of further files that the copies of a file depend on, in no order, some of them more than once.
func Beside(f *load.File) []string {
	var list []string
	for i := range f.Result.Copies {
		for _, file := range f.Result.Copies[i].Files {
			if file != f.Path {
				list = append(list, file)
			}
		}
	}
	for _, name := range f.Beside() {
		list = append(list, path.Join(path.Dir(f.Path), name))
	}
	return list
}

// keysOf are the keys of the pools that a copy may speak of.
func keysOf(c *schema.Copy) []string {
	if len(c.Candidates) == 0 {
		return []string{reconcile.Key(c.Pool)}
	}
	var keys []string
	for _, heading := range c.Candidates {
		keys = append(keys, reconcile.Sections(heading.Text)...)
	}
	return keys
}

// Put adds an entry, in place of an earlier one of the same reading. The index keeps it; it must not change.
func (x *Index) Put(e *Entry) {
	x.Drop(e.ID)
	x.entries[e.ID] = e
	for _, k := range e.Names {
		x.name(k, 1)
	}
	if x.links != nil {
		x.links.put(e, x.keys(e))
	}
}

// Drop removes an entry, if there is one.
func (x *Index) Drop(id ID) {
	e := x.entries[id]
	if e == nil {
		return
	}
	delete(x.entries, id)
	for _, k := range e.Names {
		x.name(k, -1)
	}
	if x.links != nil {
		x.links.drop(e, x.keys(e))
	}
}

// Get returns the entry of a reading, nil if there is none.
func (x *Index) Get(id ID) *Entry { return x.entries[id] }

// Len is the number of readings.
func (x *Index) Len() int { return len(x.entries) }

// Keep drops the readings that a function does not want.
func (x *Index) Keep(wants func(ID) bool) {
	for id := range x.entries {
		if !wants(id) {
			x.Drop(id)
		}
	}
}

// Besides are the files that readings depend on besides their own, in no order.
func (x *Index) Besides() []string {
	seen := map[string]bool{}
	for _, e := range x.entries {
		for _, p := range e.Beside {
			seen[p] = true
		}
	}
	return slices.Collect(maps.Keys(seen))
}

// Names counts the keys of pools.
func (x *Index) Names() map[string]int { return maps.Clone(x.names) }

// Knows reports whether some pool has a name of this key.
func (x *Index) Knows(key string) bool { return x.names[key] > 0 }
