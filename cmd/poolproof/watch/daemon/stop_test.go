package daemon

import (
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/disk"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/files"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/ledger"
)

// TestStopDuringALook: a daemon that is told to end while it looks ends soon, and keeps what it knew.
func TestStopDuringALook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, hook)
		w.begin()
		w.drift("a")
		w.pass(2 * time.Minute)
		w.drift("b") // waits to be told
		hangs := make(chan struct{})
		defer func() { close(hangs) }()
		w.end()
		w.read = func(string) error { <-hangs; return nil } // as on a file system whose server is gone
		w.begin()
		w.change(files.Change{Paths: map[string]bool{"gw/c.cfg": true}})
		start := time.Now()
		w.end()
		if took := time.Since(start); took > 15*time.Second {
			t.Errorf("it took %v to end", took)
		}
		l, err := ledger.Open(stateFile(w.state), disk.Real())
		if err != nil {
			t.Fatal(err)
		}
		if kept := l.All(); len(kept) != 2 || !kept[0].Told == !kept[1].Told {
			t.Errorf("kept: %+v", kept)
		}
		w.read = nil
		w.begin()
		w.pass(2 * time.Minute)
		if list := w.net.alerts("hook"); len(list) != 2 || list[0].Pool != "a" || list[1].Pool != "b" {
			t.Errorf("%+v", list)
		}
	})
}

// TestStopDuringADelivery: what a receiver did not take by the end is told after the next start, with the same key.
func TestStopDuringADelivery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "alerts:\n  webhook: {url: http://hook/}\n  stdout: {}\n")
		var stalled blocked
		stalled.ends = make(chan struct{})
		w.options.Stdout = &stalled // nobody reads it
		w.net.answers(func(string) *http.Response { return nil })
		w.begin()
		w.drift("a")
		w.pass(10 * time.Second)
		start := time.Now()
		w.end()
		if took := time.Since(start); took > 15*time.Second {
			t.Errorf("it took %v to end", took)
		}
		key := w.d.ledger.All()[0].Event.Key
		w.net.answers(nil)
		w.options.Stdout = &w.net.stdout
		w.begin()
		w.pass(time.Minute)
		if list := w.net.alerts("hook"); len(list) != 1 || list[0].Key != key {
			t.Errorf("%+v", list)
		}
		if out := w.net.stdout.String(); strings.Count(out, "\n") != 1 || !strings.Contains(out, key) {
			t.Errorf("standard output: %s", out)
		}
		close(stalled.ends)
	})
}

type blocked struct{ ends chan struct{} }

func (b *blocked) Write([]byte) (int, error) { <-b.ends; return 0, io.ErrClosedPipe }

// TestStopWritesState: the end writes what a full disk refused before.
func TestStopWritesState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, hook)
		w.begin()
		w.disk.set(true)
		w.drift("a")
		w.pass(time.Second)
		w.disk.set(false)
		w.end()
		text, err := os.ReadFile(stateFile(w.state))
		if err != nil || !strings.Contains(string(text), "members/missing") {
			t.Errorf("%v: %s", err, text)
		}
	})
}
