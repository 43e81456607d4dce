package nginx

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// Marks on a request (Own.Flags).
const (
	began     uint16 = 1 << iota // it has its worker and its number of tries
	onBackups                    // no primary was left for it

	// placeShift is where the number of the request's location begins.
	placeShift = 8
)

// Statuses that NGINX answers with by itself.
const (
	badGateway = 502
	tooLate    = 504
)

// Pick gives a request to a worker and chooses a server.
func (e *Engine) Pick(now time.Duration, r *failover.Request) failover.Decision {
	r.Own.Flags |= began
	if len(e.locations) > 0 {
		r.Own.Flags |= e.place(r.Path) << placeShift
	}
	r.Own.At = now
	r.Own.Tries = uint16(min(e.tries, 1<<15))
	if most := e.rule(r.Own.Flags).maxTries; most > 0 && most < e.tries {
		r.Own.Tries = uint16(most)
	}
	if len(e.workers) > 1 {
		r.Own.Group = e.accept()
	}
	return e.connect(now, r, true)
}

// block is after how many connections a worker goes to the end of the line.
const block = 16

// accept returns the worker that gets the next connection: since 1.21.6 the first of those in line, which goes to the
// end after its first connection and then after every sixteen (ngx_reorder_accept_events). Before, whichever the kernel
// wakes.
func (e *Engine) accept() uint16 {
	if !e.skewed {
		return uint16(e.rand.IntN(len(e.workers)))
	}
	w := &e.workers[e.turn]
	this := uint16(e.turn)
	if w.accepted%block == 0 {
		e.turn = (e.turn + 1) % len(e.workers)
	}
	w.accepted++
	return this
}

// connect sends the request to a server that is to be had, or answers 502.
func (e *Engine) connect(now time.Duration, r *failover.Request, firstTry bool) failover.Decision {
	i := e.get(now, r)
	if i < 0 {
		return e.answer(badGateway, firstTry)
	}
	e.workers[r.Own.Group].peers[i].conns++
	r.Lease = failover.Lease{Member: i, Generation: e.generation}
	return failover.Decision{Action: failover.Send}
}

func (e *Engine) answer(status uint16, refused bool) failover.Decision {
	if e.stream {
		status = 0
	}
	return failover.Decision{Action: failover.Answer, Status: status, Refused: refused}
}

// Report releases the server and goes on to the next one where next_upstream says so.
func (e *Engine) Report(now time.Duration, r *failover.Request, o failover.Outcome) failover.Decision {
	switch o.Kind {
	case failover.Answered:
		if e.stream || !e.rule(r.Own.Flags).onStatus.Has(o.Status) || r.Own.Tries <= 1 || !e.mayRepeat(now, r) {
			// Also a status that is listed passes, uncounted, if there is no further try.
			e.release(now, r, false)
			return failover.Decision{Action: failover.Pass}
		}
		// 403 and 404 go on to the next server, and are no failures of this one.
		e.release(now, r, o.Status != 403 && o.Status != 404)
		return e.connect(now, r, false)
	case failover.Cancelled:
		e.release(now, r, false)
		return failover.Decision{Action: failover.Answer}
	}
	if e.stream && o.Kind != failover.Refused && o.Kind != failover.ConnectTimeout {
		// Bytes have gone both ways: the session is over, and no failure of the server.
		e.release(now, r, false)
		return e.answer(0, false)
	}
	// Errors of the connection count whether they are listed or not.
	e.release(now, r, true)
	n := e.rule(r.Own.Flags)
	status, listed, sent := uint16(badGateway), n.onError, true
	switch o.Kind {
	case failover.Timeout:
		status, listed = tooLate, n.onTimeout
	case failover.ConnectTimeout:
		status, listed, sent = tooLate, n.onTimeout, false
	case failover.Refused:
		sent = false
	}
	if r.Own.Tries == 0 || !listed || sent && !e.mayRepeat(now, r) || e.late(now, r) {
		return e.answer(status, false)
	}
	return e.connect(now, r, false)
}

// mayRepeat reports whether a request that was sent may be sent to another server.
func (e *Engine) mayRepeat(now time.Duration, r *failover.Request) bool {
	return (!r.Unsafe || e.rule(r.Own.Flags).nonIdem) && !e.late(now, r)
}

// late reports whether next_upstream_timeout is over.
func (e *Engine) late(now time.Duration, r *failover.Request) bool {
	within := e.rule(r.Own.Flags).within
	return within > 0 && now-r.Own.At >= within
}

// release is ngx_http_upstream_free_round_robin_peer.
func (e *Engine) release(now time.Duration, r *failover.Request, failed bool) {
	i := r.Lease.Member
	if r.Lease.Generation != e.generation {
		// A worker of before the reload takes it to its end.
		if r.Own.Tries > 0 {
			r.Own.Tries--
		}
		return
	}
	p := &e.workers[r.Own.Group].peers[i]
	p.conns--
	if e.single {
		r.Own.Tries = 0
		return
	}
	if r.Own.Tries > 0 {
		r.Own.Tries--
	}
	if !failed {
		if p.accessed < p.checked && p.fails > 0 {
			p.fails = 0
			if s := &e.servers[i]; s.shown == failover.Cooling {
				e.recovered(now, int(i))
			}
		}
		return
	}
	s := &e.servers[i]
	second := e.seconds(now)
	p.fails++
	p.accessed, p.checked = second, second
	if s.maxFails > 0 {
		p.effective = max(0, p.effective-p.weight/s.maxFails)
		if p.fails >= s.maxFails {
			e.blocked(now, int(i))
		}
	}
}

// blocked shows that a server is blocked, if all workers block it.
func (e *Engine) blocked(now time.Duration, i int) {
	s := &e.servers[i]
	until := e.blockedUntil(i)
	if until <= now || s.shown == failover.Manual {
		return
	}
	s.ends = until
	e.due = min(e.due, until)
	e.show(now, i, failover.Cooling, schema.Textf("%d failures: blocked for fail_timeout", "%d 次失败：在 fail_timeout 内停用", s.maxFails))
}

// recovered shows that a trial has passed while the block was still shown.
func (e *Engine) recovered(now time.Duration, i int) {
	e.servers[i].ends = failover.Never
	e.show(now, i, failover.In, schema.Textf("a trial has passed", "试探成功"))
}
