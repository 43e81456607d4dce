package main

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// plainly runs a command line on its own, as cases do.
func plainly(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = run(context.Background(), args, environment{
		in: strings.NewReader(""), out: &o, err: &e, getenv: func(string) string { return "" }, now: func() time.Time { return playedAt },
	})
	return code, o.String(), e.String()
}

type alignedFinding struct {
	Rule, Severity, Pool, Env, Item, Field, Member, Message, Got, Want, Fingerprint, Status string
	At                                                                                      struct{ Side, File string }
}

// settled reports whether align is there for a finding.
func (f *alignedFinding) settled() bool {
	return f.Status == "new" && f.Severity == "error" && (f.At.Side == "app" || f.At.Side == "doc") &&
		(f.Rule == "members/missing" || f.Rule == "members/extra" || strings.HasSuffix(f.Rule, "/differs"))
}

// checked returns the findings of a check.
func checked(t *testing.T, root string) []alignedFinding {
	t.Helper()
	_, out, errs := plainly("check", root, "--format", "json", "--no-cache")
	var r struct{ Findings []alignedFinding }
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("check: %v\n%s", err, errs)
	}
	return r.Findings
}

// aligned runs align and returns what it says.
func aligned(t *testing.T, root string, more ...string) (code int, j alignJSON) {
	t.Helper()
	code, out, errs := plainly(append([]string{"align", root, "--format", "json", "--no-cache"}, more...)...)
	if err := json.Unmarshal([]byte(out), &j); err != nil {
		t.Fatalf("align: exit code %d, %v\n%s", code, err, errs)
	}
	return code, j
}

// TestAlignCases aligns the repositories of testdata/cases: afterwards no copy of application or document differs from the
// truth but where align says that something is left, nothing is wrong that was right before, and there is nothing more to
// align.
func TestAlignCases(t *testing.T) {
	files, err := filepath.Glob("../../testdata/cases/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	differing, edits := make([]int, len(files)), make([]int, len(files))
	t.Run("cases", func(t *testing.T) {
		for i, file := range files {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
				t.Parallel()
				archive, err := txtar.ParseFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if c := newCase(archive); !c.change {
					root := t.TempDir()
					c.lay(t, root)
					differing[i], edits[i] = alignCase(t, root)
				}
			})
		}
	})
	d, e := 0, 0
	for i := range files {
		d, e = d+differing[i], e+edits[i]
	}
	if d < 20 || e < d/2 {
		t.Errorf("%d differences, %d edits", d, e)
	}
}

// alignCase aligns a repository and returns how many differences there were, and how many edits were made.
func alignCase(t *testing.T, root string) (differences, edits int) {
	before := checked(t, root)
	code, j := aligned(t, root, "--write")
	for i := range before {
		if before[i].settled() {
			differences++
		}
	}
	known := map[string]bool{}
	for i := range before {
		known[before[i].Fingerprint] = true
	}
	for _, f := range checked(t, root) {
		if f.settled() && !slices.ContainsFunc(j.Left, func(l alignLeftJSON) bool {
			return l.File == f.At.File && l.Item == f.Item && l.Field == f.Field && (l.Member == f.Member || f.Member == "" || strings.Contains(l.Member, f.Member))
		}) {
			t.Errorf("neither settled nor left: %s %s: %s", f.Rule, f.At.File, f.Message)
		}
		if !known[f.Fingerprint] {
			t.Errorf("new: %s %s: %s", f.Rule, f.At.File, f.Message)
		}
	}
	if code != exitNotChecked && code != exitUsage && (code == exitFindings) != (len(j.Left) > 0) {
		t.Errorf("exit code %d, %d left", code, len(j.Left))
	}
	if _, again := aligned(t, root); len(again.Edits) > 0 {
		t.Errorf("edited twice: %+v", again.Edits)
	}
	for _, l := range j.Left {
		t.Logf("left: %s:%d: %s %s %s: %s instead of %s: %s", l.File, l.Line, l.Pool, l.Field, l.Member, l.Got, l.Want, l.Why)
	}
	if leftovers, err := filepath.Glob(filepath.Join(root, "*", ".poolproof-*")); err != nil || len(leftovers) > 0 {
		t.Errorf("left behind: %v, %v", leftovers, err)
	}
	return differences, len(j.Edits)
}
