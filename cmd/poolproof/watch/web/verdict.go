package web

import (
	"strconv"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/cmd/poolproof/watch/status"
	"github.com/poolproof/poolproof/schema"
)

// verdict says in one line how things are, the worst first: a watch that sees nothing, then drift, then what is unknown.
func (p *pages) verdict(v *pageView, s *status.Snapshot, now time.Time) {
	v.State, v.Title = "blind", "?"
	if s != nil {
		v.Detail = report.ShownText(scanError(s).In(p.lang))
	}
	switch {
	case s == nil || s.Scan.Completed.IsZero():
		v.Verdict = p.say("starting")
		return
	case blind(s, now) != "":
		v.Verdict = p.say("blind", round(now.Sub(s.Scan.Completed)))
		return
	}
	counts, drifting := map[schema.Severity]int{}, map[string]bool{}
	for i := range s.Drifts {
		d := &s.Drifts[i]
		if d.Unknown() {
			continue
		}
		counts[severityOf(d.Severity)]++
		drifting[d.Pool+"\n"+d.Env] = true
	}
	differences := 0
	for _, n := range counts {
		differences += n
	}
	unknown := 0
	for _, g := range s.Gateways {
		if !g.UnknownSince.IsZero() {
			unknown++
		}
	}
	v.State, v.Title = "warn", strconv.Itoa(differences)
	switch {
	case differences > 0:
		if counts[schema.Error] > 0 {
			v.State = "bad"
		}
		v.Verdict = p.say("drift", p.count("differences", differences), p.count("pools", len(drifting)))
		if unknown > 0 {
			v.Verdict += p.say("andunknown", p.count("gateways", unknown))
		}
	case unknown > 0:
		v.Verdict, v.Title = p.say("unknown", p.count("gateways", unknown)), "?"
	case len(s.Drifts) > 0: // a pool of a gateway that nobody has
		v.Verdict, v.Title = p.say("undecided"), "?"
	case s.Counts.Pools == 0:
		v.Verdict, v.Title = p.say("empty"), "?"
	default:
		v.State, v.Verdict, v.Title = "ok", p.say("fine", p.count("pools", s.Counts.Pools)), ""
	}
}
