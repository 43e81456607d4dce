package apisix

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/internal/setting"
	"github.com/poolproof/poolproof/schema"
)

// kind is what a report is about; each has a counter of its own.
type kind uint8

const (
	success kind = iota
	httpFailure
	tcpFailure
	timedOut
	kinds
)

// health is the library's state of a target.
type health uint8

const (
	healthy health = iota
	mostlyHealthy
	unhealthy
	mostlyUnhealthy
)

// usable reports whether a target in this state gets traffic.
func (h health) usable() bool { return h <= mostlyHealthy }

// limits are how many reports of each kind change the state; 0 switches a kind off.
type limits [kinds]int

// checks are the settings of an upstream's checker.
type checks struct {
	on                 bool
	tcp                bool
	path               string
	timeout            time.Duration
	healthy, unhealthy time.Duration // intervals, 0: that side is not probed
	good, bad          setting.Statuses
	active             limits

	// passive
	final               bool // checks.passive is written: the last attempt of a request is looked at too
	finalGood, finalBad setting.Statuses
	passive             limits
}

// report counts one result and changes the state (incr_counter).
func (e *Engine) report(now time.Duration, i int, k kind, l *limits) {
	n := &e.nodes[i]
	limit := l[k]
	if limit == 0 || k == success && n.health == healthy || k != success && n.health == unhealthy {
		return
	}
	n.counters[k]++
	if k == success {
		n.counters[httpFailure], n.counters[tcpFailure], n.counters[timedOut] = 0, 0, 0
	} else {
		n.counters[success] = 0
	}
	before := n.health
	switch {
	case n.counters[k] >= limit && k == success:
		n.health = healthy
	case n.counters[k] >= limit:
		n.health = unhealthy
	case n.health == healthy && k != success:
		n.health = mostlyHealthy
	case n.health == unhealthy && k == success:
		n.health = mostlyUnhealthy
	}
	if before.usable() != n.health.usable() {
		e.changed(now, i, wording(k, limit))
	}
}

func wording(k kind, limit int) schema.Text {
	switch k {
	case httpFailure:
		return schema.Textf("%d HTTP failures", "%d 次 HTTP 失败", limit)
	case tcpFailure:
		return schema.Textf("%d TCP failures", "%d 次 TCP 失败", limit)
	case timedOut:
		return schema.Textf("%d timeouts", "%d 次超时", limit)
	}
	return schema.Textf("%d successes", "%d 次成功", limit)
}

// Probed takes the result of an active check.
func (e *Engine) Probed(now time.Duration, p failover.Probe, o failover.Outcome) {
	if !e.checking || p.Generation != e.generation {
		return
	}
	k := &e.checks
	switch {
	case o.Kind == failover.ConnectTimeout || o.Kind == failover.Timeout:
		e.report(now, int(p.Member), timedOut, &k.active)
	case o.Kind != failover.Answered:
		e.report(now, int(p.Member), tcpFailure, &k.active)
	case k.tcp || k.good.Has(o.Status):
		e.report(now, int(p.Member), success, &k.active)
	case k.bad.Has(o.Status):
		e.report(now, int(p.Member), httpFailure, &k.active)
	}
}

// passiveStatus reports a status (report_http_status): one that is in neither list changes nothing.
func (e *Engine) passiveStatus(now time.Duration, i int, status uint16) {
	switch k := &e.checks; {
	case k.finalGood.Has(status):
		e.report(now, i, success, &k.passive)
	case k.finalBad.Has(status):
		e.report(now, i, httpFailure, &k.passive)
	}
}
