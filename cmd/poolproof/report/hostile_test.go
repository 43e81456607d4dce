package report

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/poolproof/poolproof/schema"
)

// evil holds what breaks reports: terminal sequences, workflow commands, markup, table and code marks, direction marks,
// control characters, bytes that are no text, mentions, and a megabyte of letters.
var evil = "\x1b[31mred\x1b]8;;http://evil.example\x07 \n::error::x\r\n##[error]y ##vso[task.complete]z\n" +
	"<script>alert(1)</script> <img src=x onerror=alert(1)> | a | `code` ``two`` ]]> <!-- --> \u202eesrever\u2066 \u200b\ufeff " +
	"\x00\x7f\x85\u0085\u2028 \xff\xfe\xc3( @everyone #1 !2 $3 ~4 &amp; %0A:: [link](javascript:alert(1)) ![i](http://evil.example/x.png) " +
	"http://evil.example www.evil.example https://user:hunter2@host/ \U000e0041 \" ' \\" + strings.Repeat("A", 1<<20)

// hostile is a run in which everything that comes from files is evil.
func hostile() *Run {
	short := evil[:len(evil)-1<<20]
	source := texts{evil: "key: " + evil + "\n", short: short + short}
	place := func(side schema.Side, file, what string) schema.Place { return source.at(side, file, what) }
	f := schema.Finding{Rule: "members/missing", Severity: schema.Error, Pool: evil, Env: evil, Item: schema.Members, Field: evil,
		Member: evil, Message: schema.Text{En: evil, Zh: evil}, Hint: schema.Text{En: evil}, Got: evil, Want: evil, Truth: evil,
		At:           place(schema.App, evil, "<script>"),
		SuppressedBy: evil,
		Related: []schema.Related{{Place: place(schema.Gateway, short, "::error"), Value: evil, Truth: true},
			{Place: place(schema.Doc, short, "]]>"), Value: evil, Label: schema.Text{En: evil}},
			{Value: evil}}}
	run := &Run{Tool: "poolproof", Version: "1", Command: "check", Root: "/srv", Source: source.source,
		Summary: Summary{Pools: 1, Files: 1, Formats: []FormatCount{{evil, 1}}, Sides: map[schema.Side]int{schema.Side(evil): 1},
			Skipped: []Skip{{evil, schema.Text{En: evil}}}, Notes: []schema.Text{{En: evil}}},
		Obligations: []Obligation{{Pool: evil, Item: "members", Changed: schema.App, Owes: schema.Doc, PaidBy: evil, Ref: evil}}}
	for _, status := range []schema.Status{schema.New, schema.Existing, schema.Suppressed} {
		f.Status = status
		run.Findings = append(run.Findings, f)
	}
	finish(run)
	return run
}

func TestHostileInput(t *testing.T) {
	for _, format := range Formats() {
		for _, opts := range []Options{{}, {Verbose: true, Width: 80}} {
			out := string(render(t, format, hostile(), opts))
			if len(out) > 400<<10 {
				t.Errorf("%s: %d bytes", format, len(out))
			}
			if !utf8.ValidString(out) {
				t.Errorf("%s: invalid UTF-8", format)
			}
			for i, r := range out {
				if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == 0x2028 || r >= 0xe0000 && r <= 0xe0fff) {
					t.Errorf("%s: %U is not shown: %q", format, r, out[max(0, i-30):min(len(out), i+30)])
					break
				}
			}
			if strings.Contains(out, "hunter2") {
				t.Errorf("%s: a password is shown", format)
			}
			data := format == "json" || format == "sarif" || format == "gitlab" // values and paths as they are
			if !data && (strings.Contains(out, "##[") || strings.Contains(out, "##vso[")) {
				t.Errorf("%s: a log command is left", format)
			}
		}
	}
}

func TestHostileMarkup(t *testing.T) {
	tag := regexp.MustCompile(`(?i)<(script|img|!--)`)
	for _, format := range []string{"junit", "markdown", "html"} {
		out := string(render(t, format, hostile(), Options{Verbose: true}))
		if format == "markdown" {
			out = withoutCode(out)
		}
		if m := tag.FindString(out); m != "" {
			t.Errorf("%s holds %q", format, m)
		}
		if format != "markdown" && strings.Contains(out, "]]>") {
			t.Errorf("%s ends a CDATA section", format)
		}
	}
}

// withoutCode removes code spans, in which markup is text.
func withoutCode(s string) string {
	var b strings.Builder
	for s != "" {
		i := strings.IndexByte(s, '`')
		if i < 0 {
			break
		}
		b.WriteString(s[:i])
		n := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		fence := regexp.MustCompile("(^|[^`])`{" + string(rune('0'+n)) + "}($|[^`])")
		rest := s[i+n:]
		end := fence.FindStringIndex(rest)
		if end == nil || n > 9 {
			b.WriteString("UNCLOSED")
			return b.String()
		}
		s = strings.TrimLeft(rest[end[0]+1:], "`")
	}
	return b.String() + s
}

// Data formats keep the values, so that a program sees what is in the file.
func TestHostileJSONKeepsValues(t *testing.T) {
	var doc struct {
		Findings []struct{ Pool, Got string }
	}
	if err := json.Unmarshal(render(t, "json", hostile(), Options{}), &doc); err != nil {
		t.Fatal(err)
	}
	for _, f := range doc.Findings {
		if !strings.HasPrefix(f.Pool, "\x1b[31mred") || !strings.Contains(f.Got, "\u202eesrever") || len(f.Got) > 2*maxShort {
			t.Errorf("pool %.40q got %.40q (%d bytes)", f.Pool, f.Got, len(f.Got))
		}
	}
}

// In the log of a workflow, a line is a command only if this package means it to be one.
func TestHostileWorkflowCommands(t *testing.T) {
	ours := regexp.MustCompile(`^::(error|warning|notice) (file=[^:,\n]*,)?([a-zA-Z]+=[0-9]+,)*title=members/missing::|^::group::poolproof: all findings \(2\)$|^::endgroup::$`)
	commands := 0
	for line := range bytes.Lines(render(t, "github", hostile(), Options{})) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		if !bytes.HasPrefix(bytes.TrimSpace(line), []byte("::")) {
			continue
		}
		commands++
		if !ours.Match(line) {
			t.Errorf("%.200s", line)
		}
	}
	if commands != 4 {
		t.Errorf("%d commands, want 2 annotations and a group", commands)
	}
	// The console is used in workflows too.
	for line := range bytes.Lines(render(t, "console", hostile(), Options{Verbose: true})) {
		if bytes.HasPrefix(bytes.TrimSpace(line), []byte("::error")) {
			t.Errorf("%.200s", line)
		}
	}
}

func TestAnnotationsAreLimited(t *testing.T) {
	out := string(render(t, "github", many(25), Options{}))
	if n := strings.Count(out, "\n::error ") + strings.Count(out[:8], "::error "); n != maxAnnotations {
		t.Errorf("%d annotations", n)
	}
	if n := strings.Count(out, "\nerror[members/differs] "); n != 25 {
		t.Errorf("%d listed findings", n)
	}
	if !strings.Contains(out, "10 of 25 findings are annotated") {
		t.Errorf("does not say what is missing:\n%s", out)
	}
}
