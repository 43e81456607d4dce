package controller

import (
	"slices"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// Apply returns a controller that goes on with other settings. Members are known by their identity, health domains by
// their member and the name of their interface, region or line. Who is out stays out, with the rounds and the cooldown that
// runs; trials and the batch that a return had reached begin anew under the new settings; results that the decision has
// counted are kept where it goes by the same window, else counting begins anew. What is in flight is the old engine's, so
// that a drain ends at its limit at the latest.
func (e *Engine) Apply(now time.Duration, c *schema.Copy, o failover.Options) (failover.Engine, error) {
	o.Start = now
	n, err := New(c, o)
	if err != nil {
		return nil, err
	}
	n.inherit(now, e)
	return n, nil
}

// inherit takes over what another engine knows.
func (e *Engine) inherit(now time.Duration, old *Engine) {
	e.orders, e.tokens = slices.Clone(old.orders), old.tokens
	number := make(map[string]int, len(old.members))
	for i := range old.members {
		number[old.members[i].id] = i
	}
	was := make([]int, len(e.members))
	for i := range e.members {
		m := &e.members[i]
		j, ok := number[m.id]
		if was[i] = j; !ok {
			was[i] = -1
			continue
		}
		from := &old.members[j]
		m.manual, m.hold, m.review, m.external = from.manual, from.hold, from.review, from.external
		due := m.probe.due
		m.probe = from.probe
		m.probe.due = due
	}
	for k := range e.orders {
		if j := e.orders[k].Order.Member; j >= 0 && j < len(old.members) {
			e.orders[k].Order.Member = slices.IndexFunc(e.members, func(m member) bool { return m.id == old.members[j].id })
		}
	}
	for i := range e.units {
		u := &e.units[i]
		if from := e.before(u, old, was); from != nil {
			e.take(now, u, from, old)
		}
	}
	for i := range e.views {
		kind := i / e.cfg.rampKinds
		if k := slices.Index(old.kinds, e.kinds[kind]); k >= 0 {
			v := &old.views[k*old.cfg.rampKinds]
			e.views[i].outSince, e.views[i].alert = v.outSince, v.alert
		}
	}
	e.routeAll(now)
	for i := range e.units {
		e.units[i].shown = e.units[i].state()
	}
	for i := range e.members {
		e.members[i].shown = e.State(i)
	}
	e.schedule()
}

// before finds the health domain that u was before, nil if it is new. What was judged as a whole before was each of its
// parts.
func (e *Engine) before(u *unit, old *Engine, was []int) (from *unit) {
	kind := slices.Index(old.kinds, e.kinds[u.kind])
	if len(old.kinds) == 1 {
		kind = 0
	}
	if kind < 0 {
		return nil
	}
	e.membersOf(u, func(i int) {
		if j := was[i]; j >= 0 && from == nil {
			from = old.unit(int(old.members[j].group), kind)
		}
	})
	return from
}

// take makes u what from was.
func (e *Engine) take(now time.Duration, u, from *unit, old *Engine) {
	u.cause, u.asked, u.removedAt, u.length, u.due = from.cause, from.asked, from.removedAt, from.length, from.due
	u.failed, u.failedBatch = from.failed, min(from.failedBatch, len(e.cfg.batches)-1)
	u.rounds = slices.Clone(from.rounds)
	u.row = from.row.With(e.cfg.cool, &e.rand)
	if e.cfg.window == old.cfg.window && e.cfg.lastN == old.cfg.lastN {
		u.window, u.since, u.slow = from.window, from.since, from.slow
	}
	if u.books != nil && from.books != nil {
		u.books = from.books
	}
	u.generation = from.generation + 1
	u.life = u.generation
	u.phase = from.phase
	switch {
	case from.phase == onProof:
		e.beginProof(now, u)
	case from.phase == ramping && len(e.cfg.batches) > 0:
		e.beginBatch(now, u, min(from.batch, len(e.cfg.batches)-1), 0, schema.Textf("new settings", "新配置"))
	case from.phase == ramping, from.phase == resting && len(e.cfg.batches) == 0:
		u.phase, u.due = serving, failover.Never
	}
}
