package haproxy

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

var at = schema.At(1, 2)

// backend returns a copy with checks of a second, fall 3 and rise 2, and what else is given as path and value.
func backend(members int, settings ...any) *schema.Copy {
	c := &schema.Copy{Pool: "be"}
	for i := range members {
		c.Members = append(c.Members, schema.Member{Host: fmt.Sprintf("10.0.0.%d", i+1), Port: 80,
			Extra: []schema.Field{{Path: "name", Value: schema.TextOf(fmt.Sprintf("s%d", i+1))}}})
	}
	c.Set("mode", schema.TextOf("http"), at)
	c.Set("probe.protocol", schema.TextOf("http"), at)
	c.Set("probe.interval", schema.DurationOf(time.Second), at)
	c.Set("timeout connect", schema.DurationOf(time.Second), at)
	for i := 0; i < len(settings); i += 2 {
		v := schema.Value{}
		switch x := settings[i+1].(type) {
		case string:
			v = schema.TextOf(x)
		case int:
			v = schema.IntOf(int64(x))
		case bool:
			v = schema.BoolOf(x)
		case time.Duration:
			v = schema.DurationOf(x)
		case []string:
			v = schema.ListOf(x...)
		}
		c.Set(schema.Path(settings[i].(string)), v, at)
	}
	return c
}

// rig drives an engine by hand.
type rig struct {
	*Engine
	t       *testing.T
	now     time.Duration
	changes []string
}

func newRig(t *testing.T, c *schema.Copy) *rig {
	t.Helper()
	g := &rig{t: t}
	e, err := New(c, 2, 6, failover.Options{Seed: 1, Notify: func(x failover.Transition) {
		g.changes = append(g.changes, fmt.Sprintf("%d %s@%s", x.Member+1, x.To, x.At))
	}})
	if err != nil {
		t.Fatal(err)
	}
	g.Engine = e
	return g
}

// until runs all timers up to a moment; good says whether a check of a member passes.
func (g *rig) until(end time.Duration, good func(member int) bool) {
	for g.Next() <= end {
		g.now = g.Next()
		p, send := g.Tick(g.now)
		if !send {
			continue
		}
		o := failover.Outcome{Kind: failover.Answered, Status: 200}
		if !good(int(p.Member)) {
			o = failover.Outcome{Kind: failover.Refused}
		}
		g.Probed(g.now, p, o)
	}
	g.now = end
}

// picks returns the members of n requests, each of which is answered at once.
func (g *rig) picks(n int) string {
	var b strings.Builder
	for range n {
		var r failover.Request
		r.Reset()
		d := g.Pick(g.now, &r)
		if d.Action != failover.Send {
			fmt.Fprintf(&b, "%d ", d.Status)
			continue
		}
		fmt.Fprintf(&b, "%d ", r.Lease.Member+1)
		g.Report(g.now, &r, failover.Outcome{Kind: failover.Answered, Status: 200})
	}
	return strings.TrimSpace(b.String())
}

func (g *rig) expect(want ...string) {
	g.t.Helper()
	if got := strings.Join(g.changes, ", "); got != strings.Join(want, ", ") {
		g.t.Errorf("changes are %q, not %q", got, strings.Join(want, ", "))
	}
	g.changes = nil
}

func always(good bool) func(int) bool { return func(int) bool { return good } }

func except(bad int) func(int) bool { return func(m int) bool { return m != bad-1 } }

func TestHealthCounter(t *testing.T) {
	g := newRig(t, backend(2))
	g.until(500*time.Millisecond, except(1))
	g.expect("1 out@0s") // the first failed check after a start is enough
	g.until(1500*time.Millisecond, always(true))
	g.until(2500*time.Millisecond, except(1)) // one failure starts the count of passes anew
	g.until(3500*time.Millisecond, always(true))
	g.expect()
	g.until(4500*time.Millisecond, always(true))
	g.expect("1 in@4s")
	g.until(6500*time.Millisecond, except(1))
	g.until(7500*time.Millisecond, always(true)) // one pass while up restores all
	g.until(9500*time.Millisecond, except(1))
	g.expect()
	g.until(10500*time.Millisecond, except(1))
	g.expect("1 out@10s")
}

func TestFirstChecksAreSpread(t *testing.T) {
	for _, c := range []struct {
		settings []any
		want     []time.Duration
	}{
		{nil, []time.Duration{0, 333 * time.Millisecond, 666 * time.Millisecond}},
		{[]any{"probe.intervals.fast", 300 * time.Millisecond}, []time.Duration{0, 100 * time.Millisecond, 200 * time.Millisecond}},
		{[]any{"probe.interval", 500 * time.Millisecond}, []time.Duration{0, 166 * time.Millisecond, 333 * time.Millisecond}},
		{[]any{"server.s2.inter", 4 * time.Second}, []time.Duration{0, 4 * time.Second / 3, 2 * time.Second / 3}},
	} {
		g := newRig(t, backend(3, c.settings...))
		for i, want := range c.want {
			if got := g.servers[i].due; got != want.Truncate(time.Millisecond) {
				t.Errorf("%v: server %d is checked first at %v, not %v", c.settings, i+1, got, want)
			}
		}
	}
}

func TestIntervals(t *testing.T) {
	g := newRig(t, backend(1, "probe.interval", 4*time.Second, "probe.intervals.fast", 500*time.Millisecond, "probe.intervals.down", 3*time.Second))
	for _, step := range []struct {
		good bool
		next time.Duration
	}{
		{true, 4 * time.Second}, {false, 4500 * time.Millisecond}, {true, 8500 * time.Millisecond}, {false, 9 * time.Second}, {false, 9500 * time.Millisecond},
		{false, 12500 * time.Millisecond}, {true, 13 * time.Second}, {true, 17 * time.Second},
	} {
		g.until(g.Next(), func(int) bool { return step.good })
		if got := g.Next(); got != step.next {
			t.Fatalf("the next check is at %v, not %v", got, step.next)
		}
	}
	g.expect("1 out@9.5s", "1 in@13s")
}

// TestSlowStart holds the weight of one of two servers against what HAProxy 2.6.12 showed second by second.
func TestSlowStart(t *testing.T) {
	g := newRig(t, backend(2, "ramp.window", 10*time.Second))
	for i := range g.servers {
		g.servers[i].weight = 100
	}
	g.until(500*time.Millisecond, except(1))
	g.until(2200*time.Millisecond, always(true))
	g.expect("1 out@0s", "1 ramping@2s")
	for k, want := range []int{7, 13, 25, 32, 44, 57, 63, 75, 82, 94, 100} {
		g.until(2*time.Second+time.Duration(k)*time.Second, always(true))
		if got := (g.servers[0].eweight + fullShare - 1) / fullShare; got != want {
			t.Errorf("after %d s the weight is %d, not %d", k, got, want)
		}
	}
	g.expect("1 in@12s")
	// Whole seconds, rounded up, and none at start.
	if h := newRig(t, backend(1, "ramp.window", 2500*time.Millisecond)); h.servers[0].slowstart != 3*time.Second || h.State(0) != failover.In {
		t.Error("slowstart 2500ms")
	}
}

func TestBalance(t *testing.T) {
	weights := func(c *schema.Copy, w ...int64) *schema.Copy {
		for i := range w {
			c.Members[i].HasWeight, c.Members[i].Weight = true, w[i]
		}
		return c
	}
	backups := func(c *schema.Copy, from int) *schema.Copy {
		for i := from; i < len(c.Members); i++ {
			c.Members[i].Backup = schema.Yes
		}
		return c
	}
	for name, c := range map[string]struct {
		copy *schema.Copy
		down int
		want string
	}{
		"round robin":                {backend(3), 0, "1 2 3 1 2 3"},
		"one down":                   {backend(3), 2, "1 3 1 3 1 3"},
		"weights":                    {weights(backend(2), 2, 1), 0, "1 1 2 1 1 2"},
		"weight 0":                   {weights(backend(3), 1, 0, 1), 0, "1 3 1 3 1 3"},
		"least connections":          {backend(3, "balance", "leastconn"), 0, "1 2 3 1 2 3"},
		"first":                      {backend(3, "balance", "first"), 0, "1 1 1 1 1 1"},
		"source":                     {backend(3, "balance", "source"), 0, "3 3 3 3 3 3"},
		"source moves":               {backend(3, "balance", "source"), 3, "2 2 2 2 2 2"},
		"the first backup":           {backups(backend(3), 1), 1, "2 2 2 2 2 2"},
		"a backup while all is well": {backups(backend(3), 1), 0, "1 1 1 1 1 1"},
		"all backups":                {backups(backend(3, "option allbackups", true), 1), 1, "2 3 2 3 2 3"},
		"nobody":                     {backend(1), 1, "503 503 503 503 503 503"},
	} {
		g := newRig(t, c.copy)
		g.until(900*time.Millisecond, except(c.down))
		var b []string
		for range 6 {
			var r failover.Request
			r.Reset()
			r.Client = 127<<24 | 1
			d := g.Pick(g.now, &r)
			if d.Action == failover.Answer {
				if !d.Refused {
					t.Errorf("%s: nobody was asked, and it does not say so", name)
				}
				b = append(b, fmt.Sprint(d.Status))
				continue
			}
			b = append(b, fmt.Sprint(r.Lease.Member+1))
			g.Report(g.now, &r, failover.Outcome{Kind: failover.Answered, Status: 200})
		}
		if got := strings.Join(b, " "); got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
	}
}

// TestRetries follows one request whose attempts all end alike: "2@1s" is an attempt on server 2 after a second.
func TestRetries(t *testing.T) {
	refused, hung, reset := failover.Outcome{Kind: failover.Refused}, failover.Outcome{Kind: failover.Timeout}, failover.Outcome{Kind: failover.Reset}
	for name, c := range map[string]struct {
		copy *schema.Copy
		o    failover.Outcome
		want string
	}{
		"no redispatch":            {backend(2), refused, "1@0s 1@1s 1@2s 1@3s 503"},
		"redispatch at once":       {backend(2, "option redispatch", true), refused, "1@0s 2@0s 1@0s 2@0s 503"},
		"one server":               {backend(1, "option redispatch", true), refused, "1@0s 1@1s 1@2s 1@3s 503"},
		"leastconn":                {backend(3, "option redispatch", true, "balance", "leastconn"), refused, "1@0s 2@0s 3@0s 1@0s 503"},
		"hash, on the last":        {backend(2, "option redispatch", true, "balance", "source"), refused, "2@0s 2@1s 2@2s 2@2s 503"},
		"hash, on each":            {backend(2, "option redispatch", 1, "balance", "source"), refused, "2@0s 2@0s 2@0s 2@0s 503"},
		"hash, on each second":     {backend(2, "option redispatch", 2, "balance", "source"), refused, "2@0s 2@1s 2@1s 2@2s 503"},
		"no retries":               {backend(2, "retry.attempts", 0), refused, "1@0s 503"},
		"a short connect time-out": {backend(1, "timeout connect", 200*time.Millisecond), refused, "1@0s 1@200ms 1@400ms 1@600ms 503"},
		"no connection":            {backend(2), failover.Outcome{Kind: failover.ConnectTimeout}, "1@0s 1@0s 1@0s 1@0s 503"},
		"no answer":                {backend(2, "option redispatch", true), hung, "1@0s 504"},
		"no answer, retried":       {backend(2, "option redispatch", true, "retry.on", []string{"response-timeout"}), hung, "1@0s 2@0s 1@0s 2@0s 504"},
		"closed":                   {backend(2), reset, "1@0s 502"},
		"closed, retried":          {backend(2, "retry.on", []string{"all-retryable-errors"}), reset, "1@0s 1@0s 1@0s 1@0s 502"},
		"a status, retried":        {backend(2, "retry.on", []string{"503"}), failover.Outcome{Status: 503}, "1@0s 1@0s 1@0s 1@0s pass"},
		"a status":                 {backend(2), failover.Outcome{Status: 503}, "1@0s pass"},
		"connections not listed":   {backend(2, "retry.on", []string{"503"}), refused, "1@0s 503"},
		"tcp":                      {backend(2, "mode", "tcp"), failover.Outcome{Kind: failover.Timeout}, "1@0s 0"},
		"sessions are shut down":   {backend(2), failover.Outcome{Kind: failover.Severed}, "1@0s 502"},
		"the client has gone":      {backend(2), failover.Outcome{Kind: failover.Cancelled}, "1@0s 0"},
	} {
		g := newRig(t, c.copy)
		var r failover.Request
		r.Reset()
		r.Client = 127<<24 | 1
		var b []string
		now := time.Duration(0)
		d := g.Pick(now, &r)
		for {
			switch d.Action {
			case failover.Send:
				b = append(b, fmt.Sprintf("%d@%s", r.Lease.Member+1, now))
				d = g.Report(now, &r, c.o)
				continue
			case failover.Wait:
				now = d.At
				d = g.Pick(now, &r)
				continue
			case failover.Pass:
				b = append(b, "pass")
			default:
				b = append(b, fmt.Sprint(d.Status))
			}
			break
		}
		if got := strings.Join(b, " "); got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
		if g.conns != 0 {
			t.Errorf("%s: %d connections are left", name, g.conns)
		}
	}
}

// TestObserve counts how many answers of 500 in a row change the state.
func TestObserve(t *testing.T) {
	for name, c := range map[string]struct {
		settings []any
		o        failover.Outcome
		want     int // answers until it is out; 0: never within a hundred
	}{
		"mark-down":               {[]any{"observe", "layer7", "decision.consecutive", 5, "on-error", "mark-down"}, failover.Outcome{Status: 500}, 5},
		"sudden-death":            {[]any{"observe", "layer7", "on-error", "sudden-death"}, failover.Outcome{Status: 500}, 20},
		"fail-check":              {[]any{"observe", "layer7"}, failover.Outcome{Status: 500}, 30},
		"fastinter":               {[]any{"observe", "layer7", "on-error", "fastinter"}, failover.Outcome{Status: 500}, 0},
		"501 is a sign of life":   {[]any{"observe", "layer7", "on-error", "mark-down"}, failover.Outcome{Status: 501}, 0},
		"404 is a sign of life":   {[]any{"observe", "layer7", "on-error", "mark-down"}, failover.Outcome{Status: 404}, 0},
		"layer4 sees no statuses": {[]any{"observe", "layer4", "on-error", "mark-down"}, failover.Outcome{Status: 500}, 0},
		"layer4 sees refusals":    {[]any{"observe", "layer4", "on-error", "mark-down", "retry.attempts", 0}, failover.Outcome{Kind: failover.Refused}, 10},
		"layer7 sees time-outs":   {[]any{"observe", "layer7", "on-error", "mark-down"}, failover.Outcome{Kind: failover.Timeout}, 10},
		"retried answers":         {[]any{"observe", "layer7", "on-error", "mark-down", "retry.on", []string{"500"}}, failover.Outcome{Status: 500}, 0},
		"a client that goes":      {[]any{"observe", "layer7", "on-error", "mark-down"}, failover.Outcome{Kind: failover.Cancelled}, 0},
		"nothing is observed":     {nil, failover.Outcome{Status: 500}, 0},
	} {
		g := newRig(t, backend(1, c.settings...))
		g.until(10*time.Millisecond, always(true)) // full health
		n := 0
		for n < 100 && g.State(0) == failover.In {
			var r failover.Request
			r.Reset()
			g.Pick(g.now, &r)
			g.Report(g.now, &r, c.o)
			n++
		}
		if g.State(0) == failover.In {
			n = 0
		}
		if n != c.want {
			t.Errorf("%s: out after %d, not %d", name, n, c.want)
		}
	}
}

func TestPassingCheckForgetsErrors(t *testing.T) {
	g := newRig(t, backend(1, "observe", "layer7", "on-error", "mark-down"))
	for k := range 50 {
		if k%9 == 0 {
			g.until(g.now+time.Second, always(true))
		}
		var r failover.Request
		r.Reset()
		g.Pick(g.now, &r)
		g.Report(g.now, &r, failover.Outcome{Status: 500})
	}
	g.expect()
}

func TestQueue(t *testing.T) {
	c := backend(1, "timeout queue", 300*time.Millisecond)
	c.Members[0].Extra = append(c.Members[0].Extra, schema.Field{Path: "maxConnections", Value: schema.IntOf(1)})
	g := newRig(t, c)
	r := make([]failover.Request, 4)
	for i := range r {
		r[i].Reset()
		r[i].Tag = uint32(i)
	}
	if d := g.Pick(0, &r[0]); d.Action != failover.Send {
		t.Fatalf("first: %+v", d)
	}
	for i := 1; i < 4; i++ {
		if d := g.Pick(0, &r[i]); d.Action != failover.Queue || d.At != 300*time.Millisecond {
			t.Fatalf("%d: %+v", i, d)
		}
	}
	if _, ok := g.Wake(); ok {
		t.Fatal("woken without room")
	}
	g.Report(100*time.Millisecond, &r[0], failover.Outcome{Status: 200})
	tag, ok := g.Wake()
	if !ok || tag != 1 {
		t.Fatalf("woken: %d, %v", tag, ok)
	}
	if _, ok := g.Wake(); ok {
		t.Fatal("one place, and two woken")
	}
	if d := g.Pick(100*time.Millisecond, &r[1]); d.Action != failover.Send {
		t.Fatalf("woken and not sent: %+v", d)
	}
	if d := g.Pick(300*time.Millisecond, &r[2]); d.Action != failover.Answer || d.Status != 503 || !d.Refused {
		t.Fatalf("too late: %+v", d)
	}
	g.Report(310*time.Millisecond, &r[1], failover.Outcome{Status: 200})
	if tag, ok := g.Wake(); !ok || tag != 3 {
		t.Fatalf("the one that gave up is woken: %d, %v", tag, ok)
	}
}

func TestMaintenance(t *testing.T) {
	g := newRig(t, backend(2, "ramp.window", 4*time.Second))
	g.until(1500*time.Millisecond, always(true))
	g.Force(g.now, failover.Order{Member: 0, Out: true, Initiator: "ops"})
	g.expect("1 manual@1.5s")
	if got := g.picks(3); got != "2 2 2" {
		t.Errorf("in maintenance: %s", got)
	}
	g.until(5*time.Second, except(1)) // nobody looks
	g.Force(g.now, failover.Order{Member: 0, Initiator: "ops"})
	g.expect("1 ramping@5s")
	if g.Force(0, failover.Order{Member: 7}) == nil {
		t.Error("a server that is not there was forced")
	}
}

func TestCheckTimeouts(t *testing.T) {
	for _, c := range []struct {
		timeout time.Duration
		want    failover.Probe
	}{
		{0, failover.Probe{Total: 2 * time.Second}},
		{3 * time.Second, failover.Probe{Connect: time.Second, Response: 3 * time.Second}},
		{300 * time.Millisecond, failover.Probe{Connect: time.Second, Response: time.Second}}, // noticed late
	} {
		g := newRig(t, backend(1, "probe.interval", 2*time.Second, "probe.timeout", c.timeout))
		p, _ := g.Tick(0)
		if p.Connect != c.want.Connect || p.Response != c.want.Response || p.Total != c.want.Total {
			t.Errorf("timeout check %v: %+v", c.timeout, p)
		}
	}
}

func TestInitState(t *testing.T) {
	for state, want := range map[string]failover.State{"up": failover.In, "fully-up": failover.In, "down": failover.Out, "fully-down": failover.Out, "none": failover.In} {
		c := backend(1)
		c.Members[0].Extra = append(c.Members[0].Extra, schema.Field{Path: "init-state", Value: schema.TextOf(state)})
		g := newRig(t, c)
		if g.State(0) != want {
			t.Errorf("init-state %s starts %v", state, g.State(0))
		}
		g.until(100*time.Millisecond, always(true))
		if in := g.State(0) == failover.In; in != (state != "fully-down") {
			t.Errorf("init-state %s after one pass: %v", state, g.State(0))
		}
	}
}

func TestRequestsAllocateNothing(t *testing.T) {
	for _, balance := range []string{"roundrobin", "leastconn", "random", "source", "first"} {
		g := newRig(t, backend(12, "balance", balance, "observe", "layer7"))
		var r failover.Request
		if n := testing.AllocsPerRun(1000, func() {
			r.Reset()
			g.Pick(g.now, &r)
			g.Report(g.now, &r, failover.Outcome{Status: 200})
		}); n != 0 {
			t.Errorf("%s: %v allocations a request", balance, n)
		}
	}
}

// TestServersThatDiffer: a setting of one server does not become that of others that say "default", and a server without
// check is always up.
func TestServersThatDiffer(t *testing.T) {
	e := newRig(t, backend(3, "probe.fall", 5, "ramp.window", 9*time.Second, "observe", "layer7", "on-error", "mark-down", "on-marked-down", "shutdown-sessions",
		"server.s2.fall", "default", "server.s2.slowstart", "default", "server.s2.observe", "default", "server.s2.on-marked-down", "default", "server.s2.inter", 3*time.Second,
		"server.s3.check", false)).Engine
	one, two, three := &e.servers[0], &e.servers[1], &e.servers[2]
	if one.fall != 5 || one.slowstart != 9*time.Second || one.observe != observeAnswers || !one.severs || one.inter != time.Second || !one.check {
		t.Errorf("the first: %+v", one.settings)
	}
	if two.fall != 3 || two.slowstart != 0 || two.observe != observeNone || two.severs || two.inter != 3*time.Second || !two.check {
		t.Errorf("the second: %+v", two.settings)
	}
	if three.check || three.observe != observeNone || three.due != failover.Never {
		t.Errorf("the third: %+v", three.settings)
	}
}
