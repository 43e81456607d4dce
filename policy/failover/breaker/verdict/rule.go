// Package verdict holds the rules that open a breaker and those that end its trials, all on the counts of a window.
package verdict

import (
	"fmt"

	"github.com/poolproof/poolproof/policy/failover/breaker/window"
)

// Rule says whether the counts of a closed breaker's window open it. It is asked after each counted result; failed tells
// whether that result was a failure. Rules are pure and safe for concurrent use.
type Rule interface {
	Trips(c window.Counts, failed bool) bool
}

// Consecutive trips at that many failures in a row. 1 trips at the first failure.
type Consecutive int

// Trips implements Rule.
func (n Consecutive) Trips(c window.Counts, _ bool) bool { return c.Run >= int(n) }

// Validate says what is wrong with the rule.
func (n Consecutive) Validate() error { return atLeastOne("failures in a row", int(n)) }

// Failures trips at that many failures in the window, in a row or not.
type Failures int

// Trips implements Rule.
func (n Failures) Trips(c window.Counts, _ bool) bool { return c.Failures >= int(n) }

// Validate says what is wrong with the rule.
func (n Failures) Validate() error { return atLeastOne("failures", int(n)) }

// Ratio trips when at least that part of the results in the window failed.
type Ratio struct {
	// AtLeast is the part of failures, above 0 and up to 1, at which the rule trips.
	AtLeast float64
	// MinVolume is the number of results below which the rule has no opinion. Zero means 1.
	MinVolume int
}

// Trips implements Rule.
func (r Ratio) Trips(c window.Counts, _ bool) bool {
	return reached(c.Failures, c.Total, r.AtLeast, r.MinVolume)
}

// Validate says what is wrong with the rule.
func (r Ratio) Validate() error { return validRatio("failures", r.AtLeast, r.MinVolume) }

// Slow trips when at least that part of the results in the window were slow.
type Slow struct {
	// AtLeast is the part of slow results, above 0 and up to 1, at which the rule trips.
	AtLeast float64
	// MinVolume is the number of results below which the rule has no opinion. Zero means 1.
	MinVolume int
}

// Trips implements Rule.
func (r Slow) Trips(c window.Counts, _ bool) bool {
	return reached(c.Slow, c.Total, r.AtLeast, r.MinVolume)
}

// Validate says what is wrong with the rule.
func (r Slow) Validate() error { return validRatio("slow results", r.AtLeast, r.MinVolume) }

// SlowCount trips at that many slow results in the window.
type SlowCount int

// Trips implements Rule.
func (n SlowCount) Trips(c window.Counts, _ bool) bool { return c.Slow >= int(n) }

// Validate says what is wrong with the rule.
func (n SlowCount) Validate() error { return atLeastOne("slow results", int(n)) }

// Any trips when one of its rules does.
type Any []Rule

// Trips implements Rule.
func (rules Any) Trips(c window.Counts, failed bool) bool {
	for _, r := range rules {
		if r.Trips(c, failed) {
			return true
		}
	}
	return false
}

// Validate says what is wrong with the rules.
func (rules Any) Validate() error {
	if len(rules) == 0 {
		return fmt.Errorf("any of no rules: want at least one")
	}
	for _, r := range rules {
		if err := Validate(r); err != nil {
			return err
		}
	}
	return nil
}

// OnFailure asks its rule only after failures, as some programs do: a success that completes the minimum volume does not
// trip a ratio.
type OnFailure struct{ Rule }

// Trips implements Rule.
func (r OnFailure) Trips(c window.Counts, failed bool) bool { return failed && r.Rule.Trips(c, failed) }

// Validate says what is wrong with the rule.
func (r OnFailure) Validate() error { return Validate(r.Rule) }

// Func makes a rule of a function, which must be pure and safe for concurrent use.
type Func func(c window.Counts, failed bool) bool

// Trips implements Rule.
func (f Func) Trips(c window.Counts, failed bool) bool { return f(c, failed) }

// Validate says what is wrong with a rule, if the rule can tell.
func Validate(r Rule) error {
	if r == nil {
		return fmt.Errorf("no rule")
	}
	if v, ok := r.(interface{ Validate() error }); ok {
		return v.Validate()
	}
	return nil
}

// reached divides rather than multiplies: 3 of 5 reach 0.6, although 0.6*5 is a little more than 3 in binary.
func reached(part, total int, atLeast float64, minVolume int) bool {
	return total > 0 && total >= minVolume && float64(part)/float64(total) >= atLeast
}

func atLeastOne(what string, n int) error {
	if n < 1 {
		return fmt.Errorf("rule of %d %s: want at least 1", n, what)
	}
	return nil
}

func validRatio(what string, atLeast float64, minVolume int) error {
	if !(atLeast > 0 && atLeast <= 1) {
		return fmt.Errorf("ratio %v of %s: want above 0 and up to 1", atLeast, what)
	}
	if minVolume < 0 {
		return fmt.Errorf("minimum volume %d: want 0 or more", minVolume)
	}
	return nil
}
