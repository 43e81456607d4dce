package dryrun

import (
	"math/bits"

	"github.com/poolproof/poolproof/policy/failover"
)

// choice draws one of several kinds of requests by their shares, with Walker's alias method: one random number, whatever
// their number is.
type choice struct {
	cut   []uint32
	alias []uint16
}

// newChoice returns a choice among as many as there are weights; nil weights, or ones without a sum, draw 0.
func newChoice(weights []float64) choice {
	n, sum := len(weights), 0.0
	for _, w := range weights {
		sum += w
	}
	if n < 2 || sum <= 0 {
		return choice{}
	}
	c := choice{cut: make([]uint32, n), alias: make([]uint16, n)}
	scaled := make([]float64, n)
	var small, large []int
	for i, w := range weights {
		if scaled[i] = w * float64(n) / sum; scaled[i] < 1 {
			small = append(small, i)
		} else {
			large = append(large, i)
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		c.cut[s], c.alias[s] = uint32(scaled[s]*(1<<32-1)), uint16(l)
		if scaled[l] -= 1 - scaled[s]; scaled[l] < 1 {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	for _, i := range append(small, large...) {
		c.cut[i], c.alias[i] = 1<<32-1, uint16(i)
	}
	return c
}

func (c *choice) draw(r *failover.Rand) uint16 {
	if c.cut == nil {
		return 0
	}
	u := r.Uint64()
	hi, lo := bits.Mul64(u, uint64(len(c.cut)))
	if uint32(lo>>32) < c.cut[hi] {
		return uint16(hi)
	}
	return c.alias[hi]
}
