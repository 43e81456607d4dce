package dryrun

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// Result is what came of one run.
type Result struct {
	Scenario, Pool string
	// Engine is name and version, as in "haproxy-2.6".
	Engine   string
	Seed     uint64
	Duration time.Duration
	Verdicts []Verdict
	Metrics  Metrics
	Timeline []Entry
	// Cut is how many further entries the timeline would have had.
	Cut     int
	Members []MemberResult
	// Series is what happened over time, in slices of Slice.
	Slice  time.Duration
	Series []Point
	// Assumed is what neither copy nor scenario said.
	Assumed []schema.Text
}

// Pass is whether an expectation held.
type Pass uint8

// The verdicts.
const (
	Failed Pass = iota
	Held
	NotApplicable
)

// Verdict is what came of one expectation.
type Verdict struct {
	ID   string
	Text schema.Text
	Pass Pass
	// Observed is what was seen, never empty.
	Observed schema.Text
	// Value is the measured number: the metric, or the share in percent. Durations are in seconds.
	Value float64
	Place schema.Span
}

// Metrics describe a whole run. Rates are from 0 to 1.
type Metrics struct {
	Requests, Answered, Errors, Refused uint64
	Attempts, Probes                    uint64
	Statuses                            []StatusCount
	// Availability is the part of the requests that got an answer below 500.
	Availability  float64
	P50, P95, P99 time.Duration
	LargestShare  float64
	AllOut        time.Duration
	Transitions   int
	Flaps         int
	// RefusedAfterWell is how long a time's worth of traffic the engine refused while nothing was wrong any longer.
	RefusedAfterWell time.Duration
	// RetryAmplification is attempts by requests; ProbeAmplification is probes by requests.
	RetryAmplification, ProbeAmplification float64
	// Detect, Remove and Return are the longest times from the start of a fault to the first failure seen on the member,
	// to its removal, and from the end of the fault to its full return; negative where that never came to pass.
	Detect, Remove, Return time.Duration
}

// StatusCount counts the answers of one status; 0 stands for no answer.
type StatusCount struct {
	Status uint16
	Count  uint64
}

// Entry is one line of the timeline. Member is empty for what concerns all.
type Entry struct {
	At     time.Duration
	Event  string
	Member string
	Why    schema.Text
}

// MemberResult is what one member saw.
type MemberResult struct {
	ID                        string
	Answers, Attempts, Probes uint64
	States                    []StateSpan
}

// StateSpan is a time in one state, to the next one's beginning.
type StateSpan struct {
	From  time.Duration
	State failover.State
}

// Point is one slice of time: the requests sent in it, and what became of them.
type Point struct {
	At                    time.Duration
	Sent, Errors, Refused uint64
	P50, P95, P99         time.Duration
	// Answers are by member, in the order of Result.Members.
	Answers []uint64
}
