package controller

import (
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// twelve is 12 members in 3 priorities, judged by interface, with all that costs something.
func twelve() *schema.Copy {
	c := goodPool(12, "decision.granularity", "interface", "probe.interval", s, "retry.attempts", 1, "retry.on", []string{"5xx"},
		"decision.slow.threshold", s, "decision.slow.confirmations", 3)
	for i := range c.Members {
		c.Members[i].Priority, c.Members[i].HasPriority = int64(i/4), true
	}
	return ramped(c, []float64{5, 20, 50}, errorStop, schema.Stop{Metric: "latency-p99", HasAbove: true, Above: 3, Against: "baseline"})
}

// load sends requests one after another, 5000 a second, of which those to member 0 fail if asked for.
type load struct {
	e    *Engine
	now  time.Duration
	r    failover.Request
	n    int
	fail bool
}

func (l *load) one() {
	l.now += 200 * time.Microsecond
	for l.e.Next() <= l.now {
		if p, send := l.e.Tick(l.now); send {
			l.e.Probed(l.now, p, ok200)
		}
	}
	l.r.Reset()
	l.n++
	l.r.Interface = uint16(l.n % 3)
	d := l.e.Pick(l.now, &l.r)
	for d.Action == failover.Send {
		o := ok200
		if l.fail && l.r.Lease.Member == 0 {
			o = bad500
		}
		d = l.e.Report(l.now, &l.r, o)
	}
}

func newLoad(tb testing.TB) *load {
	o := three
	o.Notify = func(failover.Transition) {}
	e, err := New(twelve(), o)
	if err != nil {
		tb.Fatal(err)
	}
	l := &load{e: e}
	for range 500000 { // the books are open
		l.one()
	}
	return l
}

func BenchmarkRequest(b *testing.B) {
	measure(b, newLoad(b))
}

func BenchmarkRequestOneBad(b *testing.B) {
	l := newLoad(b)
	l.fail = true
	measure(b, l)
}

// measure also reports the time of the processor, whatever else the machine does.
func measure(b *testing.B, l *load) {
	b.ReportAllocs()
	used := cpuTime()
	b.ResetTimer()
	for range b.N {
		l.one()
	}
	b.StopTimer()
	b.ReportMetric(float64((cpuTime()-used).Nanoseconds())/float64(b.N), "cpu-ns/op")
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func TestNoAllocations(t *testing.T) {
	l := newLoad(t)
	if n := testing.AllocsPerRun(20000, l.one); n != 0 {
		t.Errorf("%v allocations a request", n)
	}
	l.fail = true // removals may allocate, a request may not
	if n := testing.AllocsPerRun(200000, l.one); n != 0 {
		t.Errorf("%v allocations a request", n)
	}
}

func TestGuarded(t *testing.T) {
	e, err := New(twelve(), three)
	if err != nil {
		t.Fatal(err)
	}
	g := failover.Guard(e)
	var wait sync.WaitGroup
	for w := range 64 {
		wait.Go(func() {
			var r failover.Request
			for i := range 200 {
				r.Reset()
				r.Interface = uint16(i % 3)
				d := g.Pick(time.Hour, &r)
				for d.Action == failover.Send {
					o := ok200
					if w%2 == 0 {
						o = bad500
					}
					d = g.Report(time.Hour, &r, o)
				}
				g.State(i % 12)
			}
		})
	}
	wait.Wait()
}
