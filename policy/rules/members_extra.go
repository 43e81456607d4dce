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
				h := Hit{Copy: d.Copy, At: d.At, Item: schema.Members, Member: d.Member, Got: d.Got, Truth: p.rowName(schema.Members), Related: truthRelative(&d.Divergence)}
				copySide, side := SideName(d.Copy.Side), SideName(d.Truth.Side)
				h.Text = schema.Textf("%s is in the %s copy but not in the %s, which decides", "%s 出现在%s副本中，但起决定作用的%s没有", d.Member, copySide, side)
				h.Hint = schema.Textf("remove %s from %s, or add it to the %s", "从 %[2]s 中删除 %[1]s，或加入%[3]s", d.Member, d.Copy.File(), side)
				if envs := p.belongs(d.Copy, d.Truth, d.Member); len(envs) > 0 {
					h.Hint = apart(d.Copy, d.Member, envs)
				}
				if d.Excused > 0 {
					h.Text = schema.Textf("members that only the %[2]s copy has: %[1]d, unresolved entries of the %[3]s that could be them: %[4]d; candidates: %[5]s",
						"%[2]s副本多出 %[1]d 个成员，而%[3]s中未解析的条目只有 %[4]d 个；候选：%[5]s", len(d.Names), copySide, side, d.Excused, strings.Join(d.Names, ", "))
				}
				r.Hit(h)
			}
		},
	}
}
