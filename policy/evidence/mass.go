package evidence

import (
	"fmt"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
)

// massRemoval judges whether so many members go at once that an order is needed.
func (c *change) massRemoval() {
	before, place := lister(c.base)
	if before == nil || !before.Complete || before.UnresolvedMembers() > 0 {
		return
	}
	after, _ := lister(c.head)
	switch {
	case c.head == nil && c.judge.head.breaks(before):
		return // the file is broken, the pool is not gone
	case after == nil && c.head != nil:
		return // the list is gone and the pool is not: a removal, which is owed as such
	case after != nil && (!after.Complete || after.UnresolvedMembers() > 0):
		return // nobody knows how many stay
	}
	was, stay := active(before), active(after)
	gone := 0
	for id := range was {
		if !stay[id] {
			gone++
		}
	}
	least := c.base.Entry.MinActive
	few := gone > 0 && len(stay) < least && c.head != nil
	if gone*2 <= len(was) && !few {
		return
	}
	d := c.debt("members", before.Side, before)
	d.Owes = schema.Order
	defer c.owe(d)
	if o := c.orders.covering(c, schema.Members); o != nil {
		d.PaidBy, d.Ref = "order", o.ID
		return
	}
	f := schema.Finding{Rule: "evidence/mass-removal", Pool: c.pool.name, Env: c.pool.env, Item: schema.Members, Truth: rowOf(c.base, schema.Members).Name,
		Got: fmt.Sprintf("%d of %d", gone, len(was)), At: c.judge.base.place(before, place)}
	if after != nil {
		d.File = after.File()
		f.At = c.judge.head.place(after, after.ItemAt[schema.Members])
		f.Related = []schema.Related{{Place: c.judge.base.place(before, place), Label: schema.Textf("the members before", "变更前的成员")}}
	}
	f.Message = schema.Textf("%d of %d active members go, and %d stay", "%[2]d 个活跃成员中有 %[1]d 个被移除，剩余 %[3]d 个", gone, len(was), len(stay))
	if few {
		f.Want = fmt.Sprintf("minActive: %d", least)
		f.Message = schema.Textf("%d of %d active members go, and %d stay, fewer than minActive: %d", "%[2]d 个活跃成员中有 %[1]d 个被移除，剩余 %[3]d 个，少于 minActive: %[4]d", gone, len(was), len(stay), least)
	}
	f.Hint = schema.Textf("a change of this size needs a change order that comes with it: items[] with pool: %s, item: members, or item: pool where the pool goes (poolproof change new writes it)",
		"这种规模的变更需要随附变更单：items[] 中 pool: %s、item: members；整池删除时为 item: pool（poolproof change new 可生成）", c.pool.name)
	d.finding = &f
}

// lister is the copy whose members count: the truth, or the first copy that lists some where the truth's side is silent.
func lister(p *rules.Pool) (*schema.Copy, schema.Span) {
	c := truthOf(p, schema.Members)
	if c == nil && p != nil {
		for _, x := range p.Group.Copies {
			if x.States(schema.Members) && x.Side != schema.Order && x.Side != schema.Live {
				c = x
				break
			}
		}
	}
	if c == nil {
		return nil, schema.Span{}
	}
	return c, c.ItemAt[schema.Members]
}

// active are the identities of the members that take traffic.
func active(c *schema.Copy) map[string]bool {
	out := map[string]bool{}
	if c == nil {
		return out
	}
	for i := range c.Members {
		if c.Members[i].IsActive() {
			out[c.Members[i].ID()] = true
		}
	}
	return out
}
