// Package polly is the circuit breaker strategy of Polly 8 (read at 8.7.0), result by result.
//
// The ratio is judged on failures only. One caller becomes the probe at or after the end of the break, all others are
// refused until its outcome; any outcome that is not handled closes, a cancelled probe included. There are no generations:
// a late outcome acts on the state that it meets. A probe that never returns leaves the breaker half-open for ever. The
// window's buckets begin with the first call after the last one ended.
package polly

import (
	"cmp"
	"fmt"
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/internal/machine"
)

// windows is into how many buckets the sampling duration is divided.
const windows = 10

// Config has the options of Polly under their names there, with the same defaults for zero.
type Config struct {
	// FailureRatio at which the circuit breaks, above 0 and up to 1. Zero means 0.1; Polly itself also takes a ratio of 0,
	// which breaks at the first failure from the minimum throughput on: math.SmallestNonzeroFloat64 does so here.
	FailureRatio float64
	// MinimumThroughput within the sampling duration, at least 2. Zero means 100.
	MinimumThroughput int
	// SamplingDuration from 500 ms to one day. Zero means 30 s.
	SamplingDuration time.Duration
	// BreakDuration from 500 ms to one day. Zero means 5 s.
	BreakDuration time.Duration
	// BreakDurationGenerator, if not nil, replaces BreakDuration. It gets the failure rate and the number of failures in
	// the window and the probes since the circuit was last closed.
	BreakDurationGenerator func(failureRate float64, failures, halfOpenAttempts int) time.Duration
	// OnChange, if not nil, is told of changes after the lock is released.
	OnChange func(breaker.Change)
}

// Breaker is one circuit. Make it with New.
type Breaker struct {
	m        machine.Machine
	cfg      Config
	window   lazy
	attempts int
	isolated bool
}

var _ breaker.Breaker = (*Breaker)(nil)

// New makes a closed circuit, or says which option Polly refuses.
func New(cfg Config) (*Breaker, error) {
	cfg.FailureRatio = cmp.Or(cfg.FailureRatio, 0.1)
	cfg.MinimumThroughput = cmp.Or(cfg.MinimumThroughput, 100)
	cfg.SamplingDuration = cmp.Or(cfg.SamplingDuration, 30*time.Second)
	cfg.BreakDuration = cmp.Or(cfg.BreakDuration, 5*time.Second)
	const least, most = 500 * time.Millisecond, 24 * time.Hour
	switch {
	case !(cfg.FailureRatio > 0 && cfg.FailureRatio <= 1):
		return nil, fmt.Errorf("polly: FailureRatio %v: want 0 to 1", cfg.FailureRatio)
	case cfg.MinimumThroughput < 2:
		return nil, fmt.Errorf("polly: MinimumThroughput %d: want at least 2", cfg.MinimumThroughput)
	case cfg.SamplingDuration < least || cfg.SamplingDuration > most:
		return nil, fmt.Errorf("polly: SamplingDuration %v: want %v to %v", cfg.SamplingDuration, least, most)
	case cfg.BreakDuration < least || cfg.BreakDuration > most:
		return nil, fmt.Errorf("polly: BreakDuration %v: want %v to %v", cfg.BreakDuration, least, most)
	}
	b := &Breaker{cfg: cfg, window: lazy{span: cfg.SamplingDuration}}
	b.m.OnChange = cfg.OnChange
	return b, nil
}

// Permit implements breaker.Breaker. The permit carries nothing.
func (b *Breaker) Permit(now time.Duration) (breaker.Permit, error) {
	b.m.Lock()
	defer b.m.Unlock()
	switch {
	case b.isolated, b.m.State == breaker.Open && now < b.m.Until:
		return breaker.Permit{}, breaker.ErrOpen
	case b.m.State == breaker.HalfOpen:
		return breaker.Permit{}, breaker.ErrBusy
	case b.m.State == breaker.Open:
		b.attempts++
		b.m.Enter(now, breaker.HalfOpen, 0)
	}
	return breaker.Permit{}, nil
}

// Report implements breaker.Breaker. A failure is a handled outcome, everything else is not.
func (b *Breaker) Report(now time.Duration, _ breaker.Permit, r breaker.Result) {
	b.m.Lock()
	defer b.m.Unlock()
	failed := r.Class == breaker.Failure
	halfOpen := b.m.State == breaker.HalfOpen && !b.isolated
	switch {
	case halfOpen && failed: // not counted
		b.open(now)
	case halfOpen:
		b.close(now)
	default:
		total, failures := b.window.add(now, failed)
		if failed && b.m.State == breaker.Closed && !b.isolated &&
			total >= b.cfg.MinimumThroughput && float64(failures)/float64(total) >= b.cfg.FailureRatio {
			b.open(now)
		}
	}
}

func (b *Breaker) open(now time.Duration) {
	length := b.cfg.BreakDuration
	if b.cfg.BreakDurationGenerator != nil {
		total, failures := b.window.counts(now)
		rate := 0.0
		if total > 0 {
			rate = float64(failures) / float64(total)
		}
		length = b.cfg.BreakDurationGenerator(rate, failures, b.attempts)
	}
	b.m.Enter(now, breaker.Open, now+length)
}

func (b *Breaker) close(now time.Duration) {
	b.attempts = 0
	b.window.reset()
	b.m.Enter(now, breaker.Closed, 0)
}

// State implements breaker.Breaker. An isolated circuit reads as open.
func (b *Breaker) State(now time.Duration) breaker.State {
	b.m.Lock()
	defer b.m.Unlock()
	switch {
	case b.isolated:
		return breaker.Open
	case b.m.State == breaker.Open && now >= b.m.Until:
		return breaker.HalfOpen
	}
	return b.m.State
}

// Isolate refuses all calls until Close: ManualControl.
func (b *Breaker) Isolate() {
	b.m.Lock()
	defer b.m.Unlock()
	b.isolated = true
}

// Close closes the circuit by hand and empties its window.
func (b *Breaker) Close(now time.Duration) {
	b.m.Lock()
	defer b.m.Unlock()
	b.isolated = false
	b.close(now)
}

// room is how many buckets can be within the span: they begin at least a tenth of it apart, cut to whole nanoseconds.
const room = windows + 1

// lazy is a rolling window whose buckets begin with a call, not on a grid.
type lazy struct {
	span            time.Duration
	buckets         [room]bucket
	first, n        int
	total, failures int
}

type bucket struct {
	start           time.Duration
	total, failures int
}

func (w *lazy) move(now time.Duration) *bucket {
	for w.n > 0 && now-w.buckets[w.first].start >= w.span {
		w.total -= w.buckets[w.first].total
		w.failures -= w.buckets[w.first].failures
		w.first = (w.first + 1) % room
		w.n--
	}
	newest := &w.buckets[(w.first+w.n+room-1)%room]
	if w.n == 0 || now-newest.start >= w.span/windows {
		newest = &w.buckets[(w.first+w.n)%room]
		*newest = bucket{start: now}
		w.n++
	}
	return newest
}

func (w *lazy) add(now time.Duration, failed bool) (total, failures int) {
	b := w.move(now)
	b.total++
	w.total++
	if failed {
		b.failures++
		w.failures++
	}
	return w.total, w.failures
}

func (w *lazy) counts(now time.Duration) (total, failures int) {
	w.move(now)
	return w.total, w.failures
}

func (w *lazy) reset() { *w = lazy{span: w.span} }
