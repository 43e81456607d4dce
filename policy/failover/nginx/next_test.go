package nginx

import (
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
)

// TestLocations: each location goes by its own next_upstream, the longest prefix or an exact path first.
func TestLocations(t *testing.T) {
	const server = "@server:10.0.0.9:80/location:"
	c := upstream([]string{"max_fails=0", "max_fails=0", "max_fails=0"},
		"proxy_next_upstream"+server+"/", "off",
		"proxy_next_upstream"+server+"/api/", "error timeout http_500",
		"proxy_next_upstream"+server+"= /api/once", "http_500",
		"proxy_next_upstream_tries"+server+"= /api/once", 2,
		"proxy_next_upstream"+server+"^~ /api/post/", "error http_500 non_idempotent",
		"proxy_next_upstream"+server+"~ \\.php$", "http_500")
	e := build(t, c)
	fails := failover.Outcome{Status: 500}
	for _, x := range []struct {
		path     string
		unsafe   bool
		attempts int
	}{
		{"/", false, 1}, {"", false, 1}, {"/other", false, 1}, {"/api/list", false, 3}, {"/api/list", true, 1},
		{"/api/once", false, 2}, {"/api/once/more", false, 3}, {"/api/post/x", true, 3},
	} {
		var r failover.Request
		r.Reset()
		r.Path, r.Unsafe = x.path, x.unsafe
		n := 0
		for d := e.Pick(0, &r); d.Action == failover.Send; n++ {
			d = e.Report(0, &r, fails)
		}
		if n != x.attempts {
			t.Errorf("%q: %d attempts, not %d", x.path, n, x.attempts)
		}
	}
	if len(e.Info().Assumed) == 0 {
		t.Error("a regular expression is left out, and nothing says so")
	}
}

// TestWorkersTakeTurns: one connection each, then blocks of sixteen; before 1.22 any worker.
func TestWorkersTakeTurns(t *testing.T) {
	e := &Engine{workers: make([]worker, 2), skewed: true}
	got := ""
	for range 40 {
		got += string(rune('a' + e.accept()))
	}
	if want := "ab" + "aaaaaaaaaaaaaaaa" + "bbbbbbbbbbbbbbbb" + "aaaaaa"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	old, err := New(upstream([]string{"", ""}, "worker_processes", 2), 1, 18, failover.Options{Seed: 1})
	if err != nil || old.skewed {
		t.Errorf("1.18: %v, %v", old.skewed, err)
	}
}

// TestForceIsAReload: marking a server as down forgets the failures of all, and requests that are under way meanwhile
// count for nobody.
func TestForceIsAReload(t *testing.T) {
	e := build(t, upstream([]string{"fail_timeout=20", "fail_timeout=20", "down"}))
	if e.State(2) != failover.Manual {
		t.Errorf("a server that is written down is %v", e.State(2))
	}
	ask(e, 0, false, bad(refused, 1))
	if e.State(0) != failover.Cooling {
		t.Fatal("not blocked")
	}
	var r failover.Request
	r.Reset()
	e.Pick(time.Second, &r)
	if err := e.Force(2*time.Second, failover.Order{Member: 1, Out: true, Initiator: "ops"}); err != nil {
		t.Fatal(err)
	}
	if e.State(0) != failover.In || e.State(1) != failover.Manual {
		t.Errorf("after the reload: %v and %v", e.State(0), e.State(1))
	}
	if d := e.Report(3*time.Second, &r, hung); d.Action == failover.Send {
		e.Report(3*time.Second, &r, well(0))
	}
	for i := range e.servers {
		if p := e.workers[0].peers[i]; p.conns != 0 || p.fails != 0 {
			t.Errorf("server %d: %+v", i+1, p)
		}
	}
	if got := ask(e, 3*time.Second, false, well); got != "1 pass" {
		t.Errorf("then: %s", got)
	}
	e.Force(4*time.Second, failover.Order{Member: 2, Initiator: "ops"})
	if e.tries != 2 || e.State(2) != failover.In {
		t.Errorf("%d tries, %v", e.tries, e.State(2))
	}
}

// TestStreamSessions: a session that breaks off is no failure of its server; one that never began is.
func TestStreamSessions(t *testing.T) {
	for kind, want := range map[failover.Kind]failover.State{failover.Reset: failover.In, failover.Refused: failover.Cooling, failover.ConnectTimeout: failover.Cooling} {
		e := build(t, upstream([]string{"", ""}, "context", "stream"))
		ask(e, 0, false, bad(failover.Outcome{Kind: kind}, 1))
		if e.State(0) != want {
			t.Errorf("%v: %v", kind, e.State(0))
		}
	}
}
