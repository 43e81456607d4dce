package testdata

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
)

// anything stands for an argument of any type: what is checked is that a sentence and its arguments fit.
type anything struct{}

func (anything) Format(f fmt.State, _ rune) { fmt.Fprint(f, "x") }

// TestSentencesFitTheirArguments renders every sentence of the program in both languages. An argument that one of them
// does not use, or one too few, would show as %!(EXTRA or %!d(BADINDEX) in what people read; the compiler and vet see
// neither, since the two languages share their arguments.
func TestSentencesFitTheirArguments(t *testing.T) {
	seen := 0
	for _, file := range goFiles(t) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || call.Ellipsis.IsValid() {
				return true
			}
			for _, s := range sentences(call) {
				seen++
				if s.broken() {
					t.Errorf("%s: %q with %d arguments", set.Position(call.Pos()), s.format, s.args)
				}
			}
			return true
		})
	}
	if seen < 1000 {
		t.Fatalf("only %d sentences found: the test looks for the wrong calls", seen)
	}
}

type sentence struct {
	format string
	args   int
}

func (s sentence) broken() bool {
	if s.format == "" { // the other language alone is meant
		return false
	}
	args := make([]any, s.args)
	for i := range args {
		args[i] = anything{}
	}
	return strings.Contains(fmt.Sprintf(s.format, args...), "%!")
}

// sentences returns what a call words, in each language: Textf(en, zh, args), say(en, zh, args), and
// Sprintf(say(en, zh), args).
func sentences(call *ast.CallExpr) []sentence {
	switch name := called(call); {
	case (name == "Textf" || name == "say") && len(call.Args) >= 2:
		en, ok := constant(call.Args[0])
		zh, too := constant(call.Args[1])
		args := len(call.Args) - 2
		if !ok || !too || name == "say" && args == 0 { // a bare say is a format for another call, or no format at all
			return nil
		}
		return []sentence{{en, args}, {zh, args}}
	case name == "Sprintf" || name == "Errorf" || name == "Fprintf":
		for i, arg := range call.Args {
			inner, ok := arg.(*ast.CallExpr)
			if !ok || called(inner) != "say" || len(inner.Args) != 2 || i > 1 {
				continue
			}
			en, ok := constant(inner.Args[0])
			zh, too := constant(inner.Args[1])
			if args := len(call.Args) - i - 1; ok && too && (i == 0) != (name == "Fprintf") {
				return []sentence{{en, args}, {zh, args}}
			}
			return nil
		}
	}
	return nil
}

func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// constant returns a text that is written in the source, in one piece or several.
func constant(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false
		}
		s, err := strconv.Unquote(e.Value)
		return s, err == nil
	case *ast.BinaryExpr:
		a, ok := constant(e.X)
		b, too := constant(e.Y)
		return a + b, ok && too && e.Op == token.ADD
	}
	return "", false
}
