package threestate

import (
	"fmt"
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/cooldown"
	"github.com/poolproof/poolproof/policy/failover/breaker/trial"
	"github.com/poolproof/poolproof/policy/failover/breaker/verdict"
	"github.com/poolproof/poolproof/policy/failover/breaker/window"
)

// Defaults of a Config.
const (
	// DefaultConsecutive is the number of failures in a row that opens a breaker without a rule of its own.
	DefaultConsecutive = 5
	// DefaultLease is how long a trial holds its slot.
	DefaultLease = 2 * time.Minute
	// MaxSlots is the largest number of trials at once.
	MaxSlots = 1 << 16
)

// Config describes a three-state breaker. The zero value opens after 5 failures in a row for 30 s, and closes after one
// good trial. A Config is copied; many breakers can be made of one, but see Random.
type Config struct {
	// Trip opens the closed breaker. Nil means verdict.Consecutive(5).
	Trip verdict.Rule
	// Window is what Trip looks at. The zero value counts since the breaker last closed.
	Window window.Spec
	// CreditAdmission counts a result in that part of the window in which its call was admitted, and not at all if that
	// part has left the window. False counts it when it arrives.
	CreditAdmission bool
	// SlowAfter: a call that takes longer, or times out, is slow; as a trial it counts as a failed one. Zero: none is.
	SlowAfter time.Duration
	// Cooldown is how long the breaker stays open. A trial is admitted at the very end of it, not only after.
	Cooldown cooldown.Config
	// Trials bounds and judges the calls of the half-open breaker.
	Trials Trials
	// Random is the source of the cooldown's jitter; needed only with jitter.
	Random breaker.Random
	// OnChange, if not nil, is told of each change of state, by the call that caused it and after the breaker's lock is
	// released: it may use the breaker. Concurrent changes may be told out of order; Change.Generation orders them.
	OnChange func(breaker.Change)
}

// Trials bounds and judges the calls of a half-open breaker.
type Trials struct {
	// Slots is how many trials may be on their way at once. Zero means 1.
	Slots int
	// Total bounds the trials of one half-open period, those given back or never returned not counted. Zero means no
	// bound; else it is at least what Ending needs.
	Total int
	// Ending closes or opens the breaker. Nil means one success closes, one failure opens.
	Ending verdict.Ending
	// Lease is how long a trial holds its slot if it does not return; its result counts for nothing afterwards, so the
	// lease must be longer than the slowest good call. Zero means 2 minutes, trial.NoLease no end.
	Lease time.Duration
}

// complete fills in the defaults and says what is wrong with the rest.
func (c Config) complete() (Config, error) {
	if c.Trip == nil {
		c.Trip = verdict.Consecutive(DefaultConsecutive)
	}
	if c.Trials.Slots == 0 {
		c.Trials.Slots = 1
	}
	if c.Trials.Ending == nil {
		c.Trials.Ending = verdict.InARow(1)
	}
	if c.Trials.Lease == 0 {
		c.Trials.Lease = DefaultLease
	}
	for _, err := range []error{
		verdict.Validate(c.Trip), c.Window.Validate(), c.Cooldown.Validate(), verdict.ValidateEnding(c.Trials.Ending),
	} {
		if err != nil {
			return c, fmt.Errorf("three-state breaker: %w", err)
		}
	}
	switch t := c.Trials; {
	case t.Slots < 1 || t.Slots > MaxSlots:
		return c, fmt.Errorf("three-state breaker: %d trials at once: want 1 to %d", t.Slots, MaxSlots)
	case t.Total < 0 || t.Total > 0 && t.Total < t.Ending.Needs():
		return c, fmt.Errorf("three-state breaker: %d trials in a period: the verdict needs %d", t.Total, t.Ending.Needs())
	case t.Lease < 0 && t.Lease != trial.NoLease:
		return c, fmt.Errorf("three-state breaker: lease of %v: want 0 or more, or NoLease", t.Lease)
	case c.SlowAfter < 0:
		return c, fmt.Errorf("three-state breaker: slow after %v: want 0 or more", c.SlowAfter)
	case c.Cooldown.Jitter > 0 && c.Random == nil:
		return c, fmt.Errorf("three-state breaker: jitter of the cooldown needs a source of randomness")
	}
	return c, nil
}
