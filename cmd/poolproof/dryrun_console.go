package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/schema"
)

// moment writes a time of a run, to the millisecond.
func moment(t time.Duration) string { return schema.FormatDuration(t.Round(time.Millisecond)) }

// dryPrinter writes a dry-run for people.
type dryPrinter struct {
	d    *dry
	b    strings.Builder
	lang string
}

func (p *dryPrinter) say(en, zh string) string { return schema.Text{En: en, Zh: zh}.In(p.lang) }

// line writes one line. Names come from files: a line end in one starts no line here.
func (p *dryPrinter) line(format string, args ...any) {
	p.b.WriteString(report.ShownText(fmt.Sprintf(format, args...)))
	p.b.WriteByte('\n')
}

// color writes a word in a colour, where the terminal has colours. It is called on words of our own alone.
func (p *dryPrinter) color(code int, word string) string {
	if !p.d.o.color() || p.d.o.outputFile() != "" {
		return word
	}
	return fmt.Sprintf("\x1b[%dm%s\x1b[0m", code, word)
}

func (d *dry) console(w io.Writer) error {
	p := &dryPrinter{d: d, lang: d.request.lang}
	pool := "\x00"
	for _, r := range d.runs {
		if k := r.Env + "\x00" + r.Pool; k != pool {
			pool = k
			p.pool(r)
		}
		p.run(r)
	}
	p.compare()
	for i := range d.skipped {
		p.line(p.say("not played: %s", "未演练：%s"), d.skipped[i].text().In(p.lang))
	}
	for i := range d.findings {
		f := &d.findings[i]
		if f.Status == schema.Suppressed && !d.o.verbose {
			continue
		}
		at := f.At.File
		if f.At.Line > 0 {
			at = fmt.Sprintf("%s:%d:%d", at, f.At.Line, max(f.At.Column, 1))
		}
		if at != "" {
			at += ": "
		}
		state := ""
		if f.Status == schema.Suppressed {
			state = p.say(" (suppressed: ", "（已豁免：") + f.SuppressedBy + p.say(")", "）")
		}
		p.line("%s[%s] %s%s%s", f.Severity, f.Rule, at, f.Message.In(p.lang), state)
	}
	if !d.o.quiet {
		p.summary()
	}
	if _, err := io.WriteString(w, p.b.String()); err != nil {
		return fmt.Errorf("writing the runs: %w", err)
	}
	return nil
}

// pool opens the part about a pool.
func (p *dryPrinter) pool(r *playedRun) {
	name := r.Pool
	if r.Env != "" {
		name += " (" + r.Env + ")"
	}
	p.line(p.say("pool %s, engine %s", "池 %s，引擎 %s"), name, r.Engine)
	if !p.d.o.quiet {
		for _, t := range r.assumed() {
			p.line(p.say("  assumed: %s", "  假定：%s"), t.In(p.lang))
		}
	}
}

// run writes one scenario: a line for each expectation, the members' timelines, the metrics.
func (p *dryPrinter) run(r *playedRun) {
	failed := false
	for _, e := range r.Expectations {
		failed = failed || e.Pass == dryrun.Failed
	}
	config := ""
	if r.Config == base {
		config = p.say(" (base)", "（base）")
	}
	if r.File != "" || r.Group == groupBadDays {
		title := r.Scenario + config
		if r.File != "" {
			title = fmt.Sprintf(p.say("scenario %q%s  %s", "场景 %q%s  %s"), r.Scenario, config, r.File)
		} else if r.Group == groupBadDays {
			title = p.say("bad day ", "故障日 ") + title
		}
		p.line("  %s", title)
		config = ""
	}
	for _, e := range r.Expectations {
		p.expectation(&e, config)
	}
	if r.Summary == nil {
		return
	}
	if r.File != "" || failed || p.d.o.verbose {
		if !p.d.o.quiet {
			p.timeline(r)
		}
	}
	if (r.Group == groupBadDays || r.File != "" || p.d.o.verbose) && !p.d.o.quiet {
		p.metrics(r)
	}
}

func (p *dryPrinter) expectation(e *expectation, config string) {
	switch e.Pass {
	case dryrun.Held:
		p.verdict(32, p.say("ok", "成立"), e, config)
	case dryrun.Failed:
		p.verdict(31, p.say("FAILED", "不成立"), e, config)
	default:
		p.verdict(33, p.say("not-applicable", "不适用"), e, config)
	}
}

func (p *dryPrinter) verdict(color int, word string, e *expectation, config string) {
	text := report.ShownText(fmt.Sprintf("%s%s: %s", e.ID, config, e.Text.In(p.lang)))
	fmt.Fprintf(&p.b, "    %s  %s\n", p.color(color, word), text)
	if reason := e.Reason.In(p.lang); reason != "" {
		p.line("        %s%s", p.say("because ", "原因："), reason)
	}
	p.line("        %s%s", p.say("observed: ", "观察："), e.Observed)
}

// timelineLines is how many lines a timeline has on the console unless all are asked for.
const timelineLines = 12

// timeline writes for each member what became of it, and what was done to it.
func (p *dryPrinter) timeline(r *playedRun) {
	first := r.Summary.First
	p.bands(first)
	most := timelineLines
	if p.d.o.verbose {
		most = len(first.Timeline)
	}
	for i, e := range first.Timeline {
		if i == most {
			p.line(p.say("      ... %d more (-v shows them)", "      …… 另有 %d 条（-v 显示全部）"), len(first.Timeline)-i+first.Cut)
			return
		}
		who := e.Member
		if who != "" {
			who += " "
		}
		p.line("      %10s  %s%s: %s", moment(e.At), who, e.Event, e.Why.In(p.lang))
	}
	if first.Cut > 0 {
		p.line(p.say("      ... %d more", "      …… 另有 %d 条"), first.Cut)
	}
}

// bandWidth is how many characters a member's band has.
const bandWidth = 60

// bands draws the states of the members over time.
func (p *dryPrinter) bands(r *dryrun.Result) {
	most := 8
	if p.d.o.verbose {
		most = len(r.Members)
	}
	wide := 0
	for i := range r.Members[:min(most, len(r.Members))] {
		wide = max(wide, runewidth.StringWidth(r.Members[i].ID))
	}
	for i := range r.Members {
		if i == most {
			p.line(p.say("      ... %d more members", "      …… 另有 %d 个成员"), len(r.Members)-i)
			break
		}
		m := &r.Members[i]
		p.line("      %s%s  |%s|", m.ID, strings.Repeat(" ", max(0, wide-runewidth.StringWidth(m.ID))), band(m.States, r.Duration))
	}
	if len(r.Members) > 0 {
		p.line("      %s   0%s%s", strings.Repeat(" ", wide), strings.Repeat(" ", max(1, bandWidth-1-len(moment(r.Duration)))), moment(r.Duration))
		p.line("      %s   %s", strings.Repeat(" ", wide), p.say("= in  / ramping  . cooling  x out  m manual", "= 在池  / 放量  . 冷却  x 摘除  m 人工"))
	}
}

// band writes the states of a member as a row of signs. A state that is shorter than a sign still shows.
func band(states []dryrun.StateSpan, duration time.Duration) string {
	row := []byte(strings.Repeat("=", bandWidth))
	const signs = "=x./m"
	at := func(t time.Duration) int {
		return int(max(0, min(int64(bandWidth), int64(float64(t)/float64(max(duration, 1))*bandWidth))))
	}
	for i, s := range states {
		end := duration
		if i+1 < len(states) {
			end = states[i+1].From
		}
		from := at(s.From)
		for k := from; k < max(at(end), min(from+1, bandWidth)); k++ {
			row[k] = signs[s.State]
		}
	}
	return string(row)
}

// metrics writes the metrics that say something.
func (p *dryPrinter) metrics(r *playedRun) {
	var parts []string
	for _, m := range r.Summary.Metrics {
		text := metricText(m.Name, m.Spread)
		if text == "" && !p.d.o.verbose {
			continue
		}
		if text == "" {
			text = "-"
		}
		parts = append(parts, m.Name+" "+text)
	}
	line := "     "
	for _, part := range parts {
		if len(line)+len(part) > 110 {
			p.line("%s", line)
			line = "     "
		}
		line += " " + part + ";"
	}
	p.line("%s", strings.TrimSuffix(line, ";"))
}

// metricText words a metric; empty if there is nothing to say.
func metricText(name string, s dryrun.Spread) string {
	one := func(f float64) string {
		switch name {
		case "availability", "largest-share":
			return fmt.Sprintf("%.2f%%", 100*f)
		case "errors", "refused", "flaps":
			return fmt.Sprintf("%.4g", f)
		case "retry-amplification", "probe-amplification":
			return fmt.Sprintf("%.3f", f)
		}
		if f < 0 {
			return "never"
		}
		return schema.FormatDuration(time.Duration(f * 1e9).Round(100 * time.Microsecond))
	}
	if s.Median == 0 && s.High == 0 || s.High < 0 {
		return ""
	}
	text := one(s.Median)
	if low, high := one(s.Low), one(s.High); low != high {
		text += " (" + low + " - " + high + ")"
	}
	return text
}

// compare writes what got better and worse.
func (p *dryPrinter) compare() {
	title := ""
	for _, c := range p.d.comparisons {
		if c.Better == dryrun.Same && !p.d.o.verbose {
			continue
		}
		if t := c.Pool + " / " + c.Scenario; t != title {
			title = t
			p.line(p.say("base against head, %s", "base 与 head 比较，%s"), title)
		}
		who := map[dryrun.Better]string{dryrun.BetterBase: p.say("worse", "变差"), dryrun.BetterHead: p.say("better", "变好"), dryrun.Same: p.say("same", "相同")}[c.Better]
		b, h := metricText(c.Metric, c.Base), metricText(c.Metric, c.Head)
		if b == "" {
			b = "0"
		}
		if h == "" {
			h = "0"
		}
		p.line("    %s %s: %s -> %s", who, c.Metric, b, h)
	}
	if title == "" && len(p.d.comparisons) > 0 {
		p.line("%s", p.say("base against head: no metric differs by more than its spread", "base 与 head 比较：没有指标的差异超过其波动"))
	}
}

// summary counts the verdicts.
func (p *dryPrinter) summary() {
	var held, failed, not int
	pools := map[string]bool{}
	scenarios := 0
	for _, r := range p.d.runs {
		if r.Config != head {
			continue
		}
		pools[r.Env+"\x00"+r.Pool] = true
		scenarios++
		for _, e := range r.Expectations {
			switch e.Pass {
			case dryrun.Held:
				held++
			case dryrun.Failed:
				failed++
			default:
				not++
			}
		}
	}
	p.line(p.say("%d %s, %d %s: %d ok, %d failed, %d not applicable; %d %s", "%d 个池%[2]s，%[3]d 个场景%[4]s：成立 %[5]d，不成立 %[6]d，不适用 %[7]d；问题 %[8]d 个%[9]s"),
		len(pools), p.say(plural(len(pools), "pool", "pools"), ""), scenarios, p.say(plural(scenarios, "scenario", "scenarios"), ""), held, failed, not,
		len(p.d.findings), p.say(plural(len(p.d.findings), "finding", "findings"), ""))
}
