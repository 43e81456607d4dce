package failover

import "math/bits"

// Rand is a small, fast source of random numbers (SplitMix64), good enough for choosing members and drawing latencies
// and no good for secrets. The zero Rand is the one of seed 0.
type Rand struct{ state uint64 }

// NewRand returns the source of a seed.
func NewRand(seed uint64) Rand { return Rand{state: seed} }

// Uint64 returns 64 random bits.
func (r *Rand) Uint64() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// IntN returns a number from 0 to n-1. n must be positive. The bias is below n in 2^64.
func (r *Rand) IntN(n int) int {
	hi, _ := bits.Mul64(r.Uint64(), uint64(n))
	return int(hi)
}

// Float64 returns a number from 0 to below 1.
func (r *Rand) Float64() float64 { return float64(r.Uint64()>>11) / (1 << 53) }

// Fork returns another source that has nothing in common with r.
func (r *Rand) Fork() Rand { return Rand{state: r.Uint64()} }
