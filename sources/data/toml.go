package data

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/poolproof/poolproof/schema"
)

// maxTOMLErrors bounds how many errors of one file are shown; what comes after so many is noise.
const maxTOMLErrors = 20

// TOML reads a TOML file into one tree: tables, arrays of tables, dotted keys and inline tables all become mappings
// and lists. An expression that cannot be read costs itself only: reading goes on with the next line.
func TOML(src []byte) File {
	var f File
	text, base := string(src), 0
	if rest, ok := strings.CutPrefix(text, bom); ok {
		text, base = rest, len(bom)
		f.Problems = append(f.Problems, byteOrderMark())
	}
	r := tomlReader{text: text, base: base, tables: map[*Node]*tomlTable{}, root: &Node{Kind: Map}}
	r.path = []*Node{r.root}
	for pos := 0; pos < len(text); {
		next, err := r.expressions(pos)
		if err == nil {
			break
		}
		r.errors++
		if r.errors <= maxTOMLErrors {
			r.problems = append(r.problems, r.syntaxError(next, err))
		}
		pos = lineEnd(text, max(next, pos))
	}
	f.Problems = append(f.Problems, r.problems...)
	if r.root.At.Known() {
		f.Documents = []Document{{Root: r.root, At: r.root.At}}
	}
	return f
}

type tomlReader struct {
	text     string
	base     int
	root     *Node
	path     []*Node // the table that key-value lines go into, and those around it
	tables   map[*Node]*tomlTable
	offset   int // of the parser's input in the text
	problems []schema.Problem
	errors   int
}

// tomlTable is what the tree does not hold about a mapping.
type tomlTable struct {
	keys    keySet
	header  schema.Span // of the [header] that defined it; unknown for tables named on the way or by dotted keys
	inline  bool        // written as a value, and closed
	ofArray bool        // for lists: made of [[headers]]
}

// expressions reads from pos on up to the end, or to an error at next.
func (r *tomlReader) expressions(pos int) (next int, err error) {
	var p unstable.Parser
	defer func() {
		if e := recover(); e != nil {
			next, err = max(next, pos), fmt.Errorf("toml: %v", e)
		}
	}()
	r.offset = pos
	p.Reset([]byte(r.text[pos:]))
	for p.NextExpression() {
		e := p.Expression()
		next = r.expression(e)
	}
	var syntax *unstable.ParserError
	if errors.As(p.Error(), &syntax) {
		return pos + int(p.Range(syntax.Highlight).Offset), syntax
	}
	return next, p.Error()
}

// expression adds one header or key-value line to the tree and returns the byte after it.
func (r *tomlReader) expression(e *unstable.Node) int {
	switch e.Kind {
	case unstable.Table, unstable.ArrayTable:
		return r.header(e)
	case unstable.KeyValue:
		end := r.keyValue(r.path[len(r.path)-1], e, len(r.path))
		r.widen(r.path, schema.At(r.base+r.offset+int(e.Raw.Offset), r.base+end))
		return end
	}
	return r.offset
}

// widen makes tables cover what was added to the innermost of them.
func (r *tomlReader) widen(path []*Node, at schema.Span) {
	for _, n := range path {
		n.At = schema.Join(n.At, at)
	}
}

// raw returns the bytes of a parser's range as offsets of the text.
func (r *tomlReader) raw(raw unstable.Range) (start, end int) {
	start = r.offset + int(raw.Offset)
	return start, start + int(raw.Length)
}

func (r *tomlReader) at(start, end int) schema.Span { return schema.At(r.base+start, r.base+end) }

// keyPart is one part of a dotted key.
type keyPart struct {
	name       string
	start, end int
}

func (r *tomlReader) parts(e *unstable.Node) []keyPart {
	var parts []keyPart
	for it := e.Key(); it.Next(); {
		k := it.Node()
		start, end := r.raw(k.Raw)
		parts = append(parts, keyPart{string(k.Data), start, end})
	}
	return parts
}

func (r *tomlReader) table(n *Node) *tomlTable {
	t := r.tables[n]
	if t == nil {
		t = &tomlTable{}
		r.tables[n] = t
	}
	return t
}

// add puts an entry into a table and reports a key that is there already.
func (r *tomlReader) add(table *Node, k keyPart, value *Node) {
	p := Pair{Key: k.name, KeyAt: r.at(k.start, k.end), Value: value}
	if first, again := r.table(table).keys.add(table, p); again {
		r.problems = append(r.problems, duplicateKey(p, first))
	}
}

func (r *tomlReader) find(table *Node, key string) *Pair {
	if i := r.table(table).keys.find(table, key); i >= 0 {
		return &table.Pairs[i]
	}
	return nil
}

func (r *tomlReader) syntaxError(at int, err error) schema.Problem {
	start, end := at, at
	for start > 0 && start >= len(r.text) || start > 0 && start < len(r.text) && r.text[start]&0xC0 == 0x80 {
		start--
	}
	for end = start + 1; end < len(r.text) && r.text[end]&0xC0 == 0x80; {
		end++
	}
	return schema.Problem{
		Rule: "source/syntax", At: r.at(start, min(end, len(r.text))),
		Text: schema.Textf("not valid TOML: %s", "不是合法的 TOML：%s", strings.TrimPrefix(err.Error(), "toml: ")),
	}
}
