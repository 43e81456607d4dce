package plot

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// wellFormed reads a drawing as XML, which SVG is.
func wellFormed(t interface {
	Helper()
	Fatalf(string, ...any)
}, svg string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		to   time.Duration
		want string
	}{
		{0, "0s"},
		{90 * time.Second, "0s 20s 40s 1m0s 1m20s"},
		{3 * time.Minute, "0s 1m0s 2m0s 3m0s"},
		{2 * time.Hour, "0s 30m0s 1h0m0s 1h30m0s 2h0m0s"},
		{24 * time.Hour, "0s 6h0m0s 12h0m0s 18h0m0s 24h0m0s"},
		{10 * time.Millisecond, "0s 2ms 4ms 6ms 8ms 10ms"},
	} {
		var got []string
		for _, tick := range Ticks(Axis{To: c.to}, 6) {
			got = append(got, tick.String())
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("to %s: %s, want %s", c.to, s, c.want)
		}
	}
}

// TestTicksBounded: however long the axis, there are few ticks, at round moments inside of it.
func TestTicksBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := time.Duration(rapid.Int64Range(0, int64(1000*time.Hour)).Draw(t, "from"))
		a := Axis{From: from, To: from + time.Duration(rapid.Int64Range(0, int64(200*365*24*time.Hour)).Draw(t, "span"))}
		ticks := Ticks(a, 6)
		if len(ticks) > 8 {
			t.Fatalf("%d ticks", len(ticks))
		}
		for _, x := range ticks {
			if x < a.From || x > a.To {
				t.Fatalf("%s is outside", x)
			}
		}
	})
}

func TestBand(t *testing.T) {
	got := Band(Chart{Axis: Axis{To: 100 * time.Second}, Title: "a <b>", Desc: "d", Height: 20, Marks: "m"}, []Span{
		{From: -5 * time.Second, To: 50 * time.Second, Class: "in", Label: "in", Title: "in"},
		{From: 50 * time.Second, To: 50 * time.Second, Class: "out", Label: "out", Title: "out"},
		{From: 50 * time.Second, To: 65 * time.Second, Class: "cooling", Label: "cooling", Title: `"&"`},
		{From: 100 * time.Second, To: 200 * time.Second, Class: "late"},
	})
	want := `<svg class="chart" width="100%" height="20" role="img"><title>a &lt;b&gt;</title><desc>d</desc><rect class="ground" width="100%" height="100%"/><use href="#m"/>` +
		`<rect class="in" x="0%" width="50%" height="100%"><title>in</title></rect><rect class="out" x="50%" width="0.2%" height="100%"><title>out</title></rect>` +
		`<rect class="cooling" x="50%" width="15%" height="100%"><title>&#34;&amp;&#34;</title></rect>` +
		`<text class="in-band" x="25%" y="50%" text-anchor="middle" dominant-baseline="central">in</text><text class="in-band roomy" x="57.5%" y="50%" text-anchor="middle" dominant-baseline="central">cooling</text></svg>`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestPaths(t *testing.T) {
	c, s := Chart{Axis: Axis{To: 4 * time.Second}, Height: 100}, Scale{Max: 1, Format: func(float64) string { return "" }}
	nan := math.NaN()
	for _, x := range []struct {
		name, got, want string
	}{
		{"steps", stepLine(&c, &s, time.Second, []float64{0, 1, 1, 0.5}), "M0 200H250V0H750V100H1000"},
		{"a value that stays", stepLine(&c, &s, time.Second, []float64{0.5, 0.5, 0.5, 0.5}), "M0 100H1000"},
		{"a gap", stepLine(&c, &s, time.Second, []float64{1, nan, nan, 0}), "M0 0H250M750 200H1000"},
		{"nothing", stepLine(&c, &s, time.Second, []float64{nan, nan}), ""},
		{"an area", stepArea(&c, &s, time.Second, nil, []float64{1, 1, 0.5, 0.5}), "M0 0H500V100H1000V200H0Z"},
		{"on another", stepArea(&c, &s, time.Second, []float64{0.5, 0.5, 0, 0}, []float64{1, 1, 1, 1}), "M0 0H1000V200H500V100H0Z"},
	} {
		if x.got != x.want {
			t.Errorf("%s: %s, want %s", x.name, x.got, x.want)
		}
	}
}

func TestScales(t *testing.T) {
	if s := Rates(0.07); s.Max != 0.1 || s.Format(0.05) != "5 %" {
		t.Errorf("rates: %+v", s)
	}
	if s := Rates(0); s.Max != 0.01 {
		t.Errorf("no errors: %+v", s)
	}
	d := Decades(0.02, 3, time.Duration.String)
	if d.Min != 0.01 || d.Max != 10 || len(d.Ticks) != 4 || d.Format(0.1) != "100ms" || d.part(0.1) < 0.332 || d.part(0.1) > 0.334 || d.part(0) != 0 {
		t.Errorf("decades: %+v, 0.1 at %v", d, d.part(0.1))
	}
	for _, odd := range [][2]float64{{0, 0}, {1, 1}, {math.NaN(), 5}, {5, 1}} {
		if d := Decades(odd[0], odd[1], time.Duration.String); !(d.Min > 0 && d.Max > d.Min) || len(d.Ticks) < 2 {
			t.Errorf("%v: %+v", odd, d)
		}
	}
}

func TestSigns(t *testing.T) {
	axis := Axis{To: 100 * time.Second}
	at := func(s int, label string) Mark {
		return Mark{From: time.Duration(s) * time.Second, Label: label, Title: "event " + label}
	}
	got := Signs("events", axis, []Mark{at(10, "1"), at(12, "2"), at(13, "3"), at(50, "4")})
	wellFormed(t, got)
	if !strings.Contains(got, ">1–3<") || !strings.Contains(got, ">4<") || !strings.Contains(got, "event 2") {
		t.Errorf("neighbours are not joined: %s", got)
	}
	marks := Marks("m", axis, []Mark{{From: 10 * time.Second, To: 30 * time.Second, Lasting: true}, {From: 10 * time.Second}})
	wellFormed(t, marks)
	if n := strings.Count(marks, "<line"); n != 1 || !strings.Contains(marks, `x="10%" width="20%"`) {
		t.Errorf("%d lines in %s", n, marks)
	}
}

// TestAnything: whatever is to be drawn, the drawing is well-formed, holds no number that is none, and is the same again.
func TestAnything(t *testing.T) {
	values := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-2, 1e6), rapid.Just(math.NaN()), rapid.Just(math.Inf(1))), 0, 20)
	rapid.Check(t, func(t *rapid.T) {
		c := Chart{Axis: Axis{To: time.Duration(rapid.Int64Range(-1, int64(time.Hour)).Draw(t, "to"))}, Title: rapid.StringMatching(`[<>&"' a]*`).Draw(t, "title"), Height: 80}
		slice := time.Duration(rapid.Int64Range(1, int64(time.Minute)).Draw(t, "slice"))
		curves := []Curve{{Class: "a", Name: c.Title, Label: c.Title, Values: values.Draw(t, "one")}, {Class: "b", Label: "x", Values: values.Draw(t, "two")}}
		scale := Rates(rapid.Float64Range(0, 1).Draw(t, "most"))
		for _, draw := range []func() string{
			func() string { return Stack(c, scale, slice, curves) },
			func() string { return Lines(c, scale, slice, curves) },
			func() string {
				return Lines(c, Decades(rapid.Float64().Draw(t, "low"), 1, time.Duration.String), slice, curves)
			},
			func() string { return Times(c.Axis, time.Duration.String) },
		} {
			svg := draw()
			wellFormed(t, svg)
			if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
				t.Fatalf("no number in %s", svg)
			}
		}
		if Stack(c, scale, slice, curves) != Stack(c, scale, slice, curves) {
			t.Fatalf("not the same again")
		}
	})
}
