package apisix

import (
	"errors"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/internal/enginetest"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/profile"
)

func TestForce(t *testing.T) {
	p := start(t, enginetest.Pool([]string{"", "", ""}))
	if err := p.Force(0, failover.Order{Member: 0, Out: true}); err != nil || p.states() != "manual in in" {
		t.Errorf("%v, %s", err, p.states())
	}
	if got := p.shares(6); got[1] != 0 {
		t.Errorf("a node of weight 0 gets %d", got[1])
	}
	if err := p.Force(0, failover.Order{Member: 0}); err != nil || p.states() != "in in in" {
		t.Errorf("%v, %s", err, p.states())
	}
	if err := p.Force(0, failover.Order{Member: -1}); !errors.Is(err, failover.ErrUnsupported) {
		t.Errorf("a node that is not there: %v", err)
	}
}

func TestNoMembers(t *testing.T) {
	if e, err := New(&schema.Copy{}, profile.Version{}, failover.Options{}); e != nil || !errors.Is(err, failover.ErrNoMembers) {
		t.Errorf("%v, %v", e, err)
	}
}

// TestAssumed: what is not built is said.
func TestAssumed(t *testing.T) {
	for settings, want := range map[[2]string]int{
		{"type", "roundrobin"}: 0, {"type", "chash"}: 0, {"type", "semantic"}: 1,
	} {
		p := start(t, enginetest.Pool([]string{"", ""}, settings[0], settings[1]))
		if got := len(p.Info().Assumed); got != want {
			t.Errorf("%v: %v", settings, p.Info().Assumed)
		}
	}
	if p := start(t, enginetest.Pool([]string{"", ""}, "type", "chash", "key", "cookie_sid")); len(p.Info().Assumed) != 1 {
		t.Errorf("a key that a scenario does not know: %v", p.Info().Assumed)
	}
}

var balances = []string{"roundrobin", "chash", "least_conn", "ewma"}

func TestPlay(t *testing.T) {
	for _, name := range balances {
		t.Run(name, func(t *testing.T) {
			enginetest.Play(t, func(o failover.Options) (failover.Engine, error) {
				return New(enginetest.Pool([]string{"weight=2", "", "priority=1", "weight=0"}, checked("type", name, "decision.consecutive", 2)...), profile.Version{}, o)
			}, 3000)
		})
	}
}

// TestNothingLeaks: after all requests have ended no connection is counted.
func TestNothingLeaks(t *testing.T) {
	p := running(t, 3, checked("type", "least_conn")...)
	for i := range 1000 {
		p.until(p.now + 10*ms)
		p.ask([]failover.Outcome{refused, hung, enginetest.Status(500), {Kind: failover.Cancelled}}[i%4], 1+i%3, 1+i/50%3)
	}
	for i := range p.nodes {
		if p.nodes[i].conns != 0 {
			t.Errorf("%d connections are left to node %d", p.nodes[i].conns, i+1)
		}
	}
}

func cycle(e *Engine, r *failover.Request, now time.Duration, o failover.Outcome) {
	r.Reset()
	r.Client = uint32(now)
	for d := e.Pick(now, r); d.Action == failover.Send; {
		d = e.Report(now, r, o)
	}
}

func TestRequestsAllocateNothing(t *testing.T) {
	for _, name := range balances {
		e := running(t, 12, checked("type", name, "decision.consecutive", 3)...).Engine
		e.notify = nil
		var r failover.Request
		now := time.Minute
		for i, o := range []failover.Outcome{ok, enginetest.Status(500), refused} {
			if n := testing.AllocsPerRun(2000, func() {
				now += 10 * ms
				for e.Next() <= now {
					if p, send := e.Tick(now); send {
						e.Probed(now, p, ok)
					}
				}
				cycle(e, &r, now, o)
			}); n != 0 {
				t.Errorf("%s, outcome %d: %v allocations a request", name, i, n)
			}
		}
	}
}

func BenchmarkRequest(b *testing.B) {
	for _, name := range balances {
		b.Run(name, func(b *testing.B) {
			e, err := New(enginetest.Pool(make([]string, 12), "type", name), profile.Version{}, failover.Options{})
			if err != nil {
				b.Fatal(err)
			}
			var r failover.Request
			now := time.Duration(0)
			b.ReportAllocs()
			for b.Loop() {
				now += time.Microsecond
				cycle(e, &r, now, ok)
			}
		})
	}
}
