package rules

import "github.com/poolproof/poolproof/schema"

func decisionExternalAlone() Rule {
	return Rule{
		ID: "decision/external-alone", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "notices from outside judge", Zh: "外部通告直接裁决"},
		Copy: deciding(schema.Decision, func(c *Copy, r *Reporter) {
			f, ok := c.Copy.Get("decision.roles.external")
			if !ok || f.Value.Text() != "judge" {
				return
			}
			r.Hit(Hit{Copy: c.Copy, At: f.At, Path: "decision.roles.external", Got: "judge", Want: "review",
				Text: schema.Textf("an external notice may switch on its own: it confirms or vetoes, it does not judge", "外部通告可单独触发切换：它只应确认或否决，不应裁决"),
				Hint: schema.Textf("set roles.external: review", "设置 roles.external: review")})
		}),
	}
}
