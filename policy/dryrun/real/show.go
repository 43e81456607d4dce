//go:build linux

package real

import (
	"fmt"
	"strings"
	"time"
)

// line sums a proof up.
func (p *Proof) line() string {
	f := p.Found
	errors, foretold := 0, f.Foretold.Metrics.Errors
	for _, a := range p.Seen.Answers {
		if a.Status == 0 || a.Status >= 500 {
			errors++
		}
	}
	text := fmt.Sprintf("%s: %d changes of state, %.2f s apart at most; %d windows, shares %.1f points and %.1f sigma apart at most; errors %d foretold, %d seen of %d; lag %d ms; %.0f s",
		p.Case.Name, f.Changes, f.Latest.Seconds(), f.Windows, f.Widest, f.Sigmas, foretold, errors, len(p.Seen.Answers), p.Seen.Lag.Milliseconds(), p.Took.Seconds())
	if p.Again != "" {
		text += "; " + p.Again
	}
	return text
}

// table shows what was foretold and what was seen, second by second.
func (p *Proof) table() string {
	r := p.Found.Foretold
	var b strings.Builder
	row := func(title string, foretold func(int) int, seen func(*counts) int) {
		fmt.Fprintf(&b, "%-15s", title)
		for k := range r.Series {
			at := time.Duration(k) * r.Slice
			c := p.Seen.in(window{at, at + r.Slice})
			if x, y := foretold(k), seen(&c); x == y {
				fmt.Fprintf(&b, " %d", x)
			} else {
				fmt.Fprintf(&b, " %d/%d", x, y)
			}
		}
		b.WriteString("\n")
	}
	for i, m := range r.Members {
		name := p.Case.place.back(m.ID)
		row(name, func(k int) int { return int(r.Series[k].Answers[i]) }, func(c *counts) int { return c.members[m.ID] })
		fmt.Fprintf(&b, "  foretold      %s; %d probes\n", names(foretold(&m, r.Duration)), m.Probes)
		if p.Case.HAProxy {
			fmt.Fprintf(&b, "  seen          %s; %d probes\n", names(p.Seen.states(m.ID)), p.Seen.Probes[m.ID])
		}
	}
	row("errors", func(k int) int { return int(r.Series[k].Errors) }, func(c *counts) int {
		n := 0
		for status, k := range c.statuses {
			if status == 0 || status >= 500 {
				n += k
			}
		}
		return n
	})
	row("p95 ms", func(k int) int { return int(r.Series[k].P95.Milliseconds()) }, func(c *counts) int {
		if len(c.took) == 0 {
			return 0
		}
		return int(c.quantile(0.95).Milliseconds())
	})
	all := p.Seen.in(window{0, r.Duration})
	fmt.Fprintf(&b, "statuses        %v foretold, %v seen\n", r.Metrics.Statuses, all.statuses)
	return b.String()
}
