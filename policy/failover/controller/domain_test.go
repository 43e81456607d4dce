package controller

import (
	"errors"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

var three = failover.Options{Interfaces: []string{"/pay", "/refund", "/query"}, Regions: []string{"east", "west"}, Tenants: []string{"gold", "iron"}}

// mixed sends requests of all kinds in turn.
func mixed(n int, r *failover.Request) {
	r.Interface, r.Region, r.Tenant = uint16(n%3), uint16(n/3%2), uint16(n/6%2)
}

// failing makes the requests fail that a condition holds for.
func failing(when func(m int, r *failover.Request) bool) func(int, *failover.Request) failover.Outcome {
	return func(m int, r *failover.Request) failover.Outcome {
		if when(m, r) {
			return bad500
		}
		return ok200
	}
}

func TestGranularity(t *testing.T) {
	for _, c := range []struct {
		name, scope string
		settings    []any
		bad         func(m int, r *failover.Request) bool
	}{
		{"interface", "/refund", []any{"decision.granularity", "interface"}, func(m int, r *failover.Request) bool { return m == 0 && r.Interface == 1 }},
		{"region", "west", []any{"decision.granularity", "region", "decision.regionFrom", "header"}, func(m int, r *failover.Request) bool { return m == 0 && r.Region == 1 }},
		{"business", "iron", []any{"decision.granularity", "business", "decision.scope", "line-on-address"}, func(m int, r *failover.Request) bool { return m == 0 && r.Tenant == 1 }},
		{"cooldown's", "/refund", []any{"cooldown.granularity", "interface"}, func(m int, r *failover.Request) bool { return m == 0 && r.Interface == 1 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newRig(t, goodPool(3, c.settings...), three)
			g.next = mixed
			got := map[bool]int{}
			record := func(m int, r *failover.Request) bool {
				if m == 0 {
					got[c.bad(m, r)]++
				}
				return false
			}
			g.run(20 * s)
			g.answer = failing(c.bad)
			g.run(27 * s)
			g.wants(0, failover.In) // as a whole
			if g.told("business judges") != 1 || g.log[0].Scope != c.scope || g.log[0].Member != 0 || g.log[0].To != failover.Cooling {
				t.Fatal(g.story())
			}
			out := g.log[0].At
			g.answer = failing(record)
			g.run(50 * s)
			if got[true] != 0 || got[false] == 0 {
				t.Errorf("it got %v (true: of what is out)", got)
			}
			g.run(out + 45*s) // back as it went: alone
			if last := g.log[len(g.log)-1]; last.To != failover.In || last.Scope != c.scope || last.At < out+39*s {
				t.Error(g.story())
			}
			clear(got)
			g.run(out + 50*s)
			if got[true] == 0 {
				t.Error("it is not back")
			}
		})
	}
}

func TestAllDomainsOfAMemberGone(t *testing.T) {
	g := newRig(t, goodPool(3, "decision.granularity", "interface"), three)
	g.next = mixed
	g.run(20 * s)
	g.fail(0)
	g.wantsAt(0, failover.Cooling, 25*s, s)
	g.fail()
	g.wantsAt(0, failover.In, 66*s, 2*s)
}

func TestWholeLine(t *testing.T) {
	c := goodPool(4, "decision.granularity", "business", "decision.scope", "line")
	for i := range c.Members {
		c.Members[i].Priority, c.Members[i].HasPriority = int64(i/2), true
	}
	g := newRig(t, c, three)
	g.next = mixed
	iron := [4]int{}
	watch := false
	g.answer = func(m int, r *failover.Request) failover.Outcome {
		if watch && r.Tenant == 1 {
			iron[m]++
		}
		return ok200
	}
	g.run(20 * s)
	if g.sent[2]+g.sent[3] > 0 {
		t.Error("the second priority got traffic")
	}
	well := g.answer
	g.answer = failing(func(m int, r *failover.Request) bool { return m < 2 && r.Tenant == 1 })
	g.run(27 * s)
	g.answer, watch = well, true
	g.run(50 * s)
	if iron[0]+iron[1] > 0 || iron[2] == 0 || iron[3] == 0 {
		t.Errorf("the line went to %v", iron)
	}
	g.wants(0, failover.In)
	g.run(70 * s)
	if iron[0] == 0 {
		t.Error("the line is not back")
	}
}

func TestReturnTogether(t *testing.T) {
	g := newRig(t, goodPool(2, "decision.granularity", "interface", "cooldown.granularity", "address", "cooldown.exit", "timer"), three)
	g.next = mixed
	g.run(20 * s)
	g.answer = failing(func(m int, r *failover.Request) bool { return m == 0 && r.Interface == 1 })
	g.run(35 * s)
	g.answer = failing(func(m int, r *failover.Request) bool { return m == 0 && r.Interface == 2 })
	g.run(45 * s)
	g.fail()
	g.run(100 * s)
	var back []time.Duration
	for _, x := range g.log {
		if x.To == failover.In && x.Scope != "" {
			back = append(back, x.At)
		}
	}
	if len(back) != 2 || back[0] != back[1] {
		t.Errorf("back at %v\n%s", back, g.story())
	}
}

func TestRegionUnseen(t *testing.T) {
	g := newRig(t, goodPool(2, "decision.granularity", "region"), three)
	if len(g.kinds) != 1 || len(g.Info().Assumed) == 0 {
		t.Error("it sees regions")
	}
	var r failover.Request
	r.Reset()
	r.Interface, r.Region, r.Tenant = 999, 999, 999
	g.Pick(0, &r)
	g.Report(0, &r, ok200)
}

func TestRatherThanTooLarge(t *testing.T) {
	o := failover.Options{Interfaces: make([]string, 65000)}
	if _, err := New(goodPool(20, "decision.granularity", "interface"), o); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
	if _, err := New(&schema.Copy{}, failover.Options{}); !errors.Is(err, failover.ErrNoMembers) {
		t.Error(err)
	}
}

func TestSelection(t *testing.T) {
	c := goodPool(6)
	for i, m := range []struct {
		weight, priority int64
		backup           bool
		state            schema.State
	}{{3, 0, false, 0}, {1, 0, false, 0}, {1, 5, false, 0}, {9, 0, true, 0}, {1, 0, false, schema.Disabled}, {0, 0, false, 0}} {
		x := &c.Members[i]
		x.Weight, x.HasWeight, x.Priority, x.HasPriority, x.State = m.weight, true, m.priority, true, m.state
		if m.backup {
			x.Backup = schema.Yes
		}
	}
	g := newRig(t, c, failover.Options{Seed: 7})
	g.run(40 * s)
	if a, b := g.sent[0], g.sent[1]; a < 2995 || a > 3005 || a+b != 4000 {
		t.Errorf("3 to 1: %v", g.sent)
	}
	g.wants(4, failover.Manual)
	g.fail(0, 1)
	g.run(60 * s)
	clear(g.sent)
	g.run(62 * s)
	if g.sent[2] != 200 {
		t.Errorf("the second priority has its turn: %v", g.sent)
	}
	g.fail(0, 1, 2)
	g.run(80 * s)
	if g.sent[3] == 0 {
		t.Errorf("the backup has its turn: %v", g.sent)
	}
}

func TestAllOut(t *testing.T) {
	for _, c := range []struct {
		name     string
		settings []any
		refuses  bool
	}{
		{"silent", nil, false},
		{"pass", []any{"onAllOut.then", "pass"}, false},
		{"reject", []any{"onAllOut.then", "reject"}, true},
		{"panic", []any{"onAllOut.panicBelow", 50}, false},
		{"alert", []any{"onAllOut.alertAfter", 8 * s, "onAllOut.then", "reject"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newRig(t, goodPool(3, c.settings...), failover.Options{})
			g.run(20 * s)
			g.fail(0, 1, 2)
			g.run(60 * s)
			if (g.refused > 0) != c.refuses {
				t.Errorf("%d refused", g.refused)
			}
			alarms := 0
			last, alarm := time.Duration(0), time.Duration(0)
			for _, x := range g.log {
				switch {
				case x.Member < 0:
					alarms++
					alarm = x.At
				case x.To == failover.Cooling && alarms == 0:
					last = x.At
				}
			}
			after := time.Duration(0)
			if c.name == "alert" {
				after = 8 * s
			}
			if alarms != 1 || alarm < last+after || alarm > last+after+step || g.told("all members have been out") != 1 {
				t.Errorf("%d alarms, at %v; the last one went at %v\n%s", alarms, alarm, last, g.story())
			}
		})
	}
}

func TestPanic(t *testing.T) {
	g := newRig(t, goodPool(4, "onAllOut.panicBelow", 60), failover.Options{})
	g.run(20 * s)
	g.fail(0)
	g.run(30 * s)
	clear(g.sent)
	g.run(32 * s)
	if g.sent[0] != 0 {
		t.Error("75 % are enough")
	}
	g.fail(0, 1)
	g.run(50 * s)
	clear(g.sent)
	g.run(52 * s)
	if g.sent[0] == 0 || g.sent[1] == 0 || g.sent[2] == 0 {
		t.Errorf("50 %% are not: %v", g.sent)
	}
}

func TestSharedFate(t *testing.T) {
	p := goodPool(4)
	for i := range 3 {
		p.Members[i].Extra = []schema.Field{{Path: "shares", Value: schema.ListOf("egress-1")}}
	}
	g := newRig(t, p, failover.Options{})
	g.run(20 * s)
	g.fail(0, 1, 2)
	g.run(30 * s)
	if g.told("one fault of egress-1, not 3: a, b, c share it") != 1 {
		t.Error(g.story())
	}
	g.fail()
	g.run(100 * s)
	g.fail(0, 1) // not all of them
	g.run(120 * s)
	if g.told("one fault of egress-1") != 1 {
		t.Error(g.story())
	}
	g.fail()
	g.run(200 * s)
	g.fail(0, 1, 2) // another time
	g.run(220 * s)
	if g.told("one fault of egress-1") != 2 {
		t.Error(g.story())
	}
}

func TestSharedButNotTogether(t *testing.T) {
	p := goodPool(3, "cooldown.duration", 10*time.Minute)
	for i := range 2 {
		p.Members[i].Extra = []schema.Field{{Path: "shares", Value: schema.ListOf("egress-1")}}
	}
	g := newRig(t, p, failover.Options{})
	g.run(20 * s)
	g.fail(0)
	g.run(100 * s)
	g.fail(1)
	g.run(200 * s)
	g.wants(0, failover.Cooling)
	g.wants(1, failover.Cooling)
	if g.told("one fault of") != 0 {
		t.Error(g.story())
	}
}

func TestRetries(t *testing.T) {
	for _, c := range []struct {
		name     string
		settings []any
		outcome  failover.Outcome
		unsafe   bool
		tries    int
		last     failover.Decision
	}{
		{"none written", nil, bad500, false, 1, failover.Decision{Action: failover.Pass}},
		{"500 is not repeated by default", []any{"retry.attempts", 2}, bad500, false, 1, failover.Decision{Action: failover.Pass}},
		{"written", []any{"retry.attempts", 2, "retry.on", []string{"5xx"}}, bad500, false, 3, failover.Decision{Action: failover.Pass}},
		{"no more members", []any{"retry.attempts", 9, "retry.on", []string{"500"}}, bad500, false, 4, failover.Decision{Action: failover.Pass}},
		{"refused", []any{"retry.attempts", 1}, refused, true, 2, failover.Decision{Action: failover.Answer, Status: 502}},
		{"unsafe", []any{"retry.attempts", 1}, failover.Outcome{Kind: failover.Timeout}, true, 1, failover.Decision{Action: failover.Answer, Status: 504}},
		{"unsafe as written", []any{"retry.attempts", 1, "retry.nonIdempotent", true}, failover.Outcome{Kind: failover.Timeout}, true, 2, failover.Decision{Action: failover.Answer, Status: 504}},
		{"cancelled", []any{"retry.attempts", 1}, failover.Outcome{Kind: failover.Cancelled}, false, 1, failover.Decision{Action: failover.Answer}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newRig(t, goodPool(4, c.settings...), failover.Options{})
			var r failover.Request
			r.Reset()
			r.Unsafe = c.unsafe
			tried := map[int32]bool{}
			d := g.Pick(0, &r)
			for d.Action == failover.Send {
				tried[r.Lease.Member] = true
				d = g.Report(0, &r, c.outcome)
			}
			if d != c.last || len(tried) != c.tries || int(r.Own.Tries) != c.tries {
				t.Errorf("%+v after %d attempts on %v", d, r.Own.Tries, tried)
			}
		})
	}
}

func TestRetryBudget(t *testing.T) {
	g := newRig(t, goodPool(3, "retry.attempts", 1, "retry.on", []string{"5xx"}, "retry.budget", 0.1), failover.Options{})
	g.fail(0, 1, 2)
	g.run(9 * s)
	if n := g.sent[0] + g.sent[1] + g.sent[2]; n < 990 || n > 1001 { // 900, 10 to start with, and a tenth
		t.Errorf("%d attempts for 900 requests", n)
	}
}

func TestOddSettings(t *testing.T) {
	huge := time.Duration(1<<63 - 1)
	c := ramped(goodPool(3, "decision.window", huge, "cooldown.duration", huge, "cooldown.max", huge, "cooldown.probeLease", huge, "probe.interval", huge,
		"retry.perTry", huge, "ramp.rollback.cooldown", huge, "onAllOut.alertAfter", huge, "decision.minSamples", 1<<40), []float64{0, 1000}, errorStop)
	c.Batches[0].Dwell = huge
	for i := range c.Members {
		c.Members[i].HasWeight = true // of 0
	}
	g := newRig(t, c, failover.Options{})
	g.run(s)
	if g.refused != 100 || len(g.Info().Assumed) == 0 {
		t.Errorf("%d refused, %v", g.refused, g.Info().Assumed)
	}
	g = newRig(t, goodPool(1, "cooldown.duration", time.Duration(0), "decision.window", time.Duration(0), "decision.minSamples", 0, "decision.errorRatio", 0), failover.Options{})
	g.fail(0)
	g.run(10 * s)
	if g.refused > 0 {
		t.Error("refused under pass")
	}
}
