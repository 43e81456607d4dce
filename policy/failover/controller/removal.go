package controller

import (
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// maxRounds bounds the rounds that are kept of one health domain.
const maxRounds = 1024

// Round is one removal and the cooldown after it.
type Round struct {
	// Removed is when the domain went out, and Cause what took it out: business, probe, external, operator, or trial.
	Removed time.Duration
	Cause   string
	// Verdicts are the three raw verdicts of that moment.
	Verdicts Verdicts
	// Drained is when the drain was complete, negative while it is not. InFlight was in flight at the removal, and Left
	// when the drain ended.
	Drained        time.Duration
	InFlight, Left int
	// Cooldown is the length of the cooldown.
	Cooldown time.Duration
}

// Rounds returns the latest removals of a member's requests of a kind, oldest first.
func (e *Engine) Rounds(member, kind int) []Round {
	return e.unit(int(e.members[member].group), min(kind, len(e.kinds)-1)).rounds
}

// remove takes a health domain out.
func (e *Engine) remove(now time.Duration, u *unit, c cause, why schema.Text) {
	failedBatch := u.phase == ramping && c != byOperator
	if failedBatch {
		u.fail()
	}
	round := Round{Removed: now, Cause: c.String(), Verdicts: e.verdicts(now, u), Drained: -1, InFlight: int(u.inflight), Cooldown: u.row.Removed(now)}
	e.keep(u, round)
	u.length, u.removedAt = round.Cooldown, now
	if c != byTrial {
		u.cause, u.asked = c, c == byOperator
	}
	if c == byOperator {
		u.cause = business
	}
	u.generation++
	if u.phase == draining { // what is left of the removal before still counts
		u.left += u.inflight
	} else {
		u.left, u.drainFrom = u.inflight, u.life
	}
	u.life, u.inflight = u.generation, 0
	u.awaiting, u.ready, u.due = false, false, failover.Never
	e.endTrial(u)
	u.books.discard(now, e.cfg.window)
	switch {
	case c != byOperator && e.repeats(now, u):
		u.phase = handed
		why = e.handOver(u, why)
	case failedBatch && e.cfg.suspend > 0 && u.failed >= e.cfg.suspend:
		u.phase = handed
		why = join(why, schema.Textf("%d batches failed in a row: the return is suspended until a person puts it back", "连续 %d 个批次失败：暂停恢复，等待人工放回", u.failed))
	case e.cfg.starts == ejected:
		e.cool(u, now)
	case u.left > 0:
		u.phase, u.due = draining, now+e.cfg.drainLimit
	default:
		u.phase = draining
	}
	if u.left == 0 {
		if then := e.settle(now, u); u.phase == waiting {
			why = join(why, then)
		}
	}
	e.arm(u.due)
	e.show(now, u, why)
	if c != byOperator {
		e.suspectShared(now, u)
	}
}

func join(a, b schema.Text) schema.Text {
	return schema.Text{En: a.En + "; " + b.En, Zh: a.Zh + "；" + b.Zh}
}

// keep records a round.
func (e *Engine) keep(u *unit, r Round) {
	const least = 8
	n := max(least, e.cfg.limit+1)
	if len(u.rounds) >= n {
		copy(u.rounds, u.rounds[1:])
		u.rounds = u.rounds[:n-1]
	}
	u.rounds = append(u.rounds, r)
}

// repeats reports whether this removal is one too many.
func (e *Engine) repeats(now time.Duration, u *unit) bool {
	n := 0
	for i := range u.rounds {
		if r := &u.rounds[i]; r.Cause != byOperator.String() && now-r.Removed <= e.cfg.within {
			n++
		}
	}
	return e.cfg.limit > 0 && n >= e.cfg.limit
}

// handOver words the end of automatic recovery, with the rounds.
func (e *Engine) handOver(u *unit, why schema.Text) schema.Text {
	var rounds strings.Builder
	for i, r := range u.rounds[max(0, len(u.rounds)-e.cfg.limit):] {
		if i > 0 {
			rounds.WriteString(", ")
		}
		rounds.WriteString(schema.FormatDuration(r.Removed.Round(time.Millisecond)))
		rounds.WriteString(" (" + r.Cause + ", " + strconv.Itoa(r.Verdicts.Business.Failures) + "/" + strconv.Itoa(r.Verdicts.Business.Total) + ")")
	}
	return join(why, schema.Textf("%d cooldowns within %s: handed over to a person; rounds (failures/results): %s", "%[2]s 内 %[1]d 次冷却：停止自动恢复，交由人工；各轮（失败/结果）：%[3]s",
		e.cfg.limit, schema.FormatDuration(e.cfg.within), rounds.String()))
}

// drainedNow ends a drain.
func (e *Engine) drainedNow(now time.Duration, u *unit) {
	waits := u.phase == draining
	if why := e.settle(now, u); waits {
		e.show(now, u, why)
	}
}

// settle records the end of a drain, by which the cooldown begins.
func (e *Engine) settle(now time.Duration, u *unit) (why schema.Text) {
	if n := len(u.rounds); n > 0 && u.rounds[n-1].Drained < 0 {
		u.rounds[n-1].Drained, u.rounds[n-1].Left = now, int(u.left)
	}
	if u.phase != draining {
		return why
	}
	inflight, left := u.rounds[len(u.rounds)-1].InFlight, u.left
	u.left = 0
	if e.cfg.starts == probePassed && e.probeSays(u) != well {
		u.phase, u.due = waiting, failover.Never
		return schema.Textf("drained (%d were in flight, %d left): the cooldown begins when a probe passes", "排空完成（当时在途 %d，剩余 %d）：探测通过后开始冷却", inflight, left)
	}
	e.cool(u, now)
	return schema.Textf("drained (%d were in flight, %d left): the cooldown of %s begins", "排空完成（当时在途 %d，剩余 %d）：开始冷却 %s", inflight, left, schema.FormatDuration(u.length))
}

// cool begins the cooldown.
func (e *Engine) cool(u *unit, now time.Duration) {
	u.phase, u.due = cooling, now+min(u.length, longest)
	if e.cfg.together {
		latest := u.due
		for k := range e.kinds {
			if o := e.unit(int(u.group), k); o.phase == cooling {
				latest = max(latest, o.due)
			}
		}
		for k := range e.kinds {
			if o := e.unit(int(u.group), k); o.phase == cooling {
				o.due = latest
			}
		}
	}
	e.arm(u.due)
}

// cooled ends a cooldown; free says that nothing may hold the return back any longer.
func (e *Engine) cooled(now time.Duration, u *unit, free bool) {
	probe, notice := e.probeSays(u) == ill, e.noticeSays(u) == ill
	must := probe && e.cfg.probes == judges || notice && e.cfg.external == judges || e.cfg.exit == byProbe && e.probeSays(u) != well ||
		u.cause == byProbes && e.probeSays(u) != well
	may := probe && e.cfg.probes == advises || notice && e.cfg.external == advises
	switch {
	case !e.returns(u):
		u.due = failover.Never
		e.leaveOut(now, u)
	case must:
		e.hold(now, u, failover.Never, schema.Textf("the cooldown is over; the return waits for the signal that took it out", "冷却结束；等待触发摘除的信号恢复"))
	case may && !free:
		e.hold(now, u, now+min(u.length, longest), schema.Textf("the cooldown is over; failing probes or a notice hold the return back, for %s at most", "冷却结束；探测失败或外部通知使恢复推迟，最多 %s", schema.FormatDuration(u.length)))
	case e.cfg.exit == sameAsEntry && e.judging() && u.cause == business:
		e.beginProof(now, u)
	default:
		e.giveBack(now, u, schema.Textf("the cooldown is over", "冷却结束"))
	}
}

func (e *Engine) hold(now time.Duration, u *unit, until time.Duration, why schema.Text) {
	if u.phase == held {
		return
	}
	u.phase, u.due = held, until
	e.arm(until)
	e.show(now, u, why)
}

// giveBack starts the return.
func (e *Engine) giveBack(now time.Duration, u *unit, why schema.Text) {
	e.endTrial(u)
	e.forgiveShared(u)
	u.slow = confirmations{}
	u.window.Reset(now)
	u.since = now
	u.generation++
	u.life, u.inflight, u.left = u.generation, 0, 0
	if len(e.cfg.batches) > 0 {
		e.beginBatch(now, u, 0, 0, why)
		return
	}
	e.full(now, u, why)
}

// full puts a health domain fully back into service.
func (e *Engine) full(now time.Duration, u *unit, why schema.Text) {
	u.phase, u.due = serving, failover.Never
	u.failed, u.failedBatch, u.awaiting, u.ready = 0, -1, false, false
	u.row.Returned(now)
	u.books.open(now)
	e.show(now, u, why)
}
