package daemon

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
)

// TestPanic: a defect in a look is survived and said, ends no drift and tells none, counts as not seeing while it lasts,
// and is forgotten once looks succeed.
func TestPanic(t *testing.T) {
	for _, where := range []string{"a saved file", "everything"} {
		t.Run(where, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, "alerts:\n  webhook: {url: http://hook/}\n")
				var broken atomic.Bool
				w.options.Rules = append([]rules.Rule{{ID: "test/panic", Severity: schema.Error, Pool: func(p *rules.Pool, r *rules.Reporter) {
					if broken.Load() && p.Group.Pool == "b" {
						panic("out of range")
					}
				}}}, w.options.Rules...)
				w.options.RuleNames = append(w.options.RuleNames, "test/panic")
				w.begin()
				w.drift("a")
				w.pass(time.Minute)
				before := w.shot().Scan.Completed
				broken.Store(true)
				if where == "everything" {
					w.pass(6 * time.Minute)
				} else {
					w.save("gw/b.cfg", gateway("b", 80))
					w.pass(time.Second)
				}
				s := w.shot()
				if s.Totals.Panics == 0 || w.fault("panic")+w.fault("scan") == "" || strings.Contains(w.fault("panic")+w.fault("scan"), "goroutine") || w.heard("out of range") == 0 || w.heard("goroutine") == 0 {
					t.Errorf("%d panics, faults %+v, said %q", s.Totals.Panics, s.Errors, w.said())
				}
				if len(s.Drifts) != 1 || !s.Drifts[0].Held {
					t.Errorf("drift after a look that failed: %+v", s.Drifts)
				}
				w.pass(20 * time.Minute)
				s = w.shot()
				if s.At.Sub(s.Scan.Completed) < 3*s.Every || s.Scan.Completed.Before(before) {
					t.Errorf("it counts as seeing, of %v at %v", s.Scan.Completed, s.At)
				}
				if len(s.Drifts) != 1 || !s.Drifts[0].Held {
					t.Errorf("drift that nobody can look at: %+v", s.Drifts)
				}
				w.expect("hook", "a began@0s")
				broken.Store(false)
				w.pass(20 * time.Second)
				if s := w.shot(); len(s.Errors) != 0 || !s.Scan.Completed.Equal(s.At) && s.At.Sub(s.Scan.Completed) > 20*time.Second || s.Drifts[0].Held {
					t.Errorf("afterwards: %+v, completed %v of %v", s.Errors, s.Scan.Completed, s.At)
				}
				w.mend("a")
				w.pass(time.Second)
				if list := w.net.alerts("hook"); len(list) != 2 || list[1].Status != "resolved" {
					t.Errorf("%+v", list)
				}
			})
		})
	}
}

// TestPanicOfAReader: a defect in the reader of a gateway makes that gateway unknown, and nothing else.
func TestPanicOfAReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "live:\n  - {gateway: haproxy, address: \"unix:/run/none\", every: 10s}\nalerts:\n  webhook: {url: http://hook/}\n")
		w.options.Kinds = kindThat(func(context.Context) ([]schema.Copy, error) { panic("out of range") })
		w.begin()
		w.pass(time.Minute)
		g := w.shot().Gateways
		if len(g) != 1 || g[0].UnknownSince.IsZero() || !strings.Contains(g[0].Reason.En, "out of range") || g[0].Failed < 5 {
			t.Errorf("%+v", g)
		}
		w.drift("a")
		w.pass(time.Second)
		w.expect("hook", "a began@1m0s")
	})
}
