package dryrun

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// verdict judges an expectation by what happened.
func (s *sim) verdict(e *Expect) Verdict {
	v := Verdict{ID: e.ID, Text: e.describe(), Place: e.Place}
	n := -1
	if e.Member != "" {
		i, ok := s.number[e.Member]
		if !ok {
			v.Observed = "the pool has no member " + e.Member
			return v
		}
		n = i
	}
	iface := -1
	if e.Interface != "" {
		if iface = slices.Index(s.interfaces, e.Interface); iface < 0 {
			v.Observed = "no request went to " + e.Interface
			return v
		}
	}
	switch {
	case len(e.States) > 0 && n >= 0:
		s.judgeState(e, n, &v)
	case e.HasShare && n >= 0:
		s.judgeShare(e, n, iface, &v)
	case e.Metric != "":
		s.judgeMetric(e, n, iface, &v)
	default:
		v.Observed = "nothing is expected"
	}
	return v
}

// stateAt returns the state of a member at a moment: that which what happened at this very moment has left.
func (m *member) stateAt(t time.Duration) failover.State {
	state := m.spans[0].State
	for _, x := range m.spans {
		if x.From > t {
			break
		}
		state = x.State
	}
	return state
}

// statesIn calls f for each state that a member has from one moment to another, with the moment at which it begins,
// until f returns false.
func (m *member) statesIn(from, to time.Duration, f func(at time.Duration, s failover.State) bool) {
	if !f(from, m.stateAt(from)) {
		return
	}
	for _, x := range m.spans {
		if x.From > from && x.From <= to && !f(x.From, x.State) {
			return
		}
	}
}

func (s *sim) judgeState(e *Expect, n int, v *Verdict) {
	m := &s.members[n]
	from, to := e.window(s.end - s.start)
	sometime := e.At >= 0 || e.By >= 0
	if sometime {
		if e.By >= 0 && e.At < 0 && e.From < 0 {
			from = s.lastEventBefore(e.By)
		}
		from, to = max(0, from-e.Span), to+e.Span
	} else {
		from, to = from+e.Span, to-e.Span
	}
	v.Pass = Failed
	seen := ""
	at := unsaid
	m.statesIn(from, to, func(t time.Duration, state failover.State) bool {
		ok := accepts(e.States, state)
		if seen == "" || !sometime && !ok {
			seen, at = state.String(), t
		}
		if ok == sometime {
			if ok {
				v.Pass, seen, at = Held, state.String(), t
			}
			return !sometime
		}
		return sometime
	})
	if !sometime {
		if v.Pass = Held; !m.throughout(from, to, e.States) {
			v.Pass = Failed
		}
	}
	v.Observed = seen + " at " + schema.FormatDuration(at)
	if at < 0 {
		v.Observed = "no state was seen"
		return
	}
	if sometime && v.Pass == Failed || !sometime {
		v.Observed += s.history(m, from, to)
	}
}

func (m *member) throughout(from, to time.Duration, want []failover.State) bool {
	ok := true
	m.statesIn(from, to, func(_ time.Duration, state failover.State) bool {
		ok = ok && accepts(want, state)
		return ok
	})
	return ok
}

// history lists the changes of state within a time, a few of them.
func (s *sim) history(m *member, from, to time.Duration) string {
	text, n := "", 0
	for _, x := range m.spans {
		if x.From <= from || x.From > to {
			continue
		}
		if n++; n > 4 {
			return text + ", ..."
		}
		text += ", " + x.State.String() + " at " + schema.FormatDuration(x.From.Round(time.Millisecond))
	}
	return text
}

// lastEventBefore returns the last moment before t at which the scenario began or ended something.
func (s *sim) lastEventBefore(t time.Duration) time.Duration {
	last := time.Duration(0)
	for i := range s.scenario.Events {
		e := &s.scenario.Events[i]
		for _, x := range []time.Duration{e.At, e.At + e.For} {
			if x < t {
				last = max(last, x)
			}
		}
	}
	return last
}

// sums adds up what was counted between two moments. iface -1 is all interfaces.
func (s *sim) sums(from, to time.Duration, iface int) (total cell, parts []memberCell, latency histogram) {
	first, last := s.between(from, to)
	parts = make([]memberCell, len(s.members))
	for i := first; i < last; i++ {
		for f := range len(s.interfaces) {
			if iface >= 0 && f != iface {
				continue
			}
			at := i*len(s.interfaces) + f
			c := &s.cells[at]
			total.sent += c.sent
			total.errors += c.errors
			total.refused += c.refused
			for k := range c.statuses {
				total.statuses[k] += c.statuses[k]
			}
			if c.latency != nil {
				latency.add(c.latency)
			}
			for m := range parts {
				p := &s.parts[at*len(s.members)+m]
				parts[m].answers += p.answers
				parts[m].attempts += p.attempts
				parts[m].firsts += p.firsts
				parts[m].errors += p.errors
			}
		}
	}
	return total, parts, latency
}

func (s *sim) judgeShare(e *Expect, n, iface int, v *Verdict) {
	from, to := e.window(s.end - s.start)
	total, parts, _ := s.sums(from, to, iface)
	whole, part := uint64(total.sent), uint64(parts[n].answers)
	what := "requests"
	switch e.Of {
	case OfAttempts:
		whole, part, what = 0, uint64(parts[n].attempts), "attempts"
		for i := range parts {
			whole += uint64(parts[i].attempts)
		}
	case OfSent:
		part = uint64(parts[n].firsts)
	}
	if whole == 0 {
		v.Observed = "none of the " + what + " fell into that time"
		return
	}
	v.Value = 100 * float64(part) / float64(whole)
	v.Observed = fmt.Sprintf("%.2f %% (%d of %d %s)", v.Value, part, whole, what)
	v.hold(math.Abs(v.Value-e.Share) <= e.Tolerance+1e-9)
}

func (v *Verdict) hold(ok bool) {
	if v.Pass = Failed; ok {
		v.Pass = Held
	}
}

func (s *sim) judgeMetric(e *Expect, n, iface int, v *Verdict) {
	from, to := e.window(s.end - s.start)
	value, observed, ok := s.measure(e, from, to, n, iface)
	v.Observed = observed
	if !ok {
		if observed == notKept {
			v.Pass = NotApplicable
		}
		return
	}
	v.Value = value
	if e.Metric.isDuration() {
		value *= 1e9
		slack := float64(e.Span)
		v.hold((!e.Above.Set || value > e.Above.Value-slack) && (!e.Below.Set || value < e.Below.Value+slack))
		return
	}
	v.hold((!e.Above.Set || value > e.Above.Value-e.Tolerance) && (!e.Below.Set || value < e.Below.Value+e.Tolerance))
}

const notKept = "this is not measured by member"

// measure returns a metric: a rate, a count, or seconds.
func (s *sim) measure(e *Expect, from, to time.Duration, n, iface int) (value float64, observed string, ok bool) {
	switch e.Metric {
	case Probes, Transitions, Flaps, AllOut:
		return s.measureStates(e.Metric, from, to, n)
	}
	total, parts, latency := s.sums(from, to, iface)
	if total.sent == 0 {
		return 0, "no request was sent in that time", false
	}
	rate := func(part, whole uint32) (float64, string, bool) {
		if whole == 0 {
			return 0, "no answer came from the member in that time", false
		}
		r := float64(part) / float64(whole)
		return r, fmt.Sprintf("%.4f (%d of %d)", r, part, whole), true
	}
	count := func(k uint64) (float64, string, bool) { return float64(k), strconv.FormatUint(k, 10), true }
	switch e.Metric {
	case ErrorRate:
		if n >= 0 {
			return rate(parts[n].errors, parts[n].answers)
		}
		return rate(total.errors, total.sent)
	case Requests:
		if n >= 0 {
			return count(uint64(parts[n].firsts))
		}
		return count(uint64(total.sent))
	case Attempts:
		k := uint64(0)
		for i := range parts {
			if n < 0 || i == n {
				k += uint64(parts[i].attempts)
			}
		}
		return count(k)
	case LargestShare:
		most, sum := uint32(0), uint32(0)
		for i := range parts {
			most, sum = max(most, parts[i].answers), sum+parts[i].answers
		}
		return rate(most, sum)
	}
	if n >= 0 {
		return 0, notKept, false
	}
	switch e.Metric {
	case RefusedRate:
		return rate(total.refused, total.sent)
	case Status:
		return rate(total.statuses[s.statusOf[min(max(e.Status, 0), 999)]], total.sent)
	}
	p := map[Metric]float64{LatencyP50: 0.5, LatencyP95: 0.95, LatencyP99: 0.99}[e.Metric]
	d, ok := latency.quantile(p)
	return d.Seconds(), schema.FormatDuration(d.Round(10 * time.Microsecond)), ok
}

// measureStates returns a metric of states and probes.
func (s *sim) measureStates(m Metric, from, to time.Duration, n int) (float64, string, bool) {
	if m == AllOut {
		sum := time.Duration(0)
		for _, x := range s.allOut {
			sum += max(0, min(x.to, to)-max(x.from, from))
		}
		return sum.Seconds(), schema.FormatDuration(sum.Round(time.Millisecond)), true
	}
	k := 0
	first, last := s.between(from, to)
	for i := range s.members {
		if n >= 0 && i != n {
			continue
		}
		switch m {
		case Probes:
			for g := first; g < last; g++ {
				k += int(s.probes[g*len(s.members)+i])
			}
		case Transitions:
			k += s.members[i].transitions(from, to)
		case Flaps:
			k += s.members[i].flaps(from, to)
		}
	}
	return float64(k), strconv.Itoa(k), true
}

// transitions counts the changes of state from one moment to before another.
func (m *member) transitions(from, to time.Duration) int {
	k := 0
	for _, x := range m.spans[1:] {
		if x.From >= from && x.From < to {
			k++
		}
	}
	return k
}

// flaps counts how often a member was removed again after it had been removed before.
func (m *member) flaps(from, to time.Duration) int {
	k, gone := 0, m.spans[0].State.Gone()
	for _, x := range m.spans[1:] {
		if g := x.State.Gone(); g != gone {
			if gone = g; gone && x.From >= from && x.From < to {
				k++
			}
		}
	}
	return max(0, k-1)
}
