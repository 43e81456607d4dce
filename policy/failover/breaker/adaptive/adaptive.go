// Package adaptive is the breaker without states: it drops a part of the calls that grows with the part that fails.
//
// Of R requests in the window A were accepted. A call is dropped with probability
//
//	max(0, (R - K*A) / (R + 1)),  K = 1 / Success
//
// and never below a minimum of R. At K*A = R, that is at a success ratio of Success, nothing is dropped yet; with nothing
// accepted about one call in R+1 still passes and finds out when the endpoint is well. The formula is that of client-side
// throttling in Google's book on site reliability engineering (chapter 21, K = 2); the defaults are those of aegis v0.2.0.
package adaptive

import (
	"cmp"
	"fmt"
	"sync"
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/window"
)

// Defaults of a Config.
const (
	DefaultSuccess   = 0.6
	DefaultMinVolume = 100
	DefaultSpan      = 3 * time.Second
	DefaultBuckets   = 10
)

// Config describes an adaptive breaker.
type Config struct {
	// Success is the ratio of successes, above 0 and up to 1, below which calls are dropped: K = 1/Success. Zero means
	// 0.6; 0.5 is K = 2.
	Success float64
	// MinVolume is the number of requests in the window below which nothing is dropped. Zero means 100, 1 none.
	MinVolume int
	// Span is how far back the window reaches. Zero means 3 s.
	Span time.Duration
	// Buckets is into how many parts the window is divided, which leave one by one. Zero means 10.
	Buckets int
	// CountDrops counts dropped calls as requests that were not accepted, as the book and kratos do: the probability
	// then stays high while calls are dropped, and falls only as the window moves on.
	CountDrops bool
	// Random decides about calls; it is required.
	Random breaker.Random
}

// Breaker is an adaptive breaker. Make it with New. It has no trials and no generations: a result counts when it arrives.
type Breaker struct {
	k          float64
	minVolume  int
	countDrops bool
	random     breaker.Random

	mu     sync.Mutex
	window window.Window
}

var _ breaker.Breaker = (*Breaker)(nil)

// New makes a breaker that has seen no calls, or says what is wrong with its description.
func New(cfg Config) (*Breaker, error) {
	cfg.Success = cmp.Or(cfg.Success, DefaultSuccess)
	cfg.MinVolume = cmp.Or(cfg.MinVolume, DefaultMinVolume)
	spec := window.Rolling(cmp.Or(cfg.Span, DefaultSpan), cmp.Or(cfg.Buckets, DefaultBuckets))
	switch err := spec.Validate(); {
	case err != nil:
		return nil, fmt.Errorf("adaptive breaker: %w", err)
	case !(cfg.Success > 0 && cfg.Success <= 1):
		return nil, fmt.Errorf("adaptive breaker: success ratio %v: want above 0 and up to 1", cfg.Success)
	case cfg.MinVolume < 0:
		return nil, fmt.Errorf("adaptive breaker: minimum volume %d: want 0 or more", cfg.MinVolume)
	case cfg.Random == nil:
		return nil, fmt.Errorf("adaptive breaker: no source of randomness")
	}
	return &Breaker{
		k: 1 / cfg.Success, minVolume: cfg.MinVolume, countDrops: cfg.CountDrops, random: cfg.Random, window: spec.New(),
	}, nil
}

// Permit implements breaker.Breaker. Its error is breaker.ErrDropped.
func (b *Breaker) Permit(now time.Duration) (breaker.Permit, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p, asked := b.probability(now)
	if !asked || b.random.Float64() >= p {
		return breaker.Permit{}, nil
	}
	if b.countDrops {
		b.add(now, true)
	}
	return breaker.Permit{}, breaker.ErrDropped
}

// Report implements breaker.Breaker. A success is an accepted request, a failure one that was not; the rest counts as
// none at all.
func (b *Breaker) Report(now time.Duration, _ breaker.Permit, r breaker.Result) {
	if !r.Class.Counted() {
		return
	}
	b.mu.Lock()
	b.add(now, r.Class == breaker.Failure)
	b.mu.Unlock()
}

func (b *Breaker) add(now time.Duration, failed bool) {
	b.window.Add(b.window.Epoch(now), window.Sample{Failed: failed})
}

// probability also says whether the draw is made at all: from the minimum volume on, once fewer than R/K succeed.
func (b *Breaker) probability(now time.Duration) (p float64, asked bool) {
	b.window.Epoch(now)
	counts := b.window.Counts()
	requests, enough := float64(counts.Total), b.k*float64(counts.Successes())
	if counts.Total < b.minVolume || requests < enough {
		return 0, false
	}
	return (requests - enough) / float64(counts.Total+1), true
}

// DropProbability is the probability with which a call at now is dropped.
func (b *Breaker) DropProbability(now time.Duration) float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	p, _ := b.probability(now)
	return p
}

// State implements breaker.Breaker: half-open while calls may be dropped, else closed. It is never open.
func (b *Breaker) State(now time.Duration) breaker.State {
	if b.DropProbability(now) > 0 {
		return breaker.HalfOpen
	}
	return breaker.Closed
}

// Counts are the requests in the window at now, and how many were not accepted.
func (b *Breaker) Counts(now time.Duration) window.Counts {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.window.Epoch(now)
	return b.window.Counts()
}
