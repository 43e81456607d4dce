// Package cuefile evaluates single files of CUE into the tree that the other structured formats give, with the places at
// which the values are written. Files stand alone: they import nothing, and what they can make the evaluator do is
// bounded before it starts.
package cuefile

import (
	"fmt"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/cuecontext"
	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/parser"
	"cuelang.org/go/cue/token"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

// Parse evaluates a file. Its one document holds the regular fields at the root; hidden fields, definitions and lets
// serve these and are not part of it. Values that stay open (int, string) are missing from the tree and reported.
func Parse(src []byte) data.File {
	var f data.File
	if at, what := tooDeep(src); what.En != "" {
		f.Problems = append(f.Problems, schema.Problem{Rule: "source/syntax", At: at, Text: what})
		return f
	}
	r := reader{size: len(src)}
	file, err := parser.ParseFile("", src)
	if err != nil {
		f.Problems = r.problems("source/syntax", err, schema.Textf("not valid CUE", "不是合法的 CUE"))
		return f
	}
	for spec := range file.ImportSpecs() {
		f.Problems = append(f.Problems, schema.Problem{Rule: "schema/invalid", At: r.span(spec), Got: spec.Path.Value,
			Text: schema.Textf("import %s: the file has to stand alone", "import %s：此文件不能引用其他包", spec.Path.Value),
			Hint: schema.Textf("write the value out", "请直接写出值")})
	}
	if f.Problems == nil {
		if at, n := costOf(file); n > maxCost {
			f.Problems = append(f.Problems, schema.Problem{Rule: "schema/invalid", At: r.span(at),
				Text: schema.Textf("this makes the file too large to evaluate", "此处使文件过大，无法求值"),
				Hint: schema.Textf("write fewer repetitions and references", "减少重复与引用")})
		}
	}
	if f.Problems != nil {
		return f
	}
	r.evaluate(&f, file)
	return f
}

// evaluate fills f with what the file evaluates to.
func (r *reader) evaluate(f *data.File, file *ast.File) {
	what := schema.Textf("the file does not evaluate", "文件无法求值")
	defer func() {
		if recover() != nil { // a fault of the evaluator
			f.Documents = nil
			f.Problems = append(f.Problems, schema.Problem{Rule: "schema/invalid", At: schema.At(0, 0), Text: what})
		}
	}()
	v := cuecontext.New().BuildFile(file)
	if err := v.Err(); err != nil {
		f.Problems = r.problems("schema/invalid", err, what)
	}
	root := &data.Node{Kind: data.Map, At: schema.At(0, r.size)}
	r.fields(root, v, 0)
	f.Documents = []data.Document{{Root: root, At: root.At}}
	f.Problems = append(f.Problems, r.found...)
}

// reader turns values of CUE into nodes.
type reader struct {
	size  int
	found []schema.Problem
}

// maxDepth bounds the tree, as for the other formats.
const maxDepth = 200

func (r *reader) fields(n *data.Node, v cue.Value, depth int) {
	it, err := v.Fields()
	if err != nil {
		return
	}
	for it.Next() {
		value := it.Value()
		p := data.Pair{Key: it.Selector().Unquoted(), KeyAt: r.keyAt(value)}
		if p.Value = r.node(value, depth+1); p.Value != nil {
			n.Pairs = append(n.Pairs, p)
		}
	}
}

// node returns nil for a value that is in error or stays open; that has been reported.
func (r *reader) node(v cue.Value, depth int) *data.Node {
	if depth > maxDepth {
		return nil
	}
	n := &data.Node{Style: data.Quoted, At: r.valueAt(v)}
	v, _ = v.Default()
	switch v.Kind() {
	case cue.NullKind:
		n.Kind, n.Style = data.Null, data.Plain
	case cue.BoolKind, cue.IntKind, cue.FloatKind:
		n.Kind = map[cue.Kind]data.Kind{cue.BoolKind: data.Bool, cue.IntKind: data.Int, cue.FloatKind: data.Float}[v.Kind()]
		text, err := v.MarshalJSON()
		if err != nil {
			return nil
		}
		n.Text = string(text)
	case cue.StringKind:
		n.Kind = data.String
		n.Text, _ = v.String()
	case cue.ListKind:
		n.Kind = data.List
		it, err := v.List()
		for err == nil && it.Next() {
			if item := r.node(it.Value(), depth+1); item != nil {
				n.Items = append(n.Items, item)
			}
		}
	case cue.StructKind:
		n.Kind = data.Map
		r.fields(n, v, depth)
	default:
		r.open(v, n.At)
		return nil
	}
	return n
}

// open reports a value that is not one value. Errors inside the file have been reported as a whole.
func (r *reader) open(v cue.Value, at schema.Span) {
	if v.IncompleteKind() == cue.BottomKind {
		return
	}
	r.found = append(r.found, schema.Problem{Rule: "schema/invalid", At: at, Field: v.Path().String(),
		Text: schema.Textf("%s is left open: any %s would do", "%s 没有定值：任何 %s 都可以", v.Path(), v.IncompleteKind()),
		Hint: schema.Textf("write one value", "请写定一个值")})
}

// source returns what a value is written as: of one that is written in several places, the first.
func source(v cue.Value) ast.Node {
	if n := v.Source(); n != nil {
		return n
	}
	var first ast.Node
	_, parts := v.Expr()
	for _, p := range parts {
		if f, ok := p.Source().(*ast.Field); ok && (first == nil || f.Pos().Offset() < first.Pos().Offset()) {
			first = f
		}
	}
	return first
}

// keyAt returns where the label of a field stands.
func (r *reader) keyAt(v cue.Value) schema.Span {
	if f, ok := source(v).(*ast.Field); ok {
		return r.span(f.Label)
	}
	return r.valueAt(v)
}

// valueAt returns where a value is written: of a reference, the reference.
func (r *reader) valueAt(v cue.Value) schema.Span {
	switch n := source(v).(type) {
	case *ast.Field:
		return r.span(n.Value)
	case *ast.File, nil:
		return schema.At(0, r.size)
	default:
		return r.span(n)
	}
}

func (r *reader) span(n ast.Node) schema.Span {
	if n == nil {
		return schema.Span{}
	}
	start, end := n.Pos(), n.End()
	if !start.HasAbsPos() || !end.HasAbsPos() {
		return schema.Span{}
	}
	return r.clip(start.Offset(), end.Offset())
}

func (r *reader) clip(start, end int) schema.Span {
	start = max(0, min(start, r.size))
	return schema.At(start, max(start, min(end, r.size)))
}

// maxErrors is how many errors of one file are shown.
const maxErrors = 20

// problems words errors of CUE, each at its first place.
func (r *reader) problems(rule string, err error, what schema.Text) []schema.Problem {
	var out []schema.Problem
	for _, e := range errors.Errors(err) {
		if len(out) == maxErrors {
			break
		}
		pos := e.Position()
		if !pos.HasAbsPos() {
			for _, p := range e.InputPositions() {
				if p.HasAbsPos() {
					pos = p
					break
				}
			}
		}
		p := schema.Problem{Rule: rule, Field: strings.Join(e.Path(), "."), Text: what}
		format, args := e.Msg()
		if why := fmt.Sprintf(format, args...); why != "" {
			p.Text = schema.Text{En: what.En + ": " + why, Zh: what.Zh + "：" + why}
		}
		p.At = r.place(pos)
		out = append(out, p)
	}
	return out
}

func (r *reader) place(pos token.Pos) schema.Span {
	if !pos.HasAbsPos() {
		return r.clip(0, 0)
	}
	return r.clip(pos.Offset(), pos.Offset())
}
