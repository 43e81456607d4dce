package failover

import (
	"sync"
	"time"
)

// Guard returns an engine that any number of goroutines may use, which e is from then on not. Notify is called with the
// guard's lock held.
func Guard(e Engine) Engine {
	g := guard{engine: e}
	if q, ok := e.(Queuer); ok {
		return &guardQueue{guard: &g, queuer: q}
	}
	return &g
}

type guard struct {
	mu     sync.Mutex
	engine Engine
}

func (g *guard) Info() *Info { return g.engine.Info() }

func (g *guard) Pick(now time.Duration, r *Request) Decision {
	g.mu.Lock()
	d := g.engine.Pick(now, r)
	g.mu.Unlock()
	return d
}

func (g *guard) Report(now time.Duration, r *Request, o Outcome) Decision {
	g.mu.Lock()
	d := g.engine.Report(now, r, o)
	g.mu.Unlock()
	return d
}

func (g *guard) Next() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.engine.Next()
}

func (g *guard) Tick(now time.Duration) (Probe, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.engine.Tick(now)
}

func (g *guard) Probed(now time.Duration, p Probe, o Outcome) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.engine.Probed(now, p, o)
}

func (g *guard) State(member int) State {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.engine.State(member)
}

func (g *guard) Force(now time.Duration, o Order) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.engine.Force(now, o)
}

func (g *guard) Notice(now time.Duration, member int, down bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.engine.Notice(now, member, down)
}

// guardQueue guards an engine with a queue.
type guardQueue struct {
	*guard
	queuer Queuer
}

// Wake returns a queued request that should be picked again.
func (g *guardQueue) Wake() (uint32, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.queuer.Wake()
}
