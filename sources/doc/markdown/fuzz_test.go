package markdown

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/sources/sourcetest"
)

func samples(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	out := map[string][]byte{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[f] = data
	}
	return out
}

func FuzzMarkdown(f *testing.F) {
	for _, data := range samples(f) {
		f.Add(data)
	}
	for _, text := range texts {
		f.Add([]byte("# a\n" + text + "\n|---|---|\n" + text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		sourcetest.Check(t, Adapter(), "fuzz.md", data)
	})
}

func TestDamagedSamples(t *testing.T) {
	for name, data := range samples(t) {
		sourcetest.Corpus(t, Adapter(), name, data)
	}
}

// Reading must stay linear in the length of the file, whatever stands in it.
func TestHostile(t *testing.T) {
	const size = 1 << 20
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	table := "# a\n| Host | Port |\n|---|---|\n"
	for name, doc := range map[string]string{
		"quotes":           fill(">"),
		"quotes by line":   fill("> > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > >\n"),
		"lists":            fill("- "),
		"list items":       fill("- x\n"),
		"brackets":         "# " + fill("["),
		"brackets in rows": table + fill("| [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[ | 1 |\n"),
		"backticks":        table + fill("| `` ` ``` ` `` ```` ` `` ``` ````` ` `` | 1 |\n"),
		"one long row":     table + "| " + fill("`a ") + " |\n",
		"long row of runs": table + "| " + fill("` `` ``` ") + " |\n",
		"stars":            table + fill("| *a *b **c _d __e ~~f *g *h | 1 |\n"),
		"a wide table":     "# a\n" + fill("|a") + "|\n" + fill("|-") + "|\n",
		"pipes":            table + fill("|"),
		"rules":            "# a\n" + fill("|-|\n"),
		"rows":             table + fill("| h.example | 80 |\n"),
		"ragged rows":      table + fill("| h |\n"),
		"unresolved rows":  table + fill("| {{ h }} | 80 |\n"),
		"open braces":      table + "| " + fill("{{ | ") + " |\n",
		"closed braces":    table + "| " + fill("{{}}") + " |\n",
		"filters":          table + "| " + fill("{{a|b}} | ") + " |\n",
		"late braces":      table + "| " + fill("{{ | ") + "}} |\n",
		"statements":       table + fill("{% for x in y %}\n"),
		"containers":       fill("| a | b |\n|---|---|\n:::\n"),
		"parameters":       "# a\n| Name | Value |\n|---|---|\n" + fill("| Interval | 2 s |\n| x | 3 |\n"),
		"headings":         fill("## `a` `b` `c`\n"),
		"nested headings":  fill("# a\n## b\n### c\n|Host|Port|\n|---|---|\n|h.example|80|\n"),
		"comments":         "# a\n" + fill("<!-- poolproof: pool=a item=b -->\n"),
		"open comments":    fill("<!-- "),
		"tags":             fill("<a b='"),
		"tables in html":   fill("<table>\n\n"),
		"effective":        "# a\n" + fill("Effective: x\n"),
		"colons":           fill(":"),
		"tabs":             fill("\t-"),
		"NUL":              fill("\x00"),
		"invalid UTF-8":    table + fill("| \xff\xfe | 80 |\n"),
		"braces":           table + "| " + fill("${a:") + " | 80 |\n",
		"fences":           fill("```\n"),
		"pools":            "# a\n| Pool | Host | Port |\n|---|---|---|\n" + numbered(size),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			sourcetest.Check(t, Adapter(), "hostile.md", []byte(doc))
			// A quadratic reader needs minutes for these; a busy machine needs seconds.
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func numbered(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		b.WriteString("| p")
		b.WriteString(strings.Repeat("x", i%7))
		b.WriteByte(byte('a' + i%26))
		b.WriteByte(byte('a' + i/26%26))
		b.WriteByte(byte('a' + i/676%26))
		b.WriteString(" | h.example | 80 |\n")
	}
	return b.String()
}
