package markdown

import (
	"testing"
)

func TestInline(t *testing.T) {
	for _, c := range []struct{ src, text, place string }{
		{"10.0.0.1", "10.0.0.1", "10.0.0.1"},
		{" `10.0.0.1` ", "10.0.0.1", "10.0.0.1"},
		{"`` a`b ``", "a`b", "a`b"},
		{"**2 s**", "2 s", "2 s"},
		{"*2* s", "2 s", "2* s"},
		{"__x__", "x", "x"},
		{"~~old~~", "", "~~old~~"},
		{"~~old~~ new", "new", "new"},
		{"was ~~a~~ ~~b~~ c", "was   c", "was ~~a~~ ~~b~~ c"},
		{"<del>old</del> new <S>x</s>", "new", "new"},
		{"~~a", "~~a", "~~a"},
		{"~~ a~~", "~~ a~~", "~~ a~~"},
		{"~2s", "~2s", "~2s"},
		{"~~~a~~~", "~~~a~~~", "~~~a~~~"},
		{"<del>a", "a", "a"},
		{"be_orders_v2", "be_orders_v2", "be_orders_v2"},
		{"_be_orders_", "be_orders", "be_orders"},
		{"*.example.com", "*.example.com", "*.example.com"},
		{"*", "*", "*"},
		{"5 * 3", "5 * 3", "5 * 3"},
		{"[h](https://x.example/a(b)c)", "h", "h"},
		{"[`h`][ref]", "h", "h"},
		{"[h", "[h", "[h"},
		{"[200, 302]", "[200, 302]", "[200, 302]"},
		{"![alt](x.png)", "alt", "alt"},
		{"<https://h.example:81/>", "https://h.example:81/", "https://h.example:81/"},
		{`<a id="x" href="#x">` + "`checkPeriod`</a>", "checkPeriod", "checkPeriod"},
		{"a<br/>b", "a\nb", "a<br/>b"},
		{"<host>", "<host>", "<host>"},
		{"a <!-- note --> b", "a  b", "a <!-- note --> b"},
		{"a <!-- open", "a", "a"},
		{`a\|b`, "a|b", `a\|b`},
		{"`a\\|b`", "a|b", `a\|b`},
		{`\*x\*`, "*x*", `*x\*`},
		{"5&nbsp;s", "5 s", "5&nbsp;s"},
		{"&unknown;", "&unknown;", "&unknown;"},
		{"a & b", "a & b", "a & b"},
		{"`unclosed", "`unclosed", "`unclosed"},
		{"", "", ""},
	} {
		p := parser{src: c.src}
		got := p.cell(0, len(c.src))
		if got.Text != c.text || c.src[got.At.Start:got.At.End] != c.place {
			t.Errorf("%q is %q at %q, want %q at %q", c.src, got.Text, c.src[got.At.Start:got.At.End], c.text, c.place)
		}
	}
}

// The cells of GitHub's rule, where goldmark drops the last one if it is empty.
func TestSplit(t *testing.T) {
	for src, want := range map[string][]string{
		"| a | b |": {"a", "b"}, "a | b": {"a", "b"}, "| a | b": {"a", "b"}, "a | b |": {"a", "b"}, "| a || b |": {"a", "", "b"}, "| a ||": {"a", ""},
		"||": {""}, "|||": {"", ""}, "|": {""}, `| a \| b |`: {"a | b"}, `| a \|`: {"a |"}, "| `a \\| b` | c |": {"a | b", "c"}, "| `a | b` |": {"`a", "b`"},
	} {
		p := parser{src: src}
		n, _ := p.split(line{start: 0, end: len(src)}, 10)
		var got []string
		for _, c := range p.cells {
			got = append(got, c.Text)
		}
		if n != len(want) || !equal(got, want) {
			t.Errorf("%q has %d cells %q, want %q", src, n, got, want)
		}
	}
}

func equal(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
