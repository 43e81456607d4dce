package breaker

import (
	"errors"
	"time"
)

// Permit is the lease of one call: handed out when the call is admitted, handed back with its result. It is a plain
// value; it need not be kept if the call is never made, but then its trial slot stays taken until the lease ends.
// Each permit is reported once.
type Permit struct {
	// Generation is the breaker's generation at admission. A result of an older generation changes nothing.
	Generation uint64
	// Turn tells apart the leases of one slot, or names the part of the window to which the call belongs.
	Turn uint64
	// Slot is the trial slot that the call holds, counted from 1; 0 is a call outside a trial.
	Slot uint32
}

// Breaker decides call by call whether an endpoint may be used. Implementations are safe for concurrent use and do not
// allocate. Times are spans since an arbitrary start, the same for all calls; a time before an earlier one is read as a
// span of zero, not as an error.
type Breaker interface {
	// Permit admits a call at now, or says why not with one of the errors of this package.
	Permit(now time.Duration) (Permit, error)
	// Report hands back a permit at now with what became of its call.
	Report(now time.Duration, p Permit, r Result)
	// State is the state that a call at now would meet. Reading it has no effect of its own.
	State(now time.Duration) State
}

// Reasons for which a call is refused.
var (
	// ErrOpen: the breaker is open and its cooldown is not over.
	ErrOpen = errors.New("breaker is open")
	// ErrBusy: the breaker is half-open and every trial that it allows is taken.
	ErrBusy = errors.New("breaker is half-open and its trials are taken")
	// ErrDropped: the call fell to the drop probability.
	ErrDropped = errors.New("call dropped to relieve the endpoint")
	// ErrBlocked: the endpoint is blocked for being slow.
	ErrBlocked = errors.New("endpoint is blocked")
)

// Refused reports whether the error is one of the refusals of this package: nothing was sent.
func Refused(err error) bool {
	return errors.Is(err, ErrOpen) || errors.Is(err, ErrBusy) || errors.Is(err, ErrDropped) || errors.Is(err, ErrBlocked)
}
