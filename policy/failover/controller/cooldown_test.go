package controller

import (
	"errors"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
)

func TestNotBeforeTheCooldownEnds(t *testing.T) {
	g := newRig(t, goodPool(3), failover.Options{})
	g.run(20 * s)
	g.fail(2)
	g.wantsAt(2, failover.Cooling, 25*s, s)
	out := g.now
	g.fail() // it is well again at once
	before := g.sent[2]
	g.run(out + 30*s - step)
	g.wants(2, failover.Cooling)
	if g.sent[2] != before {
		t.Error("it got traffic")
	}
	g.run(out + 30*s + step)
	g.wants(2, failover.Out) // on trial
	g.run(out + 39*s)
	g.wants(2, failover.Out)
	if n := g.sent[2] - before; n < 17 || n > 21 { // 2 a second: 20 samples in a window of 10 s
		t.Errorf("%d trials in 9 s", n)
	}
	g.wantsAt(2, failover.In, out+40*s, 600*time.Millisecond)
}

func TestTrialsThatFail(t *testing.T) {
	g := newRig(t, goodPool(3, "cooldown.growth.kind", "exponential", "cooldown.max", 100*s), failover.Options{})
	g.run(20 * s)
	g.fail(2)
	g.wantsAt(2, failover.Cooling, 25*s, s)
	last := g.now
	for _, length := range []time.Duration{30 * s, 60 * s, 100 * s, 100 * s} {
		if r := g.Rounds(2, 0); r[len(r)-1].Cooldown != length {
			t.Fatalf("%+v, want a cooldown of %v", r[len(r)-1], length)
		}
		before := g.sent[2]
		g.wantsAt(2, failover.Out, last+length, 20*time.Millisecond)
		g.wantsAt(2, failover.Cooling, last+length+5*s, 600*time.Millisecond) // 10 failures of 20 are half of them
		if n := g.sent[2] - before; n != 10 {
			t.Fatalf("%d trials", n)
		}
		last = g.now
	}
	g.fail()
	g.wantsAt(2, failover.In, last+110*s, 600*time.Millisecond)
	g.run(g.now + 20*s)
	g.fail(2)
	g.wantsAt(2, failover.Cooling, g.now+5*s, s)
	if r := g.Rounds(2, 0); r[len(r)-1].Cooldown != 30*s {
		t.Error("a return does not start a new row")
	}
}

func TestExits(t *testing.T) {
	for _, c := range []struct {
		exit string
		back time.Duration // after the removal
	}{{"timer", 30 * s}, {"probe", 50 * s}, {"same-as-entry", 60 * s}} {
		t.Run(c.exit, func(t *testing.T) {
			g := newRig(t, goodPool(2, "cooldown.exit", c.exit, "probe.interval", s, "probe.rise", 1), failover.Options{})
			g.run(20 * s)
			g.fail(1)
			bad := true
			g.probeIs = func(m int) failover.Outcome {
				if bad && m == 1 {
					return refused
				}
				return ok200
			}
			if c.exit == "timer" {
				bad = false // else it is held back
			}
			g.wantsAt(1, failover.Cooling, 25*s, s)
			out := g.now
			g.run(out + 20*s)
			g.fail()
			g.run(min(out+49500*time.Millisecond, out+c.back-2*s))
			g.wants(1, map[bool]failover.State{true: failover.Cooling, false: failover.Out}[c.exit == "timer"])
			bad = false
			g.wantsAt(1, failover.In, out+c.back, 1500*time.Millisecond)
		})
	}
}

// flight is an attempt that a test keeps in flight.
type flight struct{ r failover.Request }

func TestCooldownRunsFromTheDrain(t *testing.T) {
	for _, c := range []struct {
		starts string
		from   time.Duration // after the removal
	}{{"drained", 7 * s}, {"ejected", 0}} {
		t.Run(c.starts, func(t *testing.T) {
			g := newRig(t, goodPool(2, "cooldown.startsAt", c.starts, "cooldown.exit", "timer"), failover.Options{})
			g.run(20 * s)
			var open [3]flight
			for i := range open {
				for r := &open[i].r; ; g.Report(g.now, r, ok200) {
					r.Reset()
					g.Pick(g.now, r)
					if r.Lease.Member == 0 {
						break
					}
				}
			}
			g.fail(0)
			for g.State(0) == failover.In {
				g.run(g.now + step)
			}
			out := g.now
			if c.starts == "drained" {
				g.wants(0, failover.Out)
			}
			g.Report(g.now, &open[0].r, ok200)
			g.Report(g.now, &open[1].r, ok200)
			g.run(out + 7*s)
			if c.starts == "drained" {
				g.wants(0, failover.Out)
			}
			g.Report(g.now, &open[2].r, ok200)
			g.wants(0, failover.Cooling)
			r := g.Rounds(0, 0)[0]
			if r.InFlight != 3 || r.Left != 0 || r.Drained != out+7*s {
				t.Errorf("%+v", r)
			}
			g.wantsAt(0, failover.In, out+c.from+30*s, 20*time.Millisecond)
			if c.starts == "drained" && g.told("drained (3 were in flight, 0 left)") != 1 {
				t.Error(g.story())
			}
		})
	}
}

func TestDrainHasALimit(t *testing.T) {
	g := newRig(t, goodPool(2, "retry.perTry", 9*s), failover.Options{}) // connect 5 s, answer 9 s, slack 1 s
	g.run(20 * s)
	var lost failover.Request
	for lost.Reset(); ; lost.Reset() {
		if g.Pick(g.now, &lost); lost.Lease.Member == 0 {
			break
		}
		g.Report(g.now, &lost, ok200)
	}
	g.fail(0)
	g.wantsAt(0, failover.Out, 25*s, s)
	out := g.now
	g.wantsAt(0, failover.Cooling, out+15*s, 20*time.Millisecond)
	if r := g.Rounds(0, 0)[0]; r.Left != 1 || r.InFlight != 1 {
		t.Errorf("%+v", r)
	}
	g.fail()
	g.run(out + 100*s)
	g.wants(0, failover.In)
	g.Report(g.now, &lost, bad500) // it changes nothing
	g.run(g.now + 20*s)
	g.fail(0)
	for g.State(0) == failover.In {
		g.run(g.now + step)
	}
	g.wants(0, failover.Cooling) // the lost one is not waited for again
}

func TestStartsWhenAProbePasses(t *testing.T) {
	g := newRig(t, goodPool(2, "cooldown.startsAt", "probe-passed", "cooldown.exit", "timer", "probe.interval", s, "probe.rise", 1), failover.Options{})
	g.run(20 * s)
	g.fail(0)
	bad := true
	g.probeIs = func(m int) failover.Outcome {
		if m == 0 && bad {
			return refused
		}
		return ok200
	}
	g.wantsAt(0, failover.Out, 25*s, s)
	g.run(60 * s)
	g.wants(0, failover.Out)
	bad = false
	g.wantsAt(0, failover.Cooling, 61*s, s)
	g.wantsAt(0, failover.In, 91*s, s)
}

func TestTrialLease(t *testing.T) {
	g := newRig(t, goodPool(1, "cooldown.probeLease", 5*s, "decision.consecutive", 1, "decision.minSamples", 1, "onAllOut.then", "reject"), failover.Options{})
	g.run(20 * s)
	g.fail(0)
	g.run(g.now + s)
	g.wants(0, failover.Cooling)
	out := g.log[len(g.log)-1].At
	g.now = out + 30*s
	g.tick()
	var first, second, third failover.Request
	for _, r := range []*failover.Request{&first, &second, &third} {
		r.Reset()
	}
	if g.Pick(g.now, &first).Action != failover.Send || g.Pick(g.now, &second).Action == failover.Send {
		t.Fatal("there is not exactly one trial")
	}
	g.now += 5 * s
	g.tick()
	g.now += 5 * s // the pace: one sample a window
	if g.Pick(g.now, &third).Action != failover.Send {
		t.Fatal("a lost trial keeps its slot")
	}
	g.Report(g.now, &first, bad500) // late
	g.wants(0, failover.Out)
	g.Report(g.now, &third, ok200)
	g.wants(0, failover.In)
}

func TestOneTrialAtATime(t *testing.T) {
	// Without a window nothing but the slot keeps trials apart.
	g := newRig(t, pool(1, "decision.consecutive", 3, "decision.minSamples", 3, "cooldown.duration", 30*s, "onAllOut.then", "reject"), failover.Options{})
	g.fail(0)
	g.run(s)
	g.now = 40 * s
	g.tick()
	g.wants(0, failover.Out)
	for range 3 {
		var trial, other failover.Request
		trial.Reset()
		other.Reset()
		if g.Pick(g.now, &trial).Action != failover.Send || g.Pick(g.now, &other).Action == failover.Send {
			t.Fatal("there is not exactly one trial")
		}
		g.Report(g.now, &trial, ok200)
	}
	g.wants(0, failover.In)
}

func TestTrialsNeverHaveMoreThanTheirPart(t *testing.T) {
	g := newRig(t, pool(3, "decision.consecutive", 50, "decision.minSamples", 1000, "cooldown.duration", s), failover.Options{})
	g.run(20 * s)
	g.fail(0)
	for g.State(0) != failover.Out {
		g.run(g.now + step)
	}
	clear(g.sent)
	g.fail()
	g.run(g.now + 3*s)
	if n := g.sent[0]; n < 95 || n > 105 { // as many as each of the two others
		t.Errorf("%d of 300 were trials", n)
	}
}

func TestCancelledTrial(t *testing.T) {
	g := newRig(t, goodPool(1, "decision.minSamples", 1, "onAllOut.then", "reject"), failover.Options{})
	g.run(20 * s)
	g.fail(0)
	g.run(26 * s)
	g.answer = func(int, *failover.Request) failover.Outcome { return failover.Outcome{Kind: failover.Cancelled} }
	g.run(100 * s)
	g.wants(0, failover.Out) // neither well nor ill
	g.fail()
	g.wantsAt(0, failover.In, 105*s, 6*s)
}

func TestRepeatedCooldowns(t *testing.T) {
	g := newRig(t, goodPool(3, "cooldown.repeat.limit", 3, "cooldown.repeat.within", 10*time.Minute, "cooldown.repeat.then", "manual"), failover.Options{})
	g.run(20 * s)
	g.fail(2)
	g.wantsAt(2, failover.Manual, 95*s, 3*s) // 25, 30 + 5 later, and again
	if g.told("3 cooldowns within 10m: handed over to a person; rounds (failures/results): 25") != 1 {
		t.Error(g.story())
	}
	if r := g.Rounds(2, 0); len(r) != 3 || r[2].Cause != "trial" {
		t.Errorf("%+v", r)
	}
	g.fail()
	g.run(10 * time.Minute)
	g.wants(2, failover.Manual) // nothing recovers by itself
	if err := g.Force(g.now, failover.Order{Member: 2, Initiator: "ann", Saw: "errors at 0"}); err != nil {
		t.Fatal(err)
	}
	g.wants(2, failover.Cooling)
	g.wantsAt(2, failover.In, 10*time.Minute+40*s, s)
}

func TestRepeatsFarApart(t *testing.T) {
	g := newRig(t, goodPool(2, "cooldown.repeat.limit", 2, "cooldown.repeat.within", 60*s), failover.Options{})
	for range 4 {
		g.run(g.now + 60*s)
		g.fail(1)
		g.wantsAt(1, failover.Cooling, g.now+5*s, s)
		g.fail()
		g.wantsAt(1, failover.In, g.now+40*s, s)
	}
}

func TestForce(t *testing.T) {
	full := failover.Order{Member: 1, Initiator: "ann", Saw: "p99 is flat", Reclaim: "errors above 1 %", Review: 90 * s}
	t.Run("in during a cooldown", func(t *testing.T) {
		g := newRig(t, goodPool(2, "cooldown.manual.requires", []string{"initiator", "saw", "reclaim", "review"}), failover.Options{})
		g.run(20 * s)
		g.fail(1)
		g.wantsAt(1, failover.Cooling, 25*s, s)
		g.fail()
		g.run(40 * s)
		for _, o := range []failover.Order{{}, {Initiator: "ann"}, {Initiator: "ann", Saw: "x"}, {Initiator: "ann", Saw: "x", Reclaim: "y"}, {Saw: "x", Reclaim: "y", Review: s}} {
			o.Member = 1
			if err := g.Force(g.now, o); !errors.Is(err, ErrRefused) {
				t.Errorf("%+v: %v", o, err)
			}
		}
		if err := g.Force(g.now, full); err != nil {
			t.Fatal(err)
		}
		g.wants(1, failover.Cooling)
		o := g.Orders()
		if len(o) != 1 || o[0].At != 40*s || o[0].Order != full || len(o[0].Verdicts) != 1 {
			t.Errorf("%+v", o)
		}
		g.run(69900 * time.Millisecond)
		g.wants(1, failover.Cooling) // the new cooldown: from 40 s
		g.wantsAt(1, failover.In, 80*s, s)
		g.run(131 * s)
		if g.told("due for review") != 1 {
			t.Error(g.story())
		}
	})
	t.Run("a new row", func(t *testing.T) {
		g := newRig(t, goodPool(2, "cooldown.growth.kind", "exponential"), failover.Options{})
		g.run(20 * s)
		g.fail(1)
		g.run(80 * s)
		if r := g.Rounds(1, 0); r[len(r)-1].Cooldown != 60*s {
			t.Fatalf("%+v", r)
		}
		if err := g.Force(g.now, full); err != nil {
			t.Fatal(err)
		}
		if r := g.Rounds(1, 0); len(r) != 1 || r[0].Cooldown != 30*s || r[0].Cause != "operator" {
			t.Errorf("%+v", r)
		}
	})
	t.Run("without restarts", func(t *testing.T) {
		g := newRig(t, goodPool(2, "cooldown.manual.restarts", false), failover.Options{})
		g.run(20 * s)
		g.fail(1)
		g.wantsAt(1, failover.Cooling, 25*s, s)
		if err := g.Force(g.now, full); err != nil {
			t.Fatal(err)
		}
		g.wants(1, failover.In)
	})
	t.Run("out and in", func(t *testing.T) {
		g := newRig(t, goodPool(2), failover.Options{})
		g.run(20 * s)
		out := full
		out.Out = true
		if err := g.Force(g.now, out); err != nil {
			t.Fatal(err)
		}
		g.wants(1, failover.Manual)
		before := g.sent[1]
		g.run(200 * s)
		if g.wants(1, failover.Manual); g.sent[1] != before {
			t.Error("it got traffic")
		}
		if err := g.Force(g.now, full); err != nil {
			t.Fatal(err)
		}
		g.wants(1, failover.Cooling)
		g.wantsAt(1, failover.In, 240*s, s)
	})
	t.Run("not allowed", func(t *testing.T) {
		g := newRig(t, goodPool(2, "cooldown.manual.allowed", false), failover.Options{})
		if err := g.Force(0, full); !errors.Is(err, ErrRefused) {
			t.Error(err)
		}
		if err := g.Force(0, failover.Order{Member: 7}); !errors.Is(err, ErrRefused) {
			t.Error(err)
		}
	})
}
