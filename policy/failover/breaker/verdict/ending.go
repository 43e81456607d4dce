package verdict

import (
	"fmt"

	"github.com/poolproof/poolproof/policy/failover/breaker/window"
)

// Decision is what the results of a half-open period amount to so far.
type Decision uint8

// The decisions about a half-open period.
const (
	// Undecided: more trials are needed.
	Undecided Decision = iota
	// Well: the breaker closes.
	Well
	// Ill: the breaker opens again.
	Ill
)

// Ending says when the trials of a half-open period suffice. Endings are pure and safe for concurrent use.
type Ending interface {
	// Decide judges the results of the trials so far. A slow trial counts as a failed one where the breaker has a slow
	// threshold, so that fast failures hide no slow successes.
	Decide(c window.Counts) Decision
	// Needs is the number of results after which Decide is no longer undecided.
	Needs() int
}

// OutOf closes at so many successes, and opens as soon as they cannot be had out of so many trials any more.
type OutOf struct {
	// Successes is how many trials must succeed, at least 1.
	Successes int
	// Of is out of how many, at least Successes.
	Of int
}

// InARow closes after n successes and opens at the first failure.
func InARow(n int) OutOf { return OutOf{Successes: n, Of: n} }

// Decide implements Ending.
func (o OutOf) Decide(c window.Counts) Decision {
	switch {
	case c.Successes() >= o.Successes:
		return Well
	case c.Failures > o.Of-o.Successes:
		return Ill
	}
	return Undecided
}

// Needs implements Ending.
func (o OutOf) Needs() int { return o.Of }

// Validate says what is wrong with the ending.
func (o OutOf) Validate() error {
	if o.Successes < 1 || o.Of < o.Successes {
		return fmt.Errorf("%d successes out of %d trials: want 1 <= successes <= trials", o.Successes, o.Of)
	}
	return nil
}

// Judged waits for the results of so many trials and then asks a rule: it opens if the rule trips, else it closes.
type Judged struct {
	// After is the number of results, at least 1.
	After int
	// Rule judges them.
	Rule Rule
}

// Decide implements Ending.
func (j Judged) Decide(c window.Counts) Decision {
	switch {
	case c.Total < j.After:
		return Undecided
	case j.Rule.Trips(c, c.Run > 0):
		return Ill
	}
	return Well
}

// Needs implements Ending.
func (j Judged) Needs() int { return j.After }

// Validate says what is wrong with the ending.
func (j Judged) Validate() error {
	if j.After < 1 {
		return fmt.Errorf("verdict after %d trials: want at least 1", j.After)
	}
	return Validate(j.Rule)
}

// ValidateEnding says what is wrong with an ending, if the ending can tell.
func ValidateEnding(e Ending) error {
	if e == nil {
		return fmt.Errorf("no ending")
	}
	if v, ok := e.(interface{ Validate() error }); ok {
		return v.Validate()
	}
	return nil
}
