package drill

import (
	"fmt"
	"strings"

	"github.com/poolproof/poolproof/policy/dryrun"
)

// run prepares one run of the head, or of a base that has no head.
func (r *Report) run(l language, pool *poolView, k int) *runView {
	run := r.Runs[k]
	v := &runView{ID: fmt.Sprintf("%sr%d", pool.ID, len(pool.Runs)+1), Title: run.title(l), File: run.File, head: run, base: r.base(k), urgent: 4, Class: "plain"}
	v.Again = r.again(run)
	builtin := run.File == "" && run.Group != GroupBadDays
	cases := v.cases(l)
	switch {
	case run.Group == GroupBadDays:
		v.Gist = l.gist(run.Summary)
		v.urgent = 3
		pool.Days = append(pool.Days, v.days(l)...)
	case builtin:
		if run.Summary != nil {
			for i := range cases {
				cases[i].Run = v.ID
			}
		}
		pool.Cases = append(pool.Cases, cases...)
		v.Class, v.Gist = passClass(run.Expectations[0].Pass), l.verdict(run.Expectations[0].Pass)
	default:
		v.Cases = cases
		var c count
		c.add(run)
		v.Class, v.Gist = "ok", fmt.Sprintf(l.say("%d of %d hold", "%[2]d 项中 %[1]d 项成立"), c.Held, len(run.Expectations))
		v.urgent = 1
	}
	if run.Failed() {
		v.Class, v.urgent = "failed", 0
	}
	if v.head.Summary != nil {
		v.metrics(l)
	}
	return v
}

// sides returns what is shown side by side.
func (v *runView) sides() []*Run {
	if v.base != nil {
		return []*Run{v.base, v.head}
	}
	return []*Run{v.head}
}

// days are the rows of a bad day in the table of all.
func (v *runView) days(l language) []dayView {
	var rows []dayView
	outcomes := v.outcomes()
	for _, side := range v.sides() {
		row := dayView{Run: v.ID, Side: v.sideName(l, side)}
		switch {
		case v.base == nil:
			row.Name = side.Scenario
		case side == v.base:
			row.Name, row.Class = side.Scenario, "base"
		default:
			row.Class = "with"
		}
		for _, m := range dayMetrics() {
			c := cellView{Text: l.short(side.Summary, m)}
			if side == v.head {
				c.Class = betterClass(outcomes[m])
			}
			row.Cells = append(row.Cells, c)
		}
		rows = append(rows, row)
	}
	return rows
}

// outcomes says of each metric which side is better; nil where they do not compare: acceptance cases are made from each
// side's own settings.
func (v *runView) outcomes() map[string]dryrun.Better {
	if v.base == nil || v.base.Summary == nil || v.head.Summary == nil || v.head.File == "" && v.head.Group != GroupBadDays {
		return nil
	}
	list := map[string]dryrun.Better{}
	for _, c := range dryrun.Compare(v.base.Summary, v.head.Summary) {
		list[c.Metric] = c.Better
	}
	return list
}

func betterClass(b dryrun.Better) string {
	switch b {
	case dryrun.BetterHead:
		return "better"
	case dryrun.BetterBase:
		return "worse"
	case dryrun.Same:
		return "same"
	}
	return ""
}

// sideName names a side where there are two.
func (v *runView) sideName(l language, run *Run) string {
	if v.base == nil && run.Config == Head {
		return ""
	}
	return l.side(run.Config)
}

func passClass(p dryrun.Pass) string {
	switch p {
	case dryrun.Held:
		return "ok"
	case dryrun.Failed:
		return "failed"
	}
	return "na"
}

func (v *runView) cases(l language) []caseView {
	list := make([]caseView, len(v.head.Expectations))
	for i := range v.head.Expectations {
		e := &v.head.Expectations[i]
		c := caseView{ID: e.ID, Text: l.in(e.Text)}
		for _, side := range v.sides() {
			if i >= len(side.Expectations) || side.Expectations[i].ID != e.ID {
				continue
			}
			s := &side.Expectations[i]
			c.Sides = append(c.Sides, outcomeView{Side: v.sideName(l, side), Class: passClass(s.Pass), Verdict: l.verdict(s.Pass), Observed: l.in(s.Observed), Reason: l.in(s.Reason)})
		}
		if len(c.Sides) == 2 && c.Sides[0].Class != c.Sides[1].Class {
			c.Turned = strings.TrimPrefix(betterClass(turn(Turned{BasePass: v.base.Expectations[i].Pass, HeadPass: e.Pass})), "same")
		}
		list[i] = c
	}
	return list
}

// gist is a bad day in a few words.
func (l language) gist(s *dryrun.Summary) string {
	if s == nil {
		return ""
	}
	available, _ := metricOf(s, "availability")
	text := l.say("available ", "可用 ") + l.number("availability", available.Median)
	if p99, ok := metricOf(s, "latency-p99"); ok {
		text += " · p99 " + l.number("latency-p99", p99.Median)
	}
	if out, ok := metricOf(s, "all-out"); ok && out.Median > 0 {
		text += l.say(" · all out for ", " · 全部摘除 ") + l.number("all-out", out.Median)
	}
	return text
}

func (v *runView) metrics(l language) {
	outcomes := v.outcomes()
	for _, m := range v.head.Summary.Metrics {
		row := metricView{Name: l.metric(m.Name)}
		row.Head, row.HeadRange = l.spread(m.Name, m.Spread)
		quiet := idle(m.Spread)
		if v.base != nil && v.base.Summary != nil {
			if b, ok := metricOf(v.base.Summary, m.Name); ok {
				row.Base, row.BaseRange = l.spread(m.Name, b)
				quiet = quiet && idle(b)
			}
			if o, ok := outcomes[m.Name]; ok {
				row.Outcome = l.better(o)
				row.Class = betterClass(o)
			}
		}
		if !quiet {
			v.Metrics = append(v.Metrics, row)
		}
	}
}

// again is the command that plays one run alone.
func (r *Report) again(run *Run) string {
	args := []string{r.Tool, "dryrun"}
	if run.File != "" {
		args = append(args, run.File)
	} else {
		args = append(args, "--scenario", run.Scenario)
	}
	args = append(args, "--pool", run.Pool)
	if run.Env != "" {
		args = append(args, "--env", run.Env)
	}
	if run.Summary != nil {
		args = append(args, "--seeds", fmt.Sprint(run.Summary.Seeds))
	}
	if r.Base != "" {
		args = append(args, "--compare", r.Base)
	}
	return commandLine(append(args, "--format", "html"))
}
