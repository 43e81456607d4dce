package rules

import (
	"github.com/poolproof/poolproof/policy/truth"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// Build prepares a group for judging: it completes the copies, asks the table, and compares.
func Build(g *reconcile.Group, t *truth.Table, run *Run) *Pool {
	p := &Pool{Group: g, Run: run, Entry: merged(g.Entry, &run.Manifest.Defaults)}
	p.Strict = p.Entry.Constraints == "strict"
	for _, c := range g.Copies {
		p.Copies = append(p.Copies, &Copy{View: reconcile.NewView(c), In: p})
		p.Strict = p.Strict || c.Strict && p.Entry.Constraints == ""
	}
	for _, item := range schema.Reconciled() {
		p.Rows[item] = t.Of(g, item)
		p.compare(item)
	}
	return p
}

func merged(e, d *schema.PoolEntry) schema.PoolEntry {
	if e == nil {
		return *d
	}
	m := *e
	if m.Executor == "" {
		m.Executor = d.Executor
	}
	if m.Traffic == nil {
		m.Traffic = d.Traffic
	}
	if m.Constraints == "" {
		m.Constraints = d.Constraints
	}
	if m.OnAllOut == nil {
		m.OnAllOut = d.OnAllOut
	}
	if m.MinActive == 0 {
		m.MinActive = d.MinActive
	}
	if m.ProbePorts == nil {
		m.ProbePorts = d.ProbePorts
	}
	return m
}

// compare fills the divergences of one item.
func (p *Pool) compare(item schema.Item) {
	row := &p.Rows[item]
	if item == schema.Probe && len(row.Executors) > 1 {
		return // probe/two-executors alone speaks
	}
	ref := p.Truth(item)
	silent := ref == nil
	if ref != nil && !row.Chosen {
		for _, rival := range row.All[1:] {
			p.Duplicates = append(p.Duplicates, p.differences(item, ref, rival)...)
		}
	}
	executed := item == schema.Probe && row.Executor != ""
	for _, c := range p.Copies {
		if !c.Copy.States(item) || c.Copy.Side == row.Side || c.Copy.Side == schema.Live {
			continue
		}
		if executed && c.Copy.Side != schema.Doc {
			if !truth.WritesProbe(c.Copy) {
				continue
			}
			d := Judged{Editable: true, Divergence: reconcile.Divergence{Item: item, Copy: c.Copy, At: c.Copy.ItemAt[item]}}
			if ref != nil {
				d.Truth, d.TruthAt = ref.Copy, ref.Copy.ItemAt[item]
			}
			p.Divergences = append(p.Divergences, d)
			continue
		}
		if c.Copy.Side == schema.Order && row.Side != schema.Order {
			continue
		}
		if ref == nil {
			ref = c
			continue
		}
		for _, d := range p.differences(item, ref, c.Copy) {
			p.Divergences = append(p.Divergences, Judged{Divergence: d, Silent: silent})
		}
	}
}

// Differences compares a copy with the reference on one item.
func (p *Pool) differences(item schema.Item, ref *Copy, c *schema.Copy) []reconcile.Divergence {
	switch item {
	case schema.Members:
		return reconcile.MembersOf(ref.View, c, p.Run.Manifest.Aliases)
	case schema.Ramp:
		return append(reconcile.Ramps(ref.View, c), reconcile.Scalars(item, ref.View, c)...)
	}
	return reconcile.Scalars(item, ref.View, c)
}
