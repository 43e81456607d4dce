package rules

import (
	"strings"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

func membersExtra() Rule {
	return Rule{
		ID: "members/extra", Severity: schema.Error,
		Title: schema.Text{En: "a copy lists a member that the truth does not have", Zh: "副本列出了真相中没有的成员"},
		Pool: func(p *Pool, r *Reporter) {
			for i := range p.Divergences {
				d := &p.Divergences[i]
				if d.Kind != reconcile.Extra || d.Silent {
					continue
				}
				h := Hit{Copy: d.Copy, At: d.At, Item: schema.Members, Member: d.Member, Got: d.Got, Truth: p.Rows[schema.Members].Name, Related: truthRelative(&d.Divergence)}
				h.Text = schema.Textf("%s is in the %s copy but not in the %s", "%s 出现在 %s 副本中，但 %s 中没有", d.Member, d.Copy.Side, d.Truth.Side)
				h.Hint = schema.Textf("remove %s from %s, or add it to the %s", "从 %[2]s 中删除 %[1]s，或加入 %[3]s", d.Member, d.Copy.File(), d.Truth.Side)
				if d.Excused > 0 {
					h.Text = plus(h.Text, schema.Textf("; %d entries of the %s are unresolved, fewer than the surplus: %s",
						"；%[2]s 中未解析的条目有 %[1]d 个，少于多出的成员：%[3]s", d.Excused, d.Truth.Side, strings.Join(d.Names, ", ")))
				}
				r.Hit(h)
			}
		},
	}
}
