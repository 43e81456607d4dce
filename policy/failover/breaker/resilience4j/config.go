package resilience4j

import (
	"cmp"
	"fmt"
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/window"
)

// WindowType is slidingWindowType.
type WindowType uint8

// The types of sliding windows.
const (
	// CountBased holds the last calls.
	CountBased WindowType = iota
	// TimeBased holds the last seconds.
	TimeBased
)

// Mode is a state beside the three: one that is entered by hand or as the initial state.
type Mode uint8

// The modes.
const (
	// Normal: the three states.
	Normal Mode = iota
	// Disabled: every call passes, nothing is recorded.
	Disabled
	// ForcedOpen: no call passes, nothing is recorded.
	ForcedOpen
	// MetricsOnly: every call passes and is recorded, nothing trips. Since 1.3.
	MetricsOnly
)

// Config has the settings of resilience4j under their names there, with the same defaults for zero.
type Config struct {
	// FailureRateThreshold in percent, above 0 and up to 100. Zero means 50.
	FailureRateThreshold float32
	// SlowCallRateThreshold in percent, above 0 and up to 100. Zero means 100.
	SlowCallRateThreshold float32
	// SlowCallDurationThreshold: a longer call is slow. Zero means 60 s.
	SlowCallDurationThreshold time.Duration
	// SlidingWindowType is CountBased or TimeBased.
	SlidingWindowType WindowType
	// SlidingWindowSize is a number of calls or of seconds. Zero means 100.
	SlidingWindowSize int
	// LockFree is slidingWindowSynchronizationStrategy LOCK_FREE, since 2.3: the seconds of a TimeBased window then begin
	// when the breaker was made or last closed, not with those of the clock. Such a window has at least 2.
	LockFree bool
	// MinimumNumberOfCalls below which no rate is judged. Zero means 100. A window or a half-open period that cannot hold
	// as many is judged when full.
	MinimumNumberOfCalls int
	// Wait is waitDurationInOpenState or waitIntervalFunctionInOpenState. Nil means Constant(60 s).
	Wait Wait
	// PermittedNumberOfCallsInHalfOpenState, a total for the period. Zero means 10.
	PermittedNumberOfCallsInHalfOpenState int
	// MaxWaitDurationInHalfOpenState ends a half-open period without verdict, in whole milliseconds. Zero means no limit.
	// Since 1.6.
	MaxWaitDurationInHalfOpenState time.Duration
	// CloseAfterMaxWait is transitionToStateAfterWaitDuration CLOSED, since 2.4. False is OPEN, as before.
	CloseAfterMaxWait bool
	// AutomaticTransitionFromOpenToHalfOpenEnabled half-opens by a timer, at the end of the wait and not after it.
	AutomaticTransitionFromOpenToHalfOpenEnabled bool
	// Initial and InitialMode are initialState, since 2.4; Initial counts if InitialMode is Normal. They are entered at
	// the clock's zero.
	Initial     breaker.State
	InitialMode Mode
	// Random is the source for waits that are random.
	Random breaker.Random
	// OnChange, if not nil, is told of changes between the three states after the lock is released.
	OnChange func(breaker.Change)
}

// complete fills in the defaults and says what resilience4j refuses.
func (c Config) complete() (Config, error) {
	c.FailureRateThreshold = cmp.Or(c.FailureRateThreshold, 50)
	c.SlowCallRateThreshold = cmp.Or(c.SlowCallRateThreshold, 100)
	c.SlowCallDurationThreshold = cmp.Or(c.SlowCallDurationThreshold, 60*time.Second)
	c.SlidingWindowSize = cmp.Or(c.SlidingWindowSize, 100)
	c.MinimumNumberOfCalls = cmp.Or(c.MinimumNumberOfCalls, 100)
	c.PermittedNumberOfCallsInHalfOpenState = cmp.Or(c.PermittedNumberOfCallsInHalfOpenState, 10)
	if c.Wait == nil {
		c.Wait = Constant(60 * time.Second)
	}
	least := 1
	if c.LockFree && c.SlidingWindowType == TimeBased {
		least = 2
	}
	switch {
	case !(c.FailureRateThreshold > 0 && c.FailureRateThreshold <= 100):
		return c, fmt.Errorf("resilience4j: failureRateThreshold %v: want above 0 and up to 100", c.FailureRateThreshold)
	case !(c.SlowCallRateThreshold > 0 && c.SlowCallRateThreshold <= 100):
		return c, fmt.Errorf("resilience4j: slowCallRateThreshold %v: want above 0 and up to 100", c.SlowCallRateThreshold)
	case c.SlowCallDurationThreshold < 1:
		return c, fmt.Errorf("resilience4j: slowCallDurationThreshold %v: want at least 1ns", c.SlowCallDurationThreshold)
	case c.SlidingWindowSize < least || c.SlidingWindowSize > window.MaxBuckets:
		return c, fmt.Errorf("resilience4j: slidingWindowSize %d: want %d to %d", c.SlidingWindowSize, least, window.MaxBuckets)
	case c.MinimumNumberOfCalls < 1:
		return c, fmt.Errorf("resilience4j: minimumNumberOfCalls %d: want at least 1", c.MinimumNumberOfCalls)
	case c.PermittedNumberOfCallsInHalfOpenState < 1 || c.PermittedNumberOfCallsInHalfOpenState > window.MaxSize:
		return c, fmt.Errorf("resilience4j: permittedNumberOfCallsInHalfOpenState %d: want at least 1",
			c.PermittedNumberOfCallsInHalfOpenState)
	case c.MaxWaitDurationInHalfOpenState < 0:
		return c, fmt.Errorf("resilience4j: maxWaitDurationInHalfOpenState %v: want 0 or more", c.MaxWaitDurationInHalfOpenState)
	case c.SlidingWindowType > TimeBased || c.Initial > breaker.HalfOpen || c.InitialMode > MetricsOnly:
		return c, fmt.Errorf("resilience4j: unknown window type or initial state")
	}
	if r, ok := c.Wait.(needsRandom); ok && r.random() && c.Random == nil {
		return c, fmt.Errorf("resilience4j: a random wait needs a source of randomness")
	}
	return c, nil
}

// window is the window of the closed state.
func (c Config) window() window.Spec {
	span := time.Duration(c.SlidingWindowSize) * time.Second
	switch {
	case c.SlidingWindowType == CountBased:
		return window.LastN(c.SlidingWindowSize)
	case c.LockFree:
		return window.Rolling(span, c.SlidingWindowSize)
	}
	return window.Aligned(span, c.SlidingWindowSize)
}

// minimum is the number of calls from which a window of the closed state is judged.
func (c Config) minimum() int {
	if c.SlidingWindowType == CountBased {
		return min(c.MinimumNumberOfCalls, c.SlidingWindowSize)
	}
	return c.MinimumNumberOfCalls
}
