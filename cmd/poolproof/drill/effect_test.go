package drill

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/policy/dryrun"
)

func compared(metric string, base, head float64, b dryrun.Better) dryrun.Comparison {
	return dryrun.Comparison{Metric: metric, Base: dryrun.Spread{Low: base, Median: base, High: base}, Head: dryrun.Spread{Low: head, Median: head, High: head}, Better: b}
}

// TestByEffect: what clients miss comes first, and of that the most.
func TestByEffect(t *testing.T) {
	list := []dryrun.Comparison{
		compared("latency-p50", 0.1, 0.2, dryrun.Same),
		compared("latency-p99", 1, 0.1, dryrun.BetterHead),
		compared("largest-share", 0.25, 1, dryrun.BetterBase),
		compared("latency-p95", 1, 3, dryrun.BetterBase),
		compared("availability", 0.8, 0.79, dryrun.BetterBase),
		compared("errors", 100, 900, dryrun.BetterBase),
		compared("availability", 0.9614, 0.7971, dryrun.BetterBase),
		compared("latency-p99", 1, 2, dryrun.BetterBase),
		compared("availability", 0.97, 0.98, dryrun.BetterHead),
	}
	slices.SortStableFunc(list, func(a, b dryrun.Comparison) int { return ByEffect(&a, &b) })
	var got []string
	for _, c := range list {
		got = append(got, fmt.Sprintf("%s %s %v", c.Better, c.Metric, c.Head.Median))
	}
	want := []string{"base availability 0.7971", "base availability 0.79", "base errors 900", "base latency-p95 3", "base latency-p99 2", "base largest-share 1",
		"head availability 0.98", "head latency-p99 0.1", "same latency-p50 0.2"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestManyTurned: the table of what turned stays short, and says how much more there is.
func TestManyTurned(t *testing.T) {
	r := fixture("en")
	for i := range 20 {
		r.Comparisons = append(r.Comparisons, Comparison{Pool: "orders", Env: "prod", Scenario: fmt.Sprintf("day-%d", i), Comparison: compared("time-to-return", 1, float64(3+i), dryrun.BetterBase)})
	}
	text := console(t, r, Terminal{})
	if n := strings.Count(text, "  back after"); n != mostTurned || !strings.Contains(text, "5 further metrics got better or worse") || !strings.Contains(text, "day-19") || strings.Contains(text, "day-0 ") {
		t.Errorf("%d\n%s", n, text)
	}
	if text := console(t, r, Terminal{Verbose: true}); strings.Count(text, "  back after") < 20 {
		t.Error("-v lists not all")
	}
}

// TestUnchanged: a pool that the change leaves alone is one line; one that fares otherwise, or is new, is not.
func TestUnchanged(t *testing.T) {
	still := func() *Report {
		r := fixture("en")
		r.Changes = nil
		r.Runs[0].Expectations[1].Pass = dryrun.Held
		for i := range r.Comparisons {
			r.Comparisons[i].Better = dryrun.Same
		}
		return r
	}
	const line = "pool orders (prod), engine pool: base and head have the same settings; 2 ok, 0 failed, 1 not applicable (-v shows them)\n"
	if text := console(t, still(), Terminal{}); !strings.Contains(text, line+"pool ") || strings.Contains(text, "observed: decision.granularity") {
		t.Errorf("%s", text)
	}
	for name, alter := range map[string]func(r *Report) bool{
		"verbose": func(*Report) bool { return true },
		"changed": func(r *Report) bool {
			r.Changes = []Change{{Pool: "orders", Env: "prod", Path: "probe.interval", Head: "2s"}}
			return false
		},
		"a turn":     func(r *Report) bool { r.Runs[0].Expectations[1].Pass = dryrun.Failed; return false },
		"a metric":   func(r *Report) bool { r.Comparisons[0].Better = dryrun.BetterBase; return false },
		"no base":    func(r *Report) bool { r.Base = ""; return false },
		"not played": func(r *Report) bool { r.Runs = r.Runs[1:]; return false },
	} {
		r := still()
		verbose := alter(r)
		if text := console(t, r, Terminal{Verbose: verbose}); strings.Contains(text, line) || !strings.Contains(text, "granularity/return-alike") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}
