package evidence

import (
	"maps"
	"slices"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
)

// sideKey is the key of a name on one side.
type sideKey struct {
	side schema.Side
	key  string
}

// given is a name that head gives to a pool.
type given struct {
	sideKey
	pool, name string
}

// pools returns the entries of the base with the names that head adds. Of a pool that only head has, its names count. A name
// that an entry of the base has, in words or because it is the pool's own, stays with it.
func (u *Union) pools(base, head *schema.Manifest) []schema.PoolEntry {
	out := slices.Clone(base.Pools)
	owner := map[sideKey]string{}
	for i := range out {
		for side, names := range out[i].Names {
			for _, n := range names {
				owner[sideKey{side, reconcile.Key(n)}] = out[i].Name
			}
		}
	}
	for i := range out {
		for _, side := range []schema.Side{schema.Gateway, schema.App, schema.Doc, schema.Order} {
			if k := (sideKey{side, reconcile.Key(out[i].Name)}); out[i].Names[side] == nil && owner[k] == "" {
				owner[k] = out[i].Name
			}
		}
	}
	byName, byKey := map[string]int{}, map[string]int{}
	for i := range out {
		byName[out[i].Name], byKey[reconcile.Key(out[i].Name)] = i, i
	}
	for i := range head.Pools {
		h := &head.Pools[i]
		at, known := byName[h.Name]
		if !known { // the same pool may be spelled in another way
			at, known = byKey[reconcile.Key(h.Name)]
		}
		if !known {
			at = len(out)
			out = append(out, schema.PoolEntry{Name: h.Name, NameAt: h.NameAt, At: h.At})
		}
		e := &out[at]
		names := maps.Clone(e.Names)
		for _, side := range slices.Sorted(maps.Keys(h.Names)) {
			list := slices.Clone(names[side])
			if list == nil && len(h.Names[side]) > 0 {
				// Until now the pool's own name stood for the side. It still does, unless it is another pool's by now.
				if o := owner[sideKey{side, reconcile.Key(e.Name)}]; o == "" || o == e.Name {
					list = append(list, e.Name)
				}
			}
			for _, n := range h.Names[side] {
				k := sideKey{side, reconcile.Key(n)}
				o := owner[k]
				if o != "" && o != e.Name || slices.Contains(list, n) {
					continue
				}
				if o == "" && k.key != reconcile.Key(e.Name) {
					u.given = append(u.given, given{k, e.Name, n})
				}
				owner[k] = e.Name
				list = append(list, n)
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

// stay leaves the copies of the base with their pools where head gives the name of one of them to another pool. A pool that
// no entry speaks of consists of the copies of one name; a name of it that head claims for one side, and not for all that
// have it, would take that side's copy away from the others. Such a claim does not count for this change.
func (u *Union) stay(base *load.Loaded) {
	if len(u.given) == 0 {
		return
	}
	has := map[sideKey]string{}
	for _, f := range base.Files {
		for i := range f.Result.Copies {
			c := &f.Result.Copies[i]
			keys := []string{reconcile.Key(c.Pool)}
			for _, n := range c.Candidates {
				keys = append(keys, reconcile.Sections(n.Text)...)
			}
			for _, k := range keys {
				if has[sideKey{c.Side, k}] == "" {
					has[sideKey{c.Side, k}] = c.Pool
				}
			}
		}
	}
	holder := map[sideKey]string{}
	for i := range u.Base.Pools {
		for side, names := range u.Base.Pools[i].Names {
			for _, n := range names {
				holder[sideKey{side, reconcile.Key(n)}] = u.Base.Pools[i].Name
			}
		}
	}
	pools := slices.Clone(u.Base.Pools)
	byName, known := map[string]int{}, map[string]bool{}
	for i := range pools {
		byName[pools[i].Name], known[reconcile.Key(pools[i].Name)] = i, true
	}
	for _, g := range u.given {
		if own := apart(g, has, holder); own == "" {
			continue
		} else if !known[g.key] {
			known[g.key] = true
			pools = append(pools, schema.PoolEntry{Name: own}) // now an entry speaks of it
		}
		e := &pools[byName[g.pool]]
		names := maps.Clone(e.Names)
		names[g.side] = slices.DeleteFunc(slices.Clone(names[g.side]), func(n string) bool { return n == g.name })
		if len(names[g.side]) == 0 {
			delete(names, g.side)
		}
		e.Names = names
	}
	slices.SortFunc(pools, func(a, b schema.PoolEntry) int { return compareText(a.Name, b.Name) })
	u.Base.Pools, u.Head.Pools = pools, pools
}

// apart returns the name of the pool that a given name would take a copy away from, empty if there is none.
func apart(g given, has, holder map[sideKey]string) string {
	if has[g.sideKey] == "" {
		return ""
	}
	for _, side := range []schema.Side{schema.Gateway, schema.App, schema.Doc, schema.Order} {
		k := sideKey{side, g.key}
		switch {
		case has[k] == "" || side == g.side || holder[k] == g.pool:
		case side == schema.Gateway || side == schema.App:
			return has[k]
		default:
			return g.name
		}
	}
	return ""
}
