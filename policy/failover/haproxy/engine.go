package haproxy

import (
	"fmt"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/internal/setting"
	"github.com/poolproof/poolproof/schema"
)

// Engine is one HAProxy process in front of one backend.
type Engine struct {
	info    failover.Info
	notify  func(failover.Transition)
	rand    failover.Rand
	version [2]int // 0.0 where nobody named one

	// settings
	tcp             bool // mode tcp: answers are not read
	retries         int
	retryConn       bool
	retryEmpty      bool
	retryTimeout    bool
	retryStatus     setting.Statuses
	redispatch      bool
	redispatchAfter int
	allBackups      bool
	queueLimit      time.Duration
	fullconn        int
	balance         algorithm
	draws           int // of random
	hash            hashing
	checkTCP        bool
	checkPath       string
	checkTimeout    time.Duration
	notFoundDrains  bool
	good            setting.Statuses

	// run time
	servers []server
	active  int     // usable servers that are no backups (srv_act)
	set     []int32 // the servers that are balanced over now
	equal   bool    // all of set weigh the same
	at      int     // round robin: the next of set
	total   int     // effective weight of set
	table   []int32 // map-based hash: server by slot
	slots   []slot  // of all servers at full weight
	ring    []slot  // of those that are balanced over
	conns   int     // requests of the backend, wherever they are
	stamp   uint64
	rounds  rounds
	earlier []int         // effective weights before a change
	now     time.Duration // of the call that goes on
	next    time.Duration // the earliest timer

	queue   queue // of requests that any server may have
	turn    uint64
	waiting int      // requests in queues
	roomy   []int32  // servers that may have room for them
	strays  []uint32 // requests whose server has gone
	grants  []grant
}

// New returns the engine of a backend. The version may be 0.0, "nobody said".
func New(c *schema.Copy, major, minor int, o failover.Options) (*Engine, error) {
	if len(c.Members) == 0 {
		return nil, fmt.Errorf("building haproxy for %q: %w", c.Pool, failover.ErrNoMembers)
	}
	e := &Engine{notify: o.Notify, rand: failover.NewRand(o.Seed), version: [2]int{major, minor}, next: failover.Never}
	e.info = failover.Info{Name: "haproxy"}
	if major > 0 {
		e.info.Version = fmt.Sprintf("%d.%d", major, minor)
	}
	r := setting.Reader{Copy: c}
	e.read(&r)
	e.info.Assumed = r.Assumed
	e.start(o.Start)
	return e, nil
}

// known reports whether the version was named.
func (e *Engine) known() bool { return e.version != [2]int{} }

// before reports whether the program is older than a version; one that nobody named is.
func (e *Engine) before(major, minor int) bool {
	return !e.known() || e.version[0] < major || e.version[0] == major && e.version[1] < minor
}

// start puts all servers into their state at start and plans the first checks.
func (e *Engine) start(now time.Duration) {
	for i := range e.servers {
		s := &e.servers[i]
		s.due, s.warmup, s.share = failover.Never, failover.Never, fullShare
		s.maint = s.disabled
		if s.check {
			e.info.Probes = true
			s.initialise()
		}
	}
	for i := range e.servers {
		e.follow(i)
	}
	for i := range e.servers {
		e.servers[i].shown = e.servers[i].state()
	}
	if e.balance == random || e.hash.consistent {
		e.placeSlots()
	}
	e.planChecks(now)
	e.recount()
	e.schedule()
}

// Info describes the engine.
func (e *Engine) Info() *failover.Info { return &e.info }

// State is UP, or no check (In); UP while starting slowly (Ramping); DOWN (Out); MAINT (Manual).
func (e *Engine) State(member int) failover.State { return e.servers[member].state() }

// Notice does nothing: HAProxy takes no verdicts from outside.
func (e *Engine) Notice(time.Duration, int, bool) {}

// Force is "set server STATE maint" and "ready".
func (e *Engine) Force(now time.Duration, o failover.Order) error {
	if o.Member < 0 || o.Member >= len(e.servers) {
		return fmt.Errorf("forcing server %d: %w", o.Member, failover.ErrUnsupported)
	}
	e.now = now
	s := &e.servers[o.Member]
	switch {
	case o.Out && !s.maint:
		s.maint = true
		s.warmup = failover.Never
		e.changed(now, o.Member, schema.Textf("set to maint by %s", "由 %s 置为维护", o.Initiator), false)
	case !o.Out && s.maint:
		s.maint = false
		// It starts as healthy as after a start, and slowly.
		if s.check {
			s.health = s.rise
		}
		e.raise(now, s)
		e.changed(now, o.Member, schema.Textf("set to ready by %s", "由 %s 置为就绪", o.Initiator), false)
	}
	e.schedule()
	return nil
}

// changed tells what became of a server and counts the usable ones anew.
func (e *Engine) changed(now time.Duration, i int, why schema.Text, sever bool) {
	s := &e.servers[i]
	e.recount()
	if to := s.state(); to != s.shown {
		from := s.shown
		s.shown = to
		if e.notify != nil {
			e.notify(failover.Transition{At: now, Member: i, From: from, To: to, Why: why, Sever: sever})
		}
	}
	switch {
	case s.usable():
		e.freed(int32(i))
	case s.queue.len() > 0:
		e.disperse(s)
	}
	for j := range e.servers {
		if e.servers[j].tracked == i {
			e.follows(now, j, why)
		}
	}
}

// schedule finds the earliest timer.
func (e *Engine) schedule() {
	e.next = failover.Never
	for i := range e.servers {
		s := &e.servers[i]
		e.next = min(e.next, s.due, s.warmup)
	}
}

// Next is when a check or a step of a slow start is due.
func (e *Engine) Next() time.Duration { return e.next }
