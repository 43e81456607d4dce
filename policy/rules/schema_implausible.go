package rules

import (
	"time"

	"github.com/poolproof/poolproof/schema"
)

// band is the range outside which a length of time is more likely a slip than a wish.
type band struct{ lo, hi time.Duration }

var bands = map[schema.Path]band{
	"probe.interval":         {50 * time.Millisecond, 10 * time.Minute},
	"probe.intervals.fast":   {50 * time.Millisecond, 10 * time.Minute},
	"probe.intervals.down":   {50 * time.Millisecond, 10 * time.Minute},
	"probe.intervals.idle":   {50 * time.Millisecond, 10 * time.Minute},
	"probe.timeout":          {50 * time.Millisecond, 10 * time.Minute},
	"cooldown.duration":      {time.Second, 24 * time.Hour},
	"cooldown.max":           {time.Second, 24 * time.Hour},
	"ramp.rollback.cooldown": {time.Second, 24 * time.Hour},
}

var dwellBand = band{time.Second, 7 * 24 * time.Hour}

func schemaImplausible() Rule {
	return Rule{
		ID: "schema/implausible", Severity: schema.Warning,
		Title: schema.Text{En: "a length of time outside every plausible range", Zh: "时长超出合理范围"},
		Copy: func(c *Copy, r *Reporter) {
			judge := func(p schema.Path, d time.Duration, b band, at schema.Span) {
				if d >= b.lo && d <= b.hi || d == 0 {
					return
				}
				r.Hit(Hit{Copy: c.Copy, At: at, Path: p, Got: schema.FormatDuration(d), Want: schema.FormatDuration(b.lo) + " to " + schema.FormatDuration(b.hi),
					Text: schema.Textf("%s of %s is outside %s to %s: unit slip?", "%s 为 %s，超出 %s 至 %s：单位写错了？", p, schema.FormatDuration(d), schema.FormatDuration(b.lo), schema.FormatDuration(b.hi)),
					Hint: schema.Textf("check the unit that this format reads", "检查该格式采用的单位")})
			}
			for i := range c.Copy.Fields {
				f := &c.Copy.Fields[i]
				if f.Value.Kind() != schema.Duration {
					continue
				}
				if b, ok := bands[f.Path]; ok {
					judge(f.Path, f.Value.Duration(), b, f.At)
				}
			}
			for i := range c.Copy.Batches {
				t := &c.Copy.Batches[i]
				if t.HasDwell {
					judge(schema.Path("ramp."+batchField(i, "dwell")), t.Dwell, dwellBand, t.DwellAt)
				}
			}
		},
	}
}
