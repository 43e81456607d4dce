package rules

import (
	"fmt"

	"github.com/poolproof/poolproof/schema"
)

func breakerEjectionCap() Rule {
	return Rule{
		ID: "breaker/ejection-cap", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "members, cap and panic line together let nobody be ejected, or everybody", Zh: "成员数、上限与恐慌线合起来使得一个都摘不掉，或全部都能摘掉"},
		Copy: func(c *Copy, r *Reporter) {
			at, written := c.outlier()
			limit, ok := c.EffectiveOf("outlier_detection.max_ejected")
			n := int64(c.size())
			if !c.runs() || !written || !ok || n == 0 {
				return
			}
			percent, _ := c.Int("outlier_detection.max_ejection_percent")
			most, other := limit.Value.Int(), limit.Value.Int()
			if limit.Unsure {
				other = limit.Other.Int()
			}
			h := Hit{Copy: c.Copy, At: at, Item: schema.Decision, Field: "max_ejection_percent", Got: fmt.Sprintf("%d of %d", most, n)}
			implied := c.implied("outlier_detection.max_ejection_percent")
			line := c.panicLine()
			switch {
			case most == 0:
				h.Want = ">= 1"
				h.Text = schema.Textf("max_ejection_percent %d%s of %d members lets nobody be ejected: one of them is more than that", "max_ejection_percent %d%s，成员 %d 个：一个都不会被摘除，因为一个成员的占比已超过上限", percent, implied, n)
				if other > 0 {
					h.Text = plus(h.Text, schema.Textf(" (Envoy before 1.28 ejects %d all the same, and nobody said which version runs)", "（1.28 之前的 Envoy 仍会摘除 %d 个，而版本未指明）", other))
				}
				h.Hint = schema.Textf("write max_ejection_percent: %d or more, or always_eject_one_host: true (Envoy 1.31)", "请写 max_ejection_percent: %d 以上，或 always_eject_one_host: true（Envoy 1.31）", (99+n)/n)
			case n == 1 && line > 0:
				h.Want = "another member, or no outlier_detection"
				h.Text = schema.Textf("ejecting the only member changes nothing: below the panic line of %d %% Envoy sends to it all the same", "摘除唯一的成员没有作用：低于恐慌线 %d %% 时 Envoy 仍发往该成员", line)
				h.Hint = schema.Textf("add a member, or leave the outlier detection out", "请增加成员，或去掉 outlier_detection")
			case most >= n && line == 0:
				h.Want = fmt.Sprintf("<= %d", n-1)
				h.Text = schema.Textf("all %d members can be ejected at once (max_ejection_percent %d), and no panic line lets requests through then: one shared fault is an outage", "%d 个成员可能同时被摘除（max_ejection_percent %d），且没有恐慌线放行：一次共同故障就是全面中断", n, percent)
				h.Hint = schema.Textf("lower max_ejection_percent so that one member stays, or set healthy_panic_threshold", "请降低 max_ejection_percent 以保留一个成员，或设置 healthy_panic_threshold")
			case c.panicsAtOnce(n, line):
				h.Want = fmt.Sprintf("a panic line of %d %% at most", 100*(n-1)/n)
				h.Text = schema.Textf("the first ejection leaves %d %% of %d members, which is below the panic line of %d %%: Envoy then sends to all, and nobody is out", "摘除一个后剩 %d %%（共 %d 个成员），低于恐慌线 %d %%：Envoy 会发往所有成员，等于没有摘除", 100*(n-1)/n, n, line)
				h.Hint = schema.Textf("lower healthy_panic_threshold, or add members", "请降低 healthy_panic_threshold，或增加成员")
			default:
				return
			}
			r.Hit(h)
		},
	}
}

// panicLine returns below how many percent of healthy members Envoy sends to all; 0 where it never does.
func (c *Copy) panicLine() int64 {
	if c.yes("common_lb_config.zone_aware_lb_config.fail_traffic_on_panic") {
		return 0
	}
	if f, ok := c.Copy.Get("onAllOut.panicBelow"); ok {
		return int64(f.Value.Number())
	}
	if c.Said("onAllOut.panicBelow") {
		return -1 // unresolved
	}
	return 50
}

// panicsAtOnce reports whether the first of n ejections brings a pool of one tier below its panic line. With 5 of 7
// healthy members (overprovisioning factor 140) Envoy does not panic, whatever the line is.
func (c *Copy) panicsAtOnce(n, line int64) bool {
	factor := int64(140)
	if f, ok := c.Copy.Get("load_assignment.policy.overprovisioning_factor"); ok {
		factor = f.Value.Int()
	}
	return c.oneTier() && n > 1 && factor*(n-1)/n < 100 && 100*(n-1)/n < line
}
