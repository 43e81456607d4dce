package hystrix

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
	small := Config{RequestVolumeThreshold: 4}
	for name, c := range map[string]struct {
		cfg   Config
		lines string
	}{
		"defaults, judged at the end of a snapshot interval": {Config{}, `
			100ms  F*20 S*20 =closed
			499ms  F         =closed
			500ms  -open     =open     # 21 of 41
			5500ms -open               # strictly after the sleep window
			5501ms +trial    =half-open
			5501ms -busy
			5600ms trial:S   =closed`},
		"below the volume": {Config{}, `
			0s F*19
			1s F            # the twentieth, in another bucket
			1s =closed
			1.5s =open`},
		"the percentage is cut": {Config{RequestVolumeThreshold: 4, ErrorThresholdPercentage: 67}, `
			0s F*4 S*2     # 66.7 %
			0.5s =closed
			0.5s F*1 S*0   # 5 of 7: 71.4 %
			1s =open`},
		"results leave the window after 10 s": {small, `
			0.1s F*3
			10.4s F        # bucket 20: at its end the window is 0.5 s to 10.5 s
			10.5s =closed`},
		"and not before": {small, `
			0.1s F*3
			9.9s F         # bucket 19: at its end the window is 0 s to 10 s
			10s =open`},
		"a failed trial opens again": {small, `
			0s F*4
			0.5s =open
			6s F =open
			11s -open
			11.1s S =closed`},
		"a bad request is no error, but no good trial": {small, `
			0s N*9
			0.5s =closed
			0.5s F*4
			1s =open
			6.1s N =open
			11.2s C =open   # nor is an unsubscribed one
			16.3s S =closed`},
		"closing starts the statistics anew, with the trial": {small, `
			0s F*4
			0.5s =open
			5.6s S =closed   # buckets now begin at 5.6 s
			5.7s F*2
			6.0s F
			6.0s =closed
			6.1s =open       # 3 of 4`},
		"a late result decides": {small, `
			0s +late F*4
			0.5s =open
			5.6s +trial
			5.7s late:F =open`},
		"a lost trial": {small, `
			0s F*4
			6s +lost
			999h -busy`},
		"an open breaker goes on counting": {small, `
			0s +a +b +c +d F*4
			0.5s =open
			5s a:F b:F c:F d:F =open
			5.6s S =closed
			6.1s =closed`},
		"forced open":   {Config{Force: ForceOpen}, `0s -open =open`},
		"forced closed": {Config{Force: ForceClosed, RequestVolumeThreshold: 1}, "0s F*9\n5s F =closed"},
	} {
		t.Run(name, func(t *testing.T) { breakertest.Play(t, start(t, c.cfg), c.lines) })
	}
}

func TestChangesAreDatedBySnapshots(t *testing.T) {
	var changes []breaker.Change
	b := start(t, Config{RequestVolumeThreshold: 1, OnChange: func(c breaker.Change) { changes = append(changes, c) }})
	breakertest.Play(t, b, `0.2s F`)
	b.Advance(100 * time.Hour)
	if len(changes) != 1 || changes[0].At != 500*time.Millisecond || changes[0].Until != 5500*time.Millisecond {
		t.Errorf("changes %+v", changes)
	}
}

func TestNewRefuses(t *testing.T) {
	for name, cfg := range map[string]Config{
		"interval": {SnapshotInterval: 11 * time.Second}, "negative interval": {SnapshotInterval: -1}, "sleep": {SleepWindow: -1},
		"volume": {RequestVolumeThreshold: -1}, "percentage": {ErrorThresholdPercentage: -1}, "force": {Force: 9},
		"too many buckets": {StatisticalWindow: 1000 * time.Hour, SnapshotInterval: time.Millisecond},
	} {
		if _, err := New(cfg); err == nil {
			t.Errorf("%s: passes", name)
		}
	}
}

func TestConcurrentAndWithoutAllocation(t *testing.T) {
	cfg := Config{RequestVolumeThreshold: 4, ErrorThresholdPercentage: 20, SleepWindow: 300 * time.Millisecond}
	breakertest.Hammer(t, start(t, cfg), 10*time.Millisecond)
	if n := breakertest.Allocates(start(t, cfg), 10*time.Millisecond); n != 0 {
		t.Errorf("%v allocations a call", n)
	}
}
