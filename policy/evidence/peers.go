package evidence

import (
	"slices"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
)

// peers is for an item that the truth's side does not state at either end: the copies that state it are compared with each
// other, and a change must not lead them further apart.
func (c *change) peers(item schema.Item) {
	if len(c.changed(item)) == 0 {
		return
	}
	before, after := silent(c.base, item), silent(c.head, item)
	if len(newOnes(before, after)) == 0 || len(after) < len(before) {
		return
	}
	moved := map[*schema.Copy]bool{}
	var ahead *schema.Copy
	for _, side := range owing() {
		for _, l := range c.links(side, item) {
			if l.head != nil && c.moved(l, item) {
				moved[l.head] = true
				if ahead == nil {
					ahead = l.head
				}
			}
		}
	}
	if ahead == nil {
		return // only removals, which are owed as such
	}
	told := map[*schema.Copy]bool{}
	for i := range after {
		// Of two copies that differ, the one that the change leaves alone is the one that stays behind.
		behind, other := after[i].Copy, after[i].Truth
		if moved[behind] && !moved[other] {
			behind, other = other, behind
		}
		if told[behind] || !moved[behind] && !moved[other] {
			continue
		}
		told[behind] = true
		c.peerBehind(item, behind, other, after[i])
	}
}

func (c *change) peerBehind(item schema.Item, behind, other *schema.Copy, d rules.Judged) {
	debt := c.debt(item.String(), other.Side, behind)
	place := c.judge.head.place(behind, behind.ItemAt[item])
	defer c.owe(debt)
	if c.pay(debt, item, behind.Side); debt.PaidBy != "" || debt.finding != nil {
		return
	}
	f := c.finding("evidence/missing", item, place)
	f.Severity, f.Truth = schema.Warning, ""
	if item == schema.Cooldown && len(c.changed(item)) == 1 {
		f.Rule, f.Severity = "evidence/not-together", schema.Error
	}
	f.Related = []schema.Related{{Place: c.judge.head.place(other, other.ItemAt[item]), Label: schema.Textf("changed here", "此处有变更")}}
	f.Message = schema.Textf("the %s change in %s, and the %s copy does not follow; no copy decides", "%[2]s 的%[1]s有变更，%[3]s副本没有跟随；没有起决定作用的副本", rules.ItemName(item), other.File(), rules.SideName(behind.Side))
	f.Hint = mend(item, behind)
	f.Got, f.Want = d.Got, d.Want
	if behind == d.Truth {
		f.Got, f.Want = d.Want, d.Got
	}
	debt.finding = &f
}

// silent are the divergences between copies of which none decides.
func silent(p *rules.Pool, item schema.Item) []rules.Judged {
	if p == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(p.Divergences), func(d rules.Judged) bool { return d.Item != item || !d.Silent })
}
