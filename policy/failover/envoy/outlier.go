package envoy

import (
	"math"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// Monitors of success rates.
const (
	external = iota
	localOrigin
)

// observe lets the outlier detection see the end of an attempt.
func (e *Engine) observe(now time.Duration, i int, o failover.Outcome) {
	if !e.outlier.on {
		return
	}
	switch o.Kind {
	case failover.Cancelled, failover.Severed:
		return
	case failover.Answered:
		if e.outlier.split {
			e.connected(i)
		}
		e.answered(now, i, o.Status)
		return
	}
	if !e.outlier.split {
		status := uint16(503)
		if o.Kind == failover.Timeout {
			status = 504
		}
		e.answered(now, i, status)
		return
	}
	if o.Kind == failover.Timeout || o.Kind == failover.Reset {
		e.connected(i)
	}
	h := &e.hosts[i]
	h.rates[localOrigin].total++
	if h.local++; h.local == e.outlier.consecutiveLocal && !h.ejected {
		e.eject(now, i, e.outlier.enforceLocal, schema.Textf("%d local-origin failures in a row", "连续 %d 次本地来源失败", e.outlier.consecutiveLocal))
		h.local = 0
	}
}

// connected is a success of local origin: there is a connection.
func (e *Engine) connected(i int) {
	h := &e.hosts[i]
	h.rates[localOrigin].total++
	h.rates[localOrigin].good++
	h.local = 0
}

// answered counts a status (putHttpResponseCode). A counter that reaches its threshold is set back whether the host goes
// or not; for a host that is out already nothing happens.
func (e *Engine) answered(now time.Duration, i int, status uint16) {
	h, o := &e.hosts[i], &e.outlier
	h.rates[external].total++
	if status < 500 || status > 599 {
		h.rates[external].good++
		h.errors, h.gateway = 0, 0
		return
	}
	if status >= 502 && status <= 504 {
		if h.gateway++; h.gateway == o.consecutiveGateway && !h.ejected {
			e.eject(now, i, o.enforceGateway, schema.Textf("%d gateway failures in a row", "连续 %d 次网关错误", o.consecutiveGateway))
			h.gateway = 0
		}
	} else {
		h.gateway = 0
	}
	if h.errors++; h.errors == o.consecutive5xx && !h.ejected {
		e.eject(now, i, o.enforce5xx, schema.Textf("%d times 5xx in a row", "连续 %d 次 5xx", o.consecutive5xx))
		h.errors = 0
	}
}

// eject takes a host out if the cap and the enforcement allow it (ejectHost).
func (e *Engine) eject(now time.Duration, i, enforcing int, why schema.Text) {
	h, o := &e.hosts[i], &e.outlier
	n := len(e.hosts)
	var allowed bool
	if o.beforeCountingTheOneToGo {
		allowed = e.ejected == 0 || 100*e.ejected < o.percent*n
	} else {
		allowed = 100*(e.ejected+1) <= o.percent*n || o.alwaysOne && e.ejected == 0
	}
	if !allowed || enforcing < 100 && e.rand.IntN(100) >= enforcing {
		return
	}
	h.ejected, h.ejectedAt, h.jitter = true, now, 0
	e.ejected++
	if o.jitter > 0 {
		h.jitter = time.Duration(e.rand.IntN(int(o.jitter/time.Millisecond)+1)) * time.Millisecond
	}
	if time.Duration(h.backoff)*o.base < o.longest+o.base {
		h.backoff++
	}
	e.changed(now, i, why)
}

// unejected clears an ejection and the consecutive counters.
func (e *Engine) unejected(now time.Duration, h *host) {
	h.ejected = false
	e.ejected--
	h.errors, h.gateway, h.local = 0, 0, 0
	h.unejectedAt = now
}

// swept is the interval timer: returns, then statistics, then the decay of the back-off.
func (e *Engine) swept(now time.Duration) {
	o := &e.outlier
	for i := range e.hosts {
		if h := &e.hosts[i]; h.ejected && now-h.ejectedAt >= min(time.Duration(h.backoff)*o.base, o.longest)+h.jitter {
			e.unejected(now, h)
			e.changed(now, i, schema.Textf("its ejection is over", "摘除期已满"))
		}
	}
	e.judge(now, external, o.enforceRate, o.enforceFailure)
	if o.split {
		e.judge(now, localOrigin, o.enforceRateLocal, o.enforceFailureLocal)
	}
	for i := range e.hosts {
		h := &e.hosts[i]
		h.rates = [2]rate{}
		if !h.ejected && h.unejectedAt != never && now-h.unejectedAt >= o.interval && h.backoff > 0 {
			h.backoff--
		}
	}
}

// judge compares the hosts' success rates of the interval that has ended (processSuccessRateEjections).
func (e *Engine) judge(now time.Duration, monitor, enforceRate, enforceFailure int) {
	o := &e.outlier
	if len(e.hosts) < o.rateHosts && len(e.hosts) < o.failureHosts {
		return
	}
	rated, volumes, sum, squares := 0, 0, 0.0, 0.0
	for i := range e.hosts {
		h := &e.hosts[i]
		if r := h.rates[monitor]; !h.ejected && r.total > 0 {
			if r.total >= o.rateVolume {
				rated++
				sum += r.percent()
			}
			if r.total >= o.failureVolume {
				volumes++
			}
		}
	}
	if rated > 0 && rated >= o.rateHosts {
		mean := sum / float64(rated)
		for i := range e.hosts {
			if h := &e.hosts[i]; !h.ejected && h.rates[monitor].total >= max(1, o.rateVolume) {
				d := h.rates[monitor].percent() - mean
				squares += d * d
			}
		}
		line := mean - o.rateFactor*math.Sqrt(squares/float64(rated))
		for i := range e.hosts {
			if h := &e.hosts[i]; !h.ejected && h.rates[monitor].total >= max(1, o.rateVolume) && h.rates[monitor].percent() < line {
				e.eject(now, i, enforceRate, schema.Textf("success rate %.1f %%, below %.1f %%", "成功率 %.1f %%，低于 %.1f %%", h.rates[monitor].percent(), line))
			}
		}
	}
	if volumes == 0 || volumes < o.failureHosts {
		return
	}
	for i := range e.hosts {
		h := &e.hosts[i]
		if r := h.rates[monitor]; !h.ejected && r.total >= max(1, o.failureVolume) && 100-r.percent() >= o.failureThreshold {
			e.eject(now, i, enforceFailure, schema.Textf("%.1f %% of its requests failed", "失败率 %.1f %%", 100-r.percent()))
		}
	}
}

func (r rate) percent() float64 { return 100 * float64(r.good) / float64(r.total) }
