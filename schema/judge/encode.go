package judge

import (
	"strconv"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/token"

	"github.com/poolproof/poolproof/schema/judge/internal/table"
)

// maxEncoded is how many nodes of one value CUE is asked about. It spends some ten microseconds and kilobytes on each.
const maxEncoded = 20_000

// encoder writes a document as an expression of CUE. Values that are cut out become examples of what is accepted there,
// so that they decide nothing; what stands under a key that the grammar does not have, or is a collection of the wrong
// kind, is refused whatever it holds, and left empty.
type encoder struct {
	table *table.Table
	state func(Tree) State
	nodes int
	// own: only what the value's own definition says matters. Mappings inside it that have a definition of their own are
	// judged by that, and stand as examples here.
	own bool
	// stoodIn is how many such mappings there were.
	stoodIn int
}

// encode returns nil for a value that is too large to ask about.
func encode(tab *table.Table, state func(Tree) State, ti uint16, n Tree) ast.Expr {
	e := encoder{table: tab, state: state}
	return e.whole(ti, n)
}

// encodeOwn encodes what the value's own definition decides, as review needs it.
func encodeOwn(tab *table.Table, state func(Tree) State, ti uint16, n Tree) ast.Expr {
	e := encoder{table: tab, state: state, own: true}
	return e.whole(ti, n)
}

func (e *encoder) whole(ti uint16, n Tree) ast.Expr {
	x := e.expr(ti, n)
	if e.nodes > maxEncoded {
		return nil
	}
	return x
}

// expr encodes a node that is judged by type ti; noType where the grammar knows none.
func (e *encoder) expr(ti uint16, n Tree) ast.Expr {
	if e.nodes++; e.nodes > maxEncoded {
		return ast.NewNull()
	}
	state := Written
	if e.state != nil {
		state = e.state(n)
	}
	if state == Cut {
		return e.example(ti)
	}
	k := n.Kind()
	if state == Filled {
		k = plainKind(n.Text())
		if ti != noType {
			k, _ = filled(e.table, &e.table.Types[ti], n.Text())
		}
	}
	switch k {
	case Null:
		return ast.NewNull()
	case Bool:
		return ast.NewBool(strings.EqualFold(n.Text(), "true"))
	case Int, Float:
		return numeral(n.Text(), k)
	case String:
		return ast.NewString(n.Text())
	case List:
		return ast.NewList(e.elements(ti, n)...)
	}
	if e.own && e.nodes > 1 {
		if t, open := e.fitting(ti, n, Map); t != nil && !open && t.Name != "" {
			e.stoodIn++
			return e.exampleOf(t)
		}
	}
	return &ast.StructLit{Elts: e.fields(ti, n)}
}

func (e *encoder) elements(ti uint16, n Tree) []ast.Expr {
	t, open := e.fitting(ti, n, List)
	if t == nil && !open {
		return nil
	}
	elem := noType
	if t != nil && !t.Has(table.AnyElem) {
		elem = t.Elem
	}
	var elems []ast.Expr
	before := e.stoodIn
	for i := 0; i < n.Len() && e.nodes <= maxEncoded; i++ {
		if i == maxStandIns && e.stoodIn-before == i && e.onlyStandIns(elem, n, i) {
			break
		}
		elems = append(elems, e.expr(elem, n.Child(i)))
	}
	return elems
}

// maxStandIns is how many elements of a list stand as examples, where all of them do.
const maxStandIns = 4

// onlyStandIns reports whether all elements from the i-th on are mappings with a definition of their own.
func (e *encoder) onlyStandIns(elem uint16, n Tree, i int) bool {
	for ; i < n.Len(); i++ {
		c := n.Child(i)
		if c.Kind() != Map || e.state != nil && e.state(c) != Written {
			return false
		}
		if t, open := e.fitting(elem, c, Map); t == nil || open || t.Name == "" {
			return false
		}
	}
	return true
}

func (e *encoder) fields(ti uint16, n Tree) []ast.Decl {
	t, open := e.fitting(ti, n, Map)
	if t == nil && !open {
		return nil
	}
	var fields []ast.Decl
	for i := 0; i < n.Len() && e.nodes <= maxEncoded; i++ {
		key, _ := n.Key(i)
		var value ast.Expr
		if entry := e.entry(t, key); entry == noType && t != nil && !t.Has(table.Open) {
			e.nodes++
			value = ast.NewNull()
		} else {
			value = e.expr(entry, n.Child(i))
		}
		fields = append(fields, &ast.Field{Label: ast.NewString(key), Value: value})
	}
	return fields
}

// fitting returns the type, or the alternative of it, that a collection is judged by, nil if there is none; open says
// that any collection is accepted there, or that only CUE knows.
func (e *encoder) fitting(ti uint16, n Tree, k Kind) (t *table.Type, open bool) {
	if ti == noType {
		return nil, true
	}
	score := -1
	for _, ti := range leavesOf(e.table, nil, &table.Type{Alts: []uint16{ti}}) {
		alt := &e.table.Types[ti]
		if s := known(alt, n, k); alt.Kinds&(1<<k) != 0 && s > score {
			t, score = alt, s
		}
		open = open || alt.Has(table.Opaque)
	}
	return t, open
}

// entry returns the type of a mapping's entry.
func (e *encoder) entry(t *table.Type, key string) uint16 {
	if t == nil {
		return noType
	}
	if f := indexOf(t.Fields, key, 0); f >= 0 {
		return t.Fields[f].Type
	}
	for _, r := range t.Rest {
		if scalar(e.table, &e.table.Types[r.Key], String, key) == accepted {
			return r.Value
		}
	}
	return noType
}

// maxNumeral is how many digits of a whole number CUE is asked about.
const maxNumeral = 400

// numeral writes a number as CUE has it: no plus sign, no leading zeros, a fraction with digits on both sides.
func numeral(text string, k Kind) ast.Expr {
	if notFinite(text) {
		return &ast.BottomLit{}
	}
	s := strings.ToLower(text)
	if len(s) > maxNumeral && strings.Trim(s[1:], "0123456789") == "" {
		s = s[:maxNumeral] // beyond every bound all the same, and CUE takes the square of its length
	}
	negative := strings.HasPrefix(s, "-")
	s = strings.TrimLeft(s, "+-")
	kind := token.INT
	if !strings.HasPrefix(s, "0x") && !strings.HasPrefix(s, "0o") {
		s = strings.TrimLeft(s, "0")
		if s == "" || s[0] < '0' || s[0] > '9' {
			s = "0" + s
		}
		if k == Float {
			kind = token.FLOAT
			mantissa, exponent, has := strings.Cut(s, "e")
			mantissa = strings.TrimSuffix(mantissa, ".")
			if !strings.Contains(mantissa, ".") {
				mantissa += ".0"
			}
			if s = mantissa; has {
				s += "e" + exponent
			}
		}
	}
	lit := &ast.BasicLit{Kind: kind, Value: s}
	if negative {
		return &ast.UnaryExpr{Op: token.SUB, X: lit}
	}
	return lit
}

// example returns a value that type ti accepts.
func (e *encoder) example(ti uint16) ast.Expr {
	if ti == noType {
		return ast.NewString("")
	}
	return e.exampleOf(&e.table.Types[ti])
}

func (e *encoder) exampleOf(t *table.Type) ast.Expr {
	if len(t.Alts) > 0 {
		return e.example(t.Alts[0])
	}
	switch {
	case t.Enum != nil:
		return ast.NewString(t.Enum[0])
	case t.Pattern != table.NoPattern:
		return ast.NewString(examples[t.Pattern])
	case t.Kinds&table.Number != 0:
		n := t.Min
		if t.Has(table.HasMin|table.MinExclusive) || !t.Has(table.HasMin) {
			n = t.Min + 1
		}
		if t.Has(table.HasMax) && n > t.Max {
			n = t.Max
		}
		return ast.NewLit(token.INT, strconv.FormatInt(int64(n), 10))
	case t.Kinds&table.Bool != 0:
		return ast.NewBool(true)
	case t.Kinds&table.String != 0:
		return ast.NewString(strings.Repeat("x", max(1, t.MinRunes)))
	case t.Kinds&table.List != 0:
		return ast.NewList()
	case t.Kinds&table.Map != 0:
		var fields []ast.Decl
		for i, f := range t.Fields {
			if t.Required&(1<<i) != 0 {
				fields = append(fields, &ast.Field{Label: ast.NewString(f.Name), Value: e.example(f.Type)})
			}
		}
		return &ast.StructLit{Elts: fields}
	}
	return ast.NewNull()
}

// examples holds a text of each pattern.
var examples = [...]string{
	table.Duration: "1s",
	table.Digest:   "sha256:0000000000000000000000000000000000000000000000000000000000000000",
	table.Date:     "2026-12-31",
	table.Offset:   "+1",
	table.Time:     "2026-12-31T00:00:00Z",
}
