package engines

import (
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/controller"
	"github.com/poolproof/poolproof/schema"
)

const (
	s  = time.Second
	ms = time.Millisecond
)

// fit returns a copy of three members and a backup that makes the most of an engine.
func fit(engine string, allOut string) *schema.Copy {
	c := &schema.Copy{Pool: "p", Engine: engine, Complete: true}
	for i := range 4 {
		m := schema.Member{Host: "10.0.0." + string(rune('1'+i)), Port: 80, HasWeight: true, Weight: int64(1 + i%2)}
		if i == 3 {
			m.Backup = schema.Yes
		}
		c.Members = append(c.Members, m)
	}
	set := func(p schema.Path, v schema.Value) { c.Set(p, v, schema.At(1, 2)) }
	set("mode", schema.TextOf("http"))
	set("probe.protocol", schema.TextOf("http"))
	set("probe.path", schema.TextOf("/healthz"))
	set("probe.interval", schema.DurationOf(500*ms))
	set("probe.timeout", schema.DurationOf(200*ms))
	set("probe.rise", schema.IntOf(2))
	set("probe.fall", schema.IntOf(2))
	set("decision.window", schema.DurationOf(2*s))
	set("decision.minSamples", schema.IntOf(4))
	set("decision.errorRatio", schema.NumberOf(0.5))
	set("decision.consecutive", schema.IntOf(3))
	if engine == "blacklist" {
		set("decision.slow.threshold", schema.DurationOf(100*ms))
		set("decision.slow.dedupe", schema.DurationOf(500*ms))
		set("decision.slow.confirmations", schema.IntOf(2))
	}
	set("cooldown.duration", schema.DurationOf(3*s))
	set("retry.attempts", schema.IntOf(1))
	set("retry.perTry", schema.DurationOf(s))
	set("retry.on", schema.ListOf("error", "timeout", "5xx", "http_500", "connect-failure", "conn-failure"))
	set("timeout connect", schema.DurationOf(s))
	set("timeout server", schema.DurationOf(s))
	if allOut != "" {
		set("onAllOut.then", schema.TextOf(allOut))
	}
	return c
}

func build(t testing.TB, engine, allOut string, o failover.Options) failover.Engine {
	t.Helper()
	e, err := New(fit(engine, allOut), o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// outcomes are those that a member may have while it is ill.
var outcomes = [...]failover.Outcome{
	{Kind: failover.Answered, Status: 500, Took: 200 * ms}, {Kind: failover.Refused}, {Kind: failover.Timeout, Took: s},
	{Kind: failover.ConnectTimeout, Took: s}, {Kind: failover.Reset, Took: 5 * ms}, {Kind: failover.Cancelled, Took: 5 * ms}, {Kind: failover.Answered, Status: 429},
}

func good() failover.Outcome {
	return failover.Outcome{Kind: failover.Answered, Status: 200, Took: 3 * ms}
}

// TestEveryEngineInManyHands uses each engine from 64 goroutines at once, behind its guard: requests, probes, orders, notices
// and looks at its state. Each request ends, and the engine is as usable afterwards as before.
func TestEveryEngineInManyHands(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := failover.Guard(build(t, name, "", failover.Options{Seed: 1, Notify: func(failover.Transition) {}}))
			n := len(e.Info().Members)
			var clock atomic.Int64
			var wg sync.WaitGroup
			var ended atomic.Int64
			const hands, each = 64, 120
			for h := range hands {
				wg.Go(func() {
					rand := failover.NewRand(uint64(h))
					for range each {
						now := time.Duration(clock.Add(int64(rand.IntN(int(4 * ms)))))
						var r failover.Request
						r.Reset()
						d := e.Pick(now, &r)
						for k := 0; k < 100 && (d.Action == failover.Send || d.Action == failover.Wait || d.Action == failover.Queue); k++ {
							now = time.Duration(clock.Add(int64(100 * time.Microsecond)))
							if d.Action != failover.Send {
								d = e.Pick(max(now, d.At), &r)
								continue
							}
							if m := int(r.Lease.Member); m < 0 || m >= n {
								t.Errorf("a lease of member %d", m)
								return
							}
							o := good()
							if rand.IntN(3) == 0 {
								o = outcomes[rand.IntN(len(outcomes))]
							}
							d = e.Report(now, &r, o)
						}
						ended.Add(1)
						switch rand.IntN(12) {
						case 0:
							_ = e.Force(now, failover.Order{Member: rand.IntN(n), Out: rand.IntN(2) == 0, Initiator: "a", Saw: "b"})
						case 1:
							e.Notice(now, rand.IntN(n+1)-1, rand.IntN(2) == 0)
						case 2:
							_ = e.State(rand.IntN(n))
						default:
							for k := 0; k < 50 && e.Next() <= now; k++ {
								if p, send := e.Tick(now); send {
									e.Probed(now, p, good())
								}
							}
						}
						if q, ok := e.(failover.Queuer); ok {
							q.Wake()
						}
					}
				})
			}
			wg.Wait()
			if ended.Load() != hands*each {
				t.Errorf("%d of %d requests ended", ended.Load(), hands*each)
			}
		})
	}
}

// TestNoEngineAllocates: a request costs no memory, whether all is well or members go and come back.
func TestNoEngineAllocates(t *testing.T) {
	for _, name := range Names() {
		for _, ill := range []bool{false, true} {
			t.Run(name+map[bool]string{true: ", ill", false: ", well"}[ill], func(t *testing.T) {
				e := build(t, name, "", failover.Options{Seed: 1})
				var r failover.Request
				now, k := time.Duration(0), 0
				one := func() {
					now += 5 * ms
					for i := 0; i < 100 && e.Next() <= now; i++ {
						if p, send := e.Tick(now); send {
							e.Probed(now, p, good())
						}
					}
					r.Reset()
					d := e.Pick(now, &r)
					for d.Action == failover.Send || d.Action == failover.Wait {
						if d.Action == failover.Wait {
							now = max(now, d.At)
							d = e.Pick(now, &r)
							continue
						}
						o := good()
						if k++; ill && k%2000 < 600 && r.Lease.Member == 0 {
							o = outcomes[0]
						}
						d = e.Report(now, &r, o)
					}
				}
				for range 6000 { // warm: every removal and return has been met
					one()
				}
				// Rounds and records of removals are memory by design; requests in between are not.
				if n := testing.AllocsPerRun(2000, one); n != 0 {
					t.Errorf("%v allocations a request", n)
				}
			})
		}
	}
}

// rigged drives an engine by what rapid draws.
type rigged struct {
	failover.Engine
	now    time.Duration
	flying []*failover.Request
	state  []failover.State
	sent   []int
}

func (g *rigged) tick(t *rapid.T) {
	for i := 0; g.Next() <= g.now; i++ {
		if i > 5000 {
			t.Fatalf("at %v there is no end of ticks", g.now)
		}
		if p, send := g.Tick(g.now); send {
			o := good()
			if rapid.IntRange(0, 3).Draw(t, "probe") == 0 {
				o = failover.Outcome{Kind: failover.Refused}
			}
			g.Probed(g.now, p, o)
		}
	}
}

// decided does what an engine wants of a request, and reports whether it was refused.
func (g *rigged) decided(t *rapid.T, r *failover.Request, d failover.Decision) bool {
	for i := 0; d.Action == failover.Wait; i++ {
		if i > 100 {
			t.Fatal("a request waits without end")
		}
		g.now = max(g.now, d.At)
		g.tick(t)
		d = g.Pick(g.now, r)
	}
	if d.Action == failover.Send {
		if m := int(r.Lease.Member); m < 0 || m >= len(g.sent) {
			t.Fatalf("a lease of member %d of %d", m, len(g.sent))
		}
		g.sent[r.Lease.Member]++
		g.flying = append(g.flying, r)
	}
	return d.Refused
}

// TestEveryEngineProperties plays what rapid draws on every engine: what is told of a member is what State says, ticks end,
// each request has one member at a time, and where everything passes when all are out nobody is turned away.
func TestEveryEngineProperties(t *testing.T) {
	passes := map[string]bool{"pool": true, "three-state": true, "adaptive": true, "blacklist": true, "resilience4j": true, "apisix": true}
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				allOut := ""
				if passes[name] {
					allOut = "pass"
				}
				g := &rigged{}
				e, err := New(fit(name, allOut), failover.Options{Seed: rapid.Uint64().Draw(t, "seed"), Notify: func(x failover.Transition) {
					if x.Member >= 0 && x.Scope == "" {
						g.state[x.Member] = x.To
					}
				}})
				if err != nil {
					t.Fatal(err)
				}
				g.Engine, g.sent = e, make([]int, len(e.Info().Members))
				for i := range g.sent {
					g.state = append(g.state, e.State(i))
				}
				for range rapid.IntRange(1, 150).Draw(t, "steps") {
					g.now += time.Duration(rapid.IntRange(0, 2000).Draw(t, "ms")) * ms
					g.tick(t)
					if k := len(g.flying); k > 0 && rapid.Bool().Draw(t, "land") {
						i := rapid.IntRange(0, k-1).Draw(t, "which")
						r := g.flying[i]
						g.flying = append(g.flying[:i], g.flying[i+1:]...)
						o := good()
						if rapid.Bool().Draw(t, "ill") {
							o = rapid.SampledFrom(outcomes[:]).Draw(t, "outcome")
						}
						g.decided(t, r, g.Report(g.now, r, o))
					} else {
						r := &failover.Request{}
						r.Reset()
						if g.decided(t, r, g.Pick(g.now, r)) && passes[name] {
							t.Fatalf("at %v a request is turned away, and all pass when all are out", g.now)
						}
					}
					for i, want := range g.state {
						if got := g.State(i); got != want {
							t.Fatalf("at %v member %d is %v, the last that was told is %v", g.now, i, got, want)
						}
					}
				}
			})
		})
	}
}

// TestLateLeasesChangeNothing: in engines whose leases have generations, a failure or success of before a removal changes
// nothing after the return.
func TestLateLeasesChangeNothing(t *testing.T) {
	for _, name := range []string{"pool", "three-state", "blacklist"} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				e, err := New(fit(name, "pass"), failover.Options{})
				if err != nil {
					t.Fatal(err)
				}
				g := &rigged{Engine: e, sent: make([]int, 4)}
				var late []*failover.Request
				ill, gone := true, false
				send := func(d time.Duration) {
					for end := g.now + d; g.now < end; g.now += 20 * ms {
						for i := 0; i < 1000 && g.Next() <= g.now; i++ {
							if p, probe := g.Tick(g.now); probe {
								g.Probed(g.now, p, good())
							}
						}
						gone = gone || g.State(0).Gone()
						r := &failover.Request{}
						r.Reset()
						for x := g.Pick(g.now, r); x.Action == failover.Send; {
							if r.Lease.Member == 0 && g.now < s && len(late) < 12 {
								late = append(late, r) // it takes its time
								break
							}
							o := good()
							if r.Lease.Member == 0 && ill {
								o = failover.Outcome{Kind: failover.Timeout, Took: s}
							}
							x = g.Report(g.now, r, o)
						}
					}
				}
				send(4 * s)
				if !gone {
					t.Fatal("it fails every request and never went")
				}
				ill = false
				// Not before its drain is over, which the late ones hold up.
				send(time.Duration(rapid.IntRange(4000, 20_000).Draw(t, "ms")) * ms)
				before := g.State(0)
				failing := rapid.Bool().Draw(t, "failing")
				if len(late) < 5 {
					t.Fatalf("%d late ones", len(late))
				}
				for _, r := range late {
					o := good()
					if failing {
						o = outcomes[2] // a time-out, which every engine counts
					}
					r.Own.Tries = math.MaxInt16 // nobody wants a retry of it
					g.Report(g.now, r, o)
					if got := g.State(0); got != before {
						t.Fatalf("at %v a late result made it %v, it was %v", g.now, got, before)
					}
				}
			})
		})
	}
}

// TestOneTrialWhereOneIsAllowed: three-state and pool never have two requests on trial on one member at once.
func TestOneTrialWhereOneIsAllowed(t *testing.T) {
	for _, name := range []string{"pool", "three-state"} {
		t.Run(name, func(t *testing.T) {
			met := 0
			rapid.Check(t, func(t *rapid.T) {
				e, err := New(fit(name, "reject"), failover.Options{Seed: rapid.Uint64().Draw(t, "seed")})
				if err != nil {
					t.Fatal(err)
				}
				g := &rigged{Engine: e, sent: make([]int, 4)}
				var trial *failover.Request
				removed := false
				for range 800 {
					g.now += 20 * ms
					for i := 0; i < 1000 && g.Next() <= g.now; i++ {
						if p, probe := g.Tick(g.now); probe {
							g.Probed(g.now, p, good())
						}
					}
					removed = removed || g.State(0).Gone()
					r := &failover.Request{}
					r.Reset()
					for x := g.Pick(g.now, r); x.Action == failover.Send; {
						// After its removal whatever it gets is a trial until it is back.
						if st := g.State(0); r.Lease.Member == 0 && removed && st != failover.In {
							met++
							if trial != nil {
								t.Fatalf("at %v a second request is on trial while one is (%v)", g.now, st)
							}
							trial = r
							break
						}
						o := good()
						if r.Lease.Member == 0 && !removed {
							o = outcomes[0]
						}
						x = g.Report(g.now, r, o)
					}
					if trial != nil && rapid.IntRange(0, 9).Draw(t, "ends") == 0 {
						r, o := trial, good()
						trial = nil
						if rapid.IntRange(0, 5).Draw(t, "fails") == 0 {
							o = outcomes[0]
						}
						g.Report(g.now, r, o)
					}
				}
			})
			if met < 100 {
				t.Errorf("%d trials in all: too little was looked at", met)
			}
		})
	}
}

// TestSharesSumToOne: whatever has become of the members, the shares that the controller gives them sum to 1, or there are
// none.
func TestSharesSumToOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		allOut := rapid.SampledFrom([]string{"pass", "reject"}).Draw(t, "onAllOut")
		c := fit("pool", allOut)
		for i := range c.Members {
			c.Members[i].Weight = int64(rapid.IntRange(0, 5).Draw(t, "weight"))
			c.Members[i].Priority, c.Members[i].HasPriority = int64(rapid.IntRange(0, 2).Draw(t, "priority")), true
		}
		for _, share := range []float64{5, 25, 50} {
			c.Batches = append(c.Batches, schema.Batch{HasShare: true, Share: share, HasDwell: true, Dwell: s, MinSamples: 2})
		}
		e, err := controller.New(c, failover.Options{})
		if err != nil {
			t.Fatal(err)
		}
		g := &rigged{Engine: e, sent: make([]int, 4)}
		for range 150 {
			g.now += time.Duration(rapid.IntRange(0, 800).Draw(t, "ms")) * ms
			g.tick(t)
			r := &failover.Request{}
			r.Reset()
			for x := g.Pick(g.now, r); x.Action == failover.Send; {
				o := good()
				if rapid.Bool().Draw(t, "ill") {
					o = outcomes[0]
				}
				x = g.Report(g.now, r, o)
			}
			if rapid.IntRange(0, 30).Draw(t, "order") == 0 {
				_ = g.Force(g.now, failover.Order{Member: rapid.IntRange(0, 3).Draw(t, "member"), Out: rapid.Bool().Draw(t, "out"), Initiator: "a", Saw: "b"})
			}
			sum, some := 0.0, false
			for i, x := range e.Shares(0, 0, nil) {
				if x < 0 || x > 0 && c.Members[i].Weight == 0 {
					t.Fatalf("member %d has %v", i, x)
				}
				sum, some = sum+x, some || c.Members[i].Weight > 0
			}
			if math.Abs(sum-1) > 1e-9 && sum != 0 || sum == 0 && some && allOut == "pass" {
				t.Fatalf("at %v the shares sum to %v", g.now, sum)
			}
		}
	})
}
