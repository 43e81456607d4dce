package rules

import "github.com/poolproof/poolproof/schema"

func rampNeverSuspends() Rule {
	return Rule{
		ID: "ramp/never-suspends", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "a ramp that fails again and again is never handed to a person", Zh: "放量反复失败也不会转交人工"},
		Copy: deciding(schema.Ramp, func(c *Copy, r *Reporter) {
			if !c.Native() || len(c.Copy.Batches) == 0 || c.Said("ramp.suspendAfter") {
				return
			}
			r.Hit(Hit{Copy: c.Copy, At: c.Copy.ItemAt[schema.Ramp], Item: schema.Ramp, Field: "suspendAfter",
				Text: schema.Textf("a ramp that fails again and again goes on for ever: nothing hands it to a person", "放量反复失败也会一直继续：没有任何条件转交人工"),
				Hint: schema.Textf("add suspendAfter: 3", "补上 suspendAfter: 3")})
		}),
	}
}
