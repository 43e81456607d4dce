package dryrun

import (
	"context"
	"runtime"
	"slices"
	"sync"

	"github.com/poolproof/poolproof/schema"
)

// Spread is the median of many runs, and the range from their 5th to their 95th percentile.
type Spread struct{ Low, Median, High float64 }

// Summary is what came of one scenario over several seeds.
type Summary struct {
	// First is the run of the first seed.
	First    *Result
	Seeds    int
	Verdicts []VerdictSummary
	Metrics  []MetricSummary
}

// VerdictSummary is one expectation over all seeds. It holds if it held under each of them.
type VerdictSummary struct {
	ID   string
	Text schema.Text
	Pass Pass
	// Holding is under how many seeds it held.
	Holding int
	// Observed is that of the first seed under which it did not hold, else of the first one.
	Observed schema.Text
	Seed     uint64
	Value    Spread
	Place    schema.Span
}

// MetricSummary is one metric over all seeds. Times are in seconds.
type MetricSummary struct {
	Name string
	Spread
}

// RunSeeds plays a scenario under n seeds, the first being o.Seed, on all cores. The summary is the same however many
// cores there are.
func RunSeeds(s *Scenario, o Options, n int) (*Summary, error) {
	return RunSeedsContext(context.Background(), s, o, n)
}

// RunSeedsContext is RunSeeds, given up when ctx ends.
func RunSeedsContext(ctx context.Context, s *Scenario, o Options, n int) (*Summary, error) {
	n = max(1, n)
	results, errs := make([]*Result, n), make([]error, n)
	var wait sync.WaitGroup
	next := make(chan int)
	for range min(n, runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			for i := range next {
				p := o
				p.Seed += uint64(i)
				results[i], errs[i] = RunContext(ctx, s, p)
				if i > 0 && results[i] != nil {
					results[i].Series, results[i].Timeline, results[i].Members = nil, nil, nil
				}
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return summarise(results), nil
}

func summarise(results []*Result) *Summary {
	sum := &Summary{First: results[0], Seeds: len(results)}
	values := make([]float64, len(results))
	for k := range results[0].Verdicts {
		v := &results[0].Verdicts[k]
		w := VerdictSummary{ID: v.ID, Text: v.Text, Pass: v.Pass, Observed: v.Observed, Seed: results[0].Seed, Place: v.Place}
		for i, r := range results {
			x := &r.Verdicts[k]
			values[i] = x.Value
			switch {
			case x.Pass == Held:
				w.Holding++
			case w.Pass == Held || w.Pass == NotApplicable && x.Pass == Failed:
				w.Pass, w.Observed, w.Seed = x.Pass, x.Observed, r.Seed
			}
		}
		if w.Pass != Held && len(results) > 1 {
			w.Observed = schema.Textf("%s (seed %d; held under %d of %d seeds)", "%s（种子 %d；%[4]d 个种子中有 %[3]d 个成立）", w.Observed, w.Seed, w.Holding, len(results))
		}
		w.Value = spread(values)
		sum.Verdicts = append(sum.Verdicts, w)
	}
	for _, m := range metricValues {
		for i, r := range results {
			values[i] = m.of(&r.Metrics)
		}
		sum.Metrics = append(sum.Metrics, MetricSummary{m.name, spread(values)})
	}
	return sum
}

// spread returns the range of values. It leaves them as they are.
func spread(values []float64) Spread {
	v := slices.Clone(values)
	slices.Sort(v)
	at := func(p float64) float64 {
		x := p * float64(len(v)-1)
		i := min(int(x), max(0, len(v)-2))
		if len(v) == 1 {
			return v[0]
		}
		return v[i] + (v[i+1]-v[i])*(x-float64(i))
	}
	return Spread{Low: at(0.05), Median: at(0.5), High: at(0.95)}
}
