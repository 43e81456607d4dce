package controller

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/breaker/cooldown"
	"github.com/poolproof/poolproof/schema"
)

// ErrRefused: the settings do not allow the order, or want more to be said about it.
var ErrRefused = errors.New("the order is refused")

// Record is an operator's order as it was carried out.
type Record struct {
	At    time.Duration
	Order failover.Order
	// Verdicts are the raw verdicts of that moment, one for each kind of requests.
	Verdicts []Verdicts
}

// Orders returns the operators' orders that were carried out.
func (e *Engine) Orders() []Record { return e.orders }

// Force takes a member out, or puts it back: one that is out starts a new cooldown, unless the settings say that it
// returns at once; one whose return is suspended or waits for a person goes on.
func (e *Engine) Force(now time.Duration, o failover.Order) error {
	if err := e.allowed(&o); err != nil {
		return err
	}
	record := Record{At: now, Order: o}
	e.unitsOf(o.Member, func(u *unit) { record.Verdicts = append(record.Verdicts, e.verdicts(now, u)) })
	e.orders = append(e.orders, record)
	m := &e.members[o.Member]
	m.review = failover.Never
	if o.Review > 0 {
		m.review = now + bounded(o.Review)
		e.arm(m.review)
	}
	if o.Out {
		m.manual, m.hold = true, failover.Never
		e.routeAll(now)
		e.showMember(now, o.Member, said(&o, "forced out by %s; saw: %s", "由 %s 强制摘除；所见：%s"))
		return nil
	}
	why := said(&o, "forced back by %s; saw: %s", "由 %s 强制放回；所见：%s")
	was := m.manual
	m.manual = false
	e.unitsOf(o.Member, func(u *unit) { e.putBack(now, u, was, why) })
	if e.cfg.line && was && e.cfg.restarts && !e.State(o.Member).Gone() {
		// The line itself was in service: only this member cools down.
		if length := e.cfg.cool.Length(1); length > 0 {
			m.hold = now + min(length, longest)
			e.arm(m.hold)
		}
	}
	e.routeAll(now)
	e.showMember(now, o.Member, why)
	return nil
}

// said words an order.
func said(o *failover.Order, en, zh string) schema.Text {
	t := schema.Textf(en, zh, o.Initiator, o.Saw)
	if o.Reclaim != "" {
		t = join(t, schema.Textf("until: %s", "收回条件：%s", o.Reclaim))
	}
	if o.Review > 0 {
		t = join(t, schema.Textf("review in %s", "%s 后复核", schema.FormatDuration(o.Review)))
	}
	return t
}

// allowed reports what the order lacks.
func (e *Engine) allowed(o *failover.Order) error {
	switch {
	case o.Member < 0 || o.Member >= len(e.members):
		return fmt.Errorf("forcing member %d of %d: %w", o.Member, len(e.members), ErrRefused)
	case !e.cfg.manual:
		return fmt.Errorf("cooldown.manual.allowed is false: %w", ErrRefused)
	case !e.members[o.Member].usable:
		return fmt.Errorf("%s is disabled, drained or of weight 0 by configuration: %w", e.members[o.Member].id, ErrRefused)
	}
	missing := map[string]bool{"initiator": o.Initiator == "", "saw": o.Saw == "", "reclaim": o.Reclaim == "", "review": o.Review <= 0}
	for _, name := range e.cfg.requires {
		if missing[name] {
			return fmt.Errorf("the order does not say its %s, which cooldown.manual.requires: %w", name, ErrRefused)
		}
	}
	return nil
}

// putBack puts one health domain back by order; was says that the whole member had been taken out.
func (e *Engine) putBack(now time.Duration, u *unit, was bool, why schema.Text) {
	u.asked = true
	switch {
	case u.phase == ramping && !was:
		e.goOn(now, u, why)
	case u.phase == serving && (!was || e.cfg.line):
	case e.cfg.restarts:
		u.row = cooldown.NewRow(e.cfg.cool, &e.rand) // a person has looked at it: the row of removals ends here
		u.failed, u.failedBatch = 0, -1
		if u.phase == ramping {
			u.phase = serving
		}
		e.remove(now, u, byOperator, join(why, schema.Textf("a new cooldown starts", "重新开始冷却")))
		u.rounds = append(u.rounds[:0], u.rounds[len(u.rounds)-1])
	default:
		u.failed, u.failedBatch = 0, -1
		e.giveBack(now, u, why)
	}
}

// goOn lets a return go on that waits for a person.
func (e *Engine) goOn(now time.Duration, u *unit, why schema.Text) {
	switch {
	case u.awaiting:
		e.passed(now, u)
	case e.suspended(u):
		u.failed, u.failedBatch = 0, -1
		e.beginBatch(now, u, u.batch, 0, why)
	}
}

// reviewDue tells that an order is to be looked at again.
func (e *Engine) reviewDue(now time.Duration, i int) {
	m := &e.members[i]
	m.review = failover.Never
	if e.notify == nil {
		return
	}
	for _, r := range slices.Backward(e.orders) {
		if r.Order.Member == i {
			e.notify(failover.Transition{At: now, Member: i, From: m.shown, To: m.shown,
				Why: said(&r.Order, "the order of %s is due for review; saw: %s", "%s 的指令到期复核；所见：%s")})
			return
		}
	}
}
