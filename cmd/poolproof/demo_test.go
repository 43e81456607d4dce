package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// testEnvironment is a world without a terminal, at a fixed time, with an empty cache.
func testEnvironment(t *testing.T, vars map[string]string) (environment, *bytes.Buffer, *bytes.Buffer) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	var out, err bytes.Buffer
	return environment{
		in: strings.NewReader(""), out: &out, err: &err,
		getenv: func(name string) string { return vars[name] },
		now:    func() time.Time { return time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC) },
	}, &out, &err
}

// rulesCount is the number of rules in the last line of a report, which changes with every new rule.
var rulesCount = regexp.MustCompile(`\d+ (rules|条规则)`)

// demoOutput is the whole text of the demo in a language.
func demoOutput(t *testing.T, lang string) string {
	t.Helper()
	env, out, stderr := testEnvironment(t, nil)
	if code := run(context.Background(), []string{"demo", "--lang", lang}, env); code != exitClean || stderr.Len() > 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	return rulesCount.ReplaceAllString(out.String(), "N $1")
}

// TestDemo compares the whole text of the demo, with carets and all, so that a change of wording is seen.
func TestDemo(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		got := demoOutput(t, lang)
		file := "testdata/demo." + lang + ".golden"
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s differs from the demo; after a look at it, run the test with -update\n%s", file, firstDifference(string(want), got))
		}
		for _, side := range []string{"app", "gateway", "docs", "changes"} {
			if !strings.Contains(got, "\n  --> "+side+"/") {
				t.Errorf("%s: no finding stands in %s", lang, side)
			}
		}
	}
}

// firstDifference shows the first lines that differ.
func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range w {
		if i >= len(g) || w[i] != g[i] {
			return "want: " + w[i] + "\ngot:  " + strings.Join(g[min(i, len(g)):min(i+1, len(g))], "")
		}
	}
	return "got more: " + strings.Join(g[len(w):], "\n")
}
