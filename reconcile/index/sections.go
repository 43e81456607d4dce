package index

import (
	"cmp"
	"slices"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// Section is a part of a document that may speak of a pool.
type Section struct {
	Env string
	// Bound: it says itself which pool it speaks of. Else it belongs to the first of the keys that a pool has.
	Bound bool
	Keys  []string
}

// distinct sorts sections and drops those that belong together whatever pools there are.
func distinct(list []Section) []Section {
	order := func(a, b Section) int {
		return cmp.Or(cmp.Compare(a.Env, b.Env), slices.Compare(a.Keys, b.Keys), flag(a.Bound)-flag(b.Bound))
	}
	slices.SortFunc(list, order)
	return slices.CompactFunc(list, func(a, b Section) bool { return order(a, b) == 0 })
}

func flag(set bool) int {
	if set {
		return 1
	}
	return 0
}

// docNames returns the keys of the manifest's entries by the keys by which documents call them.
func docNames(m *schema.Manifest) map[string]string {
	docs := map[string]string{}
	for i := range m.Pools {
		e := &m.Pools[i]
		for _, n := range e.Names[schema.Doc] {
			docs[reconcile.Key(n)] = reconcile.Key(e.Name)
		}
	}
	for i := range m.Pools {
		e := &m.Pools[i]
		if k := reconcile.Key(e.Name); docs[k] == "" && len(e.Names[schema.Doc]) == 0 {
			docs[k] = k
		}
	}
	return docs
}

// bound is a copy of a document, by environment and pool.
type bound struct{ env, key string }

// documents counts the copies of a document: its sections, as far as they belong to a pool, those of one pool once. It counts
// in a map that it empties first.
func (x *Index) documents(e *Entry, copies map[bound]bool) int {
	if len(e.Sections) == 0 {
		return 0
	}
	clear(copies)
	for i := range e.Sections {
		s := &e.Sections[i]
		at := 0
		if !s.Bound {
			at = slices.IndexFunc(s.Keys, func(k string) bool { return k != "" && x.names[k] > 0 || x.docs[k] != "" })
		}
		if at < 0 || at >= len(s.Keys) {
			continue
		}
		c := bound{s.Env, s.Keys[at]}
		if k := x.docs[c.key]; k != "" {
			c.key = k
		}
		copies[c] = true
	}
	return len(copies)
}
