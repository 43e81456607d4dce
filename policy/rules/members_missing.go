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
				h := Hit{Copy: d.Copy, At: d.At, Item: schema.Members, Member: d.Member, Want: d.Want, Truth: p.rowName(schema.Members), Related: truthRelative(&d.Divergence)}
				copySide, side := SideName(d.Copy.Side), SideName(d.Truth.Side)
				h.Text = schema.Textf("%s is missing in the %s copy; the %s, which decides, lists it", "%s 在%s副本中缺失；起决定作用的%s列有该成员", d.Member, copySide, side)
				h.Hint = schema.Textf("add %s to %s, or remove it from the %s", "在 %[2]s 中补上 %[1]s，或从%[3]s中移除", d.Member, d.Copy.File(), side)
				if d.Excused > 0 {
					names := strings.Join(d.Names, ", ")
					h.Text = schema.Textf("members missing in the %[2]s copy: %[1]d, unresolved entries that could be them: %[3]d; candidates: %[4]s",
						"%[2]s副本缺少 %[1]d 个成员，而未解析的条目只有 %[3]d 个；候选：%[4]s", len(d.Names), copySide, d.Excused, names)
					h.Hint = schema.Textf("add the missing members to %s", "在 %s 中补上缺失的成员", d.Copy.File())
				}
				r.Hit(h)
			}
		},
	}
}
