package rules

import "github.com/poolproof/poolproof/schema"

// deciding limits a rule about an item to the copies that count for it.
func deciding(item schema.Item, judge func(c *Copy, r *Reporter)) func(c *Copy, r *Reporter) {
	return func(c *Copy, r *Reporter) {
		if c.Copy.States(item) && c.Counts(item) {
			judge(c, r)
		}
	}
}

// Counts reports whether the copy is the one to judge for an item: the truth, or any copy where the truth is silent. A
// copy that is measured against a truth is equal to it or already reported as differing. Change orders of the future are
// judged beside the one in force, because they are about to count. Items that are not reconciled each engine decides for
// itself; a document only describes them, unless nothing else states them.
func (c *Copy) Counts(item schema.Item) bool {
	if item > schema.Ramp {
		return c.Copy.Side != schema.Doc || !c.In.stated(item)
	}
	t := c.In.Truth(item)
	if t == nil || t.Copy == c.Copy {
		return true
	}
	o := c.In.Run.Orders[c.Copy.File()]
	return item == schema.Ramp && c.Copy.Side == schema.Order && o != nil && o.Effective.After(c.In.Run.Now)
}

// stated reports whether a copy other than a document states an item.
func (p *Pool) stated(item schema.Item) bool {
	for _, c := range p.Copies {
		if c.Copy.Side != schema.Doc && c.Copy.States(item) {
			return true
		}
	}
	return false
}
