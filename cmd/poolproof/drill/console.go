package drill

import (
	"fmt"
	"io"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/schema"
)

// Terminal says what a console can show.
type Terminal struct {
	// Width is the number of cells of a line; less than 60 counts as 60. 0 means that no line is wrapped, so that other
	// programs find whole sentences, and that plots are for 100.
	Width int
	// Color allows colours; Unicode allows signs beyond ASCII.
	Color, Unicode bool
	// Verbose shows every timeline and metric; Quiet shows findings alone.
	Verbose, Quiet bool
}

// printer writes for people.
type printer struct {
	language
	t Terminal
	r *Report
	b strings.Builder
	// turned are the expectations that base and head do not meet alike.
	turned []Turned
	whole  bool // no sentence is wrapped
}

// Console writes the report for people.
func (r *Report) Console(w io.Writer, t Terminal) error {
	whole := t.Width <= 0
	if whole {
		t.Width = 100
	}
	t.Width = min(max(t.Width, 60), 200)
	p := &printer{whole: whole, language: language(r.Lang), t: t, r: r, turned: r.turned()}
	for i := 0; i < len(r.Runs) && !t.Quiet; {
		end := i + 1
		for end < len(r.Runs) && r.Runs[end].key() == r.Runs[i].key() {
			end++
		}
		p.pool(r.Runs[i:end])
		i = end
	}
	p.skipped()
	p.findings()
	if !t.Quiet {
		p.summary()
	}
	text := p.b.String()
	if !t.Unicode {
		text = strings.NewReplacer("–", "-", "…", "...", "µ", "u", "±", "+-").Replace(text)
	}
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("writing the runs: %w", err)
	}
	return nil
}

// line writes one line. Names come from files: a line end in one starts no line here, and nothing in it is obeyed.
func (p *printer) line(format string, args ...any) {
	p.b.WriteString(report.ShownText(fmt.Sprintf(format, args...)))
	p.b.WriteByte('\n')
}

// color puts words of our own, or words that are escaped already, into a colour.
func (p *printer) color(code, words string) string {
	if !p.t.Color || words == "" {
		return words
	}
	return "\x1b[" + code + "m" + words + "\x1b[0m"
}

// The colours: those of verdicts, and what only orders the page.
const (
	green  = "32"
	red    = "31;1"
	yellow = "33"
	bold   = "1"
	dim    = "2"
)

// raw writes a line whose parts are escaped already.
func (p *printer) raw(parts ...string) {
	p.b.WriteString(strings.TrimRight(strings.Join(parts, ""), " "))
	p.b.WriteByte('\n')
}

// pool writes everything about one pool.
func (p *printer) pool(runs []*Run) {
	r := runs[len(runs)-1]
	name := report.Shown(r.Pool)
	if r.Env != "" {
		name += " (" + report.Shown(r.Env) + ")"
	}
	title := fmt.Sprintf(p.say("pool %s, engine %s", "池 %s，引擎 %s"), name, report.Shown(r.Engine))
	if !p.t.Verbose && p.unchanged(runs) {
		p.same(title, runs)
		return
	}
	p.raw(p.color(bold, title))
	seen := map[string]bool{}
	for _, run := range runs {
		for _, t := range run.assumed() {
			if text := p.in(t); run.Config == Head && !seen[text] {
				seen[text] = true
				p.wrapped("  "+p.say("assumed: ", "假定："), text)
			}
		}
	}
	p.changes(r)
	var days []*Run
	for _, run := range runs {
		if run.Group == GroupBadDays {
			days = append(days, run)
			continue
		}
		p.run(run)
	}
	if len(days) > 0 {
		p.days(days)
	}
	p.compared(r)
}

// unchanged reports whether a pool has the same settings before and after, and fares alike with them.
func (p *printer) unchanged(runs []*Run) bool {
	if p.r.Base == "" {
		return false
	}
	r, before := runs[len(runs)-1], false
	for _, run := range runs {
		before = before || run.Config == Base
	}
	differs := func(pool, env string) bool { return pool == r.Pool && env == r.Env }
	for i := range p.r.Changes {
		before = before && !differs(p.r.Changes[i].Pool, p.r.Changes[i].Env)
	}
	for i := range p.turned {
		before = before && p.turned[i].Head.key() != r.key()
	}
	for i := range p.r.Comparisons {
		c := &p.r.Comparisons[i]
		before = before && (c.Better == dryrun.Same || !differs(c.Pool, c.Env))
	}
	return before
}

// same writes a pool that the change leaves alone as one line: how it fares is no news.
func (p *printer) same(title string, runs []*Run) {
	var c count
	for _, run := range runs {
		if run.Config == Head {
			c.add(run)
		}
	}
	p.raw(p.color(bold, title), p.say(": base and head have the same settings", "：变更前后的配置相同"), p.say("; ", "；"),
		p.color(dim, fmt.Sprintf(p.say("%d ok, %d failed, %d not applicable (-v shows them)", "成立 %d，不成立 %d，不适用 %d（-v 列出）"), c.Held, c.Failed, c.NotApplicable)))
}

// run writes one scenario: a line for each expectation, and where it matters what happened.
func (p *printer) run(r *Run) {
	side := ""
	if p.r.Base != "" {
		side = " (" + p.side(r.Config) + ")"
	}
	if r.File != "" {
		p.raw("  ", p.color(bold, report.ShownText(r.title(p.language)+side)), "  ", p.color(dim, report.ShownText(r.File)))
		side = ""
	}
	for i := range r.Expectations {
		p.expectation(&r.Expectations[i], side)
	}
	if r.Summary == nil {
		return
	}
	if r.File != "" || r.Failed() || p.t.Verbose {
		p.timeline(r.Summary.First)
	}
	if r.File != "" || p.t.Verbose {
		p.metrics(r)
	}
}

func (p *printer) expectation(e *Expectation, side string) {
	code := yellow
	switch e.Pass {
	case dryrun.Held:
		code = green
	case dryrun.Failed:
		code = red
	}
	sign := p.pick(map[dryrun.Pass][2]string{dryrun.Held: {"✓ ", ""}, dryrun.Failed: {"✗ ", ""}, dryrun.NotApplicable: {"– ", ""}}[e.Pass])
	word := p.verdict(e.Pass)
	p.raw("    ", p.color(code, sign+word), "  ", report.ShownText(e.ID+side+p.say(": ", "：")+p.in(e.Text)))
	if reason := p.in(e.Reason); reason != "" {
		p.wrapped("        "+p.say("because ", "原因："), reason)
	}
	p.wrapped("        "+p.say("observed: ", "观察："), p.in(e.Observed))
}

// pick returns the first sign where the terminal can show it, else the second.
func (p *printer) pick(signs [2]string) string {
	if p.t.Unicode {
		return signs[0]
	}
	return signs[1]
}

func (p *printer) skipped() {
	for i := range p.r.Skipped {
		p.wrapped(p.say("not played: ", "未演练："), p.in(p.r.Skipped[i].Text()))
	}
}

// findings writes a line for each.
func (p *printer) findings() {
	for i := range p.r.Findings {
		f := &p.r.Findings[i]
		if f.Status == schema.Suppressed && !p.t.Verbose {
			continue
		}
		at := f.At.File
		if f.At.Line > 0 {
			at = fmt.Sprintf("%s:%d:%d", at, f.At.Line, max(f.At.Column, 1))
		}
		if at != "" {
			at += ": "
		}
		code := yellow
		if f.Severity == schema.Error {
			code = red
		}
		state := ""
		if f.Status == schema.Suppressed {
			state, code = p.say(" (suppressed: ", "（已豁免：")+f.SuppressedBy+p.say(")", "）"), dim
		}
		p.raw(p.color(code, fmt.Sprintf("%s[%s]", report.Severity(f.Severity, p.r.Lang), f.Rule)), " ", report.ShownText(at+p.in(f.Message)+state))
		if hint := p.in(f.Hint); hint != "" && !p.t.Quiet {
			p.wrapped("    "+p.say("help: ", "建议："), hint)
		}
	}
}

// summary counts what was played, or says why nothing was.
func (p *printer) summary() {
	t := p.r.Total()
	if p.r.Failed != nil {
		p.raw(p.color(red, p.say("could not play: ", "未能演练：")), report.ShownText(p.in(*p.r.Failed)))
		if t.Scenarios == 0 && t.Findings == 0 {
			return
		}
	}
	failed := fmt.Sprintf(p.say("%d failed", "不成立 %d"), t.Failed)
	code := green
	if t.Failed > 0 {
		code = red
	}
	p.raw(p.count(t.Pools, "pool", "pools", "个池"), p.say(", ", "，"), p.count(t.Scenarios, "scenario", "scenarios", "个场景"), p.say(": ", "："),
		fmt.Sprintf(p.say("%d ok, ", "成立 %d，"), t.Held), p.color(code, failed), fmt.Sprintf(p.say(", %d not applicable; ", "，不适用 %d；"), t.NotApplicable),
		p.count(t.Findings, "finding", "findings", "个问题"))
}
