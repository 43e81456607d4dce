package daemon

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/files"
)

const hook = "alerts:\n  for: 1m\n  webhook: {url: http://hook/}\n"

// TestShortDriftIsNotTold: what ends within "for" is told to nobody, also where it comes again and again.
func TestShortDriftIsNotTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, hook)
		w.begin()
		for range 3 {
			w.drift("a")
			if s := w.shot(); len(s.Drifts) != 1 || s.Drifts[0].Told || s.Counts.Drifts != 1 {
				t.Errorf("not shown while it waits: %+v", s.Drifts)
			}
			w.pass(50 * time.Second)
			w.mend("a")
			w.pass(20 * time.Second)
		}
		w.pass(10 * time.Minute)
		w.expect("hook", "")
		if s := w.shot(); len(s.Drifts) != 0 || s.Totals.Began != 3 || s.Totals.Ended != 3 {
			t.Errorf("%+v, %d began, %d ended", s.Drifts, s.Totals.Began, s.Totals.Ended)
		}
	})
}

// TestLastingDriftIsToldOnce: after "for" it is told with the moment it began, never again, and so is its end.
func TestLastingDriftIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, hook)
		w.begin()
		w.pass(10 * time.Second)
		began := time.Now()
		w.drift("a")
		w.pass(time.Hour)
		w.expect("hook", "a began@1m10s")
		ended := time.Now()
		w.mend("a")
		if s := w.shot(); len(s.Drifts) != 0 {
			t.Errorf("still shown: %+v", s.Drifts)
		}
		w.pass(time.Hour)
		w.expect("hook", "a began@1m10s, a ended@1h1m10s")
		list := w.net.alerts("hook")
		if len(list) != 2 || !list[0].Since.Equal(began) || !list[1].Since.Equal(began) || !list[1].Ended.Equal(ended) || list[0].Key != list[1].Key {
			t.Errorf("from %v to %v: %+v", began, ended, list)
		}
		w.drift("a")
		w.pass(2 * time.Minute)
		if list := w.net.alerts("hook"); len(list) != 3 || list[2].Key == list[0].Key {
			t.Errorf("a new drift: %+v", list)
		}
	})
}

// TestAtOnce: without "for", beginning and end are told as soon as they are seen.
func TestAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "alerts:\n  webhook: {url: http://hook/}\n")
		w.begin()
		w.drift("a")
		w.pass(2 * time.Second)
		w.mend("a")
		w.pass(2 * time.Second)
		w.expect("hook", "a began@0s, a ended@2s")
	})
}

// TestFlappingDriftIsToldOnce: drift that was told and comes and goes is one drift, told as ended once it stays away.
func TestFlappingDriftIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, hook)
		w.begin()
		w.drift("a")
		w.pass(2 * time.Minute)
		for range 20 {
			w.mend("a")
			w.pass(20 * time.Second)
			w.drift("a")
			w.pass(20 * time.Second)
		}
		w.expect("hook", "a began@1m0s")
		w.mend("a")
		w.pass(59 * time.Second)
		w.expect("hook", "a began@1m0s")
		w.pass(3 * time.Second)
		w.expect("hook", "a began@1m0s, a ended@16m20s")
	})
}

// TestRestart: a restart neither repeats nor loses what was told, and keeps since when it lasts.
func TestRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, hook)
		w.begin()
		w.drift("a")
		w.drift("b")
		since := w.shot().Drifts[0].Since
		w.pass(2 * time.Minute)
		w.end()
		w.pass(time.Hour)
		w.begin()
		w.pass(10 * time.Minute)
		w.expect("hook", "a began@1m0s, b began@1m0s")
		if s := w.shot(); len(s.Drifts) != 2 || !s.Drifts[0].Since.Equal(since) || !s.Drifts[0].Told {
			t.Errorf("after the restart: %+v", s.Drifts)
		}
		w.end()
		w.write("gw/a.cfg", gateway("a", 80)) // mended while nobody looks
		w.write("gw/c.cfg", gateway("c", 81))
		w.begin()
		w.pass(10 * time.Minute)
		list := w.net.alerts("hook")
		if len(list) != 4 || list[2].Pool != "c" || list[3].Pool != "a" || list[3].Status != "resolved" || list[3].Key != list[0].Key {
			t.Errorf("%+v", list)
		}
	})
}

// TestRestartWhileItWaits: drift that waits to be told waits on over a restart, and is not told where it is gone by then.
func TestRestartWhileItWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, hook)
		w.begin()
		began := time.Now()
		w.drift("a")
		w.drift("b")
		w.pass(30 * time.Second)
		w.again()
		w.pass(20 * time.Second)
		w.expect("hook", "")
		w.end()
		w.write("gw/b.cfg", gateway("b", 80))
		w.pass(time.Hour)
		w.begin()
		w.pass(time.Minute)
		w.expect("hook", "a began@1h0m50s")
		if list := w.net.alerts("hook"); len(list) != 1 || !list[0].Since.Equal(began) {
			t.Errorf("%+v", list)
		}
	})
}

// TestNothingIsToldUnseen: before the first look after a restart, nothing is told that only may last still.
func TestNothingIsToldUnseen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, hook)
		w.begin()
		w.drift("a")
		w.end()
		w.write("gw/a.cfg", gateway("a", 80))
		slow := make(chan struct{})
		w.read = func(string) error { <-slow; return nil }
		w.pass(time.Hour)
		w.begin()
		w.pass(30 * time.Second)
		w.expect("hook", "")
		close(slow)
		w.pass(10 * time.Minute)
		w.expect("hook", "")
	})
}

// TestForChanges: how long drift must last is what the manifest says now.
func TestForChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "alerts:\n  for: 1h\n  webhook: {url: http://hook/}\n")
		w.begin()
		w.drift("a")
		w.pass(2 * time.Minute)
		w.expect("hook", "")
		w.write("poolproof.yaml", sourcesText+hook)
		w.change(files.Change{Manifest: true})
		w.pass(2 * time.Second)
		w.expect("hook", "a began@2m0s")
	})
}
