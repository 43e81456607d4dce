package rules

import "github.com/poolproof/poolproof/schema"

func membersNoActive() Rule {
	return Rule{
		ID: "members/no-active", Severity: schema.Error,
		Title: schema.Text{En: "a complete list without an active member", Zh: "完整的成员列表中没有可用成员"},
		Copy: func(c *Copy, r *Reporter) {
			if !c.Copy.States(schema.Members) || !c.Copy.Complete || c.Copy.UnresolvedMembers() > 0 {
				return
			}
			for i := range c.Copy.Members {
				if c.Copy.Members[i].IsActive() {
					return
				}
			}
			r.Hit(Hit{Copy: c.Copy, At: c.Copy.ItemAt[schema.Members], Item: schema.Members,
				Text: schema.Textf("the list has no active member: nothing can take traffic", "列表中没有可用成员：无法承接流量"),
				Hint: schema.Textf("add a member, or take one out of drain or maintenance", "增加成员，或将某个成员恢复启用")})
		},
	}
}
