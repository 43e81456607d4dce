package window

import (
	"fmt"
	"time"
)

// Limits of a Spec.
const (
	// MaxSize is the largest number of results of LastN.
	MaxSize = 1 << 24
	// MaxBuckets is the largest number of buckets of Rolling.
	MaxBuckets = 1 << 16
)

// Spec says which window is wanted. The zero value counts since the last reset.
type Spec struct {
	kind    kind
	size    int
	span    time.Duration
	aligned bool
	custom  func() Window
}

type kind uint8

const (
	since kind = iota
	lastN
	tumbling
	rolling
	custom
)

// Since counts everything since the last reset: for a breaker, since it last closed.
func Since() Spec { return Spec{} }

// LastN holds the last n results.
func LastN(n int) Spec { return Spec{kind: lastN, size: n} }

// Tumbling holds the results of the current period: at its end the counts, the run included, start from nothing. A period
// starts with the first call at or after the end of the one before, so it is not aligned to the clock.
func Tumbling(period time.Duration) Spec { return Spec{kind: tumbling, span: period} }

// Rolling holds the results of the last span, divided into equal buckets that leave one by one: what it sees reaches
// back between span - span/buckets and span. Buckets are counted from the last reset. A span that the number does not
// divide is shortened to whole nanoseconds a bucket.
func Rolling(span time.Duration, buckets int) Spec {
	return Spec{kind: rolling, span: span, size: buckets}
}

// Aligned is Rolling with buckets that begin at multiples of their length on the clock, whatever the resets. With one
// bucket it is a tumbling window aligned to the clock.
func Aligned(span time.Duration, buckets int) Spec {
	return Spec{kind: rolling, span: span, size: buckets, aligned: true}
}

// Custom uses windows of the caller's own making: the function is called once for each window.
func Custom(make func() Window) Spec { return Spec{kind: custom, custom: make} }

// IsSince reports whether the spec counts since the last reset, whatever the time.
func (s Spec) IsSince() bool { return s.kind == since }

// Validate says what is wrong with the spec, nil if nothing is.
func (s Spec) Validate() error {
	switch {
	case s.kind == lastN && (s.size < 1 || s.size > MaxSize):
		return fmt.Errorf("window of the last %d results: want 1 to %d", s.size, MaxSize)
	case s.kind == tumbling && s.span < 1:
		return fmt.Errorf("tumbling window of %v: want a positive span", s.span)
	case s.kind == rolling && (s.size < 1 || s.size > MaxBuckets):
		return fmt.Errorf("rolling window of %d buckets: want 1 to %d", s.size, MaxBuckets)
	case s.kind == rolling && s.span < time.Duration(s.size):
		return fmt.Errorf("rolling window of %v in %d buckets: want at least 1ns a bucket", s.span, s.size)
	case s.kind == custom && s.custom == nil:
		return fmt.Errorf("custom window: no function to make it")
	}
	return nil
}

// New makes a window. The spec must be valid.
func (s Spec) New() Window {
	switch s.kind {
	case lastN:
		return newRing(s.size)
	case tumbling:
		return &tumble{period: s.span}
	case rolling:
		return &roll{width: s.span / time.Duration(s.size), aligned: s.aligned, buckets: make([]bucket, s.size)}
	case custom:
		return s.custom()
	case since:
	}
	return new(all)
}
