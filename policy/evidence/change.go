package evidence

import (
	"slices"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/policy/truth"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// change is what happens to one pool. base and head are nil where the pool is not.
type change struct {
	*judge
	pool       *pair
	base, head *rules.Pool
	seen       map[lookup]looked
	digests    map[said]string
}

// said is what a copy says about an item.
type said struct {
	copy *schema.Copy
	item schema.Item
}

// digest is schema.Digest, which takes some time and is asked for again and again.
func (c *change) digest(of *schema.Copy, item schema.Item) string {
	if of == nil || !of.States(item) {
		return ""
	}
	d, ok := c.digests[said{of, item}]
	if !ok {
		d = schema.Digest(of, item)
		c.digests[said{of, item}] = d
	}
	return d
}

// owing are the sides whose copies change and owe; orders have rules of their own.
func owing() []schema.Side { return []schema.Side{schema.Gateway, schema.App, schema.Doc} }

func (j *judge) change(p *pair) *change {
	return &change{judge: j, pool: p, base: j.base.build(p.base), head: j.head.build(p.head), seen: map[lookup]looked{}, digests: map[said]string{}}
}

// pair judges one pool.
func (j *judge) pair(c *change) {
	c.massRemoval()
	if c.head == nil {
		return // a pool that is gone from every side owes nothing else
	}
	c.removals()
	for _, item := range schema.Reconciled() {
		c.item(item)
	}
	c.effective()
	if len(c.changed(schema.Decision)) > 0 {
		j.decided = append(j.decided, c)
	}
}

// item judges one item by the row of the source-of-truth table that decides it.
func (c *change) item(item schema.Item) {
	before, after := truthOf(c.base, item), truthOf(c.head, item)
	if len(c.changed(item)) > 0 {
		c.orders.check(c, item)
	}
	switch {
	case item == schema.Ramp && c.head.Rows[item].Side == schema.Order:
		c.ramp()
	case before == nil && after == nil:
		c.peers(item)
	case after == nil: // removals speaks of it, or nobody can say who executes the probe
	case c.digest(before, item) == c.digest(after, item):
		c.edits(item)
	case before == nil && c.judge.base.breaks(after): // what it was is not known; check judges what it is
	default:
		c.follow(item)
	}
	if len(c.changed(item)) > 0 {
		c.elsewhere(item)
	}
	if item == schema.Cooldown {
		c.twoOrders()
	}
}

// before0 stands an empty copy in for none.
func before0(c *schema.Copy) *schema.Copy {
	if c == nil {
		return &schema.Copy{}
	}
	return c
}

func truthOf(p *rules.Pool, item schema.Item) *schema.Copy {
	if p == nil {
		return nil
	}
	return p.Rows[item].Copy
}

func rowOf(p *rules.Pool, item schema.Item) truth.Row {
	if p == nil {
		return truth.Row{}
	}
	return p.Rows[item]
}

// rowName is the row that decides, as findings cite it.
func (c *change) rowName(item schema.Item) string {
	row := rowOf(c.head, item)
	if row.Reason != "" {
		return row.Name + " (" + row.Reason + ")"
	}
	return row.Name
}

// link is a copy at both ends; a copy that only one end has has no other.
type link struct{ base, head *schema.Copy }

// links matches the copies of a side that state an item: those of one file, then those that say the same, then what is
// left, in order. For schema.NoItem all copies of the side take part.
func (c *change) links(side schema.Side, item schema.Item) []link {
	of := func(p *rules.Pool) []*schema.Copy {
		if p == nil {
			return nil
		}
		return slices.DeleteFunc(p.Group.Of(side), func(x *schema.Copy) bool { return item != schema.NoItem && !x.States(item) })
	}
	base, head := of(c.base), of(c.head)
	var out []link
	match := func(same func(b, h *schema.Copy) bool) {
		for i := 0; i < len(head); {
			at := slices.IndexFunc(base, func(b *schema.Copy) bool { return same(b, head[i]) })
			if at < 0 {
				i++
				continue
			}
			out = append(out, link{base[at], head[i]})
			base, head = slices.Delete(base, at, at+1), slices.Delete(head, i, i+1)
		}
	}
	match(func(b, h *schema.Copy) bool { return b.File() == h.File() })
	if item != schema.NoItem {
		match(func(b, h *schema.Copy) bool { return c.digest(b, item) == c.digest(h, item) })
	}
	match(func(b, h *schema.Copy) bool { return true })
	for _, b := range base {
		out = append(out, link{b, nil})
	}
	for _, h := range head {
		out = append(out, link{nil, h})
	}
	return out
}

// moved reports whether what a copy says about an item changed.
func (c *change) moved(l link, item schema.Item) bool {
	return c.digest(l.base, item) != c.digest(l.head, item)
}

// changed lists the sides on which an item changed.
func (c *change) changed(item schema.Item) []schema.Side {
	var out []schema.Side
	for _, side := range owing() {
		if slices.ContainsFunc(c.links(side, item), func(l link) bool { return c.moved(l, item) }) {
			out = append(out, side)
		}
	}
	return out
}

// problems are the divergences of a copy from the truth that count: those that the base neither switches off nor excuses.
// doubtful are those that nobody can judge.
func (c *change) problems(p *rules.Pool, item schema.Item, of *schema.Copy) (bad, doubtful []rules.Judged) {
	if p == nil || of == nil {
		return nil, nil
	}
	for i := range p.Divergences {
		d := &p.Divergences[i]
		if d.Item != item || d.Copy != of || d.Silent {
			continue
		}
		f := schema.Finding{Rule: ruleOf(d), Pool: p.Group.Pool, Env: p.Group.Env, Item: item, Field: d.Field, Member: d.Member, At: rules.PlaceOf(of, d.At), Severity: schema.Error}
		switch {
		case d.Kind == reconcile.CannotCompare:
			doubtful = append(doubtful, *d)
		case !c.excuse(&f):
		case d.Editable && p.Truth(item) != nil:
			bad = append(bad, *d)
			for _, v := range reconcile.Scalars(item, p.Truth(item).View, of) {
				bad = append(bad, rules.Judged{Divergence: v})
			}
		default:
			bad = append(bad, *d)
		}
	}
	return bad, doubtful
}

// ruleOf names the rule that reports a divergence.
func ruleOf(d *rules.Judged) string {
	switch {
	case d.Editable:
		return "probe/editable-copy"
	case d.Kind == reconcile.Missing:
		return "members/missing"
	case d.Kind == reconcile.Extra:
		return "members/extra"
	}
	return d.Item.String() + "/differs"
}

// debt begins an obligation of a copy of head.
func (c *change) debt(item string, changed schema.Side, owes *schema.Copy) *debt {
	d := &debt{Obligation: Obligation{Pool: c.pool.name, Env: c.pool.env, Item: item, Changed: changed}}
	if owes != nil {
		d.Owes, d.File = owes.Side, owes.File()
	}
	return d
}

// finding begins a finding about this pool at a copy of one end.
func (c *change) finding(rule string, item schema.Item, at schema.Place) schema.Finding {
	return schema.Finding{Rule: rule, Pool: c.pool.name, Env: c.pool.env, Item: item, At: at, Truth: c.rowName(item)}
}

// relatedTruth points at the truth of head, where it changed.
func (c *change) relatedTruth(item schema.Item) []schema.Related {
	t := truthOf(c.head, item)
	if t == nil {
		return nil
	}
	at := changedAt(truthOf(c.base, item), t, item)
	if !at.Known() {
		at = t.ItemAt[item]
	}
	return []schema.Related{{Place: c.judge.head.place(t, at), Truth: true, Label: schema.Textf("the %s, which decides", "起决定作用的%s", rules.SideName(t.Side))}}
}
