package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

var verb = regexp.MustCompile(`%(\[\d+\])?[a-z]`)

// TestErrorsInChinese holds that every error of this package that has words of its own has a Chinese sentence with the
// same values in it.
func TestErrorsInChinese(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), e.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			name, _ := call.Fun.(*ast.Ident)
			text, _ := call.Args[0].(*ast.BasicLit)
			if name == nil || text == nil || name.Name != "usage" && name.Name != "notChecked" {
				return true
			}
			format, err := strconv.Unquote(text.Value)
			if err != nil {
				t.Fatal(err)
			}
			seen++
			words := strings.Contains(strings.TrimLeft(verb.ReplaceAllString(format, ""), "-"), " ") && strings.IndexFunc(verb.ReplaceAllString(format, ""), unicode.IsLetter) >= 0
			zh := chinese(format)
			if zh == "" && words && !onlyFlag.MatchString(format) {
				t.Errorf("%s: %q is told in English alone", e.Name(), format)
			}
			if zh != "" && !slices.Equal(verb.FindAllString(format, -1), verb.FindAllString(zh, -1)) {
				t.Errorf("%s: %q and %q hold other values", e.Name(), format, zh)
			}
			return true
		})
	}
	if seen < 50 {
		t.Errorf("only %d errors were found", seen)
	}
}

// onlyFlag is a format that names a flag and leaves the rest to the error that it wraps.
var onlyFlag = regexp.MustCompile(`^--[a-z-]+( %s)?: %w$`)

func TestInWords(t *testing.T) {
	gone := &fs.PathError{Op: "open", Path: "a/b", Err: fs.ErrNotExist}
	for _, c := range []struct {
		err    error
		en, zh string
	}{
		{usage("%s is not a folder", "a"), "a is not a folder", "a 不是目录"},
		{usage("--rule %s: no such rule%s; poolproof rules lists them", "x/y", didYouMean("x", nil)), "--rule x/y: no such rule; poolproof rules lists them", "--rule x/y：没有该规则；用 poolproof rules 查看全部规则"},
		{usage("no rule %q%s; poolproof rules lists them", "memers", didYouMean("memers", []string{"members"})),
			`no rule "memers" (did you mean members?); poolproof rules lists them`, `没有规则 "memers"（是否为 members？）；用 poolproof rules 查看全部规则`},
		{notChecked("reading the copies: %w", usage("%s is not a folder", "a")), "reading the copies: a is not a folder", "读取副本：a 不是目录"},
		{errors.Join(usage("%s is not a folder", "a"), gone), "a is not a folder\nopen a/b: file does not exist", "a 不是目录\na/b：文件或目录不存在"},
		{fmt.Errorf("what nobody translated"), "what nobody translated", "what nobody translated"},
		{&exitError{code: 3}, "exit code 3", "exit code 3"},
	} {
		if got := inWords(c.err, "en"); got != c.en {
			t.Errorf("%q, want %q", got, c.en)
		}
		if got := inWords(c.err, "zh"); got != c.zh {
			t.Errorf("%q, want %q", got, c.zh)
		}
	}
	if err := notChecked("reading the copies: %w", gone); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a wrapped error is not found")
	}
}
