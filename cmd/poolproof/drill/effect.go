package drill

import (
	"cmp"
	"math"

	"github.com/poolproof/poolproof/policy/dryrun"
)

// ByEffect orders comparisons for people: what got worse before what got better, answers that clients miss before
// everything else, and of one kind the largest difference first.
func ByEffect(a, b *dryrun.Comparison) int {
	return cmp.Or(cmp.Compare(outcome(a.Better), outcome(b.Better)), cmp.Compare(gravity(a.Metric), gravity(b.Metric)), cmp.Compare(size(b), size(a)))
}

// outcome orders what a comparison comes to.
func outcome(b dryrun.Better) int {
	switch b {
	case dryrun.BetterBase:
		return 0
	case dryrun.BetterHead:
		return 1
	}
	return 2
}

// gravity orders metrics by what they mean for clients.
func gravity(metric string) int {
	switch metric {
	case "availability":
		return 0
	case "errors", "refused":
		return 1
	case "all-out", "refused-after-well":
		return 2
	case "latency-p50", "latency-p95", "latency-p99":
		return 3
	case "time-to-detect", "time-to-remove", "time-to-return":
		return 4
	}
	return 5
}

// size is how far the medians are apart: in points for availability, where half a percent is half a percent, else as a
// part of the larger one.
func size(c *dryrun.Comparison) float64 {
	by := math.Abs(c.Head.Median - c.Base.Median)
	if c.Metric == "availability" || by == 0 {
		return by
	}
	return by / max(math.Abs(c.Base.Median), math.Abs(c.Head.Median))
}
