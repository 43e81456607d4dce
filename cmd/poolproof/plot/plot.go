// Package plot draws charts over time as SVG that stands inside an HTML page: bands of states, stacked shares, lines and
// the axis under them.
//
// The kept libraries do not fit. Those that make HTML load a script; those that make SVG draw at one width, so that a
// label is unreadable on a phone, and paint colours that no dark page can change. Here a chart is as wide as its column:
// places on the time axis are percentages, texts keep their size, and colours are classes that the page's style decides.
// What is drawn depends on the data alone, so that the same run gives the same bytes. Every text is escaped.
package plot

import (
	"html"
	"math"
	"strconv"
	"strings"
	"time"
)

// Axis is the time that a chart spans. Charts with the same axis line up.
type Axis struct{ From, To time.Duration }

// part returns where a moment lies, from 0 to 1; moments outside lie at the ends.
func (a Axis) part(t time.Duration) float64 {
	if a.To <= a.From {
		return 0
	}
	return min(1, max(0, float64(t-a.From)/float64(a.To-a.From)))
}

// percent returns a part of the width.
func percent(part float64) string { return short(100*part, 2) + "%" }

// short writes a number with at most so many decimals.
func short(f float64, decimals int) string {
	s := strconv.FormatFloat(f, 'f', decimals, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "-0" {
		return "0"
	}
	return s
}

// The drawing board of curves: stretched to the chart, while lines keep their width.
const (
	boardWidth  = 1000
	boardHeight = 200
	board       = `<svg viewBox="0 0 1000 200" preserveAspectRatio="none" width="100%" height="100%" class="board">`
)

// Chart is what every chart has.
type Chart struct {
	Axis Axis
	// Title and Desc say to those who cannot see it what the chart shows.
	Title, Desc string
	// Height is in pixels.
	Height int
	// Marks is the name that a chart's marks were given by Marks, empty for none.
	Marks string
}

// open begins a chart.
func (c *Chart) open(b *strings.Builder) {
	b.WriteString(`<svg class="chart" width="100%" height="` + strconv.Itoa(c.Height) + `" role="img"><title>` + html.EscapeString(c.Title) + `</title>`)
	if c.Desc != "" {
		b.WriteString(`<desc>` + html.EscapeString(c.Desc) + `</desc>`)
	}
	b.WriteString(`<rect class="ground" width="100%" height="100%"/>`)
	if c.Marks != "" {
		b.WriteString(`<use href="#` + html.EscapeString(c.Marks) + `"/>`)
	}
}

// Mark is something that happened: at a moment, or for a time.
type Mark struct {
	From, To time.Duration
	// Label is a short sign for it, Title its words.
	Label, Title string
	// Lasting: the time from From to To is shaded.
	Lasting bool
}

// Marks defines what charts draw of marks, once for all charts that lie below each other.
func Marks(name string, axis Axis, marks []Mark) string {
	var b strings.Builder
	b.WriteString(`<svg class="defs" width="0" height="0" aria-hidden="true"><defs><g id="` + html.EscapeString(name) + `">`)
	for _, m := range marks {
		from := axis.part(m.From)
		if m.Lasting && m.To > m.From {
			b.WriteString(`<rect class="during" x="` + percent(from) + `" width="` + percent(axis.part(m.To)-from) + `" height="100%"/>`)
		}
	}
	last := ""
	for _, m := range marks {
		if x := percent(axis.part(m.From)); x != last {
			b.WriteString(`<line class="mark" x1="` + x + `" x2="` + x + `" y2="100%"/>`)
			last = x
		}
	}
	b.WriteString(`</g></defs></svg>`)
	return b.String()
}

// near is how close two signs may stand, as a part of the width, before they are joined.
const near = 0.055

// mostTold is how many marks a joined sign tells of.
const mostTold = 10

// Signs draws the labels of marks in a row; labels that would cover each other are joined, as "2-4". Marks are in the
// order of their times.
func Signs(title string, axis Axis, marks []Mark) string {
	var b strings.Builder
	c := Chart{Axis: axis, Title: title, Height: 20}
	b.WriteString(`<svg class="chart signs" width="100%" height="20" role="img"><title>` + html.EscapeString(c.Title) + `</title>`)
	for i := 0; i < len(marks); {
		at := axis.part(marks[i].From)
		end := i + 1
		for end < len(marks) && axis.part(marks[end].From)-at < near {
			end++
		}
		label, titles := marks[i].Label, marks[i].Title
		for _, m := range marks[i+1 : min(end, i+mostTold)] {
			titles += "\n" + m.Title
		}
		if end-i > 1 {
			label += "–" + marks[end-1].Label
		}
		half := 9 + 3*max(0, len([]rune(label))-2)
		x := min(max(at, 0.02), 0.98)
		b.WriteString(`<svg x="` + percent(x) + `" y="10" overflow="visible"><title>` + html.EscapeString(titles) + `</title><rect class="sign" x="-` + strconv.Itoa(half) +
			`" y="-8" width="` + strconv.Itoa(2*half) + `" height="16" rx="8"/><text class="signtext" text-anchor="middle" y="4">` + html.EscapeString(label) + `</text></svg>`)
		i = end
	}
	b.WriteString(`</svg>`)
	return b.String()
}

// Times draws the time axis. format writes a moment.
func Times(axis Axis, format func(time.Duration) string) string {
	var b strings.Builder
	b.WriteString(`<svg class="chart times" width="100%" height="20" aria-hidden="true">`)
	for _, t := range Ticks(axis, 6) {
		x, anchor := axis.part(t), "middle"
		switch {
		case x < 0.03:
			anchor = "start"
		case x > 0.95:
			anchor = "end"
		}
		b.WriteString(`<line class="tick" x1="` + percent(x) + `" x2="` + percent(x) + `" y2="4"/><text x="` + percent(x) + `" y="16" text-anchor="` + anchor + `">` + html.EscapeString(format(t)) + `</text>`)
	}
	b.WriteString(`</svg>`)
	return b.String()
}

// Ticks returns round moments of an axis, from two to about most of them.
func Ticks(axis Axis, most int) []time.Duration {
	span := axis.To - axis.From
	if span <= 0 {
		return []time.Duration{axis.From}
	}
	step := span
	for _, s := range steps() {
		if span/s <= time.Duration(max(most-1, 1)) {
			step = s
			break
		}
	}
	var ticks []time.Duration
	first := axis.From / step * step
	if first < axis.From {
		first += step
	}
	for t := first; t <= axis.To; t += step {
		ticks = append(ticks, t)
		if t > math.MaxInt64-step {
			break
		}
	}
	return ticks
}

// steps are the distances between ticks.
func steps() []time.Duration {
	list := []time.Duration{}
	for unit := time.Millisecond; unit < time.Second; unit *= 10 {
		list = append(list, unit, 2*unit, 5*unit)
	}
	for _, unit := range []time.Duration{time.Second, time.Minute} {
		for _, n := range []time.Duration{1, 2, 5, 10, 15, 20, 30} {
			list = append(list, n*unit)
		}
	}
	for _, n := range []time.Duration{1, 2, 3, 6, 12, 24, 48, 96, 168, 336, 720, 1440, 4320, 8760, 87600, 876000} {
		list = append(list, n*time.Hour)
	}
	return list
}

// finite reports whether a value can be drawn.
func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }
