package haproxy

import (
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
)

// TestCheckUnderWayCountsForNothing: a check that is under way when traffic fails one instead ends uncounted, passed or
// failed, and with fastinter it ends early.
func TestCheckUnderWayCountsForNothing(t *testing.T) {
	for _, c := range []struct {
		name     string
		settings []any
		status   uint16
		health   int
		next     time.Duration
	}{
		{"a pass", []any{"on-error", "fail-check"}, 200, 3, time.Second},
		{"a failure", []any{"on-error", "fail-check"}, 500, 3, time.Second},
		{"with fastinter", []any{"on-error", "fail-check", "probe.intervals.fast", 300 * time.Millisecond}, 500, 3, 300 * time.Millisecond},
		{"on-error fastinter", []any{"on-error", "fastinter"}, 500, 3, time.Second},
	} {
		settings := append([]any{"observe", "layer7", "decision.consecutive", 2}, c.settings...)
		g := newRig(t, backend(1, settings...))
		g.until(100*time.Millisecond, always(true)) // full health: 4
		s := &g.servers[0]
		p, ok := g.Tick(g.Next())
		if !ok {
			t.Fatalf("%s: no check", c.name)
		}
		for range 2 {
			var r failover.Request
			r.Reset()
			g.Pick(g.now, &r)
			g.Report(g.now, &r, failover.Outcome{Status: 500})
		}
		at := 1100 * time.Millisecond
		g.Probed(at, p, failover.Outcome{Status: c.status})
		if s.health != c.health || s.due != at+c.next {
			t.Errorf("%s: health %d and the next check at %v, not %d and %v", c.name, s.health, s.due, c.health, at+c.next)
		}
	}
}

// TestFastinterCutsTheCheckShort: the end of a check that is under way comes forward too.
func TestFastinterCutsTheCheckShort(t *testing.T) {
	g := newRig(t, backend(1, "observe", "layer7", "decision.consecutive", 1, "on-error", "fastinter", "probe.intervals.fast", 200*time.Millisecond))
	g.until(100*time.Millisecond, always(true))
	p, _ := g.Tick(g.Next())
	var r failover.Request
	r.Reset()
	g.Pick(time.Second, &r)
	g.Report(time.Second, &r, failover.Outcome{Status: 500})
	if g.Next() != 1200*time.Millisecond {
		t.Fatalf("the check ends at %v", g.Next())
	}
	g.Tick(g.Next())
	s := &g.servers[0]
	if s.health != 3 || s.due != 1400*time.Millisecond {
		t.Errorf("health %d, next at %v", s.health, s.due)
	}
	g.Probed(1500*time.Millisecond, p, failover.Outcome{Status: 500})
	if s.health != 3 {
		t.Errorf("the late result counts: health %d", s.health)
	}
}
