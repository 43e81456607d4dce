package controller

import (
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// ramped adds batches of these shares, 15 s and 20 results each, and what stops them.
func ramped(c *schema.Copy, shares []float64, stops ...schema.Stop) *schema.Copy {
	for _, x := range shares {
		c.Batches = append(c.Batches, schema.Batch{HasShare: true, Share: x, HasDwell: true, Dwell: 15 * s, MinSamples: 20})
	}
	c.Stops = stops
	return c
}

var errorStop = schema.Stop{Metric: "error-rate", HasAbove: true, Above: 0.1}

// removed runs until member 0 of a pool has gone and is well again.
func removed(t *testing.T, c *schema.Copy, o failover.Options) (g *rig, out time.Duration) {
	t.Helper()
	g = newRig(t, c, o)
	g.run(50 * s)
	g.fail(0)
	g.wantsAt(0, failover.Cooling, 55*s, s)
	g.fail()
	return g, g.now
}

func TestBatches(t *testing.T) {
	g, out := removed(t, ramped(goodPool(2, "cooldown.exit", "timer"), []float64{10, 50}), failover.Options{})
	g.wantsAt(0, failover.Ramping, out+30*s, 20*time.Millisecond)
	start := g.now
	clear(g.sent)
	g.run(start + 10*s)
	if n := g.sent[0]; n < 48 || n > 52 { // 10 % of its half of 1000
		t.Errorf("batch 1: %d of 1000", n)
	}
	g.run(start + 15*s - step)
	if x := g.Step(0, 0); x.Batch != 1 || x.Of != 2 || x.Floor != 20 || x.Results < 70 {
		t.Errorf("%+v", x)
	}
	g.run(start + 15*s + 2*step)
	if x := g.Step(0, 0); x.Batch != 2 {
		t.Errorf("%+v", x)
	}
	clear(g.sent)
	g.run(start + 25*s)
	if n := g.sent[0]; n < 245 || n > 255 {
		t.Errorf("batch 2: %d of 1000", n)
	}
	g.wantsAt(0, failover.In, start+30*s, 50*time.Millisecond)
	if g.told("batch 1 passed, 0 of") != 1 || g.told("batch 2 passed, 0 of") != 1 {
		t.Error(g.story())
	}
}

func TestWhatAReturningMemberDoesNotTake(t *testing.T) {
	p := ramped(goodPool(3, "cooldown.exit", "timer"), []float64{10})
	for i, w := range []int64{1, 3, 1} {
		p.Members[i].Weight, p.Members[i].HasWeight = w, true
	}
	g, out := removed(t, p, failover.Options{})
	g.wantsAt(0, failover.Ramping, out+30*s, s)
	clear(g.sent)
	g.run(g.now + 10*s)
	// A tenth of its fifth; the others divide what is left 3 to 1.
	if a, b, c := g.sent[0], g.sent[1], g.sent[2]; a < 18 || a > 22 || b < 731 || b > 739 || c < 241 || c > 249 {
		t.Errorf("%v", g.sent)
	}
}

func TestResultsOfAnEarlierBatch(t *testing.T) {
	g, out := removed(t, ramped(goodPool(2, "cooldown.exit", "timer"), []float64{10, 50}), failover.Options{})
	g.wantsAt(0, failover.Ramping, out+30*s, s)
	var r failover.Request
	for r.Reset(); ; r.Reset() {
		if g.Pick(g.now, &r); r.Lease.Member == 0 {
			break
		}
		g.Report(g.now, &r, ok200)
	}
	g.run(out + 46*s)
	before := g.Step(0, 0)
	g.Report(g.now, &r, bad500)
	if x := g.Step(0, 0); x != before || x.Batch != 2 {
		t.Errorf("%+v, was %+v", x, before)
	}
}

func TestBooks(t *testing.T) {
	b := &books{}
	b.open(0)
	for i := range 350 { // 35 s: pages of 20 s
		b.add(time.Duration(i)*100*time.Millisecond, false, time.Millisecond, 10*s)
	}
	if _, ok := b.baseline.normal(latencyMean, 35*s); ok {
		t.Error("a page is the baseline before another has followed it")
	}
	for i := 350; i < 450; i++ { // the beginning of a fault
		b.add(time.Duration(i)*100*time.Millisecond, true, s, 10*s)
	}
	b.discard(45*s, 10*s)
	b.open(100 * s)
	for i := range 500 {
		b.add(100*s+time.Duration(i)*100*time.Millisecond, false, 2*time.Millisecond, 10*s)
		if mean, ok := b.baseline.normal(latencyMean, 0); !ok || mean > 0.0021 {
			t.Fatalf("the baseline is %v s", mean)
		}
	}
	if mean, _ := b.baseline.normal(latencyMean, 0); mean != 0.002 {
		t.Errorf("the baseline is still %v s", mean)
	}
}

func TestHistogram(t *testing.T) {
	for d := time.Duration(0); d < 2*time.Hour; d = d*17/16 + 1 {
		i := stepOf(d)
		low := time.Duration(0)
		if i > 0 {
			low = top(i - 1)
		}
		if i < fineness*octaves-1 && (d < low || d >= top(i) || i > fineness && float64(top(i))/float64(low) > 1.126) {
			t.Fatalf("%v is in %v to %v", d, low, top(i))
		}
	}
}

func TestBatchWaitsForItsFloor(t *testing.T) {
	for _, c := range []struct {
		low  string
		back time.Duration // after the start of the ramp
	}{{"wait", 80 * s}, {"connect", 15 * s}} {
		t.Run(c.low, func(t *testing.T) {
			p := ramped(goodPool(2, "cooldown.exit", "timer", "ramp.lowSample", c.low), []float64{10})
			p.Batches[0].MinSamples = 400 // 5 results a second
			g, out := removed(t, p, failover.Options{})
			g.wantsAt(0, failover.In, out+30*s+c.back, s)
		})
	}
	t.Run("connect, and none comes about", func(t *testing.T) {
		p := ramped(goodPool(2, "cooldown.exit", "timer", "ramp.lowSample", "connect", "ramp.rollback.cooldown", 40*s), []float64{10})
		p.Batches[0].MinSamples = 400
		g, out := removed(t, p, failover.Options{})
		g.wantsAt(0, failover.Ramping, out+30*s, s)
		g.answer = func(m int, _ *failover.Request) failover.Outcome {
			if m == 0 {
				return refused
			}
			return ok200
		}
		g.wantsAt(0, failover.Cooling, out+31*s, s)
		if g.told("3 connections in a row failed") == 0 {
			t.Error(g.story())
		}
	})
	t.Run("window", func(t *testing.T) {
		p := ramped(goodPool(2, "cooldown.exit", "timer"), []float64{50})
		p.Batches[0].Dwell = s // shorter than the window of 10 s
		g, out := removed(t, p, failover.Options{})
		g.wantsAt(0, failover.In, out+40*s, s)
	})
}

func TestStepBack(t *testing.T) {
	for _, c := range []struct {
		to    string
		batch int
	}{{"previous", 2}, {"zero", 0}} {
		t.Run(c.to, func(t *testing.T) {
			g, out := removed(t, ramped(goodPool(2, "cooldown.exit", "timer", "ramp.rollback.to", c.to, "ramp.rollback.cooldown", 40*s), []float64{10, 30, 60, 100}, errorStop), failover.Options{})
			g.run(out + 30*s + 35*s)
			if x := g.Step(0, 0); x.Batch != 3 {
				t.Fatalf("%+v", x)
			}
			n := 0
			g.answer = failing(func(m int, _ *failover.Request) bool { n += 1 - m; return m == 0 && n%3 == 0 }) // below what removes it
			for g.Step(0, 0).Failed == 0 && g.now < out+70*s {
				g.run(g.now + step)
			}
			x := g.Step(0, 0)
			if x.Batch != c.batch || x.Failed != 1 {
				t.Fatalf("%+v\n%s", x, g.story())
			}
			if g.told("stopped in batch 3: error-rate is") != 1 || g.told("the step back cools down for 40s") != 1 {
				t.Error(g.story())
			}
			since := g.now
			g.fail()
			if c.to == "zero" {
				g.wants(0, failover.Cooling)
				before := g.sent[0]
				g.run(since + 39*s)
				if g.sent[0] != before {
					t.Error("it got traffic during the cooldown of the step back")
				}
				g.run(since + 41*s)
				if x := g.Step(0, 0); x.Batch != 1 {
					t.Errorf("%+v", x)
				}
				return
			}
			g.wants(0, failover.Ramping)
			g.run(since + 54*s) // 40 s of rest and the dwell of 15 s
			if x := g.Step(0, 0); x.Batch != 2 {
				t.Errorf("%+v", x)
			}
			g.run(since + 56*s)
			if x := g.Step(0, 0); x.Batch != 3 || x.Failed != 1 {
				t.Errorf("%+v", x)
			}
			g.run(since + 71*s)
			if x := g.Step(0, 0); x.Batch != 4 || x.Failed != 0 {
				t.Errorf("%+v", x)
			}
			g.wantsAt(0, failover.In, since+86*s, s)
		})
	}
}

func TestStepBackFromTheFirst(t *testing.T) {
	g, out := removed(t, ramped(goodPool(2, "cooldown.exit", "timer", "ramp.rollback.cooldown", 40*s), []float64{40}, errorStop), failover.Options{})
	n := 0
	g.answer = failing(func(m int, _ *failover.Request) bool { n++; return m == 0 && n%3 == 0 })
	g.wantsAt(0, failover.Ramping, out+30*s, s)
	g.wantsAt(0, failover.Cooling, out+31*s, s)
	rest := g.now
	g.fail()
	g.run(rest + 39*s)
	g.wants(0, failover.Cooling)
	g.wantsAt(0, failover.Ramping, rest+40*s, s)
	g.wantsAt(0, failover.In, rest+55*s, s)
}

func TestSuspend(t *testing.T) {
	g, out := removed(t, ramped(goodPool(2, "cooldown.exit", "timer", "ramp.rollback.cooldown", 5*s, "ramp.suspendAfter", 3), []float64{20, 40}, errorStop), failover.Options{})
	g.answer = failing(func(m int, _ *failover.Request) bool { return m == 0 && g.Step(0, 0).Batch == 2 && g.n%3 == 0 })
	g.run(out + 300*s)
	x := g.Step(0, 0)
	if x.Batch != 1 || x.Failed != 3 || !x.Suspended || g.told("stopped in batch 2") != 3*1 || g.told("the return is suspended until a person puts it back") != 1 {
		t.Fatalf("%+v\n%s", x, g.story())
	}
	g.fail()
	g.run(out + 500*s)
	g.wants(0, failover.Ramping)
	if err := g.Force(g.now, failover.Order{Member: 0, Initiator: "ann", Saw: "quiet"}); err != nil {
		t.Fatal(err)
	}
	g.wantsAt(0, failover.In, out+530*s, s)
}

func TestSuspendedAtNothing(t *testing.T) {
	g, out := removed(t, ramped(goodPool(2, "cooldown.exit", "timer", "ramp.rollback.cooldown", 5*s, "ramp.suspendAfter", 2), []float64{20}, errorStop), failover.Options{})
	g.answer = failing(func(m int, _ *failover.Request) bool { return m == 0 && g.n%3 == 0 })
	g.run(out + 100*s)
	g.wants(0, failover.Manual)
	g.fail()
	g.run(out + 300*s)
	g.wants(0, failover.Manual)
	if err := g.Force(g.now, failover.Order{Member: 0, Initiator: "ann", Saw: "quiet"}); err != nil {
		t.Fatal(err)
	}
	g.wants(0, failover.Cooling)
	g.wantsAt(0, failover.In, out+345*s, s)
}

func TestDecisionAlsoJudgesBatches(t *testing.T) {
	g, out := removed(t, ramped(goodPool(2, "cooldown.exit", "timer", "cooldown.growth.kind", "exponential"), []float64{20, 60}), failover.Options{})
	g.wantsAt(0, failover.Ramping, out+30*s, s)
	g.fail(0)
	g.wantsAt(0, failover.Cooling, out+40*s, s) // a whole window
	if r := g.Rounds(0, 0); len(r) != 2 || r[1].Cooldown != 60*s {
		t.Errorf("%+v", r)
	}
}

func TestStopsByBaseline(t *testing.T) {
	took := map[int]time.Duration{}
	for _, c := range []struct {
		name string
		stop schema.Stop
		bad  func(g *rig)
	}{
		{"latency-p99", schema.Stop{Metric: "latency-p99", HasAbove: true, Above: 3, Against: "baseline"}, func(*rig) { took[0] = 40 * time.Millisecond }},
		{"latency-p95", schema.Stop{Metric: "latency-p95", HasAbove: true, Above: 0.02}, func(*rig) { took[0] = 40 * time.Millisecond }},
		{"latency-mean", schema.Stop{Metric: "latency-mean", HasAbove: true, Above: 2, Against: "baseline"}, func(*rig) { took[0] = 40 * time.Millisecond }},
		{"error-rate", schema.Stop{Metric: "error-rate", HasAbove: true, Above: 10, Against: "baseline"}, func(g *rig) {
			g.answer = failing(func(m int, _ *failover.Request) bool { return m == 0 && g.n%3 == 0 })
		}},
		{"probe-agreement", schema.Stop{Metric: "probe-agreement", HasBelow: true, Below: 0.9}, func(g *rig) {
			g.probeIs = func(int) failover.Outcome { return refused }
		}},
		{"business-volume", schema.Stop{Metric: "business-volume", HasBelow: true, Below: 0.5, Against: "baseline"}, func(g *rig) {
			g.next = func(n int, r *failover.Request) { r.Interface = uint16(n) }
			g.answer = func(m int, _ *failover.Request) failover.Outcome {
				if m == 0 && g.n%4 != 0 { // what does not count does not add to the volume
					return failover.Outcome{Status: 429}
				}
				return ok200
			}
		}},
	} {
		for _, bad := range []bool{false, true} {
			t.Run(c.name+map[bool]string{true: " exceeded", false: " kept"}[bad], func(t *testing.T) {
				clear(took)
				g, out := removed(t, ramped(goodPool(2, "cooldown.exit", "timer", "probe.interval", s, "ramp.rollback.cooldown", 60*s), []float64{20, 60}, c.stop), failover.Options{})
				g.answer = func(m int, _ *failover.Request) failover.Outcome {
					o := ok200
					o.Took += took[m]
					return o
				}
				g.wantsAt(0, failover.Ramping, out+30*s, s)
				if bad {
					c.bad(g)
				}
				g.run(out + 48*s)
				if got := g.told("stopped in batch 1: "+c.stop.Metric+" is") == 1; got != bad {
					t.Errorf("stopped: %v\n%s", got, g.story())
				}
			})
		}
	}
}

func TestBaselineOfPeers(t *testing.T) {
	g := newRig(t, ramped(goodPool(2, "cooldown.exit", "timer", "ramp.rollback.cooldown", 60*s), []float64{20, 60}, schema.Stop{Metric: "latency-p99", HasAbove: true, Above: 3, Against: "baseline"}), failover.Options{})
	g.fail(0) // it has never been well
	g.wantsAt(0, failover.Cooling, 10*s, s)
	g.answer = func(m int, _ *failover.Request) failover.Outcome {
		o := ok200
		o.Took += time.Duration(1-m) * 30 * time.Millisecond
		return o
	}
	g.run(45 * s)
	if g.told("stopped in batch 1: latency-p99") != 1 {
		t.Error(g.story())
	}
}

func TestBatchesByRegion(t *testing.T) {
	p := goodPool(2, "cooldown.exit", "timer", "ramp.by", "region", "decision.regionFrom", "header")
	p.Batches = []schema.Batch{{Regions: []string{"west"}, HasDwell: true, Dwell: 20 * s}, {Regions: []string{"east"}, HasDwell: true, Dwell: 20 * s}}
	g, out := removed(t, p, three)
	g.next = mixed
	var got [2]int
	g.answer = func(m int, r *failover.Request) failover.Outcome {
		if m == 0 {
			got[r.Region]++
		}
		return ok200
	}
	g.run(out + 45*s)
	if got[0] != 0 || got[1] < 350 || got[1] > 400 {
		t.Errorf("east, west: %v", got)
	}
	g.run(out + 60*s)
	if got[0] == 0 || got[1] < 500 {
		t.Errorf("east, west: %v", got)
	}
	g.wantsAt(0, failover.In, out+70*s, s)
}

func TestBatchesByPriority(t *testing.T) {
	p := goodPool(2, "cooldown.exit", "timer", "ramp.by", "priority")
	p.Batches = []schema.Batch{{Priorities: []string{"iron"}, HasDwell: true, Dwell: 20 * s}, {Priorities: []string{"gold"}, HasDwell: true, Dwell: 20 * s}}
	g, out := removed(t, p, three)
	g.next = mixed
	var got [2]int
	g.answer = func(m int, r *failover.Request) failover.Outcome {
		if m == 0 {
			got[r.Tenant]++
		}
		return ok200
	}
	g.run(out + 45*s)
	if got[0] != 0 || got[1] == 0 {
		t.Errorf("gold, iron: %v", got)
	}
	g.wantsAt(0, failover.In, out+70*s, s)
}

func TestBatchesByMembersPriority(t *testing.T) {
	p := goodPool(3, "cooldown.exit", "timer", "ramp.by", "priority")
	for i := range p.Members {
		p.Members[i].Priority = int64(i)
	}
	p.Batches = []schema.Batch{{Priorities: []string{"1"}, HasDwell: true, Dwell: 20 * s}, {Priorities: []string{"0"}, HasDwell: true, Dwell: 20 * s}}
	g := newRig(t, p, failover.Options{})
	g.run(20 * s)
	g.fail(0, 1)
	g.wantsAt(1, failover.Cooling, 36*s, 5*s)
	out := g.now
	g.fail()
	g.run(out + 31*s)
	clear(g.sent)
	g.run(out + 32*s)
	if g.sent[1] != 100 {
		t.Errorf("%v", g.sent)
	}
}

func TestManualDwell(t *testing.T) {
	p := ramped(goodPool(2, "cooldown.exit", "timer"), []float64{20, 60})
	p.Batches[0].Manual, p.Batches[0].HasDwell = true, false
	g, out := removed(t, p, failover.Options{})
	g.run(out + 300*s)
	if x := g.Step(0, 0); x.Batch != 1 || !x.Awaiting {
		t.Fatalf("%+v", x)
	}
	if err := g.Force(g.now, failover.Order{Member: 0, Initiator: "ann", Saw: "quiet"}); err != nil {
		t.Fatal(err)
	}
	if x := g.Step(0, 0); x.Batch != 2 || x.Awaiting {
		t.Fatalf("%+v", x)
	}
	g.wantsAt(0, failover.In, out+315*s, s)
}

func TestSlowStart(t *testing.T) {
	g, out := removed(t, goodPool(2, "cooldown.exit", "timer", "ramp.window", 200*s), failover.Options{})
	g.wantsAt(0, failover.Ramping, out+30*s, s)
	last := 0
	for i := range 10 {
		clear(g.sent)
		g.run(out + 30*s + time.Duration(i+1)*20*s)
		if g.sent[0] <= last {
			t.Errorf("step %d: %d after %d", i, g.sent[0], last)
		}
		last = g.sent[0]
	}
	g.wantsAt(0, failover.In, out+230*s, s)
}

func TestRampOfTheOnlyMember(t *testing.T) {
	p := ramped(goodPool(2, "cooldown.exit", "timer"), []float64{10, 50})
	p.Members[1].Backup = schema.Yes
	g, out := removed(t, p, failover.Options{})
	g.run(out + 31*s)
	clear(g.sent)
	g.run(out + 41*s)
	if n := g.sent[0]; n < 95 || n > 105 { // what it does not take yet stays with the backup
		t.Errorf("%d of 1000", n)
	}
}

// TestTarget: the ramp is for what it names; what else was removed waits for a person.
func TestTarget(t *testing.T) {
	order := failover.Order{Member: 1, Initiator: "ann", Saw: "it is well"}
	play := func(t *testing.T, c *schema.Copy, o failover.Options, iface bool) *rig {
		t.Helper()
		g := newRig(t, c, o)
		if iface {
			g.next = func(n int, r *failover.Request) { r.Interface = uint16(n % 2) }
		}
		g.run(20 * s)
		g.fail(0, 1)
		for m := range 2 {
			if g.wantsAt(m, failover.Cooling, 25*s, 15*s); len(g.Rounds(m, 0)) == 0 {
				t.Fatalf("%d did not go", m)
			}
		}
		g.fail()
		g.run(200 * s)
		return g
	}
	t.Run("members", func(t *testing.T) {
		g := play(t, ramped(goodPool(3, "cooldown.exit", "timer", "ramp.target.members", []string{"a"}), []float64{50}), failover.Options{}, false)
		g.wants(0, failover.In)
		g.wants(1, failover.Manual)
		if g.told("the ramp is not for it") != 1 {
			t.Error(g.story())
		}
		if err := g.Force(g.now, order); err != nil {
			t.Fatal(err)
		}
		g.wants(1, failover.Cooling) // a new cooldown, and the batches after it
		g.run(240 * s)
		g.wants(1, failover.Ramping)
		g.run(280 * s)
		g.wants(1, failover.In)
		g.fail(1)
		g.wantsAt(1, failover.Cooling, 290*s, 10*s)
		g.fail()
		g.run(500 * s)
		g.wants(1, failover.Manual) // it went by itself again: the person's word is used up
	})
	t.Run("interfaces", func(t *testing.T) {
		o := failover.Options{Interfaces: []string{"pay", "list"}}
		g := play(t, ramped(goodPool(3, "decision.granularity", "interface", "cooldown.exit", "timer", "ramp.target.interfaces", []string{"list"}), []float64{50}), o, true)
		for m := range 2 {
			if s := g.unit(m, 1).state(); s != failover.In {
				t.Errorf("list of %d is %v", m, s)
			}
			if s := g.unit(m, 0).state(); s != failover.Manual {
				t.Errorf("pay of %d is %v", m, s)
			}
		}
	})
	t.Run("what is not told apart", func(t *testing.T) {
		g := play(t, ramped(goodPool(3, "cooldown.exit", "timer", "ramp.target.regions", []string{"eu"}), []float64{50}), failover.Options{}, false)
		g.wants(1, failover.In)
		if n := len(g.Info().Assumed); n == 0 {
			t.Error("nothing is said about it")
		}
	})
	t.Run("nobody of that name", func(t *testing.T) {
		g := play(t, ramped(goodPool(3, "cooldown.exit", "timer", "ramp.target.members", []string{"z"}), []float64{50}), failover.Options{}, false)
		g.wants(0, failover.Manual)
		g.wants(1, failover.Manual)
	})
}
