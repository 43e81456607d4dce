//go:build linux

package real

import (
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
)

// bin is how finely times without an answer are measured.
const bin = 250 * time.Millisecond

// silences compares the times in which members answer nothing. NGINX shows no states: this shows its blocks.
func (c *Comparison) silences(k *Case, seen *Observed) error {
	n := int(k.Scenario.Duration / bin)
	var expect []dryrun.Expect
	for i := range k.Copy.Members {
		for b := range n {
			expect = append(expect, dryrun.Expect{At: -1, By: -1, From: time.Duration(b) * bin, To: time.Duration(b+1) * bin, Member: k.Copy.Members[i].ID(), HasShare: true})
		}
	}
	runs, err := k.predict(seen, expect)
	if err != nil {
		return err
	}
	for i := range k.Copy.Members {
		id := k.Copy.Members[i].ID()
		foretold, got := make([]float64, n), make([]float64, n)
		each := make([][]float64, len(runs))
		for run, r := range runs {
			each[run] = make([]float64, n)
			for b := range n {
				each[run][b] = r.Verdicts[i*n+b].Value / 100 * k.Scenario.Traffic.RPS * bin.Seconds()
				foretold[b] += each[run][b] / float64(len(runs))
			}
		}
		for _, a := range seen.Answers {
			if b := int(a.Sent / bin); b < n && a.Member == id {
				got[b]++
			}
		}
		name := k.place.back(id)
		for _, w := range quiet(foretold) {
			if few := sum(got, w); few > 2+0.02*k.Scenario.Traffic.RPS*(w.to-w.from).Seconds() {
				c.differ("%s: silence foretold from %s, %.0f answers seen", name, w, few)
			}
		}
		for _, w := range quiet(got) {
			few := sum(foretold, w)
			for _, one := range each {
				few = min(few, sum(one, w))
			}
			if few > 3 {
				c.differ("%s: silence seen from %s, %.0f answers foretold", name, w, few)
			}
		}
	}
	return nil
}

// quiet returns the times without an answer, without their edges.
func quiet(list []float64) []window {
	var out []window
	const edge = int(late / bin)
	start := 0
	for b := 0; b <= len(list); b++ {
		if b < len(list) && list[b] == 0 {
			continue
		}
		from, to := start+edge, b-edge
		if start == 0 {
			from = 0
		}
		if b == len(list) {
			to = b
		}
		if to-from >= 1 {
			out = append(out, window{time.Duration(from) * bin, time.Duration(to) * bin})
		}
		start = b + 1
	}
	return out
}

func sum(list []float64, w window) float64 {
	n := 0.0
	for b := int(w.from / bin); b < int(w.to/bin); b++ {
		n += list[b]
	}
	return n
}
