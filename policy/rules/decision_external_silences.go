package rules

import "github.com/poolproof/poolproof/schema"

func decisionExternalSilences() Rule {
	return Rule{
		ID: "decision/external-silences", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "an all-clear from outside silences the internal verdict", Zh: "外部解除通告会压制内部判断"},
		Copy: deciding(schema.Decision, func(c *Copy, r *Reporter) {
			f, ok := c.Copy.Get("decision.externalClears")
			if !ok || !f.Value.Bool() {
				return
			}
			r.Hit(Hit{Copy: c.Copy, At: f.At, Path: "decision.externalClears", Got: "true", Want: "false",
				Text: schema.Textf("an all-clear from outside silences the internal verdict: a status page that turns green too early moves users back into the fault", "外部解除通告会压制内部判断：状态页过早转绿会把用户送回故障"),
				Hint: schema.Textf("set externalClears: false", "设置 externalClears: false")})
		}),
	}
}
