package cuefile

import (
	"strconv"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/token"
)

// maxCost is how many values a file may come to. CUE spends some ten microseconds on each.
const maxCost = 300_000

// costOf estimates from above how many values a file evaluates to: a reference costs what it refers to, a loop its body
// for each element, a pattern its constraint for each field of the file. It returns the most expensive top-level
// declaration and the cost of the whole.
func costOf(f *ast.File) (worst ast.Node, total float64) {
	c := coster{known: map[ast.Node]float64{}}
	ast.Walk(f, func(n ast.Node) bool {
		if _, ok := n.(*ast.Field); ok {
			c.fields++
		}
		return true
	}, nil)
	worst, total = f, crowd(len(f.Decls))
	highest := 0.0
	for _, d := range f.Decls {
		n := c.node(d)
		total += n
		if n > highest {
			worst, highest = d, n
		}
	}
	return worst, total
}

type coster struct {
	fields float64
	known  map[ast.Node]float64
}

func (c *coster) node(n ast.Node) float64 {
	if n == nil {
		return 0
	}
	if known, ok := c.known[n]; ok {
		return known
	}
	c.known[n] = 1 // a cycle, which CUE reports by itself
	cost := c.count(n)
	c.known[n] = cost
	return cost
}

func (c *coster) count(n ast.Node) float64 {
	switch x := n.(type) {
	case *ast.Field:
		if list, ok := x.Label.(*ast.ListLit); ok {
			return c.all(list.Elts) + c.node(x.Value)*(c.fields+1)
		}
		if label, ok := x.Label.(ast.Expr); ok {
			if _, plain := label.(*ast.Ident); !plain {
				return c.node(label) + c.node(x.Value)
			}
		}
		return c.node(x.Value)
	case *ast.Alias:
		return c.node(x.Expr)
	case *ast.LetClause:
		return c.node(x.Expr)
	case *ast.EmbedDecl:
		return c.node(x.Expr)
	case *ast.Ellipsis:
		return c.node(x.Type)
	case *ast.StructLit:
		sum := 1 + crowd(len(x.Elts))
		for _, d := range x.Elts {
			sum += c.node(d)
		}
		return sum
	case *ast.ListLit:
		return 1 + c.all(x.Elts)
	case *ast.Comprehension:
		product := c.node(x.Value)
		for _, clause := range x.Clauses {
			product *= c.clause(clause)
		}
		return product
	case *ast.Interpolation:
		return 1 + c.all(x.Elts)
	case *ast.BinaryExpr:
		return c.binary(x)
	case *ast.UnaryExpr:
		return c.node(x.X)
	case *ast.ParenExpr:
		return c.node(x.X)
	case *ast.CallExpr:
		return 1 + c.node(x.Fun) + c.all(x.Args)
	case *ast.SelectorExpr:
		return c.node(x.X)
	case *ast.IndexExpr:
		return c.node(x.X) + c.node(x.Index)
	case *ast.SliceExpr:
		return c.node(x.X) + c.node(x.Low) + c.node(x.High)
	case *ast.Ident:
		if x.Node != nil {
			return max(1, c.node(x.Node))
		}
	case *ast.ForClause:
		// A loop variable is at most all that is looped over.
		return c.node(x.Source)
	}
	return 1
}

func (c *coster) all(list []ast.Expr) float64 {
	sum := 0.0
	for _, e := range list {
		sum += c.node(e)
	}
	return sum
}

// clause returns how often what follows a clause of a comprehension is evaluated.
func (c *coster) clause(n ast.Clause) float64 {
	switch x := n.(type) {
	case *ast.ForClause:
		return max(1, c.node(x.Source))
	case *ast.IfClause:
		return max(1, c.node(x.Condition))
	case *ast.LetClause:
		return max(1, c.node(x.Expr))
	}
	return 1
}

// CUE looks for each field among the others of its struct, and compares each branch of a disjunction with those before
// it: so many of these steps take as long as one value.
const (
	lookups     = 1000
	comparisons = 100
)

// crowd is the cost of n fields standing in one struct.
func crowd(n int) float64 { return float64(n) * float64(n) / lookups }

// binary: the branches of disjunctions multiply where they meet, and * repeats texts and lists as often as it says.
func (c *coster) binary(x *ast.BinaryExpr) float64 {
	a, b := c.node(x.X), c.node(x.Y)
	switch x.Op {
	case token.AND:
		if branches(x.X) || branches(x.Y) {
			return a * b
		}
	case token.OR:
		return a + b + a*b/comparisons
	case token.MUL:
		n, isNumber := factor(x.X)
		m, alsoNumber := factor(x.Y)
		switch {
		case isNumber && alsoNumber:
			return 1
		case isNumber:
			return b * n
		case alsoNumber:
			return a * m
		}
		return maxCost + 1
	}
	return a + b
}

// branches reports whether an expression is, or may lead to, a disjunction.
func branches(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return branches(x.X)
	case *ast.BinaryExpr:
		return x.Op == token.OR || branches(x.X) || branches(x.Y)
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr:
		return true
	}
	return false
}

// factor returns the value of a number written out.
func factor(e ast.Expr) (float64, bool) {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return factor(x.X)
	case *ast.BasicLit:
		n, err := strconv.ParseFloat(strings.ReplaceAll(x.Value, "_", ""), 64)
		return max(1, n), err == nil && (x.Kind == token.INT || x.Kind == token.FLOAT)
	}
	return 0, false
}
