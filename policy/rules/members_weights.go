package rules

import (
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/profile"
)

// membersWeights judges what holds for every engine. What single engines make of single weights their adapters report
// under the same rule.
func membersWeights() Rule {
	return Rule{
		ID: "members/weights", Severity: schema.Error,
		Title: schema.Text{En: "weights leave nothing eligible, or the engine reads them otherwise than people think", Zh: "权重使得没有成员可用，或引擎对权重的理解与人不同"},
		Copy: func(c *Copy, r *Reporter) {
			if !c.Copy.Complete || c.Copy.UnresolvedMembers() > 0 {
				return
			}
			if z := c.Profile.Traits.ZeroWeight; z == profile.ZeroIsOne || z == profile.ZeroRefused {
				return
			}
			var first *schema.Member
			for i := range c.Copy.Members {
				m := &c.Copy.Members[i]
				switch {
				case !m.IsActive():
				case !m.HasWeight || m.Weight != 0:
					return
				case first == nil:
					first = m
				}
			}
			if first == nil {
				return // members/no-active speaks
			}
			r.Hit(Hit{Copy: c.Copy, At: firstKnown(first.WeightAt, first.At), Item: schema.Members, Field: "weight", Got: "0",
				Text: schema.Textf("every active member has weight 0: nothing is eligible for traffic", "所有可用成员的权重都是 0：没有成员可以承接流量"),
				Hint: schema.Textf("give at least one member a weight above 0; to take the whole pool out, disable its members", "至少让一个成员的权重大于 0；要摘除整个池，请停用其成员")})
		},
	}
}
