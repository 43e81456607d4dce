package data

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestBounded reads what hostile files are made of. Each takes a fraction of a second; what costs the square of its
// length takes far longer than the limit.
func TestBounded(t *testing.T) {
	const size = 1 << 18
	limit := 10 * time.Second
	inputs := map[string]string{
		"list of aliases": "a: &a 1\nb: [" + strings.Repeat("*a, ", size/4) + "]\n",
		"merges":          "a: &a {x: 1}\nb: {<<: [" + strings.Repeat("*a, ", size/4) + "]}\n",
		"bomb": "a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n" +
			"d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n",
		"quoted templates": "a: " + strings.Repeat("\"{{\"a ", size/6) + "}}",
	}
	for _, unit := range []string{
		"[", "[a, ", "{a: ", "- ", "? ", ": ", "a: ", "a: b\n", "- a\n", "-\n", "{{ ", "{{ x }} ", "{{ x }}\n", "a: {{ x }}\n", "{% if x %}a: b\n", "\"a\"b ", "\"a\n", "'a ",
		"# c\n", "a # c\n", "a b ", "a b\n", "---\n", "---\na: [\n", "...\n", "---\n*a\n", "&a ", "!a ", "- |\n  x\n", "\n", " ", "\t", "\r", "a: b\r\n", "a\u0085", "\x00", "\xff", "a：b\n", "- a：b\n", "\uFEFF",
		"x", "键", "%a\n", "[a]\n", "[[a]]\n", "a = 1\n", "a = [\n", "a = \"\"\"\n", "a.", "a={", "a = x\n", "[[a.b]]\nc=1\n", "a[1]", "a\\\n", "a=1\na.b=2\na[0]=3\n", "{\"a\":", "/*", "//", "\"\\", "{\"a\":1},",
	} {
		inputs[fmt.Sprintf("%q", unit)] = strings.Repeat(unit, size/len(unit))
	}
	for name, read := range map[string]func([]byte) File{"yaml": YAML, "json": JSON, "toml": TOML, "properties": Properties} {
		for input, src := range inputs {
			start := time.Now()
			check(t, read([]byte(src)), []byte(src), false)
			if d := time.Since(start); d > limit {
				t.Errorf("%s of %s took %v", name, input, d)
			}
		}
	}
}

// TestExpansion holds what aliases may add to a document to its bound.
func TestExpansion(t *testing.T) {
	src := "a: &a [" + strings.Repeat("x,", 1000) + "]\nb: [" + strings.Repeat("*a,", 1000) + "]\n"
	f := YAML([]byte(src))
	if len(f.Problems) != 1 || !strings.Contains(f.Problems[0].Text.En, "aliases expand") {
		t.Fatalf("problems %v", f.Problems)
	}
	if n := len(f.Documents[0].Root.Get("b").Items); n != 1000 {
		t.Errorf("%d items", n)
	}
	total := 0
	for _, item := range f.Documents[0].Root.Get("b").Items {
		total += len(item.Items)
	}
	if total > maxExpanded {
		t.Errorf("%d values", total)
	}
}

// TestExpandedText holds the text that aliases may add to a document to its bound: a long one is used many times.
func TestExpandedText(t *testing.T) {
	src := "a: &a " + strings.Repeat("x", 100_000) + "\nb: [" + strings.Repeat("*a,", 10_000) + "]\n"
	f := YAML([]byte(src))
	if len(f.Problems) != 1 || !strings.Contains(f.Problems[0].Text.En, "bytes; the rest is not read") {
		t.Fatalf("problems %v", f.Problems)
	}
	items := f.Documents[0].Root.Get("b").Items
	if len(items) != 10_000 || items[0].Text == "" {
		t.Fatalf("%d items", len(items))
	}
	total := 0
	for _, item := range items {
		total += len(item.Text)
	}
	if total > maxAliased {
		t.Errorf("%d bytes", total)
	}
}
