// Package pekko is the circuit breaker of Apache Pekko and Akka, result by result.
//
// Failures are counted in a row. A timer half-opens; one call is the trial, its success closes and its failure opens again
// for longer. Results go to the state through which their call was made: one from a closed period decides no trial. It
// does count in a later closed period. Open times grow by the back-off, scattered upwards by the random factor, and the
// scatter compounds; a step that would reach the maximum is not taken, so the time stays below it.
package pekko

import (
	"cmp"
	"fmt"
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/cooldown"
	"github.com/poolproof/poolproof/policy/failover/breaker/internal/machine"
)

// NoCallTimeout switches the timeout of calls off.
const NoCallTimeout time.Duration = -1

// Config has the keys of pekko.circuit-breaker, with the same defaults for zero.
type Config struct {
	// MaxFailures in a row open the breaker. Zero means 10.
	MaxFailures int
	// CallTimeout: a longer call failed. Zero means 10 s, NoCallTimeout none. A call is to be reported when it times out.
	CallTimeout time.Duration
	// ResetTimeout is the first open time. Zero means 15 s.
	ResetTimeout time.Duration
	// MaxResetTimeout is what open times stay below. Zero means 36500 days.
	MaxResetTimeout time.Duration
	// ExponentialBackoff is the growth, at least 1. Zero means 1.
	ExponentialBackoff float64
	// RandomFactor scatters each step of growth by up to that part, 0 to 1.
	RandomFactor float64
	// Random is the source of the scatter; needed only with a random factor.
	Random breaker.Random
	// OnChange, if not nil, is told of changes after the lock is released.
	OnChange func(breaker.Change)
}

// Breaker is one breaker. Make it with New.
type Breaker struct {
	m   machine.Machine
	cfg Config
	// failures in a row, reset the open time that comes next.
	failures int
	reset    time.Duration
	// tried: the half-open breaker has given its trial.
	tried bool
}

var _ breaker.Breaker = (*Breaker)(nil)

// New makes a closed breaker, or says what is wrong with its keys.
func New(cfg Config) (*Breaker, error) {
	cfg.MaxFailures = cmp.Or(cfg.MaxFailures, 10)
	cfg.CallTimeout = cmp.Or(cfg.CallTimeout, 10*time.Second)
	cfg.ResetTimeout = cmp.Or(cfg.ResetTimeout, 15*time.Second)
	cfg.MaxResetTimeout = cmp.Or(cfg.MaxResetTimeout, 36500*24*time.Hour)
	cfg.ExponentialBackoff = cmp.Or(cfg.ExponentialBackoff, 1)
	switch {
	case cfg.MaxFailures < 0 || cfg.ResetTimeout < 0 || cfg.MaxResetTimeout < 0 || cfg.CallTimeout < 0 && cfg.CallTimeout != NoCallTimeout:
		return nil, fmt.Errorf("pekko: a negative key: %+v", cfg)
	case !(cfg.ExponentialBackoff >= 1):
		return nil, fmt.Errorf("pekko: exponential-backoff %v: want at least 1", cfg.ExponentialBackoff)
	case !(cfg.RandomFactor >= 0 && cfg.RandomFactor <= 1):
		return nil, fmt.Errorf("pekko: random-factor %v: want 0 to 1", cfg.RandomFactor)
	case cfg.RandomFactor > 0 && cfg.Random == nil:
		return nil, fmt.Errorf("pekko: a random factor needs a source of randomness")
	}
	b := &Breaker{cfg: cfg, reset: cfg.ResetTimeout}
	b.m.OnChange = cfg.OnChange
	return b, nil
}

// Permit implements breaker.Breaker. The permit's slot tells a trial from a call of a closed period.
func (b *Breaker) Permit(now time.Duration) (breaker.Permit, error) {
	b.m.Lock()
	defer b.m.Unlock()
	b.timer(now)
	switch b.m.State {
	case breaker.Open:
		return breaker.Permit{}, breaker.ErrOpen
	case breaker.HalfOpen:
		if b.tried {
			return breaker.Permit{}, breaker.ErrBusy
		}
		b.tried = true
		return breaker.Permit{Slot: 1}, nil
	case breaker.Closed:
	}
	return breaker.Permit{}, nil
}

// Report implements breaker.Breaker. A neutral result is an allowed exception, a success for Pekko; a cancelled one is a
// failed future.
func (b *Breaker) Report(now time.Duration, p breaker.Permit, r breaker.Result) {
	b.m.Lock()
	defer b.m.Unlock()
	b.timer(now)
	late := b.cfg.CallTimeout > 0 && (r.Latency > b.cfg.CallTimeout || r.TimedOut)
	ok := !late && (r.Class == breaker.Success || r.Class == breaker.Neutral)
	switch {
	case p.Slot > 0 && b.m.State == breaker.HalfOpen && ok:
		b.failures, b.reset = 0, b.cfg.ResetTimeout
		b.m.Enter(now, breaker.Closed, 0)
	case p.Slot > 0 && b.m.State == breaker.HalfOpen:
		b.open(now)
	case p.Slot > 0 || b.m.State != breaker.Closed: // goes to a state that is not the current one
	case ok:
		b.failures = 0
	default:
		if b.failures++; b.failures == b.cfg.MaxFailures {
			b.open(now)
		}
	}
}

func (b *Breaker) open(now time.Duration) {
	b.m.Enter(now, breaker.Open, now+b.reset)
	scatter := 1.0
	if b.cfg.RandomFactor > 0 {
		scatter += b.cfg.Random.Float64() * b.cfg.RandomFactor
	}
	most := min(b.cfg.MaxResetTimeout, cooldown.Forever)
	if next := float64(b.reset) * b.cfg.ExponentialBackoff * scatter; next < float64(most) {
		b.reset = time.Duration(next)
	}
}

// timer half-opens at the end of the open time, whoever looks.
func (b *Breaker) timer(now time.Duration) {
	if b.m.State == breaker.Open && now >= b.m.Until {
		b.tried = false
		b.m.Enter(b.m.Until, breaker.HalfOpen, 0)
	}
}

// State implements breaker.Breaker.
func (b *Breaker) State(now time.Duration) breaker.State {
	b.m.Lock()
	defer b.m.Unlock()
	b.timer(now)
	return b.m.State
}
