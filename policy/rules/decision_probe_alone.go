package rules

import "github.com/poolproof/poolproof/schema"

func decisionProbeAlone() Rule {
	return Rule{
		ID: "decision/probe-alone", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "the probe judges without a business judge beside it", Zh: "探测单独裁决，没有业务信号裁决"},
		Copy: deciding(schema.Decision, func(c *Copy, r *Reporter) {
			f, ok := c.Copy.Get("decision.roles.probe")
			if !ok || f.Value.Text() != "judge" {
				return
			}
			b, written := c.Copy.Get("decision.roles.business")
			if written && b.Value.Text() == "judge" || !written && c.Said("decision.roles.business") {
				return
			}
			r.Hit(Hit{Copy: c.Copy, At: f.At, Path: "decision.roles.probe", Got: "judge", Want: "prescreen",
				Text: schema.Textf("the probe judges alone: a broken probe path moves healthy traffic, a healthy one hides a broken business", "探测单独裁决：探测路径故障会误切正常流量，探测正常会掩盖业务故障"),
				Hint: schema.Textf("set roles.business: judge and roles.probe: prescreen", "设置 roles.business: judge 与 roles.probe: prescreen")})
		}),
	}
}
