package rules

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
)

func probeEditableCopy() Rule {
	return Rule{
		ID: "probe/editable-copy", Severity: schema.Error,
		Title: schema.Text{En: "a side that does not execute the probe keeps an editable copy of it", Zh: "不执行探测的一方保留了可编辑的副本"},
		Pool: func(p *Pool, r *Reporter) {
			for i := range p.Divergences {
				if d := &p.Divergences[i]; d.Editable {
					r.Hit(editableHit(p, d))
				}
			}
		},
	}
}

func editableHit(p *Pool, d *Judged) Hit {
	h := Hit{Copy: d.Copy, At: d.At, Item: schema.Probe, Truth: p.rowName(schema.Probe)}
	executor := SideName(schema.Side(p.Rows[schema.Probe].Executor))
	h.Text = schema.Textf("the %s executes the probe, and the %s copy keeps an editable copy of its parameters", "探测由%s执行，而%s副本保留了可编辑的参数", executor, SideName(d.Copy.Side))
	h.Hint = schema.Textf("remove the probe parameters from %s, or keep them as a description that nothing reads", "从 %s 中删除探测参数，或只保留不被读取的说明", d.Copy.File())
	t := p.Truth(schema.Probe)
	if t == nil {
		return h
	}
	h.Related = []Relative{{Copy: t.Copy, At: t.Copy.ItemAt[schema.Probe], Truth: true, Label: schema.Textf("the probe that is executed", "实际执行的探测")}}
	var en, zh []string
	for _, v := range p.differences(schema.Probe, t, d.Copy) {
		en = append(en, v.Field+" "+v.Got+" instead of "+v.Want)
		zh = append(zh, v.Field+" 为 "+v.Got+"，执行的是 "+v.Want)
	}
	if len(en) > 0 {
		h.Got = strings.Join(en, ", ")
		h.Text = plus(h.Text, schema.Text{En: "; it also differs: " + h.Got, Zh: "；且取值不同：" + strings.Join(zh, "、")})
	}
	return h
}
