package real

import (
	"fmt"
	"slices"
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/policy/failover"
)

// Judge judges an expectation by what was observed: states, shares of the answers, and error rates; known is false for
// anything else. slack is how late a change of state may be seen and how early, by the phase of checks and a busy machine.
func (o *Observed) Judge(e *dryrun.Expect, slack time.Duration) (held, known bool, seen string) {
	from, to := e.From, e.To
	switch {
	case e.At >= 0:
		from, to = e.At-slack, e.At+max(e.Within, 0)+slack
	case e.By >= 0:
		from, to = max(from, 0), e.By+slack
	}
	if len(e.States) > 0 {
		return o.judgeState(e, from, to, slack)
	}
	sent, part, failed := 0, 0, 0
	for _, a := range o.Answers {
		if a.Sent < from || to >= 0 && a.Sent >= to || e.Interface != "" && a.Path != e.Interface {
			continue
		}
		sent++
		if a.Member == e.Member {
			part++
		}
		if a.Status == 0 || a.Status >= 500 {
			failed++
		}
	}
	if sent == 0 {
		return false, true, "no request"
	}
	switch {
	case e.HasShare && e.Of == dryrun.OfAnswers:
		share := 100 * float64(part) / float64(sent)
		return share >= e.Share-e.Tolerance-1e-9 && share <= e.Share+e.Tolerance+1e-9, true, fmt.Sprintf("%.2f %%", share)
	case e.Metric == dryrun.ErrorRate && e.Member == "":
		rate := float64(failed) / float64(sent)
		return (!e.Above.Set || rate > e.Above.Value) && (!e.Below.Set || rate < e.Below.Value), true, fmt.Sprintf("%.4f", rate)
	}
	return false, false, ""
}

func (o *Observed) judgeState(e *dryrun.Expect, from, to, slack time.Duration) (held, known bool, seen string) {
	sometime := e.At >= 0 || e.By >= 0
	if !sometime {
		from, to = from+slack, to-slack
	}
	held = !sometime
	last := ""
	step := func(state string) {
		s, _ := failover.ParseState(state)
		ok := slices.Contains(e.States, s) || s.Gone() && slices.Contains(e.States, failover.Out)
		if sometime {
			held = held || ok
		} else {
			held = held && ok
		}
		seen += state + " "
	}
	started := false
	for _, c := range o.Changes {
		if c.Member != e.Member {
			continue
		}
		if last == "" {
			c.At = 0
		}
		if c.At > from && !started && last != "" {
			started = true
			step(last)
		}
		if c.At > from && c.At <= to {
			step(c.State)
		}
		last = c.State
	}
	if !started && last != "" {
		step(last)
	}
	return held, last != "", seen
}
