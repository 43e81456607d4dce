package controller

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/breaker/cooldown"
	"github.com/poolproof/poolproof/policy/failover/breaker/window"
)

// phase is where a health domain stands.
type phase uint8

const (
	serving  phase = iota
	draining       // out, and requests of before are still in flight
	waiting        // drained; the cooldown begins when a probe passes
	cooling
	held // the cooldown is over, and a probe or a notice holds the return back
	onProof
	ramping
	resting // stepped back from the first batch to nothing
	handed  // a person has to decide
)

// cause is what took a health domain out.
type cause uint8

const (
	business cause = iota
	byProbes
	byNotice
	byOperator
	byTrial
)

var causeNames = [...]string{"business", "probe", "external", "operator", "trial"}

// String returns the name of the cause.
func (c cause) String() string { return causeNames[c] }

// unit is one health domain: what is judged, removed, cooled down and brought back as a whole.
type unit struct {
	group, kind int32
	phase       phase
	cause       cause
	asked       bool // a person has put it back since it went out by itself
	shown       failover.State
	// generation grows with everything that makes earlier results worthless; life is that of the last time in service,
	// drainFrom that of the one before.
	generation, life, drainFrom uint32
	inflight, left              int32
	due                         time.Duration

	since  time.Duration // since when it has been in service, or on trial
	window window.Window
	slow   confirmations
	books  *books // nil where no stop condition needs them

	removedAt time.Duration
	length    time.Duration // of the cooldown
	row       cooldown.Row
	rounds    []Round
	proof     proof

	// ramp
	batch       int
	tally       tally
	ready       bool // the dwell is over
	awaiting    bool // a person has to let it go on
	failed      int  // batches in a row
	failedBatch int
}

// state is what others see of the domain.
func (u *unit) state() failover.State {
	switch u.phase {
	case serving:
		return failover.In
	case cooling, resting:
		return failover.Cooling
	case ramping:
		return failover.Ramping
	case handed:
		return failover.Manual
	}
	return failover.Out
}

// gone reports whether the domain gets no regular traffic.
func (u *unit) gone() bool { return u.phase != serving && u.phase != ramping }

// share is the part of its full share that the domain has of one kind of requests.
func (u *unit) share(c *config, tier, part int) float64 {
	switch u.phase {
	case serving:
		return 1
	case ramping:
		return c.batches[u.batch].of(tier, part)
	}
	return 0
}

func (b *batch) of(tier, part int) float64 {
	if b.part == nil && b.tiers == nil || b.part != nil && b.part[part] || b.tiers != nil && b.tiers[tier] {
		return b.share
	}
	return 0
}

// empty reports whether the domain has no traffic at all in this batch.
func (b *batch) empty(tier int) bool {
	if b.share == 0 {
		return true
	}
	if b.part == nil {
		return b.of(tier, 0) == 0
	}
	for part := range b.part {
		if b.of(tier, part) > 0 {
			return false
		}
	}
	return true
}

// confirmations counts slow results, one in each dedupe interval.
type confirmations struct {
	n  int
	at time.Duration
}

func (s *confirmations) add(now time.Duration, c *config) {
	if s.n > 0 && now-s.at < c.slowDedupe {
		return
	}
	if s.n > 0 && c.window > 0 && now-s.at > c.window+c.slowDedupe {
		s.n = 0 // what was slow long ago confirms nothing
	}
	s.n++
	s.at = now
}

func sample(failed, slow bool) window.Sample { return window.Sample{Failed: failed, Slow: slow} }

// slow reports whether a counted result is a slow one. One that times out is slow at its time-out.
func (e *Engine) slow(o *failover.Outcome) bool {
	return e.cfg.slowTimes > 0 && (o.Took > e.cfg.slowOver || o.Kind == failover.Timeout || o.Kind == failover.ConnectTimeout)
}
