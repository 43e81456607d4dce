package report

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// Drill is what the dry-run of one pool says about a change.
type Drill struct {
	Pool, Env, Engine string
	// Held, Failed and NotApplicable count the acceptance cases under the settings of the head.
	Held, Failed, NotApplicable int
	// New: the pool is not there before the change.
	New bool
	// Changes are the settings that differ, "path: before -> after".
	Changes []string
	// Lines are the verdicts and figures, the telling ones first.
	Lines []DrillLine
}

// DrillLine is one verdict or figure before and after.
type DrillLine struct {
	// Name is the case, or the scenario and the metric.
	Name schema.Text
	// Before is empty for a pool that is new.
	Before, After schema.Text
	// Observed is the data behind a verdict.
	Observed schema.Text
	// Better or Worse: the change made it so.
	Better, Worse bool
	// NotApplicable: a case that is not judged; Observed says why.
	NotApplicable bool
}

// drill is the summary of a dry-run in one line.
func (l language) drill(d *Drill) string {
	name := short(d.Pool)
	if d.Env != "" {
		name += " (" + short(d.Env) + ")"
	}
	line := name + " [" + short(d.Engine) + "]: " + l.drillCount(d)
	var better, worse []string
	for i := range d.Lines {
		switch x := &d.Lines[i]; {
		case x.Better:
			better = append(better, l.turned(x))
		case x.Worse:
			worse = append(worse, l.turned(x))
		}
	}
	if len(worse) > 0 {
		line += l.say("; worse: ", "；变差：") + l.some(worse)
	}
	if len(better) > 0 {
		line += l.say("; better: ", "；变好：") + l.some(better)
	}
	if len(worse)+len(better) == 0 && !d.New {
		line += l.say("; nothing turns", "；结果没有变化")
	}
	return line
}

// turned is what the change turned, with the values.
func (l language) turned(x *DrillLine) string {
	return short(l.in(x.Name)) + " " + short(l.in(x.Before)) + " -> " + short(l.in(x.After))
}

// some lists the first few names, and counts the others: one line must not be a page.
func (l language) some(names []string) string {
	const most = 3
	if len(names) <= most+1 {
		return strings.Join(names, l.say(", ", "，"))
	}
	return strings.Join(names[:most], l.say(", ", "，")) + l.in(schema.Textf(" and %[1]d more", "等 %[2]d 项", len(names)-most, len(names)))
}

func (l language) drillCount(d *Drill) string {
	return l.in(schema.Textf("%d cases hold, %d fail, %d not applicable", "%d 项成立，%d 项不成立，%d 项不适用", d.Held, d.Failed, d.NotApplicable))
}

// drillLine is one verdict or figure as a line.
func (l language) drillLine(x *DrillLine) string {
	line := short(l.in(x.Name)) + l.say(": ", "：")
	if x.Before.En != "" && x.Before != x.After {
		line += short(l.in(x.Before)) + " -> "
	}
	line += short(l.in(x.After))
	if x.Observed.En != "" {
		line += l.say(" (", "（") + short(l.in(x.Observed)) + l.say(")", "）")
	}
	switch {
	case x.Better:
		line += l.say(" better", " 变好")
	case x.Worse:
		line += l.say(" worse", " 变差")
	}
	return line
}

// drills writes the dry-runs for the console: a line each, and with -v what is behind it.
func (p *printer) drills() {
	if len(p.run.Drills) == 0 {
		return
	}
	p.line(p.as(bold, p.say("dry-run of the change:", "变更演练：")))
	for i := range p.run.Drills {
		d := &p.run.Drills[i]
		p.line("  ", p.drill(d))
		if !p.verbose {
			continue
		}
		for _, c := range d.Changes {
			p.line("    ", short(c))
		}
		for k := range d.Lines {
			p.line("    ", p.drillLine(&d.Lines[k]))
		}
	}
	if !p.verbose { // which says it line by line
		p.notApplicable()
	}
	p.line()
}

// notApplicable says why cases are not judged, each reason once for all pools.
func (p *printer) notApplicable() {
	var reasons []schema.Text
	cases := map[schema.Text][]string{}
	for i := range p.run.Drills {
		for k := range p.run.Drills[i].Lines {
			x := &p.run.Drills[i].Lines[k]
			if !x.NotApplicable || x.Observed.En == "" {
				continue
			}
			if cases[x.Observed] == nil {
				reasons = append(reasons, x.Observed)
			}
			if name := p.in(x.Name); !slices.Contains(cases[x.Observed], name) {
				cases[x.Observed] = append(cases[x.Observed], name)
			}
		}
	}
	const most = 8
	for _, reason := range reasons[:min(most, len(reasons))] {
		p.line("    ", p.say("not applicable: ", "不适用："), short(strings.Join(cases[reason], p.say(", ", "、"))), p.say(": ", "："), short(p.in(reason)))
	}
	if more := len(reasons) - most; more > 0 {
		p.line("    ", p.in(schema.Textf("and %d more reasons (-v lists them)", "另有 %d 条原因（-v 列出）", more)))
	}
}

// drills writes the dry-runs for change requests: the summary first, the details folded.
func (m *markdownWriter) drills(list []Drill) {
	if len(list) == 0 || !m.fits(m.say("### Dry-run of the change\n\n", "### 变更演练\n\n")) {
		return
	}
	cell := func(t schema.Text) string { return markdownText(short(m.in(t))) }
	for i := range list {
		d := &list[i]
		var b strings.Builder
		for _, c := range d.Changes {
			b.WriteString("- " + markdownText(short(c)) + "\n")
		}
		if len(d.Lines) > 0 {
			b.WriteString("\n| | " + m.say("before", "之前") + " | " + m.say("after", "之后") + " | " + m.say("observed", "观测") + " |\n|---|---|---|---|\n")
		}
		for k := range d.Lines {
			x := &d.Lines[k]
			mark := ""
			switch {
			case x.Better:
				mark = m.say(" (better)", "（变好）")
			case x.Worse:
				mark = m.say(" (worse)", "（变差）")
			}
			b.WriteString("| " + cell(x.Name) + " | " + cell(x.Before) + " | " + cell(x.After) + mark + " | " + cell(x.Observed) + " |\n")
		}
		head := markdownText(m.drill(d))
		if !m.fits("<details><summary>"+head+"</summary>\n\n"+b.String()+"\n</details>\n\n") && !m.fits("- "+head+"\n") {
			m.must(m.in(schema.Textf("- and %d more pools\n", "- 另有 %d 个池\n", len(list)-i)))
			return
		}
	}
}

type jsonDrill struct {
	Pool          string      `json:"pool"`
	Env           string      `json:"env,omitempty"`
	Engine        string      `json:"engine"`
	Held          int         `json:"held"`
	Failed        int         `json:"failed"`
	NotApplicable int         `json:"notApplicable"`
	Changes       []string    `json:"changes"`
	Lines         []jsonTurns `json:"lines"`
}

type jsonTurns struct {
	Name     string `json:"name"`
	Before   string `json:"before,omitempty"`
	After    string `json:"after"`
	Observed string `json:"observed,omitempty"`
	Turned   string `json:"turned,omitempty"`
}

func drillJSON(d *Drill) jsonDrill {
	j := jsonDrill{boundShort(d.Pool), boundShort(d.Env), boundShort(d.Engine), d.Held, d.Failed, d.NotApplicable, make([]string, len(d.Changes)), make([]jsonTurns, len(d.Lines))}
	for i, c := range d.Changes {
		j.Changes[i] = boundShort(c)
	}
	for i := range d.Lines {
		x := &d.Lines[i]
		turned := ""
		switch {
		case x.Better:
			turned = "better"
		case x.Worse:
			turned = "worse"
		}
		j.Lines[i] = jsonTurns{boundShort(x.Name.En), boundShort(x.Before.En), boundShort(x.After.En), boundShort(x.Observed.En), turned}
	}
	return j
}
