package evidence

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// judge judges the orders that come with the change: whether they fit it, are approved, and hold a drill.
func (s *orders) judge(j *judge) {
	for _, o := range s.list {
		if !o.comes || !j.asked(o) {
			continue
		}
		for _, i := range o.items {
			if i.checked && !i.fits && !i.told {
				f := i.pool.finding("evidence/stale", itemOf(i.Item), i.place(j, i.At))
				f.Field, f.Got = "after", i.After
				f.Message = schema.Textf("the change order %s is not about what this change does to the %s: %s", "变更单 %s 的%s与本次变更不符：%s", o.ID, i.Item, i.off)
				f.Hint = schema.Textf("generate the order anew from this change (poolproof change new keeps what people wrote), and have it approved again", "用本次变更重新生成变更单（poolproof change new 会保留人工填写的内容），并重新审批")
				j.tell(f)
			}
		}
		j.approved(o)
		j.drilled(o)
	}
}

func itemOf(name string) schema.Item {
	item, _ := schema.ParseItem(name)
	return item
}

// asked reports whether an order is about pools that are asked for.
func (j *judge) asked(o *order) bool {
	list := j.options.Pools
	return len(list) == 0 || slices.ContainsFunc(o.Pools, func(p string) bool {
		return slices.ContainsFunc(list, func(name string) bool { return reconcile.Key(name) == reconcile.Key(p) })
	})
}

// approved judges the approvals of an order.
func (j *judge) approved(o *order) {
	bound, independent := 0, false
	var own, other *schema.Approval
	for i := range o.Approvals {
		a := &o.Approvals[i]
		self := samePerson(a.By, o.Initiator)
		switch {
		case self && own == nil:
			own = a
		case !self && a.Digest != "" && a.Digest != o.Digest && other == nil:
			other = a
		}
		if a.Digest == o.Digest {
			bound++
			independent = independent || !self
		}
	}
	if own != nil && !independent {
		f := j.signed("evidence/self-approved", o, own.At)
		f.Got = own.By
		f.Message = schema.Textf("the change order %s is approved by its initiator, %s", "变更单 %s 由发起人 %s 自行审批", o.ID, own.By)
		f.Hint = schema.Textf("let somebody else approve it, with digest: %s", "请由他人审批，并写明 digest: %s", o.Digest)
		j.tell(f)
	}
	if bound > 0 {
		return
	}
	f := j.signed("evidence/unapproved", o, o.IDAt)
	f.Want = o.Digest
	switch {
	case other != nil:
		f.At, f.Got = o.place(j, other.At), other.Digest
		f.Message = schema.Textf("the approval of %s is for another version of the change order %s", "%s 的审批针对变更单 %s 的另一版本", other.By, o.ID)
	case len(o.Approvals) > 0:
		f.At = o.place(j, o.Approvals[0].At)
		f.Message = schema.Textf("no approval of the change order %s says by digest what was read", "变更单 %s 的审批均未以摘要写明所审内容", o.ID)
	default:
		f.Message = schema.Textf("nobody approved the change order %s", "变更单 %s 无人审批", o.ID)
	}
	f.Hint = schema.Textf("a reviewer adds to approvals: {by: NAME, at: TIME, digest: %q}", "由评审人在 approvals 中添加：{by: 姓名, at: 时间, digest: %q}", o.Digest)
	j.tell(f)
}

// signed begins a finding about an order as a whole.
func (j *judge) signed(rule string, o *order, at schema.Span) schema.Finding {
	f := schema.Finding{Rule: rule, At: o.place(j, at), Field: o.ID}
	if len(o.Pools) > 0 {
		f.Pool = o.Pools[0]
	}
	if j.options.Union.Base.Evidence == "verified" && rule != "evidence/no-drill" {
		f.Severity = schema.Error
	}
	return f
}

// samePerson compares names without case and blanks.
func samePerson(a, b string) bool {
	bare := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), "")) }
	return bare(a) == bare(b)
}

// drilled judges whether an order that changes ramp, cooldown or decision holds the drill of what it changes.
func (j *judge) drilled(o *order) {
	if !j.needsDrill(o) {
		return
	}
	at := o.IDAt
	var text schema.Text
	switch d := o.Drill; {
	case d == nil:
		text = schema.Textf("the change order %s changes how failover behaves, and holds no drill", "变更单 %s 改变了故障切换行为，却没有演练记录", o.ID)
	case len(d.Results) == 0 || slices.ContainsFunc(d.Results, func(r schema.DrillResult) bool { return strings.TrimSpace(r.Observed) == "" }):
		at, text = d.At, schema.Textf("the drill of the change order %s holds no observed data", "变更单 %s 的演练没有观察数据", o.ID)
	case !j.fromHere(o):
		at, text = d.At, schema.Textf("the drill of the change order %s was played with other settings than this change has", "变更单 %s 的演练所用设置与本次变更不同", o.ID)
	default:
		return
	}
	f := j.signed("evidence/no-drill", o, at)
	f.Message = text
	f.Hint = schema.Textf("play it and record the results: poolproof change new writes them into the order", "重新演练并记录结果：poolproof change new 会写入变更单")
	if o.Drill != nil {
		f.Got, f.Want = o.Drill.Config, j.settings(o)
	}
	j.tell(f)
}

// needsDrill reports whether an order is about a change of ramp, cooldown or decision.
func (j *judge) needsDrill(o *order) bool {
	if len(o.Ramps) > 0 && !o.text {
		return true
	}
	for _, i := range o.items {
		if i.Item == "ramp" || i.Item == "cooldown" {
			return true
		}
	}
	return slices.ContainsFunc(o.Pools, func(name string) bool {
		return slices.ContainsFunc(j.decided, func(c *change) bool { return c.named(name) })
	})
}
