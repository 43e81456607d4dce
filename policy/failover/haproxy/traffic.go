package haproxy

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover"
)

// Marks on a request (Own.Flags).
const (
	began  uint16 = 1 << iota // the backend counts it among its connections
	queued                    // it waits in a queue
	same                      // the next attempt goes to the same server, whose place it keeps
)

// Statuses that HAProxy answers with by itself.
const (
	badGateway  = 502
	unavailable = 503
	tooLate     = 504
)

// Pick chooses a server for a request that comes in, has waited before a retry, or stands in a queue.
func (e *Engine) Pick(now time.Duration, r *failover.Request) failover.Decision {
	e.now = now
	if r.Own.Flags&began == 0 {
		r.Own.Flags |= began
		e.conns++
	}
	switch {
	case r.Own.Flags&same != 0:
		r.Own.Flags &^= same
		return e.send(r, r.Own.Prev-1)
	case r.Own.Flags&queued != 0:
		return e.over(e.resume(r))
	}
	return e.over(e.assign(r))
}

// over notes that a request is done, where it is.
func (e *Engine) over(d failover.Decision) failover.Decision {
	if d.Action == failover.Pass || d.Action == failover.Answer {
		e.conns--
	}
	return d
}

// assign lets the balancer choose.
func (e *Engine) assign(r *failover.Request) failover.Decision {
	if e.total == 0 {
		return e.answer(unavailable, r.Own.Tries == 0)
	}
	if e.queue.len() > 0 && e.balance.inTurn() {
		return e.wait(r, -1) // those who wait come first
	}
	i := e.choose(r)
	if i < 0 { // servers are there, and all are full
		return e.wait(r, -1)
	}
	s := &e.servers[i]
	if s.maxconn > 0 && e.full(s) {
		// A hash minds no limits.
		if s.maxqueue > 0 && s.queue.len() >= s.maxqueue {
			return e.answer(unavailable, r.Own.Tries == 0)
		}
		return e.wait(r, i)
	}
	e.take(s)
	return e.send(r, i)
}

// take and leave count the connections of a server.
func (e *Engine) take(s *server) {
	s.conns++
	if e.balance == leastConn {
		e.requeue(s)
	}
}

func (e *Engine) leave(s *server) {
	s.conns--
	if e.balance == leastConn {
		e.requeue(s)
	}
}

// send sends a request to a server that counts it already.
func (e *Engine) send(r *failover.Request, i int32) failover.Decision {
	r.Own.Prev = i + 1
	r.Lease = failover.Lease{Member: i, Generation: e.servers[i].generation}
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
	e.now = now
	i := r.Lease.Member
	s := &e.servers[i]
	if s.observe != observeNone && o.Kind < failover.Severed && r.Lease.Generation == s.generation && !e.repeats(r, o) {
		e.observe(now, int(i), o)
	}
	if o.Kind == failover.Answered && (e.tcp || !e.retryStatus.Has(o.Status)) {
		e.leave(s)
		e.freed(i)
		return e.over(failover.Decision{Action: failover.Pass})
	}
	return e.over(e.after(r, o))
}

// repeats reports whether an attempt that got through to the server will be made again, for what came of it (retry-on).
// HAProxy then does not observe it.
func (e *Engine) repeats(r *failover.Request, o failover.Outcome) bool {
	if e.tcp || int(r.Own.Tries) >= e.retries {
		return false
	}
	switch o.Kind {
	case failover.Answered:
		return e.retryStatus.Has(o.Status)
	case failover.Timeout:
		return e.retryTimeout
	case failover.Reset:
		return e.retryEmpty
	}
	return false
}

// after decides about a request whose attempt failed.
func (e *Engine) after(r *failover.Request, o failover.Outcome) failover.Decision {
	if e.repeats(r, o) {
		return e.retry(r, false)
	}
	d := failover.Decision{Action: failover.Answer}
	switch o.Kind {
	case failover.Answered:
		d.Action = failover.Pass
	case failover.Refused, failover.ConnectTimeout:
		if int(r.Own.Tries) < e.retries && e.retryConn {
			return e.retry(r, o.Kind == failover.Refused)
		}
		d = e.answer(unavailable, false)
	case failover.Timeout:
		d = e.answer(tooLate, false)
	case failover.Reset:
		d = e.answer(badGateway, false)
	case failover.Severed:
		d = e.answer(badGateway, false)
	}
	e.leave(&e.servers[r.Lease.Member])
	e.freed(r.Lease.Member)
	return d
}

// retryWait is how long HAProxy waits before it tries the same server again.
const retryWait = time.Second

// retry makes another attempt. refused: the connection failed at once, so that trying again at once would most likely
// fail alike; HAProxy then waits, unless it may go to another server. Versions before 2.6 also wait where the algorithm
// is none of the round-robin kind. A request that stays keeps its place at the server, also while it waits.
func (e *Engine) retry(r *failover.Request, refused bool) failover.Decision {
	r.Own.Tries++
	stays := !e.redispatches(r)
	if !stays {
		e.leave(&e.servers[r.Lease.Member])
		e.freed(r.Lease.Member)
	}
	if refused && (stays || e.active <= 1 || !e.balance.roundRobin() && e.known() && e.before(2, 6)) {
		wait := retryWait
		if c := e.info.Limits.Connect; c > 0 {
			wait = min(wait, c)
		}
		if stays {
			r.Own.Flags |= same
		}
		return failover.Decision{Action: failover.Wait, At: e.now + wait}
	}
	if stays {
		return e.send(r, r.Own.Prev-1)
	}
	return e.assign(r)
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
