package evidence

import (
	"context"
	"slices"
	"time"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// PoolChange is what a change does to one pool, in the terms of change orders.
type PoolChange struct {
	Pool, Env string
	// New: base does not have the pool. Gone: head does not have it.
	New, Gone bool
	// Items are those that change on some side, in the order of the table.
	Items []ItemChange
	// Copies are those of either end, changed or not: gateway, app, doc.
	Copies []CopyChange
}

// ItemChange is what a change does to one item of a pool.
type ItemChange struct {
	Item schema.Item
	// Before is the digest of what a side said, "absent" where it did not state the item; it holds the sides that state the
	// item at one end at least, but for sides that stand in other repositories: what these said before the change is not to be
	// had once they follow. Where a side has several copies it is that of the first one that changes.
	Before map[schema.Side]string
	// After is the digest of what counts in head, "absent" where nothing does.
	After string
}

// CopyChange is one copy at both ends. Base is nil for a copy that is new, Head for one that is gone.
type CopyChange struct {
	Side       schema.Side
	Base, Head *schema.Copy
}

// Pools says what a change does to each pool that it touches, as an order about it has to say it: by the digests that Judge
// holds against before and after. file names the change order whose own ramp counts as after; empty for none. Pools of
// which a changed file holds a copy that stays as it is are left out.
func Pools(o Options, file string) []PoolChange {
	j := newJudge(context.Background(), &o) // nothing is looked up elsewhere
	var out []PoolChange
	for _, p := range j.pairs() {
		if !j.wants(p) {
			continue
		}
		c := j.change(p)
		if d := c.describe(file); c.alters(&d) {
			out = append(out, d)
		}
	}
	return out
}

// describe says what happens to the pool.
func (c *change) describe(file string) PoolChange {
	d := PoolChange{Pool: c.pool.name, Env: c.pool.env, New: c.base == nil, Gone: c.head == nil}
	own := &claim{order: &order{ChangeOrder: &schema.ChangeOrder{File: file}}}
	for _, item := range schema.Reconciled() {
		if len(c.changed(item)) == 0 {
			continue
		}
		x := ItemChange{Item: item, Before: map[schema.Side]string{}, After: own.now(c, item)}
		for _, side := range owing() {
			links := c.links(side, item)
			if len(links) == 0 || c.foreignSide(side) {
				continue
			}
			at := max(0, slices.IndexFunc(links, func(l link) bool { return c.moved(l, item) }))
			if x.Before[side] = c.digest(links[at].base, item); x.Before[side] == "" {
				x.Before[side] = "absent"
			}
		}
		d.Items = append(d.Items, x)
	}
	for _, side := range owing() {
		for _, l := range c.links(side, schema.NoItem) {
			d.Copies = append(d.Copies, CopyChange{side, l.base, l.head})
		}
	}
	return d
}

// alters reports whether anything of the pool changes that the model knows.
func (c *change) alters(d *PoolChange) bool {
	return d.New || d.Gone || len(d.Items) > 0 || slices.ContainsFunc(d.Copies, func(x CopyChange) bool {
		if x.Base == nil || x.Head == nil || !x.Base.Effective.Equal(x.Head.Effective) {
			return true
		}
		for item := schema.Members; item < schema.Items; item++ {
			if c.moved(link{x.Base, x.Head}, item) {
				return true
			}
		}
		return false
	})
}

// PoolAt returns a pool of an end as rules see it at a moment: with the change orders that are in force then.
func PoolAt(t Tree, m *schema.Manifest, now time.Time, g *reconcile.Group) *rules.Pool {
	return newEnd(t, m, now, nil).build(g)
}
