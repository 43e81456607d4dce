package drill

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
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
	p.Good = p.Total.Failed == 0 && r.Failed == nil
	p.Title = l.say("Dry-run: ", "演练：") + p.headline(l)
	if r.Failed != nil {
		p.Title = l.say("Dry-run: could not play: ", "演练：未能演练：") + report.ShownText(l.in(*r.Failed))
	}
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
	v := findingView{Class: f.Severity.String(), Severity: report.Severity(f.Severity, string(l)), Rule: f.Rule, Text: l.in(f.Message), Hint: l.in(f.Hint), At: f.At.File}
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
			c.Base, c.Head = c.in(l, c.Base), c.in(l, c.Head)
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
