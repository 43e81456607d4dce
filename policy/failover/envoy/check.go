package envoy

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// Probed takes the result of a check and plans the next one from its end.
func (e *Engine) Probed(now time.Duration, p failover.Probe, o failover.Outcome) {
	h := &e.hosts[p.Member]
	passed := o.Kind == failover.Answered && (e.checks.tcp || e.checks.expected.Has(o.Status))
	first := h.first
	h.first = false
	pending := false
	if passed {
		pending = e.passed(now, int(p.Member))
	} else {
		pending = e.failedCheck(now, int(p.Member), first, o)
	}
	h.due = now + e.interval(passed, pending, first)
	e.schedule(now)
}

// passed counts a passed check and reports whether a change is pending.
func (e *Engine) passed(now time.Duration, i int) (pending bool) {
	h := &e.hosts[i]
	h.fails = 0
	if h.failed {
		if h.passes++; h.passes == e.checks.rise {
			h.failed, h.since = false, now
			e.uneject(now, h)
			e.changed(now, i, schema.Textf("%d checks passed", "连续 %d 次探测成功", e.checks.rise))
			return false
		}
		return true
	}
	if e.uneject(now, h) {
		e.changed(now, i, schema.Textf("a check passed: no longer ejected", "探测成功：解除摘除"))
	}
	return false
}

// uneject ends an ejection early, because a check has passed on a host that its checks do not hold down.
func (e *Engine) uneject(now time.Duration, h *host) bool {
	if !h.ejected || h.failed || !e.outlier.passingCheckUnejects {
		return false
	}
	e.unejected(now, h)
	return true
}

// failedCheck counts a failed check. Only network failures, time-outs and retriable statuses are counted; any other
// answer that is not expected takes the host out at once, and so does the first check.
func (e *Engine) failedCheck(now time.Duration, i int, first bool, o failover.Outcome) (pending bool) {
	h := &e.hosts[i]
	h.passes = 0
	if h.failed {
		return false
	}
	counted := o.Kind != failover.Answered || e.checks.retriables.Has(o.Status)
	if counted && !first {
		if h.fails++; h.fails != e.checks.fall {
			return true
		}
	}
	h.failed = true
	e.changed(now, i, failure(o))
	return false
}

// failure words a failed check.
func failure(o failover.Outcome) schema.Text {
	switch o.Kind {
	case failover.Answered:
		return schema.Textf("check failed: status %d", "探测失败：状态码 %d", o.Status)
	case failover.Refused:
		return schema.Textf("check failed: connection refused", "探测失败：连接被拒绝")
	case failover.ConnectTimeout, failover.Timeout:
		return schema.Textf("check failed: timeout", "探测失败：超时")
	}
	return schema.Textf("check failed: connection closed", "探测失败：连接被关闭")
}

// interval is how long after a result the next check comes. The round of the start is over before any traffic.
func (e *Engine) interval(passed, pending, first bool) time.Duration {
	k := &e.checks
	var d time.Duration
	switch {
	case first || !e.used:
		if d = k.idle; passed && !pending {
			d = k.idleHealthy
		}
	case passed && pending:
		d = k.edge
	case passed:
		d = k.interval
	case pending:
		d = k.unhealthyEdge
	default:
		d = k.unhealthy
	}
	if most := time.Duration(float64(d) * k.jitterPercent / 100); most > 0 {
		d += time.Duration(e.rand.Float64() * float64(most))
	}
	if k.jitter > 0 {
		d += time.Duration(e.rand.Float64() * float64(k.jitter))
	}
	return d
}
