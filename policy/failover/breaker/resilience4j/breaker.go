// Package resilience4j is the circuit breaker of resilience4j 1.2 to 2.4, result by result.
//
// What it does differently from package threestate, on purpose because the program does:
//
//   - it has no generations: a result that arrives late counts in the state that it meets, so calls from before a trip
//     decide a half-open period;
//   - the calls permitted in a half-open period are a total, and one that never returns is lost to it: without
//     maxWaitDurationInHalfOpenState the breaker can stay half-open for ever;
//   - an ignored result gives its call back to that total, also if it was admitted before the period: the total then rises
//     above its start value;
//   - the first call is admitted strictly after the wait;
//   - rates are judged after every recorded result, in percent, as 32-bit floats.
//
// Versions agree in all this; settings say since when they exist. Versions before 1.0 had ring buffers instead of windows
// and are another breaker.
package resilience4j

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/internal/machine"
	"github.com/poolproof/poolproof/policy/failover/breaker/window"
)

// Breaker is one CircuitBreaker. Make it with New.
type Breaker struct {
	m    machine.Machine
	cfg  Config
	mode Mode

	closed, trials window.Window
	// permits are the calls that the half-open period still admits, since is its start.
	permits int
	since   time.Duration
	// attempts counts the openings in a row.
	attempts int
}

var _ breaker.Breaker = (*Breaker)(nil)

// New makes a breaker in its initial state, or says which setting resilience4j refuses.
func New(cfg Config) (*Breaker, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, err
	}
	b := &Breaker{cfg: cfg, closed: cfg.window().New(), trials: window.LastN(cfg.PermittedNumberOfCallsInHalfOpenState).New()}
	b.enterMode(0, cfg.InitialMode)
	if cfg.InitialMode == Normal {
		switch cfg.Initial {
		case breaker.Open:
			b.open(0)
		case breaker.HalfOpen:
			b.attempts = 1
			b.halfOpen(0)
		case breaker.Closed:
		}
	}
	b.m.OnChange = cfg.OnChange
	return b, nil
}

// Permit implements breaker.Breaker. The permit carries nothing.
func (b *Breaker) Permit(now time.Duration) (breaker.Permit, error) {
	b.m.Lock()
	defer b.m.Unlock()
	switch b.mode {
	case Disabled, MetricsOnly:
		return breaker.Permit{}, nil
	case ForcedOpen:
		return breaker.Permit{}, breaker.ErrOpen
	case Normal:
	}
	b.timers(now)
	if b.m.State == breaker.Open {
		if now <= b.m.Until {
			return breaker.Permit{}, breaker.ErrOpen
		}
		b.halfOpen(now)
	}
	if b.m.State == breaker.HalfOpen {
		if b.permits == 0 {
			return breaker.Permit{}, breaker.ErrBusy
		}
		b.permits--
	}
	return breaker.Permit{}, nil
}

// Report implements breaker.Breaker. Neutral and cancelled results are ignored ones: ignoreExceptions, releasePermission.
func (b *Breaker) Report(now time.Duration, _ breaker.Permit, r breaker.Result) {
	b.m.Lock()
	defer b.m.Unlock()
	if b.mode != Normal && b.mode != MetricsOnly {
		return
	}
	b.timers(now)
	sample := window.Sample{Failed: r.Class == breaker.Failure, Slow: r.Latency > b.cfg.SlowCallDurationThreshold}
	switch {
	case b.mode == MetricsOnly || b.m.State == breaker.Closed:
		if r.Class.Counted() {
			b.closed.Add(b.closed.Epoch(now), sample)
			if b.judge(b.closed.Counts(), b.cfg.minimum()) == above && b.mode == Normal {
				b.open(now)
			}
		}
	case b.m.State == breaker.HalfOpen:
		b.reportTrial(now, r.Class, sample)
	}
}

func (b *Breaker) reportTrial(now time.Duration, class breaker.Class, sample window.Sample) {
	if !class.Counted() {
		b.permits++
		return
	}
	b.trials.Add(0, sample)
	switch b.judge(b.trials.Counts(), min(b.cfg.MinimumNumberOfCalls, b.cfg.PermittedNumberOfCallsInHalfOpenState)) {
	case above:
		b.open(now)
	case below:
		b.close(now)
	case tooFew:
	}
}

type opinion uint8

const (
	tooFew opinion = iota
	below
	above
)

func (b *Breaker) judge(c window.Counts, minimum int) opinion {
	if c.Total == 0 || c.Total < minimum {
		return tooFew
	}
	total := float32(c.Total)
	if float32(c.Failures)*100/total >= b.cfg.FailureRateThreshold || float32(c.Slow)*100/total >= b.cfg.SlowCallRateThreshold {
		return above
	}
	return below
}

// timers does what the program's scheduler has done by now: the two transitions that need no call.
func (b *Breaker) timers(now time.Duration) {
	maxWait := b.cfg.MaxWaitDurationInHalfOpenState.Truncate(time.Millisecond)
	for {
		switch {
		case b.m.State == breaker.Open && b.cfg.AutomaticTransitionFromOpenToHalfOpenEnabled && now >= b.m.Until:
			b.halfOpen(b.m.Until)
		case b.m.State == breaker.HalfOpen && maxWait > 0 && now >= b.since+maxWait:
			if b.cfg.CloseAfterMaxWait {
				b.close(b.since + maxWait)
			} else {
				b.open(b.since + maxWait)
			}
		default:
			return
		}
	}
}

func (b *Breaker) open(at time.Duration) {
	b.attempts++
	b.m.Enter(at, breaker.Open, at+b.cfg.Wait.After(b.attempts, b.cfg.Random))
}

func (b *Breaker) halfOpen(at time.Duration) {
	b.permits, b.since = b.cfg.PermittedNumberOfCallsInHalfOpenState, at
	b.trials.Reset(at)
	b.m.Enter(at, breaker.HalfOpen, 0)
}

func (b *Breaker) close(at time.Duration) {
	b.attempts = 0
	b.closed.Reset(at)
	b.m.Enter(at, breaker.Closed, 0)
}

// State implements breaker.Breaker. Disabled and metrics-only breakers read as closed, forced-open ones as open.
func (b *Breaker) State(now time.Duration) breaker.State {
	b.m.Lock()
	defer b.m.Unlock()
	switch b.mode {
	case Disabled, MetricsOnly:
		return breaker.Closed
	case ForcedOpen:
		return breaker.Open
	case Normal:
	}
	b.timers(now)
	if b.m.State == breaker.Open && now > b.m.Until {
		return breaker.HalfOpen
	}
	return b.m.State
}

// Advance does what time alone does: the timers of the automatic transition and of the longest half-open period.
func (b *Breaker) Advance(now time.Duration) {
	b.m.Lock()
	defer b.m.Unlock()
	if b.mode == Normal {
		b.timers(now)
	}
}

// SetMode enters a mode by hand at now. Normal is a fresh closed breaker, as are the others' records.
func (b *Breaker) SetMode(now time.Duration, mode Mode) {
	b.m.Lock()
	defer b.m.Unlock()
	b.enterMode(now, mode)
}

func (b *Breaker) enterMode(now time.Duration, mode Mode) {
	b.mode = mode
	b.attempts = 0
	b.closed.Reset(now)
	if b.m.State != breaker.Closed {
		b.m.Enter(now, breaker.Closed, 0)
	}
}
