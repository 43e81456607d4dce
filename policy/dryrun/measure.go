package dryrun

import (
	"strconv"
	"time"

	"github.com/poolproof/poolproof/schema"
)

func notKept() schema.Text {
	return schema.Textf("this is not measured by member", "该指标不按成员统计")
}

// measure returns a metric: a rate, a count, or seconds.
func (s *sim) measure(e *Expect, from, to time.Duration, n, iface int) (value float64, observed schema.Text, ok bool) {
	switch e.Metric {
	case Probes, Transitions, Flaps, AllOut:
		return s.measureStates(e.Metric, from, to, n)
	}
	total, parts, latency := s.sums(from, to, iface)
	if total.sent == 0 {
		return 0, schema.Textf("no request was sent in that time", "该时段内没有发出请求"), false
	}
	rate := func(part, whole uint32) (float64, schema.Text, bool) {
		if whole == 0 {
			return 0, schema.Textf("no answer came from the member in that time", "该时段内没有来自该成员的应答"), false
		}
		r := float64(part) / float64(whole)
		return r, schema.Textf("%.4f (%d of %d)", "%.4f（%[3]d 个中的 %[2]d 个）", r, part, whole), true
	}
	count := func(k uint64) (float64, schema.Text, bool) { return float64(k), alike(strconv.FormatUint(k, 10)), true }
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
		return 0, notKept(), false
	}
	switch e.Metric {
	case RefusedRate:
		return rate(total.refused, total.sent)
	case Status:
		return rate(total.statuses[s.statusOf[min(max(e.Status, 0), 999)]], total.sent)
	}
	p := map[Metric]float64{LatencyP50: 0.5, LatencyP95: 0.95, LatencyP99: 0.99}[e.Metric]
	d, ok := latency.quantile(p)
	return d.Seconds(), alike(schema.FormatDuration(d.Round(10 * time.Microsecond))), ok
}

// alike is a text that is the same in both languages.
func alike(s string) schema.Text { return schema.Text{En: s, Zh: s} }

// measureStates returns a metric of states and probes.
func (s *sim) measureStates(m Metric, from, to time.Duration, n int) (float64, schema.Text, bool) {
	if m == AllOut {
		sum := time.Duration(0)
		for _, x := range s.allOut {
			sum += max(0, min(x.to, to)-max(x.from, from))
		}
		return sum.Seconds(), alike(schema.FormatDuration(sum.Round(time.Millisecond))), true
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
	return float64(k), alike(strconv.Itoa(k)), true
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
