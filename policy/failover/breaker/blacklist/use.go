package blacklist

import (
	"math"
	"time"

	"github.com/poolproof/poolproof/policy/failover/breaker"
)

// never is the end of no block.
const never time.Duration = math.MinInt64

// Permit admits a call to an endpoint at now, or refuses with breaker.ErrBlocked. A blocked endpoint is admitted when all
// are blocked and the list passes then.
func (l *List) Permit(now time.Duration, endpoint int) (breaker.Permit, error) {
	e := &l.endpoints[endpoint]
	p := breaker.Permit{Generation: e.generation.Load()} // before the check, so that a block between voids the permit
	if e.blocked(now) && (l.cfg.AllOut == Refuse || !l.AllBlocked(now)) {
		return breaker.Permit{}, breaker.ErrBlocked
	}
	return p, nil
}

// Eligible appends the endpoints that may be used at now to dst: those that are not blocked; when all are, every one if
// the list passes then, none if it refuses.
func (l *List) Eligible(now time.Duration, dst []int) []int {
	before := len(dst)
	for i := range l.endpoints {
		if !l.endpoints[i].blocked(now) {
			dst = append(dst, i)
		}
	}
	if len(dst) > before || l.cfg.AllOut == Refuse {
		return dst
	}
	for i := range l.endpoints {
		dst = append(dst, i)
	}
	return dst
}

// Blocked reports whether an endpoint is blocked at now, whatever happens to its calls.
func (l *List) Blocked(now time.Duration, endpoint int) bool {
	return l.endpoints[endpoint].blocked(now)
}

// BlockedUntil is the end of an endpoint's block, and whether it is blocked at now.
func (l *List) BlockedUntil(now time.Duration, endpoint int) (time.Duration, bool) {
	until := time.Duration(l.endpoints[endpoint].until.Load())
	return until, now < until
}

// AllBlocked reports whether every endpoint is blocked at now. A list of none is not.
func (l *List) AllBlocked(now time.Duration) bool {
	for i := range l.endpoints {
		if !l.endpoints[i].blocked(now) {
			return false
		}
	}
	return len(l.endpoints) > 0
}

func (e *endpoint) blocked(now time.Duration) bool { return int64(now) < e.until.Load() }

// Report hands back a permit at now with what became of its call.
func (l *List) Report(now time.Duration, endpoint int, p breaker.Permit, r breaker.Result) {
	if !r.Slow(l.cfg.Slow) {
		return
	}
	e := &l.endpoints[endpoint]
	e.mu.Lock()
	block := Block{Endpoint: endpoint, At: now}
	if e.generation.Load() == p.Generation && e.count(now, &l.cfg) {
		block.Until = now + l.cfg.TTL
		block.Generation = p.Generation + 1
		e.until.Store(int64(block.Until))
		e.generation.Store(block.Generation)
	}
	e.mu.Unlock()
	if block.Generation != 0 && l.cfg.OnBlock != nil {
		l.cfg.OnBlock(block)
	}
}

// count takes a slow sample and reports whether it is the one that confirms.
func (e *endpoint) count(now time.Duration, cfg *Config) bool {
	if e.any && now-e.last < cfg.Dedupe {
		return false
	}
	e.any, e.last = true, now
	if cfg.Within > 0 {
		old := 0
		for old < len(e.counted) && now-e.counted[old] > cfg.Within {
			old++
		}
		e.counted = append(e.counted[:0], e.counted[old:]...)
	}
	e.counted = append(e.counted, now)
	if len(e.counted) < cfg.Confirmations {
		return false
	}
	e.counted = e.counted[:0]
	return true
}

// Clear ends an endpoint's block and forgets its samples.
func (l *List) Clear(endpoint int) {
	e := &l.endpoints[endpoint]
	e.mu.Lock()
	e.until.Store(int64(never))
	e.generation.Add(1)
	e.counted, e.any = e.counted[:0], false
	e.mu.Unlock()
}
