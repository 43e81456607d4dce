package daemon

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/files"
)

// watchReal starts a daemon that watches real files, which takes real time.
func watchReal(t *testing.T, alerts string) *world {
	w := newWorld(t, alerts)
	w.hand = nil
	w.options.Debounce, w.options.Settle = 150*time.Millisecond, time.Hour
	w.options.Files.Poll = 50 * time.Millisecond
	return w
}

// until waits for what must come.
func (w *world) until(what string, is func() bool) {
	w.Helper()
	for range 1000 {
		if is() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	w.Fatalf("it never came: %s", what)
}

func (w *world) sh(script string) {
	w.Helper()
	cmd := exec.Command("sh", "-ec", script)
	cmd.Dir = w.root
	if out, err := cmd.CombinedOutput(); err != nil {
		w.Fatalf("%v: %s", err, out)
	}
}

// TestOneVerdictPerSave: the events of one save are one look at that file alone, however an editor saves.
func TestOneVerdictPerSave(t *testing.T) {
	w := watchReal(t, "alerts:\n  webhook: {url: http://hook/}\n")
	w.begin()
	w.until("the first look", func() bool { return !w.shot().Scan.Completed.IsZero() })
	saves := []string{
		"cp gw/a.cfg .swp; echo '# 1' >>.swp; mv gw/a.cfg gw/a.cfg~; mv .swp gw/a.cfg; chmod 600 gw/a.cfg; rm gw/a.cfg~", // as vim does
		"sed -i 's/# 1/# 2/' gw/a.cfg",
		"for i in 1 2 3 4 5; do echo '# 3' >>gw/a.cfg; done",
	}
	for n, script := range saves {
		before := w.shot().Totals
		w.sh(script)
		w.until("a verdict on: "+script, func() bool { return w.shot().Totals.Cycles > before.Cycles })
		time.Sleep(2 * w.options.Debounce)
		s := w.shot()
		if s.Totals.Cycles != before.Cycles+1 || s.Totals.FullScans != before.FullScans || s.Scan.Files != 1 {
			t.Errorf("save %d: %d looks, %d of them at everything, the last at %d files", n, s.Totals.Cycles-before.Cycles, s.Totals.FullScans-before.FullScans, s.Scan.Files)
		}
	}
}

// TestNoMoreWatches: where the system refuses to watch more folders, the daemon says so, still sees what changes, and
// watches again once it may.
func TestNoMoreWatches(t *testing.T) {
	for _, refusal := range []syscall.Errno{syscall.ENOSPC, syscall.EMFILE} {
		w := watchReal(t, "alerts:\n  webhook: {url: http://hook/}\n")
		var free atomic.Bool
		w.options.Files.Add = func(n *fsnotify.Watcher, dir string) error {
			if !free.Load() {
				return fmt.Errorf("%s: %w", dir, refusal)
			}
			return n.Add(dir)
		}
		again := make(chan struct{})
		w.options.Again = again
		w.begin()
		w.until("the first look", func() bool { return !w.shot().Scan.Completed.IsZero() })
		if s := w.shot(); !s.Watcher.Polling || !strings.Contains(w.fault("watch"), refusal.Error()) || !strings.Contains(w.fault("watch"), "fs.inotify.max_user_watches") || w.heard("looked at again and again") != 1 {
			t.Errorf("%v: %+v, %q", refusal, s.Watcher, w.said())
		}
		w.write("gw/a.cfg", gateway("a", 81))
		w.until("drift in a polled file", func() bool { return w.net.told("hook") != "" })
		free.Store(true)
		w.d.watcher.Again(t.Context())
		again <- struct{}{}
		w.until("watching again", func() bool { return w.fault("watch") == "" })
		w.write("gw/a.cfg", gateway("a", 80))
		w.until("the end of the drift", func() bool { return len(w.net.alerts("hook")) == 2 })
		w.end()
	}
}

// TestLostEvents: where events were lost, everything is looked at.
func TestLostEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "alerts:\n  webhook: {url: http://hook/}\n")
		w.begin()
		w.write("gw/a.cfg", gateway("a", 81))
		before := w.shot().Totals.FullScans
		w.hand.state.Store(&files.State{Folders: 1, Overflows: 1})
		w.change(files.Change{All: true})
		w.pass(time.Second)
		w.expect("hook", "a began@0s")
		if s := w.shot(); s.Totals.FullScans != before+1 || s.Watcher.Overflows != 1 {
			t.Errorf("%d looks at everything, %+v", s.Totals.FullScans-before, s.Watcher)
		}
	})
}

// TestUnnoticedChange: what no event told is found by the slow look at everything.
func TestUnnoticedChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "alerts:\n  webhook: {url: http://hook/}\n")
		w.begin()
		w.pass(time.Minute)
		w.write("gw/a.cfg", gateway("a", 81))
		w.pass(5 * time.Minute)
		w.expect("hook", "a began@5m0s")
		if w.hand.looks.Load() == 0 {
			t.Error("the watcher did not look again")
		}
	})
}

// TestUnreadableFile: drift of a file that cannot be read is held, and ends once that is seen.
func TestUnreadableFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "alerts:\n  webhook: {url: http://hook/}\n")
		w.options.RuleNames = append(w.options.RuleNames, "source/unreadable", "source/syntax")
		w.begin()
		w.drift("a")
		w.pass(time.Second)
		fine := filepath.Join(w.root, "gw/a.cfg")
		if err := os.Remove(fine); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(fine, 0o600); err != nil {
			t.Fatal(err)
		}
		w.change(files.Change{Paths: map[string]bool{"gw/a.cfg": true}})
		w.pass(time.Minute)
		held := 0
		for _, d := range w.shot().Drifts {
			if d.Rule == "members/missing" && d.Held {
				held++
			}
		}
		if held != 1 || w.shot().Counts.Held != 1 {
			t.Errorf("%+v", w.shot().Drifts)
		}
		if err := os.Remove(fine); err != nil {
			t.Fatal(err)
		}
		w.mend("a")
		w.pass(time.Minute)
		list := w.net.alerts("hook")
		ended := map[string]bool{}
		for _, a := range list {
			ended[a.Rule] = a.Status == "resolved"
		}
		if len(list) != 4 || !ended["members/missing"] || !ended["source/unreadable"] {
			t.Errorf("%+v", list)
		}
	})
}

// TestRootGone: while the root is not there, nothing is known, whatever the folder that was open says; nothing ends, and
// it goes on when the root is back.
func TestRootGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "alerts:\n  webhook: {url: http://hook/}\n")
		w.begin()
		w.drift("a")
		w.pass(time.Minute)
		away := w.root + ".away"
		if err := os.Rename(w.root, away); err != nil {
			t.Fatal(err)
		}
		root := files.Change{All: true, Root: true, Manifest: true}
		w.change(root)
		w.pass(20 * time.Minute)
		s := w.shot()
		if !strings.Contains(w.fault("scan"), "cannot be looked at") || s.Scan.FailingSince.IsZero() || s.At.Sub(s.Scan.Completed) < 3*s.Every || s.Totals.FailedScans < 100 || s.Totals.FailedScans > 150 {
			t.Errorf("%+v, %+v", s.Errors, s.Scan)
		}
		if len(s.Drifts) != 1 || !s.Drifts[0].Held {
			t.Errorf("%+v", s.Drifts)
		}
		if err := os.Rename(away, w.root); err != nil {
			t.Fatal(err)
		}
		w.write("gw/a.cfg", gateway("a", 80))
		w.pass(20 * time.Second) // without an event
		if s := w.shot(); len(s.Errors) > 0 || len(s.Drifts) > 0 {
			t.Errorf("afterwards: %+v, %+v", s.Errors, s.Drifts)
		}
		if list := w.net.alerts("hook"); len(list) != 2 || list[1].Status != "resolved" {
			t.Errorf("%+v", list)
		}
	})
}

// TestRootGoesDuringALook: a look that began before the root was gone says nothing about what is there now.
func TestRootGoesDuringALook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "alerts:\n  webhook: {url: http://hook/}\n")
		w.begin()
		w.drift("a")
		w.pass(time.Minute)
		slow := make(chan struct{})
		w.end()
		w.read = func(string) error { <-slow; return nil }
		w.begin()
		if err := os.Rename(w.root, w.root+".away"); err != nil {
			t.Fatal(err)
		}
		go func() { time.Sleep(time.Second); close(slow) }()
		w.change(files.Change{All: true, Root: true, Manifest: true})
		w.pass(time.Minute)
		if s := w.shot(); w.fault("scan") == "" || !s.Scan.Completed.IsZero() || len(s.Drifts) != 1 || !s.Drifts[0].Held {
			t.Errorf("%+v, completed %v, %+v", s.Errors, s.Scan.Completed, s.Drifts)
		}
	})
}
