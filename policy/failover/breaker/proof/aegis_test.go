package proof

import (
	"math/rand"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-kratos/aegis/circuitbreaker/sre"
	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/adaptive"
)

// aegis seeds its source from the clock when it is made; on the fake clock ours can be seeded alike, so that draws are the
// same as long as both draw in the same cases and compare with the same probability.
func TestAegis(t *testing.T) {
	for _, c := range []struct {
		name   string
		theirs []sre.Option
		ours   adaptive.Config
	}{
		{"defaults", nil, adaptive.Config{}},
		{"K = 2", []sre.Option{sre.WithSuccess(0.5), sre.WithRequest(10)}, adaptive.Config{Success: 0.5, MinVolume: 10}},
		{
			"all set",
			[]sre.Option{sre.WithSuccess(0.9), sre.WithRequest(20), sre.WithWindow(2 * time.Second), sre.WithBucket(7)},
			adaptive.Config{Success: 0.9, MinVolume: 20, Span: 2 * time.Second, Buckets: 7},
		},
		{
			"one bucket",
			[]sre.Option{sre.WithRequest(5), sre.WithWindow(time.Second), sre.WithBucket(1)},
			adaptive.Config{MinVolume: 5, Span: time.Second, Buckets: 1},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				theirs := sre.NewBreaker(c.theirs...)
				start := time.Now()
				cfg := c.ours
				cfg.Random = rand.New(rand.NewSource(start.UnixNano()))
				ours, err := adaptive.New(cfg)
				if err != nil {
					t.Fatal(err)
				}
				r := rand.New(rand.NewSource(17))
				dropped, passed, probable := 0, 0, 0
				ill := 0.3
				for i := range operations {
					if r.Intn(4) == 0 {
						time.Sleep([]time.Duration{
							time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond, time.Duration(r.Intn(1e8)),
						}[r.Intn(4)])
					}
					if r.Intn(2000) == 0 {
						time.Sleep(time.Duration(r.Intn(5)) * time.Second)
						ill = []float64{0.05, 0.3, 0.7, 1}[r.Intn(4)]
					}
					now := time.Since(start)
					p := ours.DropProbability(now)
					if p > 0 {
						probable++
					}
					permit, err := ours.Permit(now)
					if got, want := err, theirs.Allow(); (got == nil) != (want == nil) {
						t.Fatalf("operation %d at %v with %v and drop probability %v: %v, aegis %v",
							i, now, ours.Counts(now), p, got, want)
					}
					if err != nil {
						if dropped++; r.Intn(2) == 0 { // as kratos does for calls that were dropped
							theirs.MarkFailed()
							ours.Report(now, permit, breaker.Result{Class: breaker.Failure})
						}
						continue
					}
					passed++
					if r.Float64() < ill {
						theirs.MarkFailed()
						ours.Report(now, permit, breaker.Result{Class: breaker.Failure})
					} else {
						theirs.MarkSuccess()
						ours.Report(now, permit, breaker.Result{Class: breaker.Success})
					}
				}
				if dropped < 1000 || passed < 1000 || probable < 1000 {
					t.Errorf("%d dropped, %d passed, %d with a probability above zero: too little was tested", dropped, passed, probable)
				}
			})
		})
	}
}
