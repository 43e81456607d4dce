package plot

import (
	"html"
	"math"
	"strconv"
	"strings"
	"time"
)

// Curve is one value over time, a number for each slice of the axis; NaN where there is none.
type Curve struct {
	// Class is how it is painted, Name what its tooltip says. Label stands in the area of a stack, where there is room.
	Class, Name, Label string
	Values             []float64
}

// Scale is the vertical axis.
type Scale struct {
	Min, Max float64
	// Log: equal distances are equal factors. Min must be above 0 then.
	Log bool
	// Ticks are the values that have a line, Format their labels.
	Ticks  []float64
	Format func(float64) string
}

// part returns how high a value stands, from 0 to 1.
func (s *Scale) part(v float64) float64 {
	low, high := s.Min, s.Max
	if s.Log {
		low, high, v = math.Log(low), math.Log(high), math.Log(max(v, s.Min))
	}
	if high <= low {
		return 0
	}
	return min(1, max(0, (v-low)/(high-low)))
}

// Lines draws curves as steps: a value holds for its whole slice.
func Lines(c Chart, scale Scale, slice time.Duration, curves []Curve) string {
	var b strings.Builder
	c.open(&b)
	grid(&b, &scale)
	b.WriteString(board)
	for _, k := range curves {
		if d := stepLine(&c, &scale, slice, k.Values); d != "" {
			b.WriteString(`<path class="line ` + html.EscapeString(k.Class) + `" d="` + d + `"><title>` + html.EscapeString(k.Name) + `</title></path>`)
		}
	}
	b.WriteString(`</svg>`)
	labels(&b, &c, &scale)
	b.WriteString(`</svg>`)
	return b.String()
}

// Stack draws curves on top of each other, each from the one before up.
func Stack(c Chart, scale Scale, slice time.Duration, curves []Curve) string {
	var b strings.Builder
	c.open(&b)
	b.WriteString(board)
	var below []float64
	var signs strings.Builder
	for _, k := range curves {
		above := make([]float64, len(k.Values))
		some := false
		for i, v := range k.Values {
			above[i] = v
			some = some || v > 0
			if i < len(below) {
				above[i] += below[i]
			}
		}
		if some {
			b.WriteString(`<path class="area ` + html.EscapeString(k.Class) + `" d="` + stepArea(&c, &scale, slice, below, above) + `"><title>` + html.EscapeString(k.Name) + `</title></path>`)
		}
		if k.Label != "" {
			areaLabel(&signs, &c, &scale, slice, k.Label, below, above)
		}
		below = above
	}
	b.WriteString(`</svg>`)
	grid(&b, &scale)
	b.WriteString(signs.String())
	labels(&b, &c, &scale)
	b.WriteString(`</svg>`)
	return b.String()
}

// tall is how many pixels high an area must be to hold its label, long how much of the width it must last.
const (
	tall = 15
	long = 0.05
)

// areaLabel writes the label of an area where it is high enough for the longest time.
func areaLabel(b *strings.Builder, c *Chart, s *Scale, slice time.Duration, label string, below, above []float64) {
	ground := func(i int) float64 {
		if i < len(below) {
			return below[i]
		}
		return s.Min
	}
	fits := func(i int) bool {
		return finite(above[i]) && finite(ground(i)) && (s.part(above[i])-s.part(ground(i)))*float64(c.Height) >= tall
	}
	from, to := 0, 0
	for i := 0; i < len(above); i++ {
		start := i
		for i < len(above) && fits(i) {
			i++
		}
		if i-start > to-from {
			from, to = start, i
		}
	}
	x := func(i int) float64 { return c.Axis.part(c.Axis.From + time.Duration(i)*slice) }
	if x(to)-x(from) < long {
		return
	}
	mid := (from + to) / 2
	y := 1 - (s.part(above[mid])+s.part(ground(mid)))/2
	b.WriteString(`<text class="in-area" x="` + percent((x(from)+x(to))/2) + `" y="` + percent(y) + `" text-anchor="middle" dominant-baseline="central">` + html.EscapeString(label) + `</text>`)
}

func grid(b *strings.Builder, s *Scale) {
	for _, t := range s.Ticks {
		y := percent(1 - s.part(t))
		b.WriteString(`<line class="grid" x2="100%" y1="` + y + `" y2="` + y + `"/>`)
	}
}

// crowded is how close labels of the grid may be, in pixels.
const crowded = 15

// labels names the lines of the grid, at the left below each. Where lines are close, some have no name.
func labels(b *strings.Builder, c *Chart, s *Scale) {
	last := 0.0
	for _, t := range s.Ticks {
		at := s.part(t) * float64(c.Height)
		if at-last < crowded {
			continue // the ground line needs no name
		}
		last = at
		b.WriteString(`<text class="scale" x="3" y="` + percent(1-s.part(t)) + `" dy="11">` + html.EscapeString(s.Format(t)) + `</text>`)
	}
}

// place returns the ends of a slice on the board.
func place(c *Chart, slice time.Duration, i int) (from, to string) {
	at := c.Axis.From + time.Duration(i)*slice
	return short(boardWidth*c.Axis.part(at), 0), short(boardWidth*c.Axis.part(at+slice), 0)
}

func height(s *Scale, v float64) string { return short(boardHeight*(1-s.part(v)), 0) }

// stepLine writes the path of a curve. A value that stays costs nothing.
func stepLine(c *Chart, s *Scale, slice time.Duration, values []float64) string {
	var b strings.Builder
	last := ""
	for i, v := range values {
		if !finite(v) {
			last = ""
			continue
		}
		from, to := place(c, slice, i)
		y := height(s, v)
		switch last {
		case "":
			b.WriteString("M" + from + " " + y)
		case y:
		default:
			b.WriteString("H" + from + "V" + y)
		}
		last = y
		if i+1 == len(values) || !finite(values[i+1]) {
			b.WriteString("H" + to)
		}
	}
	return b.String()
}

// stepArea writes the path of what lies between two curves.
func stepArea(c *Chart, s *Scale, slice time.Duration, below, above []float64) string {
	edge := func(values []float64, i int) string {
		if i >= len(values) || !finite(values[i]) {
			return strconv.Itoa(boardHeight)
		}
		return height(s, values[i])
	}
	var b strings.Builder
	n := len(above)
	last := edge(above, 0)
	b.WriteString("M0 " + last)
	for i := 1; i < n; i++ {
		if y := edge(above, i); y != last {
			from, _ := place(c, slice, i)
			b.WriteString("H" + from + "V" + y)
			last = y
		}
	}
	_, end := place(c, slice, n-1)
	last = edge(below, n-1)
	b.WriteString("H" + end + "V" + last)
	for i := n - 2; i >= 0; i-- {
		if y := edge(below, i); y != last {
			_, to := place(c, slice, i)
			b.WriteString("H" + to + "V" + y)
			last = y
		}
	}
	b.WriteString("H0Z")
	return b.String()
}

// Rates returns the scale of rates that go up to some value, from 0 to 1.
func Rates(most float64) Scale {
	top := 1.0
	for _, t := range []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5} {
		if most <= t {
			top = t
			break
		}
	}
	return Scale{Max: top, Ticks: []float64{0, top / 2, top}, Format: func(f float64) string { return short(100*f, 2) + " %" }}
}

// Decades returns a scale by factors of ten that holds all values above 0. Values are seconds; format writes them.
func Decades(low, high float64, format func(time.Duration) string) Scale {
	if low <= 0 || !finite(low) {
		low = 0.001
	}
	if !finite(high) {
		high = low
	}
	// From a nanosecond to more than a lifetime: what lies beyond stands at the edge.
	low = min(max(low, 1e-9), 1e9)
	high = min(max(high, low), 1e9)
	from, to := math.Floor(math.Log10(low)+1e-9), math.Ceil(math.Log10(high)-1e-9)
	if to <= from {
		to = from + 1
	}
	s := Scale{Min: math.Pow(10, from), Max: math.Pow(10, to), Log: true}
	for e := from; e <= to; e++ {
		s.Ticks = append(s.Ticks, math.Pow(10, e))
	}
	s.Format = func(f float64) string { return format(time.Duration(math.Round(f * 1e9))) }
	return s
}
