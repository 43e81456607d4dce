package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// TestAlignHostile: what stands in files and their names is shown on a terminal, never obeyed; the diff that goes to git has
// the file's own lines, and names in git's quotes; no secret is told on standard error.
func TestAlignHostile(t *testing.T) {
	dir := t.TempDir()
	name := "a/p\x1b[31m\u202e\n.yaml"
	text := "pools:\n  orders:\n    # password: hunter2 \x1b]0;x\u202e\x07\n    members:\n      - {address: 10.0.0.1, port: 8080}\n" +
		"  \"pwn\x1b[31m ::error::x\":\n    members: [{address: 10.0.1.1, port: 8080}]\n"
	text = strings.ReplaceAll(text, "\"pwn\x1b[31m", "\"pwn\\e[31m")
	writeFiles(t, dir, map[string]string{
		"poolproof.yaml": "sources:\n  - {side: gateway, format: poolproof, files: [gw.yaml]}\n  - {side: app, format: poolproof, files: [\"a/*\"]}\n",
		"gw.yaml": "pools:\n  orders:\n    members: [{address: 10.0.0.1, port: 8080}, {address: 10.0.0.2, port: 8080}]\n" +
			"  \"pwn\\e[31m ::error::x\":\n    members: [{address: \"h\\e[31mm\", port: 8080}, {address: 10.0.1.1, port: 8080}, {address: 10.0.1.2, port: 8080}]\n",
		name: text,
	})
	hidden := regexp.MustCompile("[\x00-\x09\x0b-\x1f\x7f\u0080-\u009f\u202a-\u202e\u2066-\u2069]")
	for _, lang := range []string{"en", "zh"} {
		for _, more := range [][]string{{"-v"}, {"--format", "json"}} {
			var out, errs bytes.Buffer
			code := run(context.Background(), append([]string{"align", dir, "--no-cache", "--no-color", "--lang", lang}, more...), environment{
				in: strings.NewReader(""), out: &out, err: &errs, getenv: func(string) string { return "" }, now: func() time.Time { return playedAt }, outTerminal: true, errTerminal: true,
			})
			if code != exitFindings || !strings.Contains(out.String(), "10.0.0.2") {
				t.Fatalf("exit code %d\n%q\n%s", code, out.String(), errs.String())
			}
			for _, said := range []string{out.String(), errs.String()} {
				if found := hidden.FindString(said); found != "" {
					t.Errorf("%s, %s: %q reaches the terminal:\n%q", lang, more, found, said)
				}
			}
			if strings.Contains(out.String()+errs.String(), "hunter2") || regexp.MustCompile(`(?m)^\s*::error`).MatchString(errs.String()) {
				t.Errorf("%s, %s: told:\n%s%s", lang, more, out.String(), errs.String())
			}
		}
	}
	_, out, errs := plainly("align", dir, "--no-cache")
	if !strings.Contains(out, " \x1b]0;x\u202e\x07\n") || !strings.Contains(out, `+++ "b/a/p\033[31m\342\200\256\n.yaml"`+"\n") {
		t.Errorf("the diff has not the lines of the file:\n%q", out)
	}
	if strings.Contains(errs, "hunter2") || hidden.MatchString(errs) {
		t.Errorf("told:\n%q", errs)
	}
	cmd := exec.Command("git", "apply")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(out)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES="+dir)
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v\n%s", err, said)
	}
	if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.HasPrefix(string(got), text[:strings.Index(text, "      -")]) || !strings.Contains(string(got), "10.0.0.2") {
		t.Errorf("%v\n%q", err, got)
	}
}

// TestAlignWorkflowCommands: no line on standard error is one that a CI system obeys, whatever files and pools are called.
func TestAlignWorkflowCommands(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{
		"poolproof.yaml":        "sources:\n  - {side: gateway, format: poolproof, files: [gw.yaml]}\n  - {side: doc, format: markdown, files: [\"**/*.md\"]}\n",
		"gw.yaml":               "pools: {\"::error::x\": {members: [{address: 10.0.0.1, port: 80}, {address: 10.0.0.2, port: 80}]}}\n",
		"::error file=x::/a.md": "# ::error::x\n\n| Address | Port |\n|---|---|\n| 10.0.0.1 | 80 |\n",
		"##vso[task]b.md":       "# ::error::x\n\n| Address | Port |\n|---|---|\n| 10.0.0.1 | 80 |\n| {{x}} | 80 |\n",
	})
	for _, args := range [][]string{{"align", dir, "-v"}, {"align", dir, "-v", "--lang", "zh"}, {"align", dir, "-v", "--write"}} {
		_, out, errs := plainly(append(args, "--no-cache")...)
		if args[len(args)-1] != "--write" {
			out = ""
		}
		if !strings.Contains(out+errs, "a.md:") || regexp.MustCompile(`(?m)^\s*(::|##)`).MatchString(out+errs) {
			t.Errorf("%v:\n%s%s", args, out, errs)
		}
	}
}

// TestTurn: turning a copy moves every place of it, and turning it again brings each back.
func TestTurn(t *testing.T) {
	fresh := func() *schema.Copy {
		c := &schema.Copy{Files: []string{"a", "b", "c"}}
		n := 0
		everySpan(reflect.ValueOf(c).Elem(), func(s *schema.Span) {
			n++
			*s = schema.Span{Start: uint32(n), End: uint32(n + 1), File: uint16(n % 3)}
		})
		return c
	}
	want, got := fresh(), fresh()
	turn(got, 2)
	moved := map[uint16]uint16{0: 2, 1: 1, 2: 0}
	n := 0
	everySpan(reflect.ValueOf(got).Elem(), func(s *schema.Span) {
		if n++; s.File != moved[uint16(n%3)] || s.Start != uint32(n) {
			t.Errorf("place %d is in file %d", n, s.File)
		}
	})
	if n < 30 || got.Files[0] != "c" || got.Files[2] != "a" {
		t.Errorf("%d places, %v", n, got.Files)
	}
	turn(got, 2)
	turn(got, 0)
	turn(got, 7)
	if !reflect.DeepEqual(want, got) {
		t.Error("turned twice it is another copy")
	}
}

// everySpan passes every place below v to f; it makes lists of two elements where there are none.
func everySpan(v reflect.Value, f func(*schema.Span)) {
	if s, ok := v.Addr().Interface().(*schema.Span); ok {
		f(s)
		return
	}
	switch v.Kind() {
	case reflect.Slice:
		if v.Len() == 0 && v.Type().Elem().Kind() == reflect.Struct {
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			everySpan(v.Index(i), f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				everySpan(v.Field(i), f)
			}
		}
	}
}
