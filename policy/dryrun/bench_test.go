package dryrun

import (
	"syscall"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// cheap is about the least that an engine does: it goes round the members and counts failures in a row.
type cheap struct {
	info   failover.Info
	next   int
	failed []int
}

func newCheap(c *schema.Copy, _ failover.Options) (failover.Engine, error) {
	e := &cheap{failed: make([]int, len(c.Members))}
	for i := range c.Members {
		e.info.Members = append(e.info.Members, c.Members[i].ID())
	}
	return e, nil
}

func (e *cheap) Info() *failover.Info { return &e.info }

func (e *cheap) Pick(_ time.Duration, r *failover.Request) failover.Decision {
	if e.next++; e.next >= len(e.failed) {
		e.next = 0
	}
	r.Lease = failover.Lease{Member: int32(e.next)}
	return failover.Decision{Action: failover.Send}
}

func (e *cheap) Report(_ time.Duration, r *failover.Request, o failover.Outcome) failover.Decision {
	e.failed[r.Lease.Member]++
	if o.Kind == failover.Answered && o.Status < 500 {
		e.failed[r.Lease.Member] = 0
	}
	return failover.Decision{Action: failover.Pass}
}

func (e *cheap) Next() time.Duration                                    { return failover.Never }
func (e *cheap) Tick(time.Duration) (failover.Probe, bool)              { return failover.Probe{}, false }
func (e *cheap) Probed(time.Duration, failover.Probe, failover.Outcome) {}
func (e *cheap) State(int) failover.State                               { return failover.In }
func (e *cheap) Force(time.Duration, failover.Order) error              { return failover.ErrUnsupported }
func (e *cheap) Notice(time.Duration, int, bool)                        {}

func pool(profile string, members int) *schema.Copy {
	c := &schema.Copy{Side: schema.Gateway, Profile: profile, Pool: "p", Complete: true}
	for i := range members {
		c.Members = append(c.Members, schema.Member{Host: "10.0.0." + string(rune('a'+i)), Port: 80})
	}
	return c
}

func benchmark(b *testing.B, s *Scenario, o Options) {
	b.ReportAllocs()
	rps := s.Traffic.RPS
	s.Duration = time.Duration(float64(b.N) / rps * 1e9)
	if s.Duration < time.Second {
		s.Duration = time.Second
	}
	o.MaxRequests = 1 << 40
	r, err := prepare(s, &o)
	if err != nil {
		b.Fatal(err)
	}
	before := cpuTime()
	b.ResetTimer()
	r.play(b.Context())
	b.StopTimer()
	used := cpuTime() - before
	r.conclude()
	if got := r.result().Metrics.Requests; got == 0 || b.N > 1000000 && got != uint64(b.N) && got != uint64(b.N)-1 && got != uint64(b.N)+1 {
		b.Fatalf("%d requests were played, not %d", got, b.N)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mreq/s")
	b.ReportMetric(float64(b.N)/used.Seconds()/1e6, "Mreq/cpu-s") // whatever else the machine does
}

// cpuTime is how long the process has kept a core busy.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkCheapPlain(b *testing.B) {
	benchmark(b, &Scenario{Traffic: &Traffic{RPS: 5000}, Default: Behaviour{HasLatency: true, P50: 2 * time.Millisecond, P99: 2 * time.Millisecond}}, Options{Copy: pool("", 12), Build: newCheap})
}

func rich() *Scenario {
	return &Scenario{
		Traffic: &Traffic{RPS: 5000, Interfaces: []schema.Share{{Name: "/a", Share: 50}, {Name: "/b", Share: 30}, {Name: "/c", Share: 20}}},
		Default: Behaviour{HasLatency: true, P50: 2 * time.Millisecond, P99: 20 * time.Millisecond, Capacity: 50},
		Events:  []Event{{At: time.Second, For: 20 * time.Second, Fault: &Fault{Members: []string{"10.0.0.a:80"}, Errors: 1, Status: 500}}},
	}
}

func BenchmarkCheapRich(b *testing.B) {
	benchmark(b, rich(), Options{Copy: pool("", 12), Build: newCheap})
}

func BenchmarkHAProxyRich(b *testing.B) {
	c := pool("haproxy-2.6", 12)
	c.Set("probe.interval", schema.DurationOf(time.Second), schema.At(1, 2))
	c.Set("mode", schema.TextOf("http"), schema.At(1, 2))
	c.Set("option redispatch", schema.IntOf(1), schema.At(1, 2))
	c.Set("timeout connect", schema.DurationOf(time.Second), schema.At(1, 2))
	c.Set("timeout server", schema.DurationOf(2*time.Second), schema.At(1, 2))
	benchmark(b, rich(), Options{Copy: c})
}

func BenchmarkNginxRich(b *testing.B) {
	c := pool("nginx-1.22", 12)
	c.Set("retry.on", schema.ListOf("error", "timeout", "http_500"), schema.At(1, 2))
	benchmark(b, rich(), Options{Copy: c})
}
