// Package enginetest plays random traffic, probes and orders on an engine and checks what every engine must hold.
package enginetest

import (
	"fmt"
	"hash/fnv"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
)

// Make builds the engine anew, with the given options.
type Make func(failover.Options) (failover.Engine, error)

// Play drives the engine for so many steps under several seeds and checks that
//
//   - leases name members that exist, and every request ends;
//   - Next is in the future once Tick has nothing more to do;
//   - the state after the last transition that was told is the one that State returns;
//   - equal seeds give equal answers.
func Play(t *testing.T, mk Make, steps int) {
	t.Helper()
	for seed := range uint64(8) {
		if a, b := play(t, mk, seed, steps), play(t, mk, seed, steps); a != b {
			t.Errorf("seed %d: two plays differ", seed)
		}
	}
}

// flight is a request or probe that is under way.
type flight struct {
	request *failover.Request
	probe   failover.Probe
	ends    time.Duration
}

type player struct {
	t       *testing.T
	engine  failover.Engine
	rand    failover.Rand
	now     time.Duration
	flights []flight
	states  []failover.State
	trace   []byte
}

func play(t *testing.T, mk Make, seed uint64, steps int) uint64 {
	t.Helper()
	p := &player{t: t, rand: failover.NewRand(seed)}
	e, err := mk(failover.Options{Seed: seed, Notify: func(x failover.Transition) {
		if x.Member >= 0 {
			p.states[x.Member] = x.To
		}
		p.note("%d %d %d;", x.At, x.Member, x.To)
	}})
	if err != nil {
		t.Fatal(err)
	}
	p.engine = e
	p.states = make([]failover.State, len(e.Info().Members))
	for i := range p.states {
		p.states[i] = e.State(i)
	}
	for range steps {
		p.step()
	}
	h := fnv.New64a()
	_, _ = h.Write(p.trace)
	return h.Sum64()
}

func (p *player) note(format string, args ...any) { p.trace = fmt.Appendf(p.trace, format, args...) }

func (p *player) step() {
	p.advance(p.now + time.Duration(p.rand.IntN(int(100*time.Millisecond))))
	switch n := p.rand.IntN(200); {
	case n < 1:
		member := p.rand.IntN(len(p.states)+1) - 1
		p.engine.Notice(p.now, member, p.rand.IntN(2) == 0)
	case n < 3:
		_ = p.engine.Force(p.now, failover.Order{Member: p.rand.IntN(len(p.states)), Out: p.rand.IntN(2) == 0, Initiator: "op"})
	default:
		r := &failover.Request{}
		r.Reset()
		r.Tag, r.Client, r.Path, r.Unsafe = uint32(len(p.trace)), uint32(p.rand.Uint64()), fmt.Sprint("/", p.rand.IntN(9)), p.rand.IntN(5) == 0
		p.decided(r, p.engine.Pick(p.now, r), 0)
	}
	for i, s := range p.states {
		if got := p.engine.State(i); got != s {
			p.t.Fatalf("at %v member %d is %v, the last that was told is %v", p.now, i, got, s)
		}
	}
}

// decided does what the engine has decided about a request.
func (p *player) decided(r *failover.Request, d failover.Decision, depth int) {
	p.note("%d %d %d,", d.Action, d.Status, r.Lease.Member)
	switch {
	case depth > 10_000:
		p.t.Fatal("a request does not end")
	case d.Action == failover.Send:
		if m := int(r.Lease.Member); m < 0 || m >= len(p.states) {
			p.t.Fatalf("a lease of member %d of %d", m, len(p.states))
		}
		p.flights = append(p.flights, flight{request: r, ends: p.now + time.Duration(p.rand.IntN(int(3*time.Second)))})
	case d.Action == failover.Wait:
		p.decided(r, p.engine.Pick(max(p.now, d.At), r), depth+1)
	case d.Action == failover.Answer && (d.Status > 599 || d.Status > 0 && d.Status < 400):
		p.t.Fatalf("the engine answers %d by itself", d.Status)
	}
}

// advance lets everything happen that is due up to a time.
func (p *player) advance(to time.Duration) {
	for {
		first, at := -1, min(to, max(p.now, p.engine.Next()))
		for i := range p.flights {
			if p.flights[i].ends < at {
				first, at = i, p.flights[i].ends
			}
		}
		p.now = at
		switch {
		case first >= 0:
			f := p.flights[first]
			p.flights = append(p.flights[:first], p.flights[first+1:]...)
			p.land(f)
		case p.engine.Next() <= at:
			p.tick()
		default:
			return
		}
	}
}

func (p *player) tick() {
	for n := 0; p.engine.Next() <= p.now; n++ {
		if n > 10_000 {
			p.t.Fatalf("at %v the engine is never done", p.now)
		}
		if probe, send := p.engine.Tick(p.now); send {
			if m := int(probe.Member); m < 0 || m >= len(p.states) {
				p.t.Fatalf("a probe of member %d of %d", m, len(p.states))
			}
			p.note("p%d ", probe.Member)
			p.flights = append(p.flights, flight{probe: probe, ends: p.now + 1 + time.Duration(p.rand.IntN(int(time.Second)))})
		}
	}
}

// land ends a flight with an outcome that goes by the member and the time, so that members fail for a while.
func (p *player) land(f flight) {
	member := f.probe.Member
	if f.request != nil {
		member = f.request.Lease.Member
	}
	o := failover.Outcome{Kind: failover.Answered, Status: 200, Took: time.Duration(p.rand.IntN(int(2 * time.Second)))}
	if bad := (int(p.now/(20*time.Second)) + int(member)) % 3; bad == 0 && p.rand.IntN(10) < 8 || p.rand.IntN(50) == 0 {
		switch p.rand.IntN(8) {
		case 0:
			o = failover.Outcome{Kind: failover.Refused}
		case 1:
			o = failover.Outcome{Kind: failover.ConnectTimeout}
		case 2:
			o = failover.Outcome{Kind: failover.Timeout, Took: 3 * time.Second}
		case 3:
			o = failover.Outcome{Kind: failover.Reset}
		case 4:
			o = failover.Outcome{Kind: failover.Cancelled}
		default:
			o.Status = uint16([]int{500, 502, 503, 504, 429}[p.rand.IntN(5)])
		}
	}
	if f.request == nil {
		p.engine.Probed(p.now, f.probe, o)
		return
	}
	p.decided(f.request, p.engine.Report(p.now, f.request, o), 0)
}
