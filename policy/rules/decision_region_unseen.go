package rules

import "github.com/poolproof/poolproof/schema"

func decisionRegionUnseen() Rule {
	return Rule{
		ID: "decision/region-unseen", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "a decision by region without saying where the true region is visible", Zh: "按地区判断但未说明真实来源地区从何得知"},
		Copy: deciding(schema.Decision, func(c *Copy, r *Reporter) {
			f, ok := c.Copy.Get("decision.granularity")
			if !ok || f.Value.Text() != "region" || c.Said("decision.regionFrom") {
				return
			}
			r.Hit(Hit{Copy: c.Copy, At: f.At, Item: schema.Decision, Field: "regionFrom",
				Text: schema.Textf("decisions are made by region, but nothing says where the true source region is visible", "按地区判断，但未说明真实来源地区从何处可见"),
				Hint: schema.Textf("add decision.regionFrom (a header, the edge's log), or judge by another granularity", "补上 decision.regionFrom（请求头、边缘日志等），或改用其他粒度")})
		}),
	}
}
