package daemon

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/files"
)

// TestSinkDownForAnHour: it is tried ever less often, holds back no other, is told everything in the end, in order and
// with the same keys, and its failures are counted and shown.
func TestSinkDownForAnHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "alerts:\n  webhook:\n    - {url: http://down/}\n    - {url: http://up/}\n")
		w.net.answers(func(host string) *http.Response {
			if host == "down" && time.Since(w.net.start) < time.Hour {
				return nil
			}
			return reply(200)
		})
		w.begin()
		for _, pool := range []string{"a", "b", "c"} {
			w.drift(pool)
			w.pass(15 * time.Minute)
		}
		w.mend("a")
		w.pass(5 * time.Minute)
		w.expect("up", "a began@0s, b began@15m0s, c began@30m0s, a ended@45m0s")
		s := w.shot().Sinks
		if len(s) != 2 || s[0].Err == nil || s[0].Waiting != 4 || s[0].Failures < 5 || s[0].Failures > 30 || s[1].Failures != 0 || s[1].Err != nil {
			t.Errorf("%+v", s)
		}
		w.pass(20 * time.Minute)
		up, down := w.net.alerts("up"), w.net.alerts("down")
		if len(down) != 3 || !slices.IsSortedFunc(down, func(x, y hooked) int { return x.Since.Compare(y.Since) * statusOrder(x, y) }) {
			t.Errorf("in the end: %+v", down)
		}
		for _, a := range down { // the last word on each
			if !slices.ContainsFunc(up, func(b hooked) bool { return a.Key == b.Key && a.Pool == b.Pool && a.Status == b.Status }) {
				t.Errorf("%+v was told to one alone", a)
			}
		}
		if n := len(w.net.of("down")); n > 30 {
			t.Errorf("%d attempts in an hour", n)
		}
		if s := w.shot().Sinks[0]; s.Err != nil || s.Waiting != 0 || s.Sent != 4 {
			t.Errorf("%+v", s)
		}
		if w.heard("connection refused") != 1 || w.heard("webhook: delivers again") != 1 {
			t.Errorf("not said once: %q", w.said())
		}
	})
}

// statusOrder is 0 between what lasts and what ended, which come apart.
func statusOrder(x, y hooked) int {
	if x.Status == y.Status {
		return 1
	}
	return 0
}

// TestRetryAfter: a receiver that asks to be left alone is, also by the end of the daemon; the next one tells it.
func TestRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "alerts:\n  webhook: {url: http://busy/}\n")
		w.net.answers(func(string) *http.Response {
			if len(w.net.requests) == 0 {
				return reply(429, "Retry-After", "1800")
			}
			return reply(200)
		})
		w.begin()
		w.drift("a")
		w.pass(10 * time.Minute)
		w.drift("b")
		w.pass(10 * time.Minute)
		if n := len(w.net.of("busy")); n != 1 {
			t.Errorf("%d requests", n)
		}
		w.end()
		if n := len(w.net.of("busy")); n != 1 {
			t.Errorf("%d requests at the end", n)
		}
		if w.heard("delivered after the next start") != 1 {
			t.Errorf("%q", w.said())
		}
		w.begin()
		w.pass(time.Minute)
		w.expect("busy", "a began@20m0s, b began@20m0s")
	})
}

// TestManifestNamesBadSinks: a manifest whose sinks cannot be keeps the last one in use, is told through its sinks, and
// what drifts meanwhile is not told to nobody.
func TestManifestNamesBadSinks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "alerts:\n  webhook: {url: http://hook/}\n")
		w.begin()
		w.write("poolproof.yaml", sourcesText+"alerts:\n  webhook: {urll: http://hook/}\n")
		w.change(files.Change{Manifest: true})
		w.pass(time.Second)
		w.drift("a")
		w.pass(time.Second)
		if list := w.net.alerts("hook"); len(list) != 2 || list[0].Rule != "schema/invalid" || list[1].Pool != "a" {
			t.Errorf("%+v", list)
		}
		if f := w.fault("manifest"); !strings.Contains(f, "urll") || !strings.Contains(f, "the last one still is") {
			t.Errorf("manifest: %q", f)
		}
		w.write("poolproof.yaml", sourcesText+"alerts:\n  webhook: {url: http://other/}\n")
		w.change(files.Change{Manifest: true})
		w.pass(time.Second)
		w.drift("b")
		w.pass(time.Second)
		if list := w.net.alerts("other"); len(list) != 2 || list[0].Rule != "schema/invalid" || list[0].Status != "resolved" || list[1].Pool != "b" {
			t.Errorf("%+v", list)
		}
		if f := w.fault("manifest"); f != "" {
			t.Errorf("manifest: %q", f)
		}
	})
}

// TestOnceTellsAgain: runs that end tell a receiver that forgets about drift that lasts, each time.
func TestOnceTellsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "alerts:\n  alertmanager: {url: \"http://am\", resend: 10m}\n  webhook: {url: http://hook/}\n")
		w.write("gw/a.cfg", gateway("a", 81))
		for range 3 {
			d, err := New(t.Context(), w.options)
			if err != nil {
				t.Fatal(err)
			}
			findings, pools, undelivered, err := d.Once(t.Context())
			if err != nil || undelivered != nil || len(findings) != 1 || pools != 3 {
				t.Errorf("%d findings in %d pools, %v, %v", len(findings), pools, undelivered, err)
			}
			time.Sleep(10 * time.Minute)
		}
		w.expect("hook", "a began@0s")
		last := time.Duration(-1)
		seen := 0
		for _, q := range w.net.of("am") {
			if q.at != last {
				seen++
			}
			last = q.at
		}
		if seen != 3 {
			t.Errorf("alertmanager was told in %d runs of 3", seen)
		}
	})
}
