package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/poolproof/poolproof/schema"
)

// TestCases plays testdata/cases: each holds a small repository and a section "want" of lines that say what `check` must
// find in it:
//
// Where its files start with base/ and head/, they are two commits, and `ci` plays; files under beside/NAME/ are another
// repository at ../NAME, for whose commit ${COMMIT:NAME} stands.
//
//	exit N                                  the exit code
//	args ...                                extra arguments
//	copies N                                at least N copies were read
//	RULE SEVERITY SIDE FILE[:LINE] [~TEXT]  this finding; LINE is a number or /REGEX/ (first line that matches), RULE may
//	                                        hold *, the others may be *; ~TEXT occurs in message, got, want or hint
//	not RULE [SIDE]                         no such finding
//	none error | none warning               no finding of that severity or above that is not listed
//
// A file that reads "symlink TARGET" is a link; a line that begins with %% may hold \x1b, \r and \ufeff as such.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("../../testdata/cases/*.txtar")
	changes, err2 := filepath.Glob("../../testdata/cases/ci/*.txtar")
	if err != nil || err2 != nil || len(files) == 0 || len(changes) == 0 {
		t.Fatalf("no cases: %v, %v", err, err2)
	}
	files = append(files, changes...)
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c := newCase(archive)
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			for _, p := range c.play(t) {
				t.Error(p)
			}
		})
	}
}

// playedAt is the moment at which cases are played that do not say --now.
var playedAt = time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)

type testCase struct {
	files  map[string]string
	want   []string
	change bool
}

func newCase(a *txtar.Archive) testCase {
	c := testCase{files: map[string]string{}}
	for _, f := range a.Files {
		if f.Name == "want" {
			c.want = strings.Split(string(f.Data), "\n")
			continue
		}
		c.files[f.Name] = string(f.Data)
		c.change = c.change || strings.HasPrefix(f.Name, "head/")
	}
	return c
}

// lay writes the case's files under root.
func (c testCase) lay(t *testing.T, root string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(c.files)) {
		text, p := c.files[name], filepath.Join(root, name)
		err := os.MkdirAll(filepath.Dir(p), 0o755)
		if target, link := strings.CutPrefix(text, "symlink "); err == nil && link {
			err = os.Symlink(strings.TrimSpace(target), p)
		} else if err == nil {
			err = os.WriteFile(p, []byte(unescape(text)), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

var escaped = regexp.MustCompile(`\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)`)

// unescape resolves the escapes of lines that begin with %%.
func unescape(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(line, "%%")
		if !ok {
			b.WriteString(line)
			continue
		}
		b.WriteString(escaped.ReplaceAllStringFunc(rest, func(e string) string {
			if e == `\'` {
				return "'"
			}
			if s, err := strconv.Unquote(`"` + e + `"`); err == nil {
				if len(e) == 4 && e[1] == 'x' { // a code point, not a byte
					n, _ := strconv.ParseUint(e[2:], 16, 8)
					return string(rune(n))
				}
				return s
			}
			return e
		}))
	}
	return b.String()
}

type caseReport struct {
	Summary  struct{ Copies int }
	Findings []caseFinding
}

type caseFinding struct {
	Rule, Severity, Message, Got, Want, Hint, Status string
	At                                               struct {
		Side, File string
		Line       int
	}
}

func (f caseFinding) String() string {
	return fmt.Sprintf("%s %s %s %s:%d %s", f.Rule, f.Severity, f.At.Side, f.At.File, f.At.Line, f.Message)
}

// play checks the repository and returns what is not as the case wants it.
func (c testCase) play(t *testing.T) (problems []string) {
	root := t.TempDir()
	args := []string{"check", root, "--format", "json", "--no-cache"}
	if c.change {
		root = filepath.Join(root, "repo")
		c.commit(t, root)
		args = []string{"ci", root, "--base", "main", "--format", "json", "--no-cache"}
	} else {
		c.lay(t, root)
	}
	for _, w := range c.want {
		if more, ok := strings.CutPrefix(w, "args "); ok {
			args = append(args, strings.Fields(more)...)
		}
	}
	var out, errs bytes.Buffer
	code := run(context.Background(), args, environment{
		in: strings.NewReader(""), out: &out, err: &errs, getenv: func(string) string { return "" }, now: func() time.Time { return playedAt },
	})
	var report caseReport
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		return []string{fmt.Sprintf("no report (exit %d): %v\n%s", code, err, errs.String())}
	}
	findings := slices.DeleteFunc(report.Findings, func(f caseFinding) bool { return f.Status == "suppressed" })
	matched := map[int]bool{}
	floor := ""
	for _, w := range c.want {
		words := strings.Fields(w)
		if len(words) == 0 || strings.HasPrefix(w, "#") || words[0] == "args" {
			continue
		}
		bad := ""
		switch words[0] {
		case "exit":
			if words[1] != strconv.Itoa(code) {
				bad = fmt.Sprintf("exit %d, want %s", code, words[1])
			}
		case "copies":
			if n, err := strconv.Atoi(words[1]); err != nil || report.Summary.Copies < n {
				bad = fmt.Sprintf("%d copies read, want %s", report.Summary.Copies, words[1])
			}
		case "none":
			floor = words[1]
		case "not":
			for _, f := range findings {
				if like(words[1], f.Rule) && (len(words) < 3 || words[2] == f.At.Side) {
					problems = append(problems, "unwanted: "+f.String())
				}
			}
		default:
			bad = c.find(w, findings, matched)
		}
		if bad != "" {
			problems = append(problems, bad)
		}
	}
	for i, f := range findings {
		if floor != "" && !matched[i] && severityOf(f.Severity) >= severityOf(floor) {
			problems = append(problems, "unlisted: "+f.String())
		}
	}
	return problems
}

func severityOf(name string) int {
	return slices.Index([]string{schema.Info.String(), schema.Warning.String(), schema.Error.String()}, name)
}

// find marks the findings that a line of want describes; where there is none it says so.
func (c testCase) find(w string, findings []caseFinding, matched map[int]bool) string {
	head, text, _ := strings.Cut(w, " ~")
	words := strings.SplitN(strings.TrimSpace(head), " ", 4)
	if len(words) != 4 {
		return "bad line: " + w
	}
	file, spec, _ := strings.Cut(words[3], ":")
	line := 0
	if spec != "" {
		if line = lineOf(c.text(file), spec); line == 0 {
			return "no line matches: " + w
		}
	}
	hit := false
	for i, f := range findings {
		if like(words[0], f.Rule) && like(words[1], f.Severity) && like(words[2], f.At.Side) && (file == "*" || file == f.At.File) &&
			(line == 0 || line == f.At.Line) && strings.Contains(strings.Join([]string{f.Message, f.Got, f.Want, f.Hint}, " "), text) {
			matched[i], hit = true, true
		}
	}
	if !hit {
		return "missing: " + w
	}
	return ""
}

// like reports whether s has the form of a pattern, in which * stands for anything.
func like(pattern, s string) bool {
	ok, err := regexp.MatchString("^"+strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*")+"$", s)
	return ok && err == nil
}

// lineOf returns the number of the line that spec means: a number, or /REGEX/ for the first line that matches.
func lineOf(text, spec string) int {
	if n, err := strconv.Atoi(spec); err == nil {
		return n
	}
	pattern := regexp.MustCompile(strings.Trim(spec, "/"))
	for i, l := range strings.Split(text, "\n") {
		if pattern.MatchString(l) {
			return i + 1
		}
	}
	return 0
}
