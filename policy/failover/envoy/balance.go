package envoy

import (
	"math"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
)

// algorithm chooses a host of a priority.
type algorithm uint8

const (
	roundRobin algorithm = iota
	leastRequest
	random
)

// level is one priority.
type level struct {
	all    []int32
	usable []int32 // those that are chosen from: the healthy ones, or all in panic; empty if panic fails traffic
	load   int     // percent of the traffic
	panic  bool
	at     int  // round robin
	equal  bool // all of usable weigh the same
	slow   bool // one of usable starts slowly
	clock  float64
	health int // percent, overprovisioned
}

// refresh distributes the load over the priorities and fixes what each chooses from.
func (e *Engine) refresh(now time.Duration) {
	total := 0
	for p := range e.levels {
		l := &e.levels[p]
		l.load, l.panic = 0, false
		healthy, all := e.weigh(l)
		l.health = min(100, e.overprovision*healthy/all)
		total += l.health
	}
	total = min(100, total)
	e.distribute(total)
	everywhere := true
	for p := range e.levels {
		l := &e.levels[p]
		l.panic = total != 100 && 100*e.healthyOf(l) < e.panicBelow*len(l.all)
		everywhere = everywhere && l.panic
	}
	if total == 0 && e.panicBelow == 0 {
		e.levels[0].load = 100
	} else if everywhere {
		e.distributeByCount()
	}
	for p := range e.levels {
		e.fill(now, &e.levels[p])
	}
}

// weigh returns how much of a priority is healthy: hosts, or their weights with weighted_priority_health.
func (e *Engine) weigh(l *level) (healthy, all int) {
	for _, i := range l.all {
		w := 1
		if e.byWeight {
			w = e.hosts[i].weight
		}
		if all += w; e.hosts[i].healthy() {
			healthy += w
		}
	}
	return healthy, all
}

func (e *Engine) healthyOf(l *level) int {
	n := 0
	for _, i := range l.all {
		if e.hosts[i].healthy() {
			n++
		}
	}
	return n
}

// distribute gives each priority its share in turn; what rounding leaves goes to the first that has any.
func (e *Engine) distribute(total int) {
	if total == 0 {
		return
	}
	left, first := 100, -1
	for p := range e.levels {
		l := &e.levels[p]
		if l.health > 0 && first < 0 {
			first = p
		}
		l.load = min(left, l.health*100/total)
		left -= l.load
	}
	if first >= 0 {
		e.levels[first].load += left
	}
}

// distributeByCount is the distribution when every priority is in panic: by hosts, healthy or not.
func (e *Engine) distributeByCount() {
	left := 100
	for p := range e.levels {
		l := &e.levels[p]
		l.load = 100 * len(l.all) / len(e.hosts)
		left -= l.load
	}
	e.levels[0].load += left
}

// fill lists what a priority chooses from and starts its scheduler anew.
func (e *Engine) fill(now time.Duration, l *level) {
	l.usable, l.equal, l.slow, l.clock = l.usable[:0], true, false, 0
	if l.panic && e.failOnPanic {
		return
	}
	for _, i := range l.all {
		h := &e.hosts[i]
		if !l.panic && !h.healthy() {
			continue
		}
		l.usable = append(l.usable, i)
		l.equal = l.equal && h.weight == e.hosts[l.usable[0]].weight
		l.slow = l.slow || e.starting(now, h)
	}
	for _, i := range l.usable {
		e.add(now, l, &e.hosts[i])
	}
}

// add puts a host into the scheduler, at the end of its next turn.
func (e *Engine) add(now time.Duration, l *level, h *host) {
	w := e.weight(now, h)
	if e.balance == leastRequest {
		w /= float64(h.active + 1)
	}
	h.deadline = l.clock + 1/w
	e.order++
	h.order = e.order
}

// weight is a host's weight, less during slow start.
func (e *Engine) weight(now time.Duration, h *host) float64 {
	w := float64(h.weight)
	if h.healthy() && e.starting(now, h) {
		f := float64(max(time.Millisecond, now-h.since)) / float64(e.window)
		w *= max(e.least, math.Pow(f, 1/e.aggression))
	}
	return w
}

// choose returns the host for a request, -1 if there is none.
func (e *Engine) choose(now time.Duration) int32 {
	l := &e.levels[0]
	if l.load < 100 {
		at, sum := e.rand.IntN(100)+1, 0
		for p := range e.levels {
			l = &e.levels[p]
			if sum += l.load; at <= sum {
				break
			}
		}
	}
	n := len(l.usable)
	switch {
	case n == 0:
		return -1
	case e.balance == random:
		return l.usable[e.rand.IntN(n)]
	case !l.equal || l.slow:
		return e.earliest(now, l)
	case e.balance == leastRequest:
		return e.fewest(l)
	}
	l.at++
	return l.usable[l.at%n]
}

// earliest is the scheduler: earliest deadline first, among equals the one that was added first.
func (e *Engine) earliest(now time.Duration, l *level) int32 {
	best := l.usable[0]
	for _, i := range l.usable[1:] {
		h, b := &e.hosts[i], &e.hosts[best]
		if h.deadline < b.deadline || h.deadline == b.deadline && h.order < b.order {
			best = i
		}
	}
	l.clock = e.hosts[best].deadline
	e.add(now, l, &e.hosts[best])
	return best
}

// fewest draws hosts and takes the one with the fewest requests, of equals the one that was drawn first.
func (e *Engine) fewest(l *level) int32 {
	best := l.usable[e.rand.IntN(len(l.usable))]
	for range e.choices - 1 {
		if i := l.usable[e.rand.IntN(len(l.usable))]; e.hosts[i].active < e.hosts[best].active {
			best = i
		}
	}
	return best
}

var _ failover.Engine = (*Engine)(nil)
