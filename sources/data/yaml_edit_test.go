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
	replace := func(old, new string) func(string) string {
		return func(line string) string { return strings.Replace(line, old, new, 1) }
	}
	edits := map[string]func(line string) string{
		"tab":                  replace("  ", "\t"),
		"no space after colon": replace(": ", ":"),
		"no colon":             replace(": ", " "),
		"full-width colon":     replace(": ", "："),
		"open quote":           replace(": ", ": \""),
		"open bracket":         replace(": ", ": ["),
		"second colon":         func(line string) string { return line + ": x" },
		"no closing bracket":   replace("]", ""),
		"no closing brace":     replace("}", ""),
		"at sign":              replace(": ", ": @"),
		"text after quote":     replace("b\"", "b\" c"),
	}
	lines := strings.Split(strings.TrimSuffix(wholeYAML, "\n"), "\n")
	for name, edit := range edits {
		tried := 0
		for i, line := range lines {
			broken := edit(line)
			plain := strings.Contains(line, ": ") && !strings.ContainsAny(line, "\"[{#") && !strings.Contains(line, "note") || strings.ContainsAny(name, "]}")
			if broken == line || !plain && !strings.Contains(name, "closing") && name != "tab" && name != "text after quote" || strings.Contains(line, "over two") {
				continue
			}
			tried++
			src := strings.Join(lines[:i], "\n") + "\n" + broken + "\n" + strings.Join(lines[i+1:], "\n") + "\n"
			f := YAML([]byte(src))
			if len(f.Problems) == 0 {
				t.Errorf("%s in line %d: no problem", name, i+1)
				continue
			}
			p := f.Problems[0]
			if got := strings.Count(src[:p.At.Start], "\n") + 1; p.Rule != "source/syntax" || got != i+1 || len(f.Problems) > 1 {
				t.Errorf("%s in line %d %q: %d problems, first %s in line %d: %s", name, i+1, broken, len(f.Problems), p.Rule, got, p.Text.En)
			}
		}
		if tried == 0 {
			t.Errorf("%s was never tried", name)
		}
	}
}
