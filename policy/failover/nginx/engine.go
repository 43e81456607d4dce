package nginx

import (
	"fmt"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/internal/setting"
	"github.com/poolproof/poolproof/schema"
)

// Engine is NGINX in front of one upstream.
type Engine struct {
	info   failover.Info
	notify func(failover.Transition)
	rand   failover.Rand
	// offset of the whole-second clock.
	offset time.Duration

	// settings
	stream     bool
	method     method
	two        bool   // of random
	hashBy     []part // of hash; nothing: requests have nothing to be hashed by
	next       next   // next_upstream
	locations  []location
	generation uint32 // of the counters: a reload starts with new ones
	skewed     bool   // workers take connections by blocks

	servers []server
	groups  [2]group
	tries   int  // of a request
	single  bool // one address
	ring    []point
	workers []worker
	turn    int           // the first worker in line
	due     time.Duration // when the first block that is shown ends
}

// New returns the engine of an upstream. The version may be 0.0, "nobody said".
func New(c *schema.Copy, major, minor int, o failover.Options) (*Engine, error) {
	if len(c.Members) == 0 {
		return nil, fmt.Errorf("building nginx for %q: %w", c.Pool, failover.ErrNoMembers)
	}
	e := &Engine{notify: o.Notify, rand: failover.NewRand(o.Seed), due: failover.Never}
	e.offset = o.Phase % time.Second
	e.info = failover.Info{Name: "nginx"}
	if major > 0 {
		e.info.Version = fmt.Sprintf("%d.%d", major, minor)
	}
	r := setting.Reader{Copy: c}
	e.read(&r)
	e.info.Assumed = r.Assumed
	for i := range e.workers {
		e.workers[i].peers = make([]peer, len(e.servers))
		e.workers[i].reset(e.servers)
	}
	for i := range e.servers {
		s := &e.servers[i]
		if s.ends, s.shown = failover.Never, failover.In; s.down {
			s.shown = failover.Manual
		}
	}
	if e.skewed = major == 0 || major > 1 || major == 1 && minor >= 22; e.skewed && len(e.workers) > 1 {
		// Somebody may have come before the first request, also before all workers were there.
		before := e.rand.IntN(4)
		if before == 3 {
			e.workers[0].accepted = 1
			before = 0
		}
		for range before {
			e.accept()
		}
	}
	return e, nil
}

// Info describes the engine.
func (e *Engine) Info() *failover.Info { return &e.info }

// State is Cooling while every worker blocks the server, Manual while an operator holds it down, else In. NGINX itself
// shows no states.
func (e *Engine) State(member int) failover.State { return e.servers[member].shown }

// Notice does nothing: NGINX takes no verdicts from outside.
func (e *Engine) Notice(time.Duration, int, bool) {}

// Force marks a server as down, which takes an edit of the file and a reload in NGINX, and takes the mark away. The
// reload forgets all failures, those of other servers too.
func (e *Engine) Force(now time.Duration, o failover.Order) error {
	if o.Member < 0 || o.Member >= len(e.servers) {
		return fmt.Errorf("forcing server %d: %w", o.Member, failover.ErrUnsupported)
	}
	s := &e.servers[o.Member]
	if s.down == o.Out {
		return nil
	}
	s.down = o.Out
	why, to := schema.Textf("marked as down by %s", "由 %s 标记为 down", o.Initiator), failover.Manual
	e.tries--
	if !o.Out {
		why, to = schema.Textf("no longer marked as down, by %s", "由 %s 取消 down 标记", o.Initiator), failover.In
		e.tries += 2
	}
	e.generation++
	for i := range e.workers {
		e.workers[i].reset(e.servers)
	}
	e.due = failover.Never
	for i := range e.servers {
		x := &e.servers[i]
		x.ends = failover.Never
		if i != o.Member && x.shown == failover.Cooling {
			e.show(now, i, failover.In, schema.Textf("a reload has forgotten its failures", "重新加载清除了其失败记录"))
		}
	}
	e.show(now, o.Member, to, why)
	return nil
}

func (e *Engine) show(now time.Duration, i int, to failover.State, why schema.Text) {
	s := &e.servers[i]
	if s.shown == to {
		return
	}
	from := s.shown
	s.shown = to
	if e.notify != nil {
		e.notify(failover.Transition{At: now, Member: i, From: from, To: to, Why: why})
	}
}

// Next is when the first block that is shown ends.
func (e *Engine) Next() time.Duration { return e.due }

// Tick shows that a block has ended. Nothing depends on it: NGINX looks at its clock when a request comes.
func (e *Engine) Tick(now time.Duration) (failover.Probe, bool) {
	e.due = failover.Never
	for i := range e.servers {
		s := &e.servers[i]
		if s.ends <= now {
			s.ends = e.blockedUntil(i)
			if s.ends <= now {
				s.ends = failover.Never
				e.show(now, i, failover.In, schema.Textf("fail_timeout is over: one request tries it", "fail_timeout 已过：放一个请求试探"))
			}
		}
		e.due = min(e.due, s.ends)
	}
	return failover.Probe{}, false
}

// Probed is never called: there are no probes.
func (e *Engine) Probed(time.Duration, failover.Probe, failover.Outcome) {}

// blockedUntil returns until when all workers block a server; a time that is past if one does not.
func (e *Engine) blockedUntil(i int) time.Duration {
	s := &e.servers[i]
	until := failover.Never
	for w := range e.workers {
		p := &e.workers[w].peers[i]
		if s.maxFails == 0 || p.fails < s.maxFails {
			return 0
		}
		until = min(until, e.after(p.checked+s.timeout+1))
	}
	return until
}
