package rules

import (
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/profile"
)

func probeTimeoutNotBelowInterval() Rule {
	return Rule{
		ID: "probe/timeout-not-below-interval", Severity: schema.Error,
		Title: schema.Text{En: "a probe may last as long as the interval or longer, and the engine does not wait for it", Zh: "探测超时不小于间隔，且引擎不会等待"},
		Copy: func(c *Copy, r *Reporter) {
			rule := c.Profile.Traits.Timeout
			if c.Native() {
				rule = profile.TimeoutRefused
			}
			if !c.Copy.States(schema.Probe) || rule == profile.TimeoutFree {
				return
			}
			timeout, ok := c.Duration("probe.timeout")
			interval, ok2 := c.Duration("probe.interval")
			if !ok || !ok2 || timeout < interval || interval <= 0 || rule == profile.TimeoutOverlaps && timeout == interval {
				return
			}
			h := Hit{Copy: c.Copy, At: c.Place("probe.timeout"), Path: "probe.timeout", Got: schema.FormatDuration(timeout), Want: "< " + schema.FormatDuration(interval)}
			h.Text = schema.Textf("the probe's timeout %s is not below its interval %s", "探测超时 %s 不小于间隔 %s", h.Got, schema.FormatDuration(interval))
			if rule == profile.TimeoutOverlaps {
				h.Severity = schema.Warning
				h.Text = plus(h.Text, schema.Textf(": %s starts the next probe all the same, so slow probes pile up", "：%s 仍会按时发起下一次探测，慢探测会堆积", c.Profile.Name))
			}
			h.Hint = schema.Textf("shorten the timeout or lengthen the interval", "缩短超时或加长间隔")
			r.Hit(h)
		},
	}
}
