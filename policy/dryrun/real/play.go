//go:build linux

package real

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// Change is a state that a member came into.
type Change struct {
	At     time.Duration
	Member string
	State  failover.State
}

// Observed is what a play on a real program gave.
type Observed struct {
	Answers []Answer
	// Changes are the states, which HAProxy alone shows. The first of a member is the one it starts in.
	Changes []Change
	// Probes is how many checks each member had that came through.
	Probes map[string]int
	// Startup is how long the program was at work before t = 0, at most.
	Startup time.Duration
	// Phase is how far into a second of the wall clock t = 0 was.
	Phase time.Duration
	// Lag is how late the most belated request was sent, or look at the states taken: by so much may the program, too,
	// have been kept waiting by the machine.
	Lag time.Duration
	// Log is what the program said.
	Log string
}

// game is a play that goes on.
type game struct {
	scenario *dryrun.Scenario
	copy     *schema.Copy
	program  *program
	place    place
	members  []*member
	names    map[string]string // server name: id
	start    time.Time

	mu     sync.Mutex
	seen   *Observed
	failed error
}

// play plays a case on its program.
func play(ctx context.Context, c *Case) (*Observed, error) {
	dir, err := os.MkdirTemp("", "play")
	if err != nil {
		return nil, fmt.Errorf("making a folder: %w", err)
	}
	defer os.RemoveAll(dir)
	p := &program{haproxy: c.HAProxy, path: c.path, dir: dir, text: c.Config}
	g := &game{scenario: c.Scenario, copy: c.Copy, program: p, place: c.place, seen: &Observed{Probes: map[string]int{}}}
	defer g.close()
	if err := g.openMembers(); err != nil {
		return nil, err
	}
	first := g.troubles()
	for _, t := range first {
		if t != nil {
			g.hit(t)
		}
	}
	begin := time.Now()
	if err := p.start(); err != nil {
		return nil, err
	}
	defer p.stop()
	if err := p.ready(ctx, g.place.front()); err != nil {
		return nil, err
	}
	g.start = time.Now()
	g.seen.Startup = g.start.Sub(begin)
	g.seen.Phase = time.Duration(g.start.Nanosecond())
	var wait sync.WaitGroup
	stop, watched := make(chan bool), make(chan bool)
	go func() {
		defer close(watched)
		if p.haproxy {
			g.watch(stop)
		}
	}()
	for i := range g.scenario.Events {
		wait.Go(func() { g.event(&g.scenario.Events[i], first[i]) })
	}
	g.traffic(&wait)
	wait.Wait()
	close(stop)
	<-watched
	g.close()
	g.seen.Log = p.log.String()
	return g.seen, g.failed
}

func (g *game) openMembers() error {
	g.names = map[string]string{}
	path := ""
	if f, ok := g.copy.Get("probe.path"); ok {
		path = f.Value.Text()
	}
	for i := range g.copy.Members {
		m := &g.copy.Members[i]
		b, ok := g.scenario.Members[m.ID()]
		if !ok {
			b = g.scenario.Default
		}
		if f, ok := m.Get("name"); ok {
			g.names[f.Value.Text()] = m.ID()
		}
		x := newMember(m.ID(), path, b)
		if err := x.open(); err != nil {
			return err
		}
		g.members = append(g.members, x)
	}
	return nil
}

func (g *game) close() {
	for _, m := range g.members {
		m.close()
		g.seen.Probes[m.id] = m.probes
	}
}

// troubles returns the faults that are there from the start, by event.
func (g *game) troubles() []*trouble {
	list := make([]*trouble, len(g.scenario.Events))
	for i := range g.scenario.Events {
		if e := &g.scenario.Events[i]; e.At == 0 && e.Fault != nil {
			list[i] = newTrouble(e)
		}
	}
	return list
}

func (g *game) hit(t *trouble)  { g.each(t, func(m *member) error { return m.begin(t) }) }
func (g *game) heal(t *trouble) { g.each(t, func(m *member) error { return m.end(t) }) }

func (g *game) each(t *trouble, do func(*member) error) {
	for _, m := range g.members {
		if len(t.Members) == 0 || slices.Contains(t.Members, m.id) {
			g.note(do(m))
		}
	}
}

func (g *game) note(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.failed == nil {
		g.failed = err
	}
}

func (g *game) noteLag(d time.Duration) {
	g.mu.Lock()
	g.seen.Lag = max(g.seen.Lag, d)
	g.mu.Unlock()
}

func (g *game) until(t time.Duration) { time.Sleep(time.Until(g.start.Add(t))) }

// event lets something happen, as often as it says. going is a fault that is there already.
func (g *game) event(e *dryrun.Event, going *trouble) {
	for k := 0; ; k++ {
		at := e.At + time.Duration(k)*e.Every
		if at >= g.scenario.Duration || k > 0 && (e.Every == 0 || e.Times > 0 && k >= e.Times) {
			return
		}
		g.until(at)
		switch {
		case e.Fault != nil:
			g.fault(e, going, at)
			going = nil
		case e.Reload:
			g.note(g.program.start())
		case e.Operator != nil:
			name := ""
			for n, id := range g.names {
				if id == e.Operator.Member {
					name = n
				}
			}
			g.note(g.program.force(g.copy.Pool, name, e.Operator.Member, e.Operator.Out))
		}
	}
}

func (g *game) fault(e *dryrun.Event, t *trouble, at time.Duration) {
	if t == nil {
		t = newTrouble(e)
		g.hit(t)
	}
	if e.For <= 0 {
		return
	}
	g.until(at + e.For)
	if e.Fault.Gradually {
		t.ebb()
		g.until(at + 2*e.For)
	}
	g.heal(t)
}

// look is how often HAProxy's states are read.
const look = 20 * time.Millisecond

// watch reads HAProxy's states.
func (g *game) watch(stop chan bool) {
	last := map[string]failover.State{}
	for due := time.Duration(0); ; due += look {
		select {
		case <-stop:
			return
		case <-time.After(time.Until(g.start.Add(due))):
		}
		states := g.program.states(g.copy.Pool)
		now := time.Since(g.start)
		for name, text := range states {
			state, _ := failover.ParseState(text)
			id := g.names[name]
			if was, known := last[id]; known && was == state {
				continue
			}
			last[id] = state
			g.mu.Lock()
			g.seen.Changes = append(g.seen.Changes, Change{now, id, state})
			g.mu.Unlock()
		}
		g.noteLag(now - due - look)
		due = max(due, now-look)
	}
}
