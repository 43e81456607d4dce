package controller

import (
	"slices"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/window"
	"github.com/poolproof/poolproof/schema"
)

// proof is what trials have shown since the cooldown ended.
type proof struct {
	counts window.Counts
	busy   bool
	turn   uint16        // of the lease
	next   time.Duration // not before this one more
	member int           // of a domain on several members: the next to try
}

// beginProof starts the trials.
func (e *Engine) beginProof(now time.Duration, u *unit) {
	u.generation++
	u.life, u.inflight = u.generation, 0
	u.phase, u.due, u.since = onProof, failover.Never, now
	u.slow = confirmations{}
	u.proof = proof{turn: u.proof.turn + 1, next: now, member: u.proof.member}
	e.trials = append(e.trials, e.index(u))
	e.show(now, u, schema.Textf("the cooldown is over: single requests try it, over the window and sample floor by which it was taken out", "冷却结束：以摘除时的窗口与样本下限，用单个请求试探"))
}

func (e *Engine) index(u *unit) int32 { return u.group*int32(len(e.kinds)) + u.kind }

// endTrial stops the trials of a health domain.
func (e *Engine) endTrial(u *unit) {
	u.proof.busy = false
	u.proof.turn++
	if i := slices.Index(e.trials, e.index(u)); i >= 0 {
		e.trials = slices.Delete(e.trials, i, i+1)
	}
}

// offer makes a request a trial, if one is wanted and has its turn.
func (e *Engine) offer(now time.Duration, r *failover.Request, kind int, v *view) bool {
	v.calm++
	if int(v.calm) <= v.usable {
		return false // it never has more than its part of the traffic
	}
	for _, i := range e.trials {
		u := &e.units[i]
		if int(u.kind) != kind || u.proof.busy || now < u.proof.next {
			continue
		}
		m := e.trialMember(u)
		if m < 0 {
			continue
		}
		v.calm = 0
		u.proof.busy = true
		u.proof.turn++
		u.proof.next = now + e.cfg.window/time.Duration(e.cfg.minSamples)
		u.due = now + e.cfg.lease
		e.arm(u.due)
		e.send(r, kind, m)
		r.Own.Flags |= onTrial
		r.Own.Spins = u.proof.turn
		return true
	}
	return false
}

// trialMember is the member that the next trial goes to, -1 if there is none.
func (e *Engine) trialMember(u *unit) int32 {
	list := []int32(nil)
	if e.cfg.line {
		list = e.tiers[u.group].members
	} else if m := &e.members[u.group]; m.usable && !m.out() {
		return u.group
	}
	for range list {
		u.proof.member = (u.proof.member + 1) % len(list)
		if i := list[u.proof.member]; e.members[i].usable && !e.members[i].out() {
			return i
		}
	}
	return -1
}

// tried takes the result of a trial. One whose lease has ended changes nothing.
func (e *Engine) tried(now time.Duration, u *unit, generation uint32, turn uint16, class breaker.Class, o *failover.Outcome) {
	if u.phase != onProof || generation != u.generation || !u.proof.busy || turn != u.proof.turn {
		return
	}
	u.proof.busy = false
	u.due = failover.Never
	if !class.Counted() {
		return
	}
	failed, slow := class == breaker.Failure, e.slow(o)
	u.proof.counts.Add(sample(failed, slow))
	if slow {
		u.slow.add(now, &e.cfg)
	}
	counts := u.proof.counts
	// As many failures as the floor bears: whatever comes, the condition of entry will hold.
	hopeless := counts
	hopeless.Total = max(counts.Total, e.cfg.minSamples)
	switch {
	case e.holds(hopeless, u.slow.n):
		e.remove(now, u, byTrial, schema.Textf("%d of %d trials failed: a new cooldown", "%[2]d 次试探中 %[1]d 次失败：重新冷却", counts.Failures, counts.Total))
	case counts.Total >= e.cfg.minSamples && now-u.since >= e.cfg.window:
		e.giveBack(now, u, schema.Textf("%d trials over %s, %d failed: what took it out holds no longer", "%[2]s 内 %[1]d 次试探、%[3]d 次失败：摘除条件不再成立",
			counts.Total, schema.FormatDuration((now-u.since).Round(time.Millisecond)), counts.Failures))
	}
}

// expire frees the slot of a trial that has not returned.
func (e *Engine) expire(u *unit) {
	u.proof.busy = false
	u.proof.turn++
	u.due = failover.Never
}
