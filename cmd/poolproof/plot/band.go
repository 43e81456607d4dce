package plot

import (
	"html"
	"strings"
	"time"
)

// Span is a stretch of a band.
type Span struct {
	From, To time.Duration
	// Class is how it is painted. Label stands in it where there is room; Title is its words.
	Class, Label, Title string
}

// room is how wide a stretch must be for its label, as a part of the width, and wide from when on a narrow screen shows it too.
const (
	room = 0.1
	wide = 0.3
)

// Band draws what something was over time. A stretch that is shorter than can be seen is drawn all the same.
func Band(c Chart, spans []Span) string {
	var b strings.Builder
	c.open(&b)
	for _, s := range spans {
		from, to := c.Axis.part(s.From), c.Axis.part(s.To)
		if s.To <= c.Axis.From || s.From >= c.Axis.To {
			continue
		}
		b.WriteString(`<rect class="` + html.EscapeString(s.Class) + `" x="` + percent(from) + `" width="` + percent(max(to-from, 0.002)) + `" height="100%"><title>` + html.EscapeString(s.Title) + `</title></rect>`)
	}
	for _, s := range spans {
		from, to := c.Axis.part(s.From), c.Axis.part(s.To)
		if s.Label == "" || to-from < room {
			continue
		}
		class := "in-band"
		if to-from < wide {
			class += " roomy"
		}
		b.WriteString(`<text class="` + class + `" x="` + percent((from+to)/2) + `" y="50%" text-anchor="middle" dominant-baseline="central">` + html.EscapeString(s.Label) + `</text>`)
	}
	b.WriteString(`</svg>`)
	return b.String()
}
