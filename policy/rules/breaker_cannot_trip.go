package rules

import (
	"fmt"
	"time"

	"github.com/poolproof/poolproof/schema"
)

func breakerCannotTrip() Rule {
	return Rule{
		ID: "breaker/cannot-trip", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "a removal needs more failures than fit in the window or the traffic", Zh: "摘除所需的失败次数超出窗口或流量所能容纳"},
		Copy: func(c *Copy, r *Reporter) {
			if !c.runs() {
				return
			}
			name, _ := c.engine()
			switch {
			case name == "envoy":
				c.detectorsOff(r)
			case !c.Copy.States(schema.Decision) || !c.Counts(schema.Decision):
			case name == "haproxy":
				c.clearedFirst(r)
			case name == "nginx" || name == "nginx-plus" || name == "tengine":
				c.tooFarApart(r)
			case c.Native():
				c.tooManyInARow(r)
				c.tooFewSlow(r)
			}
		},
	}
}

// inSpan returns how many requests the smallest unit that is judged sees in a span, and that unit; ok is false where the
// traffic is not known. Gateways judge their members one by one.
func (c *Copy) inSpan(span time.Duration) (samples float64, unit string, ok bool) {
	rps := c.In.RPS()
	share, unit := c.smallest()
	if !c.Native() {
		if share, unit = c.smallestMember(); unit == "" {
			unit = "the pool"
		}
	}
	return rps * share * span.Seconds(), unit, rps > 0 && span > 0
}

func (c *Copy) tooMany(r *Reporter, n int64, samples float64, text schema.Text) {
	r.Hit(Hit{Copy: c.Copy, At: c.Place("decision.consecutive"), Path: "decision.consecutive", Got: fmt.Sprint(n), Want: fmt.Sprintf("<= %.0f", samples), Text: text,
		Hint: schema.Textf("ask for fewer failures, or give them more time to add up", "请降低失败次数，或留出更长的累计时间")})
}

// tooManyInARow: the row of failures is longer than the requests of a window. Where the sample floor is not met either,
// decision/starved speaks.
func (c *Copy) tooManyInARow(r *Reporter) {
	f, written := c.Copy.Get("decision.consecutive")
	window, _ := c.Duration("decision.window")
	samples, unit, ok := c.inSpan(window)
	if floor, said := c.Int("decision.minSamples"); !written || !ok || said && samples < float64(floor) || samples >= float64(f.Value.Int()) {
		return
	}
	c.tooMany(r, f.Value.Int(), samples, schema.Textf("%d failures in a row do not fit into a window of %s, in which %s sees %.3g requests", "窗口 %[2]s 内 %[3]s 只有 %.3[4]g 个请求，容不下连续 %[1]d 次失败",
		f.Value.Int(), schema.FormatDuration(window), unit, samples))
}

// tooFewSlow: slow results that count once per dedupe interval take longer to be confirmed than the window is; or every
// attempt is cut off before it counts as slow, and nothing else is looked at.
func (c *Copy) tooFewSlow(r *Reporter) {
	confirmations, _ := c.Int("decision.slow.confirmations")
	dedupe, ok := c.Duration("decision.slow.dedupe")
	window, ok2 := c.Duration("decision.window")
	if need := min(confirmations, 1<<20) - 1; ok && ok2 && dedupe > 0 && need > 0 && int64(window)/int64(dedupe) < need {
		r.Hit(Hit{Copy: c.Copy, At: c.Place("decision.slow.confirmations"), Path: "decision.slow.confirmations", Got: fmt.Sprint(confirmations), Want: fmt.Sprintf("<= %d", int64(window)/int64(dedupe)+1),
			Text: schema.Textf("%d slow results, of which one in %s counts, do not fit into a window of %s", "每 %[2]s 只计一次慢请求，窗口 %[3]s 内凑不满 %[1]d 次", confirmations, schema.FormatDuration(dedupe), schema.FormatDuration(window)),
			Hint: schema.Textf("lengthen the window, or shorten dedupe", "请加长窗口，或缩短 dedupe")})
		return
	}
	limit, ok := c.Duration("retry.perTry")
	threshold, ok2 := c.Duration("decision.slow.threshold")
	if !ok || !ok2 || limit <= 0 || limit >= threshold || c.Said("decision.errorRatio") || c.Said("decision.consecutive") {
		return
	}
	r.Hit(Hit{Copy: c.Copy, At: c.Place("decision.slow.threshold"), Path: "decision.slow.threshold", Got: schema.FormatDuration(threshold), Want: "<= " + schema.FormatDuration(limit),
		Text:    schema.Textf("every attempt ends after %s (retry.perTry), so none can take %s and count as slow; and nothing else is judged", "每次尝试在 %s（retry.perTry）后结束，不可能达到 %s 而计为慢；且没有其他判断条件", schema.FormatDuration(limit), schema.FormatDuration(threshold)),
		Hint:    schema.Textf("put the threshold below perTry, or judge by errors too", "请把阈值设在 perTry 以下，或同时按错误判断"),
		Related: []Relative{{Copy: c.Copy, At: c.Place("retry.perTry"), Value: schema.FormatDuration(limit), Label: schema.Textf("the limit of an attempt", "单次尝试的时限")}}})
}

// clearedFirst: every good check sets HAProxy's count of observed errors back, so the limit has to be reached between two.
func (c *Copy) clearedFirst(r *Reporter) {
	n, ok := c.Int("decision.consecutive")
	interval, ok2 := c.Duration("probe.interval")
	samples, unit, ok3 := c.inSpan(interval)
	if !ok || !ok2 || !ok3 || !c.probed() || samples >= float64(n) {
		return
	}
	c.tooMany(r, n, samples, schema.Textf("error-limit %d%s is out of reach: each good check sets the count back to 0, and %s sees %.3g requests between two checks (%s)",
		"error-limit %d%s 无法达到：每次探测成功都会清零，而 %s 在两次探测之间（%[5]s）只有 %.3[4]g 个请求", n, c.implied("decision.consecutive"), unit, samples, schema.FormatDuration(interval)))
}

// tooFarApart: NGINX adds failures up only while each follows the last within fail_timeout.
func (c *Copy) tooFarApart(r *Reporter) {
	n, ok := c.Int("decision.consecutive")
	span, ok2 := c.Duration("cooldown.duration")
	samples, unit, ok3 := c.inSpan(span)
	if !ok || !ok2 || !ok3 || n < 2 || samples >= 1 {
		return
	}
	c.tooMany(r, n, 1, schema.Textf("max_fails %d is out of reach: failures add up while each follows the last within fail_timeout (%s), in which %s sees %.3g requests",
		"max_fails %d 无法达到：失败须在 fail_timeout（%s）内相继发生才累计，而 %s 此间只有 %.3g 个请求", n, schema.FormatDuration(span), unit, samples))
}

// detectorsOff: an outlier detection that is written, and of which no detector can eject anybody.
func (c *Copy) detectorsOff(r *Reporter) {
	at, written := c.outlier()
	if !written {
		return
	}
	const prefix = "outlier_detection."
	number := func(name schema.Path, def int64) int64 {
		if v, ok := c.Int(prefix + name); ok {
			return v
		}
		return def
	}
	unread := func() bool {
		for _, u := range c.Copy.Unresolved {
			if item := u.Path.Item(); item == schema.Decision || len(u.Path) > len(prefix) && u.Path[:len(prefix)] == prefix {
				return true
			}
		}
		return false
	}
	consecutive := number("consecutive_5xx", 5)
	if v, ok := c.Int("decision.consecutive"); ok && consecutive > 0 {
		consecutive = v
	}
	n := int64(c.size())
	enough := func(hosts schema.Path) bool { return n == 0 || n >= number(hosts, 5) }
	split := c.yes(prefix + "split_external_local_origin_errors")
	switch {
	case unread(),
		consecutive > 0 && number("enforcing_consecutive_5xx", 100) > 0,
		number("consecutive_gateway_failure", 5) > 0 && number("enforcing_consecutive_gateway_failure", 0) > 0,
		split && number("consecutive_local_origin_failure", 5) > 0 && number("enforcing_consecutive_local_origin_failure", 100) > 0,
		enough("success_rate_minimum_hosts") && (number("enforcing_success_rate", 100) > 0 || split && number("enforcing_local_origin_success_rate", 100) > 0),
		enough("failure_percentage_minimum_hosts") && (number("enforcing_failure_percentage", 0) > 0 || split && number("enforcing_failure_percentage_local_origin", 0) > 0):
		return
	}
	h := Hit{Copy: c.Copy, At: at, Item: schema.Decision, Field: "consecutive_5xx", Got: fmt.Sprint(consecutive), Want: "a detector that is enforced",
		Text: schema.Textf("no detector of this outlier_detection can eject a member: each is off, not enforced, or needs more hosts than the %d there are", "该 outlier_detection 的检测器都无法摘除成员：或关闭，或未强制执行，或要求的主机数超过现有的 %d 个", n),
		Hint: schema.Textf("write consecutive_5xx above 0 and enforce it, or lower the minimum of hosts", "请把 consecutive_5xx 设为大于 0 并强制执行，或降低最少主机数")}
	if n == 0 {
		h.Text = schema.Textf("no detector of this outlier_detection can eject a member: each is off or not enforced", "该 outlier_detection 的检测器都无法摘除成员：或关闭，或未强制执行")
	}
	for _, p := range []schema.Path{prefix + "enforcing_consecutive_5xx", prefix + "consecutive_5xx"} {
		if f, ok := c.Copy.Get(p); ok {
			h.At = f.At
		}
	}
	r.Hit(h)
}
