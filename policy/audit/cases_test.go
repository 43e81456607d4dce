package audit_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/poolproof/poolproof/policy/audit"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/all"
	"github.com/poolproof/poolproof/sources/load"
	"github.com/poolproof/poolproof/sources/manifest"
	"github.com/poolproof/poolproof/sources/tree"
)

// A case is one txtar file of testdata/rules. Its files stand below the name of a tree: "bad/", further firing trees
// "bad-2/", ..., the mended tree "good/", and trees that look alike but are fine, "silent-1/", ...; files below "all/"
// belong to every tree. "want" says what the bad tree must yield, "want-2" what bad-2 must, "want-silent-1" what else
// silent-1 may, one finding a line:
//
//	RULE SEVERITY SIDE FILE[:LINE or /REGEX/] [~TEXT]
//
// "*" stands for any severity or side; TEXT occurs in message, hint, got or want. A file whose text starts with
// "symlink " is a link; on lines that start with %%, escapes such as \ufeff count.
type ruleCase struct {
	trees map[string]map[string]string
	wants map[string]string
}

func readCase(t *testing.T, file string) ruleCase {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := ruleCase{trees: map[string]map[string]string{}, wants: map[string]string{}}
	every := map[string]string{}
	for _, f := range a.Files {
		text := escapes(string(f.Data))
		name, rest, inTree := strings.Cut(f.Name, "/")
		switch {
		case name == "all":
			every[rest] = text
		case inTree:
			if c.trees[name] == nil {
				c.trees[name] = map[string]string{}
			}
			c.trees[name][rest] = text
		case name == "want":
			c.wants["bad"] = text
		case strings.HasPrefix(name, "want-"):
			name = strings.TrimPrefix(name, "want-")
			if _, err := strconv.Atoi(name); err == nil {
				name = "bad-" + name
			}
			c.wants[name] = text
		default:
			t.Errorf("%s: section %q is neither a file of a tree nor a want", file, f.Name)
		}
	}
	for _, files := range c.trees {
		for name, text := range every {
			if _, own := files[name]; !own {
				files[name] = text
			}
		}
	}
	return c
}

// escapes reads the lines that start with %%.
func escapes(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		rest, marked := strings.CutPrefix(line, "%%")
		if !marked {
			b.WriteString(line)
			continue
		}
		for rest != "" {
			r, _, tail, err := strconv.UnquoteChar(rest, 0)
			if err != nil {
				r, tail = rune(rest[0]), rest[1:]
			}
			b.WriteRune(r)
			rest = tail
		}
	}
	return b.String()
}

// moment is the time at which cases play.
var moment = time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)

// play audits a small repository.
func play(t *testing.T, files map[string]string) []schema.Finding {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if target, ok := strings.CutPrefix(text, "symlink "); ok {
			if err := os.Symlink(strings.TrimSpace(target), p); err != nil {
				t.Fatal(err)
			}
		} else if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	work, err := tree.OpenWork(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer work.Close()
	ctx := context.Background()
	options := load.Options{Adapters: all.Adapters()}
	var m schema.Manifest
	var problems []schema.Problem
	found := false
	for _, name := range manifest.Names() {
		if text, ok := files[name]; ok && !found {
			found = true
			m, problems = manifest.Load(name, []byte(text))
		}
	}
	if !found {
		discovered, err := load.Discover(ctx, work, options, "")
		if err != nil {
			t.Fatal(err)
		}
		m = *discovered
	}
	loaded, err := load.Load(ctx, work, &m, options)
	if err != nil {
		t.Fatal(err)
	}
	result, err := audit.Audit(ctx, &m, problems, loaded, audit.Options{Rules: rules.All(), Now: moment, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i := range result.Findings {
		f := &result.Findings[i]
		f.At.Line = 1 + bytes.Count([]byte(files[f.At.File])[:min(int(f.At.Span.Start), len(files[f.At.File]))], []byte{'\n'})
	}
	return result.Findings
}

// want is one line of a want section.
type want struct{ raw, rule, severity, side, file, line, text string }

func parseWants(t *testing.T, text string) []want {
	t.Helper()
	var out []want
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		head, text, _ := strings.Cut(line, " ~")
		words := strings.Fields(head)
		if len(words) < 4 {
			t.Errorf("want %q: four words are needed", line)
			continue
		}
		place := strings.Join(words[3:], " ")
		file, at, _ := strings.Cut(place, ":")
		out = append(out, want{line, words[0], words[1], words[2], file, at, text})
	}
	return out
}

// matches reports whether a finding is the wanted one.
func (w *want) matches(f *schema.Finding, files map[string]string) bool {
	if ok, err := path.Match(w.rule, f.Rule); err != nil || !ok {
		return false
	}
	if w.severity != "*" && w.severity != f.Severity.String() || w.side != "*" && w.side != string(f.At.Side) || w.file != "*" && w.file != f.At.File {
		return false
	}
	if w.text != "" && !strings.Contains(strings.Join([]string{f.Message.En, f.Hint.En, f.Got, f.Want}, "\n"), w.text) {
		return false
	}
	return w.line == "" || w.line == strconv.Itoa(f.At.Line) || strings.HasPrefix(w.line, "/") && lineOf(files[w.file], strings.Trim(w.line, "/")) == f.At.Line
}

// lineOf returns the first line that matches a regular expression, 0 if none does.
func lineOf(text, expr string) int {
	re := regexp.MustCompile(expr)
	for i, line := range strings.Split(text, "\n") {
		if re.MatchString(line) {
			return i + 1
		}
	}
	return 0
}

// judgeTree checks that a tree yields what is wanted of it: every wanted finding, no other finding of the rule, and no
// other error.
func judgeTree(t *testing.T, rule string, files map[string]string, wanted string, fires bool) {
	t.Helper()
	findings := play(t, files)
	listed := make([]bool, len(findings))
	fired := false
	for _, w := range parseWants(t, wanted) {
		hit := false
		for i := range findings {
			if !w.matches(&findings[i], files) || findings[i].Status == schema.Suppressed {
				continue
			}
			listed[i], hit = true, true
			fired = fired || findings[i].Rule == rule
		}
		if !hit {
			t.Errorf("missing: %s", w.raw)
		}
	}
	if fires != fired {
		t.Errorf("fires: %v, want %v", fired, fires)
	}
	for i := range findings {
		f := &findings[i]
		if f.Message.En == "" || f.Message.Zh == "" || f.Severity == schema.DefaultSeverity {
			t.Errorf("%s lacks a message in both languages, or a severity", show(f))
		}
		if listed[i] || f.Status == schema.Suppressed {
			continue
		}
		if f.Rule == rule || f.Severity == schema.Error {
			t.Errorf("unwanted: %s", show(f))
		} else if f.Severity == schema.Warning {
			t.Errorf("a distraction: %s", show(f))
		}
	}
}

func show(f *schema.Finding) string {
	return fmt.Sprintf("%s %s %s %s:%d %s [%s] want %s got %s", f.Rule, f.Severity, f.At.Side, f.At.File, f.At.Line, f.Message.En, f.Status, f.Want, f.Got)
}

// TestCases plays every case.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("../../testdata/rules/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	stems := map[string]string{}
	for _, r := range rules.All() {
		stems[stem(r.ID)] = r.ID
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name, func(t *testing.T) {
			rule, ok := stems[name]
			if !ok {
				t.Fatalf("%s belongs to no rule", file)
			}
			c := readCase(t, file)
			names := make([]string, 0, len(c.trees))
			for n := range c.trees {
				names = append(names, n)
			}
			sort.Strings(names)
			for _, n := range names {
				t.Run(n, func(t *testing.T) { judgeTree(t, rule, c.trees[n], c.wants[n], strings.HasPrefix(n, "bad")) })
			}
			for n := range c.wants {
				if c.trees[n] == nil {
					t.Errorf("want for %s, which is not there", n)
				}
			}
		})
	}
}

func stem(id string) string { return strings.NewReplacer("/", "_", "-", "_").Replace(id) }
