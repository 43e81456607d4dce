//go:build linux

package real

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/policy/failover"
)

// Comparison is a prediction held against what was seen.
type Comparison struct {
	// Differences are what is beyond the tolerances, one a line.
	Differences []string
	// Changes is how many changes of state were foretold and seen, Latest how far apart in time they were at most.
	Changes int
	Latest  time.Duration
	// Windows is how many times were compared, Widest how many points of percent the shares in them were apart at most
	// where nothing is left to chance, and Sigmas by how many standard deviations where something is.
	Windows int
	Widest  float64
	Sigmas  float64
	// Foretold is the first of the dry-runs.
	Foretold *dryrun.Result
}

func (c *Comparison) differ(format string, args ...any) {
	c.Differences = append(c.Differences, fmt.Sprintf(format, args...))
}

// late is by how much a change of state may be seen sooner or later than foretold. It is less than an interval of the
// checks and a second, which bound what the phase of checks and of whole seconds can make of it.
const late = 500 * time.Millisecond

// compare holds what was seen of a case against what the dry-run foretells.
func compare(c *Case, seen *Observed) (*Comparison, error) {
	first, err := c.predict(seen, nil)
	if err != nil {
		return nil, err
	}
	out := &Comparison{Foretold: first[0]}
	if c.HAProxy {
		out.transitions(c, first, seen)
	}
	if err := out.shares(c, first, seen); err != nil {
		return nil, err
	}
	return out, out.silences(c, seen)
}

// step is a change of state.
type step struct {
	state failover.State
	at    time.Duration
}

func names(steps []step) string {
	var b []string
	for _, s := range steps {
		b = append(b, fmt.Sprintf("%s@%.2f", s.state, s.at.Seconds()))
	}
	return strings.Join(b, " ")
}

func sameStates(a, b []step) bool {
	return slices.EqualFunc(a, b, func(x, y step) bool { return x.state == y.state })
}

// foretold are the states of a member, but for those that are over before anybody can look at them.
func foretold(m *dryrun.MemberResult, end time.Duration) []step {
	var list []step
	for i, x := range m.States {
		until := end
		if i+1 < len(m.States) {
			until = m.States[i+1].From
		}
		n := len(list)
		switch {
		case x.From >= end || until-x.From < 2*look && i+1 < len(m.States):
		case n > 0 && list[n-1].state == x.State:
		default:
			list = append(list, step{x.State, x.From})
		}
	}
	if len(list) > 0 {
		list[0].at = 0
	}
	return list
}

func (o *Observed) states(id string) []step {
	var list []step
	for _, c := range o.Changes {
		if c.Member == id {
			list = append(list, step{c.State, c.At})
		}
	}
	if len(list) > 0 {
		list[0].at = 0
	}
	return list
}

// transitions compares the states of each member, one after the other.
func (c *Comparison) transitions(k *Case, predicted []*dryrun.Result, seen *Observed) {
	for i := range predicted[0].Members {
		id := predicted[0].Members[i].ID
		got := settled(seen.states(id), k.Scenario.Duration)
		all := make([][]step, len(predicted))
		same := true
		for n, r := range predicted {
			all[n] = settled(foretold(&r.Members[i], k.Scenario.Duration), k.Scenario.Duration)
			same = same && sameStates(all[n], all[0])
		}
		name := k.place.back(id)
		if !same {
			c.byChance(name, all, got)
			continue
		}
		if !sameStates(all[0], got) {
			c.differ("%s: foretold %s, seen %s", name, names(all[0]), names(got))
			continue
		}
		for n := 1; n < len(got); n++ {
			from, to := all[0][n].at, all[0][n].at
			for _, x := range all {
				from, to = min(from, x[n].at), max(to, x[n].at)
			}
			c.Changes++
			c.Latest = max(c.Latest, from-got[n].at, got[n].at-to)
			if got[n].at < from-late || got[n].at > to+late {
				c.differ("%s: %s foretold for %.2f s, seen at %.2f s", name, got[n].state, from.Seconds(), got[n].at.Seconds())
			}
		}
	}
}

// settled leaves out what comes so late that it may also come after the end.
func settled(list []step, end time.Duration) []step {
	for len(list) > 1 && list[len(list)-1].at > end-late {
		list = list[:len(list)-1]
	}
	return list
}

// byChance compares how often a member changes its state, where that is left to chance.
func (c *Comparison) byChance(name string, all [][]step, got []step) {
	var n []float64
	for _, x := range all {
		n = append(n, float64(len(x)-1))
	}
	mean, deviation := moments(n)
	z := math.Abs(float64(len(got)-1)-mean) / max(deviation, 0.5)
	c.Sigmas = max(c.Sigmas, z)
	if z > mostSigmas {
		c.differ("%s: %.1f changes of state foretold, give or take %.1f, %d seen: %s", name, mean, deviation, len(got)-1, names(got))
	}
}

// mostSigmas is how many standard deviations may lie between what is foretold and what is seen.
const mostSigmas = 4.5

func moments(list []float64) (mean, deviation float64) {
	for _, x := range list {
		mean += x
	}
	mean /= float64(len(list))
	for _, x := range list {
		deviation += (x - mean) * (x - mean)
	}
	return mean, math.Sqrt(deviation / float64(len(list)-1))
}
