package evidence

import (
	"slices"
	"time"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/policy/truth"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// ramp judges the batches, which change orders freeze: nobody changes them but a change order, and the others transcribe
// what the one in force says. An order that comes with the change and is not in force yet is compared with the ramps that
// change with it, and with no others.
func (c *change) ramp() {
	before, after := truthOf(c.base, schema.Ramp), truthOf(c.head, schema.Ramp)
	refused := map[*schema.Copy]bool{}
	var list []*schema.Copy
	for _, side := range owing() {
		for _, l := range c.links(side, schema.Ramp) {
			if l.head != nil && c.moved(l, schema.Ramp) && c.needsOrder(l) && !c.frozen(l) {
				refused[l.head] = true
				list = append(list, l.head)
			}
		}
	}
	if len(list) > 0 {
		c.notInOrder(list)
	}
	switch {
	case before != nil && after == nil && !c.judge.head.breaks(before) && !c.orders.invalid(before.File()):
		c.orderGone(before)
	case after != nil && c.digest(before, schema.Ramp) != c.digest(after, schema.Ramp):
		for _, side := range owing() {
			for _, copy := range c.head.Group.Of(side) {
				if copy.States(schema.Ramp) && !refused[copy] {
					c.aligned(schema.Ramp, copy, "evidence/missing")
				}
			}
		}
	}
}

// place is a copy of a pool, as findings name it.
type place struct{ env, pool, file string }

// Ahead says of a difference between a ramp and the order in force that it is the doing of an order which comes with the
// same change and takes effect later: then it is no error of the change. Other findings stay as they are.
func (r *Report) Ahead(f *schema.Finding) {
	if f.Rule != "ramp/differs" {
		return
	}
	o := r.ahead[place{f.Env, f.Pool, f.At.File}]
	if o == nil {
		return
	}
	at := o.Effective.Format(time.RFC3339)
	f.Severity = schema.Info
	f.Message = plus(f.Message, schema.Textf("; it is ahead: %s, which comes with this change, freezes it from %s on", "；这是提前写入：随本次变更提交的 %s 自 %s 起冻结它", o.ID, at))
	f.Hint = schema.Textf("nothing to do for this change; check tells the difference until %s", "本次变更无需处理；在 %s 之前 check 会报告该差异", at)
}

// needsOrder reports whether a ramp is one that orders freeze: it has batches, or an order speaks of it. The slow start of
// an engine alone has none.
func (c *change) needsOrder(l link) bool {
	return len(before0(l.base).Batches) > 0 || len(l.head.Batches) > 0 || len(c.head.Group.Of(schema.Order)) > 0
}

// frozen reports whether a ramp that changes is what an order says: the one in force, or one that comes with the change.
// Coming nearer to the one in force is fine too.
func (c *change) frozen(l link) bool {
	if t := truthOf(c.head, schema.Ramp); t != nil {
		before, _ := c.problems(c.base, schema.Ramp, l.base)
		after, _ := c.problems(c.head, schema.Ramp, l.head)
		if len(after) == 0 || l.base != nil && len(after) < len(before) {
			return true
		}
	}
	for _, o := range c.head.Group.Of(schema.Order) {
		if c.orders.edited(o.File()) && o.States(schema.Ramp) && len(c.against(o, l.head)) == 0 {
			c.report.ahead[place{c.pool.env, c.pool.name, l.head.File()}] = c.orders.named(o.File())
			return true
		}
	}
	return false
}

// against compares a ramp with that of an order that is not in force yet.
func (c *change) against(order, copy *schema.Copy) []rules.Judged {
	v := reconcile.NewView(order)
	var out []rules.Judged
	for _, d := range append(reconcile.Ramps(v, copy), reconcile.Scalars(schema.Ramp, v, copy)...) {
		out = append(out, rules.Judged{Divergence: d})
	}
	return out
}

// notInOrder says that a ramp changes without an order, once for a pool.
func (c *change) notInOrder(list []*schema.Copy) {
	copy := list[0]
	f := c.finding("evidence/not-in-order", schema.Ramp, c.judge.head.place(copy, copy.ItemAt[schema.Ramp]))
	for _, also := range list[1:] {
		f.Related = append(f.Related, schema.Related{Place: c.judge.head.place(also, also.ItemAt[schema.Ramp]), Label: schema.Textf("and here", "以及此处")})
	}
	f.Related = append(f.Related, c.relatedTruth(schema.Ramp)...)
	f.Got = reconcile.RampString(copy.Batches)
	side := rules.SideName(copy.Side)
	f.Message = schema.Textf("the ramp of the %s copy changes, and no change order freezes the new one", "%s副本的放量批次有变更，而没有变更单冻结新的批次", side)
	f.Hint = schema.Textf("freeze the ramp of %s in a change order that comes with this change (poolproof change new writes it), or undo the edit of %s", "在随本次变更提交的变更单中冻结 %s 的批次（poolproof change new 可生成），或撤销对 %s 的修改", c.pool.name, copy.File())
	for _, o := range c.head.Group.Of(schema.Order) {
		if bad := c.against(o, copy); o.States(schema.Ramp) && c.orders.edited(o.File()) && len(bad) > 0 {
			f.Message = schema.Textf("the ramp of the %s copy changes to other batches than the change order %s freezes: %s", "%s副本改成的放量批次与变更单 %s 冻结的不同：%s", side, o.File(), listed(bad))
			f.Hint = schema.Textf("transcribe the batches of %s into %s", "将 %s 的批次抄入 %s", o.File(), copy.File())
			f.Want = reconcile.RampString(o.Batches)
			break
		}
	}
	d := c.debt("ramp", copy.Side, copy)
	d.Owes = schema.Order
	d.finding = &f
	c.owe(d)
}

// orderGone says that the order in force is removed while others state its ramp.
func (c *change) orderGone(before *schema.Copy) {
	if !slices.ContainsFunc(owing(), func(s schema.Side) bool {
		return slices.ContainsFunc(c.head.Group.Of(s), func(x *schema.Copy) bool { return x.States(schema.Ramp) })
	}) {
		return
	}
	f := c.finding("evidence/missing", schema.Ramp, c.judge.base.place(before, before.PoolAt))
	f.Message = schema.Textf("the change order that freezes the ramp is gone, and other copies still state the ramp", "冻结放量批次的变更单已被删除，而其他副本仍写有批次")
	f.Hint = schema.Textf("keep %s, or freeze the ramp in another change order", "保留 %s，或在另一份变更单中冻结批次", before.File())
	d := c.debt("ramp", schema.Order, before)
	d.finding = &f
	c.owe(d)
}

// executes reports whether the probe of a copy is one that its side executes, or that is only described.
func executes(row truth.Row, c *schema.Copy) bool {
	return c.Side == schema.Doc || row.Side == c.Side || row.Executor == "" && len(row.Executors) == 0
}
