package rules

import "github.com/poolproof/poolproof/schema"

func rampMetrics() Rule {
	return Rule{
		ID: "ramp/metrics", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "the stop conditions see neither tail latency nor business volume, or only a mean", Zh: "停止条件未覆盖尾部时延或业务量，或只看均值"},
		Copy: deciding(schema.Ramp, func(c *Copy, r *Reporter) {
			if len(c.Copy.Stops) == 0 {
				return
			}
			var tail, mean, volume bool
			var meanAt schema.Span
			for _, s := range c.Copy.Stops {
				switch s.Metric {
				case "latency-p95", "latency-p99":
					tail = true
				case "latency-mean":
					mean, meanAt = true, s.At
				case "business-volume":
					volume = true
				}
			}
			if (tail || volume) && !(mean && !tail) {
				return
			}
			h := Hit{Copy: c.Copy, At: c.Copy.Stops[0].At, Item: schema.Ramp, Field: "stop"}
			h.Text = schema.Textf("the stop conditions see neither tail latency nor business volume", "停止条件既不看尾部时延，也不看业务量")
			if mean && !tail {
				h.At = meanAt
				h.Text = schema.Textf("the stop conditions see only a mean latency, which hides the slow requests", "停止条件只看平均时延，会掩盖慢请求")
			}
			h.Hint = schema.Textf("add {metric: latency-p99, above: 1.5, against: baseline} or a business-volume condition", "补上 {metric: latency-p99, above: 1.5, against: baseline} 或业务量条件")
			r.Hit(h)
		}),
	}
}
