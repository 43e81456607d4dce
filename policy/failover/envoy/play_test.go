package envoy

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/profile"
)

const (
	s  = time.Second
	ms = time.Millisecond
)

var (
	ok      = failover.Outcome{Status: 200}
	refused = failover.Outcome{Kind: failover.Refused}
	hung    = failover.Outcome{Kind: failover.Timeout}
	reset   = failover.Outcome{Kind: failover.Reset}
)

// play drives an engine by hand. Members are numbered from 1.
type play struct {
	*Engine
	t      *testing.T
	now    time.Duration
	probe  func(member int) failover.Outcome // what comes of a check, at once
	probes []string
	told   []string
}

func start(t *testing.T, version string, c *schema.Copy) *play {
	t.Helper()
	v, _ := profile.ParseVersion(version)
	p := &play{t: t, probe: func(int) failover.Outcome { return ok }}
	e, err := New(c, v, failover.Options{Seed: 1, Notify: func(x failover.Transition) {
		p.told = append(p.told, fmt.Sprintf("%d %s@%s", x.Member+1, x.To, x.At))
	}})
	if err != nil {
		t.Fatal(err)
	}
	p.Engine = e
	return p
}

// until lets everything happen that is due by then.
func (p *play) until(now time.Duration) *play {
	for p.Next() <= now {
		p.now = max(p.now, p.Next())
		probe, send := p.Tick(p.now)
		if send {
			p.probes = append(p.probes, fmt.Sprintf("%d@%s", probe.Member+1, p.now))
			p.Probed(p.now, probe, p.probe(int(probe.Member)+1))
		}
	}
	p.now = now
	return p
}

// ask follows one request now; some members answer otherwise than 200. The result is "1 2 pass".
func (p *play) ask(o failover.Outcome, bad ...int) string {
	var r failover.Request
	r.Reset()
	return p.follow(&r, o, bad...)
}

func (p *play) follow(r *failover.Request, o failover.Outcome, bad ...int) string {
	var b []string
	for d := p.Pick(p.now, r); ; {
		switch d.Action {
		case failover.Send:
			m := int(r.Lease.Member) + 1
			b = append(b, fmt.Sprint(m))
			out := ok
			for _, x := range bad {
				if x == m {
					out = o
				}
			}
			d = p.Report(p.now, r, out)
		case failover.Wait:
			p.until(d.At)
			d = p.Pick(p.now, r)
		case failover.Pass:
			return strings.Join(append(b, "pass"), " ")
		default:
			return strings.Join(append(b, fmt.Sprint(d.Status)), " ")
		}
	}
}

// hit lets one member answer so many requests, whatever the balancer says.
func (p *play) hit(member int, o failover.Outcome, times int) *play {
	for range times {
		var r failover.Request
		r.Reset()
		r.Own.Flags, r.Own.At = began, p.now
		p.active++
		p.hosts[member-1].active++
		r.Lease.Member = int32(member - 1)
		p.Report(p.now, &r, o)
	}
	return p
}

// shares returns how many of n requests each member gets.
func (p *play) shares(n int) []int {
	got := make([]int, len(p.hosts)+1) // [0]: refused
	for range n {
		var r failover.Request
		r.Reset()
		if d := p.Pick(p.now, &r); d.Action != failover.Send {
			got[0]++
			continue
		}
		got[r.Lease.Member+1]++
		p.Report(p.now, &r, ok)
	}
	return got
}

// states returns the members' states: "in out".
func (p *play) states() string {
	b := make([]string, len(p.hosts))
	for i := range b {
		b[i] = p.State(i).String()
	}
	return strings.Join(b, " ")
}
