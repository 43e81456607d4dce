package apisix

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
)

// play drives an engine by hand. Nodes are numbered from 1.
type play struct {
	*Engine
	now    time.Duration
	probe  func(node int) failover.Outcome // what comes of a probe, at once
	probes []string
	told   []string
}

func start(t *testing.T, c *schema.Copy) *play {
	t.Helper()
	p := &play{probe: func(int) failover.Outcome { return ok }}
	e, err := New(c, profile.Version{}, failover.Options{Seed: 1, Notify: func(x failover.Transition) {
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
		if probe, send := p.Tick(p.now); send {
			p.probes = append(p.probes, fmt.Sprintf("%d@%s", probe.Member+1, p.now))
			p.Probed(p.now, probe, p.probe(int(probe.Member)+1))
		}
	}
	p.now = now
	return p
}

// ask follows one request now; some nodes answer otherwise than 200. The result is "1 2 pass".
func (p *play) ask(o failover.Outcome, bad ...int) string {
	var r failover.Request
	r.Reset()
	return p.follow(&r, o, bad...)
}

func (p *play) follow(r *failover.Request, o failover.Outcome, bad ...int) string {
	var b []string
	d := p.Pick(p.now, r)
	for d.Action == failover.Send {
		m := int(r.Lease.Member) + 1
		b = append(b, fmt.Sprint(m))
		out := ok
		for _, x := range bad {
			if x == m {
				out = o
			}
		}
		d = p.Report(p.now, r, out)
	}
	if d.Action == failover.Pass {
		return strings.Join(append(b, "pass"), " ")
	}
	return strings.Join(append(b, fmt.Sprint(d.Status)), " ")
}

// results reports results of one node to its counters as probes would.
func (p *play) results(node int, outcomes ...failover.Outcome) *play {
	for _, o := range outcomes {
		p.Probed(p.now, failover.Probe{Member: int32(node - 1), Generation: p.generation}, o)
	}
	return p
}

// shares returns how many of n requests each node gets; [0] counts the refused ones.
func (p *play) shares(n int) []int {
	got := make([]int, len(p.nodes)+1)
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

// states returns the nodes' states: "in out".
func (p *play) states() string {
	b := make([]string, len(p.nodes))
	for i := range b {
		b[i] = p.State(i).String()
	}
	return strings.Join(b, " ")
}
