package report

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/schema"
)

// caretUnder renders one finding at the first occurrence of what in a text and returns the source line and its marks.
func caretUnder(t *testing.T, text, what string, opts Options) (line, marks string) {
	t.Helper()
	m := texts{"f": text}
	run := &Run{Tool: "poolproof", Source: m.source, Findings: []schema.Finding{{Rule: "a/b", At: m.at(schema.App, "f", what)}}}
	finish(run)
	lines := strings.Split(string(render(t, "console", run, opts)), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "   | ") {
			return strings.SplitN(lines[i-1], " | ", 2)[1], strings.TrimPrefix(l, "   | ")
		}
	}
	t.Fatalf("no marks in\n%s", strings.Join(lines, "\n"))
	return "", ""
}

// The marks stand exactly under the value, whatever precedes it.
func TestCaretsStandUnderTheValue(t *testing.T) {
	for _, c := range []struct{ text, what, shown string }{
		{"weight: 5", "5", "5"},
		{"订单权重: 5", "5", "5"},
		{"\t\tweight:\t5", "5", "5"},
		{"ａｂｃ：５秒", "５秒", "５秒"},
		{"👩‍💻🇨🇳👍🏽 x 5s", "5s", "5s"},
		{"cafe\u0301 e\u0301 5s", "5s", "5s"},
		{"\x1b[31m\x00 \u202e 5s", "5s", "5s"},
		{"bad \xff\xfe 5s", "5s", "5s"},
		{"a \u200b 10.0.0.1\u200b b", "10.0.0.1\u200b", `10.0.0.1\u200b`},
		{"\ufeffweight: 5", "5", "5"},
		{"password: secret, weight: 5", "5", "5"},
		{"first\nsecond: 5\r\nthird", "5", "5"},
		{"last: 订单", "订单", "订单"},
		{strings.Repeat("订", 3000) + " 5s " + strings.Repeat("单", 3000), "5s", "5s"},
		{strings.Repeat("x", 5000) + "\t5s", "5s", "5s"},
		{"a: '" + strings.Repeat("y", 5000) + "'", "'" + strings.Repeat("y", 5000) + "'", "'yyyyyyyy"},
	} {
		for _, width := range []int{0, 40, 200} {
			line, marks := caretUnder(t, c.text, c.what, Options{Width: width})
			i := strings.Index(line, c.shown)
			if i < 0 {
				t.Errorf("%.30q: %q is not in %q", c.text, c.shown, line)
				continue
			}
			if got, want := len(marks)-len(strings.TrimLeft(marks, " ")), cells(line[:i]); got != want {
				t.Errorf("%.30q: marks at %d, value at %d\n%s\n%s", c.text, got, want, line, marks)
			}
			if got, want := strings.Count(marks, "^"), cells(c.shown); got < want || len(c.what) < 100 && got != want {
				t.Errorf("%.30q: %d marks for %d cells", c.text, got, want)
			}
			if limit := max(width, 40); width > 0 && cells(line) > limit {
				t.Errorf("%.30q: line takes %d of %d cells", c.text, cells(line), limit)
			}
		}
	}
}

func TestEmptyRangeHasOneMark(t *testing.T) {
	m := texts{"f": "members:\n"}
	run := &Run{Source: m.source, Findings: []schema.Finding{{At: schema.Place{File: "f", Span: schema.At(8, 8)}}}}
	finish(run)
	if out := string(render(t, "console", run, Options{})); !strings.Contains(out, "\n   |         ^\n") {
		t.Error(out)
	}
}

// A report must survive a text that is not the one that was judged.
func TestTextChangedMeanwhile(t *testing.T) {
	m := texts{"f": "a: 1\nb: 2\nc: 3\n"}
	run := &Run{Source: m.source, Findings: []schema.Finding{{At: m.at(schema.App, "f", "3")}, {At: m.at(schema.App, "f", "a: 1\nb")}}}
	finish(run)
	for _, text := range []string{"", "x", "a: 1"} {
		m["f"] = text
		for _, format := range Formats() {
			render(t, format, run, Options{})
		}
	}
}

func FuzzExcerpts(f *testing.F) {
	f.Add([]byte("a: 订单\n\tb: \x1b 5s\r\n"), uint32(3), uint32(9), 40)
	f.Add([]byte("\ufeffpassword: x"), uint32(0), uint32(4), 50)
	f.Add([]byte(strings.Repeat("👩‍💻", 200)), uint32(900), uint32(950), 60)
	f.Fuzz(func(t *testing.T, src []byte, start, end uint32, width int) {
		width = 30 + max(width, -width)%300
		if width < 30 {
			return
		}
		findings := []schema.Finding{{At: schema.Place{File: "f", Span: schema.Span{Start: start, End: end}}}}
		Locate(findings, func(schema.Place) ([]byte, bool) { return src, true })
		for _, e := range excerpts(src, &findings[0].At, width) {
			for _, part := range []string{e.before, e.marked, e.after} {
				if visible(part) != part {
					t.Errorf("%q is not shown", part)
				}
			}
			if n := cells(e.before) + cells(e.marked) + cells(e.after); n > width+2 {
				t.Errorf("%d cells of %d: %q %q %q", n, width, e.before, e.marked, e.after)
			}
			if e.line < 1 {
				t.Errorf("line %d", e.line)
			}
		}
	})
}
