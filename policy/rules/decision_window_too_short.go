package rules

import "github.com/poolproof/poolproof/schema"

func decisionWindowTooShort() Rule {
	return Rule{
		ID: "decision/window-too-short", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "the window is shorter than a real fault needs to show", Zh: "窗口短于真实故障显现所需时间"},
		Copy: deciding(schema.Decision, func(c *Copy, r *Reporter) {
			window, ok := c.Duration("decision.window")
			shows, ok2 := c.Duration("decision.manifestsIn")
			if !ok || !ok2 || window >= shows {
				return
			}
			got, want := schema.FormatDuration(window), schema.FormatDuration(shows)
			r.Hit(Hit{Copy: c.Copy, At: c.Place("decision.window"), Path: "decision.window", Got: got, Want: ">= " + want,
				Text: schema.Textf("the window of %s is shorter than the %s that a real fault needs to show", "窗口 %s 短于真实故障显现所需的 %s", got, want),
				Hint: schema.Textf("lengthen the window to %s or more", "将窗口加长到 %s 以上", want)})
		}),
	}
}
