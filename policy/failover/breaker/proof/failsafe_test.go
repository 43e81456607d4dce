package proof

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/cooldown"
	"github.com/poolproof/poolproof/policy/failover/breaker/threestate"
	"github.com/poolproof/poolproof/policy/failover/breaker/trial"
	"github.com/poolproof/poolproof/policy/failover/breaker/verdict"
	"github.com/poolproof/poolproof/policy/failover/breaker/window"
)

// rounded is how failsafe-go sees a rate: to two decimals. See "rate rounded" in the table of differences.
func rounded(part, total int) float64 {
	if total == 0 {
		return 0
	}
	return math.Round(float64(part)/float64(total)*100) / 100
}

// ratedTrials is failsafe-go's verdict about trials where only a failure rate is set: nothing before the threshold of
// executions, then both rates are judged.
type ratedTrials struct {
	rate       float64
	executions int
}

func (r ratedTrials) Needs() int { return r.executions }

func (r ratedTrials) Decide(c window.Counts) verdict.Decision {
	switch {
	case c.Total < r.executions:
		return verdict.Undecided
	case rounded(c.Successes(), c.Total) > 1-r.rate:
		return verdict.Well
	case rounded(c.Failures, c.Total) >= r.rate:
		return verdict.Ill
	}
	return verdict.Undecided
}

func TestFailsafe(t *testing.T) {
	type builder = circuitbreaker.Builder[any]
	for _, c := range []struct {
		name   string
		theirs func(builder) builder
		ours   threestate.Config
	}{
		{
			"defaults but the delay",
			func(b builder) builder { return b },
			threestate.Config{Trip: verdict.Failures(1), Window: window.LastN(1)},
		}, {
			"in a row",
			func(b builder) builder { return b.WithFailureThreshold(3).WithSuccessThreshold(2) },
			threestate.Config{
				Trip: verdict.Failures(3), Window: window.LastN(3), Trials: threestate.Trials{Slots: 2, Ending: verdict.InARow(2)},
			},
		}, {
			"in a row, consecutive without a window",
			func(b builder) builder { return b.WithFailureThreshold(3).WithSuccessThreshold(1) },
			threestate.Config{Trip: verdict.Consecutive(3)},
		}, {
			"5 of 10, trials 2 of 4",
			func(b builder) builder { return b.WithFailureThresholdRatio(5, 10).WithSuccessThresholdRatio(2, 4) },
			threestate.Config{
				Trip: verdict.Failures(5), Window: window.LastN(10),
				Trials: threestate.Trials{Slots: 4, Ending: verdict.OutOf{Successes: 2, Of: 4}},
			},
		}, {
			"5 of 10, trials by the same",
			func(b builder) builder { return b.WithFailureThresholdRatio(5, 10) },
			threestate.Config{
				Trip: verdict.Failures(5), Window: window.LastN(10),
				Trials: threestate.Trials{Slots: 10, Ending: verdict.OutOf{Successes: 6, Of: 10}},
			},
		}, {
			"4 in a period",
			func(b builder) builder { return b.WithFailureThresholdPeriod(4, 2*time.Second) },
			threestate.Config{
				Trip: verdict.Failures(4), Window: window.Aligned(2*time.Second, 10),
				Trials: threestate.Trials{Slots: 4, Ending: verdict.OutOf{Successes: 1, Of: 4}},
			},
		}, {
			"rate in a period, trials in a row",
			func(b builder) builder {
				return b.WithFailureRateThreshold(0.45, 9, 5*time.Second).WithSuccessThreshold(3)
			},
			threestate.Config{
				Trip: verdict.Func(func(c window.Counts, _ bool) bool {
					return c.Total >= 9 && rounded(c.Failures, c.Total) >= 0.45
				}),
				Window: window.Aligned(5*time.Second, 10),
				Trials: threestate.Trials{Slots: 3, Ending: verdict.InARow(3)},
			},
		}, {
			"rate in a period, trials by the same",
			func(b builder) builder { return b.WithFailureRateThreshold(0.5, 6, 5*time.Second) },
			threestate.Config{
				Trip:   verdict.Ratio{AtLeast: 0.5, MinVolume: 6}, // below 200 results rounding makes no half of less
				Window: window.Aligned(5*time.Second, 10),
				Trials: threestate.Trials{Slots: 6, Ending: ratedTrials{0.5, 6}},
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.ours.Trials.Lease = trial.NoLease
			c.ours.Cooldown = cooldown.Config{Duration: time.Second}
			synctest.Test(t, func(t *testing.T) {
				theirs := c.theirs(circuitbreaker.NewBuilder[any]().WithDelay(time.Second)).Build()
				compareFailsafe(t, theirs, c.ours, 1)
			})
		})
	}
}

func compareFailsafe(t *testing.T, theirs circuitbreaker.CircuitBreaker[any], cfg threestate.Config, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 13))
	generation := uint64(0)
	cfg.OnChange = func(c breaker.Change) { generation = c.Generation }
	ours, err := threestate.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	states := map[circuitbreaker.State]breaker.State{
		circuitbreaker.ClosedState: breaker.Closed, circuitbreaker.OpenState: breaker.Open, circuitbreaker.HalfOpenState: breaker.HalfOpen,
	}
	var flying []breaker.Permit
	seen := map[string]int{}
	ill := 0.3
	for i := range operations {
		time.Sleep(pause(r))
		if r.IntN(200) == 0 {
			ill = []float64{0.02, 0.3, 0.5, 0.95}[r.IntN(4)]
		}
		// their buckets begin at multiples of their length since 1970
		now := time.Duration(time.Now().UnixNano())
		switch op := r.IntN(200); {
		case op == 0 && ours.State(now) != breaker.HalfOpen:
			// "opened by hand" in the table of differences: after the cooldown theirs still counts as open
			ours.Open(now)
			theirs.Open()
			seen["open by hand"]++
		case op == 1:
			ours.Close(now)
			theirs.Close()
			seen["close by hand"]++
		case len(flying) == 0 || len(flying) < 12 && op < 100:
			permit, err := ours.Permit(now)
			if got, want := err == nil, theirs.TryAcquirePermit(); got != want {
				t.Fatalf("operation %d at %v: %v, failsafe-go %v", i, now, err, want)
			}
			seen["permit "+refusal(err)]++
			if err == nil {
				flying = append(flying, permit)
			}
		default:
			f := r.IntN(len(flying))
			permit := flying[f]
			flying = append(flying[:f], flying[f+1:]...)
			late := permit.Generation != generation
			class := breaker.Success
			switch p := r.Float64(); {
			case p < 0.05 && (late || permit.Slot == 0):
				class = breaker.Cancelled // "cancelled trial": theirs cannot be given back
			case p < 0.05+0.95*ill:
				class = breaker.Failure
			}
			seen[fmt.Sprintf("result %v in %v, late %v", class, ours.State(now), late)]++
			ours.Report(now, permit, breaker.Result{Class: class})
			switch {
			case late && theirs.State() != circuitbreaker.OpenState:
				// "late result": theirs counts it in the state that it meets
			case class == breaker.Success:
				theirs.RecordSuccess()
			case class == breaker.Failure:
				theirs.RecordFailure()
			}
		}
		got, want := ours.State(now), states[theirs.State()]
		if want == breaker.Open && theirs.RemainingDelay() == 0 {
			want = breaker.HalfOpen // theirs shows open until the next permit
		}
		if got != want {
			t.Fatalf("after operation %d at %v: %v, failsafe-go %v", i, now, got, want)
		}
	}
	for _, must := range []string{
		"permit ok", "permit open", "permit busy", "open by hand", "close by hand",
		"result success in closed, late false", "result failure in closed, late false",
		"result success in half-open, late false", "result failure in half-open, late false",
		"result failure in half-open, late true", "result success in closed, late true", "result failure in open, late true",
	} {
		if seen[must] < 20 {
			t.Errorf("%q was met %d times only: %v", must, seen[must], seen)
		}
	}
}
