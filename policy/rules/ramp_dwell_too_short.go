package rules

import (
	"time"

	"github.com/poolproof/poolproof/schema"
)

func rampDwellTooShort() Rule {
	return Rule{
		ID: "ramp/dwell-too-short", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "a batch ends before it can be judged", Zh: "批次停留时间不足以判断"},
		Copy: deciding(schema.Ramp, func(c *Copy, r *Reporter) {
			window := time.Duration(0)
			if v, ok := c.find("decision.window"); ok {
				window = v.Duration()
			}
			for i := range c.Copy.Batches {
				b := &c.Copy.Batches[i]
				if !b.HasDwell || b.Manual {
					continue
				}
				h := Hit{Copy: c.Copy, At: firstKnown(b.DwellAt, b.At), Item: schema.Ramp, Field: batchField(i, "dwell"), Got: schema.FormatDuration(b.Dwell)}
				samples := c.In.RPS() * b.Share / 100 * b.Dwell.Seconds()
				switch {
				case b.HasShare && b.MinSamples > 0 && c.In.RPS() > 0 && samples < float64(b.MinSamples):
					h.Text = schema.Textf("batch %d sees %.0f requests in %s, fewer than its floor of %d", "第 %d 批在 %[3]s 内只有 %.0[2]f 个请求，少于下限 %[4]d", i+1, samples, h.Got, b.MinSamples)
				case b.Dwell < window && i < len(c.Copy.Batches)-1:
					h.Text = schema.Textf("batch %d dwells %s, shorter than the window of the decision (%s)", "第 %d 批停留 %s，短于判断窗口（%s）", i+1, h.Got, schema.FormatDuration(window))
				default:
					continue
				}
				h.Hint = schema.Textf("dwell longer, or start with a larger share", "延长停留，或提高起始比例")
				r.Hit(h)
			}
		}),
	}
}
