package controller

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover"
)

// trialPart is the part of its full share that a member gets for trials where a gateway chooses the members by shares: one
// request in a hundred of them.
const trialPart = 0.01

// Shares fills in which part of the traffic each member is to have, from 0 to 1, for a gateway that chooses among the
// members by itself: of the requests of a kind (an interface, region or line by its number, as health domains tell them
// apart) and part (as the batches of a ramp do). They sum to 1, or are all 0 where requests are turned away. A member on
// trial has a hundredth of its share.
func (e *Engine) Shares(kind, part int, into []float64) []float64 {
	kind, part = max(0, min(kind, len(e.kinds)-1)), max(0, min(part, e.cfg.rampKinds-1))
	into = append(into[:0], make([]float64, len(e.members))...)
	all, usable := e.standing(into, kind, part)
	if usable == 0 && !e.cfg.reject || float64(100*usable) < e.cfg.panicBelow*float64(all) {
		e.everyone(into)
	} else if usable > 0 {
		for _, i := range e.trials {
			if u := &e.units[i]; int(u.kind) == kind {
				e.membersOf(u, func(m int) {
					if e.members[m].usable && !e.members[m].out() {
						into[m] = trialPart
					}
				})
			}
		}
	}
	e.spread(into)
	return into
}

// Kinds returns how many kinds of requests health domains tell apart, and how many parts of each the batches of a ramp do.
func (e *Engine) Kinds() (kinds, parts int) { return len(e.kinds), e.cfg.rampKinds }

// Adopt takes note of a request that a gateway has sent to a member of its own choice. It gives r a lease; Settle gives it
// back. If the member is on trial and no other trial is under way, the request is one.
func (e *Engine) Adopt(now time.Duration, r *failover.Request, member int) {
	kind, _ := e.kindOf(r)
	u := e.send(r, kind, int32(member))
	if u.phase != onProof || u.proof.busy || now < u.proof.next {
		return
	}
	u.proof.busy = true
	u.proof.turn++
	u.proof.next = now + e.cfg.window/time.Duration(e.cfg.minSamples)
	u.due = now + e.cfg.lease
	e.arm(u.due)
	r.Own.Flags |= onTrial
	r.Own.Spins = u.proof.turn
}

// Settle takes the outcome of a request that was adopted. What the client gets is the gateway's affair.
func (e *Engine) Settle(now time.Duration, r *failover.Request, o failover.Outcome) {
	kind, _ := e.kindOf(r)
	e.settled(now, r, e.unit(int(e.members[r.Lease.Member].group), kind), &o)
}
