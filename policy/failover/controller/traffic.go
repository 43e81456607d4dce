package controller

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/breaker"
)

// onTrial marks a request whose attempt is a trial (Own.Flags).
const onTrial uint16 = 1

// startTokens is how many retries a budget starts with, and how many it may save up.
const startTokens = 10

// Statuses that the controller answers with by itself.
const (
	badGateway  = 502
	unavailable = 503
	tooLate     = 504
)

// kindOf returns the kind of a request among those that health domains tell apart, and the table by which it goes.
// Numbers without a name are read as 0.
func (e *Engine) kindOf(r *failover.Request) (kind int, v *view) {
	kind = int(e.cfg.divide.of(r))
	if kind >= len(e.kinds) {
		kind = 0
	}
	at := kind
	if n := e.cfg.rampKinds; n > 1 {
		at = kind*n + e.partOf(r)
	}
	return kind, &e.views[at]
}

// partOf returns the kind of a request among those that the batches of a ramp tell apart.
func (e *Engine) partOf(r *failover.Request) int {
	if part := int(e.cfg.divideRamp.of(r)); part < e.cfg.rampKinds {
		return part
	}
	return 0
}

// Pick chooses a member for a request.
func (e *Engine) Pick(now time.Duration, r *failover.Request) failover.Decision {
	kind, v := e.kindOf(r)
	r.Own.At = now
	if e.cfg.budget > 0 {
		e.tokens = min(e.tokens+e.cfg.budget, startTokens)
	}
	if len(e.trials) > 0 {
		if e.offer(now, r, kind, v) {
			return failover.Decision{Action: failover.Send}
		}
	}
	if len(v.slots) == 0 {
		return failover.Decision{Action: failover.Answer, Status: unavailable, Refused: true}
	}
	e.send(r, kind, v.draw())
	return failover.Decision{Action: failover.Send}
}

func (e *Engine) send(r *failover.Request, kind int, i int32) *unit {
	u := &e.units[int(e.members[i].group)*len(e.kinds)+kind]
	u.inflight++
	r.Own.Tries++
	r.Lease = failover.Lease{Member: i, Generation: u.generation}
	return u
}

// Report takes the outcome of an attempt.
func (e *Engine) Report(now time.Duration, r *failover.Request, o failover.Outcome) failover.Decision {
	kind, v := e.kindOf(r)
	u := &e.units[int(e.members[r.Lease.Member].group)*len(e.kinds)+kind]
	e.settled(now, r, u, &o)
	if o.Kind == failover.Answered && (e.cfg.attempts == 0 || !e.cfg.onStatus.Has(o.Status)) {
		return failover.Decision{Action: failover.Pass}
	}
	return e.after(now, r, &o, kind, v)
}

// settled gives back the lease of an attempt and counts its outcome.
func (e *Engine) settled(now time.Duration, r *failover.Request, u *unit, o *failover.Outcome) {
	class := e.cfg.kind[o.Kind]
	if o.Kind == failover.Answered {
		class = e.cfg.status[min(o.Status, uint16(len(e.cfg.status)-1))]
	}
	generation := r.Lease.Generation
	switch {
	case generation >= u.life:
		u.inflight--
	case generation >= u.drainFrom && u.left > 0:
		if u.left--; u.left == 0 {
			e.drainedNow(now, u)
		}
	}
	switch {
	case r.Own.Flags&onTrial != 0:
		r.Own.Flags &^= onTrial
		e.tried(now, u, generation, r.Own.Spins, class, o)
	case generation == u.generation && class.Counted():
		e.count(now, u, class, o)
	}
}

// count counts a result of regular traffic.
func (e *Engine) count(now time.Duration, u *unit, class breaker.Class, o *failover.Outcome) {
	if u.phase != serving && u.phase != ramping {
		return
	}
	failed := class == breaker.Failure
	slow := e.slow(o)
	epoch := u.window.Epoch(now)
	if e.cfg.window > 0 && u.window.Counts().Total == 0 {
		u.since = now // it has been idle: the window is watched from here on
	}
	u.window.Add(epoch, sample(failed, slow))
	if u.books != nil && u.phase == serving {
		u.books.add(now, failed, o.Took, e.cfg.window)
	}
	if slow {
		u.slow.add(now, &e.cfg)
	}
	if (failed || slow) && e.cfg.business == judges && e.bad(now, u) && !e.silenced(u) {
		e.remove(now, u, business, e.reason(now, u, business))
		return
	}
	if u.phase == ramping {
		e.countBatch(now, u, failed, o)
	}
}

// after decides about a request whose attempt may be repeated.
func (e *Engine) after(now time.Duration, r *failover.Request, o *failover.Outcome, kind int, v *view) failover.Decision {
	d := failover.Decision{Action: failover.Pass}
	wanted := true
	switch o.Kind {
	case failover.Answered:
	case failover.Timeout, failover.ConnectTimeout:
		d = failover.Decision{Action: failover.Answer, Status: tooLate}
		wanted = e.cfg.onKind[o.Kind]
	case failover.Cancelled:
		return failover.Decision{Action: failover.Answer}
	default:
		d = failover.Decision{Action: failover.Answer, Status: badGateway}
		wanted = e.cfg.onKind[o.Kind]
	}
	sent := o.Kind != failover.Refused && o.Kind != failover.ConnectTimeout
	switch {
	case !wanted, int(r.Own.Tries) > e.cfg.attempts, sent && r.Unsafe && !e.cfg.repeatable,
		e.cfg.total > 0 && now-r.Own.At >= e.cfg.total, e.cfg.budget > 0 && e.tokens < 1:
		return d
	}
	r.Own.Tried.Add(int(r.Lease.Member))
	i := e.another(r, kind, v)
	if i < 0 {
		return d
	}
	if e.cfg.budget > 0 {
		e.tokens--
	}
	e.send(r, kind, i)
	return failover.Decision{Action: failover.Send}
}

// another finds a member that the request has not tried: by share, else in the order of priority, else -1.
func (e *Engine) another(r *failover.Request, kind int, v *view) int32 {
	if len(v.slots) > 0 {
		for range 4 {
			if i := v.draw(); !r.Own.Tried.Has(int(i)) {
				return i
			}
		}
	}
	part := e.partOf(r)
	for t := range e.tiers {
		list := e.tiers[t].members
		from := int(v.at >> 32 % uint64(len(list)))
		for j := range list {
			i := list[(from+j)%len(list)]
			m := &e.members[i]
			if !m.usable || m.out() || r.Own.Tried.Has(int(i)) {
				continue
			}
			if v.pass || e.unit(int(m.group), kind).share(&e.cfg, t, part) > 0 {
				return i
			}
		}
	}
	return -1
}
