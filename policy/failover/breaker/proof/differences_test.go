package proof

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/go-kratos/aegis/circuitbreaker/sre"
	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/adaptive"
	"github.com/poolproof/poolproof/policy/failover/breaker/cooldown"
	"github.com/poolproof/poolproof/policy/failover/breaker/threestate"
	"github.com/poolproof/poolproof/policy/failover/breaker/verdict"
	"github.com/poolproof/poolproof/policy/failover/breaker/window"
	"github.com/sony/gobreaker/v2"
)

// differences is the table of intended differences: each row plays one scenario on both sides and names both outcomes. The
// documentation of package breaker lists the same rows.
var differences = []struct {
	name, library string
	theirs, ours  string
	play          func(t *testing.T) (theirs, ours string)
}{
	{"cooldown's end", "gobreaker", "open", "ok", func(t *testing.T) (string, string) {
		p := both(t, gobreaker.Settings{Timeout: 30 * time.Second, ReadyToTrip: first}, threestate.Config{Trip: verdict.Consecutive(1)})
		p.call(breaker.Failure)
		time.Sleep(30 * time.Second)
		return p.permit()
	}},
	{"period's end", "gobreaker", "open", "closed", func(t *testing.T) (string, string) {
		p := both(t,
			gobreaker.Settings{Interval: time.Second, ReadyToTrip: func(c gobreaker.Counts) bool { return c.TotalFailures >= 2 }},
			threestate.Config{Trip: verdict.Failures(2), Window: window.Tumbling(time.Second)})
		p.call(breaker.Failure)
		time.Sleep(time.Second)
		p.call(breaker.Failure)
		return p.states()
	}},
	{"lost trial", "gobreaker", "busy", "ok", func(t *testing.T) (string, string) {
		p := both(t, gobreaker.Settings{Timeout: time.Second, ReadyToTrip: first},
			threestate.Config{Trip: verdict.Consecutive(1), Trials: threestate.Trials{Lease: time.Minute}})
		p.call(breaker.Failure)
		time.Sleep(time.Hour)
		p.permit() // and never reported
		time.Sleep(24 * time.Hour)
		return p.permit()
	}},
	{"reported twice", "gobreaker", "closed", "half-open", func(t *testing.T) (string, string) {
		p := both(t, gobreaker.Settings{Timeout: time.Second, ReadyToTrip: first, MaxRequests: 2},
			threestate.Config{Trip: verdict.Consecutive(1), Trials: threestate.Trials{Ending: verdict.InARow(2)}})
		p.call(breaker.Failure)
		time.Sleep(time.Hour)
		trial := p.admit()
		p.report(trial, breaker.Success)
		p.report(trial, breaker.Success)
		return p.states()
	}},
	{"trials by total", "gobreaker", "busy", "ok", func(t *testing.T) (string, string) {
		p := both(t, gobreaker.Settings{Timeout: time.Second, ReadyToTrip: first, MaxRequests: 2},
			threestate.Config{Trip: verdict.Consecutive(1), Trials: threestate.Trials{Slots: 2, Ending: verdict.InARow(2)}})
		p.call(breaker.Failure)
		time.Sleep(time.Hour)
		trial := p.admit()
		p.admit()
		p.report(trial, breaker.Success)
		return p.permit()
	}},
	{"calls in flight", "gobreaker", "closed", "open", func(t *testing.T) (string, string) {
		p := both(t, gobreaker.Settings{ReadyToTrip: func(c gobreaker.Counts) bool {
			return c.Requests >= 3 && float64(c.TotalFailures)/float64(c.Requests) >= 0.6
		}}, threestate.Config{Trip: verdict.Ratio{AtLeast: 0.6, MinVolume: 3}})
		for range 3 {
			p.admit() // on their way
		}
		for range 3 {
			p.call(breaker.Failure)
		}
		return p.states()
	}},
	{"credited", "gobreaker", "closed", "open", func(t *testing.T) (string, string) {
		p := both(t,
			gobreaker.Settings{
				Interval: 3 * time.Second, BucketPeriod: time.Second,
				ReadyToTrip: func(c gobreaker.Counts) bool { return c.TotalFailures >= 2 },
			},
			threestate.Config{Trip: verdict.Failures(2), Window: window.Rolling(3*time.Second, 3)})
		long := p.admit()
		time.Sleep(4 * time.Second)
		p.call(breaker.Failure)
		p.report(long, breaker.Failure)
		return p.states()
	}},
	{"judged again", "gobreaker", "open", "closed", func(t *testing.T) (string, string) {
		p := both(t,
			gobreaker.Settings{
				Interval: 3 * time.Second, BucketPeriod: time.Second,
				ReadyToTrip: func(c gobreaker.Counts) bool { return c.TotalSuccesses+c.TotalFailures >= 2 && c.TotalFailures >= 1 },
			},
			threestate.Config{
				Trip:   verdict.OnFailure{Rule: verdict.Ratio{AtLeast: 0.5, MinVolume: 2}},
				Window: window.Rolling(3*time.Second, 3), CreditAdmission: true,
			})
		long := p.admit()
		time.Sleep(4 * time.Second)
		p.call(breaker.Failure)
		p.call(breaker.Success)
		p.report(long, breaker.Failure)
		return p.states()
	}},
	{"judged on success", "gobreaker", "closed", "open", func(t *testing.T) (string, string) {
		p := both(t,
			gobreaker.Settings{ReadyToTrip: func(c gobreaker.Counts) bool {
				return c.TotalSuccesses+c.TotalFailures >= 2 && c.TotalFailures >= 1
			}},
			threestate.Config{Trip: verdict.Ratio{AtLeast: 0.5, MinVolume: 2}})
		p.call(breaker.Failure)
		p.call(breaker.Success)
		return p.states()
	}},
	{"late result", "failsafe-go", "closed", "half-open", func(t *testing.T) (string, string) {
		theirs := circuitbreaker.NewBuilder[any]().WithDelay(time.Second).Build()
		p := oursOnly(t, threestate.Config{Trip: verdict.Consecutive(1), Cooldown: cooldown.Config{Duration: time.Second}})
		theirs.TryAcquirePermit()
		late := p.admit()
		theirs.RecordFailure()
		p.call(breaker.Failure)
		time.Sleep(time.Second)
		theirs.TryAcquirePermit()
		p.admit()
		theirs.RecordSuccess()
		p.report(late, breaker.Success)
		return theirs.State().String(), p.state()
	}},
	{"lost trial", "failsafe-go", "false", "ok", func(t *testing.T) (string, string) {
		theirs := circuitbreaker.NewBuilder[any]().WithDelay(time.Second).Build()
		p := oursOnly(t, threestate.Config{Trip: verdict.Consecutive(1)})
		theirs.RecordFailure()
		p.call(breaker.Failure)
		time.Sleep(time.Hour)
		theirs.TryAcquirePermit() // and never recorded
		p.admit()
		time.Sleep(24 * time.Hour)
		return fmt.Sprint(theirs.TryAcquirePermit()), p.permitOurs()
	}},
	{"cancelled trial", "failsafe-go", "false", "ok", func(t *testing.T) (string, string) {
		theirs := circuitbreaker.NewBuilder[any]().WithDelay(time.Second).Build()
		p := oursOnly(t, threestate.Config{Trip: verdict.Consecutive(1), Cooldown: cooldown.Config{Duration: time.Second}})
		theirs.RecordFailure()
		p.call(breaker.Failure)
		time.Sleep(time.Second)
		theirs.TryAcquirePermit() // cancelled: neither a success nor a failure can be said of it
		p.report(p.admit(), breaker.Cancelled)
		return fmt.Sprint(theirs.TryAcquirePermit()), p.permitOurs()
	}},
	{"rate rounded", "failsafe-go", "open", "closed", func(t *testing.T) (string, string) {
		theirs := circuitbreaker.NewBuilder[any]().WithFailureRateThreshold(0.5, 200, time.Minute).Build()
		p := oursOnly(t, threestate.Config{Trip: verdict.Ratio{AtLeast: 0.5, MinVolume: 200}, Window: window.Aligned(time.Minute, 10)})
		for i := range 200 {
			if i < 101 {
				theirs.RecordSuccess()
				p.call(breaker.Success)
			} else {
				theirs.RecordFailure()
				p.call(breaker.Failure)
			}
		}
		return theirs.State().String(), p.state()
	}},
	{"opened by hand", "failsafe-go", "true", "open", func(t *testing.T) (string, string) {
		theirs := circuitbreaker.NewBuilder[any]().WithDelay(time.Second).Build()
		p := oursOnly(t, threestate.Config{Trip: verdict.Consecutive(1), Cooldown: cooldown.Config{Duration: time.Second}})
		theirs.RecordFailure()
		p.call(breaker.Failure)
		time.Sleep(time.Second)
		theirs.Open()
		p.b.Open(p.now())
		return fmt.Sprint(theirs.TryAcquirePermit()), p.permitOurs()
	}},
	{"own randomness", "aegis", "drops", "passes", func(t *testing.T) (string, string) {
		theirs := sre.NewBreaker(sre.WithRequest(1))
		ours, err := adaptive.New(adaptive.Config{MinVolume: 1, Random: fixed(0.9999)})
		if err != nil {
			t.Fatal(err)
		}
		for range 1000 {
			theirs.MarkFailed()
			ours.Report(0, breaker.Permit{}, breaker.Result{Class: breaker.Failure})
		}
		outcome := func(err error) string {
			if err != nil {
				return "drops"
			}
			return "passes"
		}
		_, err = ours.Permit(0)
		return outcome(theirs.Allow()), outcome(err)
	}},
}

type fixed float64

func (f fixed) Float64() float64 { return float64(f) }

// first trips gobreaker at the first failure.
func first(c gobreaker.Counts) bool { return c.TotalFailures >= 1 }

// pair is a breaker of ours beside gobreaker's, nil where it plays alone.
type pair struct {
	*testing.T
	b      *threestate.Breaker
	theirs *gobreaker.TwoStepCircuitBreaker[any]
	clock  breaker.Clock
}

func both(t *testing.T, theirs gobreaker.Settings, ours threestate.Config) pair {
	p := oursOnly(t, ours)
	p.theirs = gobreaker.NewTwoStepCircuitBreaker[any](theirs)
	return p
}

func oursOnly(t *testing.T, cfg threestate.Config) pair {
	b, err := threestate.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return pair{T: t, b: b, clock: breaker.RealClock(time.Now())}
}

func (p pair) now() time.Duration { return p.clock.Now() }

// admit takes a permit that both must give.
func (p pair) admit() flight {
	var f flight
	var err error
	if f.permit, err = p.b.Permit(p.now()); err != nil {
		p.Fatal("ours:", err)
	}
	if p.theirs != nil {
		if f.done, err = p.theirs.Allow(); err != nil {
			p.Fatal("theirs:", err)
		}
	}
	return f
}

func (p pair) report(f flight, class breaker.Class) {
	p.b.Report(p.now(), f.permit, breaker.Result{Class: class})
	if p.theirs != nil {
		f.done(map[breaker.Class]error{breaker.Failure: errFailed}[class])
	}
}

func (p pair) call(class breaker.Class) { p.report(p.admit(), class) }

func (p pair) permit() (theirs, ours string) {
	_, err := p.theirs.Allow()
	return refusal(err), p.permitOurs()
}

func (p pair) permitOurs() string {
	_, err := p.b.Permit(p.now())
	return refusal(err)
}

func (p pair) states() (theirs, ours string) { return p.theirs.State().String(), p.state() }

func (p pair) state() string { return p.b.State(p.now()).String() }

func TestDifferences(t *testing.T) {
	for _, d := range differences {
		t.Run(d.library+"/"+d.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				theirs, ours := d.play(t)
				if theirs != d.theirs || ours != d.ours {
					t.Errorf("%s: %s, want %s; ours: %s, want %s", d.library, theirs, d.theirs, ours, d.ours)
				}
				if theirs == ours {
					t.Error("that is no difference")
				}
			})
		})
	}
}

func TestDifferencesAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("../doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(doc), "//\tdifference ")
	if !found {
		t.Fatal("no table of differences in doc.go")
	}
	var documented, played []string
	for _, row := range regexp.MustCompile(`(?m)^//\t(.{18})  (\S+)  `).FindAllStringSubmatch(table, -1) {
		documented = append(documented, row[2]+"/"+strings.TrimSpace(row[1]))
	}
	for _, d := range differences {
		played = append(played, d.library+"/"+d.name)
	}
	if got, want := strings.Join(documented, "\n"), strings.Join(played, "\n"); got != want {
		t.Errorf("documented:\n%s\nplayed:\n%s", got, want)
	}
}
