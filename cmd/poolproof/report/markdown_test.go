package report

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	gmhtml "github.com/yuin/goldmark/renderer/html"
	"pgregory.net/rapid"
)

// asSiteShows renders Markdown as a hosting site does before it filters HTML.
func asSiteShows(t rapid.TB, source string) string {
	t.Helper()
	var b bytes.Buffer
	md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(gmhtml.WithUnsafe()))
	if err := md.Convert([]byte(source), &b); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

var nasty = rapid.SampledFrom([]string{"`", "``", "|", "\\", "*", "_", "~~", "<b>", "<!--", "-->", "&amp;", "&", "[a](http://b)", "![", "](", "@user",
	"#12", "!3", "GH-4", "http://evil.example", "www.evil.example", "a@b.example", ":smile:", "$x$", "10.0.0.1:8080", "订单", " ", "\n", "x",
	"- ", "1. ", "# ", "---", "=", ">", "\"", "'", "javascript:", "<script>"})

// Whatever a text holds, Markdown shows it as it is, without markup, and leaves nothing for a site to link.
func TestMarkdownTextIsShownAsItIs(t *testing.T) {
	mention := regexp.MustCompile(`[@#!~%&$^][A-Za-z0-9_]|(?i)gh-[0-9]|://|www\.`)
	rapid.Check(t, func(t *rapid.T) {
		in := visible(strings.Join(rapid.SliceOfN(nasty, 1, 12).Draw(t, "text"), ""))
		out := asSiteShows(t, "x: "+markdownText(in)+".")
		inner, ok := strings.CutPrefix(out, "<p>x: ")
		inner, ok2 := strings.CutSuffix(inner, ".</p>")
		if !ok || !ok2 || strings.Contains(inner, "<") {
			t.Fatalf("%q became %q", in, out)
		}
		// Sites look for mentions in the text, where the separator still stands.
		text := html.UnescapeString(inner)
		if m := mention.FindString(text); m != "" {
			t.Fatalf("%q leaves %q", in, m)
		}
		if got := strings.ReplaceAll(text, "\u200b", ""); got != in {
			t.Fatalf("%q is shown as %q", in, got)
		}
	})
}

func TestMarkdownCodeIsShownAsItIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := visible(strings.Join(rapid.SliceOfN(nasty, 1, 12).Draw(t, "text"), ""))
		if strings.Trim(in, " ") == "" {
			return
		}
		if got, want := asSiteShows(t, "x: "+markdownCode(in)+"."), "<p>x: <code>"+html.EscapeString(in)+"</code>.</p>"; unquote(got) != unquote(want) {
			t.Fatalf("%q\ngot  %q\nwant %q", in, got, want)
		}
		table := asSiteShows(t, "| a | b |\n|---|---|\n| "+markdownCell(in)+" | x |\n")
		if strings.Contains(in, `\|`) { // as text: sites differ in what a bar behind a backslash does in code
			if strings.Count(table, "<td>") != 2 || strings.Contains(table, "<code>") {
				t.Fatalf("%q\ngot  %q", in, table)
			}
			return
		}
		if want := "<td><code>" + html.EscapeString(in) + "</code></td>\n<td>x</td>"; !strings.Contains(unquote(table), unquote(want)) {
			t.Fatalf("%q\ngot  %q\nwant %q", in, table, want)
		}
	})
}

// unquote evens out two ways to write quotes in HTML.
func unquote(s string) string {
	return strings.NewReplacer("&#34;", `"`, "&quot;", `"`, "&#39;", "'").Replace(s)
}

func TestMarkdownLength(t *testing.T) {
	run := many(2000)
	whole := len(render(t, "markdown", run, Options{}))
	for _, limit := range []int{1, 1000, 4000, 65_536, 200_000, 500_000, whole + 1000} {
		out := string(render(t, "markdown", run, Options{MaxBytes: limit}))
		if len(out) > max(limit, 1000) {
			t.Errorf("limit %d: %d bytes", limit, len(out))
		}
		rows := strings.Count(out, "| error | ")
		if rows < 2000 && !strings.Contains(out, fmt.Sprintf("%d findings not shown here", 2000-rows)) {
			t.Errorf("limit %d: %d rows, and the rest is not counted", limit, rows)
		}
		if a, b := strings.Count(out, "<details>"), strings.Count(out, "</details>"); a != b {
			t.Errorf("limit %d: %d folds are opened and %d closed", limit, a, b)
		}
		if limit > whole && len(out) != whole {
			t.Errorf("limit %d cuts a report of %d bytes", limit, whole)
		}
	}
	if n := len(render(t, "markdown", hostile(), Options{MaxBytes: 1000, Verbose: true})); n > 1000 {
		t.Errorf("hostile: %d bytes", n)
	}
}
