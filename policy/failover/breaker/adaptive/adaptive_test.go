package adaptive

import (
	"errors"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker"
	"pgregory.net/rapid"
)

func start(t testing.TB, cfg Config) *Breaker {
	t.Helper()
	if cfg.Random == nil {
		cfg.Random = rand.New(rand.NewPCG(1, 1))
	}
	b, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func feed(b *Breaker, at time.Duration, successes, failures int) {
	for range successes {
		b.Report(at, breaker.Permit{}, breaker.Result{Class: breaker.Success})
	}
	for range failures {
		b.Report(at, breaker.Permit{}, breaker.Result{Class: breaker.Failure})
	}
}

func TestDropProbability(t *testing.T) {
	for _, c := range []struct {
		name                string
		cfg                 Config
		successes, failures int
		want                float64
	}{
		{"K = 2, 90 of 100", Config{Success: 0.5}, 90, 10, 0},
		{"K = 2, 50 of 100", Config{Success: 0.5}, 50, 50, 0},
		{"K = 2, 40 of 100", Config{Success: 0.5}, 40, 60, 20.0 / 101},
		{"K = 2, 10 of 100", Config{Success: 0.5}, 10, 90, 80.0 / 101},
		{"K = 2, none of 100", Config{Success: 0.5}, 0, 100, 100.0 / 101},
		{"defaults, 60 of 100", Config{}, 60, 40, 0},
		{"defaults, 50 of 100", Config{}, 50, 50, (100 - 50/0.6) / 101},
		{"defaults, none of 200", Config{}, 0, 200, 200.0 / 201},
		{"below the volume", Config{}, 0, 99, 0},
		{"at the volume", Config{}, 0, 100, 100.0 / 101},
		{"nothing seen", Config{MinVolume: 1}, 0, 0, 0},
		{"no volume needed", Config{MinVolume: 1}, 0, 1, 0.5},
	} {
		b := start(t, c.cfg)
		feed(b, 0, c.successes, c.failures)
		if got := b.DropProbability(0); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %.4f, want %.4f", c.name, got, c.want)
		}
	}
}

func TestWhatCounts(t *testing.T) {
	b := start(t, Config{MinVolume: 1})
	for _, class := range []breaker.Class{breaker.Neutral, breaker.Cancelled} {
		b.Report(0, breaker.Permit{}, breaker.Result{Class: class})
	}
	if got := b.Counts(0); got.Total != 0 {
		t.Errorf("%+v", got)
	}
}

func TestWindowForgets(t *testing.T) {
	b := start(t, Config{})
	feed(b, 0, 0, 200)
	for _, c := range []struct {
		at   time.Duration
		want breaker.State
	}{
		{2999 * time.Millisecond, breaker.HalfOpen}, {3 * time.Second, breaker.Closed},
	} {
		if got := b.State(c.at); got != c.want {
			t.Errorf("at %v: %v, want %v", c.at, got, c.want)
		}
	}
}

// Over many draws the part that is dropped is the probability.
func TestShareDropped(t *testing.T) {
	b := start(t, Config{Success: 0.5})
	feed(b, 0, 40, 60)
	const n = 200_000
	dropped := 0
	for range n {
		if _, err := b.Permit(0); err != nil {
			if !errors.Is(err, breaker.ErrDropped) {
				t.Fatal(err)
			}
			dropped++
		}
	}
	p := 20.0 / 101
	if got := float64(dropped) / n; math.Abs(got-p) > 4.5*math.Sqrt(p*(1-p)/n) {
		t.Errorf("%.4f dropped, want %.4f", got, p)
	}
}

func TestCountDrops(t *testing.T) {
	with, without := start(t, Config{CountDrops: true}), start(t, Config{})
	for _, b := range []*Breaker{with, without} {
		feed(b, 0, 0, 100)
		for range 1000 {
			_, _ = b.Permit(0)
		}
	}
	if got := without.Counts(0).Total; got != 100 {
		t.Errorf("drops count although they should not: %d", got)
	}
	if got := with.Counts(0); got.Total < 1000 || got.Failures != got.Total {
		t.Errorf("drops do not count: %+v", got)
	}
}

func TestProbabilityKeepsItsBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := Config{
			Success: rapid.Float64Range(0.01, 1).Draw(t, "success"), MinVolume: rapid.IntRange(1, 50).Draw(t, "volume"),
			Random: rand.New(rand.NewPCG(1, 1)),
		}
		b, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		ok, bad := rapid.IntRange(0, 200).Draw(t, "ok"), rapid.IntRange(0, 200).Draw(t, "bad")
		feed(b, 0, ok, bad)
		p := b.DropProbability(0)
		if !(p >= 0 && p < 1) {
			t.Fatalf("probability %v", p)
		}
		if ok+bad < cfg.MinVolume && p != 0 {
			t.Fatalf("%v dropped below the minimum volume", p)
		}
		feed(b, 0, 0, 1)
		if after := b.DropProbability(0); after < p {
			t.Fatalf("one more failure lowers it from %v to %v", p, after)
		}
	})
}

func TestNewRefuses(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for name, cfg := range map[string]Config{
		"no random":       {},
		"success above 1": {Success: 1.1, Random: r},
		"success NaN":     {Success: math.NaN(), Random: r},
		"negative":        {Success: -1, Random: r},
		"volume":          {MinVolume: -1, Random: r},
		"span":            {Span: -time.Second, Random: r},
		"buckets":         {Buckets: -1, Random: r},
	} {
		if _, err := New(cfg); err == nil {
			t.Errorf("%s: passes", name)
		}
	}
}

func TestConcurrent(t *testing.T) {
	b := start(t, Config{MinVolume: 10})
	var wg sync.WaitGroup
	for g := range 64 {
		wg.Go(func() {
			for i := range 2000 {
				now := time.Duration(i) * time.Millisecond
				if p, err := b.Permit(now); err == nil {
					b.Report(now, p, breaker.Result{Class: []breaker.Class{breaker.Success, breaker.Failure}[(g+i)%2]})
				}
				b.State(now)
			}
		})
	}
	wg.Wait()
	if b.Counts(2*time.Second).Total == 0 {
		t.Error("nothing counted")
	}
}

func TestNothingAllocates(t *testing.T) {
	b := start(t, Config{MinVolume: 10})
	feed(b, 0, 20, 20)
	var now time.Duration
	if n := testing.AllocsPerRun(5000, func() {
		now += time.Millisecond
		if p, err := b.Permit(now); err == nil {
			b.Report(now, p, breaker.Result{Class: breaker.Failure})
		}
	}); n != 0 {
		t.Errorf("%v allocations a call", n)
	}
}
