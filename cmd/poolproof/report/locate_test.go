package report

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/poolproof/poolproof/schema"
)

// locateOne returns the position of one range of a text.
func locateOne(text string, start, end int) [4]int {
	f := []schema.Finding{{At: schema.Place{File: "f", Span: schema.At(start, end)}}}
	Locate(f, texts{"f": text}.source)
	return [4]int{f[0].At.Line, f[0].At.Column, f[0].At.EndLine, f[0].At.EndColumn}
}

func TestLocate(t *testing.T) {
	for name, c := range map[string]struct {
		text       string
		start, end int
		want       [4]int
	}{
		"first":                  {"abc\ndef", 0, 3, [4]int{1, 1, 1, 4}},
		"second line":            {"abc\ndef", 5, 6, [4]int{2, 2, 2, 3}},
		"characters, not bytes":  {"订单: ５秒", 8, 14, [4]int{1, 5, 1, 7}},
		"combining marks count":  {"cafe\u0301 x", 7, 8, [4]int{1, 7, 1, 8}},
		"end of a block":         {"a:\n  b\n  c\nd", 0, 11, [4]int{1, 1, 3, 4}},
		"carriage returns":       {"a\r\nbc\r\n", 3, 7, [4]int{2, 1, 2, 3}},
		"byte-order mark":        {"\ufeffabc", 4, 5, [4]int{1, 2, 1, 3}},
		"the mark itself":        {"\ufeffabc", 0, 3, [4]int{1, 1, 1, 1}},
		"no bytes":               {"abc", 2, 2, [4]int{1, 3, 1, 3}},
		"invalid bytes":          {"\xff\xfeab", 2, 3, [4]int{1, 3, 1, 4}},
		"inside a character":     {"a订b", 2, 3, [4]int{1, 2, 1, 3}},
		"beyond the end":         {"ab\nc", 100, 200, [4]int{2, 2, 2, 2}},
		"end before the start":   {"abc", 2, 1, [4]int{1, 3, 1, 3}},
		"ends beyond the end":    {"abc", 1, 99, [4]int{1, 2, 1, 4}},
		"nothing but line feeds": {"\n\n\n", 1, 3, [4]int{2, 1, 2, 1}},
		"empty text":             {"", 1, 2, [4]int{1, 1, 1, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := locateOne(c.text, c.start, c.end); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestLocateUnknownPlaces(t *testing.T) {
	f := []schema.Finding{
		{At: schema.Place{File: "f"}, Related: []schema.Related{{Place: schema.Place{File: "f"}}}}, // no range
		{At: schema.Place{File: "gone", Span: schema.At(3, 4)}},                                    // no text
		{}, // no file
		{At: schema.Place{File: "f", Span: schema.At(1, 2), Line: 7, Column: 8}}, // known already
	}
	Locate(f, texts{"f": "a\nb"}.source)
	got := [][2]int{{f[0].At.Line, f[0].At.Column}, {f[0].Related[0].Line, f[0].At.EndLine}, {f[1].At.Line, f[1].At.Column},
		{f[2].At.Line, 0}, {f[3].At.Line, f[3].At.Column}}
	if diff := cmp.Diff([][2]int{{1, 1}, {0, 0}, {0, 0}, {0, 0}, {7, 8}}, got); diff != "" {
		t.Error(diff)
	}
	Locate(f, nil) // no texts at all
}

func TestLocateReadsEachFileOnce(t *testing.T) {
	run := many(100)
	reads := map[string]int{}
	for i := range run.Findings {
		run.Findings[i].At.Line = 0
		run.Findings[i].Related[0].Line = 0
	}
	Locate(run.Findings, func(p schema.Place) ([]byte, bool) {
		reads[p.File]++
		return run.Source(p)
	})
	if diff := cmp.Diff(map[string]int{"app.yaml": 1, "haproxy.cfg": 1}, reads); diff != "" {
		t.Error(diff)
	}
	if run.Findings[99].At.Line != 100 || run.Findings[99].Related[0].Line != 100 {
		t.Errorf("the last finding is at %+v", run.Findings[99].At)
	}
}

// The sweep agrees with counting from the start of the text for each offset alone.
func TestLocateAgreesWithCounting(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "\n", "\r\n", "订", "\xff", "\xe8\xae", "😀", "e\u0301", " ", "\ufeff"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "text"), "")
		var findings []schema.Finding
		for range rapid.IntRange(1, 8).Draw(t, "places") {
			start := rapid.IntRange(0, len(text)+2).Draw(t, "start")
			end := rapid.IntRange(start, len(text)+3).Draw(t, "end")
			findings = append(findings, schema.Finding{At: schema.Place{File: "f", Span: schema.At(start, end)}})
		}
		Locate(findings, texts{"f": text}.source)
		for _, f := range findings {
			if !f.At.Span.Known() {
				continue
			}
			start, end := clampSpan([]byte(text), f.At.Span)
			line, column := countTo(text, start)
			endLine, endColumn := countTo(text, end)
			if got, want := [4]int{f.At.Line, f.At.Column, f.At.EndLine, f.At.EndColumn}, [4]int{line, column, endLine, endColumn}; got != want {
				t.Fatalf("%q %+v: got %v, want %v", text, f.At.Span, got, want)
			}
		}
	})
}

func countTo(text string, offset int) (line, column int) {
	line, column = 1, 1
	for i := 0; i < offset; {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '\n':
			line, column = line+1, 1
		case i > 0 || r != '\ufeff':
			column++
		}
		i += size
	}
	return line, column
}

// Ten thousand places in one file of 30 MB take one sweep, also when the file is one line: the bound is far above that
// and far below a sweep for each place.
func TestLocateIsLinear(t *testing.T) {
	text, findings := bigFile(10_000, 30<<20)
	data := []byte(text)
	reads := 0
	Locate(findings, func(schema.Place) ([]byte, bool) { reads++; return data, true })
	if reads != 1 || findings[0].At.Line != 1 || findings[0].At.Column != int(findings[0].At.Span.Start)+1 {
		t.Errorf("%d reads, first at %+v", reads, findings[0].At)
	}
}
