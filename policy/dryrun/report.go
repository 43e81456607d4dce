package dryrun

import (
	"time"
)

// result draws up what came of the run.
func (s *sim) result() *Result {
	info := s.engines[0].engine.Info()
	r := &Result{Scenario: s.scenario.Name, Pool: s.options.Copy.Pool, Engine: info.Name, Seed: s.seed, Duration: s.end - s.start,
		Timeline: s.timeline, Cut: s.cut, Assumed: s.assumed}
	if info.Version != "" {
		r.Engine += "-" + info.Version
	}
	for i := range s.scenario.Expect {
		r.Verdicts = append(r.Verdicts, s.verdict(&s.scenario.Expect[i]))
	}
	s.metrics(r)
	s.series(r)
	return r
}

func (s *sim) metrics(r *Result) {
	end := s.end - s.start
	total, parts, latency := s.sums(0, end, -1)
	m := &r.Metrics
	m.Requests, m.Errors, m.Refused = uint64(total.sent), uint64(total.errors), uint64(total.refused)
	m.Attempts, m.Probes = s.attempts, s.probesSent
	for i, k := range total.statuses {
		if k > 0 {
			status := uint16(999) // any other
			if i < len(s.statuses) {
				status = s.statuses[i]
			}
			m.Statuses = append(m.Statuses, StatusCount{status, uint64(k)})
			if status != 0 {
				m.Answered += uint64(k)
			}
		}
	}
	m.P50, _ = latency.quantile(0.5)
	m.P95, _ = latency.quantile(0.95)
	m.P99, _ = latency.quantile(0.99)
	if m.Requests > 0 {
		n := float64(m.Requests)
		m.Availability = 1 - float64(m.Errors)/n
		m.RetryAmplification, m.ProbeAmplification = float64(m.Attempts)/n, float64(m.Probes)/n
	}
	answers, most := uint64(0), uint64(0)
	for i := range parts {
		answers += uint64(parts[i].answers)
		most = max(most, uint64(parts[i].answers))
	}
	if answers > 0 {
		m.LargestShare = float64(most) / float64(answers)
	}
	for _, x := range s.allOut {
		m.AllOut += max(0, min(x.to, end)-max(x.from, 0))
	}
	m.RefusedAfterWell = time.Duration(float64(s.refusedAfterWell) * s.period)
	m.Detect, m.Remove, m.Return = unsaid, unsaid, unsaid
	for i := range s.members {
		x := &s.members[i]
		m.Transitions += x.transitions(0, end)
		m.Flaps += x.flaps(0, end)
		m.Detect, m.Remove, m.Return = max(m.Detect, x.detect), max(m.Remove, x.remove), max(m.Return, x.back)
		w := MemberResult{ID: x.id, Answers: uint64(parts[i].answers), Attempts: uint64(parts[i].attempts), States: x.spans}
		for g := range s.starts {
			w.Probes += uint64(s.probes[g*len(s.members)+i])
		}
		r.Members = append(r.Members, w)
	}
}

// series sums up the even slices of time.
func (s *sim) series(r *Result) {
	r.Slice = sliceOf(s.end-s.start, len(s.interfaces)*(len(s.members)+1))
	for at := time.Duration(0); at < s.end-s.start; at += r.Slice {
		total, parts, latency := s.sums(at, min(at+r.Slice, s.end-s.start), -1)
		p := Point{At: at, Sent: uint64(total.sent), Errors: uint64(total.errors), Refused: uint64(total.refused), Answers: make([]uint64, len(parts))}
		for i := range parts {
			p.Answers[i] = uint64(parts[i].answers)
		}
		p.P50, _ = latency.quantile(0.5)
		p.P95, _ = latency.quantile(0.95)
		p.P99, _ = latency.quantile(0.99)
		r.Series = append(r.Series, p)
	}
}

// conclude ends the requests that never got an answer.
func (s *sim) conclude() {
	s.now = max(s.now, s.end)
	if s.outSince >= 0 {
		s.allOut = append(s.allOut, span{s.outSince - s.start, s.end - s.start})
	}
	open := map[uint32]bool{}
	for _, slot := range s.free {
		open[slot] = true
	}
	for c := range s.chunks {
		for i := range s.chunks[c] {
			if slot := uint32(c*chunkSize + i); !open[slot] {
				s.done(slot, &s.chunks[c][i], 0, -1, false)
			}
		}
	}
}
