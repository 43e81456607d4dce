package dryrun

import "testing"

// flat is a summary without any spread, as that of a single seed is.
func flat(values map[string]float64) *Summary {
	s := &Summary{Seeds: 1, First: &Result{Metrics: Metrics{Requests: 10_000}}}
	for _, m := range metricValues {
		v := values[m.name]
		s.Metrics = append(s.Metrics, MetricSummary{m.name, Spread{v, v, v}})
	}
	return s
}

// TestTrifles: what nobody would act on is the same, however sure it is.
func TestTrifles(t *testing.T) {
	for _, c := range []struct {
		metric     string
		base, head float64
		want       Better
	}{
		{"availability", 0.7877, 0.7875, Same},
		{"availability", 0.7874, 0.7875, Same},
		{"availability", 0.9614, 0.7971, BetterBase},
		{"availability", 0.9980, 0.9995, BetterHead},
		{"errors", 2123, 2126, Same}, // of 10,000: less than 2 %
		{"errors", 2, 5, Same},       // of 10,000: less than 0.1 points
		{"errors", 2, 40, BetterBase},
		{"refused", 300, 0, BetterHead},
		{"latency-p50", 0.0100, 0.0106, Same}, // 6 %, and 0.6 ms
		{"latency-p99", 2.000, 2.030, Same},   // 30 ms, and 1.5 %
		{"latency-p99", 0.050, 0.060, BetterBase},
		{"time-to-remove", 9.13, 9.12, Same},
		{"time-to-remove", 23.4, 21.1, BetterHead},
		{"time-to-return", 6.38, 6.58, Same}, // 3 %
		{"time-to-detect", 0.3, 0.5, Same},   // 200 ms
		{"all-out", 0, 0.05, Same},
		{"all-out", 0, 24, BetterBase},
		{"flaps", 0, 1, BetterBase},
		{"largest-share", 0.2523, 0.2525, Same},
		{"retry-amplification", 1.010, 1.012, Same},
		{"retry-amplification", 1.4, 1.0, BetterHead},
		{"probe-amplification", 0.012, 0.003, Same},
	} {
		list := Compare(flat(map[string]float64{c.metric: c.base}), flat(map[string]float64{c.metric: c.head}))
		for _, x := range list {
			if x.Metric == c.metric && x.Better != c.want {
				t.Errorf("%s from %v to %v: %s, want %s", c.metric, c.base, c.head, x.Better, c.want)
			}
		}
	}
}

// TestNothingIsGainedByFailing: where more requests fail or are refused, fewer attempts and quicker answers of the rest
// are no gain; what gets worse is still said.
func TestNothingIsGainedByFailing(t *testing.T) {
	few := map[string]float64{"retry-amplification": 1.5, "latency-p50": 0.2, "latency-p99": 1, "time-to-remove": 9, "errors": 100, "availability": 0.99}
	many := map[string]float64{"retry-amplification": 0.9, "latency-p50": 0.1, "latency-p99": 2, "time-to-remove": 5, "errors": 3000, "availability": 0.7}
	want := map[string]Better{"availability": BetterBase, "errors": BetterBase, "retry-amplification": Same, "latency-p50": Same, "latency-p99": BetterBase, "time-to-remove": BetterHead}
	for _, x := range Compare(flat(few), flat(many)) {
		if w, ok := want[x.Metric]; ok && x.Better != w {
			t.Errorf("%s: %s, want %s", x.Metric, x.Better, w)
		}
	}
	many["errors"], many["availability"] = few["errors"], few["availability"]
	for _, x := range Compare(flat(few), flat(many)) {
		if x.Metric == "retry-amplification" && x.Better != BetterHead {
			t.Errorf("as many fail: %s", x.Better)
		}
	}
	many["refused"] = 900
	for _, x := range Compare(flat(few), flat(many)) {
		if x.Metric == "retry-amplification" && x.Better != Same {
			t.Errorf("more are refused: %s", x.Better)
		}
	}
}
