package controller

import (
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
)

const s = time.Second

func TestBusinessJudges(t *testing.T) {
	g := newRig(t, goodPool(3, "probe.interval", s), failover.Options{})
	g.run(20 * s)
	for i := range 3 {
		if n := g.sent[i]; n < 660 || n > 673 {
			t.Errorf("member %d got %d of 2000 requests", i, n)
		}
	}
	g.fail(1) // probes pass
	g.wantsAt(1, failover.Cooling, 25*s, 600*time.Millisecond)
	g.wants(0, failover.In)
	if g.told("business judges: ") != 1 || g.told("probe: up") != 1 {
		t.Error(g.story())
	}
	v := g.Verdicts(g.now, 1, 0)
	if v.Probe != "up" || v.External != "" {
		t.Errorf("%+v", v)
	}
	if r := g.Rounds(1, 0); len(r) != 1 || r[0].Verdicts.Business.Failures < 150 || !r[0].Verdicts.Bad || r[0].Drained < 0 {
		t.Errorf("%+v", r)
	}
	before := g.sent[1]
	g.run(g.now + 25*s)
	if g.sent[1] != before || g.refused > 0 {
		t.Error("a member that is out got traffic")
	}
}

func TestTwoFloors(t *testing.T) {
	t.Run("time", func(t *testing.T) {
		g := newRig(t, goodPool(2), failover.Options{})
		g.fail(0) // from the start: after 0.4 s there are 20 samples
		g.run(9900 * time.Millisecond)
		g.wants(0, failover.In)
		g.wantsAt(0, failover.Cooling, 10*s, 50*time.Millisecond)
	})
	t.Run("samples", func(t *testing.T) {
		g := newRig(t, goodPool(2, "decision.minSamples", 600), failover.Options{}) // 500 in 10 s
		g.fail(0)
		g.run(60 * s)
		g.wants(0, failover.In)
	})
	t.Run("a little noise", func(t *testing.T) {
		g := newRig(t, goodPool(2), failover.Options{})
		g.answer = func(int, *failover.Request) failover.Outcome {
			if g.n%10 < 4 {
				return bad500
			}
			return ok200
		}
		g.run(60 * s)
		g.wants(0, failover.In)
		g.wants(1, failover.In)
	})
}

func TestSlowCondition(t *testing.T) {
	c := pool(2, "decision.window", 10*s, "decision.minSamples", 5, "decision.slow.threshold", 3*s, "decision.slow.confirmations", 2, "decision.slow.dedupe", 5*s)
	g := newRig(t, c, failover.Options{})
	g.run(20 * s)
	slow := ok200
	slow.Took = 4 * s
	g.answer = func(m int, _ *failover.Request) failover.Outcome {
		if m == 0 {
			return slow
		}
		return ok200
	}
	g.wantsAt(0, failover.Cooling, 25*s, 100*time.Millisecond) // the second confirmation is 5 s after the first
	if g.told("2 slow") != 1 {
		t.Error(g.story())
	}
}

func TestConsecutive(t *testing.T) {
	g := newRig(t, pool(2, "decision.consecutive", 5, "cooldown.duration", 30*s), failover.Options{})
	g.run(s)
	g.fail(0)
	g.wantsAt(0, failover.Cooling, s+100*time.Millisecond, 40*time.Millisecond)
}

func TestProbesAlone(t *testing.T) {
	for _, c := range []struct {
		role string
		want failover.State
	}{{"prescreen", failover.In}, {"off", failover.In}, {"judge", failover.Cooling}} {
		t.Run(c.role, func(t *testing.T) {
			g := newRig(t, goodPool(2, "probe.interval", s, "decision.roles.probe", c.role), failover.Options{})
			g.probeIs = func(int) failover.Outcome { return refused }
			g.run(20 * s)
			g.wants(0, c.want)
			if c.role == "judge" && g.told("the probe judges, not business") == 0 {
				t.Error(g.story())
			}
		})
	}
}

func TestFasterLook(t *testing.T) {
	g := newRig(t, goodPool(1, "probe.interval", 2*s, "probe.intervals.fast", 100*time.Millisecond, "probe.intervals.down", 5*s, "probe.fall", 3), failover.Options{})
	var times []time.Duration
	g.probeIs = func(int) failover.Outcome {
		times = append(times, g.now)
		return refused
	}
	g.run(6 * s)
	if len(times) != 4 || times[2]-times[0] > 250*time.Millisecond || times[3]-times[2] < 4900*time.Millisecond {
		t.Errorf("probes at %v", times)
	}
}

func TestProbesHoldBackReturn(t *testing.T) {
	g := newRig(t, goodPool(2, "probe.interval", s), failover.Options{})
	g.run(20 * s)
	g.fail(1)
	g.probeIs = func(m int) failover.Outcome {
		if m == 1 {
			return refused
		}
		return ok200
	}
	g.wantsAt(1, failover.Cooling, 25*s, s)
	out := g.now
	g.fail()
	g.wantsAt(1, failover.Out, out+30*s, 100*time.Millisecond)
	before := g.sent[1]
	g.run(out + 40*s)
	if g.sent[1] != before || g.told("hold the return back") != 1 {
		t.Error("the return was not held back\n" + g.story())
	}
	g.probeIs = func(int) failover.Outcome { return ok200 }
	g.wantsAt(1, failover.In, out+53*s, 3*s) // two probes, then trials for 10 s
}

func TestProbesHoldBackAtMostOneCooldown(t *testing.T) {
	g := newRig(t, goodPool(2, "probe.interval", s), failover.Options{})
	g.run(20 * s)
	g.fail(1)
	g.probeIs = func(int) failover.Outcome { return refused }
	g.wantsAt(1, failover.Cooling, 25*s, s)
	out := g.now
	g.fail()
	g.wantsAt(1, failover.In, out+70*s, s)
}

func TestNotices(t *testing.T) {
	t.Run("down alone", func(t *testing.T) {
		g := newRig(t, goodPool(2), failover.Options{})
		g.run(20 * s)
		g.Notice(g.now, -1, true)
		g.run(40 * s)
		g.wants(0, failover.In)
	})
	t.Run("judge as written", func(t *testing.T) {
		g := newRig(t, goodPool(2, "decision.roles.external", "judge"), failover.Options{})
		g.run(20 * s)
		g.Notice(g.now, 1, true)
		g.wants(1, failover.Cooling)
		g.wants(0, failover.In)
		g.run(60 * s)
		g.wants(1, failover.Out)
		g.Notice(g.now, 1, false)
		g.wants(1, failover.In)
	})
	for _, clears := range []bool{false, true} {
		t.Run(map[bool]string{false: "all-clear does not silence", true: "all-clear silences as written"}[clears], func(t *testing.T) {
			g := newRig(t, goodPool(2, "decision.externalClears", clears), failover.Options{})
			g.run(20 * s)
			g.Notice(g.now, -1, false)
			g.fail(0)
			g.run(35 * s)
			g.wants(0, map[bool]failover.State{false: failover.Cooling, true: failover.In}[clears])
		})
	}
	t.Run("veto and confirm", func(t *testing.T) {
		g := newRig(t, goodPool(2), failover.Options{})
		g.run(20 * s)
		g.Notice(g.now, 0, true)
		g.fail(0)
		g.wantsAt(0, failover.Cooling, 25*s, s)
		if g.told("outside: down") != 1 || g.Rounds(0, 0)[0].Verdicts.External != "down" {
			t.Error(g.story())
		}
		out := g.now
		g.fail()
		g.run(out + 45*s)
		g.wants(0, failover.Out)
		g.Notice(g.now, 0, false)
		g.wantsAt(0, failover.In, out+55*s, s)
	})
}

func TestWhatCounts(t *testing.T) {
	for _, c := range []struct {
		name    string
		outcome failover.Outcome
		counts  []string
		want    failover.State
	}{
		{"400", failover.Outcome{Status: 400}, nil, failover.In},
		{"401", failover.Outcome{Status: 401}, nil, failover.In},
		{"403", failover.Outcome{Status: 403}, nil, failover.In},
		{"429", failover.Outcome{Status: 429}, nil, failover.In},
		{"cancelled", failover.Outcome{Kind: failover.Cancelled}, nil, failover.In},
		{"severed", failover.Outcome{Kind: failover.Severed}, nil, failover.In},
		{"503", failover.Outcome{Status: 503}, nil, failover.Cooling},
		{"refused", refused, nil, failover.Cooling},
		{"timeout", failover.Outcome{Kind: failover.Timeout}, nil, failover.Cooling},
		{"reset", failover.Outcome{Kind: failover.Reset}, nil, failover.Cooling},
		{"429 written", failover.Outcome{Status: 429}, []string{"5xx", "429"}, failover.Cooling},
		{"timeout not written", failover.Outcome{Kind: failover.Timeout}, []string{"5xx", "nonsense"}, failover.In},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := goodPool(2)
			if c.counts != nil {
				with(p, "decision.counts", c.counts)
			}
			g := newRig(t, p, failover.Options{})
			g.answer = func(m int, _ *failover.Request) failover.Outcome {
				if m == 0 {
					return c.outcome
				}
				return ok200
			}
			g.run(15 * s)
			g.wants(0, c.want)
		})
	}
}
