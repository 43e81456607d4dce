package drill

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func console(t *testing.T, r *Report, o Terminal) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.Console(&b, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got; -update rewrites it):\n%s", file, diff)
	}
}

func TestConsole(t *testing.T) {
	golden(t, "console.en.golden", console(t, fixture("en"), Terminal{Width: 110, Unicode: true}))
	golden(t, "console.zh.golden", console(t, fixture("zh"), Terminal{Width: 90, Unicode: true}))
	golden(t, "console.ascii.golden", console(t, fixture("en"), Terminal{}))
	golden(t, "console.quiet.golden", console(t, fixture("en"), Terminal{Quiet: true, Unicode: true}))
}

// TestConsoleFits: no line of a terminal is too long, but for names and sentences that a person copies whole.
func TestConsoleFits(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		for _, width := range []int{60, 80, 120, 200} {
			for i, line := range strings.Split(console(t, fixture(lang), Terminal{Width: width, Unicode: true, Verbose: true}), "\n") {
				drawn := strings.Contains(line, "█") || strings.Contains(line, "+--") || strings.Contains(line, "  p99  ")
				if n := cells(line); n > width && drawn {
					t.Errorf("%s, width %d: line %d takes %d cells: %s", lang, width, i+1, n, line)
				}
			}
		}
	}
}

// TestConsoleObeysNobody: what comes from files starts no line, moves no cursor and gives a build server no command.
func TestConsoleObeysNobody(t *testing.T) {
	for _, o := range []Terminal{{}, {Width: 80, Unicode: true, Verbose: true}} {
		text := console(t, fixture("en"), o)
		for _, bad := range []string{"\x1b", "\u202e", "\n::error", "\r"} {
			if strings.Contains(text, bad) {
				t.Errorf("%q is in the output", bad)
			}
		}
		if !o.Unicode {
			for _, r := range text {
				if strings.ContainsRune("█▄░▁✓✗–…", r) {
					t.Errorf("%q without Unicode", r)
				}
			}
		}
	}
	colored := console(t, fixture("en"), Terminal{Width: 80, Unicode: true, Color: true})
	if !strings.Contains(colored, "\x1b[32m") || strings.Contains(colored, "\x1b[31m\\n::error") {
		t.Error("colours are missing, or come from a file")
	}
	trail := regexp.MustCompile(` +\n`) // spaces in colours do not end a line
	if plain := trail.ReplaceAllString(stripColor(colored), "\n"); plain != console(t, fixture("en"), Terminal{Width: 80, Unicode: true}) {
		t.Error("colours change more than colours")
	}
}

func stripColor(s string) string {
	for {
		at := strings.Index(s, "\x1b[")
		if at < 0 {
			return s
		}
		end := strings.IndexByte(s[at:], 'm')
		s = s[:at] + s[at+end+1:]
	}
}

func TestJSON(t *testing.T) {
	var b, again bytes.Buffer
	if err := fixture("zh").JSON(&b); err != nil {
		t.Fatal(err)
	}
	if err := fixture("en").JSON(&again); err != nil {
		t.Fatal(err)
	}
	if b.String() != again.String() {
		t.Error("the language changes what programs read")
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, b.Bytes(), "", "  "); err != nil {
		t.Fatal(err)
	}
	golden(t, "report.json.golden", pretty.String())
}

// TestEmpty: a report without anything in it is written all the same.
func TestEmpty(t *testing.T) {
	r := &Report{Tool: "poolproof", Version: "1"}
	if text := console(t, r, Terminal{}); !strings.HasPrefix(text, "0 pools, 0 scenarios") {
		t.Errorf("console: %q", text)
	}
	if html := page(t, r); !strings.Contains(html, "nothing was played") {
		t.Error("the page does not say that nothing was played")
	}
}

// TestNamesStayWhole: what tells one row from the next is not cut, in a pipe on one line, in a terminal on several.
func TestNamesStayWhole(t *testing.T) {
	const long = "a-scenario-with-a-name-that-no-line-of-a-terminal-has-room-for-beside-its-figures"
	name := strings.Repeat("replica-", 6)
	for _, lang := range []string{"en", "zh"} {
		r := fixture(lang)
		for _, run := range r.Runs {
			if run.Summary == nil {
				continue
			}
			for i := range run.Summary.First.Members {
				run.Summary.First.Members[i].ID = name + strings.Repeat("x", i) + ":8080"
			}
		}
		for i := range r.Comparisons {
			r.Comparisons[i].Scenario = long
		}
		metric := language(lang).metric(r.Comparisons[0].Metric)
		uncut := func(text string) bool { return !strings.Contains(strings.ReplaceAll(text, "……", ""), "…") }
		pipe := console(t, r, Terminal{Unicode: true})
		if !uncut(pipe) || !strings.Contains(pipe, long+"  "+metric) || !strings.Contains(pipe, name+"x:8080") {
			t.Errorf("%s: a name is cut in a pipe:\n%s", lang, pipe)
		}
		for _, width := range []int{60, 80, 120} {
			text := console(t, r, Terminal{Width: width, Unicode: true})
			joined := strings.Join(strings.Fields(text), "")
			if !uncut(text) || !strings.Contains(joined, name+"x:8080") {
				t.Errorf("%s, width %d: a name is cut:\n%s", lang, width, text)
			}
		}
	}
}

func TestFold(t *testing.T) {
	p := &printer{}
	for _, c := range []struct {
		text  string
		width int
		want  []string
	}{
		{"short", 10, []string{"short"}},
		{"  shared-link-jitter  latency p95", 24, []string{"  shared-link-jitter", "    latency p95"}},
		{"  shared-link-jitter  latency p95", 16, []string{"  shared-link-", "    jitter", "    latency p95"}},
		{"abcdefghijklmnopqrstuvwxyz", 10, []string{"abcdefghij", "  klmnopqr", "  stuvwxyz"}},
		{"延迟上升的场景名称", 10, []string{"延迟上升的", "  场景名称"}},
	} {
		got := p.fold(c.text, c.width)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q in %d (-want +got):\n%s", c.text, c.width, diff)
		}
	}
	if whole := (&printer{whole: true}).fold("  shared-link-jitter  latency p95", 16); len(whole) != 1 {
		t.Errorf("a pipe gets %q", whole)
	}
}
