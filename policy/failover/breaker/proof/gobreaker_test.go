package proof

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/cooldown"
	"github.com/poolproof/poolproof/policy/failover/breaker/threestate"
	"github.com/poolproof/poolproof/policy/failover/breaker/trial"
	"github.com/poolproof/poolproof/policy/failover/breaker/verdict"
	"github.com/poolproof/poolproof/policy/failover/breaker/window"
	"github.com/sony/gobreaker/v2"
)

// operations is how many random operations each setting is compared over.
const operations = 100_000

var (
	errFailed   = errors.New("failed")
	errExcluded = errors.New("excluded")
)

// pause draws spans that often meet a deadline exactly: all are multiples of 50 ms, as all settings are.
func pause(r *rand.Rand) time.Duration {
	switch r.IntN(12) {
	case 0, 1, 2, 3, 4:
		return 0
	case 5, 6, 7:
		return 50 * time.Millisecond
	case 8:
		return 200 * time.Millisecond
	case 9:
		return time.Duration(r.IntN(20)) * 50 * time.Millisecond
	case 10:
		return time.Duration(r.IntN(1_000_000_000)) // off the grid
	}
	return 2 * time.Second
}

// strictly turns a span that must have passed into one that must be reached, on a clock of whole nanoseconds.
func strictly(d time.Duration) time.Duration { return d + 1 }

func TestGobreaker(t *testing.T) {
	failures := func(c gobreaker.Counts) int { return int(c.TotalFailures) }
	finished := func(c gobreaker.Counts) int { return int(c.TotalSuccesses + c.TotalFailures) }
	ratio := verdict.OnFailure{Rule: verdict.Ratio{AtLeast: 0.5, MinVolume: 6}}
	tripsRatio := func(c gobreaker.Counts) bool {
		return finished(c) >= 6 && float64(failures(c))/float64(finished(c)) >= 0.5
	}
	consecutive := func(n uint32) func(gobreaker.Counts) bool {
		return func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= n }
	}
	for _, c := range []struct {
		name   string
		theirs gobreaker.Settings
		ours   threestate.Config
	}{
		{
			"defaults",
			gobreaker.Settings{},
			threestate.Config{Trip: verdict.Consecutive(6), Cooldown: cooldown.Config{Duration: strictly(60 * time.Second)}},
		}, {
			"consecutive",
			gobreaker.Settings{Timeout: time.Second, ReadyToTrip: consecutive(2)},
			threestate.Config{Trip: verdict.Consecutive(2)},
		}, {
			"consecutive, three trials",
			gobreaker.Settings{Timeout: time.Second, ReadyToTrip: consecutive(3), MaxRequests: 3},
			threestate.Config{Trip: verdict.Consecutive(3)},
		}, {
			"ratio since the close",
			gobreaker.Settings{Timeout: time.Second, ReadyToTrip: tripsRatio, MaxRequests: 2},
			threestate.Config{Trip: ratio},
		}, {
			"ratio, tumbling",
			gobreaker.Settings{Timeout: time.Second, ReadyToTrip: tripsRatio, Interval: 1500 * time.Millisecond},
			threestate.Config{Trip: ratio, Window: window.Tumbling(strictly(1500 * time.Millisecond)), CreditAdmission: true},
		}, {
			"consecutive, tumbling",
			gobreaker.Settings{Timeout: time.Second, ReadyToTrip: consecutive(3), Interval: 1500 * time.Millisecond, MaxRequests: 2},
			threestate.Config{
				Trip: verdict.Consecutive(3), Window: window.Tumbling(strictly(1500 * time.Millisecond)), CreditAdmission: true,
			},
		}, {
			"ratio, rolling",
			gobreaker.Settings{
				Timeout: time.Second, ReadyToTrip: tripsRatio, Interval: 3 * time.Second, BucketPeriod: 300 * time.Millisecond,
				MaxRequests: 2,
			},
			threestate.Config{Trip: ratio, Window: window.Rolling(3*time.Second, 10), CreditAdmission: true},
		}, {
			"count, rolling by two",
			gobreaker.Settings{
				Timeout: 500 * time.Millisecond, Interval: time.Second, BucketPeriod: 500 * time.Millisecond,
				ReadyToTrip: func(c gobreaker.Counts) bool { return failures(c) >= 4 },
			},
			threestate.Config{
				Trip: verdict.OnFailure{Rule: verdict.Failures(4)}, Window: window.Rolling(time.Second, 2), CreditAdmission: true,
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.theirs.IsExcluded = func(err error) bool { return errors.Is(err, errExcluded) }
			if c.ours.Cooldown.Duration == 0 {
				c.ours.Cooldown.Duration = strictly(c.theirs.Timeout)
			}
			n := max(1, int(c.theirs.MaxRequests))
			c.ours.Trials = threestate.Trials{Slots: n, Total: n, Ending: verdict.InARow(n), Lease: trial.NoLease}
			synctest.Test(t, func(t *testing.T) { compareGobreaker(t, c.theirs, c.ours, 1) })
		})
	}
}

// flight is an admitted call on both sides.
type flight struct {
	permit breaker.Permit
	done   func(error)
}

func compareGobreaker(t *testing.T, settings gobreaker.Settings, cfg threestate.Config, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 11))
	clock := breaker.RealClock(time.Now())
	generation := uint64(0)
	cfg.OnChange = func(c breaker.Change) { generation = c.Generation }
	ours, err := threestate.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	theirs := gobreaker.NewTwoStepCircuitBreaker[any](settings)
	states := map[gobreaker.State]breaker.State{
		gobreaker.StateClosed: breaker.Closed, gobreaker.StateOpen: breaker.Open, gobreaker.StateHalfOpen: breaker.HalfOpen,
	}
	var flying []flight
	seen := map[string]int{}
	ill := 0.3 // the part of calls that fail; it wanders, so that all states are met
	for i := range operations {
		time.Sleep(pause(r))
		if r.IntN(200) == 0 {
			ill = []float64{0.02, 0.3, 0.6, 0.95}[r.IntN(4)]
		}
		now := clock.Now()
		// their windows move with every operation, late ones included; ours with those that count
		ours.Advance(now)
		if got, want := ours.State(now), states[theirs.State()]; got != want {
			t.Fatalf("operation %d at %v: %v, gobreaker %v", i, now, got, want)
		}
		if len(flying) == 0 || len(flying) < 8 && r.IntN(2) == 0 {
			permit, err := ours.Permit(now)
			done, theirErr := theirs.Allow()
			if got, want := refusal(err), refusal(theirErr); got != want {
				t.Fatalf("operation %d at %v: %q, gobreaker %q", i, now, got, want)
			}
			seen["permit "+refusal(err)]++
			if err == nil {
				flying = append(flying, flight{permit, done})
			}
		} else {
			f := r.IntN(len(flying))
			call := flying[f]
			flying = append(flying[:f], flying[f+1:]...)
			class, callErr := breaker.Success, error(nil)
			switch p := r.Float64(); {
			case p < 0.1:
				class, callErr = breaker.Cancelled, errExcluded
			case p < 0.1+0.9*ill:
				class, callErr = breaker.Failure, errFailed
			}
			seen[fmt.Sprintf("result %v in %v", class, ours.State(now))]++
			before, counts := ours.State(now), ours.Counts()
			ours.Report(now, call.permit, breaker.Result{Class: class})
			if class == breaker.Failure && before == breaker.Closed && call.permit.Generation == generation &&
				ours.State(now) == before && ours.Counts() == counts {
				// Its part has left the rolling window. gobreaker does not count it either, but judges again all the
				// same: "judged again" in the table of differences.
				seen["failure not counted"]++
			} else {
				call.done(callErr)
			}
		}
		now = clock.Now()
		if got, want := ours.State(now), states[theirs.State()]; got != want {
			t.Fatalf("after operation %d at %v: %v, gobreaker %v", i, now, got, want)
		}
	}
	for _, must := range []string{
		"permit ok", "permit open", "permit busy",
		"result success in closed", "result failure in closed", "result cancelled in closed",
		"result success in half-open", "result failure in half-open", "result cancelled in half-open", "result success in open",
	} {
		if seen[must] < 20 {
			t.Errorf("%q was met %d times only: %v", must, seen[must], seen)
		}
	}
}

func refusal(err error) string {
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, breaker.ErrOpen), errors.Is(err, gobreaker.ErrOpenState):
		return "open"
	case errors.Is(err, breaker.ErrBusy), errors.Is(err, gobreaker.ErrTooManyRequests):
		return "busy"
	}
	return err.Error()
}
