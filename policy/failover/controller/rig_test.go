package controller

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

var at = schema.At(1, 2)

// pool returns a copy with members "a", "b", ... and settings given as path and value.
func pool(members int, settings ...any) *schema.Copy {
	c := &schema.Copy{Pool: "p", Engine: "pool", Complete: true}
	for i := range members {
		c.Members = append(c.Members, schema.Member{Host: string(rune('a' + i))})
	}
	return with(c, settings...)
}

func with(c *schema.Copy, settings ...any) *schema.Copy {
	for i := 0; i < len(settings); i += 2 {
		v := schema.Value{}
		switch x := settings[i+1].(type) {
		case string:
			v = schema.TextOf(x)
		case int:
			v = schema.IntOf(int64(x))
		case float64:
			v = schema.NumberOf(x)
		case bool:
			v = schema.BoolOf(x)
		case time.Duration:
			v = schema.DurationOf(x)
		case []string:
			v = schema.ListOf(x...)
		}
		c.Set(schema.Path(settings[i].(string)), v, at)
	}
	return c
}

// good is a decision of 50 % of at least 20 within 10 s, and a cooldown of 30 s.
var good = []any{"decision.window", 10 * time.Second, "decision.minSamples", 20, "decision.errorRatio", 0.5, "cooldown.duration", 30 * time.Second}

func goodPool(members int, settings ...any) *schema.Copy {
	return with(pool(members, good...), settings...)
}

// rig drives an engine by hand in steps of 10 ms: in each step a request comes, and answers and probes take effect at once
// unless a test holds them back.
type rig struct {
	*Engine
	t        *testing.T
	now      time.Duration
	log      []failover.Transition
	answer   func(member int, r *failover.Request) failover.Outcome
	probeIs  func(member int) failover.Outcome
	next     func(n int, r *failover.Request) // dresses a request
	n        int
	sent     map[int]int // attempts by member
	refused  int
	failures int
}

var (
	ok200   = failover.Outcome{Kind: failover.Answered, Status: 200, Took: 2 * time.Millisecond}
	bad500  = failover.Outcome{Kind: failover.Answered, Status: 500, Took: 2 * time.Millisecond}
	refused = failover.Outcome{Kind: failover.Refused}
)

func newRig(t *testing.T, c *schema.Copy, o failover.Options) *rig {
	t.Helper()
	g := &rig{t: t, sent: map[int]int{}}
	g.answer = func(int, *failover.Request) failover.Outcome { return ok200 }
	g.probeIs = func(int) failover.Outcome { return ok200 }
	g.next = func(int, *failover.Request) {}
	o.Notify = func(x failover.Transition) { g.log = append(g.log, x) }
	e, err := New(c, o)
	if err != nil {
		t.Fatal(err)
	}
	g.Engine = e
	return g
}

const step = 10 * time.Millisecond

// tick lets everything happen that is due.
func (g *rig) tick() {
	for i := 0; g.Next() <= g.now; i++ {
		if i > 10000 {
			g.t.Fatalf("at %v there is no end of ticks", g.now)
		}
		if p, send := g.Tick(g.now); send {
			g.Probed(g.now, p, g.probeIs(int(p.Member)))
		}
	}
}

// run goes on until a moment, with 100 requests a second.
func (g *rig) run(until time.Duration) {
	var r failover.Request
	for g.now < until {
		g.now += step
		g.tick()
		r.Reset()
		g.next(g.n, &r)
		g.n++
		d := g.Pick(g.now, &r)
		for d.Action == failover.Send {
			g.sent[int(r.Lease.Member)]++
			o := g.answer(int(r.Lease.Member), &r)
			if o.Kind != failover.Answered || o.Status >= 500 {
				g.failures++
			}
			d = g.Report(g.now, &r, o)
		}
		if d.Refused {
			g.refused++
		}
	}
}

// fail makes some members fail from now on.
func (g *rig) fail(members ...int) {
	g.answer = func(m int, _ *failover.Request) failover.Outcome {
		for _, i := range members {
			if i == m {
				return bad500
			}
		}
		return ok200
	}
}

func (g *rig) wants(member int, s failover.State) {
	g.t.Helper()
	if got := g.State(member); got != s {
		g.t.Fatalf("at %v member %d is %v, want %v\n%s", g.now, member, got, s, g.story())
	}
}

// wantsAt runs until a member has that state and fails unless that is at a moment, give or take.
func (g *rig) wantsAt(member int, s failover.State, when, slack time.Duration) {
	g.t.Helper()
	for g.State(member) != s && g.now < when+slack+step {
		g.run(g.now + step)
	}
	if g.State(member) != s || g.now < when-slack || g.now > when+slack {
		g.t.Fatalf("at %v member %d is %v; want %v at %v, give or take %v\n%s", g.now, member, g.State(member), s, when, slack, g.story())
	}
}

func (g *rig) story() string {
	var b strings.Builder
	for _, x := range g.log {
		fmt.Fprintf(&b, "%v %d %s %v->%v %s\n", x.At, x.Member, x.Scope, x.From, x.To, x.Why.En)
	}
	return b.String()
}

// told returns how often something was told.
func (g *rig) told(part string) int {
	n := 0
	for _, x := range g.log {
		if strings.Contains(x.Why.En, part) {
			n++
			if x.Why.Zh == "" || x.Why.Zh == x.Why.En {
				g.t.Errorf("%q has no Chinese", x.Why.En)
			}
		}
		if strings.Contains(x.Why.En, "%!") || strings.Contains(x.Why.Zh, "%!") {
			g.t.Errorf("badly worded: %q, %q", x.Why.En, x.Why.Zh)
		}
	}
	return n
}
