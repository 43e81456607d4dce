package envoy

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover"
)

// Marks on a request (Own.Flags).
const (
	began    uint16 = 1 << iota // Own.At is when it began
	retrying                    // it holds one of the retries that may be under way at once
)

// Statuses that Envoy answers with by itself.
const (
	unavailable = 503
	tooLate     = 504
)

// Pick chooses a host for a request that comes in, or whose back-off is over.
func (e *Engine) Pick(now time.Duration, r *failover.Request) failover.Decision {
	if r.Own.Flags&began == 0 {
		r.Own.Flags |= began
		r.Own.At = now
		e.active++
	} else if e.late(now, r) {
		return e.answer(r, tooLate, false)
	}
	i := e.choose(now)
	if i < 0 {
		return e.answer(r, unavailable, r.Own.Tries == 0) // no healthy upstream
	}
	e.used = true
	e.hosts[i].active++
	r.Lease = failover.Lease{Member: i}
	return failover.Decision{Action: failover.Send}
}

// late reports whether the route's timeout is over.
func (e *Engine) late(now time.Duration, r *failover.Request) bool {
	return e.retry.total > 0 && now-r.Own.At >= e.retry.total
}

func (e *Engine) answer(r *failover.Request, status uint16, refused bool) failover.Decision {
	e.done(r)
	return failover.Decision{Action: failover.Answer, Status: status, Refused: refused}
}

func (e *Engine) done(r *failover.Request) {
	e.active--
	e.release(r)
}

func (e *Engine) release(r *failover.Request) {
	if r.Own.Flags&retrying != 0 {
		r.Own.Flags &^= retrying
		e.retrying--
	}
}

// Report takes the outcome of an attempt.
func (e *Engine) Report(now time.Duration, r *failover.Request, o failover.Outcome) failover.Decision {
	i := int(r.Lease.Member)
	e.hosts[i].active--
	e.observe(now, i, o)
	if o.Kind == failover.Cancelled {
		return e.answer(r, 0, false)
	}
	if e.late(now, r) && (o.Kind != failover.Answered || r.Own.Tries > 0) {
		return e.answer(r, tooLate, false)
	}
	if e.retries(o) {
		if wait, ok := e.again(r); ok {
			at := now + wait
			if e.retry.total > 0 {
				at = min(at, r.Own.At+e.retry.total)
			}
			return failover.Decision{Action: failover.Wait, At: at}
		}
	}
	switch o.Kind {
	case failover.Answered:
		e.done(r)
		return failover.Decision{Action: failover.Pass}
	case failover.Timeout:
		return e.answer(r, tooLate, false)
	}
	return e.answer(r, unavailable, false)
}

// retries reports whether the policy asks for another attempt. Envoy does not mind the method.
func (e *Engine) retries(o failover.Outcome) bool {
	t := &e.retry
	switch o.Kind {
	case failover.Answered:
		s := o.Status
		return t.on5xx && s >= 500 && s <= 599 || t.gateway && s >= 502 && s <= 504 || t.retriable4 && s == 409 || t.statuses.Has(s)
	case failover.Refused, failover.ConnectTimeout:
		return t.on5xx || t.gateway || t.reset || t.connect
	case failover.Timeout, failover.Reset:
		return t.on5xx || t.gateway || t.reset
	}
	return false
}

// again takes one of the retries that are left and returns how long to back off: at random up to a time that doubles.
func (e *Engine) again(r *failover.Request) (time.Duration, bool) {
	t := &e.retry
	e.release(r)
	if int(r.Own.Tries) >= t.max {
		return 0, false
	}
	limit := t.concurrent
	if t.budget > 0 {
		limit = max(limit, int(t.budget*float64(e.active)/100))
	}
	if e.retrying >= limit {
		return 0, false
	}
	e.retrying++
	r.Own.Flags |= retrying
	longest := min(t.base<<min(int(r.Own.Tries), maxBackoffGrowthSteps), t.longest)
	r.Own.Tries++
	return time.Duration(e.rand.Float64() * float64(longest)), true
}
