package daemon

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// TestClockJumps: a clock that is put forward or back by a day tells nothing sooner, later or twice, and everything is
// looked at as often as before.
func TestClockJumps(t *testing.T) {
	for _, by := range []time.Duration{24 * time.Hour, -24 * time.Hour} {
		t.Run(fmt.Sprint(by), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, "alerts:\n  for: 10m\n  webhook: {url: http://hook/}\n")
				w.begin()
				w.drift("a")
				w.pass(15 * time.Minute)
				w.drift("b")
				w.pass(time.Minute)
				looks := w.shot().Totals.FullScans
				w.ahead.Store(int64(by))
				jump := time.Now()
				w.pass(8 * time.Minute)
				w.expect("hook", "a began@10m0s")
				w.pass(2 * time.Minute)
				w.expect("hook", "a began@10m0s, b began@25m0s")
				now := w.options.Now()
				for _, d := range w.shot().Drifts {
					if d.Since.After(now) || now.Sub(d.Since) > 25*time.Hour {
						t.Errorf("%s since %v, now %v", d.Pool, d.Since, now)
					}
				}
				w.mend("a")
				w.pass(11 * time.Minute)
				w.expect("hook", "a began@10m0s, b began@25m0s, a ended@36m0s")
				for _, a := range w.net.alerts("hook") {
					if a.Status == "resolved" && a.Ended.Before(a.Since) {
						t.Errorf("%s ended %v before it began %v", a.Pool, a.Ended, a.Since)
					}
				}
				if got, want := int(w.shot().Totals.FullScans-looks), int(time.Since(jump)/(5*time.Minute)); got < want || got > want+3 {
					t.Errorf("%d looks in %v", got, time.Since(jump))
				}
				if w.heard("the clock was put") != 1 {
					t.Errorf("not said once: %q", w.said())
				}
				w.ahead.Store(0) // and back again
				w.pass(30 * time.Minute)
				if n := len(w.net.alerts("hook")); n != 3 {
					t.Errorf("%d alerts after the clock was right again", n)
				}
			})
		})
	}
}

// TestClockJumpsWhileDown: after a restart with a clock that went back, nothing began in the future or waits for ever.
func TestClockJumpsWhileDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "alerts:\n  for: 10m\n  webhook: {url: http://hook/}\n")
		w.begin()
		w.drift("a")
		w.pass(time.Minute)
		w.end()
		w.ahead.Store(int64(-24 * time.Hour))
		w.begin()
		w.pass(11 * time.Minute)
		w.expect("hook", "a began@11m0s")
		if a := w.net.alerts("hook")[0]; a.Since.After(w.options.Now()) {
			t.Errorf("since %v", a.Since)
		}
	})
}

// TestClockStandsStill: with a clock that does not move, drift is still told after "for".
func TestClockStandsStill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, hook)
		fixed := time.Now()
		w.options.Now = func() time.Time { return fixed }
		w.begin()
		w.drift("a")
		w.pass(30 * time.Second)
		w.expect("hook", "")
		w.pass(time.Minute)
		if n := len(w.net.alerts("hook")); n != 1 {
			t.Errorf("%d alerts", n)
		}
		if n := w.heard("the clock"); n > 0 {
			t.Errorf("said %d times", n)
		}
	})
}
