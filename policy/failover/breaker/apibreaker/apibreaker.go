// Package apibreaker is the api-breaker plugin of APISIX, for one host and path on one gateway node.
//
// Unhealthy answers are counted, in a row or not, until enough healthy ones without an unhealthy one between them clear the
// count. Each time that the count is a multiple of the failures, requests are refused for 2^k seconds, k being how many
// times that has been, up to a maximum. Afterwards everything passes: there are no trials. Time is that of the clock in
// whole seconds.
package apibreaker

import (
	"cmp"
	"fmt"
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/breaker/internal/machine"
)

// Config has the attributes of the plugin, with the same defaults for zero.
type Config struct {
	// MaxBreaker is max_breaker_sec, at least 3 s. Zero means 300 s.
	MaxBreaker time.Duration
	// Failures is unhealthy.failures. Zero means 3.
	Failures int
	// Successes is healthy.successes. Zero means 3.
	Successes int
	// RoundsUp: before 3.14 the number of times was rounded up, so the first unhealthy answer after the multiple already
	// doubled the time.
	RoundsUp bool
	// OnChange, if not nil, is told of changes after the lock is released.
	OnChange func(breaker.Change)
}

// Classifier reads statuses as the plugin does: unhealthy ones fail, healthy ones succeed, the rest and what has no status
// counts for nothing. Nil lists mean 500 and 200.
func Classifier(unhealthy, healthy []int) *breaker.Classifier {
	c := breaker.NewClassifier().Statuses(breaker.Neutral, 0, 599).
		Kinds(breaker.Neutral, breaker.Connect, breaker.Timeout, breaker.Reset, breaker.Cancel, breaker.Rejected, breaker.Unknown)
	if healthy == nil {
		healthy = []int{200}
	}
	if unhealthy == nil {
		unhealthy = []int{500}
	}
	for _, s := range healthy {
		c.Statuses(breaker.Success, s, s)
	}
	for _, s := range unhealthy {
		c.Statuses(breaker.Failure, s, s)
	}
	return c
}

// Breaker is the record of one host and path. Make it with New.
type Breaker struct {
	m   machine.Machine
	cfg Config
	// unhealthy and healthy are the counts, stamp is the second of the last multiple and kept until the record of it ends.
	unhealthy, healthy int
	stamp, kept        time.Duration
	stamped            bool
}

var _ breaker.Breaker = (*Breaker)(nil)

// New makes an empty record, or says what APISIX refuses.
func New(cfg Config) (*Breaker, error) {
	cfg.MaxBreaker = cmp.Or(cfg.MaxBreaker, 300*time.Second)
	cfg.Failures = cmp.Or(cfg.Failures, 3)
	cfg.Successes = cmp.Or(cfg.Successes, 3)
	switch {
	case cfg.MaxBreaker < 3*time.Second || cfg.MaxBreaker%time.Second != 0:
		return nil, fmt.Errorf("api-breaker: max_breaker_sec %v: want whole seconds, at least 3", cfg.MaxBreaker)
	case cfg.Failures < 1 || cfg.Successes < 1:
		return nil, fmt.Errorf("api-breaker: failures %d, successes %d: want at least 1", cfg.Failures, cfg.Successes)
	}
	b := &Breaker{cfg: cfg}
	b.m.OnChange = cfg.OnChange
	return b, nil
}

// Permit implements breaker.Breaker. The permit carries nothing.
func (b *Breaker) Permit(now time.Duration) (breaker.Permit, error) {
	b.m.Lock()
	defer b.m.Unlock()
	b.follow(now)
	if b.m.State == breaker.Open {
		return breaker.Permit{}, breaker.ErrOpen
	}
	return breaker.Permit{}, nil
}

// until is when refusing ends: after the whole second stamp + length, or with the record of the stamp.
func (b *Breaker) until() time.Duration {
	if !b.stamped {
		return 0
	}
	times := b.unhealthy / b.cfg.Failures
	if b.cfg.RoundsUp && b.unhealthy%b.cfg.Failures > 0 {
		times++
	}
	length := b.cfg.MaxBreaker
	if times = max(1, times); times < 32 {
		length = min(length, time.Second<<times)
	}
	return min(b.stamp+length+time.Second, b.kept)
}

// Report implements breaker.Breaker. Use Classifier: successes are healthy answers, failures unhealthy ones.
func (b *Breaker) Report(now time.Duration, _ breaker.Permit, r breaker.Result) {
	b.m.Lock()
	defer b.m.Unlock()
	switch {
	case r.Class == breaker.Failure:
		b.unhealthy++
		b.healthy = 0
		if b.unhealthy%b.cfg.Failures == 0 {
			b.stamp, b.kept, b.stamped = now.Truncate(time.Second), now+b.cfg.MaxBreaker, true
		}
	case r.Class == breaker.Success && b.unhealthy > 0:
		if b.healthy++; b.healthy >= b.cfg.Successes {
			b.unhealthy, b.healthy, b.stamped = 0, 0, false
		}
	}
	b.follow(now)
}

// follow makes the state what the counts say at now.
func (b *Breaker) follow(now time.Duration) {
	until := b.until()
	switch open := b.stamped && now < until; {
	case open && (b.m.State != breaker.Open || b.m.Until != until):
		b.m.Enter(now, breaker.Open, until)
	case !open && b.m.State == breaker.Open:
		b.m.Enter(min(now, b.m.Until), breaker.Closed, 0)
	}
}

// State implements breaker.Breaker: open while requests are refused, else closed.
func (b *Breaker) State(now time.Duration) breaker.State {
	b.m.Lock()
	defer b.m.Unlock()
	b.follow(now)
	return b.m.State
}
