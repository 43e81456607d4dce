package grammar

import (
	"slices"
	"strconv"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/format"
	"cuelang.org/go/cue/literal"
	"cuelang.org/go/cue/token"
)

// reader turns expressions of CUE into types. What it does not know becomes opaque, never a guess.
type reader struct{}

func (r reader) expr(e ast.Expr) *Type {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return r.expr(x.X)
	case *ast.Ident:
		return r.ident(x)
	case *ast.BasicLit:
		return r.literal(x)
	case *ast.SelectorExpr:
		if source(x) == "time.Time" {
			return &Type{Kinds: String, Time: true}
		}
	case *ast.UnaryExpr:
		return r.unary(x)
	case *ast.CallExpr:
		return r.call(x)
	case *ast.BinaryExpr:
		switch x.Op {
		case token.AND:
			return meet(r.expr(x.X), r.expr(x.Y), x)
		case token.OR:
			return r.join(alternatives(x))
		}
	case *ast.StructLit:
		return r.structure(x)
	case *ast.ListLit:
		return r.list(x)
	}
	return opaque(e)
}

func source(n ast.Node) string {
	text, err := format.Node(n)
	if err != nil {
		return "?"
	}
	return string(text)
}

func opaque(n ast.Node) *Type { return &Type{Opaque: source(n)} }

func (r reader) ident(x *ast.Ident) *Type {
	if strings.HasPrefix(x.Name, "#") {
		return &Type{Ref: x.Name[1:]}
	}
	kinds := map[string]Kinds{"string": String, "int": Int, "number": Number, "float": Float, "bool": Bool, "_": Any}
	if k, ok := kinds[x.Name]; ok {
		t := &Type{Kinds: k, Open: k&Map != 0}
		return t
	}
	return opaque(x)
}

func (r reader) literal(x *ast.BasicLit) *Type {
	switch x.Kind {
	case token.STRING:
		if s, err := literal.Unquote(x.Value); err == nil {
			return &Type{Kinds: String, Enum: []string{s}}
		}
	case token.NULL:
		return &Type{Kinds: Null}
	}
	return opaque(x)
}

func (r reader) unary(x *ast.UnaryExpr) *Type {
	lit, ok := x.X.(*ast.BasicLit)
	if !ok {
		return opaque(x)
	}
	if lit.Kind == token.STRING {
		s, err := literal.Unquote(lit.Value)
		switch {
		case err != nil:
		case x.Op == token.MAT:
			return &Type{Kinds: String, Pattern: s}
		case x.Op == token.NEQ:
			return &Type{Kinds: Any &^ Map &^ List, Not: []string{s}}
		}
		return opaque(x)
	}
	n, err := strconv.ParseFloat(lit.Value, 64)
	if err != nil {
		return opaque(x)
	}
	t := &Type{Kinds: Number}
	switch x.Op {
	case token.GEQ:
		t.Min = &Bound{Value: n}
	case token.GTR:
		t.Min = &Bound{Value: n, Exclusive: true}
	case token.LEQ:
		t.Max = &Bound{Value: n}
	case token.LSS:
		t.Max = &Bound{Value: n, Exclusive: true}
	default:
		return opaque(x)
	}
	return t
}

func (r reader) call(x *ast.CallExpr) *Type {
	if len(x.Args) == 1 {
		n, err := strconv.Atoi(source(x.Args[0]))
		switch name := source(x.Fun); {
		case err != nil:
		case name == "strings.MinRunes":
			return &Type{Kinds: String, MinRunes: n}
		case name == "strings.MaxRunes":
			return &Type{Kinds: String, MaxRunes: n}
		}
	}
	return opaque(x)
}

// meet returns the type of what both accept, as long as both are plain scalars; whole is where they stand.
func meet(a, b *Type, whole ast.Node) *Type {
	for _, t := range []*Type{a, b} {
		if t.Ref != "" || t.Opaque != "" || t.Alts != nil || t.Fields != nil || t.Rest != nil || t.Elem != nil {
			return opaque(whole)
		}
	}
	t := &Type{Kinds: a.Kinds & b.Kinds, Time: a.Time || b.Time, Not: append(slices.Clone(a.Not), b.Not...)}
	switch {
	case a.Min != nil && b.Min != nil, a.Max != nil && b.Max != nil, a.Enum != nil && b.Enum != nil,
		a.Pattern != "" && b.Pattern != "", a.MinRunes > 0 && b.MinRunes > 0, a.MaxRunes > 0 && b.MaxRunes > 0:
		return opaque(whole)
	}
	t.Min, t.Max = or(a.Min, b.Min), or(a.Max, b.Max)
	t.Pattern = a.Pattern + b.Pattern
	t.MinRunes, t.MaxRunes = a.MinRunes+b.MinRunes, a.MaxRunes+b.MaxRunes
	t.Enum = append(slices.Clone(a.Enum), b.Enum...)
	if t.Kinds == 0 {
		return opaque(whole)
	}
	return t
}

func or[T any](a, b *T) *T {
	if a != nil {
		return a
	}
	return b
}

// alternatives lists the branches of a disjunction in order.
func alternatives(e ast.Expr) []ast.Expr {
	if x, ok := e.(*ast.BinaryExpr); ok && x.Op == token.OR {
		return append(alternatives(x.X), alternatives(x.Y)...)
	}
	return []ast.Expr{e}
}

// join returns the type of a disjunction. Texts become one enumeration; a default that another branch accepts anyway
// (bool | *false, int | *500) is kept as documentation alone.
func (r reader) join(branches []ast.Expr) *Type {
	t := &Type{}
	var texts *Type
	var marked ast.Expr
	for _, e := range branches {
		if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.MUL {
			e, marked = u.X, u.X
			if lit, ok := e.(*ast.BasicLit); ok && lit.Kind != token.STRING {
				continue
			}
		}
		alt := r.expr(e)
		if alt.Kinds == String && len(alt.Enum) == 1 {
			if texts != nil {
				texts.Enum = append(texts.Enum, alt.Enum...)
				continue
			}
			texts = alt
		}
		t.Alts = append(t.Alts, alt)
	}
	if lit, ok := marked.(*ast.BasicLit); ok && lit.Kind != token.STRING {
		if !slices.ContainsFunc(t.Alts, func(a *Type) bool { return plain(a, kindOf(lit)) }) {
			return &Type{Opaque: "a default outside the other branches: " + source(lit)}
		}
	}
	if len(t.Alts) == 1 {
		t = t.Alts[0]
	}
	if marked != nil {
		t.Default = strings.Trim(source(marked), `"`)
	}
	return t
}

func kindOf(lit *ast.BasicLit) Kinds {
	switch lit.Kind {
	case token.TRUE, token.FALSE:
		return Bool
	case token.INT:
		return Int
	case token.FLOAT:
		return Float
	case token.NULL:
		return Null
	}
	return 0
}

// plain reports whether t accepts every value of kind k.
func plain(t *Type, k Kinds) bool {
	return t.Opaque == "" && t.Ref == "" && t.Kinds&k != 0 && t.Min == nil && t.Max == nil
}

func (r reader) structure(x *ast.StructLit) *Type {
	t := &Type{Kinds: Map}
	for _, e := range x.Elts {
		switch d := e.(type) {
		case *ast.Ellipsis:
			t.Open = true
			if d.Type != nil {
				return opaque(x)
			}
		case *ast.EmbedDecl:
			inner := r.expr(d.Expr)
			if inner.Ref == "" {
				return opaque(x)
			}
			t.Fields = append(t.Fields, Field{Type: inner}) // filled in by Grammar.embed
		case *ast.Field:
			if list, ok := d.Label.(*ast.ListLit); ok && len(list.Elts) == 1 {
				t.Rest = append(t.Rest, Rest{Key: r.expr(list.Elts[0]), Value: r.expr(d.Value), Doc: doc(d)})
				continue
			}
			name, _, err := ast.LabelName(d.Label)
			if err != nil || name == "" || d.Constraint == token.ILLEGAL {
				return opaque(x)
			}
			t.Fields = append(t.Fields, Field{Name: name, Required: d.Constraint == token.NOT, Doc: doc(d), Type: r.expr(d.Value)})
		case *ast.CommentGroup:
		default:
			return opaque(x)
		}
	}
	return t
}

func (r reader) list(x *ast.ListLit) *Type {
	if len(x.Elts) == 1 {
		if rest, ok := x.Elts[0].(*ast.Ellipsis); ok {
			t := &Type{Kinds: List}
			if rest.Type != nil {
				t.Elem = r.expr(rest.Type)
			}
			return t
		}
	}
	return opaque(x)
}
