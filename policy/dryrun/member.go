package dryrun

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover"
)

// member is one member as the world has it: how it behaves, and what is wrong with it. What the engine thinks of it is
// the engine's affair.
type member struct {
	id     string
	region string
	shares []string

	latency    sampler
	errors     float64
	capacity   int
	onOverload Overload
	faults     []*active

	// busy is how many requests it serves; waiting are those that it has no room for, in order.
	busy    int
	waiting waiting

	state failover.State
	spans []StateSpan
	// scoped are the states of parts of its traffic, by name.
	scoped map[string][]StateSpan
	gone   bool

	// times of the latest trouble
	bad, seen, removed, well time.Duration
	detect, remove, back     time.Duration
}

// waiter is a request that waits for a member.
type waiter struct {
	slot   uint32
	epoch  uint16
	status uint16
	took   time.Duration // how long it will be served
}

// waiting is a first-in first-out line.
type waiting struct {
	line []waiter
	head int
}

func (w *waiting) len() int { return len(w.line) - w.head }

func (w *waiting) push(x waiter) {
	if w.head > 64 && w.head*2 >= len(w.line) {
		w.line = w.line[:copy(w.line, w.line[w.head:])]
		w.head = 0
	}
	w.line = append(w.line, x)
}

func (w *waiting) pop() waiter {
	x := w.line[w.head]
	w.head++
	return x
}

func (m *member) beganFault(now time.Duration) {
	if len(m.faults) == 1 {
		m.bad, m.seen, m.removed, m.well = now, unsaid, unsaid, unsaid
	}
}

func (m *member) endedFault(now time.Duration) {
	m.well = now
	if m.state == failover.In {
		m.well = unsaid // it never left, or is back already
	}
}

// failed notes the first failure that anybody sees of a fault.
func (m *member) failed(now time.Duration) {
	if m.bad >= 0 && m.seen < 0 {
		m.seen = now
		m.detect = max(m.detect, now-m.bad)
	}
}

// moved notes a change of state.
func (m *member) moved(now time.Duration, to failover.State) {
	m.state = to
	switch {
	case to.Gone() && m.bad >= 0 && m.removed < 0:
		m.removed = now
		m.remove = max(m.remove, now-m.bad)
	case to == failover.In && m.well >= 0:
		m.back = max(m.back, now-m.well)
		m.well = unsaid
	}
}
