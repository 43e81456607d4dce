package ledger

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/alert"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/disk"
	"github.com/poolproof/poolproof/schema"
)

var start = time.Date(2026, 11, 30, 1, 0, 0, 0, time.UTC)

func seen(ids ...string) []Seen {
	var list []Seen
	for _, id := range ids {
		list = append(list, Seen{Identity: id, Event: alert.Event{Rule: id, Severity: schema.Error}})
	}
	return list
}

func keys(events []alert.Event) string {
	var list []string
	for _, e := range events {
		s := e.Rule
		if e.Resolved() {
			s = "-" + s
		}
		list = append(list, s)
	}
	return strings.Join(list, " ")
}

// TestLife follows a drift from its beginning to its end, with a restart after every step.
func TestLife(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state", "drift.json")
	var l *Ledger
	again := func() {
		t.Helper()
		if l != nil {
			if err := l.Save(); err != nil {
				t.Fatal(err)
			}
		}
		var err error
		if l, err = Open(file, disk.Real()); err != nil {
			t.Fatal(err)
		}
	}
	again()
	const lasting = time.Minute
	l.Update(start, seen("a"), nil)
	again()
	if got := keys(l.Due(start.Add(30*time.Second), lasting)); got != "" {
		t.Errorf("told too early: %q", got)
	}
	if next := l.Next(lasting); !next.Equal(start.Add(lasting)) {
		t.Errorf("next at %v", next)
	}
	l.Update(start.Add(time.Minute), seen("a"), nil)
	again()
	due := l.Due(start.Add(time.Minute), lasting)
	if keys(due) != "a" || !due[0].Since.Equal(start) {
		t.Fatalf("due: %v", due)
	}
	key := due[0].Key
	again() // a crash before it was marked as told
	if due = l.Due(start.Add(time.Minute), lasting); keys(due) != "a" || due[0].Key != key {
		t.Fatalf("after a crash: %v", due)
	}
	l.Told(due, true)
	again()
	if got := keys(l.Due(start.Add(time.Hour), lasting)) + keys(l.Active()); got != "a" {
		t.Errorf("told again: %q", got)
	}
	// Nobody can look: it neither ends nor is told again.
	l.Update(start.Add(2*time.Hour), nil, func(*Drift) bool { return true })
	if due = l.Due(start.Add(2*time.Hour+2*lasting), lasting); len(due) > 0 {
		t.Error("ended though nobody could look")
	}
	again()
	l.Update(start.Add(3*time.Hour), nil, nil)
	again()
	if next := l.Next(lasting); !next.Equal(start.Add(3*time.Hour + lasting)) {
		t.Errorf("next at %v", next)
	}
	if due = l.Due(start.Add(3*time.Hour+lasting), lasting); keys(due) != "-a" || due[0].Key != key || !due[0].Ended.Equal(start.Add(3*time.Hour)) {
		t.Fatalf("the end: %v", due)
	}
	// It comes back before its end was told: the end goes first.
	l.Update(start.Add(4*time.Hour), seen("a"), nil)
	if due = l.Due(start.Add(4*time.Hour), lasting); keys(due) != "-a" {
		t.Fatalf("back before the end was told: %v", due)
	}
	l.Told(due, true)
	l.Update(start.Add(5*time.Hour), seen("a"), nil)
	again()
	if due = l.Due(start.Add(6*time.Hour), lasting); keys(due) != "a" || due[0].Key == key {
		t.Errorf("a new drift: %v", due)
	}
}

// TestShort: what ends before it is told is never told.
func TestShort(t *testing.T) {
	l, err := Open("", disk.Real())
	if err != nil {
		t.Fatal(err)
	}
	l.Update(start, seen("a"), nil)
	l.Update(start.Add(time.Second), nil, nil)
	if due := l.Due(start.Add(time.Hour), time.Minute); len(due) > 0 || len(l.All()) > 0 {
		t.Errorf("due %v", due)
	}
}

// TestDamaged: a state that cannot be read is put aside and stops nothing.
func TestDamaged(t *testing.T) {
	file := filepath.Join(t.TempDir(), "drift.json")
	for _, text := range []string{"", "{", `{"version":7}`, "null", "{\"version\":2}\n{}\n{\"drift\":null}\n", "{\"version\":2}\nnonsense\n{}\n", "{\"version\":2}\n{\"drift\":{\"iden"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := Open(file, disk.Real())
		if fine := strings.Contains(text, `"version":2`) && !strings.Contains(text, "nonsense"); fine != (err == nil) {
			t.Errorf("%q: %v", text, err)
		}
		l.Update(start, seen("a"), nil)
		if err := l.Save(); err != nil || len(l.All()) != 1 {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestReadOnly: a state that cannot be written is an error each time, and the ledger works on.
func TestReadOnly(t *testing.T) {
	file := filepath.Join(t.TempDir(), "blocker")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	l, _ := Open(filepath.Join(file, "drift.json"), disk.Real())
	l.Update(start, seen("a"), nil)
	for range 2 {
		if err := l.Save(); err == nil {
			t.Error("saved below a file")
		}
	}
	if len(l.All()) != 1 {
		t.Error("forgot the drift")
	}
}

// TestCrash: what was about to be told when the process died is told, with its end, though it is gone by then.
func TestCrash(t *testing.T) {
	file := filepath.Join(t.TempDir(), "drift.json")
	l, _ := Open(file, disk.Real())
	l.Update(start, seen("a", "a"), nil)
	first := l.Due(start, 0)
	if err := l.Save(); err != nil || len(first) != 1 {
		t.Fatal(err, first)
	}
	l, _ = Open(file, disk.Real())
	again := l.Due(start.Add(-time.Hour), time.Minute) // before anything was looked at
	if len(again) != 1 || again[0].Key != first[0].Key {
		t.Fatalf("again: %v", again)
	}
	l, _ = Open(file, disk.Real())
	l.Update(start.Add(time.Hour), nil, nil)
	if end := l.Due(start.Add(time.Hour), 0); keys(end) != "-a" || end[0].Key != first[0].Key {
		t.Errorf("the end: %v", end)
	}
}

// TestUnsafe: what could not be written to a queue is told once by this process, and again after a crash.
func TestUnsafe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "drift.json")
	l, _ := Open(file, disk.Real())
	reopened := func() string {
		if err := l.Save(); err != nil {
			t.Fatal(err)
		}
		again, _ := Open(file, disk.Real())
		return keys(again.Due(start, 0))
	}
	l.Update(start, seen("a", "b"), nil)
	l.Told(l.Due(start, 0), false)
	if got := keys(l.Due(start, 0)) + "/" + keys(l.Active()) + "/" + reopened(); !strings.HasPrefix(got, "/") || strings.Count(got, "a") != 2 {
		t.Errorf("unsafe: %s", got)
	}
	l.Update(start.Add(time.Hour), seen("b"), nil)
	end := l.Due(start.Add(time.Hour), 0)
	l.Told(end, false)
	if got := keys(l.Due(start.Add(time.Hour), 0)); keys(end) != "-a" || got != "" || !strings.Contains(reopened(), "-a") {
		t.Errorf("unsafe end: %v, then %q, after a crash %q", end, got, reopened())
	}
	l.Told(nil, true)
	if got := reopened(); got != "" {
		t.Errorf("after all is safe: %q", got)
	}
}

// TestComesBackUnsafe: a drift that comes again while its end is not safe yet, as on a disk that is full, is a new one at
// once, and neither is lost by a crash; those that end so are bounded.
func TestComesBackUnsafe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "drift.json")
	l, _ := Open(file, disk.Real())
	tell := func(at time.Duration, ids ...string) string {
		l.Update(start.Add(at), seen(ids...), nil)
		due := l.Due(start.Add(at), 0)
		l.Told(due, false)
		return keys(due)
	}
	if got := tell(0, "a") + "," + tell(time.Second) + "," + tell(2*time.Second, "a"); got != "a,-a,a" {
		t.Errorf("told %q", got)
	}
	if list := l.All(); len(list) != 1 || !list[0].Event.Since.Equal(start.Add(2*time.Second)) {
		t.Errorf("lasting: %v", list)
	}
	if err := l.Save(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(file, disk.Real())
	if got := keys(again.Due(start.Add(3*time.Second), 0)); err != nil || got != "-a a" {
		t.Errorf("after a crash %q, %v", got, err)
	}
	l.Told(nil, true)
	if got := tell(4 * time.Second); got != "-a" || len(l.drifts) != 1 || l.retired != 0 {
		t.Errorf("%q, %d drifts, %d retired", got, len(l.drifts), l.retired)
	}
	l.mostRetired = 10
	for n := range 50 {
		tell(time.Hour+time.Duration(n)*time.Second, []string{"b"}[n%2:]...)
	}
	if len(l.drifts) > l.mostRetired+2 {
		t.Errorf("%d drifts are kept", len(l.drifts))
	}
	if l.Told(nil, true); len(l.drifts) != 0 || l.retired != 0 {
		t.Errorf("safe, and %d drifts are kept, %d retired", len(l.drifts), l.retired)
	}
}

// TestDoubtful: what may only seem so is held, and told once nothing is doubtful, or not at all.
func TestDoubtful(t *testing.T) {
	l, _ := Open("", disk.Real())
	doubt := seen("a", "b")
	doubt[0].Doubtful, doubt[1].Doubtful = true, true
	l.Update(start, doubt, nil)
	if due := l.Due(start.Add(time.Hour), 0); len(due) > 0 || !l.All()[0].Held || !l.Next(0).IsZero() {
		t.Errorf("due: %v", due)
	}
	l.Update(start.Add(time.Hour), seen("b"), nil)
	if due := l.Due(start.Add(time.Hour), 0); keys(due) != "b" || len(l.All()) != 1 {
		t.Errorf("due: %v", due)
	}
}

// TestClock: where the clock goes back, nothing began in the future, and nothing changes its key.
func TestClock(t *testing.T) {
	l, _ := Open("", disk.Real())
	l.Update(start, seen("a"), nil)
	key := l.All()[0].Event.Key
	back := start.Add(-24 * time.Hour)
	l.Update(back, seen("a"), nil)
	if d := l.All()[0]; d.Event.Since.After(back) || d.Event.Key != key {
		t.Errorf("%+v", d)
	}
	if due := l.Due(back.Add(time.Minute), time.Minute); keys(due) != "a" {
		t.Errorf("due: %v", due)
	}
}

// TestFlaps: what was told and comes and goes is told no more until it stays away, and is the same drift all the while.
func TestFlaps(t *testing.T) {
	l, _ := Open("", disk.Real())
	const lasting = time.Minute
	at := start
	l.Update(at, seen("a"), nil)
	at = at.Add(lasting)
	first := l.Due(at, lasting)
	l.Told(first, true)
	for range 10 {
		l.Update(at, nil, nil)
		if len(l.All()) != 0 || keys(l.Active()) != "a" {
			t.Errorf("while it is gone: shown %v, told %v", l.All(), keys(l.Active()))
		}
		at = at.Add(lasting - time.Second)
		l.Update(at, seen("a"), nil)
		at = at.Add(lasting - time.Second)
		if due := l.Due(at, lasting); len(due) > 0 || len(l.All()) != 1 || l.All()[0].Event.Key != first[0].Key {
			t.Fatalf("flapping: due %v, shown %v", due, l.All())
		}
	}
	l.Update(at, nil, nil)
	l.Update(at.Add(lasting), nil, nil)
	end := l.Due(at.Add(lasting), lasting)
	if keys(end) != "-a" || end[0].Key != first[0].Key || !end[0].Ended.Equal(at) || !end[0].Since.Equal(start) {
		t.Errorf("the end: %+v", end)
	}
	if began, ended := l.Totals(); began != 1 || ended != 1 {
		t.Errorf("%d began, %d ended", began, ended)
	}
}

// TestJumps: a clock that jumps makes nothing due sooner or later, and nothing begins after it ended.
func TestJumps(t *testing.T) {
	const lasting = 10 * time.Minute
	for _, by := range []time.Duration{24 * time.Hour, -24 * time.Hour} {
		l, _ := Open("", disk.Real())
		l.Update(start, seen("told", "gone"), nil)
		l.Told(l.Due(start, 0), true)
		l.Update(start.Add(time.Minute), seen("told", "waits"), nil)
		l.Jumped(by)
		now := start.Add(2*time.Minute + by)
		l.Update(now, seen("told", "waits"), nil)
		if due := l.Due(now, lasting); len(due) > 0 {
			t.Errorf("%v: due at once: %v", by, due)
		}
		now = start.Add(11*time.Minute + by)
		l.Update(now, seen("told", "waits"), nil)
		due := l.Due(now, lasting)
		if len(due) != 2 {
			t.Fatalf("%v: due %v", by, due)
		}
		for _, e := range due {
			if e.Since.After(now) || e.Resolved() && e.Ended.Before(e.Since) || !e.Resolved() && !e.Since.Equal(start.Add(time.Minute+by)) {
				t.Errorf("%v: from %v to %v", by, e.Since, e.Ended)
			}
		}
	}
}

// TestFull: what a full disk refused is written when there is room, without another change.
func TestFull(t *testing.T) {
	file := filepath.Join(t.TempDir(), "drift.json")
	d := &full{Disk: disk.Real()}
	l, _ := Open(file, d)
	if err := l.Save(); err != nil {
		t.Fatal(err)
	}
	d.full = true
	l.Update(start, seen("a"), nil)
	if err := l.Save(); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%v", err)
	}
	if again, err := Open(file, d); err != nil || len(again.All()) != 0 {
		t.Errorf("the old state: %v, %v", err, again.All())
	}
	d.full = false
	if err := l.Save(); err != nil {
		t.Error(err)
	}
	if again, err := Open(file, d); err != nil || len(again.All()) != 1 {
		t.Errorf("the new state: %v, %v", err, again.All())
	}
}

// TestShowsReadOnly: whether the state can be written shows at the first save, though nothing changed.
func TestShowsReadOnly(t *testing.T) {
	l, err := Open(filepath.Join(t.TempDir(), "drift.json"), &full{Disk: disk.Real(), full: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Save(); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%v", err)
	}
}

type full struct {
	disk.Disk
	full bool
}

func (d *full) Replace(path string, text []byte) error {
	if d.full {
		return fmt.Errorf("%s: %w", path, syscall.ENOSPC)
	}
	return d.Disk.Replace(path, text)
}

func (d *full) Open(path string) (disk.File, error) {
	if d.full {
		return nil, fmt.Errorf("%s: %w", path, syscall.ENOSPC)
	}
	return d.Disk.Open(path)
}
