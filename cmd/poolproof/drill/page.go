package drill

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/schema"
)

// pageView is what the template shows of a report.
type pageView struct {
	Lang, Title, Tool, Version, Now, Command string
	Style                                    template.CSS
	Policy                                   string
	Compare                                  bool
	Base, Revision                           string
	Total                                    Total
	Seeds                                    int
	Good                                     bool // nothing failed
	Findings                                 []findingView
	Skipped                                  []string
	Pools                                    []*poolView
	// Overview lists the pools again, those with failures first.
	Overview []*poolView
	Legend   []stateView
	// Undrawn counts the runs whose plots were left out, to keep the page small.
	Undrawn int
}

type findingView struct{ Class, Severity, Rule, At, Text, Hint, Suppressed string }

type stateView struct{ Class, Name string }

// poolView is one pool on the page.
type poolView struct {
	ID, Name, Env, Engine, Source string
	Digests                       []Digest
	Assumed                       []string
	Changes                       []Change
	Count                         count
	Better, Worse                 []string // what changed, in a few words, and how much of it
	Gains, Losses                 int
	Cases                         []caseView
	DayHead                       []string
	Days                          []dayView
	Runs                          []*runView
	Open                          bool
}

// caseView is an expectation with what came of it, on one side or both.
type caseView struct {
	ID, Text string
	Run      string // the anchor of its run, empty if there is none
	Sides    []outcomeView
	Turned   string // better or worse
}

type outcomeView struct{ Side, Class, Verdict, Observed, Reason string }

// dayView is a row of the table of bad days. Where two are compared, the base has a row above the head's.
type dayView struct {
	Name, Run, Side, Class string
	Cells                  []cellView
}

type cellView struct{ Text, Class string }

// runView is one scenario, with what it is compared with.
type runView struct {
	ID, Title, File, Gist, Class string
	Cases                        []caseView
	Figures                      []figureView
	Metrics                      []metricView
	Again                        string // the command that plays it alone
	Open, Undrawn                bool
	// Gone: it is not on the page, because the lists of its pool say enough.
	Gone bool

	base, head *Run
	urgent     int
}

type metricView struct {
	Name                             string
	Base, BaseRange, Head, HeadRange string
	Class, Outcome                   string
}

// How many pools and runs are unfolded from the start.
const (
	openPools = 3
	openRuns  = 3
)

func newPage(r *Report) *pageView {
	l := language(r.Lang)
	p := &pageView{Lang: l.say("en", "zh"), Tool: r.Tool, Version: r.Version, Now: r.Now.UTC().Format("2006-01-02 15:04 UTC"), Command: commandLine(r.Command), Compare: r.Base != "",
		Base: r.Base, Revision: r.Revision, Total: r.Total(), Seeds: r.Seeds()}
	p.Good = p.Total.Failed == 0
	p.Title = l.say("Dry-run: ", "演练：") + p.headline(l)
	for i := range r.Findings {
		p.Findings = append(p.Findings, finding(l, &r.Findings[i]))
	}
	for i := range r.Skipped {
		p.Skipped = append(p.Skipped, l.in(r.Skipped[i].Text()))
	}
	for _, s := range states() {
		p.Legend = append(p.Legend, stateView{s.String(), l.state(s)})
	}
	turned := r.turned()
	for i := 0; i < len(r.Runs); {
		end := i + 1
		for end < len(r.Runs) && r.Runs[end].key() == r.Runs[i].key() {
			end++
		}
		p.Pools = append(p.Pools, r.pool(l, len(p.Pools)+1, i, end, turned))
		i = end
	}
	p.Overview = slices.Clone(p.Pools)
	slices.SortStableFunc(p.Overview, func(a, b *poolView) int {
		return cmp.Or(b.Count.Failed-a.Count.Failed, b.Losses-a.Losses)
	})
	p.unfold()
	r.draw(l, p)
	return p
}

// headline is the verdict in a few words.
func (p *pageView) headline(l language) string {
	switch {
	case p.Total.Scenarios == 0:
		return l.say("nothing was played", "没有可演练的内容")
	case p.Total.Failed > 0:
		return l.count(p.Total.Failed, "expectation failed", "expectations failed", "项预期不成立")
	case p.Total.Held == 0:
		return l.say("nothing failed", "没有不成立的预期")
	}
	return l.count(p.Total.Held, "expectation held, none failed", "expectations held, none failed", "项预期成立，没有不成立的预期")
}

// unfold opens what a reader wants to see first: everything of a few pools, of many those where something failed.
func (p *pageView) unfold() {
	opened := 0
	for _, pool := range p.Pools {
		pool.Open = len(p.Pools) <= openPools || pool.Count.Failed > 0 && opened < openPools
		if pool.Open {
			opened++
		}
		left := openRuns
		for _, run := range pool.Runs {
			if run.urgent <= 1 && left > 0 {
				run.Open = true
				left--
			}
		}
	}
}

// forget takes away the runs that are not on the page, and the links to them.
func (v *poolView) forget() {
	gone := map[string]bool{}
	v.Runs = slices.DeleteFunc(v.Runs, func(r *runView) bool {
		gone[r.ID] = r.Gone
		return r.Gone
	})
	for i := range v.Cases {
		if gone[v.Cases[i].Run] {
			v.Cases[i].Run = ""
		}
	}
	for i := range v.Days {
		if gone[v.Days[i].Run] {
			v.Days[i].Run = ""
		}
	}
}

func finding(l language, f *schema.Finding) findingView {
	v := findingView{Class: f.Severity.String(), Severity: f.Severity.String(), Rule: f.Rule, Text: l.in(f.Message), Hint: l.in(f.Hint), At: f.At.File}
	if f.At.Line > 0 {
		v.At = fmt.Sprintf("%s:%d:%d", f.At.File, f.At.Line, max(f.At.Column, 1))
	}
	if f.Status == schema.Suppressed {
		v.Class, v.Suppressed = "suppressed", f.SuppressedBy
	}
	return v
}

// commandLine writes a command so that a shell reads it back.
func commandLine(args []string) string {
	parts := make([]string, len(args))
	for i, a := range args {
		if parts[i] = a; a == "" || strings.Trim(a, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=@%+,") != "" {
			parts[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
	}
	return strings.Join(parts, " ")
}

// pool prepares the runs from i to before end, which are those of one pool.
func (r *Report) pool(l language, n, i, end int, turned []Turned) *poolView {
	last := r.Runs[end-1]
	v := &poolView{ID: fmt.Sprintf("p%d", n), Name: last.Pool, Env: last.Env, Engine: last.Engine}
	seen := map[string]bool{}
	for k := i; k < end; k++ {
		run := r.Runs[k]
		if run.Config == Base && k+1 < end && r.base(k+1) == run {
			continue // shown with its head
		}
		if run.Config == Head {
			v.Count.add(run)
			if v.Source == "" {
				v.Source, v.Digests = run.Source, run.Digests
			}
		}
		for _, t := range run.assumed() {
			if text := l.in(t); !seen[text] {
				seen[text] = true
				v.Assumed = append(v.Assumed, text)
			}
		}
		v.Runs = append(v.Runs, r.run(l, v, k))
	}
	for _, c := range r.Changes {
		if c.Pool == v.Name && c.Env == v.Env {
			v.Changes = append(v.Changes, c)
		}
	}
	for _, t := range turned {
		if t.Head.key() == last.key() {
			v.outcome(turn(t), strings.TrimSpace(t.Head.Scenario+" "+extra(t))+l.say(": ", "：")+l.verdict(t.BasePass)+" → "+l.verdict(t.HeadPass))
		}
	}
	r.outcomes(l, v)
	for _, m := range dayMetrics() {
		v.DayHead = append(v.DayHead, l.dayHead(m))
	}
	return v
}

func (v *poolView) outcome(b dryrun.Better, text string) {
	switch b {
	case dryrun.BetterHead:
		v.Better = append(v.Better, text)
		v.Gains++
	case dryrun.BetterBase:
		v.Worse = append(v.Worse, text)
		v.Losses++
	}
}

// mostNamed is of how many scenarios a list names what became of one metric.
const mostNamed = 3

// outcomes words what got better and worse, metric by metric.
func (r *Report) outcomes(l language, v *poolView) {
	type key struct {
		metric string
		better dryrun.Better
	}
	var order []key
	found := map[key][]string{}
	for _, c := range r.Comparisons {
		if c.Pool != v.Name || c.Env != v.Env || c.Better == dryrun.Same {
			continue
		}
		k := key{c.Metric, c.Better}
		if found[k] == nil {
			order = append(order, k)
		}
		found[k] = append(found[k], c.Scenario+" "+l.number(c.Metric, c.Base.Median)+" → "+l.number(c.Metric, c.Head.Median))
	}
	for _, k := range order {
		list := found[k]
		text := l.metric(k.metric) + l.say(": ", "：") + strings.Join(list[:min(mostNamed, len(list))], l.say("; ", "；"))
		if n := len(list) - mostNamed; n > 0 {
			text += fmt.Sprintf(l.say("; and %d more", "；另有 %d 项"), n)
		}
		v.outcome(k.better, text)
		extra := len(list) - 1
		if k.better == dryrun.BetterHead {
			v.Gains += extra
		} else {
			v.Losses += extra
		}
	}
}

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
			c.Sides = append(c.Sides, outcomeView{Side: v.sideName(l, side), Class: passClass(s.Pass), Verdict: l.verdict(s.Pass), Observed: s.Observed, Reason: l.in(s.Reason)})
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
