package threestate

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/cooldown"
	"github.com/poolproof/poolproof/policy/failover/breaker/trial"
	"github.com/poolproof/poolproof/policy/failover/breaker/verdict"
	"github.com/poolproof/poolproof/policy/failover/breaker/window"
)

const s = time.Second

// play drives a breaker by hand in a test.
type play struct {
	*testing.T
	b *Breaker
}

func start(t *testing.T, cfg Config) play {
	t.Helper()
	b, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return play{t, b}
}

func (p play) permit(at time.Duration) breaker.Permit {
	p.Helper()
	permit, err := p.b.Permit(at)
	if err != nil {
		p.Fatalf("at %v: refused: %v", at, err)
	}
	return permit
}

func (p play) refused(at time.Duration, want error) {
	p.Helper()
	if _, err := p.b.Permit(at); !errors.Is(err, want) {
		p.Fatalf("at %v: %v, want the refusal %v", at, err, want)
	}
}

func (p play) report(at time.Duration, permit breaker.Permit, class breaker.Class) {
	p.b.Report(at, permit, breaker.Result{Class: class})
}

// call admits and finishes a call at once.
func (p play) call(at time.Duration, class breaker.Class) {
	p.Helper()
	p.report(at, p.permit(at), class)
}

func (p play) state(at time.Duration, want breaker.State) {
	p.Helper()
	if got := p.b.State(at); got != want {
		p.Fatalf("at %v: %v, want %v", at, got, want)
	}
}

func TestTimeline(t *testing.T) {
	p := start(t, Config{Trip: verdict.Consecutive(2), Cooldown: cooldown.Config{Duration: 30 * s}})
	p.call(0, breaker.Failure)
	p.state(0, breaker.Closed)
	p.call(1*s, breaker.Failure)
	p.state(1*s, breaker.Open)
	p.refused(30*s, breaker.ErrOpen)
	p.state(30*s, breaker.Open)
	p.state(31*s, breaker.HalfOpen)
	one := p.permit(31 * s)
	p.refused(31*s, breaker.ErrBusy)
	p.report(31*s, one, breaker.Failure)
	p.state(31*s, breaker.Open)
	p.refused(60*s, breaker.ErrOpen)
	two := p.permit(61 * s)
	p.report(62*s, two, breaker.Success)
	p.state(62*s, breaker.Closed)
}

func TestDefaults(t *testing.T) {
	p := start(t, Config{})
	for i := range DefaultConsecutive {
		p.state(0, breaker.Closed)
		if i == 2 {
			p.call(0, breaker.Neutral)
			p.call(0, breaker.Cancelled)
		}
		p.call(0, breaker.Failure)
	}
	if got := p.b.Remaining(1 * s); got != 29*s {
		t.Errorf("remaining %v", got)
	}
	p.refused(30*s-1, breaker.ErrOpen)
	p.call(30*s, breaker.Success)
	p.state(30*s, breaker.Closed)
	if got := p.b.Remaining(30 * s); got != 0 {
		t.Errorf("a closed breaker has %v remaining", got)
	}
}

func TestSuccessBreaksARow(t *testing.T) {
	p := start(t, Config{Trip: verdict.Consecutive(2)})
	for range 10 {
		p.call(0, breaker.Failure)
		p.call(0, breaker.Success)
	}
	p.state(0, breaker.Closed)
}

func TestLateResultsChangeNothing(t *testing.T) {
	p := start(t, Config{Trip: verdict.Consecutive(1)})
	early, late := p.permit(0), p.permit(0)
	p.call(0, breaker.Failure)
	p.report(1*s, early, breaker.Success)
	p.state(1*s, breaker.Open)
	trial := p.permit(30 * s)
	p.report(31*s, late, breaker.Success)
	p.state(31*s, breaker.HalfOpen)
	p.report(31*s, late, breaker.Failure)
	p.state(31*s, breaker.HalfOpen)
	p.report(31*s, late, breaker.Cancelled)
	p.refused(31*s, breaker.ErrBusy)
	p.report(32*s, trial, breaker.Success)
	p.report(32*s, late, breaker.Failure)
	p.report(32*s, trial, breaker.Failure)
	p.state(32*s, breaker.Closed)
}

// The generation is looked at again under the lock: the breaker may have changed between the two looks.
func TestLateResultThatMetTheLock(t *testing.T) {
	p := start(t, Config{Trip: verdict.Consecutive(1)})
	late := p.permit(0)
	p.call(0, breaker.Failure)
	trial := p.permit(30 * s)
	p.b.report(30*s, late, breaker.Result{Class: breaker.Failure})
	p.state(30*s, breaker.HalfOpen)
	p.report(30*s, trial, breaker.Success)
	p.b.report(30*s, late, breaker.Result{Class: breaker.Failure})
	p.b.report(30*s, trial, breaker.Result{Class: breaker.Failure})
	p.state(30*s, breaker.Closed)
}

func TestLostTrialFreesItsSlot(t *testing.T) {
	p := start(t, Config{Trip: verdict.Consecutive(1), Trials: Trials{Lease: 10 * s}})
	p.call(0, breaker.Failure)
	lost := p.permit(30 * s)
	p.refused(40*s-1, breaker.ErrBusy)
	next := p.permit(40 * s)
	p.report(41*s, lost, breaker.Success)
	p.state(41*s, breaker.HalfOpen)
	p.report(41*s, lost, breaker.Failure)
	p.state(41*s, breaker.HalfOpen)
	p.refused(41*s, breaker.ErrBusy)
	p.report(42*s, next, breaker.Success)
	p.state(42*s, breaker.Closed)
}

func TestNoLeaseKeepsTheSlot(t *testing.T) {
	p := start(t, Config{Trip: verdict.Consecutive(1), Trials: Trials{Lease: trial.NoLease}})
	p.call(0, breaker.Failure)
	lost := p.permit(30 * s)
	p.refused(1e6*s, breaker.ErrBusy)
	p.report(1e6*s, lost, breaker.Success)
	p.state(1e6*s, breaker.Closed)
}

func TestCancelledAndNeutralTrialsAreGivenBack(t *testing.T) {
	p := start(t, Config{Trip: verdict.Consecutive(1), Trials: Trials{Total: 1}})
	p.call(0, breaker.Failure)
	for i := range 5 {
		at := 30*s + time.Duration(i)*s
		trial := p.permit(at)
		p.refused(at, breaker.ErrBusy)
		p.report(at, trial, []breaker.Class{breaker.Cancelled, breaker.Neutral}[i%2])
		p.state(at, breaker.HalfOpen)
	}
	p.call(40*s, breaker.Success)
	p.state(40*s, breaker.Closed)
}

func TestBoundedTrials(t *testing.T) {
	p := start(t, Config{Trip: verdict.Consecutive(1), Trials: Trials{Slots: 2, Ending: verdict.OutOf{Successes: 2, Of: 3}}})
	p.call(0, breaker.Failure)
	a, b := p.permit(30*s), p.permit(30*s)
	p.refused(30*s, breaker.ErrBusy)
	p.report(30*s, a, breaker.Failure)
	p.state(30*s, breaker.HalfOpen)
	p.report(30*s, b, breaker.Success)
	p.state(30*s, breaker.HalfOpen)
	if got := p.b.Counts(); got.Total != 2 || got.Failures != 1 {
		t.Errorf("counts of the trials: %+v", got)
	}
	p.call(30*s, breaker.Success)
	p.state(30*s, breaker.Closed)
}

func TestRatioWithMinimumVolume(t *testing.T) {
	p := start(t, Config{Trip: verdict.Ratio{AtLeast: 0.5, MinVolume: 10}, Window: window.Rolling(10*s, 10)})
	for i := range 9 {
		p.call(time.Duration(i)*s/2, breaker.Failure)
	}
	p.state(5*s, breaker.Closed)
	p.call(5*s, breaker.Success) // completes the volume
	p.state(5*s, breaker.Open)
}

func TestOldResultsLeaveTheWindow(t *testing.T) {
	p := start(t, Config{Trip: verdict.Failures(3), Window: window.Rolling(10*s, 10)})
	p.call(0, breaker.Failure)
	p.call(1*s, breaker.Failure)
	p.call(10*s, breaker.Failure)
	p.state(10*s, breaker.Closed)
	p.call(10900*time.Millisecond, breaker.Failure)
	p.state(11*s, breaker.Open)
}

func TestSlowCalls(t *testing.T) {
	p := start(t, Config{Trip: verdict.SlowCount(2), Window: window.LastN(10), SlowAfter: 3 * s})
	slow := func(at, took time.Duration, timedOut bool) {
		p.b.Report(at, p.permit(at), breaker.Result{Class: breaker.Success, Latency: took, TimedOut: timedOut})
	}
	slow(0, 3*s, false)
	slow(0, 3*s+1, false)
	p.b.Report(0, p.permit(0), breaker.Result{Class: breaker.Cancelled, Latency: time.Hour})
	p.state(0, breaker.Closed)
	slow(0, 1*s, true)
	p.state(0, breaker.Open)
	slow(30*s, 5*s, false) // a slow trial is a failed one
	p.state(35*s, breaker.Open)
	slow(60*s, 2*s, false)
	p.state(62*s, breaker.Closed)
}

func TestCreditAdmission(t *testing.T) {
	p := start(t, Config{Trip: verdict.Failures(2), Window: window.Tumbling(10 * s), CreditAdmission: true})
	crossing := p.permit(9 * s)
	p.call(11*s, breaker.Failure)
	p.report(12*s, crossing, breaker.Failure)
	p.state(12*s, breaker.Closed)
	p.call(13*s, breaker.Failure)
	p.state(13*s, breaker.Open)
}

func TestCooldownGrowsAndStartsAnew(t *testing.T) {
	p := start(t, Config{
		Trip:     verdict.Consecutive(1),
		Cooldown: cooldown.Config{Duration: 10 * s, Growth: cooldown.Exponential, Max: 30 * s},
	})
	at := time.Duration(0)
	for _, want := range []time.Duration{10 * s, 20 * s, 30 * s, 30 * s} {
		p.call(at, breaker.Failure)
		if got := p.b.Remaining(at); got != want {
			t.Fatalf("at %v: open for %v, want %v", at, got, want)
		}
		at += want
	}
	p.call(at, breaker.Success)
	p.call(at, breaker.Failure)
	if got := p.b.Remaining(at); got != 10*s {
		t.Errorf("after a close: open for %v", got)
	}
}

func TestJitter(t *testing.T) {
	cfg := Config{
		Trip: verdict.Consecutive(1), Cooldown: cooldown.Config{Duration: 10 * s, Jitter: 0.2},
		Random: rand.New(rand.NewPCG(1, 2)),
	}
	seen := map[time.Duration]bool{}
	for range 50 {
		p := start(t, cfg)
		p.call(0, breaker.Failure)
		left := p.b.Remaining(0)
		if left < 8*s || left > 12*s {
			t.Fatalf("open for %v", left)
		}
		seen[left] = true
	}
	if len(seen) < 40 {
		t.Errorf("only %d different cooldowns", len(seen))
	}
}

func TestByHand(t *testing.T) {
	var changes []breaker.Change
	cfg := Config{Trip: verdict.Consecutive(1), OnChange: func(c breaker.Change) { changes = append(changes, c) }}
	p := start(t, cfg)
	before := p.permit(0)
	p.b.Close(0) // already closed
	p.b.Open(1 * s)
	p.b.Open(20 * s) // keeps its cooldown
	p.refused(31*s-1, breaker.ErrOpen)
	p.b.Advance(31*s - 1)
	p.b.Advance(31 * s)
	p.b.Open(32 * s)
	p.b.Open(62 * s) // the cooldown is over, nobody has asked yet
	p.b.Close(63 * s)
	p.report(63*s, before, breaker.Failure)
	p.state(63*s, breaker.Closed)
	want := []breaker.Change{
		{At: 1 * s, Until: 31 * s, Generation: 1, From: breaker.Closed, To: breaker.Open},
		{At: 31 * s, Generation: 2, From: breaker.Open, To: breaker.HalfOpen},
		{At: 32 * s, Until: 62 * s, Generation: 3, From: breaker.HalfOpen, To: breaker.Open},
		{At: 62 * s, Until: 92 * s, Generation: 4, From: breaker.Open, To: breaker.Open},
		{At: 63 * s, Generation: 5, From: breaker.Open, To: breaker.Closed},
	}
	if !slices.Equal(changes, want) {
		t.Errorf("changes\n%+v, want\n%+v", changes, want)
	}
}

func TestOnChangeMayUseTheBreaker(t *testing.T) {
	var p play
	told := false
	p = start(t, Config{Trip: verdict.Consecutive(1), OnChange: func(c breaker.Change) {
		told = true
		p.refused(c.At, breaker.ErrOpen)
		p.b.Counts()
	}})
	p.call(0, breaker.Failure)
	if !told {
		t.Error("not told")
	}
}

func TestNoCooldown(t *testing.T) {
	p := start(t, Config{Trip: verdict.Consecutive(1), Cooldown: cooldown.Config{Duration: cooldown.None}})
	p.call(0, breaker.Failure)
	p.state(0, breaker.HalfOpen)
	p.call(0, breaker.Failure)
	p.call(0, breaker.Success)
	p.state(0, breaker.Closed)
}

func TestNewRefuses(t *testing.T) {
	for name, cfg := range map[string]Config{
		"rule":            {Trip: verdict.Consecutive(0)},
		"window":          {Window: window.LastN(0)},
		"cooldown":        {Cooldown: cooldown.Config{Duration: -5}},
		"ending":          {Trials: Trials{Ending: verdict.InARow(0)}},
		"slots":           {Trials: Trials{Slots: -1}},
		"too many slots":  {Trials: Trials{Slots: MaxSlots + 1}},
		"total":           {Trials: Trials{Total: 2, Ending: verdict.InARow(3)}},
		"negative total":  {Trials: Trials{Total: -1}},
		"lease":           {Trials: Trials{Lease: -2}},
		"slow":            {SlowAfter: -1},
		"jitter unseeded": {Cooldown: cooldown.Config{Jitter: 0.1}},
	} {
		if b, err := New(cfg); err == nil || b != nil {
			t.Errorf("%s: passes", name)
		}
	}
}
