// Package sentinel is the circuit breaker of sentinel-golang 1.0.4 and later, completion by completion.
//
// A closed breaker is judged at each completion. The first call at or after the retry timeout becomes the probe. With
// ProbeNum 0 it is the only one; above 0 every call passes while half-open, without bound, and that many good results
// close. Any bad result opens again. There are no generations: calls from before the trip count as probes. A probe with
// ProbeNum 0 that never completes leaves the breaker half-open for ever.
package sentinel

import (
	"fmt"
	"math"
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/internal/machine"
	"github.com/poolproof/poolproof/policy/failover/breaker/window"
)

// Strategy is what a rule measures.
type Strategy uint8

// The strategies.
const (
	SlowRequestRatio Strategy = iota
	ErrorRatio
	ErrorCount
)

// precision within which two ratios count as equal.
const precision = 1e-8

// Rule has the fields of sentinel's Rule that concern the verdict. Durations are whole milliseconds, what exceeds them is cut.
type Rule struct {
	Strategy Strategy
	// RetryTimeout is how long the breaker stays open, at least 1 ms.
	RetryTimeout time.Duration
	// MinRequestAmount within the interval below which nothing trips.
	MinRequestAmount int
	// StatInterval is the span of the statistics, at least 1 ms, on a grid of the clock.
	StatInterval time.Duration
	// BucketCount divides the interval. Zero, or a number that does not divide its milliseconds, means 1: the statistics
	// are then those since the last multiple of the interval.
	BucketCount int
	// MaxAllowedRt: a longer call is slow. Only SlowRequestRatio reads it.
	MaxAllowedRt time.Duration
	// Threshold is a ratio from 0 to 1, or a number of errors whose fraction is cut.
	Threshold float64
	// ProbeNum is how many good results close; see the package. Since 1.0.4.
	ProbeNum int
	// OnChange, if not nil, is told of changes after the lock is released.
	OnChange func(breaker.Change)
}

// Breaker is the breaker of one rule. Make it with New.
type Breaker struct {
	m      machine.Machine
	rule   Rule
	window window.Window
	probes int
}

var _ breaker.Breaker = (*Breaker)(nil)

// New makes a closed breaker, or says what sentinel refuses.
func New(r Rule) (*Breaker, error) {
	r.RetryTimeout = r.RetryTimeout.Truncate(time.Millisecond)
	r.StatInterval = r.StatInterval.Truncate(time.Millisecond)
	r.MaxAllowedRt = r.MaxAllowedRt.Truncate(time.Millisecond)
	switch {
	case r.StatInterval <= 0:
		return nil, fmt.Errorf("sentinel: statIntervalMs %v: want at least 1ms", r.StatInterval)
	case r.RetryTimeout <= 0:
		return nil, fmt.Errorf("sentinel: retryTimeoutMs %v: want at least 1ms", r.RetryTimeout)
	case !(r.Threshold >= 0) || r.Strategy != ErrorCount && r.Threshold > 1:
		return nil, fmt.Errorf("sentinel: threshold %v: want a ratio from 0 to 1, or a number", r.Threshold)
	case r.MinRequestAmount < 0 || r.ProbeNum < 0 || r.MaxAllowedRt < 0 || r.BucketCount < 0:
		return nil, fmt.Errorf("sentinel: a negative number")
	case r.Strategy > ErrorCount:
		return nil, fmt.Errorf("sentinel: unknown strategy %d", r.Strategy)
	}
	if ms := int64(r.StatInterval / time.Millisecond); r.BucketCount == 0 || ms%int64(r.BucketCount) != 0 {
		r.BucketCount = 1
	}
	spec := window.Aligned(r.StatInterval, r.BucketCount)
	if err := spec.Validate(); err != nil {
		return nil, fmt.Errorf("sentinel: %w", err)
	}
	b := &Breaker{rule: r, window: spec.New()}
	b.m.OnChange = r.OnChange
	return b, nil
}

// Permit implements breaker.Breaker. The permit carries nothing.
func (b *Breaker) Permit(now time.Duration) (breaker.Permit, error) {
	b.m.Lock()
	defer b.m.Unlock()
	switch {
	case b.m.State == breaker.Open && now < b.m.Until:
		return breaker.Permit{}, breaker.ErrOpen
	case b.m.State == breaker.Open:
		b.m.Enter(now, breaker.HalfOpen, b.m.Until)
	case b.m.State == breaker.HalfOpen && b.rule.ProbeNum == 0:
		return breaker.Permit{}, breaker.ErrBusy
	}
	return breaker.Permit{}, nil
}

// Report implements breaker.Breaker. A failure is a traced error; neutral and cancelled calls completed without one.
func (b *Breaker) Report(now time.Duration, _ breaker.Permit, r breaker.Result) {
	b.m.Lock()
	defer b.m.Unlock()
	failed := r.Class == breaker.Failure
	slow := r.Latency.Truncate(time.Millisecond) > b.rule.MaxAllowedRt
	b.window.Add(b.window.Epoch(now), window.Sample{Failed: failed, Slow: slow})
	bad := failed
	if b.rule.Strategy == SlowRequestRatio {
		bad = slow
	}
	switch b.m.State {
	case breaker.Closed:
		if b.trips(b.window.Counts()) {
			b.open(now)
		}
	case breaker.HalfOpen:
		if bad {
			b.open(now)
		} else if b.probes++; b.probes >= b.rule.ProbeNum {
			b.window.Reset(now)
			b.m.Enter(now, breaker.Closed, 0)
		}
	case breaker.Open: // counted, no more
	}
}

func (b *Breaker) open(now time.Duration) {
	b.probes = 0
	b.m.Enter(now, breaker.Open, now+b.rule.RetryTimeout)
}

func (b *Breaker) trips(c window.Counts) bool {
	if c.Total < b.rule.MinRequestAmount {
		return false
	}
	ratio := float64(c.Failures) / float64(c.Total)
	switch b.rule.Strategy {
	case ErrorCount:
		return float64(c.Failures) >= math.Floor(b.rule.Threshold)
	case SlowRequestRatio:
		ratio = float64(c.Slow) / float64(c.Total)
	case ErrorRatio:
	}
	return ratio > b.rule.Threshold || math.Abs(ratio-b.rule.Threshold) < precision
}

// Blocked takes back a permit whose call another rule has blocked before it was sent. If it half-opened the breaker, the
// breaker is open again, and the next call probes at once: the retry timeout does not start anew.
func (b *Breaker) Blocked(now time.Duration) {
	b.m.Lock()
	defer b.m.Unlock()
	if b.m.State == breaker.HalfOpen {
		b.m.Enter(now, breaker.Open, b.m.Until)
	}
}

// State implements breaker.Breaker.
func (b *Breaker) State(now time.Duration) breaker.State {
	b.m.Lock()
	defer b.m.Unlock()
	if b.m.State == breaker.Open && now >= b.m.Until {
		return breaker.HalfOpen
	}
	return b.m.State
}
