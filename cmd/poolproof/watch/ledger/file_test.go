package ledger

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/poolproof/poolproof/cmd/poolproof/watch/disk"
	"github.com/poolproof/poolproof/schema"
)

// TestJournal plays changes at random, and requires of what stands in the file after each that it is what the ledger
// holds, and that of a file which a crash left shorter at any byte that it is what was promised before.
func TestJournal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "drift.json")
	l, err := Open(file, disk.Real())
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	now := start
	var before []byte
	added, anew := 0, 0
	for step := range 80 {
		now = now.Add(time.Minute)
		var ids []string
		for i := range 60 {
			if r.IntN(20) != 0 || step%40 == 0 && i%2 == 0 {
				ids = append(ids, fmt.Sprint("drift ", i))
			}
		}
		covers := func(d *Drift) bool { return d.Identity == "drift 7" || d.Identity == "drift 8" }
		if step%3 == 0 {
			l.Update(now, seen(ids...), nil)
		} else {
			l.Follow(now, seen(ids[r.IntN(len(ids))]), covers, nil)
		}
		due := l.Due(now, time.Minute)
		if r.IntN(2) == 0 {
			l.Told(due, true)
		}
		if err := l.Save(); err != nil {
			t.Fatal(err)
		}
		after, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Open(file, disk.Real())
		if err != nil {
			t.Fatalf("step %d: %v", step, err)
		}
		if d := cmp.Diff(l.drifts, again.drifts, cmpopts.IgnoreUnexported(Drift{}), cmpopts.IgnoreFields(Drift{}, "Held"), cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("step %d (-ledger +file):\n%s", step, d)
		}
		switch grown := len(after) > len(before) && string(after[:len(before)]) == string(before); {
		case grown && len(before) > 0:
			added++
			want, err := parse(before)
			if err != nil {
				t.Fatal(err)
			}
			// A crash while the first line was added.
			for _, cut := range []int{len(before), len(before) + 1, len(before) + 12} {
				got, err := parse(after[:cut])
				if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Drift{}), cmpopts.EquateEmpty()); err != nil || d != "" {
					t.Fatalf("step %d, cut at %d: %v\n%s", step, cut-len(before), err, d)
				}
			}
		case string(after) != string(before):
			anew++
		}
		before = after
	}
	if added < 20 || anew < 3 || anew > added {
		t.Errorf("%d times added to, %d times written anew", added, anew)
	}
}

// TestPowerLoss: blocks that were allotted and not written are no damage.
func TestPowerLoss(t *testing.T) {
	file := filepath.Join(t.TempDir(), "drift.json")
	l, _ := Open(file, disk.Real())
	l.Update(start, seen("a"), nil)
	if err := l.Save(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(text, make([]byte, 4096)...), 0o600); err != nil {
		t.Fatal(err)
	}
	again, err := Open(file, disk.Real())
	if err != nil || len(again.All()) != 1 {
		t.Errorf("%v, %v", err, again.All())
	}
}

// TestTouched: where somebody removes or shortens the file, the next change writes it anew.
func TestTouched(t *testing.T) {
	file := filepath.Join(t.TempDir(), "drift.json")
	l, _ := Open(file, disk.Real())
	l.Update(start, seen("a"), nil)
	for _, harm := range []func() error{func() error { return os.Remove(file) }, func() error { return os.Truncate(file, 5) }} {
		if err := l.Save(); err != nil {
			t.Fatal(err)
		}
		if err := harm(); err != nil {
			t.Fatal(err)
		}
		now := start.Add(time.Minute)
		l.Told(l.Due(now, 0), true)
		l.Update(now, seen("a", "b"), nil)
		if err := l.Save(); err != nil {
			t.Fatal(err)
		}
		if again, err := Open(file, disk.Real()); err != nil || len(again.All()) != 2 {
			t.Errorf("%v, %v", err, again.All())
		}
		l.Update(now, seen("a"), nil)
	}
}

// TestSorted holds the order of drifts against sorting all of them.
func TestSorted(t *testing.T) {
	l, _ := Open("", disk.Real())
	r := rand.New(rand.NewPCG(3, 4))
	for step := range 300 {
		var list []Seen
		for i := range 30 {
			if r.IntN(4) != 0 {
				s := seen(fmt.Sprint(i))[0]
				s.Event.Pool, s.Event.Severity = fmt.Sprint(i%5), schema.Warning
				if r.IntN(3) == 0 {
					s.Event.Severity++
				}
				list = append(list, s)
			}
		}
		l.Update(start.Add(time.Duration(step/3)*time.Second), list, nil)
		if r.IntN(5) == 0 {
			l.Jumped(time.Duration(r.IntN(7)-3) * time.Second)
		}
		got := l.order.all()
		if len(got) != len(l.drifts) {
			t.Fatalf("step %d: %d of %d drifts", step, len(got), len(l.drifts))
		}
		for i := 1; i < len(got); i++ {
			if compare(got[i-1], got[i]) >= 0 {
				t.Fatalf("step %d: %+v before %+v", step, got[i-1], got[i])
			}
		}
	}
}

func FuzzState(f *testing.F) {
	f.Add([]byte("{\"version\":2}\n{\"drift\":{\"identity\":\"a\"}}\n{\"gone\":\"a\"}\n"))
	f.Add([]byte("{\"version\":2}\n{\"drift\":{\"ident"))
	f.Fuzz(func(t *testing.T, data []byte) {
		drifts, err := parse(data)
		if err != nil {
			return
		}
		for id, d := range drifts {
			if d == nil || d.Identity != id {
				t.Errorf("%q: %+v", id, d)
			}
		}
	})
}
