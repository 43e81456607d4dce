package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/schema"
)

func drillText(t *testing.T, lang string, verbose bool, list ...Drill) string {
	t.Helper()
	var b bytes.Buffer
	run := &Run{Tool: "poolproof", Lang: lang, Drills: list}
	if err := Render(&b, "console", run, Options{Verbose: verbose}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func same(s string) schema.Text { return schema.Text{En: s, Zh: s} }

// TestDrillSaysValues: what turned is said with its values, the first few of each, and the rest is counted.
func TestDrillSaysValues(t *testing.T) {
	d := Drill{Pool: "orders", Engine: "pool", Held: 8}
	for _, day := range []string{"a", "b", "c", "d", "e"} {
		d.Lines = append(d.Lines, DrillLine{Name: same(day + " availability"), Before: same("96.14 %"), After: same("79.71 %"), Worse: true})
	}
	d.Lines = append(d.Lines, DrillLine{Name: same("f availability"), Before: same("1 %"), After: same("2 %"), Better: true})
	for lang, want := range map[string]string{
		"en": "worse: a availability 96.14 % -> 79.71 %, b availability 96.14 % -> 79.71 %, c availability 96.14 % -> 79.71 % and 2 more; better: f availability 1 % -> 2 %\n",
		"zh": "变差：a availability 96.14 % -> 79.71 %，b availability 96.14 % -> 79.71 %，c availability 96.14 % -> 79.71 %等 5 项；变好：f availability 1 % -> 2 %\n",
	} {
		if text := drillText(t, lang, false, d); !strings.Contains(text, want) || strings.Contains(text, "%!") {
			t.Errorf("%s: %s", lang, text)
		}
	}
}

// TestDrillSaysWhyNot: the reasons why cases are not judged stand there once, for all pools together.
func TestDrillSaysWhyNot(t *testing.T) {
	none := func(id, why string) DrillLine {
		return DrillLine{Name: same(id), After: same("not applicable"), Observed: same(why), NotApplicable: true}
	}
	pool := func(name string) Drill {
		return Drill{Pool: name, Engine: "haproxy", NotApplicable: 3, Lines: []DrillLine{none("cooldown/forced", "no cooldown"), none("cooldown/early-recovery", "no cooldown"), none("ramp/middle-failure", "no batches")}}
	}
	text := drillText(t, "en", false, pool("orders"), pool("stock"))
	for _, want := range []string{"    not applicable: cooldown/forced, cooldown/early-recovery: no cooldown\n", "    not applicable: ramp/middle-failure: no batches\n"} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%q is not there once:\n%s", want, text)
		}
	}
	if text := drillText(t, "en", true, pool("orders")); strings.Count(text, "no batches") != 1 {
		t.Errorf("-v says it line by line:\n%s", text)
	}
	if text := drillText(t, "en", false, Drill{Pool: "orders", Held: 8, Lines: []DrillLine{{Name: same("x"), After: same("holds")}}}); strings.Contains(text, "not applicable:") {
		t.Errorf("all are judged:\n%s", text)
	}
	var many []DrillLine
	for _, why := range strings.Split("abcdefghij", "") {
		many = append(many, none("case "+why, why))
	}
	if text := drillText(t, "en", false, Drill{Pool: "orders", Lines: many}); !strings.Contains(text, "and 2 more reasons") {
		t.Errorf("%s", text)
	}
}
