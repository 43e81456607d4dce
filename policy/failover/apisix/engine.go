package apisix

import (
	"fmt"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/internal/setting"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/profile"
)

// createEvery is how often APISIX makes the checkers that requests have asked for.
const createEvery = time.Second

// node is one node of the upstream and what the health library knows of it.
type node struct {
	weight   int
	group    int
	off      bool // weight 0, written or by force
	shown    failover.State
	health   health
	counters limits

	conns   int
	stamp   uint64  // when it was last chosen, of equally busy ones the one that waited longest goes
	score   float64 // ewma of its response times, in seconds
	touched time.Duration
}

// Engine is one APISIX in front of one upstream.
type Engine struct {
	info    failover.Info
	notify  func(failover.Transition)
	rand    failover.Rand
	version profile.Version

	// settings
	balance  algorithm
	byPath   bool
	direct   bool // a single node, whose health does not matter
	retries  int
	deadline time.Duration // retry_timeout
	checks   checks

	nodes  []node
	groups []group
	stamp  uint64

	// the checker
	begin      time.Duration // of the timer that makes checkers
	create     time.Duration // when the checker is made, Never
	checking   bool
	generation uint32
	due        [2]time.Duration // of the rounds of usable and of unusable nodes
	round      int              // whose round is being sent, -1: none
	began      time.Duration    // when it began
	position   int              // the next node of that round
	next       time.Duration
}

// New returns the engine of an upstream. The zero version is "nobody said".
func New(c *schema.Copy, v profile.Version, o failover.Options) (*Engine, error) {
	if len(c.Members) == 0 {
		return nil, fmt.Errorf("building apisix for %q: %w", c.Pool, failover.ErrNoMembers)
	}
	e := &Engine{notify: o.Notify, rand: failover.NewRand(o.Seed), version: v, begin: o.Start, create: failover.Never, round: -1}
	e.due = [2]time.Duration{failover.Never, failover.Never}
	e.info = failover.Info{Name: "apisix"}
	if v.Known() {
		e.info.Version = fmt.Sprintf("%d.%d", v.Major, v.Minor)
	}
	r := setting.Reader{Copy: setting.Completed(c, "apisix", v)}
	e.read(&r)
	e.info.Assumed = r.Assumed
	e.info.Probes = e.checks.healthy > 0 || e.checks.unhealthy > 0
	for i := range e.nodes {
		e.nodes[i].shown = e.nodes[i].state()
	}
	e.rebuild()
	e.schedule()
	return e, nil
}

// Info describes the engine.
func (e *Engine) Info() *failover.Info { return &e.info }

// State is Out while the health library calls the node unhealthy or mostly unhealthy, Manual at weight 0 by hand, else
// In. A node that is out gets traffic all the same where no other is left.
func (e *Engine) State(member int) failover.State { return e.nodes[member].shown }

func (n *node) state() failover.State {
	switch {
	case n.off:
		return failover.Manual
	case !n.health.usable():
		return failover.Out
	}
	return failover.In
}

// Notice does nothing: APISIX takes no verdicts from outside.
func (e *Engine) Notice(time.Duration, int, bool) {}

// Force sets a node's weight to 0 by the Admin API, or takes that back.
func (e *Engine) Force(now time.Duration, o failover.Order) error {
	if o.Member < 0 || o.Member >= len(e.nodes) {
		return fmt.Errorf("forcing node %d: %w", o.Member, failover.ErrUnsupported)
	}
	e.nodes[o.Member].off = o.Out
	why := schema.Textf("weight set to 0 by %s", "由 %s 将权重置为 0", o.Initiator)
	if !o.Out {
		why = schema.Textf("weight restored by %s", "由 %s 恢复权重", o.Initiator)
	}
	e.changed(now, o.Member, why)
	return nil
}

// changed tells what became of a node and builds the pickers anew.
func (e *Engine) changed(now time.Duration, i int, why schema.Text) {
	e.rebuild()
	n := &e.nodes[i]
	to := n.state()
	if to == n.shown {
		return
	}
	from := n.shown
	n.shown = to
	if e.notify != nil {
		e.notify(failover.Transition{At: now, Member: i, From: from, To: to, Why: why})
	}
}

// ask asks for a checker, which a request does that finds none.
func (e *Engine) ask(now time.Duration) {
	if !e.checks.on || e.checking || e.create != failover.Never {
		return
	}
	e.create = e.begin + (now-e.begin)/createEvery*createEvery + createEvery
	e.schedule()
}

// Next is when the checker is made or a round of probes is due.
func (e *Engine) Next() time.Duration { return e.next }

func (e *Engine) schedule() {
	e.next = min(e.create, e.due[0], e.due[1])
	if e.round >= 0 {
		e.next = min(e.next, e.began)
	}
}

// Tick makes the checker, starts a round or sends the next probe of one.
func (e *Engine) Tick(now time.Duration) (failover.Probe, bool) {
	defer e.schedule()
	if e.create <= now {
		e.create, e.checking = failover.Never, true
		e.generation++
		if e.checks.healthy > 0 {
			e.due[0] = now + e.checks.healthy
		}
		if e.checks.unhealthy > 0 {
			e.due[1] = now + e.checks.unhealthy
		}
	}
	if e.round < 0 {
		e.begins(now)
	}
	for e.round >= 0 {
		if e.position == len(e.nodes) {
			e.round = -1
			break
		}
		i := e.position
		e.position++
		if e.nodes[i].health.usable() == (e.round == 0) {
			return failover.Probe{Member: int32(i), Generation: e.generation, Total: e.checks.timeout, Path: e.checks.path, TCP: e.checks.tcp}, true
		}
	}
	return failover.Probe{}, false
}

// begins starts a round that is due. The next one comes an interval after this one began.
func (e *Engine) begins(now time.Duration) {
	every := [2]time.Duration{e.checks.healthy, e.checks.unhealthy}
	for side, due := range e.due {
		if due <= now {
			e.due[side] = now + every[side]
			e.round, e.began, e.position = side, now, 0
			return
		}
	}
}
