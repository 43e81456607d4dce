// Package cooldown says how long an endpoint stays out: a base duration that grows with each removal in a row, up to a
// maximum, scattered by jitter.
package cooldown

import (
	"fmt"
	"math"
	"time"
)

// Default is the cooldown where none is given.
const Default = 30 * time.Second

// None is a cooldown of no time at all: a Duration of zero means Default.
const None time.Duration = -1

// Forever is the longest cooldown: whatever would be longer is this.
const Forever = time.Duration(math.MaxInt64 / 4)

// Growth is how cooldowns grow from one removal to the next.
type Growth uint8

// The kinds of growth. The nth removal in a row lasts
const (
	// Constant: duration.
	Constant Growth = iota
	// Linear: duration * (1 + factor*(n-1)).
	Linear
	// Exponential: duration * factor^(n-1).
	Exponential
)

// Config describes cooldowns. The zero value is a constant one of 30 s.
type Config struct {
	// Duration is the first cooldown of a row. Zero means 30 s, None means none at all.
	Duration time.Duration
	// Max bounds all of them, jitter included. Zero means no bound.
	Max time.Duration
	// Growth and Factor say how they grow. A Factor of zero means 1 if linear and 2 if exponential.
	Growth Growth
	Factor float64
	// Jitter scatters each cooldown evenly over +- that part of it, 0 to 1.
	Jitter float64
	// Decay: a return to service takes back one step of growth for each such time that it has lasted. Zero means that it
	// takes all of them back at once.
	Decay time.Duration
}

// Validate says what is wrong with the description, nil if nothing is.
func (c Config) Validate() error {
	switch {
	case c.Duration < 0 && c.Duration != None:
		return fmt.Errorf("cooldown of %v: want 0 or more, or None", c.Duration)
	case c.Max < 0, c.Max > 0 && c.Max < c.base():
		return fmt.Errorf("longest cooldown %v: want no less than the first, %v", c.Max, c.base())
	case c.Growth > Exponential:
		return fmt.Errorf("unknown growth of cooldowns %d", c.Growth)
	case !(c.Factor >= 0) || math.IsInf(c.Factor, 0), c.Growth == Exponential && c.Factor > 0 && c.Factor < 1:
		return fmt.Errorf("cooldown factor %v: cooldowns must not shrink", c.Factor)
	case !(c.Jitter >= 0 && c.Jitter <= 1):
		return fmt.Errorf("cooldown jitter %v: want 0 to 1", c.Jitter)
	case c.Decay < 0:
		return fmt.Errorf("cooldown decay %v: want 0 or more", c.Decay)
	}
	return nil
}

func (c Config) base() time.Duration {
	switch c.Duration {
	case 0:
		return Default
	case None:
		return 0
	}
	return c.Duration
}

// Length is the nth cooldown in a row, counted from 1, before jitter.
func (c Config) Length(n int) time.Duration {
	steps := float64(max(n, 1) - 1)
	length := float64(c.base())
	switch c.Growth {
	case Linear:
		length *= 1 + factorOr(c.Factor, 1)*steps
	case Exponential:
		length *= math.Pow(factorOr(c.Factor, 2), steps)
	case Constant:
	}
	return c.bound(length)
}

func factorOr(factor, def float64) float64 {
	if factor == 0 {
		return def
	}
	return factor
}

func (c Config) bound(length float64) time.Duration {
	limit := Forever
	if c.Max > 0 {
		limit = min(limit, c.Max)
	}
	if !(length < float64(limit)) { // also where the power has overflowed, or is 0 * Inf
		if c.base() == 0 {
			return 0
		}
		return limit
	}
	return time.Duration(length)
}
