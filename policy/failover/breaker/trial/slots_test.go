package trial

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestLeaseEnds(t *testing.T) {
	s := New(1, 10*time.Second, 0)
	i, turn, ok := s.Take(0)
	if !ok {
		t.Fatal("the first trial is refused")
	}
	if _, _, ok := s.Take(9999 * time.Millisecond); ok {
		t.Fatal("a second trial while the first holds its lease")
	}
	j, later, ok := s.Take(10 * time.Second)
	if !ok {
		t.Fatal("a trial that never returns keeps its slot")
	}
	if s.Return(11*time.Second, i, turn) {
		t.Error("a result after its lease counts")
	}
	if s.Live(11*time.Second) != 1 {
		t.Error("a late return frees the slot of another trial")
	}
	if !s.Return(12*time.Second, j, later) {
		t.Error("a result within its lease does not count")
	}
	if s.Return(12*time.Second, j, later) {
		t.Error("it counts twice")
	}
}

func TestLateReturnWithoutSuccessor(t *testing.T) {
	s := New(1, time.Second, 0)
	i, turn, _ := s.Take(0)
	if s.Return(time.Second, i, turn) {
		t.Error("a result at the end of its lease counts")
	}
	if _, _, ok := s.Take(time.Second); !ok {
		t.Error("its slot is not free")
	}
}

func TestTotal(t *testing.T) {
	s := New(2, time.Second, 3)
	take := func(now time.Duration, want bool) (uint32, uint64) {
		t.Helper()
		i, turn, ok := s.Take(now)
		if ok != want {
			t.Fatalf("take at %v: %v, want %v", now, ok, want)
		}
		return i, turn
	}
	i, a := take(0, true)
	j, b := take(0, true)
	take(0, false) // two at once
	s.Return(0, i, a)
	k, c := take(0, true)
	s.Return(0, j, b)
	take(0, false) // three in all
	s.Cancel(k, c)
	take(0, true)            // a cancelled one is given back
	take(0, false)           //
	take(time.Second, true)  // and one that never returned
	take(time.Second, false) //
	s.Reset()
	take(time.Second, true)
}

func TestForeignPermitsAreVoid(t *testing.T) {
	s := New(2, NoLease, 0)
	i, turn, _ := s.Take(0)
	for _, p := range []struct {
		index uint32
		turn  uint64
	}{{0, turn}, {3, turn}, {i, 0}, {i, turn + 1}, {2, turn}, {1 << 31, turn}} {
		if s.Return(0, p.index, p.turn) {
			t.Errorf("slot %d turn %d counts", p.index, p.turn)
		}
		s.Cancel(p.index, p.turn)
	}
	if s.Live(1<<62) != 1 {
		t.Error("a foreign permit ended a lease")
	}
	s.Reset()
	if s.Return(0, i, turn) {
		t.Error("a lease survives its period")
	}
}

// However trials are taken, returned, cancelled and lost, no more leases hold at once than there are slots, and none is
// refused while one is free.
func TestSlotsAgainstList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "slots")
		lease := time.Duration(rapid.IntRange(1, 20).Draw(t, "lease"))
		s := New(n, lease, 0)
		type held struct {
			index uint32
			turn  uint64
			until time.Duration
		}
		var out []held // live or not
		var now time.Duration
		live := func() (k int) {
			for _, h := range out {
				if now < h.until {
					k++
				}
			}
			return k
		}
		for range rapid.IntRange(1, 200).Draw(t, "ops") {
			now += time.Duration(rapid.IntRange(0, 4).Draw(t, "step"))
			if len(out) > 0 && rapid.Bool().Draw(t, "end") {
				i := rapid.IntRange(0, len(out)-1).Draw(t, "which")
				h := out[i]
				if rapid.Bool().Draw(t, "cancel") {
					s.Cancel(h.index, h.turn)
				} else if got := s.Return(now, h.index, h.turn); got != (now < h.until) {
					t.Fatalf("return at %d of a lease until %d counts: %v", now, h.until, got)
				}
				out = append(out[:i], out[i+1:]...)
			} else {
				before := live()
				index, turn, ok := s.Take(now)
				if ok != (before < n) {
					t.Fatalf("at %d with %d of %d leases: take %v", now, before, n, ok)
				}
				if ok {
					out = append(out, held{index, turn, now + lease})
				}
			}
			if s.Live(now) != live() {
				t.Fatalf("at %d: %d live, want %d", now, s.Live(now), live())
			}
		}
	})
}
