package dryrun

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover"
)

// probe sends a probe of the current engine.
func (s *sim) probe(p failover.Probe) {
	n := s.current.to[p.Member]
	m := &s.members[n]
	if t := s.now - s.start; t >= 0 && s.now < s.end {
		s.probesSent++
		s.probes[s.at(t)*s.collector.members+int(n)]++
	}
	o, took := s.probeOutcome(m, p)
	i := len(s.flights)
	if k := len(s.spare); k > 0 {
		i = int(s.spare[k-1])
		s.spare = s.spare[:k-1]
	} else {
		s.flights = append(s.flights, flight{})
	}
	f := &s.flights[i]
	*f = flight{probe: p, outcome: o, engine: uint16(len(s.engines) - 1), began: s.now, used: true, epoch: f.epoch + 1}
	if took != never {
		s.queue.push(s.now, s.now+took, ref{uint32(i), f.epoch, evProbe})
	}
}

// probeOutcome plays a probe: what comes of it, and when.
func (s *sim) probeOutcome(m *member, p failover.Probe) (failover.Outcome, time.Duration) {
	took := m.latency.draw(&s.rand)
	status := uint16(200)
	var e effect
	if len(m.faults) > 0 {
		e = s.effectOnProbe(m, s.now)
	}
	if e.status != 0 {
		status = e.status
	}
	took += e.slow
	connect, response := least(p.Connect, p.Total), least(p.Response, p.Total)
	switch {
	case e.down == DownRefuse || e.down == DownRefuseNew:
		return failover.Outcome{Kind: failover.Refused}, connectTime
	case e.down == DownDrop:
		return failover.Outcome{Kind: failover.ConnectTimeout}, orNever(connect)
	case p.TCP:
		return failover.Outcome{Kind: failover.Answered}, connectTime
	case e.down == DownReset:
		return failover.Outcome{Kind: failover.Reset}, connectTime
	case e.hang:
		return failover.Outcome{Kind: failover.Timeout}, orNever(response)
	}
	if m.capacity > 0 && m.busy >= m.capacity {
		switch m.onOverload {
		case OverloadError:
			return failover.Outcome{Kind: failover.Answered, Status: 503}, connectTime
		case OverloadHang:
			return failover.Outcome{Kind: failover.Timeout}, orNever(response)
		}
		// It waits behind all that wait already.
		took += time.Duration(m.waiting.len()/m.capacity+1) * took
	}
	if response > 0 && took > response {
		return failover.Outcome{Kind: failover.Timeout}, response
	}
	return failover.Outcome{Kind: failover.Answered, Status: status}, took
}

// least returns the smaller of two limits; 0 is none.
func least(a, b time.Duration) time.Duration {
	switch {
	case a == 0:
		return b
	case b == 0:
		return a
	}
	return min(a, b)
}

func orNever(d time.Duration) time.Duration {
	if d == 0 {
		return never
	}
	return d
}

// probed tells the engine what came of a probe.
func (s *sim) probed(x ref) {
	f := &s.flights[x.slot]
	if !f.used || f.epoch != x.epoch {
		return
	}
	f.used = false
	s.spare = append(s.spare, x.slot)
	e := s.engines[f.engine]
	if e.retired {
		return
	}
	p, o := f.probe, f.outcome
	o.Took = s.now - f.began
	if m := &s.members[e.to[p.Member]]; len(m.faults) > 0 && (o.Kind != failover.Answered || o.Status >= 500) {
		m.failed(s.now)
	}
	e.engine.Probed(s.now, p, o)
	if e.queuer != nil {
		s.wake(e)
	}
}
