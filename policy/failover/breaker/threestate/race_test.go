package threestate

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/cooldown"
	"github.com/poolproof/poolproof/policy/failover/breaker/trial"
	"github.com/poolproof/poolproof/policy/failover/breaker/verdict"
	"github.com/poolproof/poolproof/policy/failover/breaker/window"
)

const (
	goroutines = 64
	rounds     = 2000
)

// hammer runs work on many goroutines, each with its own source, on a shared clock that every call moves on.
func hammer(work func(r *rand.Rand, now time.Duration)) {
	var clock atomic.Int64
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(g), 7))
			for range rounds {
				work(r, time.Duration(clock.Add(1)))
			}
		})
	}
	wg.Wait()
}

func TestConcurrentTrialsKeepTheirBound(t *testing.T) {
	const slots = 3
	for name, cfg := range map[string]Config{
		"consecutive": {Trip: verdict.Consecutive(2)},
		"ratio":       {Trip: verdict.Ratio{AtLeast: 0.5, MinVolume: 4}, Window: window.Rolling(100, 10)},
		"credited":    {Trip: verdict.Failures(2), Window: window.Tumbling(50), CreditAdmission: true},
	} {
		t.Run(name, func(t *testing.T) {
			var opened, closed atomic.Int64
			cfg.Cooldown = cooldown.Config{Duration: 40}
			cfg.Trials = Trials{Slots: slots, Lease: trial.NoLease, Ending: verdict.InARow(3)}
			cfg.OnChange = func(c breaker.Change) {
				switch c.To {
				case breaker.Open:
					opened.Add(1)
				case breaker.Closed:
					closed.Add(1)
				case breaker.HalfOpen:
				}
			}
			b, err := New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			// trials in flight by generation: those of one half-open period never exceed its slots
			var flying [1 << 16]atomic.Int32
			hammer(func(r *rand.Rand, now time.Duration) {
				p, err := b.Permit(now)
				if err != nil {
					return
				}
				if p.Slot > 0 {
					if n := flying[p.Generation%uint64(len(flying))].Add(1); n > slots {
						t.Errorf("%d trials at once in generation %d", n, p.Generation)
					}
				}
				class := breaker.Success
				switch r.IntN(8) {
				case 0, 1:
					class = breaker.Failure
				case 2:
					class = breaker.Cancelled
				}
				b.State(now)
				if p.Slot > 0 {
					flying[p.Generation%uint64(len(flying))].Add(-1) // before the report, which frees the slot
				}
				b.Report(now, p, breaker.Result{Class: class})
			})
			if opened.Load() == 0 || closed.Load() == 0 {
				t.Errorf("%d openings and %d closes: nothing was tested", opened.Load(), closed.Load())
			}
		})
	}
}

// One slot, held for a while by whoever gets it: never two holders.
func TestConcurrentSingleTrial(t *testing.T) {
	b, err := New(Config{
		Trip: verdict.Consecutive(1), Cooldown: cooldown.Config{Duration: cooldown.None}, Trials: Trials{Lease: trial.NoLease},
	})
	if err != nil {
		t.Fatal(err)
	}
	b.Open(0)
	var holders, trials atomic.Int32
	hammer(func(r *rand.Rand, now time.Duration) {
		p, err := b.Permit(now)
		if err != nil || p.Slot == 0 {
			return
		}
		if holders.Add(1) > 1 {
			t.Error("two trials at once")
		}
		trials.Add(1)
		if r.IntN(2) == 0 {
			time.Sleep(time.Microsecond)
		}
		holders.Add(-1)
		b.Report(now, p, breaker.Result{Class: []breaker.Class{breaker.Failure, breaker.Cancelled}[r.IntN(2)]})
	})
	if trials.Load() == 0 {
		t.Error("no trial was made")
	}
}

func TestNothingAllocates(t *testing.T) {
	for name, cfg := range map[string]Config{
		"consecutive": {Trip: verdict.Consecutive(2)},
		"ratio": {
			Trip:   verdict.Any{verdict.Ratio{AtLeast: 0.5, MinVolume: 4}, verdict.Slow{AtLeast: 0.5, MinVolume: 4}},
			Window: window.Rolling(100*time.Millisecond, 10), SlowAfter: time.Second,
		},
		"ring": {Trip: verdict.Ratio{AtLeast: 0.5, MinVolume: 4}, Window: window.LastN(100)},
	} {
		cfg.Cooldown = cooldown.Config{Duration: 5 * time.Millisecond, Growth: cooldown.Exponential, Max: 20 * time.Millisecond}
		b, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		var now time.Duration
		refused, i := 0, 0
		if n := testing.AllocsPerRun(5000, func() {
			now += time.Millisecond
			i++
			p, err := b.Permit(now)
			if err != nil {
				refused++
				return
			}
			class := breaker.Success
			if i%50 < 10 {
				class = breaker.Failure
			}
			b.Report(now, p, breaker.Result{Class: class, Latency: time.Millisecond})
		}); n != 0 {
			t.Errorf("%s: %v allocations a call", name, n)
		}
		if refused == 0 {
			t.Errorf("%s: never opened", name)
		}
	}
}
