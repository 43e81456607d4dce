// Package opossum is the circuit breaker of opossum 10, event by event.
//
// The error rate is that of failures to fires, judged after failures only, and must exceed the threshold. Fires are calls
// that were asked for: those on their way and those refused dilute the rate. A timer half-opens; the first call is the
// trial. Its success closes, a failure opens again whatever the volume. There are no generations: a late success of an
// older call closes a half-open circuit, a late failure opens it. A trial that neither returns nor times out leaves it
// half-open for ever.
package opossum

import (
	"cmp"
	"fmt"
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/internal/machine"
	"github.com/poolproof/poolproof/policy/failover/breaker/window"
)

// NoTimeout switches the timeout of calls off.
const NoTimeout time.Duration = -1

// Config has the options of opossum that concern the verdict, with the same defaults for zero.
type Config struct {
	// Timeout: a longer call failed. Zero means 10 s, NoTimeout none. A call is to be reported when it times out.
	Timeout time.Duration
	// ErrorThresholdPercentage must be exceeded. Zero means 50.
	ErrorThresholdPercentage float64
	// VolumeThreshold is the number of fires in the window below which a closed circuit does not open.
	VolumeThreshold int
	// ResetTimeout is how long the circuit stays open. Zero means 30 s.
	ResetTimeout time.Duration
	// RollingCountTimeout and RollingCountBuckets are the window, whose buckets count from the clock's zero, when the
	// circuit is made. Zero means 10 s and 10.
	RollingCountTimeout time.Duration
	RollingCountBuckets int
	// AllowWarmUp: the circuit does not open within the first RollingCountTimeout.
	AllowWarmUp bool
	// OnChange, if not nil, is told of changes after the lock is released.
	OnChange func(breaker.Change)
}

// Breaker is one circuit. Make it with New.
type Breaker struct {
	m   machine.Machine
	cfg Config
	// window holds a good sample for each fire and a failed one for each failure.
	window window.Window
	// pending: the half-open circuit still has its trial to give.
	pending bool
}

var _ breaker.Breaker = (*Breaker)(nil)

// New makes a closed circuit at the clock's zero, or says what is wrong with its options.
func New(cfg Config) (*Breaker, error) {
	cfg.Timeout = cmp.Or(cfg.Timeout, 10*time.Second)
	cfg.ErrorThresholdPercentage = cmp.Or(cfg.ErrorThresholdPercentage, 50)
	cfg.ResetTimeout = cmp.Or(cfg.ResetTimeout, 30*time.Second)
	cfg.RollingCountTimeout = cmp.Or(cfg.RollingCountTimeout, 10*time.Second)
	cfg.RollingCountBuckets = cmp.Or(cfg.RollingCountBuckets, 10)
	if cfg.RollingCountBuckets < 0 || cfg.RollingCountTimeout < 0 || cfg.ResetTimeout < 0 || cfg.VolumeThreshold < 0 ||
		cfg.Timeout < 0 && cfg.Timeout != NoTimeout || !(cfg.ErrorThresholdPercentage > 0) {
		return nil, fmt.Errorf("opossum: a negative option: %+v", cfg)
	}
	// a bucket is a whole number of milliseconds
	width := (cfg.RollingCountTimeout / time.Duration(cfg.RollingCountBuckets)).Truncate(time.Millisecond)
	spec := window.Aligned(width*time.Duration(cfg.RollingCountBuckets), cfg.RollingCountBuckets)
	if err := spec.Validate(); err != nil {
		return nil, fmt.Errorf("opossum: %w", err)
	}
	b := &Breaker{cfg: cfg, window: spec.New()}
	b.m.OnChange = cfg.OnChange
	return b, nil
}

// Permit implements breaker.Breaker. The permit carries nothing.
func (b *Breaker) Permit(now time.Duration) (breaker.Permit, error) {
	b.m.Lock()
	defer b.m.Unlock()
	b.timer(now)
	b.window.Add(b.window.Epoch(now), window.Sample{})
	switch {
	case b.m.State == breaker.Open:
		return breaker.Permit{}, breaker.ErrOpen
	case b.m.State == breaker.HalfOpen && !b.pending:
		return breaker.Permit{}, breaker.ErrBusy
	}
	b.pending = false
	return breaker.Permit{}, nil
}

// Report implements breaker.Breaker. A neutral result is one that the error filter passes, a success for opossum; a
// cancelled one is a rejected promise, a failure.
func (b *Breaker) Report(now time.Duration, _ breaker.Permit, r breaker.Result) {
	b.m.Lock()
	defer b.m.Unlock()
	b.timer(now)
	late := b.cfg.Timeout > 0 && (r.Latency > b.cfg.Timeout || r.TimedOut)
	if !late && (r.Class == breaker.Success || r.Class == breaker.Neutral) {
		if b.m.State == breaker.HalfOpen {
			b.m.Enter(now, breaker.Closed, 0)
		}
		return
	}
	b.window.Add(b.window.Epoch(now), window.Sample{Failed: true})
	if b.cfg.AllowWarmUp && now < b.cfg.RollingCountTimeout || b.m.State == breaker.Open {
		return
	}
	c := b.window.Counts()
	fires := c.Successes()
	if b.m.State != breaker.HalfOpen && fires < b.cfg.VolumeThreshold {
		return
	}
	if b.m.State == breaker.HalfOpen || float64(c.Failures)/float64(fires)*100 > b.cfg.ErrorThresholdPercentage {
		b.pending = false
		b.m.Enter(now, breaker.Open, now+b.cfg.ResetTimeout)
	}
}

// timer half-opens at the end of the reset timeout, whoever looks.
func (b *Breaker) timer(now time.Duration) {
	if b.m.State == breaker.Open && now >= b.m.Until {
		b.pending = true
		b.m.Enter(b.m.Until, breaker.HalfOpen, 0)
	}
}

// HealthCheckFailed opens the circuit at now, as a rejected health check does.
func (b *Breaker) HealthCheckFailed(now time.Duration) {
	b.m.Lock()
	defer b.m.Unlock()
	b.timer(now)
	if b.m.State != breaker.Open {
		b.pending = false
		b.m.Enter(now, breaker.Open, now+b.cfg.ResetTimeout)
	}
}

// State implements breaker.Breaker.
func (b *Breaker) State(now time.Duration) breaker.State {
	b.m.Lock()
	defer b.m.Unlock()
	b.timer(now)
	return b.m.State
}
