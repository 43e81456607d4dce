package envoy

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// rate counts the results of one interval.
type rate struct{ total, good int }

// host is one endpoint.
type host struct {
	weight    int
	level     int
	eds       bool // failed by EDS: written as draining or unhealthy, or by force
	unchecked bool // disable_active_health_check
	failed    bool // FAILED_ACTIVE_HC
	ejected   bool // FAILED_OUTLIER_CHECK
	shown     failover.State

	// checks
	first       bool // the next result is the first
	passes      int  // num_healthy
	fails       int  // num_unhealthy
	due         time.Duration
	since       time.Duration // when it last became healthy by a check; never: at the start
	active      int           // requests
	deadline    float64       // EDF
	order       uint64        // EDF: among equal deadlines the one that was added first
	gateway     int           // consecutive counters
	errors      int
	local       int
	ejectedAt   time.Duration
	unejectedAt time.Duration // never: not yet
	jitter      time.Duration
	backoff     int
	rates       [2]rate // external and local origin, this interval
}

// healthy reports whether a balancer may choose the host when there is no panic.
func (h *host) healthy() bool { return !h.eds && !h.failed && !h.ejected }

// state is what others see of the host.
func (e *Engine) state(now time.Duration, h *host) failover.State {
	switch {
	case h.eds:
		return failover.Manual
	case h.failed:
		return failover.Out
	case h.ejected:
		return failover.Cooling
	case e.starting(now, h):
		return failover.Ramping
	}
	return failover.In
}

// starting reports whether the host starts slowly.
func (e *Engine) starting(now time.Duration, h *host) bool {
	return e.window > 0 && h.since != never && now-h.since < e.window
}

// changed tells what became of a host and brings the balancing up to date.
func (e *Engine) changed(now time.Duration, i int, why schema.Text) {
	h := &e.hosts[i]
	e.refresh(now)
	to := e.state(now, h)
	if to == h.shown {
		return
	}
	from := h.shown
	h.shown = to
	if e.notify != nil {
		e.notify(failover.Transition{At: now, Member: i, From: from, To: to, Why: why})
	}
}
