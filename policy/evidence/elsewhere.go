package evidence

import (
	"maps"
	"slices"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
)

// elsewhere judges what the tree does not show: what the orders of the change say of other repositories about an item that
// changes, and the sides whose copies stand in repositories that were not read.
func (c *change) elsewhere(item schema.Item) {
	spoken := map[schema.Side]bool{}
	for _, i := range c.orders.of(c, item) {
		for _, side := range slices.Sorted(maps.Keys(i.Aligned)) {
			if i.order.comes && !i.Aligned[side].ThisChange {
				spoken[side] = true
				c.further(item, side, i)
			}
		}
	}
	t := truthOf(c.head, item)
	if t == nil || item == schema.Ramp {
		return
	}
	for _, side := range owing() {
		if side != t.Side && !spoken[side] && len(c.head.Group.Of(side)) == 0 {
			c.unread(item, side)
		}
	}
}

// further looks at a piece of evidence that no copy here asked for: the side has none, or it follows already. What an order
// says has to hold all the same; where the copy here shows it, nobody needs to look elsewhere.
func (c *change) further(item schema.Item, side schema.Side, i *claim) {
	if _, done := c.seen[lookup{i, item, side}]; done {
		return
	}
	v, why := c.look(i, item, side)
	if v != stale && slices.ContainsFunc(c.head.Group.Of(side), func(x *schema.Copy) bool { return x.States(item) }) {
		return
	}
	d := c.debt(item.String(), "", nil)
	if t := truthOf(c.head, item); t != nil {
		d.Changed = t.Side
	}
	d.Owes, d.File = side, i.Aligned[side].File
	c.settle(d, item, side, i, v, why)
	c.owe(d)
}

// unread says that a side stands in a repository that was not read, so that nobody knows whether it follows.
func (c *change) unread(item schema.Item, side schema.Side) {
	m := c.options.Union.Base
	for i := range m.Sources {
		s := &m.Sources[i]
		if s.Side != side || s.Repo == "" || slices.Contains(c.options.Union.added, i) || c.judge.head.read(i) {
			continue
		}
		d := c.debt(item.String(), truthOf(c.head, item).Side, nil)
		d.Owes = side
		f := c.finding("evidence/unverified", item, c.sourceAt(i))
		f.Got, f.Field = bare(s.Repo), string(side)
		f.Message = schema.Textf("the %[1]s change on the %[2]s side; the %[3]s side stands in %[4]s, which is not read, and whether it follows is not known", "%[2]s方的%[1]s有变更；%[3]s方位于未读取的 %[4]s，无法得知是否跟随", rules.ItemName(item), rules.SideName(d.Changed), rules.SideName(side), bare(s.Repo))
		f.Hint = schema.Textf("make the repository reachable, or name the commit that aligned it in a change order: items[] with pool: %s, item: %s and aligned.%s: {repo, commit, file, digest}; evidence: attested accepts what cannot be opened",
			"保证该仓库可访问，或在变更单中写明对齐它的提交：items[] 中 pool: %s、item: %s、aligned.%s: {repo, commit, file, digest}；evidence: attested 接受无法打开的仓库", c.pool.name, item, side)
		d.unverified(c, f)
		c.owe(d)
		return
	}
}

// sourceAt is where a source of the base stands: in the manifest of head, or in the base's if head has dropped it.
func (c *change) sourceAt(source int) schema.Place {
	u := c.options.Union
	span := u.Base.Sources[source].At
	switch {
	case u.First || u.before != nil && span.Known():
		return schema.Place{File: u.file, Revision: c.judge.head.Revision, Span: span}
	case u.before != nil:
		span = u.before[source].At
	}
	return schema.Place{File: u.Base.File, Revision: c.judge.base.Revision, Span: span}
}

// read reports whether files of a source were read.
func (e *end) read(source int) bool {
	return slices.ContainsFunc(e.Loaded.Files, func(f *load.File) bool { return f.Source == source })
}
