package dryrun

import "math"

// Differences below these are trifles, however sure they are: with few seeds, or none, the spread of a metric is close to
// nothing, and the draw of a few requests passes for a change. Nobody acts on them.
const (
	// leastPoints is for ratios, and for requests as a part of all of them: 0.1 percentage points. It is the whole error
	// budget of a service that promises three nines.
	leastPoints = 0.001
	// leastRelative is for everything that has a size of its own: 2 %. Histograms of latencies are no finer than that.
	leastRelative = 0.02
	// leastLatency, in seconds, is what clients can tell from the noise of a network.
	leastLatency = 0.001
	// leastTime, in seconds, and leastTimeRelative are for times of members and of the pool: they hang on where in its round
	// a check stands when the fault comes, which another member alone shifts by so much.
	leastTime         = 0.25
	leastTimeRelative = 0.05
	// leastFactor is for attempts and probes per request.
	leastFactor = 0.01
)

// matters reports whether a metric that goes from one value to another does so by an amount that somebody would act on.
// requests is how many requests the smaller of the runs had.
func matters(metric string, from, to, requests float64) bool {
	by := math.Abs(to - from)
	relative := by >= leastRelative*max(math.Abs(from), math.Abs(to))
	switch metric {
	case "availability", "largest-share":
		return by >= leastPoints
	case "errors", "refused":
		return relative && by >= leastPoints*requests
	case "latency-p50", "latency-p95", "latency-p99":
		return relative && by >= leastLatency
	case "flaps":
		return by >= 1
	case "retry-amplification", "probe-amplification":
		return relative && by >= leastFactor
	}
	return by >= max(leastTime, leastTimeRelative*max(math.Abs(from), math.Abs(to)))
}

// spares reports whether a metric also falls where requests are turned away or members are gone: what is not answered, not
// sent, or not put back, is quick, cheap and calm.
func spares(metric string) bool {
	switch metric {
	case "latency-p50", "latency-p95", "latency-p99", "time-to-detect", "flaps", "retry-amplification", "probe-amplification":
		return true
	}
	return false
}

// hollow takes back what a side seems to gain where more of its requests fail or are refused.
func hollow(list []Comparison) {
	worse := map[Better]bool{}
	for _, c := range list {
		switch c.Metric {
		case "availability", "errors", "refused":
			worse[other(c.Better)] = true
		}
	}
	for i := range list {
		if c := &list[i]; c.Better != Same && spares(c.Metric) && worse[c.Better] {
			c.Better = Same
		}
	}
}

// other returns the side that is worse by a metric.
func other(b Better) Better {
	switch b {
	case BetterBase:
		return BetterHead
	case BetterHead:
		return BetterBase
	}
	return Same
}
