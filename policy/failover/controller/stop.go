package controller

import (
	"fmt"
	"math/bits"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// stopped reports whether a stop condition holds for the current batch, and which. What needs the whole batch (volume,
// agreement of the probes) is looked at only at its end.
func (e *Engine) stopped(now time.Duration, u *unit, end bool) (why schema.Text, yes bool) {
	for i := range e.cfg.stops {
		s := &e.cfg.stops[i]
		if s.metric >= probeAgreement && !end {
			continue
		}
		value, ok := e.measure(now, u, s.metric)
		if !ok {
			continue
		}
		unit := 1.0
		if s.baseline {
			if unit, ok = e.baseline(u).normal(s.metric, now); !ok {
				continue
			}
		}
		switch {
		case s.hasAbove && value > s.above*unit:
			return exceeded(s, "above", "高于", value, s.above*unit), true
		case s.hasBelow && value < s.below*unit:
			return exceeded(s, "below", "低于", value, s.below*unit), true
		}
	}
	return schema.Text{}, false
}

func exceeded(s *stop, en, zh string, value, line float64) schema.Text {
	suffix := schema.Text{}
	if s.baseline {
		suffix = schema.Text{En: " (from the baseline)", Zh: "（按基线）"}
	}
	name := metricNames[s.metric]
	return schema.Text{En: fmt.Sprintf("%s is %.4g, %s %.4g", name, value, en, line) + suffix.En, Zh: fmt.Sprintf("%s 为 %.4g，%s %.4g", name, value, zh, line) + suffix.Zh}
}

// measure returns a metric of the current batch.
func (e *Engine) measure(now time.Duration, u *unit, m metric) (value float64, ok bool) {
	t := &u.tally
	switch m {
	case errorRate:
		return float64(t.failures) / float64(max(t.total, 1)), t.total > 0
	case probeAgreement:
		return float64(t.probePasses) / float64(max(t.probes, 1)), t.probes > 0
	case businessVolume:
		// Full traffic is what it stands for: a batch of 5 % counts twentyfold.
		share := e.cfg.batches[u.batch].share
		if now <= t.at || share == 0 {
			return 0, false
		}
		return float64(t.total-t.failures) / share / (now - t.at).Seconds(), true
	}
	return t.times.metric(m)
}

// histogram counts latencies in steps of an eighth of an octave from a microsecond to an hour. It is nil until the first
// one.
type histogram struct {
	counts []uint32
	total  int
	sum    time.Duration
}

const (
	fineness = 8
	octaves  = 33
)

func (h *histogram) add(d time.Duration) {
	if h.counts == nil {
		h.counts = make([]uint32, fineness*octaves)
	}
	h.counts[stepOf(d)]++
	h.total++
	h.sum += d
}

func (h *histogram) reset() {
	clear(h.counts)
	h.total, h.sum = 0, 0
}

// stepOf returns the step of a latency.
func stepOf(d time.Duration) int {
	n := uint64(max(d, 0)) / uint64(time.Microsecond)
	if n < fineness {
		return int(n)
	}
	octave := bits.Len64(n) - 4 // n>>octave is 8 to 15
	return min(octave*fineness+int(n>>octave), fineness*octaves-1)
}

// top is the upper end of a step.
func top(step int) time.Duration {
	if step < 2*fineness {
		return time.Duration(step+1) * time.Microsecond
	}
	octave := step/fineness - 1
	return time.Duration(step%fineness+fineness+1) << octave * time.Microsecond
}

// metric returns a quantile or the mean in seconds.
func (h *histogram) metric(m metric) (value float64, ok bool) {
	if h.total == 0 {
		return 0, false
	}
	part := 0.99
	switch m {
	case latencyMean:
		return h.sum.Seconds() / float64(h.total), true
	case latencyP95:
		part = 0.95
	}
	want, seen := part*float64(h.total), 0.0
	for i, n := range h.counts {
		if n == 0 {
			continue
		}
		if seen+float64(n) >= want {
			low := time.Duration(0)
			if i > 0 {
				low = top(i - 1)
			}
			return low.Seconds() + (top(i)-low).Seconds()*(want-seen)/float64(n), true
		}
		seen += float64(n)
	}
	return 0, false
}

// page is what was normal over one stretch of time.
type page struct {
	failures int
	times    histogram
	from, to time.Duration
}

// books keep what is normal for a health domain. A page becomes the baseline only when another has followed it, so that
// the beginning of a fault is never in it.
type books struct {
	baseline, last, current *page
}

// pageLength is how long a page lasts at least.
const pageLength = 10 * time.Second

// open begins a page: the domain is in full service.
func (b *books) open(now time.Duration) {
	if b == nil {
		return
	}
	if b.current == nil {
		b.current, b.last, b.baseline = &page{}, &page{}, &page{}
	}
	b.current.clear(now)
}

func (p *page) clear(now time.Duration) {
	p.failures, p.from, p.to = 0, now, 0
	p.times.reset()
}

// discard forgets what may hold the beginning of a fault that a window has shown.
func (b *books) discard(now, window time.Duration) {
	if b == nil {
		return
	}
	if b.baseline.times.total == 0 && now-b.last.to >= window {
		b.baseline, b.last = b.last, b.baseline
	}
	b.last.clear(0)
}

// add counts a result, and turns the page when it is long enough.
func (b *books) add(now time.Duration, failed bool, took time.Duration, window time.Duration) {
	p := b.current
	if now-p.from >= max(2*window, pageLength) && p.times.total > 0 {
		p.to = now
		if b.last.times.total > 0 {
			b.baseline, b.last, b.current = b.last, p, b.baseline
		} else {
			b.last, b.current = p, b.last
		}
		p = b.current
		p.clear(now)
	}
	if failed {
		p.failures++
	}
	p.times.add(took)
}

// baseline returns what was normal for a health domain before it went out. Of one that has not been watched for long
// enough it is what the best known of the others that are in service shows now.
func (e *Engine) baseline(u *unit) *page {
	best := u.books.baseline
	if best.times.total > 0 {
		return best
	}
	for i := range e.units {
		o := &e.units[i]
		if o.kind != u.kind || o.phase != serving {
			continue
		}
		for _, p := range [...]*page{o.books.baseline, o.books.last, o.books.current} {
			if p.times.total > best.times.total {
				best = p
			}
		}
	}
	return best
}

// normal returns the baseline of a metric. One without errors is taken for half an error, since nothing is a multiple of
// nothing.
func (p *page) normal(m metric, now time.Duration) (float64, bool) {
	if p.times.total == 0 {
		return 0, false
	}
	to := p.to
	if to == 0 {
		to = now
	}
	switch m {
	case errorRate:
		return max(float64(p.failures), 0.5) / float64(p.times.total), true
	case probeAgreement:
		return 1, true
	case businessVolume:
		return float64(p.times.total-p.failures) / (to - p.from).Seconds(), to > p.from
	}
	return p.times.metric(m)
}
