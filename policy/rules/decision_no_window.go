package rules

import "github.com/poolproof/poolproof/schema"

func decisionNoWindow() Rule {
	return Rule{
		ID: "decision/no-window", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "a ratio or latency condition without a time window", Zh: "比率或时延条件缺少时间窗口"},
		Copy: deciding(schema.Decision, func(c *Copy, r *Reporter) {
			path, ok := c.condition()
			if !ok || !c.Native() || c.Said("decision.window") {
				return
			}
			r.Hit(Hit{Copy: c.Copy, At: c.Place(path), Item: schema.Decision, Field: "window",
				Text: schema.Textf("%s has no window: over what time is it measured?", "%s 没有窗口：在多长时间内统计？", path),
				Hint: schema.Textf("add decision.window, long enough for a real fault to show", "补上 decision.window，须足以让真实故障显现")})
		}),
	}
}

// condition returns the ratio or latency condition that a copy's decision states.
func (c *Copy) condition() (schema.Path, bool) {
	for _, p := range []schema.Path{"decision.errorRatio", "decision.slow.threshold"} {
		if _, ok := c.Copy.Get(p); ok {
			return p, true
		}
	}
	return "", false
}
