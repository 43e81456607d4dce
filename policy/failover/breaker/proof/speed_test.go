package proof

import (
	"slices"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/threestate"
	"github.com/poolproof/poolproof/policy/failover/breaker/verdict"
	"github.com/poolproof/poolproof/policy/failover/breaker/window"
	"github.com/sony/gobreaker/v2"
)

// ratios times two functions in turn, many short rounds, and returns the median ratio of their times: what else the machine
// does hits both.
func ratios(rounds, calls int, ours, theirs func(n int)) float64 {
	timed := func(f func(int)) float64 {
		start := time.Now()
		f(calls)
		return float64(time.Since(start))
	}
	var all []float64
	for range rounds {
		all = append(all, timed(ours)/timed(theirs))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// A permit and a result of the three-state breaker cost at most half of an Execute of gobreaker, whatever the window.
func TestSpeedAgainstGobreaker(t *testing.T) {
	for name, c := range map[string]struct {
		ours   threestate.Config
		theirs gobreaker.Settings
	}{
		"consecutive": {},
		"rolling": {
			threestate.Config{Trip: verdict.Ratio{AtLeast: 0.5, MinVolume: 100}, Window: window.Rolling(10*time.Second, 10)},
			gobreaker.Settings{Interval: 10 * time.Second, BucketPeriod: time.Second},
		},
	} {
		b, err := threestate.New(c.ours)
		if err != nil {
			t.Fatal(err)
		}
		cb := gobreaker.NewCircuitBreaker[any](c.theirs)
		var now time.Duration
		ratio := ratios(101, 2000, func(n int) {
			for range n {
				now += time.Microsecond
				p, err := b.Permit(now)
				if err != nil {
					t.Fatal(err)
				}
				b.Report(now, p, breaker.Result{Class: breaker.Success})
			}
		}, func(n int) {
			for range n {
				_, _ = cb.Execute(func() (any, error) { return nil, nil })
			}
		})
		t.Logf("%s: %.3f of gobreaker", name, ratio)
		if ratio > bar {
			t.Errorf("%s: %.3f of gobreaker, want at most %v", name, ratio, bar)
		}
	}
}
