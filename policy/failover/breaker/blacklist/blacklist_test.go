package blacklist

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker"
	"pgregory.net/rapid"
)

const s = time.Second

func start(t testing.TB, cfg Config, endpoints int) *List {
	t.Helper()
	l, err := New(cfg, endpoints)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// slow reports at a moment a call that took so long, sent in the endpoint's current generation.
func slow(l *List, at time.Duration, endpoint int, took time.Duration) {
	p := breaker.Permit{Generation: l.endpoints[endpoint].generation.Load()}
	l.Report(at, endpoint, p, breaker.Result{Class: breaker.Success, Latency: took})
}

func TestBlockAndExpiry(t *testing.T) {
	l := start(t, Config{Slow: 3 * s}, 2)
	slow(l, 0, 0, 3*s) // not over the threshold
	slow(l, 0, 0, 3*s+1)
	slow(l, 4999*time.Millisecond, 0, 9*s) // the same burst
	if l.Blocked(5*s, 0) {
		t.Fatal("blocked by one burst")
	}
	slow(l, 5*s, 0, 9*s)
	if !l.Blocked(5*s, 0) || l.Blocked(5*s, 1) {
		t.Fatal("two samples do not block exactly their endpoint")
	}
	if _, err := l.Permit(34*s, 0); !errors.Is(err, breaker.ErrBlocked) {
		t.Errorf("within its TTL: %v", err)
	}
	if got := l.Eligible(34*s, nil); !slices.Equal(got, []int{1}) {
		t.Errorf("eligible %v", got)
	}
	if until, blocked := l.BlockedUntil(34*s, 0); until != 35*s || !blocked {
		t.Errorf("blocked until %v, %v", until, blocked)
	}
	if _, err := l.Permit(35*s, 0); err != nil {
		t.Errorf("at the end of its TTL: %v", err)
	}
	slow(l, 36*s, 0, 9*s)
	if l.Blocked(36*s, 0) {
		t.Error("samples from before the block count after it")
	}
}

func TestAllBlocked(t *testing.T) {
	for _, c := range []struct {
		allOut   AllOut
		refusal  error
		eligible []int
	}{
		{Pass, nil, []int{0, 1, 2}},
		{Refuse, breaker.ErrBlocked, nil},
	} {
		l := start(t, Config{Slow: 3 * s, Confirmations: 1, AllOut: c.allOut}, 3)
		for i := range 3 {
			slow(l, time.Duration(i)*s, i, 9*s)
		}
		if !l.AllBlocked(29 * s) {
			t.Fatal("not all are blocked")
		}
		if _, err := l.Permit(29*s, 1); !errors.Is(err, c.refusal) {
			t.Errorf("%v: %v, want %v", c.allOut, err, c.refusal)
		}
		if got := l.Eligible(29*s, nil); !slices.Equal(got, c.eligible) {
			t.Errorf("%v: eligible %v, want %v", c.allOut, got, c.eligible)
		}
		if l.AllBlocked(30*s) || !slices.Equal(l.Eligible(30*s, nil), []int{0}) {
			t.Errorf("%v: the first block is over at 30 s", c.allOut)
		}
	}
}

// jitter plays one call a second for 40 s to an endpoint whose answers take so long while a shared jitter of 30 s lasts,
// with the caller's own time-out, and returns how many samples counted and when they confirmed.
func jitter(t *testing.T, cfg Config, latency, timeout time.Duration) (samples int, confirmed []time.Duration) {
	cfg.OnBlock = func(b Block) { confirmed = append(confirmed, b.At) }
	l := start(t, cfg, 2)
	type call struct {
		end time.Duration
		p   breaker.Permit
		r   breaker.Result
	}
	var calls []call
	for at := time.Duration(0); at < 30*s; at += s {
		p, err := l.Permit(at, 0)
		if err != nil {
			continue
		}
		r := breaker.Result{Class: breaker.Success, Latency: latency}
		if latency > timeout {
			r = breaker.Result{Class: breaker.Failure, Latency: timeout, TimedOut: true}
		}
		calls = append(calls, call{at + r.Latency, p, r})
	}
	for _, c := range calls {
		before := len(l.endpoints[0].counted)
		l.Report(c.end, 0, c.p, c.r)
		if len(l.endpoints[0].counted) != before {
			samples++
		}
	}
	return samples, confirmed
}

func TestJitterOf30Seconds(t *testing.T) {
	// Threshold 3 s, answers after 4 s: samples at 4, 9, 14, 19, 24, 29 s. With confirmations out of reach they can be
	// counted; with 2 the second one blocks.
	if n, _ := jitter(t, Config{Slow: 3 * s, Confirmations: 100}, 4*s, 120*s); n != 6 {
		t.Errorf("%d samples, want 6", n)
	}
	if _, at := jitter(t, Config{Slow: 3 * s}, 4*s, 120*s); len(at) != 1 || at[0] != 9*s {
		t.Errorf("confirmed at %v, want 9s", at)
	}
	if _, at := jitter(t, Config{Slow: 3 * s, Confirmations: 3}, 4*s, 120*s); len(at) != 1 || at[0] != 14*s {
		t.Errorf("confirmed 3 at %v, want 14s", at)
	}
	// Threshold 70 s: no call of a jitter of 30 s lasts that long,
	if n, at := jitter(t, Config{}, 30*s, 120*s); n != 0 || at != nil {
		t.Errorf("%d samples, confirmed at %v, want none", n, at)
	}
	// unless calls hang beyond it.
	if _, at := jitter(t, Config{}, 71*s, 120*s); len(at) != 1 || at[0] != 76*s {
		t.Errorf("hanging: confirmed at %v, want 76s", at)
	}
	// A time-out is a sample at the time-out, however short.
	if _, at := jitter(t, Config{}, 71*s, 10*s); len(at) != 1 || at[0] != 15*s {
		t.Errorf("timing out: confirmed at %v, want 15s", at)
	}
}

func TestWhatWasSentBeforeTheBlockIsForgotten(t *testing.T) {
	l := start(t, Config{Slow: 3 * s, Dedupe: NoDedupe}, 2)
	before, err := l.Permit(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	slow(l, 4*s, 0, 4*s)
	slow(l, 5*s, 0, 4*s)
	for at := 6 * s; at < 60*s; at += s {
		l.Report(at, 0, before, breaker.Result{Class: breaker.Failure, Latency: at, TimedOut: true})
	}
	if l.Blocked(35*s, 0) {
		t.Error("calls from before the block keep the endpoint out")
	}
}

func TestPassedThroughCallsRenewTheBlock(t *testing.T) {
	l := start(t, Config{Slow: 3 * s, Confirmations: 1}, 1)
	slow(l, 0, 0, 9*s)
	p, err := l.Permit(10*s, 0)
	if err != nil {
		t.Fatal(err)
	}
	l.Report(20*s, 0, p, breaker.Result{Class: breaker.Success, Latency: 10 * s})
	if until, _ := l.BlockedUntil(20*s, 0); until != 50*s {
		t.Errorf("blocked until %v, want 50s", until)
	}
}

func TestWithin(t *testing.T) {
	l := start(t, Config{Slow: 3 * s, Within: 60 * s}, 2)
	slow(l, 0, 0, 9*s)
	slow(l, 61*s, 0, 9*s)
	if l.Blocked(61*s, 0) {
		t.Error("a sample counts after it was forgotten")
	}
	slow(l, 121*s, 0, 9*s)
	if !l.Blocked(121*s, 0) {
		t.Error("two samples within the minute do not block")
	}
	l = start(t, Config{Slow: 3 * s}, 2)
	slow(l, 0, 0, 9*s)
	slow(l, 9999*s, 0, 9*s)
	if !l.Blocked(9999*s, 0) {
		t.Error("without a limit samples are kept")
	}
}

func TestWhatCounts(t *testing.T) {
	l := start(t, Config{Slow: 3 * s, Confirmations: 1}, 2)
	for _, class := range []breaker.Class{breaker.Neutral, breaker.Cancelled} {
		l.Report(0, 0, breaker.Permit{}, breaker.Result{Class: class, Latency: time.Hour, TimedOut: true})
	}
	l.Report(0, 0, breaker.Permit{}, breaker.Result{Class: breaker.Failure}) // failed, but fast
	if l.Blocked(0, 0) {
		t.Error("blocked")
	}
}

func TestClear(t *testing.T) {
	l := start(t, Config{Slow: 3 * s, Confirmations: 1}, 2)
	slow(l, 0, 0, 9*s)
	l.Clear(0)
	if l.Blocked(1*s, 0) {
		t.Error("still blocked")
	}
	slow(l, 1*s, 0, 9*s)
	if !l.Blocked(1*s, 0) {
		t.Error("a fresh sample within the old dedupe interval does not count")
	}
}

func TestNewRefuses(t *testing.T) {
	for name, cfg := range map[string]Config{
		"slow": {Slow: -1}, "TTL": {TTL: -1}, "within": {Within: -1}, "dedupe": {Dedupe: -2}, "confirmations": {Confirmations: -1},
		"too many": {Confirmations: 1<<16 + 1}, "all out": {AllOut: 9},
	} {
		if _, err := New(cfg, 3); err == nil {
			t.Errorf("%s: passes", name)
		}
	}
	if _, err := New(Config{}, -1); err == nil {
		t.Error("-1 endpoints pass")
	}
	l := start(t, Config{}, 0)
	if l.AllBlocked(0) || len(l.Eligible(0, nil)) != 0 {
		t.Error("a list of no endpoints has blocked ones, or eligible ones")
	}
}

// Whatever happens, a list that passes when all are out never leaves a call without an endpoint, never offers a blocked
// endpoint beside one that is not, and counts at most one sample per dedupe interval.
func TestAllOutNeverRefuses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "endpoints")
		cfg := Config{Slow: 3 * s, Confirmations: rapid.IntRange(1, 3).Draw(t, "confirmations")}
		l, err := New(cfg, n)
		if err != nil {
			t.Fatal(err)
		}
		type call struct {
			endpoint int
			p        breaker.Permit
		}
		var flying []call
		var now time.Duration
		for range rapid.IntRange(1, 200).Draw(t, "ops") {
			now += rapid.SampledFrom([]time.Duration{0, s, 3 * s, 7 * s, 31 * s}).Draw(t, "step")
			eligible := l.Eligible(now, nil)
			if len(eligible) == 0 {
				t.Fatalf("at %v nothing is eligible", now)
			}
			free := 0
			for i := range n {
				if !l.Blocked(now, i) {
					free++
				}
			}
			for i := range n {
				_, err := l.Permit(now, i)
				if want := free == 0 || !l.Blocked(now, i); (err == nil) != want || slices.Contains(eligible, i) != want {
					t.Fatalf("at %v, %d free: endpoint %d: %v, eligible %v", now, free, i, err, eligible)
				}
			}
			i := rapid.SampledFrom(eligible).Draw(t, "endpoint")
			p, _ := l.Permit(now, i)
			flying = append(flying, call{i, p})
			if rapid.Bool().Draw(t, "finish") {
				c := rapid.SampledFrom(flying).Draw(t, "which")
				e := &l.endpoints[c.endpoint]
				last, had := e.last, e.any
				l.Report(now, c.endpoint, c.p, breaker.Result{
					Class: breaker.Success, Latency: rapid.SampledFrom([]time.Duration{s, 9 * s}).Draw(t, "took"),
				})
				if had && e.last != last && now-last < DefaultDedupe {
					t.Fatalf("samples counted at %v and %v", last, now)
				}
			}
		}
	})
}

func TestConcurrent(t *testing.T) {
	l := start(t, Config{Slow: 3 * s, Confirmations: 1, Dedupe: NoDedupe, TTL: 50}, 4)
	var wg sync.WaitGroup
	for g := range 64 {
		wg.Go(func() {
			room := make([]int, 0, 4)
			for i := range 2000 {
				now := time.Duration(i)
				e := (g + i) % 4
				p, err := l.Permit(now, e)
				if err == nil {
					l.Report(now, e, p, breaker.Result{Class: breaker.Success, Latency: time.Duration((g+i)%5) * s})
				}
				if room = l.Eligible(now, room[:0]); len(room) == 0 {
					t.Error("nothing eligible")
				}
			}
		})
	}
	wg.Wait()
}

func TestNothingAllocates(t *testing.T) {
	l := start(t, Config{Slow: 3 * s}, 3)
	var now time.Duration
	room := make([]int, 0, 3)
	if n := testing.AllocsPerRun(5000, func() {
		now += s
		room = l.Eligible(now, room[:0])
		p, err := l.Permit(now, room[0])
		if err == nil {
			l.Report(now, room[0], p, breaker.Result{Class: breaker.Success, Latency: 4 * s})
		}
	}); n != 0 {
		t.Errorf("%v allocations a call", n)
	}
}
