package sentinel

import (
	"math"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker/internal/breakertest"
)

func start(t *testing.T, r Rule) *Breaker {
	t.Helper()
	b, err := New(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestWorked(t *testing.T) {
	ratio := Rule{Strategy: ErrorRatio, RetryTimeout: 3 * time.Second, MinRequestAmount: 5, StatInterval: time.Second, Threshold: 0.6}
	with := func(change func(*Rule)) Rule {
		r := ratio
		change(&r)
		return r
	}
	for name, c := range map[string]struct {
		rule  Rule
		lines string
	}{
		"error ratio": {ratio, `
			0.1s  F*3 S   =closed  # 4 results
			0.2s  S       =open    # 3 of 5, completed by a success
			3.1s  -open
			3.2s  +probe -busy =half-open
			3.3s  probe:S =closed
			3.4s  F*3     =closed  # counts start anew`},
		"the statistics are those of the current second": {ratio, `
			0.9s F*4
			1.0s F   =closed`},
		"two buckets reach back": {with(func(r *Rule) { r.BucketCount = 2 }), `
			0.9s F*4
			1.4s F   =open`},
		"a number that does not divide is one bucket": {with(func(r *Rule) { r.BucketCount = 3 }), `
			0.9s F*4
			1.0s F   =closed`},
		"errors are counted, the fraction is cut": {with(func(r *Rule) { r.Strategy, r.Threshold = ErrorCount, 2.9 }), `
			0.1s S*4 F =closed
			0.1s F     =open`},
		"slow": {with(func(r *Rule) { r.Strategy, r.MaxAllowedRt = SlowRequestRatio, 50*time.Millisecond }), `
			0.1s S(50.9ms)*2 F(51ms)*2 =closed  # 50.9 ms are 50 whole ones
			0.2s S(51ms)    =open               # 3 of 5
			3.2s F(50ms)    =closed             # an error that was not slow is a good probe`},
		"any bad probe opens": {ratio, `
			0.1s F*5  =open
			3.1s F    =open
			6.0s -open
			6.1s S    =closed`},
		"a number of probes has no bound while half-open": {with(func(r *Rule) { r.ProbeNum = 3 }), `
			0.1s F*5  =open
			3.1s +a +b +c +d +e =half-open
			3.2s a:S b:S =half-open
			3.3s c:S  =closed
			3.4s d:F  =closed`},
		"one of them opens": {with(func(r *Rule) { r.ProbeNum = 3 }), `
			0.1s F*5  =open
			3.1s +a +b S*2 =half-open
			3.2s a:F  =open
			3.3s b:S  =open
			6.2s S*2  =half-open  # the good ones before do not count
			6.2s S    =closed`},
		"a late result decides": {ratio, `
			0.1s +late F*5 =open
			3.1s +probe
			3.2s late:F =open`},
		"neutral and cancelled calls completed without error": {ratio, `
			0.1s F*2 N C  =closed
			0.2s N        =closed  # 2 of 5
			0.3s F*3      =open    # 5 of 8`},
		"a threshold of 0 opens at once": {with(func(r *Rule) { r.Threshold, r.MinRequestAmount = 0, 0 }), `
			0.1s S =open`},
		"a lost probe": {ratio, `
			0.1s F*5 =open
			3.1s +lost
			999h -busy`},
	} {
		t.Run(name, func(t *testing.T) { breakertest.Play(t, start(t, c.rule), c.lines) })
	}
}

func TestBlocked(t *testing.T) {
	b := start(t, Rule{Strategy: ErrorCount, RetryTimeout: 3 * time.Second, StatInterval: time.Second, Threshold: 1})
	breakertest.Play(t, b, `
		0s F  =open
		3s +a =half-open`)
	b.Blocked(3 * time.Second)
	breakertest.Play(t, b, `3s S =closed  # the next call probes at once`)
	b.Blocked(3 * time.Second)
	breakertest.Play(t, b, `3s =closed`)
}

func TestNewRefuses(t *testing.T) {
	good := Rule{RetryTimeout: time.Second, StatInterval: time.Second, Threshold: 0.5}
	if _, err := New(good); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Rule){
		"interval":       func(r *Rule) { r.StatInterval = 999 * time.Microsecond },
		"retry":          func(r *Rule) { r.RetryTimeout = 0 },
		"threshold":      func(r *Rule) { r.Threshold = -1 },
		"not a number":   func(r *Rule) { r.Threshold = math.NaN() },
		"ratio":          func(r *Rule) { r.Threshold = 1.5 },
		"minimum":        func(r *Rule) { r.MinRequestAmount = -1 },
		"probes":         func(r *Rule) { r.ProbeNum = -1 },
		"slow":           func(r *Rule) { r.MaxAllowedRt = -time.Second },
		"buckets":        func(r *Rule) { r.BucketCount = -1 },
		"too many":       func(r *Rule) { r.StatInterval, r.BucketCount = 1000*time.Second, 100_000 },
		"other strategy": func(r *Rule) { r.Strategy = 9 },
	} {
		r := good
		change(&r)
		if _, err := New(r); err == nil {
			t.Errorf("%s: passes", name)
		}
	}
}

func TestConcurrentAndWithoutAllocation(t *testing.T) {
	rule := Rule{Strategy: ErrorRatio, RetryTimeout: 100 * time.Millisecond, MinRequestAmount: 5, StatInterval: time.Second, Threshold: 0.2}
	breakertest.Hammer(t, start(t, rule), 10*time.Millisecond)
	if n := breakertest.Allocates(start(t, rule), 10*time.Millisecond); n != 0 {
		t.Errorf("%v allocations a call", n)
	}
}
