package rules

import (
	"strings"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

func membersMissing() Rule {
	return Rule{
		ID: "members/missing", Severity: schema.Error,
		Title: schema.Text{En: "a member of the truth is missing in another copy", Zh: "其他副本缺少真相中的成员"},
		Pool: func(p *Pool, r *Reporter) {
			for i := range p.Divergences {
				d := &p.Divergences[i]
				if d.Kind != reconcile.Missing || d.Silent {
					continue
				}
				h := Hit{Copy: d.Copy, At: d.At, Item: schema.Members, Member: d.Member, Want: d.Want, Truth: p.Rows[schema.Members].Name, Related: truthRelative(&d.Divergence)}
				h.Text = schema.Textf("%s is missing in the %s copy; the %s lists it", "%s 在 %s 副本中缺失；%s 列有该成员", d.Member, d.Copy.Side, d.Truth.Side)
				h.Hint = schema.Textf("add %s to %s, or remove it from the %s", "在 %[2]s 中补上 %[1]s，或从 %[3]s 中移除", d.Member, d.Copy.File(), d.Truth.Side)
				if d.Excused > 0 {
					names := strings.Join(d.Names, ", ")
					h.Text = schema.Textf("%d members are missing in the %s copy and only %d entries are unresolved; candidates: %s",
						"%[2]s 副本缺少 %[1]d 个成员，而未解析的条目只有 %[3]d 个；候选：%[4]s", len(d.Names), d.Copy.Side, d.Excused, names)
					h.Hint = schema.Textf("add the missing members to %s", "在 %s 中补上缺失的成员", d.Copy.File())
				}
				r.Hit(h)
			}
		},
	}
}
