//go:build linux

package real

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
)

// measured is a quantity of a window: the requests that a member answered, or that got a status.
type measured struct {
	window window
	what   string
	seen   int
	expect dryrun.Expect
}

// A request that was sent that long before a window may be retried in it, if answers take that long.
const (
	before = 2500 * time.Millisecond
	slow   = 150 * time.Millisecond
)

// shares compares, window by window, which members answered, with what statuses, and how fast.
func (c *Comparison) shares(k *Case, predicted []*dryrun.Result, seen *Observed) error {
	var list []measured
	whole := window{0, k.Scenario.Duration}
	ws := windows(k.Scenario, predicted, seen)
	c.Windows = len(ws)
	for _, w := range append(ws, whole) {
		got := seen.in(w)
		if got.sent == 0 {
			continue
		}
		for _, m := range predicted[0].Members {
			list = append(list, measured{w, k.place.back(m.ID), got.members[m.ID],
				dryrun.Expect{At: -1, By: -1, From: w.from, To: w.to, Member: m.ID, HasShare: true}})
		}
		for _, status := range statuses(predicted, seen) {
			list = append(list, measured{w, "status " + strconv.Itoa(status), got.statuses[status],
				dryrun.Expect{At: -1, By: -1, From: w.from, To: w.to, Metric: dryrun.Status, Status: status}})
		}
	}
	waits := len(list)
	for _, w := range ws {
		for _, metric := range []dryrun.Metric{dryrun.LatencyP50, dryrun.LatencyP95} {
			list = append(list, measured{window: w, what: string(metric), expect: dryrun.Expect{At: -1, By: -1, From: w.from, To: w.to, Metric: metric}})
		}
	}
	late := len(list)
	for _, w := range ws {
		for _, metric := range []dryrun.Metric{dryrun.Attempts, dryrun.Requests, dryrun.LatencyP99} {
			list = append(list, measured{window: w, expect: dryrun.Expect{At: -1, By: -1, From: max(0, w.from-before), To: w.to, Metric: metric}})
		}
	}
	expect := make([]dryrun.Expect, len(list))
	for i := range list {
		expect[i] = list[i].expect
	}
	runs, err := k.predict(seen, expect)
	if err != nil {
		return err
	}
	mixed := map[window]bool{}
	for i := late; i < len(list); i += 3 {
		v := runs[0].Verdicts[i : i+3]
		mixed[list[i].window] = v[0].Value > 1.01*v[1].Value && v[2].Value > slow.Seconds()
	}
	for i := range list[:late] {
		m := &list[i]
		values := make([]float64, len(runs))
		for n, r := range runs {
			values[n] = r.Verdicts[i].Value
		}
		got := seen.in(m.window)
		switch {
		case i >= waits:
			c.latency(m, &got, values)
		case m.window == whole:
			c.count(m, got.sent, values, float64(seen.steps(k.Scenario))*k.Scenario.Traffic.RPS*guard.Seconds())
		case mixed[m.window]:
			// Requests that were retried after a wait come in among new ones: which of two members either goes to is
			// a matter of microseconds.
			c.count(m, got.sent, values, float64(got.sent)/float64(2*len(k.Copy.Members)))
		default:
			c.count(m, got.sent, values, 0)
		}
	}
	return nil
}

// steps is how many changes there were at whose edges requests may fall to this side or that.
func (o *Observed) steps(s *dryrun.Scenario) int { return len(o.Changes) + len(happenings(s)) }

func statuses(predicted []*dryrun.Result, seen *Observed) []int {
	var list []int
	for _, s := range predicted[0].Metrics.Statuses {
		list = append(list, int(s.Status))
	}
	for _, a := range seen.Answers {
		if !slices.Contains(list, a.Status) {
			list = append(list, a.Status)
		}
	}
	return list
}

// count compares a number of requests. Where the dry-runs agree it must be the same but for one or two, and two of a
// hundred, which is less than one in each cycle of the balancer; else within so many standard deviations.
func (c *Comparison) count(m *measured, sent int, values []float64, edges float64) {
	scale := float64(sent)
	if m.expect.HasShare {
		scale /= 100
	}
	for i := range values {
		values[i] *= scale
	}
	low, high := slices.Min(values), slices.Max(values)
	got, tolerance := float64(m.seen), 2+0.02*float64(sent)+edges
	apart := max(low-got, got-high, 0)
	if high-low <= 2+0.01*float64(sent)+edges {
		if edges == 0 {
			c.Widest = max(c.Widest, 100*max(0, apart-2)/float64(sent))
		}
		if apart > tolerance {
			c.differ("%s of %d requests from %s: foretold %s, seen %d", m.what, sent, m.window, between(low, high), m.seen)
		}
		return
	}
	mean, deviation := moments(values)
	p := mean / float64(sent)
	deviation = max(deviation, math.Sqrt(float64(sent)*max(0, p*(1-p)))) * math.Sqrt(1+1/float64(len(values)))
	z := max(0, math.Abs(got-mean)-2-edges) / deviation
	c.Sigmas = max(c.Sigmas, z)
	if z > mostSigmas {
		c.differ("%s of %d requests from %s: foretold %.1f, give or take %.1f, seen %d", m.what, sent, m.window, mean, deviation, m.seen)
	}
}

func between(low, high float64) string {
	if high-low < 0.5 {
		return fmt.Sprintf("%.0f", low)
	}
	return fmt.Sprintf("%.0f to %.0f", low, high)
}

func (w window) String() string {
	return fmt.Sprintf("%.2f to %.2f s", w.from.Seconds(), w.to.Seconds())
}

// latency compares a quantile: it must lie between lower and higher ones of what was seen, or be near them. That
// tells waits for time-outs, retries and queues, and not how fast the machine is.
func (c *Comparison) latency(m *measured, seen *counts, values []float64) {
	if seen.sent < 40 {
		return
	}
	low, high := seen.quantile(0.3), seen.quantile(0.7)
	if m.expect.Metric == dryrun.LatencyP95 {
		low, high = seen.quantile(0.89), seen.quantile(0.995)
	}
	least, most := time.Duration(slices.Min(values)*1e9), time.Duration(slices.Max(values)*1e9)
	slack := 150*time.Millisecond + most/20
	if most < low-slack || least > high+slack {
		c.differ("%s from %s: foretold %.0f ms, seen %.0f to %.0f ms", m.what, m.window, least.Seconds()*1e3, low.Seconds()*1e3, high.Seconds()*1e3)
	}
}
