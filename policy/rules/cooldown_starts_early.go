package rules

import "github.com/poolproof/poolproof/schema"

func cooldownStartsEarly() Rule {
	return Rule{
		ID: "cooldown/starts-early", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "the cooldown starts before the member is drained", Zh: "冷却在排空之前就开始计时"},
		Copy: deciding(schema.Cooldown, func(c *Copy, r *Reporter) {
			f, ok := c.Copy.Get("cooldown.startsAt")
			if !ok || f.Value.Text() == "drained" {
				return
			}
			r.Hit(Hit{Copy: c.Copy, At: f.At, Path: "cooldown.startsAt", Got: f.Value.Text(), Want: "drained",
				Text: schema.Textf("the cooldown starts at %q: a slow drain eats it up", "冷却从 %q 开始计时：排空慢时冷却会被耗尽", f.Value.Text()),
				Hint: schema.Textf("set startsAt: drained", "设置 startsAt: drained")})
		}),
	}
}
