package mapped

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
)

func TestParse(t *testing.T) {
	k := func(s string) step { return step{kind: byKey, key: s} }
	for text, want := range map[string]expr{
		"a":                   {steps: []step{k("a")}},
		"a.b-c.d e":           {steps: []step{k("a"), k("b-c"), k("d e")}},
		" a . b ":             {steps: []step{k("a"), k("b")}},
		"a[*].b[3]":           {steps: []step{k("a"), {kind: everyItem}, k("b"), {kind: byIndex, index: 3}}},
		"[0][1]":              {steps: []step{{kind: byIndex}, {kind: byIndex, index: 1}}},
		"a.*.b":               {steps: []step{k("a"), {kind: everyKey}, k("b")}},
		"*":                   {steps: []step{{kind: everyKey}}},
		".":                   {},
		`a."b.c[0] | d".e`:    {steps: []step{k("a"), {kind: byKey, key: "b.c[0] | d", quoted: true}, k("e")}},
		`"say \"hi\" \\"`:     {steps: []step{{kind: byKey, key: `say "hi" \`, quoted: true}}},
		"a|ms":                {steps: []step{k("a")}, unit: unit{"ms", time.Millisecond}},
		"a.b | d":             {steps: []step{k("a"), k("b")}, unit: unit{"d", 24 * time.Hour}},
		"a | percent":         {steps: []step{k("a")}, unit: unit{name: "percent"}},
		"a | %":               {steps: []step{k("a")}, unit: unit{name: "percent"}},
		"a.b*":                {steps: []step{k("a"), k("b*")}},
		"健康检查.间隔 | s":         {steps: []step{k("健康检查"), k("间隔")}, unit: unit{"s", time.Second}},
		`weird key.with$igns`: {steps: []step{k("weird key"), k("with$igns")}},
	} {
		want.text = text
		got, why, ok := parse(text)
		if !ok {
			t.Errorf("%s is refused: %s", text, why.En)
			continue
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(expr{}, step{}, unit{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, why := range map[string]string{
		"": "empty", "  ": "empty", "| ms": "empty", ".a": "starts with a key", "a.": "after '.'", "a..b": "between two dots", "a[": "without ']'",
		"a[x]": "neither [*]", "a[-1]": "neither [*]", "a[]": "neither [*]", "a.[0]": "after '.'", `"a`: "not closed", "a[0]b": "missing before",
		`"a"b`: "missing before", "a | min": "unknown unit", "a | ms | s": "unknown unit", "a |": "unknown unit",
		strings.Repeat("a.", 70) + "a": "more than",
	} {
		if _, got, ok := parse(text); ok || !strings.Contains(got.En, why) {
			t.Errorf("%q: ok=%v, %q; want a refusal that says %q", text, ok, got.En, why)
		} else if got.Zh == "" {
			t.Errorf("%q: no Chinese text", text)
		}
	}
}

func FuzzExpr(f *testing.F) {
	for _, s := range []string{"a.b[*].c | ms", `"a.b".*`, "[3]", ".", "a[", "|"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, why, ok := parse(text)
		if ok == (why != schema.Text{}) {
			t.Errorf("%q: ok=%v with reason %q", text, ok, why.En)
		}
		if len(e.steps) > maxSteps {
			t.Errorf("%q: %d steps", text, len(e.steps))
		}
	})
}
