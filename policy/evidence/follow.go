package evidence

import (
	"slices"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
)

// follow is for an item whose truth changed: every other copy that states it owes that it follows.
func (c *change) follow(item schema.Item) {
	row := &c.head.Rows[item]
	rule := "evidence/missing"
	if item == schema.Cooldown && len(c.changed(item)) <= 1 {
		rule = "evidence/not-together"
	}
	for _, side := range owing() {
		if side == row.Side {
			continue
		}
		for _, copy := range c.head.Group.Of(side) {
			if copy.States(item) {
				c.aligned(item, copy, rule)
			}
		}
	}
}

// aligned judges whether one copy follows the truth.
func (c *change) aligned(item schema.Item, copy *schema.Copy, rule string) {
	d := c.debt(item.String(), c.head.Rows[item].Side, copy)
	bad, doubtful := c.problems(c.head, item, copy)
	defer c.owe(d)
	if len(bad) == 0 && len(doubtful) == 0 {
		d.PaidBy, d.Ref = "tree", copy.File()
		return
	}
	place := c.judge.head.place(copy, placeIn(copy, item, append(bad, doubtful...)))
	claimed := c.pay(d, item, copy.Side)
	if d.PaidBy != "" || d.finding != nil {
		return
	}
	name, side := rules.ItemName(item), rules.SideName(copy.Side)
	if len(bad) == 0 {
		f := c.finding("evidence/unverified", item, place)
		f.Message = schema.Textf("the %s change on the %s side, and whether the %s copy follows cannot be told: %s", "%[2]s方的%[1]s有变更，无法判断%[3]s副本是否跟随：%[4]s", name, rules.SideName(c.head.Rows[item].Side), side, listed(doubtful))
		f.Hint = schema.Textf("write aliases in the manifest: aliases: {host-name: address}; they count from the next change on. Or: %s", "在清单中写明别名：aliases: {主机名: 地址}，从下一次变更起生效；或者：%s", mend(item, copy))
		f.Related = c.relatedTruth(item)
		d.unverified(c, f)
		return
	}
	f := c.finding(rule, item, place)
	f.Got, f.Want = valuesOf(bad)
	f.Related = c.relatedTruth(item)
	f.Message = schema.Textf("the %s change on the %s side, and the %s copy does not follow: %s", "%[2]s方的%[1]s有变更，而%[3]s副本没有跟随：%[4]s", name, rules.SideName(c.head.Rows[item].Side), side, listed(bad))
	f.Hint = mend(item, copy)
	if rule == "evidence/not-together" {
		f.Message = schema.Textf("the cooldown changes on the %s side only, and the %s copy stays behind: %s", "冷却只在%s方变更，%s副本没有一起变更：%s", rules.SideName(c.head.Rows[item].Side), side, listed(bad))
		f.Hint = schema.Textf("both sides change together, in one change or under one order: %s", "双方须在一次变更中或在同一变更单下一起变更：%s", mend(item, copy))
	}
	if claimed != nil {
		f.Message = plus(f.Message, schema.Textf("; the change order %s says that it is aligned by this change", "；变更单 %s 称已由本次变更对齐", claimed.order.ID))
		f.Related = append(f.Related, schema.Related{Place: claimed.place(c.judge, claimed.Aligned[copy.Side].At), Label: schema.Textf("said here", "此处所述")})
	}
	d.finding = &f
}

// unverified makes a finding of an obligation that cannot be judged, as the base's manifest wants it.
func (d *debt) unverified(c *change, f schema.Finding) {
	switch c.options.Union.Base.Evidence {
	case "attested":
		if d.PaidBy == "" {
			d.PaidBy, d.Ref = "order", or(d.Ref, "attested")
		}
		return
	case "verified":
		f.Severity = schema.Error
	}
	d.finding = &f
}

// edits is for an item whose truth stands as it was: other copies may come nearer to it, and not move away.
func (c *change) edits(item schema.Item) {
	row := &c.head.Rows[item]
	sides := c.changed(item)
	for _, side := range owing() {
		if side == row.Side {
			continue
		}
		for _, l := range c.links(side, item) {
			if l.head == nil || !c.moved(l, item) {
				continue
			}
			before, _ := c.problems(c.base, item, l.base)
			after, _ := c.problems(c.head, item, l.head)
			if fresh := newOnes(before, after); len(after) >= len(before) && len(fresh) > 0 {
				c.wrongSide(item, l.head, fresh)
				if item == schema.Cooldown && side != schema.Doc && len(sides) == 1 {
					c.leftBehind(row.Copy, l.head)
				}
			}
		}
	}
}

func (c *change) wrongSide(item schema.Item, copy *schema.Copy, bad []rules.Judged) {
	f := c.finding("evidence/wrong-side", item, c.judge.head.place(copy, placeIn(copy, item, bad)))
	side := rules.SideName(c.head.Rows[item].Side)
	f.Got, f.Want = valuesOf(bad)
	f.Related = c.relatedTruth(item)
	f.Message = schema.Textf("the change edits the %s of the %s copy away from the %s, which decides: %s", "变更使%[2]s副本的%[1]s偏离起决定作用的%[3]s：%[4]s", rules.ItemName(item), rules.SideName(copy.Side), side, listed(bad))
	f.Hint = schema.Textf("undo it in %s, or change the %s (%s) and every other copy with it", "在 %s 中撤销修改，或连同%s（%s）与其他副本一起修改", copy.File(), side, c.head.Rows[item].Copy.File())
	c.tell(f)
}

// leftBehind says that the truth of the cooldown does not change together with another side.
func (c *change) leftBehind(behind, ahead *schema.Copy) {
	f := c.finding("evidence/not-together", schema.Cooldown, c.judge.head.place(behind, behind.ItemAt[schema.Cooldown]))
	f.Related = []schema.Related{{Place: c.judge.head.place(ahead, ahead.ItemAt[schema.Cooldown]), Label: schema.Textf("changed here", "此处有变更")}}
	f.Message = schema.Textf("the cooldown changes on the %s side only, and the %s stays behind", "冷却只在%s方变更，%s没有一起变更", rules.SideName(ahead.Side), rules.SideName(behind.Side))
	f.Hint = schema.Textf("both sides change together, in one change or under one order: edit %s too, or undo the edit of %s", "双方须在一次变更中或在同一变更单下一起变更：同时修改 %s，或撤销对 %s 的修改", behind.File(), ahead.File())
	d := c.debt("cooldown", ahead.Side, behind)
	d.finding = &f
	c.owe(d)
}

// newOnes are the divergences of after that before does not have.
func newOnes(before, after []rules.Judged) []rules.Judged {
	type key struct {
		kind                        uint8
		editable                    bool
		field, member, got, subject string
	}
	of := func(d *rules.Judged) key {
		return key{uint8(d.Kind), d.Editable, d.Field, d.Member, d.Got, listed([]rules.Judged{{Divergence: d.Divergence, Editable: d.Editable}}).En}
	}
	had := map[key]int{}
	for i := range before {
		had[of(&before[i])]++
	}
	var out []rules.Judged
	for i := range after {
		k := of(&after[i])
		if had[k]--; had[k] < 0 {
			out = append(out, after[i])
		}
	}
	return out
}

// placeIn is where a finding about divergences of a copy stands: at the first that has a place, else at the item.
func placeIn(c *schema.Copy, item schema.Item, bad []rules.Judged) schema.Span {
	if at := slices.IndexFunc(bad, func(d rules.Judged) bool { return d.At.Known() }); at >= 0 {
		return bad[at].At
	}
	return c.ItemAt[item]
}

// valuesOf are what is and what should be, where the divergences are of values.
func valuesOf(bad []rules.Judged) (got, want string) {
	for i := range bad {
		if i == shown {
			break
		}
		got, want = join(got, bad[i].Got), join(want, bad[i].Want)
	}
	return got, want
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ", " + b
}

func plus(a, b schema.Text) schema.Text {
	return schema.Text{En: a.En + b.En, Zh: a.In("zh") + b.In("zh")}
}
