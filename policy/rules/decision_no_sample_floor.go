package rules

import "github.com/poolproof/poolproof/schema"

func decisionNoSampleFloor() Rule {
	return Rule{
		ID: "decision/no-sample-floor", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "a ratio or latency condition without a floor of samples", Zh: "比率或时延条件缺少最小样本量"},
		Copy: deciding(schema.Decision, func(c *Copy, r *Reporter) {
			path, ok := c.condition()
			if !ok || !c.Native() || c.Said("decision.minSamples") {
				return
			}
			r.Hit(Hit{Copy: c.Copy, At: c.Place(path), Item: schema.Decision, Field: "minSamples",
				Text: schema.Textf("%s has no floor of samples: one failure among two requests is 50%%", "%s 没有最小样本量：两次请求失败一次就是 50%%", path),
				Hint: schema.Textf("add decision.minSamples", "补上 decision.minSamples")})
		}),
	}
}
