package haproxy

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover"
)

// Marks on a request (Own.Flags).
const (
	queued uint16 = 1 << iota // it waits in the queue
	same                      // the next attempt goes to the same server
)

// Statuses that HAProxy answers with by itself.
const (
	badGateway  = 502
	unavailable = 503
	tooLate     = 504
)

// Pick chooses a server for a request that comes in, has waited before a retry, or stands in the queue.
func (e *Engine) Pick(now time.Duration, r *failover.Request) failover.Decision {
	if r.Own.Flags == 0 {
		return e.assign(now, r)
	}
	return e.resume(now, r)
}

// resume goes on with a request that had to wait.
func (e *Engine) resume(now time.Duration, r *failover.Request) failover.Decision {
	if r.Own.Flags&same != 0 {
		r.Own.Flags &^= same
		return e.send(r, r.Own.Prev-1)
	}
	if now >= r.Own.At {
		e.queue.remove(r.Tag)
		r.Own.Flags &^= queued
		return e.answer(unavailable, r.Own.Tries == 0)
	}
	// Either its turn has come, which took it out of the queue, or nothing has changed.
	r.Own.Flags &^= queued
	until := r.Own.At
	d := e.assign(now, r)
	if d.Action == failover.Queue {
		r.Own.At, d.At = until, until
	}
	return d
}

// assign lets the balancer choose.
func (e *Engine) assign(now time.Duration, r *failover.Request) failover.Decision {
	if e.total == 0 {
		return e.answer(unavailable, r.Own.Tries == 0)
	}
	i := e.choose(now, r)
	if i >= 0 {
		return e.send(r, i)
	}
	// Servers are there, and all are full.
	r.Own.Flags |= queued
	r.Own.At = failover.Never
	if e.queueLimit > 0 {
		r.Own.At = now + e.queueLimit
	}
	e.queue.push(r.Tag)
	return failover.Decision{Action: failover.Queue, At: r.Own.At}
}

func (e *Engine) send(r *failover.Request, i int32) failover.Decision {
	s := &e.servers[i]
	s.conns++
	e.conns++
	if e.balance == leastConn {
		e.requeue(s)
	}
	r.Own.Prev = i + 1
	r.Lease = failover.Lease{Member: i, Generation: s.generation}
	return failover.Decision{Action: failover.Send}
}

// answer is what HAProxy says by itself. In TCP mode it just closes.
func (e *Engine) answer(status uint16, refused bool) failover.Decision {
	if e.tcp {
		status = 0
	}
	return failover.Decision{Action: failover.Answer, Status: status, Refused: refused}
}

// Report takes the outcome of an attempt.
func (e *Engine) Report(now time.Duration, r *failover.Request, o failover.Outcome) failover.Decision {
	i := int(r.Lease.Member)
	s := &e.servers[i]
	s.conns--
	e.conns--
	if e.balance == leastConn {
		e.requeue(s)
	}
	if s.maxconn > 0 && e.queue.len() > 0 && s.usable() {
		e.dispatch++
	}
	if s.observe != observeNone && o.Kind < failover.Severed && r.Lease.Generation == s.generation {
		e.observe(now, i, o)
	}
	if o.Kind == failover.Answered && (e.tcp || !e.retryStatus.Has(o.Status)) {
		return failover.Decision{Action: failover.Pass}
	}
	return e.after(now, r, o)
}

// after decides about a request whose attempt failed.
func (e *Engine) after(now time.Duration, r *failover.Request, o failover.Outcome) failover.Decision {
	left := int(r.Own.Tries) < e.retries
	switch o.Kind {
	case failover.Answered:
		if left {
			return e.retry(now, r, false)
		}
		return failover.Decision{Action: failover.Pass}
	case failover.Refused, failover.ConnectTimeout:
		if left && e.retryConn {
			return e.retry(now, r, o.Kind == failover.Refused)
		}
		return e.answer(unavailable, false)
	case failover.Timeout:
		if left && e.retryTimeout && !e.tcp {
			return e.retry(now, r, false)
		}
		return e.answer(tooLate, false)
	case failover.Reset:
		if left && e.retryEmpty && !e.tcp {
			return e.retry(now, r, false)
		}
		return e.answer(badGateway, false)
	case failover.Severed:
		return e.answer(badGateway, false)
	}
	return failover.Decision{Action: failover.Answer}
}

// retryWait is how long HAProxy waits before it tries the same server again.
const retryWait = time.Second

// retry makes another attempt. refused: the connection failed at once, so that trying again at once would most likely
// fail alike; HAProxy then waits, unless it may go to another server. Versions before 2.6 also wait where the algorithm
// is none of the round-robin kind.
func (e *Engine) retry(now time.Duration, r *failover.Request, refused bool) failover.Decision {
	r.Own.Tries++
	stays := !e.redispatches(r)
	if refused && (stays || e.active <= 1 || !e.balance.roundRobin() && e.known() && e.before(2, 6)) {
		wait := retryWait
		if c := e.info.Limits.Connect; c > 0 {
			wait = min(wait, c)
		}
		r.Own.At = failover.Never
		if stays {
			r.Own.Flags |= same
		}
		return failover.Decision{Action: failover.Wait, At: now + wait}
	}
	if stays {
		return e.send(r, r.Own.Prev-1)
	}
	return e.assign(now, r)
}

// redispatches reports whether the retry may go to another server (stream_choose_redispatch).
func (e *Engine) redispatches(r *failover.Request) bool {
	if !e.redispatch {
		return false
	}
	s := &e.servers[r.Own.Prev-1]
	if s.phase == stopped || s.phase == starting || s.maint {
		return true
	}
	tries := int(r.Own.Tries)
	switch n := e.redispatchAfter; {
	case n > 0 && tries%n == 0:
		return true
	case n < 0 && e.retries+1+n > 0 && tries%(e.retries+1+n) == 0:
		return true
	}
	return e.active > 1 && e.movesAtOnce()
}

// movesAtOnce reports whether HAProxy does not mind which server a retry goes to: where no hash decides, and before 2.6
// only with the round-robin kind.
func (e *Engine) movesAtOnce() bool {
	if e.known() && e.before(2, 6) {
		return e.balance.roundRobin()
	}
	return e.balance < bySource
}

// Wake returns a queued request for which a place has become free.
func (e *Engine) Wake() (uint32, bool) {
	for e.dispatch > 0 {
		e.dispatch--
		if tag, ok := e.queue.pop(); ok {
			return tag, true
		}
		e.dispatch = 0
	}
	return 0, false
}
