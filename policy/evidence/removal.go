package evidence

import (
	"slices"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
)

// removals finds the copies and items that the base has and head has not, although the pool lives on.
func (c *change) removals() {
	type gone struct {
		copy  *schema.Copy
		items []schema.Item
	}
	var list []*gone
	if c.base == nil {
		return
	}
	for _, side := range owing() {
		for _, item := range schema.Reconciled() {
			if c.droppedTogether(item) {
				continue
			}
			for _, l := range c.links(side, item) {
				if l.head != nil || c.judge.head.breaks(l.base) {
					continue
				}
				if item == schema.Probe && !executes(rowOf(c.base, item), l.base) {
					continue // an editable copy of the probe is gone, as it should be
				}
				if row := rowOf(c.base, item); item == schema.Probe && len(row.Executors) > 1 && len(c.head.Rows[item].Executors) == 0 && c.head.Rows[item].Copy != nil {
					continue // one executor is left of two
				}
				at := slices.IndexFunc(list, func(g *gone) bool { return g.copy == l.base })
				if at < 0 {
					at = len(list)
					list = append(list, &gone{copy: l.base})
				}
				list[at].items = append(list[at].items, item)
			}
		}
	}
	for _, g := range list {
		c.gone(g.copy, g.items)
	}
}

// droppedTogether reports whether an item that several sides had is gone from all of them.
func (c *change) droppedTogether(item schema.Item) bool {
	had := 0
	for _, side := range owing() {
		before := false
		for _, l := range c.links(side, item) {
			if l.head != nil {
				return false
			}
			before = true
		}
		if before {
			had++
		}
	}
	return had > 1
}

// gone says that a copy, or an item of it, is gone.
func (c *change) gone(copy *schema.Copy, items []schema.Item) {
	stated := 0
	for _, item := range schema.Reconciled() {
		if copy.States(item) {
			stated++
		}
	}
	whole := stated == len(items) && !slices.ContainsFunc(c.head.Group.Of(copy.Side), func(x *schema.Copy) bool { return x.File() == copy.File() })
	if whole {
		c.owed("pool", copy, items, copy.PoolAt)
		return
	}
	for _, item := range items {
		c.owed(item.String(), copy, []schema.Item{item}, copy.ItemAt[item])
	}
}

func (c *change) owed(what string, copy *schema.Copy, items []schema.Item, at schema.Span) {
	d := c.debt(what, copy.Side, copy)
	defer c.owe(d)
	place := c.judge.base.place(copy, at)
	if o := c.orders.dropping(c, items); o != nil {
		d.PaidBy, d.Ref = "order", o.ID
		return
	}
	paid := 0
	for _, item := range items {
		one := *d
		if c.pay(&one, item, copy.Side); one.finding != nil {
			*d = one
			return
		}
		if one.PaidBy != "" {
			d.Ref = one.Ref
			paid++
		}
	}
	if paid == len(items) {
		d.PaidBy = "order"
		return
	}
	d.Ref = ""
	item := schema.NoItem
	if what != "pool" {
		item = items[0]
	}
	f := c.finding("evidence/missing", item, place)
	if item == schema.NoItem {
		f.Truth = ""
	}
	side, name := rules.SideName(copy.Side), c.pool.name
	f.Got = copy.File()
	if what == "pool" {
		f.Message = schema.Textf("the %s copy of %s (%s) is removed, and the pool lives on in %s", "%s副本（%[2]s：%[3]s）被删除，而该池仍在 %[4]s 中", side, name, itemList(items), c.livesIn())
		f.Hint = schema.Textf("keep the copy, or remove the pool from every side; where it moved to another repository, name commit, file and digest in a change order: items[].aligned.%s", "保留该副本，或从各方一并删除该池；若移到了其他仓库，在变更单 items[].aligned.%s 中写明提交、文件与摘要", copy.Side)
	} else {
		f.Message = schema.Textf("the %s of the %s copy are removed, and the pool lives on in %s", "%[2]s副本的%[1]s被删除，而该池仍在 %[3]s 中", itemList(items), side, c.livesIn())
		f.Hint = schema.Textf("keep it in %s, or record the removal in a change order: items[] with pool: %s, item: %s, after: absent", "保留在 %s 中，或在变更单中记录删除：items[] 中 pool: %s、item: %s、after: absent", copy.File(), name, what)
	}
	d.finding = &f
}

// livesIn names a file in which the pool lives on.
func (c *change) livesIn() string {
	for _, x := range c.head.Group.Copies {
		if x.Side != schema.Order {
			return x.File()
		}
	}
	return ""
}
