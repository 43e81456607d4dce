package ledger

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/alert"
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
		if l, err = Open(file); err != nil {
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
	l.Told(due)
	again()
	if got := keys(l.Due(start.Add(time.Hour), lasting)) + keys(l.Active()); got != "a" {
		t.Errorf("told again: %q", got)
	}
	// Nobody can look: it neither ends nor is told again.
	if _, ended := l.Update(start.Add(2*time.Hour), nil, func(*Drift) bool { return true }); ended != 0 {
		t.Error("ended though nobody could look")
	}
	again()
	l.Update(start.Add(3*time.Hour), nil, nil)
	again()
	if due = l.Due(start.Add(3*time.Hour), lasting); keys(due) != "-a" || due[0].Key != key {
		t.Fatalf("the end: %v", due)
	}
	// It comes back before its end was told: the end goes first.
	l.Update(start.Add(4*time.Hour), seen("a"), nil)
	if due = l.Due(start.Add(4*time.Hour), lasting); keys(due) != "-a" {
		t.Fatalf("back before the end was told: %v", due)
	}
	l.Told(due)
	l.Update(start.Add(5*time.Hour), seen("a"), nil)
	again()
	if due = l.Due(start.Add(6*time.Hour), lasting); keys(due) != "a" || due[0].Key == key {
		t.Errorf("a new drift: %v", due)
	}
}

// TestShort: what ends before it is told is never told.
func TestShort(t *testing.T) {
	l, err := Open("")
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
	for _, text := range []string{"", "{", `{"version":7}`, "null", `{"version":1,"drifts":[null,{}]}`} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := Open(file)
		if fine := strings.Contains(text, `"version":1`); fine != (err == nil) {
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
	l, _ := Open(filepath.Join(file, "drift.json"))
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
