package rules

import "github.com/poolproof/poolproof/schema"

func cooldownAsymmetricExit() Rule {
	return Rule{
		ID: "cooldown/asymmetric-exit", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "a member returns by a weaker proof than the one that removed it", Zh: "成员回归的条件弱于移除条件"},
		Copy: deciding(schema.Cooldown, func(c *Copy, r *Reporter) {
			f, ok := c.Copy.Get("cooldown.exit")
			if !ok || f.Value.Text() == "same-as-entry" || !c.Copy.States(schema.Decision) {
				return
			}
			r.Hit(Hit{Copy: c.Copy, At: f.At, Path: "cooldown.exit", Got: f.Value.Text(), Want: "same-as-entry",
				Text: schema.Textf("a decision removes the member, and exit: %s lets it back without looking at what removed it", "成员由判断移除，exit: %s 放回它时却不再看移除的原因", f.Value.Text()),
				Hint: schema.Textf("set exit: same-as-entry, so that condition, granularity and window are the same", "设置 exit: same-as-entry，使条件、粒度与窗口一致")})
		}),
	}
}
