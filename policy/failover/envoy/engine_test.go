package envoy

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/internal/enginetest"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/profile"
)

// at is when a probe such as "1@1m2s" was sent.
func at(probe string) time.Duration {
	_, text, _ := strings.Cut(probe, "@")
	d, err := time.ParseDuration(text)
	if err != nil {
		panic(err)
	}
	return d
}

func TestForce(t *testing.T) {
	p := start(t, "1.33", enginetest.Pool(hosts(3)))
	if err := p.Force(0, failover.Order{Member: 0, Out: true}); err != nil || p.states() != "manual in in" {
		t.Errorf("%v, %s", err, p.states())
	}
	if got := p.shares(6); got[1] != 0 {
		t.Errorf("a host that EDS calls unhealthy gets %d", got[1])
	}
	if err := p.Force(0, failover.Order{Member: 0}); err != nil || p.states() != "in in in" {
		t.Errorf("%v, %s", err, p.states())
	}
	if err := p.Force(0, failover.Order{Member: 3}); !errors.Is(err, failover.ErrUnsupported) {
		t.Errorf("a host that is not there: %v", err)
	}
}

func TestNoMembers(t *testing.T) {
	if e, err := New(&schema.Copy{}, profile.Version{}, failover.Options{}); e != nil || !errors.Is(err, failover.ErrNoMembers) {
		t.Errorf("%v, %v", e, err)
	}
}

// everything is a cluster with all that there is.
func everything(policy string) *schema.Copy {
	return enginetest.Pool([]string{"weight=2", "", "priority=1", "priority=1", "priority=2 drain"}, append(check("lb_policy", policy, "probe.intervals.idle", 5*s, "ramp.window", 10*s),
		"outlier_detection.max_ejection_percent", 60, "outlier_detection.enforcing_failure_percentage", 50, "outlier_detection.failure_percentage_request_volume", 5,
		"decision.consecutive", 3, "outlier_detection.max_ejection_time_jitter", s, "retry.on", []string{"5xx"}, "retry.attempts", 2)...)
}

func TestPlay(t *testing.T) {
	for _, policy := range []string{"ROUND_ROBIN", "LEAST_REQUEST", "RANDOM"} {
		t.Run(policy, func(t *testing.T) {
			enginetest.Play(t, func(o failover.Options) (failover.Engine, error) {
				return New(everything(policy), profile.Version{Major: 1, Minor: 33}, o)
			}, 3000)
		})
	}
}

// TestNothingLeaks: after all requests have ended none is counted as active.
func TestNothingLeaks(t *testing.T) {
	p := start(t, "1.33", everything("LEAST_REQUEST"))
	for i := range 2000 {
		p.until(p.now + 10*ms)
		p.ask([]failover.Outcome{refused, hung, reset, enginetest.Status(500), {Kind: failover.Cancelled}}[i%5], 1+i%3, 1+i/100%5)
	}
	for i := range p.hosts {
		if p.hosts[i].active != 0 {
			t.Errorf("%d requests are left to host %d", p.hosts[i].active, i+1)
		}
	}
	if p.active != 0 || p.retrying != 0 {
		t.Errorf("%d requests and %d retries are left", p.active, p.retrying)
	}
}

func cycle(e *Engine, r *failover.Request, now time.Duration, o failover.Outcome) {
	r.Reset()
	d := e.Pick(now, r)
	for d.Action == failover.Send || d.Action == failover.Wait {
		if d.Action == failover.Wait {
			d = e.Pick(d.At, r)
			continue
		}
		d = e.Report(now, r, o)
	}
}

func TestRequestsAllocateNothing(t *testing.T) {
	for _, policy := range []string{"ROUND_ROBIN", "LEAST_REQUEST", "RANDOM"} {
		for _, lines := range [][]string{hosts(12), {"weight=3", "weight=2", "", "priority=1"}} {
			e := start(t, "1.33", enginetest.Pool(lines, eject("lb_policy", policy, "decision.consecutive", 3, "retry.on", []string{"5xx"})...)).Engine
			e.notify = nil
			var r failover.Request
			now := time.Duration(0)
			for i, o := range []failover.Outcome{ok, refused} {
				if n := testing.AllocsPerRun(2000, func() {
					now += 10 * ms
					for e.Next() <= now {
						e.Tick(now)
					}
					cycle(e, &r, now, o)
				}); n != 0 {
					t.Errorf("%s, %d hosts, outcome %d: %v allocations a request", policy, len(lines), i, n)
				}
			}
		}
	}
}

func BenchmarkRequest(b *testing.B) {
	for _, policy := range []string{"ROUND_ROBIN", "LEAST_REQUEST", "RANDOM"} {
		for name, lines := range map[string][]string{"equal": hosts(12), "weighted": {"weight=2", "", "", "", "priority=1", "priority=1", "priority=1", "priority=1", "priority=2", "priority=2", "priority=2", "priority=2"}} {
			b.Run(policy+"/"+name, func(b *testing.B) {
				e, err := New(enginetest.Pool(lines, eject("lb_policy", policy, "decision.consecutive", 3)...), profile.Version{}, failover.Options{})
				if err != nil {
					b.Fatal(err)
				}
				var r failover.Request
				now := time.Duration(0)
				b.ReportAllocs()
				for b.Loop() {
					now += time.Microsecond
					cycle(e, &r, now, ok)
				}
			})
		}
	}
}
