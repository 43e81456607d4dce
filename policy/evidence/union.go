package evidence

import (
	"maps"
	"slices"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
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

	// twins are sources that the change reads in another way: the base's by index, and what the head makes of it.
	twins []twin
	// added are the indexes of the sources that only head has.
	added []int
	// gone are the indexes of the sources that only the base has.
	gone []int
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
	u := &Union{file: head.File, Changes: changes(base, head)}
	m := *base
	u.sources(&m, base, head)
	m.Pools = pools(base, head)
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

// pools returns the entries of the base with the names that head adds. Of a pool that only head has, its names count.
func pools(base, head *schema.Manifest) []schema.PoolEntry {
	out := slices.Clone(base.Pools)
	type claim struct {
		side schema.Side
		key  string
	}
	owner := map[claim]string{}
	for i := range out {
		for side, names := range out[i].Names {
			for _, n := range names {
				owner[claim{side, reconcile.Key(n)}] = out[i].Name
			}
		}
	}
	for i := range head.Pools {
		h := &head.Pools[i]
		at := slices.IndexFunc(out, func(e schema.PoolEntry) bool { return e.Name == h.Name })
		if at < 0 {
			at = len(out)
			out = append(out, schema.PoolEntry{Name: h.Name, NameAt: h.NameAt, At: h.At})
		}
		e := &out[at]
		names := maps.Clone(e.Names)
		for _, side := range slices.Sorted(maps.Keys(h.Names)) {
			list := slices.Clone(names[side])
			if list == nil && len(h.Names[side]) > 0 {
				// Until now the pool's own name stood for the side. It still does, unless it is another pool's by now.
				if o := owner[claim{side, reconcile.Key(h.Name)}]; o == "" || o == h.Name {
					list = append(list, h.Name)
				}
			}
			for _, n := range h.Names[side] {
				k := claim{side, reconcile.Key(n)}
				if o := owner[k]; (o == "" || o == h.Name) && !slices.Contains(list, n) {
					owner[k] = h.Name
					list = append(list, n)
				}
			}
			if names == nil {
				names = map[schema.Side][]string{}
			}
			if list != nil {
				names[side] = list
			}
		}
		e.Names = names
	}
	slices.SortFunc(out, func(a, b schema.PoolEntry) int { return compareText(a.Name, b.Name) })
	return out
}
