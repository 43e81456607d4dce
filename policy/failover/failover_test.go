package failover

import (
	"math"
	"sync"
	"testing"
	"time"
)

func TestSet(t *testing.T) {
	var s Set
	for _, i := range []int{0, 5, 63, 64, 200} {
		if s.Has(i) {
			t.Errorf("%d is in an empty set", i)
		}
		s.Add(i)
		if !s.Has(i) || s.Has(i+1) {
			t.Errorf("after adding %d", i)
		}
	}
	s.Clear()
	for _, i := range []int{0, 5, 63, 64, 200} {
		if s.Has(i) {
			t.Errorf("%d is in a cleared set", i)
		}
	}
	s.Add(70)
	if s.Has(200) || !s.Has(70) {
		t.Error("a cleared set remembers")
	}
}

func TestRand(t *testing.T) {
	a, b := NewRand(1), NewRand(1)
	var count [7]int
	const n = 70000
	for range n {
		x := a.IntN(7)
		if x != b.IntN(7) {
			t.Fatal("equal seeds differ")
		}
		count[x]++
	}
	for i, c := range count {
		if math.Abs(float64(c)-n/7) > 4.5*math.Sqrt(n/7) {
			t.Errorf("%d came %d times", i, c)
		}
	}
	if f := a.Float64(); f < 0 || f >= 1 {
		t.Errorf("Float64 gave %v", f)
	}
}

func TestStateNames(t *testing.T) {
	for s := In; s <= Manual; s++ {
		if got, ok := ParseState(s.String()); !ok || got != s {
			t.Errorf("%v is read as %v", s, got)
		}
	}
	if _, ok := ParseState("gone"); ok {
		t.Error("an unknown state is read")
	}
}

// counter is an engine that breaks if two goroutines are inside.
type counter struct {
	Engine
	picks, reports int
}

func (c *counter) Pick(time.Duration, *Request) Decision { c.picks++; return Decision{} }
func (c *counter) Report(time.Duration, *Request, Outcome) Decision {
	c.reports++
	return Decision{Action: Pass}
}
func (c *counter) Next() time.Duration  { return time.Duration(c.picks) }
func (c *counter) State(int) State      { return State(c.picks % 2) }
func (c *counter) Wake() (uint32, bool) { c.picks += 0; return 0, false }

func TestGuard(t *testing.T) {
	c := &counter{}
	e := Guard(c)
	q, ok := e.(Queuer)
	if !ok {
		t.Fatal("a guarded queue is none")
	}
	var wait sync.WaitGroup
	for range 64 {
		wait.Go(func() {
			var r Request
			for range 100 {
				r.Reset()
				e.Pick(0, &r)
				e.Report(0, &r, Outcome{})
				e.Next()
				e.State(0)
				q.Wake()
			}
		})
	}
	wait.Wait()
	if c.picks != 6400 || c.reports != 6400 {
		t.Errorf("%d picks, %d reports", c.picks, c.reports)
	}
}
