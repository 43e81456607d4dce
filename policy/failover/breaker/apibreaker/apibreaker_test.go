package apibreaker

import (
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/internal/breakertest"
)

func start(t *testing.T, cfg Config) *Breaker {
	t.Helper()
	b, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestWorked(t *testing.T) {
	for name, c := range map[string]struct {
		cfg   Config
		lines string
	}{
		"whole seconds": {Config{}, `
			10.7s F*2 =closed
			10.7s F   =open       # stamp 10: refused while 10 + 2 >= the second
			12.9s -open
			13s   =closed         # everything passes, there is no trial
			13s   F*2 =closed
			13.5s F   =open       # the sixth: for 4 s
			17.9s -open
			18s   F*3 =open       # the ninth: for 8 s
			26.9s -open
			27s   =closed`},
		"unhealthy answers need not be in a row": {Config{}, `
			0s F S*2 F S*2 F =open`},
		"healthy ones in a row clear the count": {Config{}, `
			0s F*2 S*3 F*2 =closed
			0s F =open`},
		"also while requests are refused": {Config{}, `
			0s +a +b +c F*3 =open
			1s a:S b:S =open
			1s c:S     =closed`},
		"other answers change nothing": {Config{}, `
			0s F*2 N S*2 C N =closed
			0s S F*2 =closed   # the two healthy ones before and this one cleared the count
			0s F =open`},
		"healthy answers without unhealthy ones are not counted": {Config{}, `
			0s S*9 F S*2 F*2 =open`},
		"no longer than the maximum, less with the record of the stamp": {Config{MaxBreaker: 3 * time.Second, Failures: 1}, `
			10.7s F =open      # for 2 s
			12.9s -open
			13s   F =open      # 4 s would be too long: 3 s
			15.9s -open
			16s   =closed      # the record is gone, although 13 + 3 >= 16`},
		"late unhealthy answers lengthen the time": {Config{Failures: 1}, `
			0.1s  +a +b F =open   # for 2 s
			1.2s  a:F b:F =open   # stamp 1, for 8 s
			9.9s  -open
			10s   =closed`},
		"rounded down since 3.14": {Config{}, `
			0s +a F*3 =open
			1s a:F             # the fourth: still once
			3s =closed`},
		"rounded up before": {Config{RoundsUp: true}, `
			0s +a F*3 =open    # for 2 s
			1s a:F             # the fourth: for 4 s
			4.9s -open
			5s =closed`},
		"rounded up, it opens without a new stamp": {Config{RoundsUp: true}, `
			0s F*3 =open
			3s F =open
			4.9s -open
			5s =closed`},
	} {
		t.Run(name, func(t *testing.T) { breakertest.Play(t, start(t, c.cfg), c.lines) })
	}
}

func TestManyFailuresDoNotOverflow(t *testing.T) {
	b := start(t, Config{Failures: 1})
	var p breaker.Permit
	for range 100 {
		b.Report(0, p, breaker.Result{Class: breaker.Failure})
	}
	breakertest.Play(t, b, "299.9s -open\n300s =closed # the record of the stamp ends")
}

func TestClassifier(t *testing.T) {
	c := Classifier(nil, nil)
	for status, want := range map[int]breaker.Class{
		200: breaker.Success, 201: breaker.Neutral, 429: breaker.Neutral, 500: breaker.Failure, 502: breaker.Neutral, 0: breaker.Neutral,
	} {
		if got := c.Result(status, breaker.Answered, 0).Class; got != want {
			t.Errorf("%d: %v, want %v", status, got, want)
		}
	}
	if got := c.Result(0, breaker.Connect, 0).Class; got != breaker.Neutral {
		t.Errorf("connect: %v", got)
	}
	c = Classifier([]int{502, 503}, []int{404})
	if c.Result(503, breaker.Answered, 0).Class != breaker.Failure || c.Result(404, breaker.Answered, 0).Class != breaker.Success ||
		c.Result(500, breaker.Answered, 0).Class != breaker.Neutral {
		t.Error("the lists are not followed")
	}
}

func TestNewRefuses(t *testing.T) {
	for name, cfg := range map[string]Config{
		"max": {MaxBreaker: 2 * time.Second}, "fraction": {MaxBreaker: 3500 * time.Millisecond}, "failures": {Failures: -1}, "successes": {Successes: -1},
	} {
		if _, err := New(cfg); err == nil {
			t.Errorf("%s: passes", name)
		}
	}
}

func TestConcurrentAndWithoutAllocation(t *testing.T) {
	breakertest.Hammer(t, start(t, Config{Failures: 1}), 10*time.Millisecond)
	if n := breakertest.Allocates(start(t, Config{Failures: 1, MaxBreaker: 3 * time.Second}), 10*time.Millisecond); n != 0 {
		t.Errorf("%v allocations a call", n)
	}
}
