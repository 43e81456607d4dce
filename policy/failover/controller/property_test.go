package controller

import (
	"math"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
	"pgregory.net/rapid"
)

// drawPool draws a pool of any kind.
func drawPool(t *rapid.T) *schema.Copy {
	c := pool(rapid.IntRange(1, 5).Draw(t, "members"))
	pick := func(name string, list ...string) {
		if x := rapid.SampledFrom(append(list, "")).Draw(t, name); x != "" {
			with(c, name, x)
		}
	}
	span := func(name string, list ...time.Duration) {
		if x := rapid.SampledFrom(append(list, -1)).Draw(t, name); x >= 0 {
			with(c, name, x)
		}
	}
	pick("decision.granularity", "interface", "region", "business", "address")
	pick("decision.scope", "line")
	pick("decision.regionFrom", "header")
	pick("decision.roles.probe", "judge", "off")
	pick("decision.roles.external", "judge", "off")
	pick("cooldown.exit", "probe", "timer")
	pick("cooldown.startsAt", "ejected", "probe-passed")
	pick("cooldown.granularity", "address", "interface")
	pick("cooldown.growth.kind", "exponential", "linear")
	pick("ramp.by", "region", "priority")
	pick("ramp.lowSample", "connect")
	pick("ramp.rollback.to", "zero")
	span("decision.window", 0, s, 10*s)
	span("cooldown.duration", 0, s, 20*s)
	span("cooldown.probeLease", s)
	span("ramp.rollback.cooldown", 0, 5*s)
	span("probe.interval", s)
	with(c, "decision.minSamples", rapid.SampledFrom([]int{1, 5, 30}).Draw(t, "floor"), "decision.errorRatio", rapid.SampledFrom([]float64{0, 0.3, 1}).Draw(t, "ratio"))
	if rapid.Bool().Draw(t, "repeats") {
		with(c, "cooldown.repeat.limit", 2, "cooldown.repeat.within", 60*s)
	}
	if rapid.Bool().Draw(t, "suspends") {
		with(c, "ramp.suspendAfter", 2)
	}
	if rapid.Bool().Draw(t, "retries") {
		with(c, "retry.attempts", 2, "retry.on", []string{"5xx", "connect"})
	}
	for i := range c.Members {
		m := &c.Members[i]
		m.Priority, m.HasPriority = int64(rapid.IntRange(0, 2).Draw(t, "priority")), true
		m.Weight, m.HasWeight = int64(rapid.IntRange(0, 3).Draw(t, "weight")), true
		if rapid.Bool().Draw(t, "shares") {
			m.Extra = append(m.Extra, schema.Field{Path: "shares", Value: schema.ListOf("link")})
		}
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "batches") {
		b := schema.Batch{HasShare: rapid.Bool().Draw(t, "share"), Share: float64(20 * (i + 1)), Regions: []string{"west"}, Priorities: []string{"1"},
			HasDwell: true, Dwell: time.Duration(rapid.IntRange(0, 5).Draw(t, "dwell")) * s, MinSamples: int64(rapid.IntRange(0, 10).Draw(t, "samples"))}
		b.Manual = rapid.IntRange(0, 5).Draw(t, "manual") == 0
		c.Batches = append(c.Batches, b)
	}
	c.Stops = []schema.Stop{errorStop, {Metric: "latency-p99", HasAbove: true, Above: 2, Against: "baseline"}}[:rapid.IntRange(0, 2).Draw(t, "stops")]
	return c
}

// play plays anything that can happen and calls check after each step.
type play struct {
	*Engine
	now     time.Duration
	open    []*failover.Request
	probes  []failover.Probe
	refused bool // the last request was
	check   func()
}

func (p *play) act(t *rapid.T) {
	switch rapid.SampledFrom([]string{"pick", "pick", "pick", "report", "report", "report", "report", "time", "time", "probed", "force", "notice"}).Draw(t, "act") {
	case "pick":
		r := &failover.Request{}
		r.Reset()
		mixed(rapid.IntRange(0, 11).Draw(t, "kind"), r)
		d := p.Pick(p.now, r)
		if p.refused = d.Refused; d.Action == failover.Send {
			p.open = append(p.open, r)
		}
	case "report":
		if len(p.open) == 0 {
			return
		}
		i := rapid.IntRange(0, len(p.open)-1).Draw(t, "which")
		r := p.open[i]
		o := rapid.SampledFrom([]failover.Outcome{ok200, ok200, bad500, bad500, refused, {Kind: failover.Timeout, Took: s}, {Kind: failover.Cancelled}, {Status: 429}}).Draw(t, "outcome")
		if p.Report(p.now, r, o).Action != failover.Send {
			p.open = append(p.open[:i], p.open[i+1:]...)
		}
	case "time":
		p.now += rapid.SampledFrom([]time.Duration{time.Millisecond, 100 * time.Millisecond, s, 10 * s}).Draw(t, "time")
		for i := 0; p.Next() <= p.now; i++ {
			if i > 10000 {
				t.Fatalf("there is no end of ticks")
			}
			if probe, send := p.Tick(p.now); send {
				p.probes = append(p.probes, probe)
			}
			if p.check != nil {
				p.check()
			}
		}
	case "probed":
		if len(p.probes) > 0 {
			p.Probed(p.now, p.probes[0], rapid.SampledFrom([]failover.Outcome{ok200, refused}).Draw(t, "probe"))
			p.probes = p.probes[1:]
		}
	case "force":
		o := failover.Order{Member: rapid.IntRange(0, len(p.members)-1).Draw(t, "member"), Out: rapid.Bool().Draw(t, "out"), Initiator: "ann", Saw: "x"}
		_ = p.Force(p.now, o) // members of weight 0 refuse it
	case "notice":
		p.Notice(p.now, rapid.IntRange(-1, len(p.members)-1).Draw(t, "noticed"), rapid.Bool().Draw(t, "down"))
	}
}

func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawPool(t)
		o := three
		shown := make([]failover.State, len(c.Members))
		o.Notify = func(x failover.Transition) {
			if x.Member >= 0 && x.Scope == "" {
				if shown[x.Member] != x.From {
					t.Fatalf("member %d goes from %v, was %v: %s", x.Member, x.From, shown[x.Member], x.Why.En)
				}
				shown[x.Member] = x.To
			}
			if x.Why.Zh == "" {
				t.Fatalf("%q has no Chinese", x.Why.En)
			}
		}
		e, err := New(c, o)
		if err != nil {
			t.Fatal(err)
		}
		for i := range shown {
			shown[i] = e.State(i)
		}
		p := &play{Engine: e}
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			p.act(t)
			checkShares(t, e)
			checkTrials(t, p)
			some := false
			for i := range e.members {
				some = some || e.members[i].usable
				if e.State(i) != shown[i] {
					t.Fatalf("member %d is %v and was told to be %v", i, e.State(i), shown[i])
				}
			}
			if some && p.refused {
				t.Fatal("a request was refused under pass")
			}
			for i := range e.units {
				u := &e.units[i]
				if u.inflight < 0 || u.left < 0 {
					t.Fatalf("domain %d has %d in flight, %d left", i, u.inflight, u.left)
				}
			}
		}
	})
}

// checkShares: the shares of each kind of requests sum to 1.
func checkShares(t *rapid.T, e *Engine) {
	p := make([]float64, len(e.members))
	for i := range e.views {
		v := &e.views[i]
		sum := 0.0
		clear(p)
		for _, s := range v.slots {
			part := math.Ldexp(float64(s.cut), -64)
			p[s.own] += part / float64(len(v.slots))
			p[s.alias] += (1 - part) / float64(len(v.slots))
		}
		for _, x := range p {
			if x < 0 {
				t.Fatalf("a share of %v", x)
			}
			sum += x
		}
		if len(v.slots) > 0 && math.Abs(sum-1) > 1e-9 {
			t.Fatalf("shares sum to %v", sum)
		}
	}
}

// checkTrials: of each domain there is one trial at most.
func checkTrials(t *rapid.T, p *play) {
	seen := map[*unit]int{}
	for _, r := range p.open {
		kind, _ := p.kindOf(r)
		u := p.unit(int(p.members[r.Lease.Member].group), kind)
		if r.Own.Flags&onTrial != 0 && r.Lease.Generation == u.generation && r.Own.Spins == u.proof.turn && u.phase == onProof {
			if seen[u]++; seen[u] > 1 || !u.proof.busy {
				t.Fatalf("%d trials", seen[u])
			}
		}
	}
}

// TestLateResults: what was sent before a change of generation changes no verdict, whatever comes of it.
func TestLateResults(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &play{}
		e, err := New(drawPool(t), three)
		if err != nil {
			t.Fatal(err)
		}
		p.Engine = e
		for range rapid.IntRange(1, 300).Draw(t, "steps") {
			p.act(t)
		}
		for _, r := range p.open {
			kind, _ := e.kindOf(r)
			u := e.unit(int(e.members[r.Lease.Member].group), kind)
			if r.Lease.Generation == u.generation && (r.Own.Flags&onTrial == 0 || r.Own.Spins == u.proof.turn) {
				continue
			}
			before, counts, tally, proof := u.state(), u.window.Counts(), u.tally.total, u.proof
			drains := u.phase == draining && u.left == 1
			e.Report(p.now, r, bad500)
			if !drains && (u.state() != before || u.proof != proof) || u.window.Counts() != counts || u.tally.total != tally {
				t.Fatalf("a late result changed %v to %v", before, u.state())
			}
		}
	})
}

// TestNoBatchIsSkipped: batches follow one another, down by one and up by one.
func TestNoBatchIsSkipped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawPool(t)
		with(c, "decision.granularity", "address", "ramp.rollback.to", "previous", "cooldown.duration", s)
		for len(c.Batches) < 4 {
			c.Batches = append(c.Batches, schema.Batch{HasShare: true, Share: 100, HasDwell: true, MinSamples: 1})
		}
		p := &play{}
		e, err := New(c, three)
		if err != nil {
			t.Fatal(err)
		}
		p.Engine = e
		last := make([]int, len(e.units)) // the batch; after the last one: in service; -1: out
		for i := range last {
			last[i] = len(c.Batches)
		}
		p.check = func() {
			for i := range e.units {
				k := -1
				switch u := &e.units[i]; u.phase {
				case ramping:
					k = u.batch
				case serving:
					k = len(c.Batches)
				}
				if k > last[i]+1 {
					t.Fatalf("batch %d follows batch %d", k, last[i])
				}
				last[i] = k
			}
		}
		for range rapid.IntRange(1, 300).Draw(t, "steps") {
			p.act(t)
			p.check()
		}
	})
}
