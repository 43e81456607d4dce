package permember

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/breaker"
)

// Marks on a request (Own.Flags).
const (
	began  uint16 = 1 << iota // Own.At is when it began
	leased                    // the attempt holds a permit of its member's breaker
)

// Statuses that the caller sees where no member answered.
const (
	badGateway  = 502
	unavailable = 503
	tooLate     = 504
)

// Pick chooses a member whose breaker permits the request.
func (e *Engine) Pick(now time.Duration, r *failover.Request) failover.Decision {
	if r.Own.Flags&began == 0 {
		r.Own.Flags |= began
		r.Own.At = now
	}
	if e.choose(now, r) {
		return failover.Decision{Action: failover.Send}
	}
	return failover.Decision{Action: failover.Answer, Status: unavailable, Refused: r.Own.Tries == 0}
}

// choose finds a member in the first tier where a breaker permits; if none does, all members are used where the pool
// passes then. Below the panic line all are used from the start.
func (e *Engine) choose(now time.Duration, r *failover.Request) bool {
	if n := len(e.members); e.panicBelow > 0 && float64(100*(n-e.gone)) < e.panicBelow*float64(n) {
		return e.force(now, r)
	}
	for p := range e.tiers {
		t := &e.tiers[p]
		for range t.members {
			i := e.turn(now, t, r, true)
			if i < 0 {
				break
			}
			if e.permitted(now, r, i) {
				return true
			}
			// Its trials are taken or it drops this one: this request does not ask it again.
			r.Own.Tried.Add(int(i))
		}
	}
	return e.pass && e.force(now, r)
}

// force uses the first tier that has a member which nobody took out by hand, whatever the breakers say.
func (e *Engine) force(now time.Duration, r *failover.Request) bool {
	for range 2 {
		for p := range e.tiers {
			if i := e.turn(now, &e.tiers[p], r, false); i >= 0 {
				r.Own.Flags &^= leased
				r.Own.Hash, r.Own.Prev = 0, 0
				r.Lease = failover.Lease{Member: i}
				if l, ok := e.members[i].breaker.(*listed); ok { // slow samples count, and may renew the block
					r.Lease.Generation = uint32(l.generation)
				}
				r.Own.Tried.Add(int(i))
				return true
			}
		}
		if r.Own.Tries > 0 {
			return false
		}
		r.Own.Tried.Clear() // only members that refused were marked
	}
	return false
}

// eligible reports whether the request may go to a member, as far as its weight and what is shown of it tell.
func (e *Engine) eligible(now time.Duration, i int32, r *failover.Request, permitting bool) bool {
	m := &e.members[i]
	return !m.manual && m.weight > 0 && !(permitting && m.shown == failover.Cooling && now < m.due) && !r.Own.Tried.Has(int(i))
}

// turn is a step of smooth weighted round robin among the members that the request has not tried, with open ones left
// out where that is asked for. It returns -1 if there is none.
func (e *Engine) turn(now time.Duration, t *tier, r *failover.Request, permitting bool) int32 {
	if t.equal {
		for range t.members {
			if t.at++; t.at == len(t.members) {
				t.at = 0
			}
			if i := t.members[t.at]; e.eligible(now, i, r, permitting) {
				return i
			}
		}
		return -1
	}
	best, total := int32(-1), 0
	for _, i := range t.members {
		if !e.eligible(now, i, r, permitting) {
			continue
		}
		m := &e.members[i]
		m.current += m.weight
		total += m.weight
		if best < 0 || m.current > e.members[best].current {
			best = i
		}
	}
	if best >= 0 {
		e.members[best].current -= total
	}
	return best
}

// permitted asks a member's breaker.
func (e *Engine) permitted(now time.Duration, r *failover.Request, i int32) bool {
	m := &e.members[i]
	p, err := m.breaker.Permit(now)
	if m.changed || m.due <= now {
		e.look(now, int(i))
	}
	if err != nil {
		return false
	}
	r.Own.Flags |= leased
	r.Own.Hash, r.Own.Prev = p.Slot, int32(uint32(p.Turn))
	r.Lease = failover.Lease{Member: i, Generation: uint32(p.Generation)}
	r.Own.Tried.Add(int(i))
	return true
}

// Report hands the result to the member's breaker and goes on to another member where the copy says so.
func (e *Engine) Report(now time.Duration, r *failover.Request, o failover.Outcome) failover.Decision {
	i := int(r.Lease.Member)
	m := &e.members[i]
	result := e.result(o)
	if r.Own.Flags&leased != 0 || e.always {
		m.breaker.Report(now, breaker.Permit{
			Generation: uint64(r.Lease.Generation), Slot: r.Own.Hash, Turn: uint64(uint32(r.Own.Prev)),
		}, result)
		if m.changed || e.adaptive && (m.shown != failover.In || result.Class == breaker.Failure) {
			e.look(now, i)
		}
	}
	if e.again(now, r, o, result) {
		r.Own.Tries++
		if e.choose(now, r) {
			return failover.Decision{Action: failover.Send}
		}
	}
	switch o.Kind {
	case failover.Answered:
		return failover.Decision{Action: failover.Pass}
	case failover.Cancelled:
		return failover.Decision{Action: failover.Answer}
	case failover.Timeout, failover.ConnectTimeout:
		return failover.Decision{Action: failover.Answer, Status: tooLate}
	}
	return failover.Decision{Action: failover.Answer, Status: badGateway}
}

// result is what the outcome means to a breaker.
func (e *Engine) result(o failover.Outcome) breaker.Result {
	kind := breaker.Answered
	switch o.Kind {
	case failover.Answered:
	case failover.Refused, failover.ConnectTimeout:
		kind = breaker.Connect
	case failover.Timeout:
		kind = breaker.Timeout
	case failover.Reset:
		kind = breaker.Reset
	case failover.Severed, failover.Cancelled:
		kind = breaker.Cancel
	}
	return e.classifier.Result(int(o.Status), kind, o.Took)
}

// again reports whether the request may go to another member.
func (e *Engine) again(now time.Duration, r *failover.Request, o failover.Outcome, result breaker.Result) bool {
	if int(r.Own.Tries) >= e.retry.attempts || o.Kind >= failover.Severed || e.retry.total > 0 && now-r.Own.At >= e.retry.total {
		return false
	}
	sent := o.Kind != failover.Refused && o.Kind != failover.ConnectTimeout
	if sent && r.Unsafe && !e.retry.unsafe {
		return false
	}
	if e.retry.onFailure {
		return result.Class == breaker.Failure
	}
	switch o.Kind {
	case failover.Refused, failover.ConnectTimeout:
		return e.retry.connect
	case failover.Timeout:
		return e.retry.timeout
	case failover.Reset:
		return e.retry.reset
	}
	return e.retry.statuses.Has(o.Status)
}
