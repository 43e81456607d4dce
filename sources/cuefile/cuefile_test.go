package cuefile

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/sources/data"
)

// dump writes a tree with the text at each place.
func dump(b *strings.Builder, src, path string, n *data.Node) {
	fmt.Fprintf(b, "%s %d %q @%q\n", path, n.Kind, n.Text, clip(src[n.At.Start:n.At.End]))
	for _, p := range n.Pairs {
		fmt.Fprintf(b, "key @%q\n", clip(src[p.KeyAt.Start:p.KeyAt.End]))
		dump(b, src, path+"."+p.Key, p.Value)
	}
	for i, item := range n.Items {
		dump(b, src, fmt.Sprintf("%s[%d]", path, i), item)
	}
}

func clip(s string) string {
	if len(s) > 30 {
		return s[:30]
	}
	return s
}

func TestParse(t *testing.T) {
	const src = `package poolproof

_app: {side: "app", files: ["app/*.yaml"]}
let Base = 30
#Entry: {executor: string | *"gateway", ...}
sources: [_app, {side: "gateway"}]
pools: {
	for n in ["a"] {(n): #Entry & {minActive: Base + 1}}
	"a b": ratio: 0.50
}
hex: 0x1F
none: null
yes: true
text: "be_\(Base)"
`
	f := Parse([]byte(src))
	if len(f.Problems) > 0 {
		t.Fatal(f.Problems)
	}
	var b strings.Builder
	dump(&b, src, "", f.Documents[0].Root)
	const want = ` 5 "" @"package poolproof\n\n_app: {side"
key @"sources"
.sources 6 "" @"[_app, {side: \"gateway\"}]"
.sources[0] 5 "" @"_app"
key @"side"
.sources[0].side 4 "app" @"\"app\""
key @"files"
.sources[0].files 6 "" @"[\"app/*.yaml\"]"
.sources[0].files[0] 4 "app/*.yaml" @"\"app/*.yaml\""
.sources[1] 5 "" @"{side: \"gateway\"}"
key @"side"
.sources[1].side 4 "gateway" @"\"gateway\""
key @"pools"
.pools 5 "" @"{\n\tfor n in [\"a\"] {(n): #Entry"
key @"(n)"
.pools.a 5 "" @"#Entry & {minActive: Base + 1}"
key @"executor"
.pools.a.executor 4 "gateway" @"string | *\"gateway\""
key @"minActive"
.pools.a.minActive 2 "31" @"Base + 1"
key @"\"a b\""
.pools.a b 5 "" @"ratio: 0.50"
key @"ratio"
.pools.a b.ratio 3 "0.50" @"0.50"
key @"hex"
.hex 2 "31" @"0x1F"
key @"none"
.none 0 "" @"null"
key @"yes"
.yes 1 "true" @"true"
key @"text"
.text 4 "be_30" @"\"be_\\(Base)\""
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &b, want)
	}
}

func TestProblems(t *testing.T) {
	for _, tt := range []struct{ name, src, rule, text, at string }{
		{"syntax", "a: {", "source/syntax", "not valid CUE", ""},
		{"conflict", "a: 1\na: 2\nb: 3\n", "schema/invalid", "conflicting values", ""},
		{"open", "a: int\nb: 3\n", "schema/invalid", "a is left open", "int"},
		{"import", "import \"strings\"\na: strings.Repeat(\"x\", 1000000000)\n", "schema/invalid", "stand alone", `"strings"`},
		{"reference", "a: b\n", "schema/invalid", "reference", ""},
		{"brackets", "a: " + strings.Repeat("[", 1000000), "source/syntax", "nested", "["},
		{"labels", strings.Repeat("a: ", 300000), "source/syntax", "nested", ":"},
		{"labels over lines", strings.Repeat("a:\n ", 250000), "source/syntax", "nested", ":"},
		{"signs", "a: " + strings.Repeat("-\n", 500000) + "1", "source/syntax", "nested", "-"},
	} {
		f := Parse([]byte(tt.src))
		if len(f.Problems) == 0 {
			t.Errorf("%s: no problem", tt.name)
			continue
		}
		p := f.Problems[0]
		if at := tt.src[p.At.Start:p.At.End]; p.Rule != tt.rule || !strings.Contains(p.Text.En, tt.text) || at != tt.at {
			t.Errorf("%s: %s %q at %q", tt.name, p.Rule, p.Text.En, at)
		}
	}
}

// What would keep the evaluator busy for ever, or fill the memory, is refused before it starts.
func TestBombs(t *testing.T) {
	doubling := func(first, next string) string {
		var b strings.Builder
		b.WriteString("a0: " + first + "\n")
		for i := range 60 {
			fmt.Fprintf(&b, "a%d: %s\n", i+1, strings.ReplaceAll(next, "PREV", fmt.Sprintf("a%d", i)))
		}
		return b.String()
	}
	for name, src := range map[string]string{
		"lists":          doubling(`[1, 2]`, "[PREV, PREV]"),
		"structs":        doubling(`{x: 1}`, "{l: PREV, r: PREV}"),
		"texts":          doubling(`"x"`, `"\(PREV)\(PREV)"`),
		"sums":           doubling(`"x"`, `PREV + PREV`),
		"loops":          "l: [" + strings.Repeat("1,", 3000) + "]\nm: [for a in l for b in l for c in l {a}]\n",
		"loops in loops": "l: [" + strings.Repeat("1,", 3000) + "]\nm: [for a in l {x: [for b in l {y: b}]}]\n",
		"repetition":     `a: "x" * 1000000000` + "\n",
		"hidden factor":  "n: 1000000000\na: \"x\" * n\n",
		"big list":       "a: [1] * 100000000\n",
		"branches":       "a: 0" + strings.Repeat(" | 1", 20_000) + "\n",
		"fields":         "a: {" + numbered(50_000) + "}\n",
		"root fields":    numbered(50_000),
		"disjunctions":   doubling(`({x: 1} | {x: 2})`, `PREV & ({y: 1} | {y: 2})`),
	} {
		start := time.Now()
		f := Parse([]byte(src))
		if len(f.Problems) == 0 || !strings.Contains(f.Problems[0].Text.En, "too large") {
			t.Errorf("%s: %v", name, f.Problems)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s took %s", name, took)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("a: 1\nb: [a, \"\\(a)\"]\nc: {for k, v in b {\"\\(k)\": v}}\n"))
	f.Add([]byte("#D: {a: int | *1}\nx: #D & {a: 2}\ny: int\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		done := make(chan data.File, 1)
		go func() { done <- Parse(src) }()
		var file data.File
		select {
		case file = <-done:
		case <-time.After(10 * time.Second):
			t.Fatalf("no end in sight: %q", src)
		}
		for _, p := range file.Problems {
			if p.At.Start > p.At.End || int(p.At.End) > len(src) {
				t.Fatalf("%v is outside %q", p.At, src)
			}
		}
	})
}

// numbered writes n fields that differ.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "k%d: 1\n", i)
	}
	return b.String()
}

// TestManyFields: what is merely large is still evaluated.
func TestManyFields(t *testing.T) {
	if f := Parse([]byte("pools: {" + numbered(10_000) + "}\na: 0" + strings.Repeat(" | *1", 500) + "\n")); len(f.Problems) > 0 {
		t.Errorf("%v", f.Problems)
	} else if n := len(f.Documents[0].Root.Get("pools").Pairs); n != 10_000 {
		t.Errorf("%d fields", n)
	}
}
