package polly

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
	small := Config{FailureRatio: 0.5, MinimumThroughput: 4, SamplingDuration: 10 * time.Second}
	for name, c := range map[string]struct {
		cfg   Config
		lines string
	}{
		"defaults": {Config{}, `
			0s     S*90 F*9 =closed  # 99 results
			1s     F        =open    # 10 of 100
			5999ms -open
			6s     +probe   =half-open
			6s     -busy
			6s     probe:F  =open
			10.9s  -open
			11s    S        =closed`},
		"judged on failures only": {small, `
			0s F*2 S*2 =closed  # 2 of 4, but the last one succeeded
			0s F       =open`},
		"at the ratio": {small, `
			0s S*4 F*3 =closed
			0s F       =open`},
		"buckets begin with a call": {small, `
			0.5s F
			1.4s F                # still the bucket of 0.5 s
			10.4s S*2
			10.4s F =open         # 3 of 5 within 10 s`},
		"one that would be a tenth old is a new one": {small, `
			0.5s F
			1.5s F
			10.5s S*2             # the bucket of 0.5 s has left, that of 1.5 s has not
			10.5s F =open         # 2 of 4`},
		"and leave with their beginning": {small, `
			0.5s F
			1.4s F
			10.5s S*2             # the bucket of 0.5 s has left with the failure of 1.4 s
			10.5s F =closed       # 1 of 3
			10.5s F =open`},
		"a cancelled probe closes": {small, `
			0s F*4 =open
			5s +a
			5s a:C =closed`},
		"a late failure opens, a late success closes": {small, `
			0s +a +b F*4 =open
			1s a:F    =open       # counted, no more
			5s +probe -busy
			5s b:S    =closed
			5s probe:F =closed    # 1 of 1`},
		"a lost probe": {small, `
			0s  F*4 =open
			5s  +lost
			999h -busy =half-open`},
		"metrics are kept while open": {small, `
			0s F*4 =open
			5s F   =open          # the probe
			10s S =closed         # and emptied on closing
			10s F*3 =closed
			10s F =open`},
	} {
		t.Run(name, func(t *testing.T) { breakertest.Play(t, start(t, c.cfg), c.lines) })
	}
}

func TestGenerator(t *testing.T) {
	type call struct {
		rate               float64
		failures, attempts int
	}
	var calls []call
	b := start(t, Config{MinimumThroughput: 4, BreakDurationGenerator: func(rate float64, failures, attempts int) time.Duration {
		calls = append(calls, call{rate, failures, attempts})
		return time.Duration(1+attempts) * time.Second
	}})
	breakertest.Play(t, b, `
		0s S F*3   # 3 of 4: for 1 s
		1s F       # the first probe: for 2 s
		2.9s -open
		3s S =closed
		3s F*4 =open
		3.9s -open
		4s +a`)
	want := []call{{0.75, 3, 0}, {0.75, 3, 1}, {1, 4, 0}}
	if len(calls) != len(want) {
		t.Fatalf("calls %+v, want %+v", calls, want)
	}
	for i := range want {
		if calls[i] != want[i] {
			t.Errorf("call %d: %+v, want %+v", i, calls[i], want[i])
		}
	}
}

func TestManualControl(t *testing.T) {
	b := start(t, Config{})
	b.Isolate()
	breakertest.Play(t, b, `999h -open =open`)
	b.Close(0)
	breakertest.Play(t, b, `0s S =closed`)
}

func TestNewRefuses(t *testing.T) {
	for name, cfg := range map[string]Config{
		"ratio": {FailureRatio: 1.5}, "throughput": {MinimumThroughput: 1}, "sampling": {SamplingDuration: 499 * time.Millisecond},
		"break": {BreakDuration: 25 * time.Hour}, "negative": {BreakDuration: -1},
	} {
		if _, err := New(cfg); err == nil {
			t.Errorf("%s: passes", name)
		}
	}
}

func TestConcurrentAndWithoutAllocation(t *testing.T) {
	cfg := Config{FailureRatio: 0.2, MinimumThroughput: 4, SamplingDuration: time.Second, BreakDuration: time.Second}
	breakertest.Hammer(t, start(t, cfg), 10*time.Millisecond)
	if n := breakertest.Allocates(start(t, cfg), 10*time.Millisecond); n != 0 {
		t.Errorf("%v allocations a call", n)
	}
	told := 0
	cfg.OnChange = func(breaker.Change) { told++ }
	breakertest.Play(t, start(t, cfg), `0s F*4 =open`)
	if told != 1 {
		t.Errorf("told %d times", told)
	}
}
