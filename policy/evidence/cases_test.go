package evidence_test

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/poolproof/poolproof/schema"
)

// TestCases plays testdata/cases/ci: each holds the two ends of a change, below base/ and head/, perhaps other repositories
// below beside/NAME/, and a section "want" of lines as those of testdata/cases have.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("../../testdata/cases/ci/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p, rest := readPlay(a)
			if rest["want"] == "" || len(p.head) == 0 {
				t.Fatal("no want, or no head")
			}
			for name := range rest {
				if name != "want" {
					t.Errorf("a section %q", name)
				}
			}
			holds(t, p, p.run(t), rest["want"])
		})
	}
}

// holds compares an outcome with the lines of a want section.
func holds(t *testing.T, p play, got outcome, want string) {
	t.Helper()
	got.findings = slices.DeleteFunc(got.findings, func(f schema.Finding) bool { return f.Status == schema.Suppressed })
	listed := map[int]bool{}
	floor := schema.Error + 1
	for line := range strings.Lines(want) {
		line = strings.TrimSpace(line)
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "args" || strings.HasPrefix(line, "#") {
			continue
		}
		switch words[0] {
		case "exit":
			if code := exit(got.findings); strconv.Itoa(code) != words[1] {
				t.Errorf("exit %d, want %s", code, words[1])
			}
		case "copies":
			if n, err := strconv.Atoi(words[1]); err != nil || got.copies < n {
				t.Errorf("%d copies, want %s", got.copies, words[1])
			}
		case "none":
			floor, _ = schema.ParseSeverity(words[1])
		case "not":
			for i := range got.findings {
				f := &got.findings[i]
				if like(words[1], f.Rule) && (len(words) < 3 || words[2] == string(f.At.Side)) {
					t.Errorf("unwanted: %s", show(f))
				}
			}
		default:
			found(t, p, got.findings, line, listed)
		}
	}
	for i := range got.findings {
		f := &got.findings[i]
		if !listed[i] && f.Severity >= floor {
			t.Errorf("unlisted: %s", show(f))
		}
		if f.Message.En == "" || f.Message.Zh == "" || f.Severity == schema.DefaultSeverity {
			t.Errorf("no message in both languages, or no severity: %s", show(f))
		}
	}
}

func exit(findings []schema.Finding) int {
	for i := range findings {
		if findings[i].Severity == schema.Error && findings[i].Status == schema.New {
			return 1
		}
	}
	return 0
}

// found looks for the finding that a line describes.
func found(t *testing.T, p play, findings []schema.Finding, line string, listed map[int]bool) {
	t.Helper()
	head, text, _ := strings.Cut(line, " ~")
	words := strings.SplitN(strings.TrimSpace(head), " ", 4)
	if len(words) != 4 {
		t.Errorf("bad line: %s", line)
		return
	}
	file, spec, _ := strings.Cut(words[3], ":")
	hit := false
	for i := range findings {
		f := &findings[i]
		if !like(words[0], f.Rule) || words[1] != "*" && words[1] != f.Severity.String() || words[2] != "*" && words[2] != string(f.At.Side) || file != "*" && file != f.At.File {
			continue
		}
		if spec != "" && lineOf(p.head[f.At.File], spec) != f.At.Line || !strings.Contains(strings.Join([]string{f.Message.En, f.Got, f.Want, f.Hint.En}, " "), text) {
			continue
		}
		listed[i], hit = true, true
	}
	if !hit {
		t.Errorf("missing: %s", line)
		for i := range findings {
			if findings[i].Severity >= schema.Warning || strings.HasPrefix(findings[i].Rule, "evidence/") {
				t.Logf("there is: %s", show(&findings[i]))
			}
		}
	}
}

func like(pattern, s string) bool {
	ok, err := path.Match(strings.ReplaceAll(pattern, "/", "|"), strings.ReplaceAll(s, "/", "|"))
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
