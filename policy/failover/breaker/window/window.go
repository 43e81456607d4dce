// Package window counts the results of calls over a span of time, a number of calls, or since the last reset.
//
// A Spec says which window is wanted and is copied freely; New makes a window from it. Windows never allocate after New
// and hold no lock: their owner serialises them. Buckets are advanced lazily, at most once around per call, whatever time
// has passed.
package window

import "time"

// Sample is one finished call that counts.
type Sample struct {
	// Failed: the call failed.
	Failed bool
	// Slow: the call was slow, failed or not.
	Slow bool
}

// Counts are the results that a window holds.
type Counts struct {
	// Total is the number of results.
	Total int
	// Failures is how many of them failed.
	Failures int
	// Slow is how many of them were slow.
	Slow int
	// Run is the number of failures in a row up to the newest result. It never reaches back beyond the window.
	Run int
}

// Successes is the number of results that did not fail.
func (c Counts) Successes() int { return c.Total - c.Failures }

// Add counts one result.
func (c *Counts) Add(s Sample) {
	c.Total++
	if s.Slow {
		c.Slow++
	}
	if !s.Failed {
		c.Run = 0
		return
	}
	c.Failures++
	c.Run++
}

// forget takes out results that have left the window. A run of failures ends where the window does: with no success left
// behind them, the failures that remain are the run.
func (c *Counts) forget(total, failures, slow int) {
	c.Total -= total
	c.Failures -= failures
	c.Slow -= slow
	if c.Total == c.Failures || c.Run > c.Failures {
		c.Run = c.Failures
	}
}

// Window counts results. It is not safe for concurrent use.
type Window interface {
	// Epoch moves the window to now and names the part of it to which a call admitted or finished now belongs.
	Epoch(now time.Duration) uint64
	// Add counts a result in the part named epoch, and reports whether it did: not if that part has left the window.
	Add(epoch uint64, s Sample) bool
	// Counts are the results in the window as of the last Epoch.
	Counts() Counts
	// Reset empties the window and starts it at now.
	Reset(now time.Duration)
}
