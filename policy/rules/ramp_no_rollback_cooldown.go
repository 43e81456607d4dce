package rules

import "github.com/poolproof/poolproof/schema"

func rampNoRollbackCooldown() Rule {
	return Rule{
		ID: "ramp/no-rollback-cooldown", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "a step back has no cooldown of its own", Zh: "回退没有自己的冷却"},
		Copy: deciding(schema.Ramp, func(c *Copy, r *Reporter) {
			if !c.Native() || len(c.Copy.Batches) == 0 || c.Said("ramp.rollback.cooldown") {
				return
			}
			r.Hit(Hit{Copy: c.Copy, At: c.Place("ramp.rollback.to"), Item: schema.Ramp, Field: "rollback.cooldown",
				Text: schema.Textf("after a step back the next batch may start at once", "回退之后下一批可能立即开始"),
				Hint: schema.Textf("add rollback: {to: previous, cooldown: 10m}", "补上 rollback: {to: previous, cooldown: 10m}")})
		}),
	}
}
