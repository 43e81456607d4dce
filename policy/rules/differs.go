package rules

import (
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// differs is the body that the */differs rules share: one finding for each value on which a copy differs from the
// truth, or from its peers where the truth is silent.
func differs(item schema.Item) func(p *Pool, r *Reporter) {
	return func(p *Pool, r *Reporter) {
		for i := range p.Divergences {
			d := &p.Divergences[i]
			if d.Item != item || d.Editable || d.Kind == reconcile.CannotCompare {
				continue
			}
			if d.Kind != reconcile.Differs && !d.Silent {
				continue
			}
			r.Hit(differsHit(p, d))
		}
	}
}

func differsHit(p *Pool, d *Judged) Hit {
	h := Hit{Copy: d.Copy, At: d.At, Item: d.Item, Field: d.Field, Member: d.Member, Got: d.Got, Want: d.Want, Related: truthRelative(&d.Divergence)}
	what := d.Item.String()
	if d.Field != "" {
		what += "." + d.Field
	}
	if d.Member != "" {
		what += " " + d.Member
	}
	if d.Silent {
		h.Severity = schema.Warning
		for i := range h.Related {
			h.Related[i].Truth = false
		}
		switch d.Kind {
		case reconcile.Missing:
			h.Text = schema.Textf("%s is in %s but not here; the truth (%s) does not state %s", "%s 在 %s 中有而此处没有；真相方（%s）未写 %s", d.Member, d.Truth.File(), p.Rows[d.Item].Name, d.Item)
		case reconcile.Extra:
			h.Text = schema.Textf("%s is here but not in %s; the truth (%s) does not state %s", "%s 在此处有而 %s 中没有；真相方（%s）未写 %s", d.Member, d.Truth.File(), p.Rows[d.Item].Name, d.Item)
		default:
			h.Text = schema.Textf("%s is %s here and %s in %s; the truth (%s) does not state it", "%s 此处为 %s，%[4]s 中为 %[3]s；真相方（%[5]s）未写", what, d.Got, d.Want, d.Truth.File(), p.Rows[d.Item].Name)
		}
		h.Text = plus(h.Text, slip(d.Factor))
		h.Hint = schema.Textf("settle the value and write it on the side that decides", "确定取值，并写到有决定权的一方")
		return h
	}
	h.Truth = p.Rows[d.Item].Name
	h.Text = plus(schema.Textf("%s is %s in the %s copy; %s is right, by the %s", "%[3]s 副本中 %[1]s 为 %[2]s；应为 %[4]s，以 %[5]s 为准",
		what, d.Got, d.Copy.Side, d.Want, d.Truth.Side), slip(d.Factor))
	if d.Implied != nil && d.Implied.Unsure {
		h.Text = plus(h.Text, schema.Textf(" (%s in other versions of the engine; nobody said which runs)", "（该引擎其他版本为 %s；未说明运行的版本）", d.Implied.Other))
	}
	h.Hint = schema.Textf("write %s in %s, or change the %s and all copies together", "在 %[2]s 中改为 %[1]s，或连同 %[3]s 与所有副本一起修改", d.Want, d.Copy.File(), d.Truth.Side)
	return h
}

func membersDiffers() Rule {
	return Rule{ID: "members/differs", Severity: schema.Error, Pool: differs(schema.Members),
		Title: schema.Text{En: "weight, priority, backup or state of a member differs from the truth", Zh: "成员的权重、优先级、备用或状态与真相不同"}}
}
