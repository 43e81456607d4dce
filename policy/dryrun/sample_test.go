package dryrun

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
)

func TestLognormalKeepsItsQuantiles(t *testing.T) {
	s := lognormal(20*time.Millisecond, 200*time.Millisecond)
	r := failover.NewRand(1)
	const n = 200000
	drawn := make([]time.Duration, n)
	for i := range drawn {
		drawn[i] = s.draw(&r)
	}
	slices.Sort(drawn)
	for _, c := range []struct {
		p    float64
		want time.Duration
	}{{0.5, 20 * time.Millisecond}, {0.99, 200 * time.Millisecond}} {
		got := drawn[int(c.p*n)]
		if math.Abs(float64(got-c.want)) > 0.05*float64(c.want) {
			t.Errorf("quantile %v is %v, not %v", c.p, got, c.want)
		}
	}
}

func TestConstantLatency(t *testing.T) {
	r := failover.NewRand(1)
	for _, c := range []struct{ p50, p99, want time.Duration }{{5, 5, 5}, {5, 3, 5}, {0, 9, 0}} {
		s := lognormal(c.p50, c.p99)
		if got := s.draw(&r); got != c.want {
			t.Errorf("lognormal(%d, %d) gave %d", c.p50, c.p99, got)
		}
	}
}

func TestExponentialMean(t *testing.T) {
	s := exponential(time.Millisecond)
	r := failover.NewRand(2)
	sum := time.Duration(0)
	const n = 200000
	for range n {
		sum += s.draw(&r)
	}
	if mean := sum / n; mean < 980*time.Microsecond || mean > 1020*time.Microsecond {
		t.Errorf("the mean gap is %v", mean)
	}
}

func TestChoiceFollowsShares(t *testing.T) {
	weights := []float64{50, 30, 0, 20}
	c := newChoice(weights)
	r := failover.NewRand(3)
	var count [4]int
	const n = 200000
	for range n {
		count[c.draw(&r)]++
	}
	for i, w := range weights {
		p := w / 100
		if off := math.Abs(float64(count[i]) - p*n); off > 4.5*math.Sqrt(n*p*(1-p))+1 {
			t.Errorf("kind %d came %d times of %d", i, count[i], n)
		}
	}
}

func TestHistogram(t *testing.T) {
	for _, d := range []time.Duration{0, 999, time.Microsecond, 17 * time.Microsecond, 3 * time.Millisecond, time.Minute, time.Hour} {
		low, high := bounds(bucketOf(d))
		if d < low || d >= high {
			t.Errorf("%v is counted in the bucket from %v to %v", d, low, high)
		}
		if high-low > max(time.Microsecond, low/16) {
			t.Errorf("the bucket of %v is %v wide", d, high-low)
		}
	}
	var h histogram
	if _, ok := h.quantile(0.5); ok {
		t.Error("an empty histogram has a median")
	}
	for i := range 1000 {
		h[bucketOf(time.Duration(i)*time.Millisecond)]++
	}
	if got, _ := h.quantile(0.95); got < 920*time.Millisecond || got > 980*time.Millisecond {
		t.Errorf("the 95th percentile of 0 to 999 ms is %v", got)
	}
	if bucketOf(1<<62) != buckets-1 {
		t.Error("a latency beyond all buckets is not in the last one")
	}
}
