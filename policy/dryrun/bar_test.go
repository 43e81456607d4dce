package dryrun

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sony/gobreaker/v2"

	"github.com/poolproof/poolproof/schema"
)

// twelve is the pool of the bar: 12 members in 3 tiers, judged by interface, with probes, one retry, batches and stops.
func twelve() *schema.Copy {
	c := pool("pool", 12)
	for i := range c.Members {
		c.Members[i].Priority, c.Members[i].HasPriority = int64(i/4), true
	}
	at := schema.At(1, 2)
	for p, v := range map[schema.Path]schema.Value{
		"decision.granularity": schema.TextOf("interface"), "decision.window": schema.DurationOf(10 * time.Second), "decision.minSamples": schema.IntOf(20),
		"decision.errorRatio": schema.NumberOf(0.5), "cooldown.duration": schema.DurationOf(30 * time.Second), "probe.interval": schema.DurationOf(time.Second),
		"retry.attempts": schema.IntOf(1), "retry.on": schema.ListOf("5xx"), "retry.perTry": schema.DurationOf(2 * time.Second),
	} {
		c.Set(p, v, at)
	}
	for _, share := range []float64{5, 25, 50, 100} {
		c.Batches = append(c.Batches, schema.Batch{HasShare: true, Share: share, HasDwell: true, Dwell: 10 * time.Second})
	}
	c.Stops = []schema.Stop{{Metric: "error-rate", HasAbove: true, Above: 0.1}}
	c.Touch(schema.Ramp, at)
	return c
}

// BenchmarkPoolRich is the bar of a rich pool: 5 million requests a second and core, exact.
func BenchmarkPoolRich(b *testing.B) { benchmark(b, rich(), Options{Copy: twelve()}) }

func plain() *Scenario {
	return &Scenario{Traffic: &Traffic{RPS: 5000}, Default: Behaviour{HasLatency: true, P50: 2 * time.Millisecond, P99: 2 * time.Millisecond},
		Events: []Event{{At: time.Second, For: 20 * time.Second, Fault: &Fault{Members: []string{"10.0.0.a:80"}, Errors: 1, Status: 500}}}}
}

func threeState(members int) *schema.Copy {
	c := pool("three-state", members)
	c.Set("decision.consecutive", schema.IntOf(5), schema.At(1, 2))
	c.Set("cooldown.duration", schema.DurationOf(time.Second), schema.At(1, 2))
	return c
}

// BenchmarkThreeStatePlain is the bar of a plain pool: 10 million.
func BenchmarkThreeStatePlain(b *testing.B) { benchmark(b, plain(), Options{Copy: threeState(12)}) }

var errBad = errors.New("bad")

// goplay plays the same plain traffic on gobreaker, one for each member: what somebody would write who has no simulator. It
// sends n requests, 5000 a second, each answered after 2 ms.
func goplay(n int) {
	breakers := make([]*gobreaker.TwoStepCircuitBreaker[any], 12)
	for i := range breakers {
		breakers[i] = gobreaker.NewTwoStepCircuitBreaker[any](gobreaker.Settings{Timeout: time.Second, ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= 5 }})
	}
	began := time.Now()
	next := 0
	for range n {
		time.Sleep(200 * time.Microsecond)
		for range breakers {
			next = (next + 1) % len(breakers)
			member := next
			done, err := breakers[member].Allow()
			if err != nil {
				continue
			}
			time.AfterFunc(2*time.Millisecond, func() {
				if t := time.Since(began); member == 0 && t > time.Second && t < 21*time.Second {
					done(errBad)
					return
				}
				done(nil)
			})
			break
		}
	}
	time.Sleep(time.Second)
}

// TestBarAgainstGobreaker: the simulator plays plain traffic at least four times as fast as gobreaker on a fake clock.
func TestBarAgainstGobreaker(t *testing.T) {
	const n = 200_000
	measure := func(f func()) time.Duration {
		best := time.Duration(1 << 62)
		for range 3 {
			before := cpuTime()
			f()
			best = min(best, cpuTime()-before)
		}
		return best
	}
	s := plain()
	s.Duration = n / 5000 * time.Second
	ours := measure(func() {
		if r, err := Run(s, Options{Copy: threeState(12)}); err != nil || r.Metrics.Requests != n {
			t.Fatalf("%v", err)
		}
	})
	theirs := measure(func() { synctest.Test(t, func(*testing.T) { goplay(n) }) })
	if ratio := float64(theirs) / float64(ours); ratio < leastRatio {
		t.Errorf("%.1f times as fast, want %d: %v against %v", ratio, leastRatio, ours, theirs)
	} else {
		t.Logf("%.1f times as fast: %v against %v", ratio, ours, theirs)
	}
}
