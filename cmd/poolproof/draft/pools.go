package draft

import (
	"slices"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// pools says which pools there are, which of them are probably the same under another name, and who probes them.
func (d *Draft) pools(p reconcile.Pairing) {
	var groups []*reconcile.Group
	for _, g := range p.Groups {
		if !slices.ContainsFunc(g.Copies, func(c *schema.Copy) bool { return !c.Owned }) {
			continue
		}
		if i := slices.IndexFunc(groups, func(o *reconcile.Group) bool { return reconcile.Key(o.Pool) == reconcile.Key(g.Pool) }); i >= 0 {
			groups[i].Copies = append(groups[i].Copies, g.Copies...) // of another environment
			continue
		}
		groups = append(groups, g)
	}
	matches := pairUp(groups, p.Unbound)
	taken := map[*reconcile.Group]bool{}
	for _, m := range matches {
		taken[m.other] = m.other != nil && m.sure
	}
	for _, g := range groups {
		if taken[g] {
			continue
		}
		pool := Pool{Name: g.Pool, Names: map[schema.Side]string{}, Perhaps: map[schema.Side]Guess{}}
		copies := g.Copies
		for _, m := range matches {
			switch {
			case m.pool != g:
			case m.sure:
				pool.Names[m.side] = m.name
				copies = append(copies[:len(copies):len(copies)], m.copies...)
			case pool.Perhaps[m.side].Name == "" && pool.Names[m.side] == "":
				pool.Perhaps[m.side] = Guess{m.name, !m.near}
			}
		}
		for _, c := range copies {
			if !slices.Contains(pool.Sides, c.Side) {
				pool.Sides = append(pool.Sides, c.Side)
			}
		}
		pool.probedBy(copies)
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

// match is a pool that may have another name on a side where its own name does not stand.
type match struct {
	pool   *reconcile.Group
	side   schema.Side
	name   string
	copies []*schema.Copy
	other  *reconcile.Group // that the copies form now, nil for sections of documents that nobody claims
	near   bool             // in spelling
	sure   bool
}

// maxPairs bounds how many names are compared with each other.
const maxPairs = 250_000

// pairUp looks for pools of the gateway (or, for documents, of the application) that another side calls differently.
func pairUp(groups []*reconcile.Group, unbound []*schema.Copy) []match {
	all := others(groups, unbound)
	if len(all)*len(groups) > maxPairs {
		return nil
	}
	var out []match
	type claim struct {
		pool *reconcile.Group
		side schema.Side
	}
	claims := map[claim]int{}
	for _, o := range all {
		var list []match
		for _, g := range groups {
			if g == o.other || len(g.Of(o.side)) > 0 || len(g.Of(schema.Gateway)) == 0 && o.side != schema.Doc {
				continue
			}
			m := match{pool: g, side: o.side, name: o.names[0], copies: o.copies, other: o.other}
			if i := slices.IndexFunc(o.names, func(n string) bool { return len(reconcile.Nearest(n, []string{g.Pool})) > 0 }); i >= 0 {
				m.near, m.name = true, o.names[i]
			}
			same := shareMembers(g.Copies, o.copies)
			if m.sure = m.near && same; m.near || same {
				list = append(list, m)
			}
		}
		sure := slices.DeleteFunc(slices.Clone(list), func(m match) bool { return !m.sure })
		if len(sure) == 1 {
			list = sure
			claims[claim{sure[0].pool, o.side}]++
		} else { // of two pools that both fit, none is the one
			for i := range list {
				list[i].sure = false
			}
		}
		out = append(out, list...)
	}
	for i := range out {
		m := &out[i]
		m.sure = m.sure && claims[claim{m.pool, m.side}] == 1
	}
	return out
}

// other is what a side calls a pool that the gateway does not have under this name, with all the names that it may go by.
type other struct {
	side   schema.Side
	names  []string
	copies []*schema.Copy   // of the pool, on all sides
	other  *reconcile.Group // nil for sections of documents that nobody claims
}

func others(groups []*reconcile.Group, unbound []*schema.Copy) []other {
	var out []other
	for _, g := range groups {
		if len(g.Of(schema.Gateway)) > 0 || !sameSide(g.Copies) && len(g.Of(schema.App)) > 0 || slices.ContainsFunc(g.Copies, func(c *schema.Copy) bool { return c.Owned }) {
			continue
		}
		// A document and a change order that agree on a name may both differ from the gateway in it.
		for _, side := range []schema.Side{schema.App, schema.Doc, schema.Order} {
			if list := g.Of(side); len(list) > 0 {
				name := g.Pool
				if !sameSide(g.Copies) {
					name = list[0].Pool
				}
				out = append(out, other{side, []string{name}, g.Copies, g})
			}
		}
	}
	for _, c := range unbound {
		var names []string
		for _, n := range c.Candidates {
			names = append(names, n.Text)
		}
		if len(names) == 0 {
			continue
		}
		if i := slices.IndexFunc(out, func(o other) bool { return o.other == nil && slices.Equal(o.names, names) }); i >= 0 {
			out[i].copies = append(out[i].copies, c)
			continue
		}
		out = append(out, other{c.Side, names, []*schema.Copy{c}, nil})
	}
	return out
}

func sameSide(copies []*schema.Copy) bool {
	return !slices.ContainsFunc(copies, func(c *schema.Copy) bool { return c.Side != copies[0].Side })
}

func shareMembers(a, b []*schema.Copy) bool {
	in := map[string]bool{}
	for _, c := range a {
		for i := range c.Members {
			in[c.Members[i].ID()] = true
		}
	}
	for _, c := range b {
		for i := range c.Members {
			if in[c.Members[i].ID()] {
				return true
			}
		}
	}
	return false
}
