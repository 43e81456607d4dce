package drill

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/plot"
	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/policy/failover"
)

// sign is how a state looks in a band: its character, without and with Unicode, and its colour.
type sign struct {
	ascii, unicode rune
	color          string
}

func signOf(s failover.State) sign {
	switch s {
	case failover.In:
		return sign{'=', '█', "32"}
	case failover.Out:
		return sign{'x', 'x', "31;1"}
	case failover.Cooling:
		return sign{'.', '░', "33"}
	case failover.Ramping:
		return sign{'/', '▄', "36"}
	}
	return sign{'m', 'm', "35"}
}

// The bands of a console.
const (
	bandsIndent = "      "
	mostBands   = 8  // members, unless all are asked for
	mostName    = 32 // cells, and a third of the line
	mostEvents  = 12 // lines, unless all are asked for
	mostMarks   = 300
)

// timeline draws what became of the members, and lists what happened.
func (p *printer) timeline(r *dryrun.Result) {
	if len(r.Members) == 0 {
		return
	}
	marks := marksOf(r)
	members := p.chosen(r)
	name := cells(p.say("errors", "错误率"))
	for _, m := range members {
		n := cells(report.Shown(m.ID))
		if !p.whole {
			n = min(n, mostName, p.t.Width/3)
		}
		name = max(name, n)
	}
	width := max(20, min(p.t.Width, 140)-len(bandsIndent)-name-4)
	if p.whole {
		width = max(width, 60)
	}
	axis := axisOf(r)
	row := func(label, body, after string) {
		lines := p.fold(label, name)
		last := len(lines) - 1
		for _, line := range lines[:last] {
			p.raw(bandsIndent, line)
		}
		p.raw(bandsIndent, pad(lines[last], name), "  ", body, after)
	}
	if len(marks) > 0 {
		row("", " "+p.color(dim, markRow(axis, marks, width)), "")
	}
	for _, m := range members {
		row(report.Shown(m.ID), "|"+p.band(m.States, axis, width)+"|", "")
	}
	if hidden := len(r.Members) - len(members); hidden > 0 {
		p.raw(bandsIndent, p.color(dim, fmt.Sprintf(p.say("... %d more members (-v shows them)", "…… 另有 %d 个成员（-v 显示）"), hidden)))
	}
	p.sparks(r, row, width)
	ticks, times := tickRows(axis, width)
	row("", " "+p.color(dim, ticks), "")
	row("", " "+p.color(dim, times), "")
	p.raw(bandsIndent, p.legend(members))
	p.events(r, marks)
}

// chosen returns the members that are drawn: all, or those to which something happened and some others.
func (p *printer) chosen(r *dryrun.Result) []*dryrun.MemberResult {
	most := mostBands
	if p.t.Verbose {
		most = len(r.Members)
	}
	return chooseMembers(r, most)
}

// chooseMembers returns at most so many members, in their order: those whose state changed before others.
func chooseMembers(r *dryrun.Result, most int) []*dryrun.MemberResult {
	var moved, calm []int
	for i := range r.Members {
		if len(r.Members[i].States) > 1 {
			moved = append(moved, i)
		} else {
			calm = append(calm, i)
		}
	}
	all := append(moved, calm...)
	all = all[:min(most, len(all))]
	slices.Sort(all)
	list := make([]*dryrun.MemberResult, len(all))
	for k, i := range all {
		list[k] = &r.Members[i]
	}
	return list
}

func axisOf(r *dryrun.Result) plot.Axis { return plot.Axis{To: max(r.Duration, 1)} }

// cellAt returns the cell of a row in which a moment lies.
func cellAt(axis plot.Axis, t time.Duration, width int) int {
	return max(0, min(width, int(float64(t-axis.From)/float64(axis.To-axis.From)*float64(width))))
}

// band writes the states of a member as a row of signs. A state that is shorter than a sign still shows.
func (p *printer) band(states []dryrun.StateSpan, axis plot.Axis, width int) string {
	row := make([]failover.State, width)
	for i, s := range states {
		end := axis.To
		if i+1 < len(states) {
			end = states[i+1].From
		}
		from := cellAt(axis, s.From, width)
		for k := from; k < max(cellAt(axis, end, width), min(from+1, width)); k++ {
			row[k] = s.State
		}
	}
	var b strings.Builder
	for i := 0; i < width; {
		end := i
		for end < width && row[end] == row[i] {
			end++
		}
		s := signOf(row[i])
		c := s.ascii
		if p.t.Unicode {
			c = s.unicode
		}
		b.WriteString(p.color(s.color, strings.Repeat(string(c), end-i)))
		i = end
	}
	return b.String()
}

// legend explains the signs that are in the bands.
func (p *printer) legend(members []*dryrun.MemberResult) string {
	used := map[failover.State]bool{}
	for _, m := range members {
		for _, s := range m.States {
			used[s.State] = true
		}
	}
	var parts []string
	for s := failover.In; s <= failover.Manual; s++ {
		if g := signOf(s); used[s] {
			c := g.ascii
			if p.t.Unicode {
				c = g.unicode
			}
			parts = append(parts, p.color(g.color, string(c))+" "+p.state(s))
		}
	}
	return strings.Join(parts, "   ")
}

// sparks draws the error rate over time, where there were errors.
func (p *printer) sparks(r *dryrun.Result, row func(label, body, after string), width int) {
	values := make([]float64, width)
	most := 0.0
	for _, x := range r.Series {
		if x.Sent == 0 {
			continue
		}
		rate := float64(x.Errors) / float64(x.Sent)
		most = max(most, rate)
		from := cellAt(axisOf(r), x.At, width)
		for k := from; k < min(width, max(from+1, cellAt(axisOf(r), x.At+r.Slice, width))); k++ {
			values[k] = max(values[k], rate)
		}
	}
	if most == 0 {
		return
	}
	levels := []rune(p.pick([2]string{" ▁▂▃▄▅▆▇█", " .:-=+*#@"}))
	var b strings.Builder
	for _, v := range values {
		level := 0
		if v > 0 {
			level = max(1, int(v*float64(len(levels)-1)+0.5))
		}
		b.WriteRune(levels[level])
	}
	row(p.say("errors", "错误率"), "|"+p.color("31", b.String())+"|", "")
	row("", " ", p.color(dim, fmt.Sprintf(p.say("full height is 100 %%; the most was %s", "满格为 100 %%；最高 %s"), percentText(most))))
}

// markRow writes the numbers of marks where they happened.
func markRow(axis plot.Axis, marks []plot.Mark, width int) string {
	row := []byte(strings.Repeat(" ", width+4))
	free := 0
	for _, m := range marks {
		at := cellAt(axis, m.From, width)
		if at < free || at+len(m.Label) > len(row) {
			continue // hidden behind its neighbour; the list has it
		}
		copy(row[at:], m.Label)
		free = at + len(m.Label) + 1
	}
	return string(row)
}

// tickRows writes the time axis: ticks, and their times.
func tickRows(axis plot.Axis, width int) (ticks, times string) {
	a, b := []byte(strings.Repeat("-", width)), []byte(strings.Repeat(" ", width+12))
	free := 0
	for _, t := range plot.Ticks(axis, max(2, width/14)) {
		at := min(cellAt(axis, t, width), width-1)
		a[at] = '+'
		if s := moment(t); at >= free {
			copy(b[at:], s)
			free = at + len(s) + 1
		}
	}
	return string(a), string(b)
}

// marksOf returns what the scenario did: faults and how long they lasted, notices, orders, reloads.
func marksOf(r *dryrun.Result) []plot.Mark {
	var marks []plot.Mark
	for _, e := range r.Timeline {
		switch e.Event {
		case "fault ends":
			for i := range marks {
				if m := &marks[i]; m.Lasting && m.To < 0 && m.Title == e.Why.En {
					m.To = e.At
					break
				}
			}
			continue
		case "fault", "external", "operator", "reload", "apply":
		default:
			continue
		}
		if len(marks) == mostMarks {
			continue // the timeline has them
		}
		marks = append(marks, plot.Mark{From: e.At, To: -1, Title: e.Why.En, Lasting: e.Event == "fault"})
	}
	for i := range marks {
		marks[i].Label = strconv.Itoa(i + 1)
		if marks[i].To < 0 {
			marks[i].To = marks[i].From
			if marks[i].Lasting {
				marks[i].To = r.Duration
			}
		}
	}
	return marks
}

// marked reports whether an entry of a timeline has a mark.
func marked(event string) bool {
	return event == "fault" || event == "external" || event == "operator" || event == "reload" || event == "apply"
}

// events lists what happened.
func (p *printer) events(r *dryrun.Result, marks []plot.Mark) {
	most := mostEvents
	if p.t.Verbose {
		most = len(r.Timeline)
	}
	mark := 0
	for i, e := range r.Timeline {
		if i == most {
			p.raw(bandsIndent, p.color(dim, fmt.Sprintf(p.say("... %d more (-v shows them)", "…… 另有 %d 条（-v 显示全部）"), len(r.Timeline)-i+r.Cut)))
			return
		}
		label := ""
		if marked(e.Event) && mark < len(marks) {
			label = marks[mark].Label
			mark++
		}
		who := report.Shown(e.Member)
		if who != "" {
			who += " "
		}
		p.wrapped(bandsIndent+padLeft(label, 3)+padLeft(moment(e.At), 11)+"  ", who+p.event(e.Event)+p.say(": ", "：")+p.in(e.Why))
	}
	if r.Cut > 0 {
		p.raw(bandsIndent, p.color(dim, fmt.Sprintf(p.say("... %d more", "…… 另有 %d 条"), r.Cut)))
	}
}
