package resilience4j

import (
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker"
)

const (
	s  = time.Second
	ms = time.Millisecond
)

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

func (p play) permit(at time.Duration, want error) {
	p.Helper()
	if _, err := p.b.Permit(at); !errors.Is(err, want) {
		p.Fatalf("at %v: %v, want %v", at, err, want)
	}
}

func (p play) result(at time.Duration, class breaker.Class, times int) {
	for range times {
		p.b.Report(at, breaker.Permit{}, breaker.Result{Class: class})
	}
}

func (p play) call(at time.Duration, class breaker.Class, times int) {
	p.Helper()
	for range times {
		p.permit(at, nil)
		p.result(at, class, 1)
	}
}

func (p play) state(at time.Duration, want breaker.State) {
	p.Helper()
	if got := p.b.State(at); got != want {
		p.Fatalf("at %v: %v, want %v", at, got, want)
	}
}

// small has a minimum of 5 calls of the last 10.
var small = Config{SlidingWindowSize: 10, MinimumNumberOfCalls: 5, PermittedNumberOfCallsInHalfOpenState: 4}

func TestDefaults(t *testing.T) {
	p := start(t, Config{})
	p.call(0, breaker.Failure, 99)
	p.state(0, breaker.Closed)
	p.call(0, breaker.Failure, 1)
	p.state(0, breaker.Open)
	p.permit(60*s, breaker.ErrOpen) // strictly after the wait
	p.state(60*s, breaker.Open)
	p.state(60*s+1, breaker.HalfOpen)
	p.call(60*s+1, breaker.Success, 5)
	p.call(60*s+1, breaker.Failure, 4)
	p.state(60*s+1, breaker.HalfOpen)
	p.call(60*s+1, breaker.Success, 1) // 4 of 10 failed
	p.state(60*s+1, breaker.Closed)
}

func TestMinimumIsBoundedByTheWindow(t *testing.T) {
	p := start(t, Config{SlidingWindowSize: 10}) // minimumNumberOfCalls stays 100
	p.call(0, breaker.Failure, 9)
	p.state(0, breaker.Closed)
	p.call(0, breaker.Failure, 1)
	p.state(0, breaker.Open)
}

func TestJudgedAfterEveryResult(t *testing.T) {
	p := start(t, small)
	p.call(0, breaker.Failure, 4)
	p.call(0, breaker.Success, 1) // a success completes the minimum: 4 of 5
	p.state(0, breaker.Open)
}

func TestRateAtThreshold(t *testing.T) {
	p := start(t, small)
	p.call(0, breaker.Success, 5)
	p.call(0, breaker.Failure, 4)
	p.state(0, breaker.Closed)
	p.call(0, breaker.Failure, 1) // 5 of 10
	p.state(0, breaker.Open)
}

func TestCountWindowSlides(t *testing.T) {
	p := start(t, small)
	p.call(0, breaker.Success, 2)
	p.call(0, breaker.Failure, 2)
	p.call(0, breaker.Success, 8) // the last ten: 2 failures, 8 successes
	p.call(0, breaker.Failure, 2) // they push out the two first failures
	p.state(0, breaker.Closed)
	p.call(0, breaker.Failure, 2)
	p.state(0, breaker.Closed)
	p.call(0, breaker.Failure, 1)
	p.state(0, breaker.Open)
}

func TestTimeWindow(t *testing.T) {
	cfg := Config{SlidingWindowType: TimeBased, SlidingWindowSize: 3, MinimumNumberOfCalls: 4}
	p := start(t, cfg)
	p.call(900*ms, breaker.Failure, 3) // second 0 of the clock
	p.call(3000*ms, breaker.Failure, 1)
	p.state(3*s, breaker.Closed) // second 0 has left
	p.call(5999*ms, breaker.Failure, 3)
	p.state(5999*ms, breaker.Open) // seconds 3 to 5

	cfg.LockFree = true // seconds begin with the breaker: here after its close at 0.5 s
	cfg.Initial = breaker.Open
	cfg.Wait = Constant(100 * ms)
	cfg.PermittedNumberOfCallsInHalfOpenState = 1
	p = start(t, cfg)
	p.call(500*ms, breaker.Success, 1)
	p.state(500*ms, breaker.Closed)
	p.call(1400*ms, breaker.Failure, 3) // its second 0
	p.call(3499*ms, breaker.Failure, 1) // its second 2
	p.state(3499*ms, breaker.Open)
}

func TestSlowCalls(t *testing.T) {
	cfg := small
	cfg.SlowCallDurationThreshold, cfg.SlowCallRateThreshold = 2*s, 60
	p := start(t, cfg)
	slow := func(took time.Duration) {
		p.b.Report(0, breaker.Permit{}, breaker.Result{Class: breaker.Success, Latency: took})
	}
	slow(2 * s)
	slow(2 * s) // not longer than the threshold
	slow(2*s + 1)
	slow(3 * s)
	p.state(0, breaker.Closed)
	slow(3 * s) // 3 of 5
	p.state(0, breaker.Open)
}

func TestHalfOpenPermitsAreATotal(t *testing.T) {
	cfg := small
	cfg.MinimumNumberOfCalls = 100
	p := start(t, cfg)
	p.call(0, breaker.Failure, 10)
	at := 61 * s
	for range 4 {
		p.permit(at, nil)
	}
	p.permit(at, breaker.ErrBusy)
	p.result(at, breaker.Success, 3)
	p.permit(at, breaker.ErrBusy) // results do not bring permits back
	p.state(at, breaker.HalfOpen)
	p.permit(1e6*s, breaker.ErrBusy) // and without a longest period nothing ever will
	p.result(1e6*s, breaker.Success, 1)
	p.state(1e6*s, breaker.Closed)
}

func TestHalfOpenDecidesAtTheMinimum(t *testing.T) {
	cfg := Config{SlidingWindowSize: 10, MinimumNumberOfCalls: 5} // 10 permitted
	p := start(t, cfg)
	p.call(0, breaker.Failure, 5)
	p.call(61*s, breaker.Failure, 2)
	p.call(61*s, breaker.Success, 2)
	p.state(61*s, breaker.HalfOpen)
	p.call(61*s, breaker.Success, 1) // 2 of 5 failed
	p.state(61*s, breaker.Closed)
	p.call(61*s, breaker.Failure, 5)
	p.call(122*s, breaker.Success, 2)
	p.call(122*s, breaker.Failure, 3)
	p.state(122*s, breaker.Open)
}

func TestIgnoredResultsReturnPermits(t *testing.T) {
	p := start(t, small)
	p.permit(0, nil) // a call that outlives the trip
	p.call(0, breaker.Failure, 5)
	for range 4 {
		p.permit(61*s, nil)
	}
	p.permit(61*s, breaker.ErrBusy)
	p.result(61*s, breaker.Neutral, 1)
	p.permit(61*s, nil)
	p.result(61*s, breaker.Cancelled, 1)
	p.permit(61*s, nil)
	p.result(61*s, breaker.Neutral, 1) // the one from before the trip: a fifth trial beside the four
	p.permit(61*s, nil)
	p.permit(61*s, breaker.ErrBusy)
}

func TestLateResultsDecide(t *testing.T) {
	p := start(t, small)
	for range 4 {
		p.permit(0, nil)
	}
	p.call(0, breaker.Failure, 5)
	p.result(30*s, breaker.Success, 3) // while open they change nothing
	p.state(30*s, breaker.Open)
	p.permit(61*s, nil)
	p.result(61*s, breaker.Success, 4) // in half-open they are the verdict
	p.state(61*s, breaker.Closed)
}

func TestWaitGrowsWithEachOpening(t *testing.T) {
	cfg := small
	cfg.PermittedNumberOfCallsInHalfOpenState = 1
	cfg.Wait = Exponential(10*s, 2, 35*s)
	p := start(t, cfg)
	p.call(0, breaker.Failure, 5)
	at := time.Duration(0)
	for _, wait := range []time.Duration{10 * s, 20 * s, 35 * s, 35 * s} {
		p.permit(at+wait, breaker.ErrOpen)
		at += wait + 1
		p.call(at, breaker.Failure, 1)
		p.state(at, breaker.Open)
	}
	at += 36 * s
	p.call(at, breaker.Success, 1)
	p.state(at, breaker.Closed)
	p.call(at, breaker.Failure, 5) // a close begins a new row
	p.permit(at+10*s, breaker.ErrOpen)
	p.permit(at+10*s+1, nil)
}

func TestMaxWaitInHalfOpen(t *testing.T) {
	cfg := small
	cfg.MaxWaitDurationInHalfOpenState = 5*s + 400*time.Microsecond // whole milliseconds count
	for _, c := range []struct {
		closes bool
		want   breaker.State
	}{{false, breaker.Open}, {true, breaker.Closed}} {
		cfg.CloseAfterMaxWait = c.closes
		p := start(t, cfg)
		p.call(0, breaker.Failure, 5)
		p.permit(61*s, nil)
		p.state(66*s-1, breaker.HalfOpen)
		p.state(66*s, c.want)
		if !c.closes {
			// the timer acted at 66 s, whoever looks later
			p.permit(126*s, breaker.ErrOpen)
			p.permit(126*s+1, nil)
		}
	}
}

func TestAutomaticTransition(t *testing.T) {
	var at []time.Duration
	cfg := small
	cfg.AutomaticTransitionFromOpenToHalfOpenEnabled = true
	cfg.MaxWaitDurationInHalfOpenState = 10 * s
	cfg.Wait = Constant(20 * s)
	cfg.OnChange = func(c breaker.Change) { at = append(at, c.At) }
	p := start(t, cfg)
	p.call(0, breaker.Failure, 5)
	p.b.Advance(75 * s) // timers alone: half-open at 20, open at 30, half-open at 50, open at 60
	if want := []time.Duration{0, 20 * s, 30 * s, 50 * s, 60 * s}; !slices.Equal(at, want) {
		t.Errorf("changes at %v, want %v", at, want)
	}
	p.permit(80*s, nil) // at the end of the wait, not after it
}

func TestModesAndInitialState(t *testing.T) {
	p := start(t, Config{InitialMode: ForcedOpen})
	p.permit(1e9*s, breaker.ErrOpen)
	p.state(1e9*s, breaker.Open)
	cfg := small
	cfg.InitialMode = Disabled
	p = start(t, cfg)
	p.call(0, breaker.Failure, 100)
	p.state(0, breaker.Closed)
	p.b.SetMode(0, MetricsOnly)
	p.call(0, breaker.Failure, 100)
	p.state(0, breaker.Closed)
	p.b.SetMode(0, Normal)
	p.call(0, breaker.Failure, 4)
	p.state(0, breaker.Closed)
	p.call(0, breaker.Failure, 1)
	p.state(0, breaker.Open)

	p = start(t, Config{Initial: breaker.Open})
	p.permit(60*s, breaker.ErrOpen)
	p.permit(60*s+1, nil)
	cfg = small
	cfg.Initial, cfg.Wait = breaker.HalfOpen, Exponential(10*s, 2, 0)
	p = start(t, cfg)
	p.call(0, breaker.Success, 4)
	p.state(0, breaker.Closed)
	p = start(t, cfg)
	p.call(0, breaker.Failure, 4)
	p.permit(20*s, breaker.ErrOpen) // it counts as having been open once
	p.permit(20*s+1, nil)
}

func TestRatesAre32Bit(t *testing.T) {
	// 1 of 3 is 33.333332 as a 32-bit float: below 33.33334, at 33.333332
	for _, c := range []struct {
		threshold float32
		want      breaker.State
	}{{33.33334, breaker.Closed}, {33.333332, breaker.Open}} {
		p := start(t, Config{FailureRateThreshold: c.threshold, SlidingWindowSize: 3, MinimumNumberOfCalls: 3})
		p.call(0, breaker.Success, 2)
		p.call(0, breaker.Failure, 1)
		p.state(0, c.want)
	}
}

func TestWaits(t *testing.T) {
	r := fixed(0.75)
	for _, c := range []struct {
		name string
		wait Wait
		want []time.Duration
	}{
		{"constant", Constant(60 * s), []time.Duration{60 * s, 60 * s}},
		{"default multiplier", Exponential(500*ms, DefaultMultiplier, 0), []time.Duration{500 * ms, 750 * ms, 1125 * ms, 1687 * ms, 2530 * ms}},
		{"cut to milliseconds, it never grows", Exponential(ms, 1.5, 0), []time.Duration{ms, ms, ms}},
		{"bounded", Exponential(10*s, 3, 50*s), []time.Duration{10 * s, 30 * s, 50 * s, 50 * s}},
		{"random", Randomized(10*s, 0.5), []time.Duration{12500 * ms, 12500 * ms}},                     // 5000 + 0.75*10001
		{"growing random", ExponentialRandom(10*s, 2, 0.5, 20*s), []time.Duration{12500 * ms, 20 * s}}, // 25 s, bounded
	} {
		for i, want := range c.want {
			if got := c.wait.After(i+1, r); got != want {
				t.Errorf("%s: wait %d is %v, want %v", c.name, i+1, got, want)
			}
		}
	}
	if got := Exponential(time.Hour, 10, 0).After(1<<30, nil); got <= 0 {
		t.Errorf("an endless row waits %v", got)
	}
}

type fixed float64

func (f fixed) Float64() float64 { return float64(f) }

func TestNewRefuses(t *testing.T) {
	for name, cfg := range map[string]Config{
		"failure rate":  {FailureRateThreshold: 101},
		"negative rate": {FailureRateThreshold: -1},
		"slow rate":     {SlowCallRateThreshold: 100.5},
		"slow duration": {SlowCallDurationThreshold: -1},
		"window":        {SlidingWindowSize: -1},
		"lock-free":     {SlidingWindowType: TimeBased, SlidingWindowSize: 1, LockFree: true},
		"minimum":       {MinimumNumberOfCalls: -1},
		"permitted":     {PermittedNumberOfCallsInHalfOpenState: -1},
		"longest":       {MaxWaitDurationInHalfOpenState: -1},
		"type":          {SlidingWindowType: 7},
		"random":        {Wait: Randomized(s, 0.5)},
	} {
		if _, err := New(cfg); err == nil {
			t.Errorf("%s: passes", name)
		}
	}
	if _, err := New(Config{Wait: Randomized(s, 0.5), Random: fixed(0)}); err != nil {
		t.Error(err)
	}
}

func TestConcurrent(t *testing.T) {
	cfg := small
	cfg.Wait, cfg.MaxWaitDurationInHalfOpenState = Constant(3*ms), 2*ms
	opened := 0
	var mu sync.Mutex
	cfg.OnChange = func(c breaker.Change) {
		mu.Lock()
		defer mu.Unlock()
		if c.To == breaker.Open {
			opened++
		}
	}
	p := start(t, cfg)
	var wg sync.WaitGroup
	for g := range 64 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(g), 3))
			for i := range 1000 {
				now := time.Duration(i) * ms / 4
				if permit, err := p.b.Permit(now); err == nil {
					p.b.Report(now, permit, breaker.Result{Class: breaker.Class(r.IntN(4))})
				}
				p.b.State(now)
			}
		})
	}
	wg.Wait()
	if opened == 0 {
		t.Error("never opened")
	}
}

func TestNothingAllocates(t *testing.T) {
	for _, cfg := range []Config{small, {SlidingWindowType: TimeBased, SlidingWindowSize: 3, MinimumNumberOfCalls: 4}} {
		cfg.Wait = Constant(20 * ms)
		p := start(t, cfg)
		var now time.Duration
		i := 0
		if n := testing.AllocsPerRun(5000, func() {
			now += ms
			i++
			if permit, err := p.b.Permit(now); err == nil {
				p.b.Report(now, permit, breaker.Result{Class: []breaker.Class{breaker.Success, breaker.Failure}[i/20%2]})
			}
		}); n != 0 {
			t.Errorf("%v allocations a call", n)
		}
	}
}
