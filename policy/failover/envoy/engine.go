package envoy

import (
	"fmt"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/internal/setting"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/profile"
)

// Engine is one Envoy in front of one cluster.
type Engine struct {
	info    failover.Info
	notify  func(failover.Transition)
	rand    failover.Rand
	version profile.Version

	// settings
	balance       algorithm
	choices       int // of least request
	window        time.Duration
	aggression    float64
	least         float64 // of the weight, at the start of a slow start
	panicBelow    int
	failOnPanic   bool
	overprovision int
	byWeight      bool // weighted_priority_health
	checks        checks
	outlier       outlier
	retry         retries

	// run time
	hosts    []host
	levels   []level
	ejected  int  // ejections that are active
	used     bool // the cluster has had a connection for traffic
	active   int  // requests
	retrying int  // retries that are under way or wait
	order    uint64
	sweep    time.Duration
	next     time.Duration
}

// New returns the engine of a cluster. The zero version is "nobody said".
func New(c *schema.Copy, v profile.Version, o failover.Options) (*Engine, error) {
	if len(c.Members) == 0 {
		return nil, fmt.Errorf("building envoy for %q: %w", c.Pool, failover.ErrNoMembers)
	}
	e := &Engine{notify: o.Notify, rand: failover.NewRand(o.Seed), version: v, sweep: failover.Never}
	e.info = failover.Info{Name: "envoy"}
	if v.Known() {
		e.info.Version = fmt.Sprintf("%d.%d", v.Major, v.Minor)
	}
	r := setting.Reader{Copy: setting.Completed(c, "envoy", v)}
	e.read(&r)
	e.info.Assumed = r.Assumed
	e.start(o.Start)
	return e, nil
}

// before reports whether the program is known to be older than a version.
func (e *Engine) before(major, minor int) bool {
	return e.version.Known() && e.version.Less(major, minor)
}

func (e *Engine) start(now time.Duration) {
	e.info.Probes = e.checks.on
	for i := range e.hosts {
		h := &e.hosts[i]
		h.due, h.unejectedAt = failover.Never, never
		if e.checks.on && !h.unchecked {
			h.first, h.due = true, now
		}
		h.shown = e.state(now, h)
	}
	if e.outlier.on {
		e.sweep = now + e.outlier.interval
	}
	for p := range e.levels {
		e.levels[p].at = e.rand.IntN(len(e.levels[p].all))
	}
	e.refresh(now)
	e.schedule(now)
}

// Info describes the engine.
func (e *Engine) Info() *failover.Info { return &e.info }

// State is Out after failed checks, Cooling while ejected, Ramping during slow start, Manual where EDS says so, else In.
func (e *Engine) State(member int) failover.State { return e.hosts[member].shown }

// Notice does nothing: Envoy takes no verdicts from outside but by EDS, which is Force.
func (e *Engine) Notice(time.Duration, int, bool) {}

// Force sets a host's health_status in EDS to UNHEALTHY, or takes that back. In panic such a host gets traffic too.
func (e *Engine) Force(now time.Duration, o failover.Order) error {
	if o.Member < 0 || o.Member >= len(e.hosts) {
		return fmt.Errorf("forcing host %d: %w", o.Member, failover.ErrUnsupported)
	}
	e.hosts[o.Member].eds = o.Out
	why := schema.Textf("set to UNHEALTHY by %s", "由 %s 置为 UNHEALTHY", o.Initiator)
	if !o.Out {
		why = schema.Textf("set to HEALTHY by %s", "由 %s 置为 HEALTHY", o.Initiator)
	}
	e.changed(now, o.Member, why)
	e.schedule(now)
	return nil
}

// Next is when a check, a sweep of the outlier detection or the end of a slow start is due.
func (e *Engine) Next() time.Duration { return e.next }

// schedule finds the earliest timer.
func (e *Engine) schedule(time.Duration) {
	e.next = e.sweep
	for i := range e.hosts {
		h := &e.hosts[i]
		e.next = min(e.next, h.due)
		if h.shown == failover.Ramping {
			e.next = min(e.next, h.since+e.window)
		}
	}
}

// Tick does one thing that is due.
func (e *Engine) Tick(now time.Duration) (failover.Probe, bool) {
	defer e.schedule(now)
	if e.sweep <= now {
		e.sweep = now + e.outlier.interval
		e.swept(now)
		return failover.Probe{}, false
	}
	for i := range e.hosts {
		h := &e.hosts[i]
		if h.shown == failover.Ramping && h.since+e.window <= now {
			e.changed(now, i, schema.Textf("slow start is over", "慢启动结束"))
			return failover.Probe{}, false
		}
		if h.due <= now {
			h.due = failover.Never
			return failover.Probe{Member: int32(i), Total: e.checks.timeout, Path: e.checks.path, TCP: e.checks.tcp}, true
		}
	}
	return failover.Probe{}, false
}
