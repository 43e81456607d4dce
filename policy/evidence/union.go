package evidence

import (
	"maps"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
)

// Union says by which manifest each end of a change is read and judged. A change does not rewrite the rules that it is
// judged by: sources, names, maps and vars are those of both ends, where head may add and not take away; everything else
// is what the base says.
type Union struct {
	// Base and Head are the manifests to read and judge the two trees with. They differ in the values of vars only, which
	// are settings like those in the files, and are one manifest where no var changes.
	Base, Head *schema.Manifest
	// Changes are what the change alters in the manifest.
	Changes []Change
	// First: the change brings the first manifest, which then counts for both ends.
	First bool
	// Unusable is the base's manifest where it is there and nothing can be read by it. The head's is then the first.
	Unusable string

	// twins are sources that the change reads in another way: the base's by index, and what the head makes of it.
	twins []twin
	// added are the indexes of the sources that only head has.
	added []int
	// gone are the indexes of the sources that only the base has.
	gone []int
	// before are the base's sources as the base has them.
	before []schema.Source
	// given are the names that head adds and that no entry of the base has.
	given []given
	// lost are readings of files that do not count.
	lost map[*load.File]bool
	// file is the head's manifest, for places.
	file string
}

// twin is a source of the base and the one that replaces it in head, by index into the sources of the union.
type twin struct{ base, head int }

// Unite joins the manifests of the two ends. A nil manifest, and one that was only discovered, is none.
func Unite(base, head *schema.Manifest) *Union {
	has := func(m *schema.Manifest) bool { return m != nil && !m.Discovered }
	switch {
	case !has(base) && has(head):
		return &Union{Base: head, Head: head, First: true, file: head.File}
	case !has(base):
		return discovered(base, head)
	case !has(head):
		return &Union{Base: base, Head: base, file: base.File, Changes: []Change{{What: "manifest", Got: base.File, Removed: true,
			Text: schema.Textf("the manifest %s is removed", "清单 %s 被删除", base.File)}}}
	}
	u := &Union{file: head.File, Changes: changes(base, head), before: base.Sources}
	m := *base
	u.sources(&m, base, head)
	m.Pools = u.pools(base, head)
	u.Base, u.Head = &m, &m
	own, changed := vars(base.Vars, head.Vars)
	if m.Vars = own; changed == nil {
		return u
	}
	h := m
	h.Vars = changed
	u.Head = &h
	return u
}

// discovered joins what was found from content alone.
func discovered(base, head *schema.Manifest) *Union {
	switch {
	case base == nil && head == nil:
		none := &schema.Manifest{Discovered: true}
		return &Union{Base: none, Head: none}
	case base == nil:
		return &Union{Base: head, Head: head}
	case head == nil:
		return &Union{Base: base, Head: base}
	}
	u := &Union{}
	m := *base
	u.sources(&m, base, head)
	u.Base, u.Head = &m, &m
	return u
}

// vars returns the values that each end is read with: those that head adds count for both, those that it changes for head
// alone. changed is nil where there are none.
func vars(base, head map[string]string) (own, changed map[string]string) {
	own = maps.Clone(base)
	for name, value := range head {
		old, ok := own[name]
		switch {
		case !ok && own == nil:
			own = map[string]string{name: value}
		case !ok:
			own[name] = value
		case old != value && changed == nil:
			changed = map[string]string{name: value}
		case old != value:
			changed[name] = value
		}
	}
	if changed == nil {
		return own, nil
	}
	all := maps.Clone(own)
	maps.Copy(all, changed)
	return own, all
}
