//go:build linux

package real

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/policy/failover"
)

// judge judges the expectations of a case by what was seen, and returns those that did not hold. What cannot be seen
// from outside is left out.
func (o *Observed) judge(c *Case) []string {
	var list []string
	for i := range c.Scenario.Expect {
		e := &c.Scenario.Expect[i]
		held, known, saw := o.hold(e, c.Scenario.Duration)
		if known && !held {
			list = append(list, fmt.Sprintf("%s: the program showed %s", e.ID, saw))
		}
	}
	return list
}

// phase is how far a change of state may lie from where an expectation says, beside what that allows: the programs
// start a moment before the first request.
const phase = 350 * time.Millisecond

func (o *Observed) hold(e *dryrun.Expect, end time.Duration) (held, known bool, saw string) {
	if len(e.States) > 0 {
		return o.holdState(e, end)
	}
	w := window{max(e.From, 0), e.To}
	switch {
	case e.At >= 0:
		w = window{e.At, e.At + max(e.Within, 0)}
	case e.By >= 0:
		w.to = e.By
	case e.To < 0:
		w.to = end
	}
	got := o.on(e.Interface).in(w)
	if got.sent == 0 {
		return false, true, "no request"
	}
	n := float64(got.sent)
	value := 0.0
	switch {
	case e.HasShare && e.Of == dryrun.OfAnswers:
		share := 100 * float64(got.members[e.Member]) / n
		return math.Abs(share-e.Share) <= e.Tolerance+1e-9, true, fmt.Sprintf("%.2f %%", share)
	case e.Member != "" || e.HasShare:
		return false, false, ""
	case e.Metric == dryrun.ErrorRate:
		for status, k := range got.statuses {
			if status == 0 || status >= 500 {
				value += float64(k) / n
			}
		}
	case e.Metric == dryrun.Status:
		value = float64(got.statuses[e.Status]) / n
	case e.Metric == dryrun.Requests:
		value = n
	case e.Metric == dryrun.LatencyP50:
		value = float64(got.quantile(0.5))
	case e.Metric == dryrun.LatencyP95:
		value = float64(got.quantile(0.95))
	case e.Metric == dryrun.LatencyP99:
		value = float64(got.quantile(0.99))
	default:
		return false, false, ""
	}
	return (!e.Above.Set || value > e.Above.Value-e.Tolerance) && (!e.Below.Set || value < e.Below.Value+e.Tolerance), true, fmt.Sprintf("%.4f", value)
}

// on returns what was seen of one interface, of all if it is empty.
func (o *Observed) on(path string) *Observed {
	if path == "" {
		return o
	}
	return &Observed{Answers: slices.DeleteFunc(slices.Clone(o.Answers), func(a Answer) bool { return a.Path != path })}
}

func (o *Observed) holdState(e *dryrun.Expect, end time.Duration) (held, known bool, saw string) {
	steps := o.states(e.Member)
	if len(steps) == 0 {
		return false, false, ""
	}
	from, to := max(e.From, 0)+phase, end
	sometime := false
	switch {
	case e.At >= 0:
		sometime, from, to = true, e.At-phase, e.At+max(e.Within, 0)+phase
	case e.By >= 0:
		sometime, from, to = true, max(e.From, 0), e.By+phase
	case e.To >= 0:
		to = e.To - phase
	}
	held = !sometime
	for i, s := range steps {
		until := end
		if i+1 < len(steps) {
			until = steps[i+1].at
		}
		if until <= from || s.at > to {
			continue
		}
		ok := slices.Contains(e.States, s.state) || s.state.Gone() && slices.Contains(e.States, failover.Out)
		if sometime {
			held = held || ok
		} else {
			held = held && ok
		}
	}
	return held, true, names(steps)
}
