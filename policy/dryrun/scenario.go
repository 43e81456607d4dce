package dryrun

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// Scenario is one play. Times count from t = 0, when a freshly started engine accepts its first request, or from the end
// of Warm.
type Scenario struct {
	Name string
	// Pool is the pool that is played; empty: the only one.
	Pool string
	// Config are gateway files beside the scenario.
	Config []string
	// Duration is 0 where none is written: then it ends with its last expectation, or half a minute after its last event.
	Duration time.Duration
	Warm     time.Duration
	// Traffic is nil where none is written.
	Traffic *Traffic
	// Members are how members behave on a good day; Default is for those that are not named.
	Members map[string]Behaviour
	Default Behaviour
	Events  []Event
	Expect  []Expect
	// Seeds is 0 where none is written.
	Seeds int
	// MemberAt, DurationAt and TrafficAt are where these stand.
	MemberAt                      map[string]schema.Span
	DurationAt, TrafficAt, PoolAt schema.Span
}

// Traffic is the load, open loop: it comes whatever the answers are.
type Traffic struct {
	RPS float64
	// ErrorRate, P50 and P99 are of members that say nothing of their own.
	ErrorRate float64
	P50, P99  time.Duration
	// Poisson arrivals; else they are even.
	Poisson bool
	// The shares of the requests, in percent.
	Interfaces, Regions, Tenants, Methods []schema.Share
}

// Behaviour is how a member behaves on a good day.
type Behaviour struct {
	// HasLatency: P50 and P99 are written.
	HasLatency bool
	P50, P99   time.Duration
	// HasErrors: Errors, the part of the answers to business requests that are 500, is written.
	HasErrors bool
	Errors    float64
	// Capacity is how many requests the member serves at once, 0: any number.
	Capacity   int
	OnOverload Overload
}

// Overload is what becomes of requests beyond the capacity.
type Overload uint8

// The kinds of overload.
const (
	// OverloadQueue: they wait their turn.
	OverloadQueue Overload = iota
	// OverloadError: they get 503 at once.
	OverloadError
	// OverloadHang: they are never answered.
	OverloadHang
)

// Event is one thing that happens, once or again and again.
type Event struct {
	At    time.Duration
	For   time.Duration // 0: to the end
	Every time.Duration // 0: once
	Times int           // 0: to the end
	// Requests bounds a fault by the number of requests that it hits, 0: no bound.
	Requests int
	Fault    *Fault
	External *External
	Operator *Operator
	Reload   bool
	// Apply puts the settings of head in force.
	Apply bool
	Place schema.Span
}

// Down is how a member that is down treats connections.
type Down uint8

// The ways of being down.
const (
	NotDown Down = iota
	// DownRefuse refuses connections and resets the open ones ("true").
	DownRefuse
	// DownRefuseNew refuses connections and leaves the open ones alone ("refuse").
	DownRefuseNew
	// DownDrop leaves connections unanswered.
	DownDrop
	// DownReset accepts connections and resets them.
	DownReset
)

// Fault is what is wrong with members.
type Fault struct {
	Members, Interfaces, Regions, Shares, Tenants []string

	Down   Down
	Hang   bool
	SlowBy time.Duration
	// Errors is the part of the answers that have Status.
	Errors float64
	Status uint16

	ProbesOnly, BusinessOnly bool
	// Gradually: after its end the fault hits fewer and fewer requests, over a time as long as it lasted.
	Gradually bool
}

// External is a verdict from outside; no members means all.
type External struct {
	Down    bool
	Members []string
}

// Operator is what an operator does.
type Operator struct {
	Out                             bool
	Member, Initiator, Saw, Reclaim string
	Review                          time.Duration
}

// Metric is what an expectation measures.
type Metric string

// The metrics.
const (
	ErrorRate    Metric = "error-rate"
	RefusedRate  Metric = "refused-rate"
	LatencyP50   Metric = "latency-p50"
	LatencyP95   Metric = "latency-p95"
	LatencyP99   Metric = "latency-p99"
	Requests     Metric = "requests"
	Attempts     Metric = "attempts"
	Probes       Metric = "probes"
	Transitions  Metric = "transitions"
	Status       Metric = "status"
	LargestShare Metric = "largest-share"
	AllOut       Metric = "all-out"
	Flaps        Metric = "flaps"
)

// Of is what a share is a share of.
type Of uint8

// The bases of shares.
const (
	// OfAnswers: final answers from the member, over all requests sent.
	OfAnswers Of = iota
	// OfAttempts: attempts on the member, over all attempts.
	OfAttempts
	// OfSent: requests whose first attempt went to the member, over all requests sent.
	OfSent
)

// Bound is a line that a metric has to stay above or below: a number, or a length of time in nanoseconds.
type Bound struct {
	Set      bool
	Value    float64
	Duration bool
}

// Expect is one thing that must hold. Optional times are negative where they are not written.
type Expect struct {
	ID                       string
	At, Within, By, From, To time.Duration
	Member, Interface        string
	States                   []failover.State
	Metric                   Metric
	Status                   int
	Above, Below             Bound
	HasShare                 bool
	Share                    float64
	Of                       Of
	// Tolerance is in points of percent for shares and Span for times.
	Tolerance float64
	Span      time.Duration

	Place, MemberAt, InterfaceAt schema.Span
}

// unsaid marks times that are not written.
const unsaid = time.Duration(-1)
