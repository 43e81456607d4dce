package controller

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/cooldown"
	"github.com/poolproof/poolproof/policy/failover/internal/setting"
)

// Defaults; the package comment has the reasons.
const (
	defaultWindow   = 10 * time.Second
	defaultSamples  = 20
	defaultRatio    = 0.5
	defaultInterval = 2 * time.Second
	defaultRise     = 2
	defaultFall     = 3
	defaultConnect  = 5 * time.Second
	defaultResponse = 60 * time.Second
	leaseSlack      = time.Second
)

// dimension is what divides the requests of a member into health domains.
type dimension uint8

const (
	byNothing dimension = iota
	byInterface
	byRegion
	byTenant
)

// of returns the number of a request in this dimension.
func (d dimension) of(r *failover.Request) uint16 {
	switch d {
	case byInterface:
		return r.Interface
	case byRegion:
		return r.Region
	case byTenant:
		return r.Tenant
	}
	return 0
}

// role is what a signal may do.
type role uint8

const (
	off role = iota
	advises
	judges
)

// beginning is the moment from which a cooldown runs.
type beginning uint8

const (
	drained beginning = iota
	ejected
	probePassed
)

// ending is what ends a removal once the cooldown is over.
type ending uint8

const (
	sameAsEntry ending = iota
	byProbe
	byTimer
)

// config is what the copy says, with the defaults.
type config struct {
	// decision
	divide      dimension
	line        bool // a domain covers a whole priority
	window      time.Duration
	lastN       int // size of the window where it is not one of time
	minSamples  int
	ratio       float64 // above 1: no such condition
	consecutive int     // 0: no such condition
	slowOver    time.Duration
	slowTimes   int // 0: no such condition
	slowDedupe  time.Duration
	business    role
	probes      role
	external    role
	clears      bool
	status      [1000]breaker.Class
	kind        [failover.Cancelled + 1]breaker.Class

	// cooldown
	cool       cooldown.Config
	starts     beginning
	exit       ending
	together   bool // the domains of one address return together
	lease      time.Duration
	limit      int // cooldowns within, 0: no limit
	within     time.Duration
	manual     bool
	requires   []string
	restarts   bool
	drainLimit time.Duration

	// ramp
	divideRamp dimension
	rampKinds  int
	batches    []batch
	target     target
	lowConnect bool
	stops      []stop
	toZero     bool
	rest       time.Duration
	suspend    int  // 0: never
	timing     bool // a stop needs the latencies
	relative   bool // a stop needs a baseline

	// all out
	reject     bool
	panicBelow float64 // percent
	alertAfter time.Duration

	// retry
	attempts   int
	onStatus   setting.Statuses
	onKind     [failover.Cancelled + 1]bool
	repeatable bool // also requests that must not be sent twice
	total      time.Duration
	budget     float64 // retries a request, 0: no bound

	// probes
	probing                    bool
	interval, fast, down, till time.Duration
	jitter                     float64
	rise, fall                 int
	path                       string
	tcp                        bool
	good                       setting.Statuses
}

// batch is one step of a ramp.
type batch struct {
	share  float64 // 0 to 1, where no part of the traffic is named
	part   []bool  // the kinds of requests that are back, by rampKinds; nil: all
	tiers  []bool  // the priorities that are back; nil: all
	dwell  time.Duration
	manual bool
	floor  int
}

// metric is what a stop condition looks at.
type metric uint8

const (
	errorRate metric = iota
	latencyP95
	latencyP99
	latencyMean
	probeAgreement
	businessVolume
)

var metricNames = [...]string{"error-rate", "latency-p95", "latency-p99", "latency-mean", "probe-agreement", "business-volume"}

// stop is one stop condition.
type stop struct {
	metric             metric
	above, below       float64
	hasAbove, hasBelow bool
	baseline           bool
}
