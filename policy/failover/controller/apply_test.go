package controller

import (
	"errors"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

var _ failover.Applier = (*Engine)(nil)

// applied puts other settings in force.
func (g *rig) applied(c *schema.Copy, o failover.Options) {
	g.t.Helper()
	o.Notify = func(x failover.Transition) { g.log = append(g.log, x) }
	e, err := g.Apply(g.now, c, o)
	if err != nil {
		g.t.Fatal(err)
	}
	g.Engine = e.(*Engine)
}

// TestApplyKeepsWhoIsOut: the cooldown that runs goes on, under its old length; the next one is of the new one.
func TestApplyKeepsWhoIsOut(t *testing.T) {
	g, out := removed(t, goodPool(2, "cooldown.exit", "timer"), failover.Options{})
	g.run(out + 10*s)
	g.applied(goodPool(3, "cooldown.exit", "timer", "cooldown.duration", 60*s), failover.Options{})
	g.wants(0, failover.Cooling)
	g.wants(1, failover.In)
	g.wants(2, failover.In)
	if r := g.Rounds(0, 0); len(r) != 1 || r[0].Cause != "business" {
		t.Errorf("the rounds are %+v", r)
	}
	before := g.sent[2]
	g.run(g.now + s)
	if n := g.sent[2] - before; n < 45 || n > 55 {
		t.Errorf("the new member gets %d of 100", n)
	}
	g.wantsAt(0, failover.In, out+30*s, 20*time.Millisecond)
	g.fail(0)
	g.wantsAt(0, failover.Cooling, out+40*s, 10*s)
	again := g.now
	g.fail()
	g.wantsAt(0, failover.In, again+60*s, 20*time.Millisecond)
}

// TestApplyKeepsCounting: results before the change count after it, where the window is the same.
func TestApplyKeepsCounting(t *testing.T) {
	for name, c := range map[string]struct {
		window time.Duration
		keeps  bool
	}{"the same window": {10 * s, true}, "another window": {12 * s, false}} {
		t.Run(name, func(t *testing.T) {
			g := newRig(t, goodPool(2), failover.Options{})
			g.run(20 * s)
			g.fail(0)
			g.run(24 * s)
			g.applied(goodPool(2, "decision.window", c.window), failover.Options{})
			g.run(24*s + 2*step)
			if n := g.Verdicts(g.now, 0, 0).Business.Failures; (n > 100) != c.keeps {
				t.Errorf("%d failures are counted", n)
			}
			if g.run(27 * s); (g.State(0) == failover.Cooling) != c.keeps {
				t.Errorf("3 s later it is %v", g.State(0))
			}
		})
	}
}

// TestApplyWhileReturning: the batch begins anew under the new settings, and none is skipped.
func TestApplyWhileReturning(t *testing.T) {
	g, out := removed(t, ramped(goodPool(2, "cooldown.exit", "timer"), []float64{10, 50}), failover.Options{})
	g.run(out + 50*s)
	if x := g.Step(0, 0); x.Batch != 2 {
		t.Fatalf("%+v", x)
	}
	g.applied(ramped(goodPool(2, "cooldown.exit", "timer"), []float64{5, 20, 60}), failover.Options{})
	if x := g.Step(0, 0); x.Batch != 2 || x.Of != 3 || x.Results != 0 || x.Since != g.now {
		t.Errorf("%+v", x)
	}
	g.run(g.now + 20*s)
	if x := g.Step(0, 0); x.Batch != 3 {
		t.Errorf("%+v", x)
	}
	g.applied(goodPool(2, "cooldown.exit", "timer"), failover.Options{})
	g.wants(0, failover.In)
}

// TestApplyKeepsOrders: who was forced out stays out, by identity and not by place.
func TestApplyKeepsOrders(t *testing.T) {
	g := newRig(t, goodPool(2), failover.Options{})
	g.run(20 * s)
	if err := g.Force(g.now, failover.Order{Member: 1, Out: true, Initiator: "ann", Saw: "disk"}); err != nil {
		t.Fatal(err)
	}
	c := goodPool(3)
	c.Members[0], c.Members[1] = c.Members[1], c.Members[0]
	g.applied(c, failover.Options{})
	g.wants(0, failover.Manual) // it is "b", which was member 1
	g.wants(1, failover.In)
	if o := g.Orders(); len(o) != 1 || o[0].Order.Member != 0 {
		t.Errorf("%+v", o)
	}
}

// TestApplyTellsApart: a member that was out as a whole is out for each of its interfaces.
func TestApplyTellsApart(t *testing.T) {
	g, out := removed(t, goodPool(2, "cooldown.exit", "timer"), failover.Options{})
	o := failover.Options{Interfaces: []string{"pay", "list"}}
	g.applied(goodPool(2, "cooldown.exit", "timer", "decision.granularity", "interface"), o)
	for k := range 2 {
		if s := g.unit(0, k).state(); s != failover.Cooling {
			t.Errorf("interface %d is %v", k, s)
		}
	}
	g.wantsAt(0, failover.In, out+30*s, 20*time.Millisecond)
}

func TestApplyRefuses(t *testing.T) {
	g := newRig(t, goodPool(2), failover.Options{})
	if _, err := g.Apply(0, pool(0), failover.Options{}); !errors.Is(err, failover.ErrNoMembers) {
		t.Error(err)
	}
	g.run(s) // the old settings stay in force
}

// TestApplyOnTrial: trials begin anew, and the lease of a trial of before changes nothing.
func TestApplyOnTrial(t *testing.T) {
	g, out := removed(t, goodPool(2), failover.Options{})
	g.run(out + 32*s)
	if g.unit(0, 0).phase != onProof {
		t.Fatal(g.story())
	}
	old := g.Engine
	var r failover.Request
	for r.Reset(); old.Pick(g.now, &r).Action == failover.Send && r.Lease.Member != 0; r.Reset() {
		old.Report(g.now, &r, ok200)
		if g.now += step; g.now > out+40*s {
			t.Fatal("no trial comes")
		}
	}
	g.applied(goodPool(2), failover.Options{})
	old.Report(g.now, &r, bad500)
	if u := g.unit(0, 0); u.phase != onProof || u.proof.counts.Total != 0 {
		t.Errorf("%v, %+v", u.phase, u.proof.counts)
	}
	g.wantsAt(0, failover.In, g.now+11*s, 2*s)
}
