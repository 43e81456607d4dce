// Package hystrix is the circuit breaker of Hystrix 1.5.18, snapshot by snapshot.
//
// Results are gathered in buckets of one snapshot interval. At the end of each the complete buckets of the statistical
// window are judged, and only then: a breaker opens up to one interval after the results that open it. The first call
// strictly after the sleep window is the trial. Its success closes and starts the statistics anew; anything else opens
// again, be it a failure, a bad request (which is no error in the statistics) or a cancelled call. There are no
// generations: late results decide a half-open period too, and a trial that never returns leaves it half-open for ever.
package hystrix

import (
	"cmp"
	"fmt"
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/internal/machine"
	"github.com/poolproof/poolproof/policy/failover/breaker/window"
)

// Force overrides the verdict.
type Force uint8

// The overrides.
const (
	// Judge: no override.
	Judge Force = iota
	// ForceOpen: circuitBreaker.forceOpen, which wins over forceClosed.
	ForceOpen
	// ForceClosed: circuitBreaker.forceClosed. Results are still judged.
	ForceClosed
)

// Config has the properties of a command that concern its breaker, with the same defaults for zero.
type Config struct {
	// RequestVolumeThreshold in the window. Zero means 20.
	RequestVolumeThreshold int
	// ErrorThresholdPercentage, compared with a percentage whose fraction is cut. Zero means 50.
	ErrorThresholdPercentage int
	// SleepWindow is how long the breaker stays open. Zero means 5 s.
	SleepWindow time.Duration
	// StatisticalWindow is metrics.rollingStats.timeInMilliseconds. Zero means 10 s.
	StatisticalWindow time.Duration
	// SnapshotInterval is metrics.healthSnapshot.intervalInMilliseconds. Zero means 500 ms. The window holds as many whole
	// ones as fit.
	SnapshotInterval time.Duration
	// Force overrides the verdict.
	Force Force
	// OnChange, if not nil, is told of changes after the lock is released.
	OnChange func(breaker.Change)
}

// Breaker is the breaker of one command key. Make it with New.
type Breaker struct {
	m   machine.Machine
	cfg Config
	// window also has room for the bucket that is being filled; start is where its first bucket began, judged how many
	// buckets have ended.
	window  window.Window
	buckets int64
	start   time.Duration
	judged  int64
}

var _ breaker.Breaker = (*Breaker)(nil)

// New makes a closed breaker at the clock's zero, or says what is wrong with its properties.
func New(cfg Config) (*Breaker, error) {
	cfg.RequestVolumeThreshold = cmp.Or(cfg.RequestVolumeThreshold, 20)
	cfg.ErrorThresholdPercentage = cmp.Or(cfg.ErrorThresholdPercentage, 50)
	cfg.SleepWindow = cmp.Or(cfg.SleepWindow, 5*time.Second)
	cfg.StatisticalWindow = cmp.Or(cfg.StatisticalWindow, 10*time.Second)
	cfg.SnapshotInterval = cmp.Or(cfg.SnapshotInterval, 500*time.Millisecond)
	switch {
	case cfg.SnapshotInterval < 0 || cfg.StatisticalWindow < cfg.SnapshotInterval:
		return nil, fmt.Errorf("hystrix: snapshots each %v of a window of %v: want one to fit", cfg.SnapshotInterval, cfg.StatisticalWindow)
	case cfg.SleepWindow < 0 || cfg.RequestVolumeThreshold < 0 || cfg.ErrorThresholdPercentage < 0:
		return nil, fmt.Errorf("hystrix: a negative property")
	case cfg.Force > ForceClosed:
		return nil, fmt.Errorf("hystrix: unknown override %d", cfg.Force)
	}
	n := int64(cfg.StatisticalWindow / cfg.SnapshotInterval)
	spec := window.Rolling(time.Duration(n)*cfg.SnapshotInterval, int(n))
	if err := spec.Validate(); err != nil {
		return nil, fmt.Errorf("hystrix: %w", err)
	}
	b := &Breaker{cfg: cfg, window: spec.New(), buckets: n}
	b.m.OnChange = cfg.OnChange
	return b, nil
}

// Permit implements breaker.Breaker. The permit carries nothing.
func (b *Breaker) Permit(now time.Duration) (breaker.Permit, error) {
	b.m.Lock()
	defer b.m.Unlock()
	b.snapshots(now)
	switch {
	case b.cfg.Force == ForceOpen:
		return breaker.Permit{}, breaker.ErrOpen
	case b.cfg.Force == ForceClosed, b.m.State == breaker.Closed:
		return breaker.Permit{}, nil
	case now <= b.m.Until:
		return breaker.Permit{}, breaker.ErrOpen
	case b.m.State == breaker.HalfOpen:
		return breaker.Permit{}, breaker.ErrBusy
	}
	b.m.Enter(now, breaker.HalfOpen, b.m.Until)
	return breaker.Permit{}, nil
}

// Report implements breaker.Breaker. A neutral result is a HystrixBadRequestException, a cancelled one an unsubscribed
// command.
func (b *Breaker) Report(now time.Duration, _ breaker.Permit, r breaker.Result) {
	b.m.Lock()
	defer b.m.Unlock()
	b.snapshots(now)
	if b.m.State == breaker.HalfOpen {
		if r.Class == breaker.Success {
			b.window.Reset(now)
			b.start, b.judged = now, 0
			b.m.Enter(now, breaker.Closed, 0)
		} else {
			b.m.Enter(now, breaker.Open, now+b.cfg.SleepWindow)
		}
	}
	if r.Class.Counted() { // after the state, so a successful trial is the first result of its new statistics
		b.window.Add(b.window.Epoch(now), window.Sample{Failed: r.Class == breaker.Failure})
	}
}

// snapshots judges at the ends of the buckets up to now. At the end of bucket k the window holds buckets k-n+1 to k, so it
// is moved there and no further.
func (b *Breaker) snapshots(now time.Duration) {
	ended := int64(max(0, now-b.start) / b.cfg.SnapshotInterval)
	for b.judged < ended {
		end := b.start + time.Duration(b.judged+1)*b.cfg.SnapshotInterval
		b.window.Epoch(end - 1)
		c := b.window.Counts()
		b.judged++
		if c.Total == 0 {
			b.judged = ended // empty buckets open nothing, however many
			return
		}
		if b.m.State == breaker.Closed && c.Total >= b.cfg.RequestVolumeThreshold && percent(c) >= b.cfg.ErrorThresholdPercentage {
			b.m.Enter(end, breaker.Open, end+b.cfg.SleepWindow)
		}
	}
}

func percent(c window.Counts) int {
	if c.Total == 0 {
		return 0
	}
	return int(float64(c.Failures) / float64(c.Total) * 100)
}

// State implements breaker.Breaker.
func (b *Breaker) State(now time.Duration) breaker.State {
	b.m.Lock()
	defer b.m.Unlock()
	b.snapshots(now)
	switch {
	case b.cfg.Force == ForceOpen:
		return breaker.Open
	case b.cfg.Force == ForceClosed:
		return breaker.Closed
	case b.m.State == breaker.Open && now > b.m.Until:
		return breaker.HalfOpen
	}
	return b.m.State
}

// Advance judges the snapshots up to now.
func (b *Breaker) Advance(now time.Duration) {
	b.m.Lock()
	defer b.m.Unlock()
	b.snapshots(now)
}
