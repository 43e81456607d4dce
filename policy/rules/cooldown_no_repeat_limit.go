package rules

import "github.com/poolproof/poolproof/schema"

func cooldownNoRepeatLimit() Rule {
	return Rule{
		ID: "cooldown/no-repeat-limit", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "nothing ends a member that goes out again and again", Zh: "反复进出的成员没有次数上限"},
		Copy: deciding(schema.Cooldown, func(c *Copy, r *Reporter) {
			if !c.Native() || c.In.said("cooldown.repeat.limit") {
				return
			}
			r.Hit(Hit{Copy: c.Copy, At: c.Copy.ItemAt[schema.Cooldown], Item: schema.Cooldown, Field: "repeat",
				Text: schema.Textf("no limit on repeated cooldowns: a member may flap for ever without a person being told", "没有重复冷却上限：成员可能无限次进出而无人知晓"),
				Hint: schema.Textf("add repeat: {limit: 3, within: 1h, then: manual}", "补上 repeat: {limit: 3, within: 1h, then: manual}")})
		}),
	}
}
