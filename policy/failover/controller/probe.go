package controller

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// probing is what the probes of a member say.
type probing struct {
	due           time.Duration // of the next one; Never while one is under way
	says          signal
	passes, fails int // in a row
}

// Tick does one thing that is due.
func (e *Engine) Tick(now time.Duration) (p failover.Probe, send bool) {
	for i := range e.members {
		m := &e.members[i]
		switch {
		case m.probe.due <= now:
			m.probe.due = failover.Never
			e.schedule()
			return failover.Probe{Member: int32(i), Total: e.cfg.till, Path: e.cfg.path, TCP: e.cfg.tcp}, true
		case m.review <= now:
			e.reviewDue(now, i)
		case m.hold <= now:
			m.hold = failover.Never
			e.routeAll(now)
			e.showMember(now, i, schema.Textf("the cooldown is over", "冷却结束"))
		default:
			continue
		}
		e.schedule()
		return failover.Probe{}, false
	}
	for i := range e.units {
		if u := &e.units[i]; u.due <= now {
			e.wake(now, u)
			e.schedule()
			return failover.Probe{}, false
		}
	}
	for i := range e.views {
		if v := &e.views[i]; v.alert <= now {
			e.alarm(now, v, i/e.cfg.rampKinds)
			break
		}
	}
	e.schedule()
	return failover.Probe{}, false
}

// wake does what a health domain has waited for.
func (e *Engine) wake(now time.Duration, u *unit) {
	u.due = failover.Never
	switch u.phase {
	case draining:
		e.drainedNow(now, u)
	case cooling:
		e.cooled(now, u, false)
	case held:
		e.cooled(now, u, true)
	case onProof:
		e.expire(u)
	case ramping:
		e.dwelt(now, u)
	case resting:
		e.rested(now, u)
	}
}

func (e *Engine) rested(now time.Duration, u *unit) {
	u.generation++
	u.life, u.inflight, u.left = u.generation, 0, 0
	u.window.Reset(now)
	u.since = now
	u.slow = confirmations{}
	e.beginBatch(now, u, 0, 0, schema.Textf("the cooldown of the step back is over", "回退冷却结束"))
}

// schedule finds what is due next.
func (e *Engine) schedule() {
	e.next = failover.Never
	for i := range e.members {
		m := &e.members[i]
		e.next = min(e.next, m.probe.due, m.review, m.hold)
	}
	for i := range e.units {
		e.next = min(e.next, e.units[i].due)
	}
	for i := range e.views {
		e.next = min(e.next, e.views[i].alert)
	}
}

// Probed takes the result of a probe.
func (e *Engine) Probed(now time.Duration, p failover.Probe, o failover.Outcome) {
	i := int(p.Member)
	m := &e.members[i]
	passed := o.Kind == failover.Answered && (p.TCP || e.cfg.good.Has(o.Status))
	before := m.probe.says
	if passed {
		m.probe.passes, m.probe.fails = m.probe.passes+1, 0
		if m.probe.passes >= e.cfg.rise || before == silent {
			m.probe.says = well
		}
	} else {
		m.probe.passes, m.probe.fails = 0, m.probe.fails+1
		if m.probe.fails >= e.cfg.fall {
			m.probe.says = ill
		}
	}
	e.unitsOf(i, func(u *unit) {
		if u.phase == ramping {
			u.tally.probes++
			if passed {
				u.tally.probePasses++
			}
		}
	})
	m.probe.due = now + e.spacing(&m.probe)
	e.arm(m.probe.due)
	if m.probe.says != before {
		e.heard(now, i, e.cfg.probes, byProbes, m.probe.says == ill)
	}
}

// spacing is the time to the next probe: faster while the verdict is in doubt.
func (e *Engine) spacing(p *probing) time.Duration {
	d := e.cfg.interval
	switch {
	case p.says != ill && p.fails > 0, p.says == ill && p.passes > 0:
		d = e.cfg.fast
	case p.says == ill:
		d = e.cfg.down
	}
	if e.cfg.jitter > 0 {
		d += time.Duration(float64(d) * e.cfg.jitter * (2*e.rand.Float64() - 1))
	}
	return max(d, 1)
}

// heard takes a change of what the probes, or a notice, say of a member.
func (e *Engine) heard(now time.Duration, i int, r role, c cause, down bool) {
	e.unitsOf(i, func(u *unit) {
		switch {
		case down && r == judges && !u.gone():
			e.remove(now, u, c, e.reason(now, u, c))
		case !down && u.phase == waiting:
			e.cool(u, now)
			e.show(now, u, schema.Textf("a probe has passed: the cooldown of %s begins", "探测通过：开始冷却 %s", schema.FormatDuration(u.length)))
		case !down && u.phase == held:
			u.phase = cooling
			e.cooled(now, u, false)
		}
	})
}

// Notice takes a verdict from outside. It judges only where the settings say so; else it vetoes returns, and an
// all-clear takes the veto back.
func (e *Engine) Notice(now time.Duration, member int, down bool) {
	if e.cfg.external == off {
		return
	}
	says := well
	if down {
		says = ill
	}
	for i := range e.members {
		if member >= 0 && i != member {
			continue
		}
		if m := &e.members[i]; m.external != says {
			m.external = says
			e.heard(now, i, e.cfg.external, byNotice, down)
		}
	}
}
