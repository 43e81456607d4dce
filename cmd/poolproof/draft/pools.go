package draft

import (
	"maps"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// pools says which pools there are, which of them are probably the same under another name, and who probes them.
func (d *Draft) pools(p reconcile.Pairing) {
	var groups []*reconcile.Group
	at := map[string]*reconcile.Group{}
	for _, g := range p.Groups {
		if !slices.ContainsFunc(g.Copies, func(c *schema.Copy) bool { return !c.Owned }) {
			continue
		}
		key := reconcile.Key(g.Pool)
		if first := at[key]; first != nil {
			first.Copies = append(first.Copies, g.Copies...) // of another environment
			continue
		}
		at[key] = g
		groups = append(groups, g)
	}
	taken := map[string]bool{}
	for key := range at {
		taken[key] = true
	}
	for _, n := range nodes(groups, p.Unbound) {
		pool := Pool{Why: n.why}
		pool.Name, pool.Names = n.called(taken)
		for _, c := range n.copies {
			if !slices.Contains(pool.Sides, c.Side) {
				pool.Sides = append(pool.Sides, c.Side)
			}
		}
		slices.SortStableFunc(pool.Sides, func(a, b schema.Side) int { return sideRank(a) - sideRank(b) })
		for _, l := range n.perhaps {
			if l.from.apart(n) && !l.from.gone {
				pool.Perhaps = append(pool.Perhaps, guessOf(n, l, taken))
			}
		}
		pool.probedBy(n.copies)
		d.Pools = append(d.Pools, pool)
	}
	d.executor()
}

// probedBy sets who runs the health checks, from who states a probe.
func (p *Pool) probedBy(copies []*schema.Copy) {
	states := map[schema.Side]bool{}
	for _, c := range copies {
		if c.States(schema.Probe) && (c.Side == schema.App || c.Side == schema.Gateway) {
			states[c.Side] = true
			p.Executor = c.Side
		}
	}
	if len(states) > 1 {
		p.Executor, p.TwoExecutors = "", true
	}
}

// executor moves what all probed pools have in common to the defaults.
func (d *Draft) executor() {
	for i := range d.Pools {
		switch p := &d.Pools[i]; {
		case p.TwoExecutors || p.Executor != "" && d.Executor != "" && p.Executor != d.Executor:
			d.Executor = ""
			return
		case p.Executor != "":
			d.Executor = p.Executor
		}
	}
	for i := range d.Pools {
		d.Pools[i].Executor = ""
	}
}

// guessOf says what the entry would be if a link were true.
func guessOf(n *node, l *link, taken map[string]bool) Guess {
	both := &node{names: maps.Clone(n.names)}
	g := Guess{Rival: l.rival, Why: l.text()}
	for side, names := range l.from.names {
		both.names[side] = names
		if l.from.loose {
			both.names[side] = []string{l.name}
		}
	}
	g.Side, g.Name = Sorted(l.from.names)[0], l.name
	g.EntryName, g.EntryNames = both.called(taken)
	return g
}

// called says what the manifest calls a pool, and which sides call it otherwise. People know a pool by what its
// application calls it; else by what orders do; else by the words that document and gateway have in common; else by the
// gateway's name. A name that belongs to another pool is nobody's choice.
func (n *node) called(taken map[string]bool) (name string, names map[schema.Side]string) {
	for _, side := range []schema.Side{schema.App, schema.Order, schema.Gateway, schema.Doc} {
		if list := n.names[side]; len(list) > 0 {
			name = list[0]
			break
		}
	}
	if gateway, doc := n.names[schema.Gateway], n.names[schema.Doc]; len(gateway) > 0 && len(doc) > 0 && !n.has(schema.App) && !n.has(schema.Order) && reconcile.Key(gateway[0]) != reconcile.Key(doc[0]) {
		if e := essenceOf(gateway[0]); slices.Contains(reconcile.Sections(doc[0]), e.core) && !taken[e.core] {
			name = strings.Join(e.words, "-")
		}
	}
	names = map[schema.Side]string{}
	for side, list := range n.names {
		key := reconcile.Key(name)
		if reconcile.Key(list[0]) != key && (side != schema.Doc || !slices.Contains(reconcile.Sections(list[0]), key)) {
			names[side] = list[0]
		}
	}
	return name, names
}

func sideRank(side schema.Side) int {
	return slices.Index([]schema.Side{schema.Gateway, schema.App, schema.Doc, schema.Order}, side)
}
