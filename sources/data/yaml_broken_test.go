package data

import (
	"fmt"
	"strings"
	"testing"
)

// brokenYAML are documents that no YAML reader takes, with the line that a careful person would point at.
var brokenYAML = []struct {
	name, src string
	line      int
	says      string
}{
	{"tab indents", "pools:\n  stock:\n\tmembers: []\n", 3, "a tab indents this line"},
	{"tab after spaces", "a:\n  b: 1\n  \tc: 2\n", 3, "a tab indents this line"},
	{"tab below a list", "a:\n- b: 1\n\tc: 2\n", 3, "a tab indents this line"},
	{"tab in the first line", "\ta: 1\nb: 2\n", 1, "a tab indents this line"},
	{"tab before a dash", "a:\n\t- b\n", 2, "a tab indents this line"},
	{"tab deep in a long file", "a: 1\nb: 2\nc:\n  d: 1\n  e:\n    f: 1\n\t  g: 1\nh: 1\n", 7, "a tab indents this line"},
	{"double quote not closed", "a: 1\nb: \"x\nc: 2\nd: 3\n", 2, "the quote opened here"},
	{"single quote not closed", "a: 1\nb: 'x\nc: 2\n", 2, "the quote opened here"},
	{"quote closed by another text", "a: \"x\nb: \"y\"\nc: 1\n", 1, "the quote opened here"},
	{"apostrophe in single quotes", "a: 1\nb: 'it's'\nc: 2\n", 2, "after the closing quote"},
	{"text after a quote", "a: 1\nb: \"x\" y\n", 2, "after the closing quote"},
	{"bracket not closed", "a: 1\nb: [1, 2\nc: 3\n", 2, "the bracket ["},
	{"brace not closed", "a: {b: 1\nc: 3\n", 1, "the bracket {"},
	{"inner bracket not closed", "a: [1, [2, 3]\nc: 3\n", 1, "the bracket ["},
	{"wrong bracket", "a: 1\nb: [1, 2}\n", 2, "} closes a bracket"},
	{"bracket not closed, long file", "x:\n  y:\n    hosts: [a, b\n    port: 80\n    path: /x\nz: 1\n", 3, "the bracket ["},
	{"missing comma", "a: [\"x\" \"y\"]\n", 1, "a comma is missing"},
	{"address without quotes", "x: 1\na: [::1]:80\n", 2, "opens a list in YAML"},
	{"address in a list", "x:\n- 10.0.0.1:80\n- [2001:db8::1]:80\n", 3, "opens a list in YAML"},
	{"addresses in a flow list", "x: 1\na: [[::1]:80, [::2]:80]\n", 2, "opens a list in YAML"},
	{"missing space after colon", "a: 1\nb:2\nc: 3\n", 2, "no space after the colon"},
	{"missing colon", "a: 1\nb\nc: 3\n", 2, "a key with a colon"},
	{"full-width colon", "interval: 10s\ntimeout：30s\n", 2, "full-width colon"},
	{"full-width colon first", "timeout：30s\ninterval: 10s\n", 1, "full-width colon"},
	{"full-width colon in a list", "members:\n- host: a\n  port：80\n  weight: 1\n", 3, "full-width colon"},
	{"second colon", "a: 1\nmsg: error: bad\n", 2, "a second"},
	{"key below a value", "a: 1\n  b: 2\n", 2, "goes on here"},
	{"key too deep in a list", "m:\n  - host: a\n     port: 1\n", 3, "goes on here"},
	{"dedent to no level", "a:\n    b: 1\n  c: 2\nd: 1\n", 3, "indented neither"},
	{"dedent in a list", "a:\n    - b\n  - c\n", 3, "indented neither"},
	{"deeper after a quoted value", "a: \"x\"\n  b: 1\n", 2, "indented neither"},
	{"key in a list", "a:\n  - x\n  b: 1\n", 3, "a key stands where"},
	{"entry in a mapping", "a: 1\n- b\n", 2, "stands where the next key"},
	{"at sign", "a: 1\nb: @x\n", 2, "cannot start with @"},
	{"backtick", "a: `x`\n", 1, "cannot start with `"},
	{"percent", "a: 1\nb: %x\n", 2, "cannot start with %"},
	{"wildcard host", "a: 1\nhost: *.example.com\n", 2, "* starts an alias"},
	{"unknown alias", "a: &x 1\nb: *y\nc: *x\n", 2, "this alias names no anchor"},
	{"unknown alias in a list", "a: 1\nb: [1, *y]\n", 2, "this alias names no anchor"},
	{"unknown escape", "a: 1\nb: \"C:\\dir\"\n", 2, "\\d is no escape"},
	{"folded text on its own line", "a: 1\nb: > text\n  more\n", 2, "| and > start a text"},
	{"no-break space indents a value", "a: 1\n\u00A0\u00A0b\n", 2, "a no-break space (U+00A0)"},
	{"full-width colon in a mapping of its own", "probe:\n  interval：5s\n  timeout：2s\n", 2, "full-width colon"},
	{"full-width colon in an entry", "m:\n- host：a\n", 2, "full-width colon"},
	{"full-width colon, nothing else", "timeout：30s\n", 1, "full-width colon"},
	{"closing bracket alone", "a: 1\n]\nb: 2\n", 2, ""},
	{"NUL", "a: 1\nb: x\x00y\n", 2, "a NUL byte"},
	{"no UTF-8", "a: 1\n# caf\xE9\nb: 2\n", 2, "byte 0xE9 is no UTF-8"},
	{"control character", "a: 1\nb: \x1b[0m\n", 2, "the control character U+001B"},
	{"windows line ends", "a: 1\r\nb:\r\n\tc: 2\r\n", 3, "a tab indents this line"},
	{"second document", "a: 1\n---\nb: 1\n\tc: 2\n---\nd: 1\n", 4, "a tab indents this line"},
	{"nested too deeply", "a: 1\nb: " + strings.Repeat("[", 600) + strings.Repeat("]", 600) + "\n", 2, "nested too deeply"},
	{"nested beyond yaml.v3", "a: 1\nb: " + strings.Repeat("[", 100000) + "\n", 2, "nested too deeply"},
	{"dashes beyond yaml.v3", "a: 1\nb:\n  " + strings.Repeat("- ", 100000) + "x\n", 3, "nested too deeply"},
}

func TestBrokenYAML(t *testing.T) {
	for _, c := range brokenYAML {
		t.Run(c.name, func(t *testing.T) {
			f := YAML([]byte(c.src))
			if len(f.Problems) != 1 {
				t.Fatalf("%d problems:\n%s", len(f.Problems), dump(f, c.src))
			}
			p := f.Problems[0]
			if p.Rule != "source/syntax" || !strings.Contains(p.Text.En, c.says) || p.Text.Zh == "" {
				t.Errorf("problem %s: %s / %s", p.Rule, p.Text.En, p.Text.Zh)
			}
			if line, _, _ := strings.Cut(lineColumn(c.src, int(p.At.Start)), ":"); line != fmt.Sprint(c.line) {
				t.Errorf("line %s, want %d: %s", line, c.line, p.Text.En)
			}
			if p.At.Start >= p.At.End || int(p.At.End) > len(c.src) {
				t.Errorf("place %v", p.At)
			}
		})
	}
}

// TestBrokenAmongOthers: one broken document costs none of those around it, with either reader.
func TestBrokenAmongOthers(t *testing.T) {
	for _, c := range brokenYAML {
		if strings.Contains(c.src, "---") || strings.HasPrefix(c.src, "%") {
			continue
		}
		src := "first: 1\n---\n" + c.src + "---\nthird: {{ x }}\n---\nlast: 1\n"
		for _, src := range []string{src, strings.Replace(src, "{{ x }}", "3", 1)} {
			f := YAML([]byte(src))
			n := len(f.Documents)
			if n < 3 || f.Documents[0].Root.Get("first") == nil || f.Documents[n-2].Root.Get("third") == nil || f.Documents[n-1].Root.Get("last") == nil {
				t.Errorf("%s:\n%s", c.name, dump(f, src))
			}
		}
	}
}
