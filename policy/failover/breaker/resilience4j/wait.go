package resilience4j

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/cooldown"
)

// Defaults of the wait functions.
const (
	// DefaultMultiplier is exponentialBackoffMultiplier where none is given.
	DefaultMultiplier = 1.5
	// DefaultFactor is randomizedWaitFactor where none is given.
	DefaultFactor = 0.5
)

// Wait is how long the breaker stays open at the nth opening in a row, counted from 1; a close begins a new row. All waits
// are whole milliseconds.
type Wait interface {
	After(attempt int, r breaker.Random) time.Duration
}

type needsRandom interface{ random() bool }

// Constant waits the same each time.
func Constant(d time.Duration) Wait { return backoff{initial: millis(d), multiplier: 1} }

// Exponential waits initial * multiplier^(n-1), each step cut to whole milliseconds, up to max; no max if that is zero.
func Exponential(initial time.Duration, multiplier float64, max time.Duration) Wait {
	return backoff{initial: millis(initial), multiplier: multiplier, max: millis(max)}
}

// Randomized waits d +- factor of it.
func Randomized(d time.Duration, factor float64) Wait {
	return backoff{initial: millis(d), multiplier: 1, factor: factor}
}

// ExponentialRandom waits as Exponential does, +- factor of it, up to max; no max if that is zero.
func ExponentialRandom(initial time.Duration, multiplier, factor float64, max time.Duration) Wait {
	return backoff{initial: millis(initial), multiplier: multiplier, factor: factor, max: millis(max)}
}

// backoff counts in milliseconds.
type backoff struct {
	initial, max       int64
	multiplier, factor float64
}

// limit keeps times within what can be added to.
const limit = int64(cooldown.Forever / time.Millisecond)

func millis(d time.Duration) int64 { return int64(d / time.Millisecond) }

func (b backoff) random() bool { return b.factor > 0 }

func (b backoff) After(attempt int, r breaker.Random) time.Duration {
	wait := b.initial
	for range attempt - 1 {
		next := limit
		if grown := float64(wait) * b.multiplier; grown < float64(limit) {
			next = int64(grown)
		}
		if next == wait || b.factor == 0 && b.max > 0 && next >= b.max {
			wait = next
			break // it stays there
		}
		wait = next
	}
	if b.factor > 0 {
		delta := b.factor * float64(wait)
		low, high := float64(wait)-delta, float64(wait)+delta
		wait = min(limit, int64(max(1, low+r.Float64()*(high-low+1))))
	}
	if b.max > 0 {
		wait = min(wait, b.max)
	}
	return time.Duration(wait) * time.Millisecond
}
