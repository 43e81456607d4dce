package permember

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/internal/enginetest"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/profile"
)

var at = schema.At(1, 2)

// play holds an engine and what it has told.
type play struct {
	*Engine
	told []string
}

func build(t *testing.T, kind string, c *schema.Copy) *play {
	t.Helper()
	p := &play{}
	e, err := New(kind, c, profile.Version{}, failover.Options{Seed: 1, Notify: func(x failover.Transition) {
		p.told = append(p.told, fmt.Sprintf("%d %s@%s", x.Member+1, x.To, x.At))
	}})
	if err != nil {
		t.Fatal(err)
	}
	p.Engine = e
	return p
}

// until does what is due up to now.
func (p *play) until(now time.Duration) {
	for p.Next() <= now {
		p.Tick(p.Next())
	}
}

// ask follows one request; a member that is not among the bad ones answers 200. The answer is "1 2 pass".
func (p *play) ask(now time.Duration, o failover.Outcome, bad ...int) string {
	p.until(now)
	var r failover.Request
	r.Reset()
	return p.follow(now, &r, o, bad...)
}

func (p *play) follow(now time.Duration, r *failover.Request, o failover.Outcome, bad ...int) string {
	var b []string
	d := p.Pick(now, r)
	for d.Action == failover.Send {
		m := int(r.Lease.Member) + 1
		b = append(b, fmt.Sprint(m))
		out := failover.Outcome{Status: 200}
		for _, x := range bad {
			if x == m {
				out = o
			}
		}
		d = p.Report(now, r, out)
	}
	if d.Action == failover.Pass {
		b = append(b, "pass")
	} else {
		b = append(b, fmt.Sprint(d.Status))
	}
	return strings.Join(b, " ")
}

var (
	refused = failover.Outcome{Kind: failover.Refused}
	failed  = failover.Outcome{Status: 500}
	s       = time.Second
)

// TestWorkedCase: two failures open, 30 s of cooldown, exactly one permit at its end.
func TestWorkedCase(t *testing.T) {
	p := build(t, ThreeState, enginetest.Pool([]string{""}, "decision.consecutive", 2, "cooldown.duration", 30*s))
	for _, c := range []struct {
		at   time.Duration
		want string
	}{{0, "1 pass"}, {s, "1 pass"}, {30 * s, "503"}} {
		if got := p.ask(c.at, failed, 1); got != c.want {
			t.Fatalf("at %v: %s, not %s", c.at, got, c.want)
		}
	}
	p.until(31 * s)
	var trial, second failover.Request
	trial.Reset()
	second.Reset()
	if d := p.Pick(31*s, &trial); d.Action != failover.Send {
		t.Fatalf("the trial at 31 s: %+v", d)
	}
	if d := p.Pick(31*s, &second); d.Action != failover.Answer || d.Status != 503 || !d.Refused {
		t.Fatalf("a second one: %+v", d)
	}
	p.Report(31*s, &trial, failed)
	if got := p.ask(60*s, failed); got != "503" {
		t.Errorf("at 60 s: %s", got)
	}
	if got := p.ask(61*s, failed); got != "1 pass" || p.State(0) != failover.In {
		t.Errorf("at 61 s: %s, %v", got, p.State(0))
	}
	want := "1 cooling@1s, 1 ramping@31s, 1 cooling@31s, 1 ramping@1m1s, 1 in@1m1s"
	if got := strings.Join(p.told, ", "); got != want {
		t.Errorf("told %s, not %s", got, want)
	}
}

// TestEndWithoutTick: a driver may ask at the very end of a cooldown before it ticks.
func TestEndWithoutTick(t *testing.T) {
	p := build(t, ThreeState, enginetest.Pool([]string{""}, "decision.consecutive", 1, "cooldown.duration", 30*s))
	p.ask(0, failed, 1)
	var r failover.Request
	r.Reset()
	if got := p.follow(30*s, &r, failed); got != "1 pass" || p.State(0) != failover.In {
		t.Errorf("%s, %v", got, p.State(0))
	}
}

// TestLateSuccess: what was sent before the trip does not close the breaker.
func TestLateSuccess(t *testing.T) {
	p := build(t, ThreeState, enginetest.Pool([]string{""}, "decision.consecutive", 1, "cooldown.duration", 30*s))
	var late failover.Request
	late.Reset()
	p.Pick(0, &late)
	p.ask(0, failed, 1)
	p.until(30 * s)
	p.Report(30*s, &late, failover.Outcome{Status: 200})
	if p.State(0) != failover.Ramping {
		t.Errorf("a late success: %v", p.State(0))
	}
}

// TestCancelledTrial: a cancelled trial frees its slot and counts for nothing.
func TestCancelledTrial(t *testing.T) {
	p := build(t, ThreeState, enginetest.Pool([]string{""}, "decision.consecutive", 1, "cooldown.duration", 30*s))
	p.ask(0, failed, 1)
	if got := p.ask(30*s, failover.Outcome{Kind: failover.Cancelled}, 1); got != "1 0" || p.State(0) != failover.Ramping {
		t.Errorf("%s, %v", got, p.State(0))
	}
	if got := p.ask(30*s, failed); got != "1 pass" || p.State(0) != failover.In {
		t.Errorf("the next one: %s, %v", got, p.State(0))
	}
}

// TestLostTrial: a trial that never returns frees its slot when its lease ends.
func TestLostTrial(t *testing.T) {
	p := build(t, ThreeState, enginetest.Pool([]string{""}, "decision.consecutive", 1, "cooldown.duration", 30*s, "cooldown.probeLease", 5*s))
	p.ask(0, failed, 1)
	p.until(30 * s)
	var lost failover.Request
	lost.Reset()
	p.Pick(30*s, &lost)
	if got := p.ask(34*s, failed); got != "503" {
		t.Errorf("during the lease: %s", got)
	}
	if got := p.ask(35*s, failed); got != "1 pass" {
		t.Errorf("after the lease: %s", got)
	}
}

func TestSelection(t *testing.T) {
	count := func(p *play, n int) string {
		var got [5]int
		for range n {
			got[p.ask(0, failed)[0]-'0']++
		}
		return fmt.Sprint(got[1:])
	}
	for name, c := range map[string]struct {
		lines []string
		n     int
		want  string
	}{
		"by weight":         {[]string{"weight=3", "weight=1"}, 8, "[6 2 0 0]"},
		"by priority":       {[]string{"priority=1", "priority=0", "priority=1"}, 6, "[0 6 0 0]"},
		"backup last":       {[]string{"backup", "priority=9"}, 4, "[0 4 0 0]"},
		"drained":           {[]string{"", "drain", ""}, 4, "[2 0 2 0]"},
		"weight 0":          {[]string{"weight=0", ""}, 4, "[0 4 0 0]"},
		"drained first one": {[]string{"priority=0 drain", "priority=1"}, 3, "[0 3 0 0]"},
	} {
		if got := count(build(t, ThreeState, enginetest.Pool(c.lines)), c.n); got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
	}
	p := build(t, ThreeState, enginetest.Pool([]string{"weight=0", "weight=0"}, "onAllOut.then", "pass"))
	if got := p.ask(0, failed); got != "503" {
		t.Errorf("nothing has a weight: %s", got)
	}
}

// TestNextTier: the second tier serves while no breaker of the first permits, trials aside.
func TestNextTier(t *testing.T) {
	p := build(t, ThreeState, enginetest.Pool([]string{"priority=0", "priority=1"}, "decision.consecutive", 1, "cooldown.duration", 10*s))
	p.ask(0, failed, 1)
	if got := p.ask(s, failed); got != "2 pass" {
		t.Errorf("while the first is open: %s", got)
	}
	p.until(10 * s)
	var trial failover.Request
	trial.Reset()
	p.Pick(10*s, &trial)
	if trial.Lease.Member != 0 {
		t.Errorf("the trial went to %d", trial.Lease.Member+1)
	}
	if got := p.ask(10*s, failed); got != "2 pass" {
		t.Errorf("while the trial is under way: %s", got)
	}
}

// TestBusyTrial: while the trial of the heavy member is under way the others of its tier serve.
func TestBusyTrial(t *testing.T) {
	p := build(t, ThreeState, enginetest.Pool([]string{"weight=99", "weight=1"}, "decision.consecutive", 1, "cooldown.duration", 10*s))
	p.ask(0, failed, 1)
	p.until(10 * s)
	var trial failover.Request
	trial.Reset()
	for p.Pick(10*s, &trial); trial.Lease.Member != 0; p.Pick(10*s, &trial) {
		p.Report(10*s, &trial, failover.Outcome{Status: 200})
		trial.Reset()
	}
	for range 20 {
		if got := p.ask(10*s, failed); got != "2 pass" {
			t.Fatalf("%s", got)
		}
	}
}

func TestRetry(t *testing.T) {
	two := []string{"", ""}
	for name, c := range map[string]struct {
		settings []any
		outcome  failover.Outcome
		bad      []int
		unsafe   bool
		want     string
	}{
		"none":                 {nil, refused, []int{1}, false, "1 502"},
		"one":                  {[]any{"retry.attempts", 1}, refused, []int{1}, false, "1 2 pass"},
		"one, both bad":        {[]any{"retry.attempts", 1}, refused, []int{1, 2}, false, "1 2 502"},
		"more than members":    {[]any{"retry.attempts", 9}, refused, []int{1, 2}, false, "1 2 502"},
		"500 counts":           {[]any{"retry.attempts", 1}, failed, []int{1}, false, "1 2 pass"},
		"429 does not":         {[]any{"retry.attempts", 1}, failover.Outcome{Status: 429}, []int{1}, false, "1 pass"},
		"listed":               {[]any{"retry.attempts", 1, "retry.on", []string{"429"}}, failover.Outcome{Status: 429}, []int{1}, false, "1 2 pass"},
		"not listed":           {[]any{"retry.attempts", 1, "retry.on", []string{"connect"}}, failed, []int{1}, false, "1 pass"},
		"time-out":             {[]any{"retry.attempts", 1, "retry.on", []string{"timeout"}}, failover.Outcome{Kind: failover.Timeout}, []int{1}, false, "1 2 pass"},
		"all time out":         {[]any{"retry.attempts", 1}, failover.Outcome{Kind: failover.Timeout}, []int{1, 2}, false, "1 2 504"},
		"POST that was sent":   {[]any{"retry.attempts", 1}, failed, []int{1}, true, "1 pass"},
		"POST not sent":        {[]any{"retry.attempts", 1}, refused, []int{1}, true, "1 2 pass"},
		"POST, said to be all": {[]any{"retry.attempts", 1, "retry.nonIdempotent", true}, failed, []int{1}, true, "1 2 pass"},
	} {
		p := build(t, ThreeState, enginetest.Pool(two, c.settings...))
		var r failover.Request
		r.Reset()
		r.Unsafe = c.unsafe
		if got := p.follow(0, &r, c.outcome, c.bad...); got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
	}
}

func TestAllOut(t *testing.T) {
	trips := []any{"decision.consecutive", 1, "cooldown.duration", 30 * s}
	two := []string{"", "weight=3"}
	for name, c := range map[string]struct {
		settings []any
		want     string // both out
	}{
		"not said": {nil, "503"},
		"reject":   {[]any{"onAllOut.then", "reject"}, "503"},
		"pass":     {[]any{"onAllOut.then", "pass"}, "pass"},
	} {
		p := build(t, ThreeState, enginetest.Pool(two, append(trips, c.settings...)...))
		for range 4 {
			p.ask(0, failed, 1, 2)
		}
		if got := p.ask(s, failed); !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
		if p.State(0) != failover.Cooling || p.State(1) != failover.Cooling {
			t.Errorf("%s: what passes closes a breaker: %v %v", name, p.State(0), p.State(1))
		}
	}
}

// TestPanic: below half of the members in, all are used although one permits.
func TestPanic(t *testing.T) {
	p := build(t, ThreeState, enginetest.Pool(make([]string, 3), "decision.consecutive", 1, "cooldown.duration", 30*s, "onAllOut.panicBelow", 50))
	p.ask(0, failed, 1) // 1 is out: 2 of 3 are in
	for range 4 {
		if got := p.ask(0, failed); strings.HasPrefix(got, "1") {
			t.Fatalf("two of three are in, and %s", got)
		}
	}
	for p.State(1) == failover.In {
		p.ask(0, failed, 2)
	}
	seen := map[string]bool{}
	for range 6 {
		seen[p.ask(0, failed)] = true
	}
	if len(seen) != 3 {
		t.Errorf("one of three is in: %v", seen)
	}
}

// TestAlert: all members out for longer than alertAfter is an event of the pool, told once.
func TestAlert(t *testing.T) {
	p := build(t, ThreeState, enginetest.Pool([]string{"", ""}, "decision.consecutive", 1, "cooldown.duration", 30*s, "onAllOut.alertAfter", 5*s, "onAllOut.then", "reject"))
	p.ask(0, failed, 1)
	p.ask(2*s, failed, 2)
	p.until(29 * s)
	if got := strings.Join(p.told, ", "); got != "1 cooling@0s, 2 cooling@2s, 0 out@7s" {
		t.Errorf("told %s", got)
	}
}

// TestBlacklist: one endpoint after the other is blocked, then the filter steps aside.
func TestBlacklist(t *testing.T) {
	p := build(t, Blacklist, enginetest.Pool(make([]string, 3), "decision.slow.threshold", 3*s, "decision.slow.dedupe", 5*s, "decision.slow.confirmations", 2, "cooldown.duration", 30*s))
	slow := failover.Outcome{Kind: failover.Timeout, Took: 4 * s}
	for now := 5 * s; now <= 30*s && p.gone < 3; now += 5 * s / 3 {
		p.ask(now, slow, 1, 2, 3)
	}
	if p.gone != 3 {
		t.Fatalf("told %v", p.told)
	}
	last := 25 * s
	if got := p.ask(last, slow); !strings.HasSuffix(got, "pass") {
		t.Errorf("all are blocked: %s", got)
	}
	p.until(70 * s)
	for i := range 3 {
		if p.State(i) != failover.In {
			t.Errorf("after the TTL %d is %v", i+1, p.State(i))
		}
	}
	p = build(t, Blacklist, enginetest.Pool([]string{""}, "decision.slow.threshold", 3*s, "decision.slow.confirmations", 1, "onAllOut.then", "reject"))
	p.ask(0, slow, 1)
	if got := p.ask(s, slow); got != "503" {
		t.Errorf("a list that refuses: %s", got)
	}
}

// TestBlockRenewed: slow samples while the filter stands aside count and renew the block.
func TestBlockRenewed(t *testing.T) {
	p := build(t, Blacklist, enginetest.Pool([]string{""}, "decision.slow.threshold", 3*s, "decision.slow.dedupe", 5*s, "decision.slow.confirmations", 1, "cooldown.duration", 30*s))
	slow := failover.Outcome{Status: 200, Took: 4 * s}
	p.ask(0, slow, 1)
	p.ask(20*s, slow, 1)
	p.until(45 * s)
	if p.State(0) != failover.Cooling {
		t.Error("the block ended at 30 s although it was renewed at 20 s")
	}
	p.until(50 * s)
	if p.State(0) != failover.In {
		t.Error("the block has no end")
	}
}

// TestAdaptive: with K = 2 and 40 of 100 good, one in five is dropped; with another member, it takes them.
func TestAdaptive(t *testing.T) {
	settings := []any{"decision.errorRatio", 0.5, "decision.minSamples", 100, "decision.window", 3 * s}
	p := build(t, Adaptive, enginetest.Pool([]string{""}, settings...))
	for i := range 100 {
		bad := 1
		if i%5 < 2 {
			bad = 0
		}
		p.ask(0, failed, bad)
	}
	dropped := 0
	for range 5000 { // what is not reported does not move the probability
		var r failover.Request
		r.Reset()
		if d := p.Pick(0, &r); d.Action == failover.Answer {
			dropped++
		}
	}
	if f := float64(dropped) / 5000; f < 0.17 || f > 0.225 {
		t.Errorf("%.1f %% are dropped, not 19.8 %%", 100*f)
	}
	if p.State(0) != failover.Ramping {
		t.Errorf("it is %v", p.State(0))
	}
	p.until(4 * s)
	if p.State(0) != failover.In {
		t.Errorf("after the window it is %v", p.State(0))
	}
	two := build(t, Adaptive, enginetest.Pool([]string{"priority=0", "priority=1"}, settings...))
	for range 300 {
		if got := two.ask(0, failed, 1); got == "503" {
			t.Fatal("a dropped request does not reach the second tier")
		}
	}
}

// TestResilience4j: 50 % of the last 10 calls open; the first call strictly after the wait is a trial.
func TestResilience4j(t *testing.T) {
	p := build(t, Resilience4j, enginetest.Pool([]string{""}, "slidingWindowSize", 10, "decision.minSamples", 10, "cooldown.duration", 60*s, "permittedNumberOfCallsInHalfOpenState", 2))
	for i := range 10 {
		p.ask(0, failed, i%2)
	}
	if got := p.ask(60*s, failed); got != "503" {
		t.Errorf("at the end of the wait: %s", got)
	}
	if got := p.ask(60*s+2, failed); got != "1 pass" || p.State(0) != failover.Ramping {
		t.Errorf("after it: %s, %v", got, p.State(0))
	}
	if p.ask(61*s, failed); p.State(0) != failover.In {
		t.Errorf("after two trials: %v", p.State(0))
	}
}

func TestForce(t *testing.T) {
	for _, kind := range []string{ThreeState, Adaptive, Blacklist, Resilience4j} {
		p := build(t, kind, enginetest.Pool([]string{"", ""}))
		if err := p.Force(0, failover.Order{Member: 0, Out: true}); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if got := p.ask(0, failed); got != "2 pass" || p.State(0) != failover.Manual {
				t.Errorf("%s: %s, %v", kind, got, p.State(0))
			}
		}
		if err := p.Force(0, failover.Order{Member: 0}); err != nil || p.State(0) != failover.In {
			t.Errorf("%s: %v, %v", kind, err, p.State(0))
		}
		if err := p.Force(0, failover.Order{Member: 2}); !errors.Is(err, failover.ErrUnsupported) {
			t.Errorf("%s: a member that is not there: %v", kind, err)
		}
	}
	p := build(t, ThreeState, enginetest.Pool([]string{""}, "decision.consecutive", 1))
	p.ask(0, failed, 1)
	if err := p.Force(s, failover.Order{Member: 0}); err != nil || p.State(0) != failover.In {
		t.Errorf("forced back: %v, %v", err, p.State(0))
	}
}

func TestNewRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		kind string
		copy *schema.Copy
		is   error
	}{
		"no members":          {ThreeState, enginetest.Pool(nil), failover.ErrNoMembers},
		"no such breaker":     {"maybe", enginetest.Pool([]string{""}), failover.ErrNotBuilt},
		"max below base":      {ThreeState, enginetest.Pool([]string{""}, "cooldown.duration", 30*s, "cooldown.max", s), nil},
		"ratio of 0":          {ThreeState, enginetest.Pool([]string{""}, "decision.errorRatio", 0.0), nil},
		"a result unheard of": {ThreeState, enginetest.Pool([]string{""}, "decision.counts", []string{"gremlins"}), nil},
	} {
		e, err := New(c.kind, c.copy, profile.Version{}, failover.Options{})
		if err == nil || e != nil || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if e, err := New(ThreeState, enginetest.Pool([]string{""}, "cooldown.duration", time.Duration(0)), profile.Version{}, failover.Options{}); err != nil {
		t.Errorf("a cooldown of 0: %v", err)
	} else if e.State(0) != failover.In {
		t.Error("it starts out")
	}
}

func settingsOf(kind string) []any {
	switch kind {
	case Blacklist:
		return []any{"decision.slow.threshold", 1500 * time.Millisecond, "decision.slow.dedupe", s, "cooldown.duration", 5 * s, "onAllOut.alertAfter", 3 * s}
	case Adaptive:
		return []any{"decision.minSamples", 10, "retry.attempts", 2}
	case Resilience4j:
		return []any{"slidingWindowSize", 10, "decision.minSamples", 5, "cooldown.duration", 5 * s, "maxWaitDurationInHalfOpenState", 4 * s, "retry.attempts", 1}
	}
	return []any{"decision.consecutive", 3, "cooldown.duration", 5 * s, "cooldown.jitter", 0.2, "retry.attempts", 1, "onAllOut.panicBelow", 30}
}

func TestPlay(t *testing.T) {
	for _, kind := range []string{ThreeState, Adaptive, Blacklist, Resilience4j} {
		t.Run(kind, func(t *testing.T) {
			enginetest.Play(t, func(o failover.Options) (failover.Engine, error) {
				return New(kind, enginetest.Pool([]string{"weight=2", "", "priority=1", "backup"}, settingsOf(kind)...), profile.Version{}, o)
			}, 3000)
		})
	}
}

func cycle(e *Engine, r *failover.Request, now time.Duration, o failover.Outcome) {
	r.Reset()
	for d := e.Pick(now, r); d.Action == failover.Send; {
		d = e.Report(now, r, o)
	}
}

func TestRequestsAllocateNothing(t *testing.T) {
	for _, kind := range []string{ThreeState, Adaptive, Blacklist, Resilience4j} {
		e := build(t, kind, enginetest.Pool(make([]string, 12), append(settingsOf(kind), "onAllOut.then", "pass")...)).Engine
		e.notify = nil
		var r failover.Request
		now := time.Duration(0)
		for i, o := range []failover.Outcome{{Status: 200}, {Status: 500, Took: 2 * s}} {
			if n := testing.AllocsPerRun(2000, func() {
				now += 10 * time.Millisecond
				for e.Next() <= now {
					e.Tick(now)
				}
				cycle(e, &r, now, o)
			}); n != 0 {
				t.Errorf("%s, outcome %d: %v allocations a request", kind, i, n)
			}
		}
	}
}

func BenchmarkRequest(b *testing.B) {
	for _, kind := range []string{ThreeState, Adaptive, Blacklist, Resilience4j} {
		b.Run(kind, func(b *testing.B) {
			e, err := New(kind, enginetest.Pool(make([]string, 12), settingsOf(kind)...), profile.Version{}, failover.Options{})
			if err != nil {
				b.Fatal(err)
			}
			var r failover.Request
			now := time.Duration(0)
			b.ReportAllocs()
			for b.Loop() {
				now += time.Microsecond
				cycle(e, &r, now, failover.Outcome{Status: 200})
			}
		})
	}
}
