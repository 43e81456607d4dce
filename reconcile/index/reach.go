package index

import (
	"maps"
	"slices"

	"github.com/poolproof/poolproof/schema"
)

// Reach is what a change of some files can touch.
type Reach struct {
	keys map[string]bool
	// Readings are the readings that speak of one of the pools, the changed ones included.
	Readings map[ID]bool
}

// At returns the readings of the files at some paths, and those that depend on these files.
func (x *Index) At(paths map[string]bool) map[ID]bool {
	at := map[ID]bool{}
	l := x.linked()
	if l == nil {
		for id, e := range x.entries {
			if paths[e.Path] || slices.ContainsFunc(e.Beside, func(p string) bool { return paths[p] }) {
				at[id] = true
			}
		}
		return at
	}
	for p := range paths {
		for _, list := range [2][]*Entry{l.byPath[p], l.beside[p]} {
			for _, e := range list {
				at[e.ID] = true
			}
		}
	}
	return at
}

// Reach returns what some readings can touch: all that speak of a pool that they speak of or lend a name to. others are
// what the same files were at the other end of a change.
func (x *Index) Reach(changed map[ID]bool, others []*Entry) Reach {
	r := Reach{keys: map[string]bool{}, Readings: maps.Clone(changed)}
	take := func(e *Entry) {
		for _, k := range e.Keys {
			x.add(r.keys, k)
		}
		for _, k := range e.Names {
			x.add(r.keys, k)
		}
	}
	for id := range changed {
		if e := x.entries[id]; e != nil {
			take(e)
		}
	}
	for _, e := range others {
		take(e)
	}
	x.spread(&r)
	return r
}

// add adds a key and all by which the manifest calls the same pool.
func (x *Index) add(keys map[string]bool, key string) {
	if key == "" || keys[key] {
		return
	}
	keys[key] = true
	for _, k := range x.same[key] {
		x.add(keys, k)
	}
	for _, k := range x.wild.pools(key) {
		x.add(keys, k)
	}
}

// spread adds the readings of every key.
func (x *Index) spread(r *Reach) {
	l := x.linked()
	if l == nil {
		for id, e := range x.entries {
			if slices.ContainsFunc(x.keys(e), func(k string) bool { return r.keys[k] }) {
				r.Readings[id] = true
			}
		}
		return
	}
	for k := range r.keys {
		for _, e := range l.byKey[k] {
			r.Readings[e.ID] = true
		}
	}
}

// Touches returns what a reach of another tree of the same manifest means in this one.
func (x *Index) Touches(other Reach) Reach {
	r := Reach{keys: map[string]bool{}, Readings: map[ID]bool{}}
	for k := range other.keys {
		x.add(r.keys, k)
	}
	x.spread(&r)
	return r
}

// Speaks reports whether a pool with this key is in reach.
func (r Reach) Speaks(key string) bool { return r.keys[key] }

// Holds reports whether a copy may speak of a pool in reach.
func (r Reach) Holds(c *schema.Copy) bool {
	return slices.ContainsFunc(keysOf(c), func(k string) bool { return r.keys[k] })
}
