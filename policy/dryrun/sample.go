package dryrun

import (
	"math"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
)

// sampleSize is how many quantiles a sampler keeps.
const sampleSize = 1024

// sampler draws from a distribution by its quantiles, with straight lines between them. What lies beyond the last
// quantile is cut off at that of one in sixteen thousand.
type sampler struct {
	constant time.Duration
	table    *[sampleSize + 1]time.Duration // nil: constant
}

// newSampler returns the sampler of a distribution, given its quantile function.
func newSampler(quantile func(p float64) float64) sampler {
	t := new([sampleSize + 1]time.Duration)
	const tail = 1.0 / 16384
	for i := range t {
		t[i] = time.Duration(quantile(min(max(float64(i)/sampleSize, tail), 1-tail)))
	}
	return sampler{table: t}
}

// z99 is how many standard deviations the 99th percentile of a normal distribution lies above its mean.
const z99 = 2.3263478740408408

// lognormal returns the latency with the given median and 99th percentile.
func lognormal(p50, p99 time.Duration) sampler {
	if p99 <= p50 || p50 <= 0 {
		return sampler{constant: max(p50, 0)}
	}
	mu, sigma := math.Log(float64(p50)), math.Log(float64(p99)/float64(p50))/z99
	return newSampler(func(p float64) float64 { return math.Exp(mu + sigma*math.Sqrt2*math.Erfinv(2*p-1)) })
}

// exponential returns the gaps of Poisson arrivals.
func exponential(mean time.Duration) sampler {
	return newSampler(func(p float64) float64 { return -math.Log1p(-p) * float64(mean) })
}

func (s *sampler) draw(r *failover.Rand) time.Duration {
	if s.table == nil {
		return s.constant
	}
	u := r.Uint64()
	i := u >> 54
	lo, hi := s.table[i], s.table[i+1]
	return lo + time.Duration((hi-lo)>>8*time.Duration(u>>16&0xffffff)>>16)
}
