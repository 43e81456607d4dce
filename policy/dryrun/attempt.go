package dryrun

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover"
)

// send lets a member have a request.
func (s *sim) send(slot uint32, r *request, e *running) {
	n := int(e.to[r.Lease.Member])
	m := &s.members[n]
	now := s.now
	r.began, r.flying = now, true
	s.work++
	if r.segment >= 0 {
		s.attempts++
		p := &s.parts[(int(r.segment)*s.collector.interfaces+int(r.Interface))*s.collector.members+n]
		p.attempts++
		if !r.tried {
			p.firsts++
		}
	}
	r.tried = true
	took := m.latency.draw(&s.rand)
	status := uint16(200)
	if m.errors > 0 && s.rand.Float64() < m.errors {
		status = 500
	}
	if len(m.faults) > 0 {
		f := s.effectOn(m, &r.Request, now)
		if s.broken(slot, r, m, e, f) {
			return
		}
		took += f.slow
		if f.status != 0 {
			status = f.status
		}
	}
	r.outcome = failover.Outcome{Kind: failover.Answered, Status: status}
	if m.capacity > 0 {
		s.enter(slot, r, m, e, took)
		return
	}
	if limit := e.limits.Response; limit > 0 && took > limit {
		r.outcome = failover.Outcome{Kind: failover.Timeout}
		took = limit
	}
	s.queue.push(now, now+took, ref{slot, r.epoch, evDone})
}

// broken plays the faults under which there is no answer. It returns false where there is one.
func (s *sim) broken(slot uint32, r *request, m *member, e *running, f effect) bool {
	switch {
	case f.down == DownRefuse || f.down == DownRefuseNew:
		s.fail(slot, r, failover.Refused, connectTime)
	case f.down == DownReset:
		s.fail(slot, r, failover.Reset, connectTime)
	case f.down == DownDrop:
		s.fail(slot, r, failover.ConnectTimeout, e.limits.Connect)
	case f.hang:
		if m.capacity > 0 && m.busy < m.capacity {
			m.busy++
			r.inside = true
		}
		s.fail(slot, r, failover.Timeout, e.limits.Response)
	default:
		return false
	}
	return true
}

// fail ends an attempt without an answer after some time; 0 means never.
func (s *sim) fail(slot uint32, r *request, k failover.Kind, after time.Duration) {
	r.outcome = failover.Outcome{Kind: k}
	if after > 0 {
		s.queue.push(s.now, s.now+after, ref{slot, r.epoch, evDone})
	}
}

// enter lets a request into a member that serves so many at once.
func (s *sim) enter(slot uint32, r *request, m *member, e *running, took time.Duration) {
	if m.busy < m.capacity {
		s.serve(slot, r, m, e, took)
		return
	}
	switch m.onOverload {
	case OverloadError:
		r.outcome = failover.Outcome{Kind: failover.Answered, Status: 503}
		s.queue.push(s.now, s.now+connectTime, ref{slot, r.epoch, evDone})
	case OverloadHang:
		s.fail(slot, r, failover.Timeout, e.limits.Response)
	default:
		m.waiting.push(waiter{slot, r.epoch, r.outcome.Status, took})
		if limit := e.limits.Response; limit > 0 {
			r.outcome = failover.Outcome{Kind: failover.Timeout}
			s.queue.push(s.now, s.now+limit, ref{slot, r.epoch, evDone})
		}
	}
}

// serve begins to serve a request. If the engine gives up first, the member does not notice and goes on.
func (s *sim) serve(slot uint32, r *request, m *member, e *running, took time.Duration) {
	m.busy++
	end, limit := s.now+took, never
	if e.limits.Response > 0 {
		limit = r.began + e.limits.Response
	}
	if end <= limit {
		r.inside = true
		s.queue.push(s.now, end, ref{slot, r.epoch, evDone})
		return
	}
	r.outcome = failover.Outcome{Kind: failover.Timeout}
	s.queue.push(s.now, max(limit, s.now), ref{slot, r.epoch, evDone})
	s.queue.push(s.now, end, ref{uint32(e.to[r.Lease.Member]), 0, evRelease})
}

// release makes room at a member, which serves the next one that waits and has not gone.
func (s *sim) release(m *member) {
	m.busy--
	for m.waiting.len() > 0 && m.busy < m.capacity {
		w := m.waiting.pop()
		r := s.request(w.slot)
		if r.epoch != w.epoch || !r.flying {
			continue
		}
		if e := s.engines[r.engine]; e.limits.Response > 0 {
			// The time-out is on its way already; only if the answer comes sooner does it count.
			end := s.now + w.took
			m.busy++
			if end < r.began+e.limits.Response {
				r.epoch++
				r.inside = true
				r.outcome = failover.Outcome{Kind: failover.Answered, Status: w.status}
				s.queue.push(s.now, end, ref{w.slot, r.epoch, evDone})
			} else {
				s.queue.push(s.now, end, ref{uint32(e.to[r.Lease.Member]), 0, evRelease})
			}
			continue
		}
		m.busy++
		r.inside = true
		s.queue.push(s.now, s.now+w.took, ref{w.slot, r.epoch, evDone})
	}
}

// resetOpen resets the connections that are open to a member that goes down.
func (s *sim) resetOpen(now time.Duration, n int, a *active) {
	for c := range s.chunks {
		for i := range s.chunks[c] {
			r := &s.chunks[c][i]
			if !r.flying || !a.business || !a.hits(&r.Request) || int(s.engines[r.engine].to[r.Lease.Member]) != n {
				continue
			}
			s.abort(uint32(c*chunkSize+i), r, failover.Reset)
		}
	}
	if !a.probes {
		return
	}
	for i := range s.flights {
		f := &s.flights[i]
		if f.used && int(s.engines[f.engine].to[f.probe.Member]) == n {
			f.outcome = failover.Outcome{Kind: failover.Reset}
			f.epoch++
			s.queue.push(now, now, ref{uint32(i), f.epoch, evProbe})
		}
	}
}

// sever closes the connections to a member because the engine wants that.
func (s *sim) sever(e *running, n int) {
	for c := range s.chunks {
		for i := range s.chunks[c] {
			if r := &s.chunks[c][i]; r.flying && s.engines[r.engine] == e && int(e.to[r.Lease.Member]) == n {
				s.abort(uint32(c*chunkSize+i), r, failover.Severed)
			}
		}
	}
}

// abort ends an attempt at once. The outcome is reported as an event of its own, because engines may ask for this from
// within a call.
func (s *sim) abort(slot uint32, r *request, k failover.Kind) {
	r.epoch++
	r.outcome = failover.Outcome{Kind: k}
	s.queue.push(s.now, s.now, ref{slot, r.epoch, evDone})
}
