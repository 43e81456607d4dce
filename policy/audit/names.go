package audit

import (
	"slices"

	"github.com/poolproof/poolproof/reconcile"
)

// PoolNames turns names that people ask for into those of the pools among groups. A pool's own name, in any spelling, stands
// for that pool alone; another one stands for every pool of which a copy goes by it, as orders does by "be_orders" where the
// gateway calls it so. What names no pool is returned as it is.
func PoolNames(groups []*reconcile.Group, names []string) []string {
	var out []string
	for _, name := range names {
		k := reconcile.Key(name)
		found := named(groups, func(g *reconcile.Group) bool { return reconcile.Key(g.Pool) == k })
		if found == nil {
			found = named(groups, func(g *reconcile.Group) bool {
				for _, c := range g.Copies {
					if reconcile.Key(c.Pool) == k {
						return true
					}
				}
				return false
			})
		}
		if found == nil {
			found = []string{name}
		}
		for _, f := range found {
			if !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	return out
}

// named lists the names of groups, each once: a pool has a group for each environment.
func named(groups []*reconcile.Group, fits func(*reconcile.Group) bool) []string {
	var out []string
	for _, g := range groups {
		if fits(g) && !slices.Contains(out, g.Pool) {
			out = append(out, g.Pool)
		}
	}
	return out
}
