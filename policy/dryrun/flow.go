package dryrun

import (
	"github.com/poolproof/poolproof/policy/failover"
)

// decide does what an engine has decided.
func (s *sim) decide(slot uint32, r *request, e *running, d failover.Decision) {
	switch d.Action {
	case failover.Send:
		s.send(slot, r, e)
	case failover.Answer:
		s.done(slot, r, d.Status, -1, d.Refused)
	case failover.Pass:
		s.done(slot, r, r.outcome.Status, int(e.to[r.Lease.Member]), false)
	default:
		if d.At != failover.Never {
			s.queue.push(s.now, max(d.At, s.now), ref{slot, r.epoch, evWake})
		}
	}
}

// event does what has become due.
func (s *sim) event(x ref) {
	switch x.kind {
	case evDone:
		if r := s.request(x.slot); r.epoch == x.epoch {
			s.report(x.slot, r)
		}
	case evWake:
		if r := s.request(x.slot); r.epoch == x.epoch {
			s.again(x.slot, r)
		}
	case evRelease:
		s.release(&s.members[x.slot])
	case evProbe:
		s.probed(x)
	case evScript:
		s.happen(x.slot)
	}
}

// again asks the engine about a request that has waited.
func (s *sim) again(slot uint32, r *request) {
	r.epoch++
	e := s.engines[r.engine]
	s.decide(slot, r, e, e.engine.Pick(s.now, &r.Request))
}

// report tells the engine what came of an attempt.
func (s *sim) report(slot uint32, r *request) {
	r.epoch++
	r.flying = false
	e := s.engines[r.engine]
	m := &s.members[e.to[r.Lease.Member]]
	if r.inside {
		r.inside = false
		s.release(m)
	}
	o := &r.outcome
	o.Took = s.now - r.began
	if len(m.faults) > 0 && (o.Kind != failover.Answered || o.Status >= 500) {
		m.failed(s.now)
	}
	s.decide(slot, r, e, e.engine.Report(s.now, &r.Request, *o))
	if e.queuer != nil {
		s.wake(e)
	}
}

// wake picks queued requests again for which there is room.
func (s *sim) wake(e *running) {
	for {
		slot, ok := e.queuer.Wake()
		if !ok {
			return
		}
		s.again(slot, s.request(slot))
	}
}

// done gives the client its answer.
func (s *sim) done(slot uint32, r *request, status uint16, member int, refused bool) {
	r.epoch++
	s.live--
	s.free = append(s.free, slot)
	if r.segment < 0 {
		return
	}
	at := int(r.segment)*s.collector.interfaces + int(r.Interface)
	c := &s.cells[at]
	failed := status >= 500 || status == 0
	if failed {
		c.errors++
	}
	if refused {
		c.refused++
		if s.troubles == 0 && s.troubled {
			s.refusedAfterWell++
		}
	}
	c.statuses[s.statusOf[min(status, 999)]]++
	s.latencyOf(c)[bucketOf(s.now-r.sent)]++
	if member >= 0 {
		p := &s.parts[at*s.collector.members+member]
		p.answers++
		if failed {
			p.errors++
		}
	}
}

// tick lets the engine do what it has planned.
func (s *sim) tick() {
	s.work++
	p, send := s.current.engine.Tick(s.now)
	if send {
		s.probe(p)
	}
	if s.current.queuer != nil {
		s.wake(s.current)
	}
}
