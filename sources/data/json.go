package data

import (
	"fmt"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/poolproof/poolproof/schema"
)

// JSON reads one JSON text, which may have comments and trailing commas. Of a template what stands in it literally is
// read, as far as that is JSON; texts that hold expressions keep them.
func JSON(src []byte) File {
	f, text, base := openText(src)
	if skipJSON(text, 0) == len(text) {
		return f
	}
	text, filler := f.fillCode(text, base, "//")
	r := jsonReader{text: text, base: base, filler: filler}
	if at, deep := bracketDepth(text); deep {
		f.report(tooDeep(r.at(at, at+1)))
		return f
	}
	value, err := parseJSON(text)
	if err != nil {
		if filler == nil {
			f.report(r.syntaxError(err))
		}
		return f
	}
	root := r.node(value)
	f.report(r.problems...)
	if filler != nil {
		p := partial{filler: filler, base: base, text: text}
		p.node(root, 0)
	}
	f.Documents = []Document{{Root: root, At: root.At}}
	return f
}

// parseJSON keeps a crash of the parser from becoming one of the program.
func parseJSON(text string) (v hujson.Value, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("hujson: %v", r)
		}
	}()
	return hujson.Parse([]byte(text + "\n")) // a comment must end with a line
}

type jsonReader struct {
	text     string
	base     int
	filler   *filler // nil if the file is no template
	problems problemList
}

func (r *jsonReader) at(start, end int) schema.Span { return schema.At(r.base+start, r.base+end) }

func (r *jsonReader) node(v hujson.Value) *Node {
	n := &Node{At: r.at(v.StartOffset, v.EndOffset), settled: true}
	switch value := v.Value.(type) {
	case *hujson.Object:
		n.Kind = Map
		n.Pairs = make([]Pair, 0, len(value.Members))
		var keys keySet
		for _, m := range value.Members {
			name := r.node(m.Name)
			pair := Pair{Key: name.Text, KeyAt: name.At, Value: r.node(m.Value)}
			if first, again := keys.add(n, pair); again {
				r.problems.duplicate(pair, first)
			}
		}
	case *hujson.Array:
		n.Kind = List
		n.Items = make([]*Node, 0, len(value.Elements))
		for _, e := range value.Elements {
			n.Items = append(n.Items, r.node(e))
		}
	case hujson.Literal:
		n.Text = r.text[v.StartOffset:v.EndOffset]
		switch value.Kind() {
		case '"':
			n.Kind, n.Style, n.Text = String, Quoted, value.String()
		case 't', 'f':
			n.Kind = Bool
		case '0':
			n.Kind = plainKind(n.Text)
		}
		if r.filler != nil && n.Kind == String {
			r.filler.restore(n, v.StartOffset, v.EndOffset)
		}
	}
	return n
}

// skipJSON returns the first byte from i on that is neither white space nor comment.
func skipJSON(s string, i int) int {
	for i < len(s) {
		switch {
		case s[i] == ' ' || s[i] == '\t' || s[i] == '\r' || s[i] == '\n':
			i++
		case strings.HasPrefix(s[i:], "//"):
			n := strings.IndexByte(s[i:], '\n')
			if n < 0 {
				return len(s)
			}
			i += n
		case strings.HasPrefix(s[i:], "/*"):
			n := strings.Index(s[i+2:], "*/")
			if n < 0 {
				return i
			}
			i += n + 4
		default:
			return i
		}
	}
	return i
}

// bracketDepth finds the bracket of JSON text that opens more levels than maxDepth.
func bracketDepth(s string) (at int, deep bool) {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			i = quotedEnd(s, i) - 1
		case '/':
			if j := skipJSON(s, i); j > i {
				i = j - 1
			}
		case '{', '[':
			if depth++; depth > maxDepth {
				return i, true
			}
		case '}', ']':
			depth--
		}
	}
	return 0, false
}
