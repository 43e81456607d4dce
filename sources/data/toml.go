package data

import (
	"errors"
	"fmt"
	"slices"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/poolproof/poolproof/schema"
)

// maxTOMLErrors bounds how many errors of one file are shown; what comes after so many is noise.
const maxTOMLErrors = 20

// TOML reads a TOML file into one tree: tables, arrays of tables, dotted keys and inline tables all become mappings
// and lists. An expression that cannot be read costs itself only: reading goes on with the next line.
func TOML(src []byte) File {
	f, text, base := openText(src)
	text, filler := f.fillCode(text, base, "#")
	r := tomlReader{text: text, base: base, filler: filler, tables: map[*Node]*tomlTable{}, root: &Node{Kind: Map, settled: true}}
	r.path = []*Node{r.root}
	r.read()
	if filler != nil {
		r.problems = withoutSyntax(r.problems)
		p := partial{filler: filler, base: base, text: text}
		p.node(r.root, 0)
		for n, t := range r.tables {
			n.Partial = n.Partial || t.ofArray // loops stand around headers, not inside lists
		}
	}
	f.report(r.problems...)
	if r.root.At.Known() {
		f.Documents = []Document{{Root: r.root, At: r.root.At}}
	}
	return f
}

// withoutSyntax leaves out what a template's expressions break.
func withoutSyntax(problems []schema.Problem) []schema.Problem {
	return slices.DeleteFunc(problems, func(p schema.Problem) bool { return p.Rule == "source/syntax" || p.Rule == "source/duplicate-key" })
}

// read goes through the text; after an error it goes on with the next line that could be whole.
func (r *tomlReader) read() {
	for pos, errors := 0, 0; pos < len(r.text) && errors < maxTOMLErrors; errors++ {
		next, err := r.expressions(pos)
		if err == nil {
			return
		}
		// The expression began after the last good one.
		start := skipTOML(r.text, r.good)
		line := lastLine(r.text, min(next, len(r.text)))
		r.problems.add(r.syntaxError(start, next, err))
		if next >= len(r.text)-1 && line > start {
			return // left open up to the end of the file
		}
		pos = lineEnd(r.text, start)
		if line > pos {
			pos = line // a value over several lines breaks where the next key begins
		}
	}
}

type tomlReader struct {
	text     string
	base     int
	root     *Node
	path     []*Node // the table that key-value lines go into, and those around it
	tables   map[*Node]*tomlTable
	filler   *filler // nil if the file is no template
	offset   int     // of the parser's input in the text
	good     int     // the end of the last expression that was read
	problems problemList
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
			next, err = r.good, fmt.Errorf("toml: %v", e)
		}
	}()
	r.offset, r.good = pos, pos
	p.Reset([]byte(r.text[pos:]))
	for p.NextExpression() {
		r.good = r.expression(p.Expression())
	}
	var syntax *unstable.ParserError
	if errors.As(p.Error(), &syntax) {
		return pos + int(p.Range(syntax.Highlight).Offset), syntax
	}
	return r.good, p.Error()
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
		r.problems.duplicate(p, first)
	}
}

func (r *tomlReader) find(table *Node, key string) *Pair {
	if i := r.table(table).keys.find(table, key); i >= 0 {
		return &table.Pairs[i]
	}
	return nil
}
