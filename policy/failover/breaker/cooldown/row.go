package cooldown

import "time"

// Random is a source of uniform numbers in [0, 1).
type Random interface {
	Float64() float64
}

// Row follows the removals of one endpoint. It is not safe for concurrent use.
type Row struct {
	cfg    Config
	random Random
	// n counts the removals in a row; back is when the endpoint last returned, out whether it is out.
	n    int
	back time.Duration
	in   bool
}

// NewRow starts with an endpoint in service that was never removed. The config must be valid; random may be nil if it has
// no jitter.
func NewRow(cfg Config, random Random) Row { return Row{cfg: cfg, random: random, in: true} }

// With returns the row as it is, going on with other settings.
func (r Row) With(cfg Config, random Random) Row {
	r.cfg, r.random = cfg, random
	return r
}

// Removed counts a removal at now and returns its cooldown.
func (r *Row) Removed(now time.Duration) time.Duration {
	if r.in && r.cfg.Decay > 0 {
		r.n = int(max(0, int64(r.n)-int64(max(0, now-r.back)/r.cfg.Decay)))
	}
	r.in = false
	r.n++
	length := r.cfg.Length(r.n)
	if r.cfg.Jitter > 0 {
		length = r.cfg.bound(float64(length) * (1 + r.cfg.Jitter*(2*r.random.Float64()-1)))
	}
	return length
}

// Returned counts the return of the endpoint to full service at now.
func (r *Row) Returned(now time.Duration) {
	r.in, r.back = true, now
	if r.cfg.Decay == 0 {
		r.n = 0
	}
}

// N is the number of removals in a row that the next cooldown builds on.
func (r *Row) N() int { return r.n }
