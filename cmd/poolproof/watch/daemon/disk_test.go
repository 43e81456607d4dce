package daemon

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/disk"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/files"
)

// TestDiskFull: a daemon without room on its disk tells drift all the same, also to a receiver that is down until later,
// says what is wrong, and keeps everything once there is room, without another change.
func TestDiskFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "alerts:\n  webhook:\n    - {url: http://up/}\n    - {url: http://down/}\n")
		w.net.answers(func(host string) *http.Response {
			if host == "down" {
				return nil
			}
			return reply(200)
		})
		w.begin()
		w.disk.set(true)
		w.drift("a")
		w.pass(time.Minute)
		w.drift("b")
		w.mend("a")
		w.pass(time.Minute)
		w.expect("up", "a began@0s, b began@1m0s, a ended@1m0s")
		if state, alerts := w.fault("state"), w.fault("alerts"); !strings.Contains(state, "no space left") || !strings.Contains(state, "a restart tells drift again") || !strings.Contains(alerts, "memory alone") {
			t.Errorf("state: %q, alerts: %q", state, alerts)
		}
		if n := w.shot().Totals.StateFailures; n == 0 || w.heard("a restart tells drift again") != 1 {
			t.Errorf("%d failures, logged %d times", n, w.heard("a restart tells drift again"))
		}
		w.net.answers(nil)
		w.pass(5 * time.Minute)
		if got := w.net.alerts("down"); len(got) != 2 || got[0].Pool != "b" || got[1].Pool != "a" || got[1].Status != "resolved" {
			t.Errorf("afterwards: %+v", got)
		}
		w.disk.set(false)
		w.pass(pulse)
		if s := w.shot(); len(s.Errors) > 0 || w.heard("state: well again") != 1 {
			t.Errorf("still wrong: %+v", s.Errors)
		}
		w.again()
		w.pass(time.Minute)
		if n := len(w.net.alerts("up")); n != 3 {
			t.Errorf("%d alerts, of 3: repeated after the restart", n)
		}
	})
}

// TestDiskRecovers: what waits for a receiver and was in memory alone is on disk once there is room, and survives.
func TestDiskRecovers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "alerts:\n  webhook: {url: http://hook/}\n")
		w.net.answers(func(string) *http.Response { return nil })
		w.begin()
		w.disk.set(true)
		w.drift("a")
		w.pass(time.Minute)
		w.disk.set(false)
		w.pass(2 * pulse)
		if f := w.fault("alerts"); f != "" {
			t.Error("alerts:", f)
		}
		// What is on disk now is all that a crash leaves.
		crashed := t.TempDir()
		if err := os.CopyFS(crashed, os.DirFS(w.state)); err != nil {
			t.Fatal(err)
		}
		w.end()
		key := w.d.ledger.All()[0].Event.Key
		w.net.answers(nil)
		w.state, w.options.State = crashed, crashed
		w.begin()
		w.pass(time.Minute)
		if got := w.net.alerts("hook"); len(got) != 1 || got[0].Key != key {
			t.Errorf("after a crash: %+v", got)
		}
	})
}

// TestSinksChangeOnFullDisk: what waits in memory alone is not lost where the manifest names other sinks.
func TestSinksChangeOnFullDisk(t *testing.T) {
	for _, kept := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, "alerts:\n  webhook: {url: http://down/}\n")
			if !kept {
				w.options.State = ""
			}
			w.net.answers(func(host string) *http.Response {
				if host == "down" {
					return nil
				}
				return reply(200)
			})
			w.begin()
			w.disk.set(kept)
			w.drift("a")
			w.pass(time.Minute)
			w.write("poolproof.yaml", sourcesText+"alerts:\n  webhook: {url: http://up/}\n")
			w.change(files.Change{Manifest: true})
			w.pass(time.Minute)
			w.expect("up", "a began@1m0s")
		})
	}
}

// TestReadOnlyState: a state folder that cannot be written is said at the start, and the daemon watches all the same.
func TestReadOnlyState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "alerts:\n  webhook: {url: http://hook/}\n")
		w.options.State = filepath.Join(w.state, "file")
		if err := os.WriteFile(w.options.State, nil, 0o400); err != nil { // also root can put no file below a file
			t.Fatal(err)
		}
		w.options.Disk = disk.Real()
		w.begin()
		if f := w.fault("state"); !strings.Contains(f, "a restart tells drift again") {
			t.Errorf("state: %q", f)
		}
		w.drift("a")
		w.pass(time.Minute)
		w.expect("hook", "a began@0s")
	})
}

// TestStateFolderComes: where the queues cannot be opened at the start, that is said until they can.
func TestStateFolderComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "alerts:\n  webhook: {url: http://hook/}\n")
		w.options.State = filepath.Join(w.state, "file")
		if err := os.WriteFile(w.options.State, nil, 0o400); err != nil {
			t.Fatal(err)
		}
		w.begin()
		w.pass(5 * time.Minute)
		if f := w.fault("alerts"); !strings.Contains(f, "webhook") {
			t.Errorf("alerts: %q", f)
		}
		if err := os.Remove(w.options.State); err != nil {
			t.Fatal(err)
		}
		w.pass(pulse)
		if s := w.shot(); len(s.Errors) > 0 {
			t.Errorf("%+v", s.Errors)
		}
		w.drift("a")
		w.pass(time.Minute)
		w.expect("hook", "a began@5m10s")
	})
}

// TestDamagedState: a state that cannot be read is put aside, said, and drift that lasts is told again.
func TestDamagedState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "alerts:\n  webhook: {url: http://hook/}\n")
		w.write("gw/a.cfg", gateway("a", 81))
		if err := os.WriteFile(stateFile(w.state), []byte(`{"version":1,"dri`), 0o600); err != nil {
			t.Fatal(err)
		}
		w.begin()
		w.pass(time.Minute)
		w.expect("hook", "a began@0s")
		if w.heard("could not be read") != 1 || len(w.shot().Errors) > 0 {
			t.Errorf("%q, %+v", w.said(), w.shot().Errors)
		}
		if _, err := os.Stat(stateFile(w.state) + ".damaged"); err != nil {
			t.Error(err)
		}
	})
}

// TestLock: a state folder serves one process, and says so in words; one that cannot be locked is another matter.
func TestLock(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "state")
	release, err := Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	second, err := Lock(dir)
	if !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "another poolproof") {
		t.Errorf("a second one: %v", err)
	}
	second()
	if _, err := Lock(dir); !errors.Is(err, ErrLocked) {
		t.Errorf("a third one after the second gave up: %v", err)
	}
	release()
	release, err = Lock(dir)
	if err != nil {
		t.Errorf("after the first gave it back: %v", err)
	}
	release()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(file); err == nil || errors.Is(err, ErrLocked) {
		t.Errorf("a file: %v", err)
	}
}
