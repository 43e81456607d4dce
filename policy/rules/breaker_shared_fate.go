package rules

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

func breakerSharedFate() Rule {
	return Rule{
		ID: "breaker/shared-fate", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "all members share one link, account or quota", Zh: "所有成员共用同一链路、账号或配额"},
		Copy: deciding(schema.Members, func(c *Copy, r *Reporter) {
			list := c.active()
			if !c.runs() || len(list) < 2 || c.size() == 0 {
				return
			}
			shares, _ := list[0].Get("shares")
			shared := slices.Clone(shares.Value.List())
			for _, m := range list[1:] {
				own, _ := m.Get("shares")
				shared = slices.DeleteFunc(shared, func(s string) bool { return !slices.Contains(own.Value.List(), s) })
			}
			if len(shared) == 0 {
				return
			}
			slices.Sort(shared)
			what := strings.Join(slices.Compact(shared), ", ")
			r.Hit(Hit{Copy: c.Copy, At: shares.At, Item: schema.Members, Field: "shares", Got: what, Want: "a member that does not share it",
				Text: schema.Textf("all %d active members share %s: when it fails there is nobody to move the traffic to", "%d 个有效成员全部共用 %s：它出故障时流量无处可去", len(list), what),
				Hint: schema.Textf("give one member, be it a backup, another path; until then removing members because of a fault of %s makes it worse", "请让至少一个成员（可以是备用）走另一条路；在此之前，因 %s 的故障而摘除成员只会更糟", what)})
		}),
	}
}
