package opossum

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
		"defaults: the first failure is all of the calls": {Config{}, `
			0s     F =open
			29.9s  -open
			30s    +trial =half-open
			30s    -busy
			31s    trial:S =closed`},
		"strictly above the threshold": {Config{}, `
			0s S*2 F*2 =closed  # 2 of 4
			0s F       =open    # 3 of 5`},
		"calls on their way dilute the rate": {Config{}, `
			0s +a +b +c +d F*4 =closed  # 4 of 8
			0s F               =open    # 5 of 9`},
		"so do refused ones": {Config{ResetTimeout: time.Second}, `
			0s F =open
			0.5s -open -open -open -open -open -open -open -open
			1s S   =closed
			1s F*8 =closed              # 9 of 18, 8 of them refused
			1s F   =open`},
		"volume": {Config{VolumeThreshold: 5}, `
			0s F*4 =closed
			0s F   =open
			30s F  =open                # a failed trial opens whatever the volume
			60s S  =closed
			60s F*3 =closed`},
		"results leave the window": {Config{VolumeThreshold: 3}, `
			0.5s F*2
			10.5s F =closed             # second 0 has left with two failures
			10.6s F =closed
			10.7s F =open`},
		"a timeout is a failure": {Config{}, `
			0s S(10s)*3 F =closed
			0s S(10001ms)*3 =open`},
		"without a timeout it is not": {Config{Timeout: NoTimeout}, `0s S(11s)*3 =closed`},
		"filtered errors are successes, cancelled calls failures": {Config{}, `
			0s N*2 F =closed
			0s C*2   =open
			30s N    =closed`},
		"late results decide": {Config{}, `
			0s +a +b +c F*3 =closed     # 3 of 6
			0s F      =open
			1s a:S    =open
			30s +trial
			30s b:S   =closed
			30s trial:F =open           # 1 of 1 in the window`},
		"warm-up": {Config{AllowWarmUp: true}, `
			0s F*20  =closed
			9.9s F   =closed
			10s F    =open`},
		"a lost trial": {Config{Timeout: NoTimeout}, `
			0s F =open
			30s +lost
			999h -busy`},
	} {
		t.Run(name, func(t *testing.T) { breakertest.Play(t, start(t, c.cfg), c.lines) })
	}
}

func TestTimerAndHealthCheck(t *testing.T) {
	var changes []breaker.Change
	b := start(t, Config{OnChange: func(c breaker.Change) { changes = append(changes, c) }})
	b.HealthCheckFailed(time.Second)
	b.HealthCheckFailed(2 * time.Second) // open already
	breakertest.Play(t, b, `100s =half-open`)
	b.HealthCheckFailed(101 * time.Second)
	breakertest.Play(t, b, `130.9s -open`)
	if len(changes) != 3 || changes[1].At != 31*time.Second || changes[2].Until != 131*time.Second {
		t.Errorf("changes %+v", changes)
	}
}

func TestNewRefuses(t *testing.T) {
	for name, cfg := range map[string]Config{
		"timeout": {Timeout: -2}, "threshold": {ErrorThresholdPercentage: -1}, "reset": {ResetTimeout: -1}, "volume": {VolumeThreshold: -1},
		"window": {RollingCountTimeout: -1}, "buckets": {RollingCountBuckets: -1},
		"too short": {RollingCountTimeout: time.Millisecond, RollingCountBuckets: 10},
	} {
		if _, err := New(cfg); err == nil {
			t.Errorf("%s: passes", name)
		}
	}
}

func TestConcurrentAndWithoutAllocation(t *testing.T) {
	cfg := Config{ErrorThresholdPercentage: 10, ResetTimeout: 300 * time.Millisecond}
	breakertest.Hammer(t, start(t, cfg), 10*time.Millisecond)
	if n := breakertest.Allocates(start(t, cfg), 10*time.Millisecond); n != 0 {
		t.Errorf("%v allocations a call", n)
	}
}
