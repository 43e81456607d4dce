// Package blacklist keeps slow endpoints of a pool out for a while.
//
// A call that takes longer than a threshold is a slow sample of its endpoint; a call that times out is one at its
// time-out. An endpoint's samples count at most once per dedupe interval, so that one burst is one sample. Enough
// samples confirm, and the endpoint is blocked for a time that expires lazily: nothing runs at its end. When all endpoints
// are blocked the filter steps aside and everything passes, unless it is told to refuse.
//
// Dedupe keeps one burst from counting twice, not one long fault: with a threshold of 3 s a jitter of 30 s yields about
// six samples, one each 5 s, and confirms. With 70 s it yields none, unless calls hang for longer than that.
//
// A permit carries its endpoint's generation, which each block raises: what was sent before a block says nothing against
// the endpoint after it. What passed while all were blocked counts, and may renew the block.
package blacklist

import (
	"cmp"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Defaults of a Config.
const (
	DefaultSlow          = 70 * time.Second
	DefaultDedupe        = 5 * time.Second
	DefaultConfirmations = 2
	DefaultTTL           = 30 * time.Second
	// NoDedupe counts every slow sample.
	NoDedupe time.Duration = -1
)

// AllOut says what happens to calls when every endpoint is blocked.
type AllOut uint8

// The behaviours when every endpoint is blocked.
const (
	// Pass: the filter steps aside, all endpoints are used as if none were blocked.
	Pass AllOut = iota
	// Refuse: calls are refused.
	Refuse
)

// Config describes a blacklist. The zero value has the defaults and passes everything when all endpoints are blocked.
type Config struct {
	// Slow: a call that takes longer is a slow sample. Zero means 70 s.
	Slow time.Duration
	// Dedupe: a sample that comes earlier than this after the endpoint's last counted one does not count. Zero means 5 s,
	// NoDedupe that all count.
	Dedupe time.Duration
	// Confirmations is how many counted samples block an endpoint. Zero means 2.
	Confirmations int
	// Within forgets counted samples that are older. Zero means that they are kept until they lead to a block.
	Within time.Duration
	// TTL is how long a block lasts. Zero means 30 s.
	TTL time.Duration
	// AllOut says what happens when every endpoint is blocked.
	AllOut AllOut
	// OnBlock, if not nil, is told of each block after the lock is released.
	OnBlock func(Block)
}

// Block is one confirmed block of an endpoint.
type Block struct {
	Endpoint int
	// At is when it was confirmed, Until when it ends.
	At, Until time.Duration
	// Generation orders the blocks of one endpoint.
	Generation uint64
}

// List is the blacklist of one pool. Make it with New.
type List struct {
	cfg       Config
	endpoints []endpoint
}

// endpoint is one member's record, on cache lines of its own as far as other endpoints are concerned.
type endpoint struct {
	until      atomic.Int64 // end of the block; the zero time and earlier ones mean none
	generation atomic.Uint64

	mu sync.Mutex
	// counted are the times of the counted samples, oldest first; last is that of the newest one ever.
	counted []time.Duration
	last    time.Duration
	any     bool
	_       [64]byte
}

// New makes a blacklist of so many endpoints, none of them blocked, or says what is wrong with its description.
func New(cfg Config, endpoints int) (*List, error) {
	cfg.Slow = cmp.Or(cfg.Slow, DefaultSlow)
	cfg.Dedupe = cmp.Or(cfg.Dedupe, DefaultDedupe)
	cfg.Confirmations = cmp.Or(cfg.Confirmations, DefaultConfirmations)
	cfg.TTL = cmp.Or(cfg.TTL, DefaultTTL)
	switch {
	case endpoints < 0:
		return nil, fmt.Errorf("blacklist of %d endpoints", endpoints)
	case cfg.Slow < 0, cfg.TTL < 0, cfg.Within < 0, cfg.Dedupe < 0 && cfg.Dedupe != NoDedupe:
		return nil, fmt.Errorf("blacklist: a negative duration: slow %v, dedupe %v, within %v, TTL %v",
			cfg.Slow, cfg.Dedupe, cfg.Within, cfg.TTL)
	case cfg.Confirmations < 1 || cfg.Confirmations > 1<<16:
		return nil, fmt.Errorf("blacklist: %d confirmations: want 1 to %d", cfg.Confirmations, 1<<16)
	case cfg.AllOut > Refuse:
		return nil, fmt.Errorf("blacklist: unknown behaviour %d when all are blocked", cfg.AllOut)
	}
	l := &List{cfg: cfg, endpoints: make([]endpoint, endpoints)}
	for i := range l.endpoints {
		l.endpoints[i].counted = make([]time.Duration, 0, cfg.Confirmations)
		l.endpoints[i].until.Store(int64(never))
	}
	return l, nil
}
