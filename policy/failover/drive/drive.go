// Package drive lets the controller of a pool run a real gateway on a real clock: the gateway moves the traffic, the
// controller decides who gets how much of it.
//
// The gateway is whatever implements Gateway: a client of HAProxy's runtime API, of Envoy's EDS, of an own proxy. It is
// told of each change of the shares, batch by batch while a member returns; what it could not take over is told it again.
// It reports what it sends and what comes of it by Sent and Done, or by Observe where it learns only of results.
package drive

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/controller"
)

// Share is the part of the traffic, from 0 to 1, that a member is to have.
type Share struct {
	Member string
	Share  float64
}

// Gateway executes the decisions.
type Gateway interface {
	// Apply gives the members of a pool these shares of the requests of a kind: an interface, region or line, by its number.
	// All are 0 where requests are to be turned away. An error says that the gateway may still do otherwise; it is told again.
	Apply(ctx context.Context, kind int, shares []Share) error
}

// Prober sends the controller's probes. It may be nil: then there are none.
type Prober interface {
	Probe(ctx context.Context, member string, p failover.Probe) failover.Outcome
}

// Clock is the time since the driver began, and never goes back.
type Clock interface {
	Now() time.Duration
	// After is a channel on which something comes when that time has passed.
	After(d time.Duration) <-chan time.Time
}

// again is after how long a gateway that refused is told once more.
const again = time.Second

// idle bounds how long the driver sleeps when nothing is due.
const idle = time.Hour

// Driver runs one pool. All its methods may be called at the same time.
type Driver struct {
	gateway Gateway
	prober  Prober
	clock   Clock
	failed  func(error)

	mu      sync.Mutex
	engine  *controller.Engine
	applied [][]float64 // by kind, what the gateway was told; nil: nothing, or it refused
	woken   chan struct{}
}

// New returns a driver. failed hears of what a gateway refused; it may be nil.
func New(e *controller.Engine, g Gateway, p Prober, c Clock, failed func(error)) *Driver {
	if failed == nil {
		failed = func(error) {}
	}
	kinds, _ := e.Kinds()
	return &Driver{engine: e, gateway: g, prober: p, clock: c, failed: failed, applied: make([][]float64, kinds), woken: make(chan struct{}, 1)}
}

// Run keeps the gateway at what the controller decides until ctx ends, and returns why.
func (d *Driver) Run(ctx context.Context) error {
	var probes sync.WaitGroup
	defer probes.Wait()
	for {
		next := d.ticks(ctx, &probes)
		if !d.apply(ctx) {
			next = min(next, again)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("driving the pool: %w", context.Cause(ctx))
		case <-d.woken:
		case <-d.clock.After(min(next, idle)):
		}
	}
}

// ticks does what is due and returns how long there is nothing to do.
func (d *Driver) ticks(ctx context.Context, probes *sync.WaitGroup) time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	for {
		now := d.clock.Now()
		due := d.engine.Next()
		if due > now {
			return due - now
		}
		p, send := d.engine.Tick(now)
		if !send || d.prober == nil {
			continue
		}
		member := d.engine.Info().Members[p.Member]
		probes.Go(func() {
			o := d.prober.Probe(ctx, member, p)
			d.do(func(now time.Duration) { d.engine.Probed(now, p, o) })
		})
	}
}

// apply tells the gateway what has changed. It returns false if the gateway refused some of it.
func (d *Driver) apply(ctx context.Context) bool {
	well := true
	for kind := range d.applied {
		shares := d.changed(kind)
		if shares == nil {
			continue
		}
		if err := d.gateway.Apply(ctx, kind, shares); err != nil {
			well = false
			d.failed(fmt.Errorf("applying shares: %w", err))
			d.mu.Lock()
			d.applied[kind] = nil
			d.mu.Unlock()
		}
	}
	return well
}

// changed returns the shares of a kind of requests if the gateway does not have them yet.
func (d *Driver) changed(kind int) []Share {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.engine.Shares(kind, 0, nil)
	if d.applied[kind] != nil && slices.Equal(d.applied[kind], now) {
		return nil
	}
	d.applied[kind] = now
	list := make([]Share, len(now))
	for i, id := range d.engine.Info().Members {
		list[i] = Share{id, now[i]}
	}
	return list
}

// do does something with the controller and wakes the driver, which looks what has come of it.
func (d *Driver) do(f func(now time.Duration)) {
	d.mu.Lock()
	f(d.clock.Now())
	d.mu.Unlock()
	select {
	case d.woken <- struct{}{}:
	default:
	}
}

// Sent notes that the gateway has sent a request to a member. r says what kind of request it is; it belongs to the driver
// until Done.
func (d *Driver) Sent(r *failover.Request, member int) {
	d.mu.Lock()
	d.engine.Adopt(d.clock.Now(), r, member)
	d.mu.Unlock()
}

// Done notes what came of it.
func (d *Driver) Done(r *failover.Request, o failover.Outcome) {
	d.do(func(now time.Duration) { d.engine.Settle(now, r, o) })
}

// Observe notes a result of which nobody knew that it was under way.
func (d *Driver) Observe(r *failover.Request, member int, o failover.Outcome) {
	d.do(func(now time.Duration) {
		d.engine.Adopt(now, r, member)
		d.engine.Settle(now, r, o)
	})
}

// Force carries out an operator's order.
func (d *Driver) Force(o failover.Order) (err error) {
	d.do(func(now time.Duration) { err = d.engine.Force(now, o) })
	return err
}

// Notice takes a verdict from outside about a member, or with -1 about all.
func (d *Driver) Notice(member int, down bool) {
	d.do(func(now time.Duration) { d.engine.Notice(now, member, down) })
}

// State is where a member stands.
func (d *Driver) State(member int) failover.State {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.engine.State(member)
}
