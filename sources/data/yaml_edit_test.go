package data

import (
	"strings"
	"testing"
)

const wholeYAML = `# a pool, as people write it
pools:
  orders:
    name: orders
    members:
      - address: a.example.com
        port: 8080
        weight: 10
      - address: b.example.com
        port: 8080
        labels: {zone: z1, rack: r2}
        tags: [one, two]
    probe:
      path: /healthz
      interval: 5s
      headers:
      - name: Host
        value: example.com
      - name: Accept
        value: text
    note: a text
      over two lines
    cooldown:
      duration: 60s
      quoted: "a: b"
`

// TestBrokenByOneEdit breaks every line of a document in the ways that people do, and expects to be shown that line.
func TestBrokenByOneEdit(t *testing.T) {
	// Lines of one key and one plain value, which one character can break.
	simple := func(line string) bool {
		return strings.Contains(line, ": ") && !strings.ContainsAny(line, "\"[{#") && !strings.Contains(line, "note")
	}
	nested := func(line string) bool { return strings.HasPrefix(line, "  ") && !strings.Contains(line, "over two") }
	any := func(string) bool { return true }
	edits := []struct {
		name     string
		applies  func(line string) bool
		old, new string
	}{
		{"tab", nested, "  ", "\t"},
		{"no space after colon", simple, ": ", ":"},
		{"no colon", simple, ": ", " "},
		{"full-width colon", simple, ": ", "："},
		{"open quote", simple, ": ", ": \""},
		{"open bracket", simple, ": ", ": ["},
		{"second colon", simple, ": ", ": x: "},
		{"at sign", simple, ": ", ": @"},
		{"no closing bracket", any, "]", ""},
		{"no closing brace", any, "}", ""},
		{"text after quote", any, "b\"", "b\" c"},
	}
	lines := strings.SplitAfter(wholeYAML, "\n")
	for _, e := range edits {
		tried := 0
		for i, line := range lines {
			broken := strings.Replace(line, e.old, e.new, 1)
			if broken == line || !e.applies(line) {
				continue
			}
			tried++
			src := strings.Join(lines[:i], "") + broken + strings.Join(lines[i+1:], "")
			f := YAML([]byte(src))
			if len(f.Problems) != 1 {
				t.Errorf("%s in line %d %q: %d problems", e.name, i+1, broken, len(f.Problems))
				continue
			}
			p := f.Problems[0]
			if got := strings.Count(src[:p.At.Start], "\n") + 1; p.Rule != "source/syntax" || got != i+1 {
				t.Errorf("%s in line %d %q: %s in line %d: %s", e.name, i+1, broken, p.Rule, got, p.Text.En)
			}
		}
		if tried == 0 {
			t.Errorf("%s was never tried", e.name)
		}
	}
}
