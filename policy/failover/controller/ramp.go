package controller

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// tally is what a batch has shown so far.
type tally struct {
	at                  time.Duration // since when
	total, failures     int
	refused             int // connections that failed, since the last one that was made
	probes, probePasses int
	times               histogram
}

// Step is where the return of a health domain stands.
type Step struct {
	// Batch is the number of the current batch, counted from 1; 0 while nothing returns.
	Batch, Of int
	// Since is when it began, and Results how many results it has, of which Failures failed; Floor is how many it needs.
	Since                    time.Duration
	Results, Failures, Floor int
	// Failed is how many batches have failed in a row. Suspended: a person has to put the member back; Awaiting: a person
	// has to let the batch end.
	Failed              int
	Suspended, Awaiting bool
}

// Step returns where the return of a member's requests of a kind stands.
func (e *Engine) Step(member, kind int) Step {
	u := e.unit(int(e.members[member].group), min(kind, len(e.kinds)-1))
	s := Step{Of: len(e.cfg.batches), Failed: u.failed, Suspended: e.suspended(u)}
	if u.phase == ramping {
		s.Batch, s.Since, s.Results, s.Failures = u.batch+1, u.tally.at, u.tally.total, u.tally.failures
		s.Floor, s.Awaiting = e.floor(u), u.awaiting
	}
	return s
}

// Batch is the number of the current batch of a member's requests of a kind, counted from 1; 0 while nothing returns.
func (e *Engine) Batch(member, kind int) int {
	if u := e.unit(int(e.members[member].group), min(kind, len(e.kinds)-1)); u.phase == ramping {
		return u.batch + 1
	}
	return 0
}

// suspended reports whether too many batches have failed in a row.
func (e *Engine) suspended(u *unit) bool { return e.cfg.suspend > 0 && u.failed >= e.cfg.suspend }

// beginBatch begins a batch, after a rest.
func (e *Engine) beginBatch(now time.Duration, u *unit, k int, rest time.Duration, why schema.Text) {
	b := &e.cfg.batches[k]
	before := u.phase
	u.phase, u.batch = ramping, k
	u.generation++ // what was sent in another batch says nothing about this one
	u.tally = tally{at: now, times: u.tally.times}
	if e.cfg.timing {
		u.tally.times.reset()
	}
	u.ready, u.awaiting, u.due = false, false, failover.Never
	switch {
	case e.suspended(u):
		why = join(why, schema.Textf("%d batches failed in a row: the return is suspended until a person puts it back", "连续 %d 个批次失败：暂停恢复，等待人工放回", u.failed))
	case b.manual && rest == 0:
		u.awaiting = true
		why = join(why, schema.Textf("the batch waits for a person", "该批次等待人工确认"))
	default:
		u.due = now + rest + max(b.dwell, e.cfg.window)
		e.arm(u.due)
	}
	why = join(why, e.describe(k))
	e.show(now, u, why)
	if before == ramping {
		e.tell(now, u, why) // the state is the same, the batch is not
	}
}

// describe words a batch.
func (e *Engine) describe(k int) schema.Text {
	b := &e.cfg.batches[k]
	if b.part != nil || b.tiers != nil {
		return schema.Textf("batch %d of %d", "第 %d/%d 批", k+1, len(e.cfg.batches))
	}
	return schema.Textf("batch %d of %d, %.4g %% of its traffic", "第 %d/%d 批，占其流量 %.4g%%", k+1, len(e.cfg.batches), 100*b.share)
}

// floor is how many results the current batch needs; none if it gives the domain no traffic.
func (e *Engine) floor(u *unit) int {
	b := &e.cfg.batches[u.batch]
	tier := int(u.group)
	if !e.cfg.line {
		tier = int(e.members[u.group].tier)
	}
	if b.empty(tier) {
		return 0
	}
	return b.floor
}

// countBatch counts a result of the current batch.
func (e *Engine) countBatch(now time.Duration, u *unit, failed bool, o *failover.Outcome) {
	t := &u.tally
	t.total++
	if failed {
		t.failures++
	}
	if e.cfg.timing {
		t.times.add(o.Took)
	}
	switch o.Kind {
	case failover.Refused, failover.ConnectTimeout:
		t.refused++
	default:
		t.refused = 0
	}
	floor := e.floor(u)
	switch {
	case t.total < floor:
		const refusals = 3
		if e.cfg.lowConnect && t.refused >= refusals {
			e.stepBack(now, u, schema.Textf("%d connections in a row failed", "连续 %d 次连接失败", t.refused))
		}
		return
	case failed || t.total%max(floor, 16) == 0 || t.total == floor:
		if why, stopped := e.stopped(now, u, false); stopped {
			e.stepBack(now, u, why)
			return
		}
	}
	if u.ready {
		e.advance(now, u)
	}
}

// dwelt comes when the dwell of a batch is over.
func (e *Engine) dwelt(now time.Duration, u *unit) {
	u.ready, u.due = true, failover.Never
	if e.cfg.batches[u.batch].manual { // after a rest
		u.ready, u.awaiting = false, true
		e.tell(now, u, schema.Textf("batch %d of %d waits for a person", "第 %d/%d 批等待人工确认", u.batch+1, len(e.cfg.batches)))
		return
	}
	e.advance(now, u)
}

// advance ends a batch that has passed; one that has too few results goes on.
func (e *Engine) advance(now time.Duration, u *unit) {
	t := &u.tally
	if floor := e.floor(u); t.total < floor {
		if !e.cfg.lowConnect || t.total == 0 || t.refused > 0 {
			return
		}
	} else if why, stopped := e.stopped(now, u, true); stopped {
		e.stepBack(now, u, why)
		return
	}
	e.passed(now, u)
}

// passed goes on to the next batch, never past it.
func (e *Engine) passed(now time.Duration, u *unit) {
	t := &u.tally
	why := schema.Textf("batch %d passed, %d of %d results failed", "第 %d 批通过，%[3]d 个结果中 %[2]d 个失败", u.batch+1, t.failures, t.total)
	if u.batch >= u.failedBatch {
		u.failed, u.failedBatch = 0, -1
	}
	if u.batch+1 < len(e.cfg.batches) {
		e.beginBatch(now, u, u.batch+1, 0, why)
		return
	}
	e.full(now, u, why)
}

// fail counts a batch that has failed.
func (u *unit) fail() {
	u.failed++
	u.failedBatch = max(u.failedBatch, u.batch)
}

// stepBack stops the return and goes back by one batch, or to nothing, to rest there.
func (e *Engine) stepBack(now time.Duration, u *unit, why schema.Text) {
	u.fail()
	to := u.batch - 1
	if e.cfg.toZero {
		to = -1
	}
	en, zh := "stopped in batch %d: ", "第 %d 批停止："
	prefix := schema.Textf(en, zh, u.batch+1)
	why = schema.Text{En: prefix.En + why.En, Zh: prefix.Zh + why.Zh}
	if e.cfg.rest > 0 {
		why = join(why, schema.Textf("the step back cools down for %s", "回退后冷却 %s", schema.FormatDuration(e.cfg.rest)))
	}
	if to >= 0 {
		e.beginBatch(now, u, to, e.cfg.rest, why)
		return
	}
	u.generation++
	u.drainFrom, u.life = u.life, u.generation
	u.left, u.inflight = u.inflight, 0
	u.ready, u.awaiting = false, false
	u.phase, u.due = resting, now+e.cfg.rest
	if e.suspended(u) {
		u.phase, u.due = handed, failover.Never
		why = join(why, schema.Textf("%d batches failed in a row: the return is suspended until a person puts it back", "连续 %d 个批次失败：暂停恢复，等待人工放回", u.failed))
	}
	e.arm(u.due)
	e.show(now, u, why)
}
