package rules

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
)

func cooldownGranularityMismatch() Rule {
	return Rule{
		ID: "cooldown/granularity-mismatch", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "decision, cooldown and ramp work by different granularities", Zh: "判断、冷却与放量的粒度不一致"},
		Copy: deciding(schema.Cooldown, func(c *Copy, r *Reporter) {
			decision, d := c.Copy.Get("decision.granularity")
			cooldown, k := c.Copy.Get("cooldown.granularity")
			ramp, m := c.Copy.Get("ramp.by")
			var parts []string
			var at schema.Span
			add := func(name string, f schema.Field) {
				parts = append(parts, name+" "+f.Value.Text())
				at = f.At
			}
			if d {
				add("decision.granularity", decision)
			}
			if k {
				add("cooldown.granularity", cooldown)
			}
			byRegion := m && ramp.Value.Text() == "region"
			mismatch := d && k && decision.Value.Text() != cooldown.Value.Text()
			if byRegion && (d && decision.Value.Text() != "region" || k && cooldown.Value.Text() != "region") {
				add("ramp.by", ramp)
				mismatch = true
			}
			if !mismatch {
				return
			}
			if k && !byRegion {
				at = cooldown.At
			}
			all := strings.Join(parts, ", ")
			r.Hit(Hit{Copy: c.Copy, At: at, Item: schema.Cooldown, Field: "granularity", Got: all,
				Text: schema.Textf("decision, cooldown and ramp name different granularities: %s", "判断、冷却与放量的粒度不同：%s", all),
				Hint: schema.Textf("use one granularity for what goes out, stays out and comes back", "移出、冷却、回归使用同一粒度")})
		}),
	}
}
