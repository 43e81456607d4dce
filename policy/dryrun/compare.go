package dryrun

import (
	"math"
	"time"
)

// seconds turns a time into the unit of summaries.
func seconds(d time.Duration) float64 { return d.Seconds() }

// metricValues names the metrics, as reports do, in their order. Times that never came are below 0. Nothing writes to it.
var metricValues = []struct {
	name string
	of   func(*Metrics) float64
	more bool // more of it is better
}{
	{"availability", func(m *Metrics) float64 { return m.Availability }, true},
	{"latency-p50", func(m *Metrics) float64 { return seconds(m.P50) }, false},
	{"latency-p95", func(m *Metrics) float64 { return seconds(m.P95) }, false},
	{"latency-p99", func(m *Metrics) float64 { return seconds(m.P99) }, false},
	{"errors", func(m *Metrics) float64 { return float64(m.Errors) }, false},
	{"refused", func(m *Metrics) float64 { return float64(m.Refused) }, false},
	{"time-to-detect", func(m *Metrics) float64 { return seconds(m.Detect) }, false},
	{"time-to-remove", func(m *Metrics) float64 { return seconds(m.Remove) }, false},
	{"time-to-return", func(m *Metrics) float64 { return seconds(m.Return) }, false},
	{"flaps", func(m *Metrics) float64 { return float64(m.Flaps) }, false},
	{"largest-share", func(m *Metrics) float64 { return m.LargestShare }, false},
	{"all-out", func(m *Metrics) float64 { return seconds(m.AllOut) }, false},
	{"refused-after-well", func(m *Metrics) float64 { return seconds(m.RefusedAfterWell) }, false},
	{"retry-amplification", func(m *Metrics) float64 { return m.RetryAmplification }, false},
	{"probe-amplification", func(m *Metrics) float64 { return m.ProbeAmplification }, false},
}

// Better says which of two runs is better by one metric.
type Better string

// The outcomes of a comparison.
const (
	BetterBase Better = "base"
	BetterHead Better = "head"
	Same       Better = "same"
)

// Comparison is one metric before and after a change.
type Comparison struct {
	Metric     string
	Base, Head Spread
	Better     Better
}

// Compare holds the same scenario under base and head against each other, metric by metric. Medians that differ by less
// than the spread of either are the same: chance explains them. So are those that differ by less than anybody would act on
// (0.1 percentage points of ratios and of requests; 2 % and 1 ms of latencies; 5 % and 250 ms of other times), and what
// only seems better since more requests fail or are refused: answers that are not given, and attempts that are not made,
// are no gain.
func Compare(base, head *Summary) []Comparison {
	out := make([]Comparison, 0, len(metricValues))
	requests := float64(min(base.First.Metrics.Requests, head.First.Metrics.Requests))
	for i, m := range metricValues {
		c := Comparison{Metric: m.name, Base: base.Metrics[i].Spread, Head: head.Metrics[i].Spread, Better: Same}
		if difference := c.Head.Median - c.Base.Median; math.Abs(difference) > max(c.Base.High-c.Base.Low, c.Head.High-c.Head.Low) && matters(m.name, c.Base.Median, c.Head.Median, requests) {
			c.Better = BetterBase
			// A time that never came is neither short nor long: it has no better.
			switch open := c.Base.Median < 0 || c.Head.Median < 0; {
			case open:
				c.Better = Same
			case difference > 0 == m.more:
				c.Better = BetterHead
			}
		}
		out = append(out, c)
	}
	hollow(out)
	return out
}
