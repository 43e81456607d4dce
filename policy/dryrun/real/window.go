//go:build linux

package real

import (
	"slices"
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
)

// window is a time in which nothing is foretold to change, and nothing was seen to.
type window struct{ from, to time.Duration }

const (
	// guard is kept from every change, so that one that comes a little sooner or later matters to no window.
	guard = 350 * time.Millisecond
	// shortest and longest bound windows: what is wrong for a few seconds must not drown in what is right for many.
	shortest = time.Second
	longest  = 4 * time.Second
)

// windows cuts the play at everything that happens or changes.
func windows(s *dryrun.Scenario, predicted []*dryrun.Result, seen *Observed) []window {
	cuts := append(happenings(s), 0, s.Duration)
	for _, c := range seen.Changes {
		cuts = append(cuts, c.At)
	}
	for _, m := range predicted[0].Members {
		for i, x := range m.States {
			cuts = append(cuts, x.From)
			if x.State.String() != "ramping" {
				continue
			}
			// The share grows by the second.
			end := s.Duration
			if i+1 < len(m.States) {
				end = m.States[i+1].From
			}
			for t := x.From; t < end; t += 2 * time.Second {
				cuts = append(cuts, t)
			}
		}
	}
	slices.Sort(cuts)
	var list []window
	for i := 1; i < len(cuts); i++ {
		from, to := max(cuts[i-1], 0)+guard, min(cuts[i], s.Duration)-guard
		n := (to - from + longest - 1) / longest
		for k := range n {
			if w := (window{from + (to-from)*k/n, from + (to-from)*(k+1)/n}); w.to-w.from >= shortest {
				list = append(list, w)
			}
		}
	}
	return list
}

// happenings are the moments at which the scenario does something.
func happenings(s *dryrun.Scenario) []time.Duration {
	var list []time.Duration
	for i := range s.Events {
		e := &s.Events[i]
		for k := 0; k == 0 || e.Every > 0 && (e.Times == 0 || k < e.Times); k++ {
			at := e.At + time.Duration(k)*e.Every
			if at >= s.Duration {
				break
			}
			list = append(list, at)
			if e.For > 0 {
				list = append(list, at+e.For)
			}
		}
	}
	return list
}

// counts are what became of the requests of a window.
type counts struct {
	sent     int
	members  map[string]int
	statuses map[int]int
	took     []time.Duration // in order
}

func (o *Observed) in(w window) counts {
	c := counts{members: map[string]int{}, statuses: map[int]int{}}
	for _, a := range o.Answers {
		if a.Sent < w.from || a.Sent >= w.to {
			continue
		}
		c.sent++
		c.statuses[a.Status]++
		if a.Member != "" {
			c.members[a.Member]++
		}
		c.took = append(c.took, a.Took)
	}
	slices.Sort(c.took)
	return c
}

// quantile of the latencies of a window.
func (c *counts) quantile(p float64) time.Duration {
	return c.took[min(int(p*float64(len(c.took))), len(c.took)-1)]
}
