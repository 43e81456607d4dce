package pekko

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

type fixed float64

func (f fixed) Float64() float64 { return float64(f) }

func TestWorked(t *testing.T) {
	two := Config{MaxFailures: 2}
	for name, c := range map[string]struct {
		cfg   Config
		lines string
	}{
		"defaults": {Config{}, `
			0s    F*9 S F*9 =closed
			0s    F         =open
			14.9s -open
			15s   +trial    =half-open
			15s   -busy
			16s   trial:F   =open
			30.9s -open
			31s   S         =closed`},
		"results go to the state of their call": {two, `
			0s  +a +b +c +d F*2 =open
			1s  a:S       =open
			15s +trial
			15s b:S c:F d:F =half-open
			15s trial:S   =closed`},
		"one of an older closed period counts in a later one": {two, `
			0s  +a +b F*2 =open
			15s S         =closed
			16s a:F       =closed
			16s F         =open`},
		"a call that is too long failed": {two, `
			0s S(10s) S(10001ms) =closed
			0s S(!)              =open`},
		"unless there is no limit": {Config{MaxFailures: 2, CallTimeout: NoCallTimeout}, `0s S(1h)*9 S(!)*9 =closed`},
		"allowed exceptions are successes, cancelled calls failures": {two, `
			0s F N F =closed
			0s C     =open
			15s N    =closed`},
		"open times grow and stay below the maximum": {
			Config{MaxFailures: 1, ResetTimeout: 10 * time.Second, ExponentialBackoff: 2, MaxResetTimeout: 50 * time.Second}, `
			0s    F =open
			9.9s  -open
			10s   F =open    # for 20 s
			29.9s -open
			30s   F =open    # for 40 s
			69.9s -open
			70s   F =open    # 80 s would be too long: 40 s again, not 50 s
			109.9s -open
			110s  S =closed
			110s  F =open    # anew
			119.9s -open
			120s  +a`},
		"a step that would just reach the maximum is not taken": {
			Config{MaxFailures: 1, ResetTimeout: 10 * time.Second, ExponentialBackoff: 2, MaxResetTimeout: 20 * time.Second}, `
			0s F
			10s F
			19.9s -open
			20s +a`},
		"the scatter compounds": {
			Config{MaxFailures: 1, ResetTimeout: 10 * time.Second, ExponentialBackoff: 1, RandomFactor: 0.2, Random: fixed(0.5)}, `
			0s F             # for 10 s; the next 11 s
			10s F            # for 11 s; the next 12.1 s
			20.9s -open
			21s F
			33.0s -open
			33.1s +a`},
		"a lost trial": {two, `
			0s F*2
			15s +lost
			999h -busy`},
	} {
		t.Run(name, func(t *testing.T) { breakertest.Play(t, start(t, c.cfg), c.lines) })
	}
}

func TestTimer(t *testing.T) {
	var changes []breaker.Change
	b := start(t, Config{MaxFailures: 1, OnChange: func(c breaker.Change) { changes = append(changes, c) }})
	breakertest.Play(t, b, "1s F\n99s =half-open")
	if len(changes) != 2 || changes[1].At != 16*time.Second {
		t.Errorf("changes %+v", changes)
	}
}

func TestNewRefuses(t *testing.T) {
	for name, cfg := range map[string]Config{
		"failures": {MaxFailures: -1}, "call timeout": {CallTimeout: -2}, "reset": {ResetTimeout: -1}, "max": {MaxResetTimeout: -1},
		"backoff": {ExponentialBackoff: 0.9}, "factor": {RandomFactor: 1.1, Random: fixed(0)}, "random": {RandomFactor: 0.1},
	} {
		if _, err := New(cfg); err == nil {
			t.Errorf("%s: passes", name)
		}
	}
}

func TestConcurrentAndWithoutAllocation(t *testing.T) {
	cfg := Config{MaxFailures: 2, ResetTimeout: 300 * time.Millisecond}
	breakertest.Hammer(t, start(t, cfg), 10*time.Millisecond)
	if n := breakertest.Allocates(start(t, cfg), 10*time.Millisecond); n != 0 {
		t.Errorf("%v allocations a call", n)
	}
}
