package rules

import (
	"time"

	"github.com/poolproof/poolproof/schema"
)

// Rates in probes a second above which probing is a load of its own.
const (
	maxMemberProbes = 50
	maxPoolProbes   = 1000
)

func probeLoad() Rule {
	return Rule{
		ID: "probe/load", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "probes come so often that they are a load of their own", Zh: "探测过于频繁，本身成为负载"},
		Copy: deciding(schema.Probe, func(c *Copy, r *Reporter) {
			interval, ok := c.Duration("probe.interval")
			if !ok || interval <= 0 {
				return
			}
			perMember := float64(time.Second) / float64(interval)
			perPool := perMember * float64(len(c.Copy.Members))
			jitter, jittered := c.Number("probe.jitter")
			switch {
			case perMember > maxMemberProbes:
				r.Hit(Hit{Copy: c.Copy, At: c.Place("probe.interval"), Path: "probe.interval", Got: schema.FormatDuration(interval),
					Text: schema.Textf("every prober sends %.0f probes a second to each member", "每个探测方每秒向每个成员发送 %.0f 次探测", perMember),
					Hint: schema.Textf("lengthen the interval; 50 a second for one member is the line", "加长间隔；单个成员以每秒 50 次为限")})
			case perPool > maxPoolProbes && !(jittered && jitter > 0) && !c.Profile.Traits.SpreadsProbes:
				r.Hit(Hit{Copy: c.Copy, At: c.Place("probe.interval"), Path: "probe.interval", Got: schema.FormatDuration(interval),
					Text: schema.Textf("every prober sends %.0f probes a second to the pool, in lock step", "每个探测方每秒同步向该池发送 %.0f 次探测", perPool),
					Hint: schema.Textf("lengthen the interval, or spread the probes with a jitter", "加长间隔，或用抖动错开探测")})
			}
		}),
	}
}
