package breaker

import "time"

// Class says how the result of one call counts towards a verdict about the endpoint. The zero value counts for nothing.
type Class uint8

// The classes of results.
const (
	// Neutral is a result that says nothing about the endpoint: the caller's own mistake, its spent quota. It frees a
	// trial's slot and counts for nothing.
	Neutral Class = iota
	// Success is a call that the endpoint served.
	Success
	// Failure is a call that the endpoint failed to serve.
	Failure
	// Cancelled is a call that its caller gave up. It frees a trial's slot and counts for nothing; some of the emulated
	// programs read it otherwise and say so.
	Cancelled
)

// Counted reports whether results of the class count: a success or a failure.
func (c Class) Counted() bool { return c == Success || c == Failure }

// String returns the class in lower case.
func (c Class) String() string {
	switch c {
	case Neutral:
		return "neutral"
	case Success:
		return "success"
	case Failure:
		return "failure"
	case Cancelled:
		return "cancelled"
	}
	return "unknown"
}

// Result is what became of one permitted call.
type Result struct {
	// Latency is how long the call took; only slow rules read it.
	Latency time.Duration
	// Class says how the result counts.
	Class Class
	// TimedOut: the caller's time-out ended the call, so Latency is only a lower bound. It is slow whatever the threshold.
	TimedOut bool
}

// Slow reports whether a counted result took longer than the threshold, or timed out. Zero and negative thresholds ask
// for nothing: no result is slow.
func (r Result) Slow(threshold time.Duration) bool {
	return threshold > 0 && r.Class.Counted() && (r.Latency > threshold || r.TimedOut)
}
