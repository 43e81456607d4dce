package breaker

import "time"

// State is the state of a breaker.
type State uint8

// The states of a breaker.
const (
	// Closed: calls pass and are judged.
	Closed State = iota
	// Open: calls are refused.
	Open
	// HalfOpen: a bounded number of calls passes as trials.
	HalfOpen
)

// String returns the state in lower case.
func (s State) String() string {
	switch s {
	case Closed:
		return "closed"
	case Open:
		return "open"
	case HalfOpen:
		return "half-open"
	}
	return "unknown"
}

// Change is one change of state.
type Change struct {
	// At is when it happened.
	At time.Duration
	// Until is when the cooldown ends, if To is Open.
	Until time.Duration
	// Generation is that of the new state; it orders the changes of one breaker.
	Generation uint64
	From, To   State
}
