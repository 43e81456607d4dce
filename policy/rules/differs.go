package rules

import (
	"strings"

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
	if d.Silent {
		silentHit(p, d, &h)
		return h
	}
	h.Truth = p.rowName(d.Item)
	copySide, side := SideName(d.Copy.Side), SideName(d.Truth.Side)
	h.Text = plus(schema.Textf("%s is %s in the %s copy; %s is right, by the %s", "%[3]s副本中%[1]s为 %[2]s；以%[5]s为准，应为 %[4]s",
		subject(d), schema.Spoken(d.Item, d.Got), copySide, schema.Spoken(d.Item, d.Want), side), slip(d.Factor))
	if d.Implied != nil && d.Implied.Unsure {
		h.Text = plus(h.Text, schema.Textf(" (%s in other versions of the engine; nobody said which runs)", "（该引擎其他版本为 %s；未说明运行的版本）", d.Implied.Other))
	}
	h.Hint = schema.Textf("write %s in %s, or change the %s and all copies together", "在 %[2]s 中改为 %[1]s，或连同%[3]s与所有副本一起修改", schema.Spoken(d.Item, d.Want), d.Copy.File(), side)
	return h
}

// silentHit words a difference between copies of which none decides.
func silentHit(p *Pool, d *Judged, h *Hit) {
	h.Severity = schema.Warning
	for i := range h.Related {
		h.Related[i].Truth = false
	}
	why := p.silence(d.Item)
	switch d.Kind {
	case reconcile.Missing:
		h.Text = schema.Textf("%s is in %s but not here; %s", "%s 在 %s 中有而此处没有；%s", or(d.Member, strings.Join(d.Names, ", ")), d.Truth.File(), why)
	case reconcile.Extra:
		h.Text = schema.Textf("%s is here but not in %s; %s", "%s 在此处有而 %s 中没有；%s", d.Member, d.Truth.File(), why)
	default:
		h.Text = schema.Textf("%s is %s here and %s in %s; %s", "%s此处为 %s，%[4]s 中为 %[3]s；%[5]s", subject(d), schema.Spoken(d.Item, d.Got), schema.Spoken(d.Item, d.Want), d.Truth.File(), why)
	}
	h.Text = plus(h.Text, slip(d.Factor))
	h.Hint = schema.Textf("settle the value and write it on the side that decides", "确定取值，并写到有决定权的一方")
}

// subject names what differs: "probe.interval", "the ramp", "the priority of 10.0.0.1:80", "the ratio of weights (10.0.0.1:80, ...)".
func subject(d *Judged) schema.Text {
	switch {
	case d.Item == schema.Ramp && strings.HasPrefix(d.Field, "batches"):
		return schema.Textf("the ramp", "放量批次") // both are shown whole, the mark stands at the first difference
	case d.Item != schema.Members:
		field := d.Item.String()
		if d.Field != "" {
			field += "." + d.Field
		}
		return schema.Text{En: field, Zh: " " + field + " "}
	case d.Field == "weight" && len(d.Names) > 0:
		return schema.Textf("the ratio of weights (%s)", "权重比例（%s）", strings.Join(d.Names, ", "))
	}
	return schema.Textf("the %s of %s", " %[2]s 的 %[1]s ", d.Field, d.Member)
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func membersDiffers() Rule {
	return Rule{ID: "members/differs", Severity: schema.Error, Pool: differs(schema.Members),
		Title: schema.Text{En: "weight, priority, backup or state of a member differs from the truth", Zh: "成员的权重、优先级、备用或状态与真相方不同"}}
}
