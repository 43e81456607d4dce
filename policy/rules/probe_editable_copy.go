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
			row := p.Rows[schema.Probe]
			for i := range p.Divergences {
				d := &p.Divergences[i]
				if !d.Editable {
					continue
				}
				h := Hit{Copy: d.Copy, At: d.At, Item: schema.Probe, Truth: row.Name}
				h.Text = schema.Textf("the %s executes the probe, but the %s copy keeps an editable copy of its parameters", "探测由 %s 执行，但 %s 副本保留了可编辑的参数", row.Executor, d.Copy.Side)
				if t := p.Truth(schema.Probe); t != nil {
					h.Related = []Relative{{Copy: t.Copy, At: t.Copy.ItemAt[schema.Probe], Truth: true, Label: schema.Textf("the probe that is executed", "实际执行的探测")}}
					var list []string
					for _, v := range p.differences(schema.Probe, t, d.Copy) {
						list = append(list, v.Field+" "+v.Got+" instead of "+v.Want)
					}
					if len(list) > 0 {
						all := strings.Join(list, ", ")
						h.Text = plus(h.Text, schema.Textf("; it also differs: %s", "；且取值不同：%s", all))
						h.Got = all
					}
				}
				h.Hint = schema.Textf("remove the probe parameters from %s, or keep them as a description that nothing reads", "从 %s 中删除探测参数，或只保留不被读取的说明", d.Copy.File())
				r.Hit(h)
			}
		},
	}
}
