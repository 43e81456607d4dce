package rules

import (
	"time"

	"github.com/poolproof/poolproof/schema"
)

func cooldownShorterThanProof() Rule {
	return Rule{
		ID: "cooldown/shorter-than-proof", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "the cooldown is shorter than the time that a proof of recovery needs", Zh: "冷却短于证明恢复所需时间"},
		Copy: deciding(schema.Cooldown, func(c *Copy, r *Reporter) {
			f, ok := c.Copy.Get("cooldown.duration")
			if !ok {
				return
			}
			duration, _ := c.Duration("cooldown.duration")
			report := func(need time.Duration, en, zh string) {
				got, want := schema.FormatDuration(duration), schema.FormatDuration(need)
				r.Hit(Hit{Copy: c.Copy, At: f.At, Path: "cooldown.duration", Got: got, Want: ">= " + want,
					Text: schema.Textf("a cooldown of %s is shorter than "+en+" (%s)", "冷却 %s 短于"+zh+"（%s）", got, want),
					Hint: schema.Textf("lengthen the cooldown to %s or more", "将冷却加长到 %s 以上", want)})
			}
			interval, ok := c.find("probe.interval")
			rise, ok2 := c.find("probe.rise")
			if ok && ok2 {
				timeout, _ := c.find("probe.timeout")
				if need := rounds(interval.Duration(), rise.Int(), timeout.Duration()); duration < need {
					report(need, "rise x interval + timeout of the probe", "探测的 恢复阈值 x 间隔 + 超时")
					return
				}
			}
			if window, ok := c.find("decision.window"); ok && duration < window.Duration() && !c.Profile.Traits.FreshWindow {
				report(window.Duration(), "the window of the decision", "判断窗口")
				return
			}
			if fault, ok := c.find("cooldown.typicalFault"); ok && duration < fault.Duration() {
				report(fault.Duration(), "a typical fault", "典型故障时长")
			}
		}),
	}
}

// find returns a setting of the copy, else of the pool.
func (c *Copy) find(p schema.Path) (schema.Value, bool) {
	if v, _, ok := c.Value(p); ok {
		return v, true
	}
	return c.In.Find(p)
}
