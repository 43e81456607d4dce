package nginx

import (
	"fmt"
	"hash/crc32"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

var at = schema.At(1, 2)

// server writes a server line: "weight=5 max_fails=2 fail_timeout=3s backup down max_conns=1".
func member(i int, line string) schema.Member {
	m := schema.Member{Host: fmt.Sprintf("10.0.0.%d", i), Port: 80}
	for _, p := range strings.Fields(line) {
		var n int64
		key, value, _ := strings.Cut(p, "=")
		fmt.Sscan(value, &n)
		switch key {
		case "weight":
			m.HasWeight, m.Weight = true, n
		case "max_fails":
			m.Extra = append(m.Extra, schema.Field{Path: "max_fails", Value: schema.IntOf(n)})
		case "max_conns":
			m.Extra = append(m.Extra, schema.Field{Path: "maxConnections", Value: schema.IntOf(n)})
		case "fail_timeout":
			m.Extra = append(m.Extra, schema.Field{Path: "fail_timeout", Value: schema.DurationOf(time.Duration(n) * time.Second)})
		case "backup":
			m.Backup = schema.Yes
		case "down":
			m.State = schema.Disabled
		}
	}
	return m
}

func upstream(lines []string, settings ...any) *schema.Copy {
	c := &schema.Copy{Pool: "up"}
	for i, line := range lines {
		c.Members = append(c.Members, member(i+1, line))
	}
	for i := 0; i < len(settings); i += 2 {
		v := schema.Value{}
		switch x := settings[i+1].(type) {
		case string:
			v = schema.TextOf(x)
		case int:
			v = schema.IntOf(int64(x))
		case time.Duration:
			v = schema.DurationOf(x)
		case []string:
			v = schema.ListOf(x...)
		}
		c.Set(schema.Path(settings[i].(string)), v, at)
	}
	return c
}

func build(t *testing.T, c *schema.Copy) *Engine {
	t.Helper()
	e, err := New(c, 1, 22, failover.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// ask follows one request; outcome says what comes of an attempt on a member (from 1). The answer is "1 2 pass".
func ask(e *Engine, now time.Duration, unsafe bool, outcome func(int) failover.Outcome) string {
	var r failover.Request
	r.Reset()
	r.Client, r.Path, r.Unsafe = 127<<24|1, "/orders", unsafe
	var b []string
	d := e.Pick(now, &r)
	for d.Action == failover.Send {
		m := int(r.Lease.Member) + 1
		b = append(b, fmt.Sprint(m))
		d = e.Report(now, &r, outcome(m))
	}
	if d.Action == failover.Pass {
		b = append(b, "pass")
	} else {
		b = append(b, fmt.Sprint(d.Status))
	}
	return strings.Join(b, " ")
}

func well(int) failover.Outcome { return failover.Outcome{Status: 200} }

// bad returns an outcome for some members, all if none is named, and 200 for the others.
func bad(o failover.Outcome, members ...int) func(int) failover.Outcome {
	return func(m int) failover.Outcome {
		for _, x := range members {
			if x == m {
				return o
			}
		}
		if len(members) == 0 {
			return o
		}
		return well(m)
	}
}

var (
	refused = failover.Outcome{Kind: failover.Refused}
	hung    = failover.Outcome{Kind: failover.Timeout}
)

func TestSmoothRoundRobin(t *testing.T) {
	e := build(t, upstream([]string{"weight=5", "", ""}))
	var b []string
	for range 7 {
		b = append(b, strings.TrimSuffix(ask(e, 0, false, well), " pass"))
	}
	if got := strings.Join(b, ""); got != "1121311" {
		t.Errorf("5, 1, 1 gives %s", got)
	}
}

func TestNextUpstream(t *testing.T) {
	two := []string{"", ""}
	for name, c := range map[string]struct {
		copy    *schema.Copy
		unsafe  bool
		outcome func(int) failover.Outcome
		want    string
	}{
		"refused":                    {upstream(two), false, bad(refused, 1), "1 2 pass"},
		"all refused":                {upstream(two), false, bad(refused), "1 2 502"},
		"all hang":                   {upstream(two), false, bad(hung), "1 2 504"},
		"off":                        {upstream(two, "retry.on", []string{}), false, bad(refused), "1 502"},
		"time-outs not listed":       {upstream(two, "retry.on", []string{"error"}), false, bad(hung), "1 504"},
		"one try":                    {upstream(two, "retry.attempts", 0), false, bad(refused), "1 502"},
		"500 not listed":             {upstream(two), false, bad(failover.Outcome{Status: 500}), "1 pass"},
		"500 listed":                 {upstream(two, "retry.on", []string{"http_500"}), false, bad(failover.Outcome{Status: 500}, 1), "1 2 pass"},
		"all 500":                    {upstream(two, "retry.on", []string{"http_500"}), false, bad(failover.Outcome{Status: 500}), "1 2 pass"},
		"POST that was sent":         {upstream(two), true, bad(hung), "1 504"},
		"POST that was not sent":     {upstream(two), true, bad(refused, 1), "1 2 pass"},
		"POST, non_idempotent":       {upstream(two, "retry.nonIdempotent", 1), true, bad(hung, 1), "1 2 pass"},
		"POST and a listed status":   {upstream(two, "retry.on", []string{"http_500"}), true, bad(failover.Outcome{Status: 500}), "1 pass"},
		"the backup follows":         {upstream([]string{"", "backup"}), false, bad(refused, 1), "1 2 pass"},
		"one server":                 {upstream([]string{""}), false, bad(refused), "1 502"},
		"a server that is down":      {upstream([]string{"down", "", ""}), false, bad(refused), "2 3 502"},
		"all are down":               {upstream([]string{"down", "down"}), false, well, "502"},
		"the client has gone":        {upstream(two), false, bad(failover.Outcome{Kind: failover.Cancelled}), "1 0"},
		"stream":                     {upstream(two, "context", "stream"), false, bad(refused, 1), "1 2 pass"},
		"stream, after a connection": {upstream(two, "context", "stream"), false, bad(failover.Outcome{Kind: failover.Reset}), "1 0"},
		"ip_hash":                    {upstream([]string{"", "", ""}, "balance", "ip_hash"), false, bad(refused, 3), "3 2 pass"},
	} {
		e := build(t, c.copy)
		if got := ask(e, 0, c.unsafe, c.outcome); got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
		for i := range e.servers {
			if n := e.workers[0].peers[i].conns; n != 0 {
				t.Errorf("%s: %d connections are left to server %d", name, n, i+1)
			}
		}
	}
}

// TestFailuresAddUp plays "max_fails=3 fail_timeout=2s" with one failure every 1.5 s and passes in between.
func TestFailuresAddUp(t *testing.T) {
	e := build(t, upstream([]string{"max_fails=3 fail_timeout=2s", "backup"}))
	ms := time.Millisecond
	for i, want := range []string{"1 2 pass", "1 pass", "1 2 pass", "1 pass", "1 2 pass", "2 pass"} {
		outcome := well
		if i%2 == 0 {
			outcome = bad(refused, 1)
		}
		if got := ask(e, time.Duration(i)*750*ms, false, outcome); got != want {
			t.Fatalf("request %d: %s, not %s", i, got, want)
		}
	}
}

func TestBlockAndTrial(t *testing.T) {
	var seen []string
	c := upstream([]string{"max_fails=1 fail_timeout=3s", ""})
	e, err := New(c, 1, 22, failover.Options{Notify: func(x failover.Transition) { seen = append(seen, fmt.Sprintf("%s@%s", x.To, x.At)) }})
	if err != nil {
		t.Fatal(err)
	}
	s := time.Second
	// tries plays ten requests and returns how many of them tried the first server.
	tries := func(now time.Duration, o func(int) failover.Outcome) int {
		t.Helper()
		for e.Next() <= now {
			e.Tick(e.Next())
		}
		n := 0
		for range 10 {
			got := ask(e, now, false, o)
			if strings.HasPrefix(got, "1") {
				n++
			}
			if !strings.HasSuffix(got, "pass") {
				t.Errorf("at %v: %s", now, got)
			}
		}
		return n
	}
	for _, step := range []struct {
		at   time.Duration
		o    func(int) failover.Outcome
		want int
	}{
		{1500 * time.Millisecond, bad(refused, 1), 1},
		{4900 * time.Millisecond, well, 0}, // still blocked: 4 - 1 <= 3
		{5 * s, bad(refused, 1), 1},        // the trial; one failure blocks again
		{6 * s, well, 0},
		{8900 * time.Millisecond, well, 0},
		{9 * s, well, 4}, // its effective weight was 0 and its current one behind
		{10 * s, well, 5},
	} {
		if got := tries(step.at, step.o); got != step.want {
			t.Errorf("at %v: %d tries, not %d", step.at, got, step.want)
		}
	}
	want := "cooling@1.5s in@5s cooling@5s in@9s"
	if got := strings.Join(seen, " "); got != want {
		t.Errorf("states: %s, not %s", got, want)
	}
}

func TestOneTrialAtATime(t *testing.T) {
	e := build(t, upstream([]string{"max_fails=1 fail_timeout=3s", ""}))
	ask(e, 0, false, bad(refused, 1))
	var trial failover.Request
	trial.Reset()
	for k := 0; ; k++ { // its effective weight was 0, so it is not the first one
		if e.Pick(4*time.Second, &trial); trial.Lease.Member == 0 {
			break
		}
		if e.Report(4*time.Second, &trial, well(2)); k == 5 {
			t.Fatal("no trial after fail_timeout")
		}
		trial.Reset()
	}
	for range 3 {
		if got := ask(e, 4*time.Second, false, well); got != "2 pass" {
			t.Errorf("a second trial while the first is under way: %s", got)
		}
	}
	// The trial hangs; its failure counts when it is noticed.
	e.Report(5*time.Second, &trial, hung)
	if got := ask(e, 8*time.Second, false, well); got != "2 pass" {
		t.Errorf("blocked from the failure on: %s", got)
	}
}

func TestEffectiveWeightClimbs(t *testing.T) {
	e := build(t, upstream([]string{"weight=100 max_fails=1 fail_timeout=1s", "weight=100"}))
	ask(e, 0, false, bad(refused, 1))
	if w := e.workers[0].peers[0].effective; w != 0 {
		t.Fatalf("after a failure the effective weight is %d", w)
	}
	first := 0
	for range 50 {
		if strings.HasPrefix(ask(e, 5*time.Second, false, well), "1") {
			first++
		}
	}
	if w := e.workers[0].peers[0].effective; w != 50 || first < 6 || first > 14 {
		t.Errorf("after 50 picks the effective weight is %d, and %d went there", w, first)
	}
}

func TestSingleIsNeverBlocked(t *testing.T) {
	e := build(t, upstream([]string{"max_fails=1 fail_timeout=10s"}))
	ask(e, 0, false, bad(refused))
	if got := ask(e, 0, false, well); got != "1 pass" {
		t.Errorf("after a failure: %s", got)
	}
	e = build(t, upstream([]string{"max_fails=1 fail_timeout=10s", "backup"}))
	ask(e, 0, false, bad(refused, 1))
	if got := ask(e, 0, false, well); got != "2 pass" {
		t.Errorf("with a backup: %s", got)
	}
}

func TestNoLiveUpstreams(t *testing.T) {
	e := build(t, upstream([]string{"", ""}, "retry.on", []string{"http_500"}))
	ask(e, 0, false, bad(failover.Outcome{Status: 500}))
	// The first has failed, the last try has not counted.
	if got := ask(e, 0, false, bad(failover.Outcome{Status: 500})); got != "2 502" {
		t.Errorf("a status that is listed, and nobody left: %s", got)
	}
	var r failover.Request
	r.Reset()
	if d := e.Pick(0, &r); !d.Refused || d.Status != 502 {
		t.Errorf("nobody left: %+v", d)
	}
}

func TestNextTimeout(t *testing.T) {
	e := build(t, upstream([]string{"", ""}, "retry.total", 500*time.Millisecond))
	var r failover.Request
	r.Reset()
	e.Pick(0, &r)
	if d := e.Report(time.Second, &r, hung); d.Action != failover.Answer || d.Status != 504 {
		t.Errorf("%+v", d)
	}
}

func TestLeastConn(t *testing.T) {
	e := build(t, upstream([]string{"", "", ""}, "balance", "least_conn"))
	var slow failover.Request
	slow.Reset()
	e.Pick(0, &slow)
	for range 6 {
		if got := ask(e, 0, false, well); strings.HasPrefix(got, fmt.Sprint(slow.Lease.Member+1)) {
			t.Errorf("the busy one was chosen: %s", got)
		}
	}
}

func TestMaxConns(t *testing.T) {
	e := build(t, upstream([]string{"max_conns=1", "max_conns=1"}))
	r := make([]failover.Request, 3)
	for i := range r {
		r[i].Reset()
	}
	e.Pick(0, &r[0])
	e.Pick(0, &r[1])
	if d := e.Pick(0, &r[2]); d.Action != failover.Answer || d.Status != 502 || !d.Refused {
		t.Errorf("beyond max_conns: %+v", d)
	}
}

// TestWorkers: without a zone each worker needs its own failures.
func TestWorkers(t *testing.T) {
	count := func(c *schema.Copy) int {
		e := build(t, c)
		n := 0
		for range 1000 {
			if strings.HasSuffix(ask(e, 0, false, bad(refused, 1)), "502") {
				n++
			}
		}
		return n
	}
	lines := []string{"max_fails=3", "max_fails=3"}
	if n := count(upstream(lines, "worker_processes", 2, "retry.on", []string{})); n != 6 {
		t.Errorf("two workers: %d errors, not 6", n)
	}
	if n := count(upstream(lines, "worker_processes", 2, "zone", "up 64k", "retry.on", []string{})); n != 3 {
		t.Errorf("two workers with a zone: %d errors, not 3", n)
	}
}

func TestHash(t *testing.T) {
	for _, balance := range []string{"hash $request_uri", "hash $request_uri consistent", "hash $remote_addr", "ip_hash"} {
		e := build(t, upstream([]string{"", "", ""}, "balance", balance))
		first := ask(e, 0, false, well)
		for range 5 {
			if got := ask(e, 0, false, well); got != first {
				t.Errorf("%s: %s, then %s", balance, first, got)
			}
		}
		owner := int(first[0] - '0')
		got := ask(e, 0, false, bad(refused, owner))
		if !strings.HasPrefix(got, first[:1]+" ") || !strings.HasSuffix(got, " pass") || len(got) != len("1 2 pass") {
			t.Errorf("%s: with %d dead %s", balance, owner, got)
		}
	}
}

func TestRandomTwo(t *testing.T) {
	e := build(t, upstream([]string{"", "", ""}, "balance", "random two least_conn"))
	var slow failover.Request
	slow.Reset()
	e.Pick(0, &slow)
	busy := 0
	for range 300 {
		if strings.HasPrefix(ask(e, 0, false, well), fmt.Sprint(slow.Lease.Member+1)) {
			busy++
		}
	}
	if busy != 0 {
		t.Errorf("of two the busier one was chosen %d times", busy)
	}
}

func TestRequestsAllocateNothing(t *testing.T) {
	for _, balance := range []string{"round_robin", "least_conn", "ip_hash", "hash $request_uri", "hash $remote_addr consistent", "random two"} {
		e := build(t, upstream(make([]string, 12), "balance", balance))
		var r failover.Request
		if n := testing.AllocsPerRun(1000, func() {
			r.Reset()
			r.Path = "/orders"
			e.Pick(0, &r)
			e.Report(0, &r, failover.Outcome{Status: 200})
		}); n != 0 {
			t.Errorf("%s: %v allocations a request", balance, n)
		}
	}
}

func TestNumber(t *testing.T) {
	for _, n := range []uint32{0, 7, 10, 127, 20001} {
		if got, want := ^number(^uint32(0), n), crc32.ChecksumIEEE([]byte(fmt.Sprint(n))); got != want {
			t.Errorf("the checksum of %d is %x, not %x", n, got, want)
		}
	}
}
