package dryrun

import (
	"context"
	"errors"
	"fmt"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// Options say how a scenario is played.
type Options struct {
	// Copy is the pool whose engine is played: the gateway's copy, or a native one that names an engine.
	Copy *schema.Copy
	// Head is what "apply: head" puts in force; nil if there is nothing to apply.
	Head *schema.Copy
	Seed uint64
	// Traffic is the load of scenarios that write none; nil: 100 requests a second.
	Traffic *Traffic
	// Clients is from how many addresses requests come where the scenario names no tenants; 0 is one.
	Clients int
	// MaxRequests bounds a run; 0 is DefaultMaxRequests.
	MaxRequests int64
	// Build makes the engine; nil takes engines.New.
	Build func(*schema.Copy, failover.Options) (failover.Engine, error)
}

// DefaultMaxRequests is how many requests a run may have: about half a minute of work.
const DefaultMaxRequests = 200_000_000

// Errors of Run.
var (
	// ErrTooLarge: the run would have more requests, retries, probes or events than it may.
	ErrTooLarge = errors.New("too much to play")
	// ErrNoTraffic: no request would come.
	ErrNoTraffic = errors.New("no traffic")
)

// Run plays a scenario once. The error wraps failover.ErrNotBuilt if there is no such engine, failover.ErrNoMembers,
// ErrTooLarge or ErrNoTraffic. What a scenario says of members that the pool does not have is found by Unknown.
func Run(s *Scenario, o Options) (*Result, error) { return RunContext(context.Background(), s, o) }

// RunContext is Run, given up when ctx ends: within a few milliseconds, with the cause.
func RunContext(ctx context.Context, s *Scenario, o Options) (*Result, error) {
	r, err := prepare(s, &o)
	if err != nil {
		return nil, fmt.Errorf("playing %q: %w", s.Name, err)
	}
	r.play(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("playing %q: %w", s.Name, context.Cause(ctx))
	case r.work > r.budget:
		return nil, fmt.Errorf("playing %q: more than %d attempts, probes and timers: %w", s.Name, r.budget, ErrTooLarge)
	}
	r.conclude()
	return r.result(), nil
}
