package rules

import (
	"sync"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// nearNames finds the names that a pool could have been meant by. The sets are made when first asked for, since most
// runs have no pool that does not pair.
type nearNames struct {
	once sync.Once
	// lone are the names of a side's copies that have no gateway copy, lacking those of pools without a copy of a side,
	// paired those of pools that have one and others too.
	lone, lacking, paired map[schema.Side]*reconcile.Names
	// astray are names that the manifest gives pools on the gateway and that no gateway has, entries whose they are.
	astray  *reconcile.Names
	entries map[string]string
	// owners are the manifest's entries of the pools that a side calls by a name, nil where there is none.
	owners map[sideName]*schema.PoolEntry
	// envs are the environments in which a gateway or an application has each pool.
	envs map[string][]string
}

// environments returns the other environments of a pool that stands in one.
func (n *nearNames) environments(run *Run, g *reconcile.Group) []string {
	if g.Env == "" {
		return nil
	}
	n.once.Do(func() { n.make(run) })
	var out []string
	for _, env := range n.envs[reconcile.Key(g.Pool)] {
		if env != g.Env {
			out = append(out, env)
		}
	}
	return out
}

// withoutGateway returns the names on a side of the pools that no gateway has.
func (n *nearNames) withoutGateway(run *Run, side schema.Side) *reconcile.Names {
	n.once.Do(func() { n.make(run) })
	return n.lone[side]
}

// without returns the names of the pools that have no copy of a side.
func (n *nearNames) without(run *Run, side schema.Side) *reconcile.Names {
	n.once.Do(func() { n.make(run) })
	return n.lacking[side]
}

// elsewhere returns the names of the pools of a side that other sides have too.
func (n *nearNames) elsewhere(run *Run, side schema.Side) *reconcile.Names {
	n.once.Do(func() { n.make(run) })
	return n.paired[side]
}

// miscalled finds the entry of the manifest that gives its pool a name on the gateway that no gateway has, and that is
// near to the name of a pool that one does have.
func (n *nearNames) miscalled(run *Run, pool string) (entry, name string) {
	n.once.Do(func() { n.make(run) })
	if near := n.astray.Nearest(pool); len(near) > 0 {
		return n.entries[near[0]], near[0]
	}
	return "", ""
}

func (n *nearNames) make(run *Run) {
	n.stray(run)
	sides := []schema.Side{schema.Gateway, schema.App, schema.Doc, schema.Order, schema.Live}
	lone, lacking, paired := map[schema.Side][]string{}, map[schema.Side][]string{}, map[schema.Side][]string{}
	n.envs, n.owners = map[string][]string{}, map[sideName]*schema.PoolEntry{}
	for _, g := range run.Pairing.Groups {
		if first := g.Copies[0].Side; g.Env != "" && (first == schema.Gateway || first == schema.App) { // copies are sorted by side
			key := reconcile.Key(g.Pool)
			n.envs[key] = append(n.envs[key], g.Env)
		}
		has := map[schema.Side]string{}
		for _, c := range g.Copies {
			if has[c.Side] == "" {
				has[c.Side] = c.Pool
			}
			n.owners[sideName{c.Side, reconcile.Key(c.Pool)}] = g.Entry
		}
		for _, s := range sides {
			switch {
			case has[s] == "":
				lacking[s] = append(lacking[s], g.Copies[0].Pool)
			case has[schema.Gateway] == "":
				lone[s] = append(lone[s], has[s])
			}
			if has[s] != "" && len(has) > 1 {
				paired[s] = append(paired[s], has[s])
			}
		}
	}
	for _, c := range run.Pairing.Unbound {
		lone[c.Side] = append(lone[c.Side], c.Pool)
	}
	n.lone, n.lacking, n.paired = map[schema.Side]*reconcile.Names{}, map[schema.Side]*reconcile.Names{}, map[schema.Side]*reconcile.Names{}
	for _, s := range sides {
		n.lone[s], n.lacking[s] = reconcile.NewNames(lone[s]), reconcile.NewNames(lacking[s])
		n.paired[s] = reconcile.NewNames(paired[s])
	}
}

func (n *nearNames) stray(run *Run) {
	found := map[string]bool{}
	for _, g := range run.Pairing.Groups {
		if len(g.Of(schema.Gateway)) > 0 {
			found[g.Pool] = true
		}
	}
	var names []string
	n.entries = map[string]string{}
	for i := range run.Manifest.Pools {
		e := &run.Manifest.Pools[i]
		if found[e.Name] {
			continue
		}
		for _, name := range e.Names[schema.Gateway] {
			names = append(names, name)
			n.entries[name] = e.Name
		}
	}
	n.astray = reconcile.NewNames(names)
}
