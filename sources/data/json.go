package data

import (
	"fmt"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/poolproof/poolproof/schema"
)

// JSON reads one JSON text, which may have comments and trailing commas.
func JSON(src []byte) File {
	var f File
	text, base := string(src), 0
	if rest, ok := strings.CutPrefix(text, bom); ok {
		text, base = rest, len(bom)
		f.Problems = append(f.Problems, byteOrderMark())
	}
	r := jsonReader{text: text, base: base}
	if at, deep := bracketDepth(text); deep {
		f.Problems = append(f.Problems, tooDeep(r.at(at, at+1)))
		return f
	}
	if skipJSON(text, 0) == len(text) {
		return f
	}
	value, err := parseJSON(text)
	if err != nil {
		f.Problems = append(f.Problems, r.syntaxError(err))
		return f
	}
	root := r.node(value)
	f.Problems = append(f.Problems, r.problems...)
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
	return hujson.Parse([]byte(text))
}

type jsonReader struct {
	text     string
	base     int
	problems []schema.Problem
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
			name, _ := m.Name.Value.(hujson.Literal)
			pair := Pair{Key: name.String(), KeyAt: r.at(m.Name.StartOffset, m.Name.EndOffset), Value: r.node(m.Value)}
			if first, again := keys.add(n, pair); again {
				r.problems = append(r.problems, duplicateKey(pair, first))
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
	}
	return n
}

// syntaxError words an error of the parser.
func (r *jsonReader) syntaxError(err error) schema.Problem {
	message := strings.TrimPrefix(err.Error(), "hujson: ")
	start := 0
	var line, column int
	if n, _ := fmt.Sscanf(message, "line %d, column %d: ", &line, &column); n == 2 {
		_, message, _ = strings.Cut(message, ": ")
		start = min(lineStart(r.text, line)+column-1, len(r.text))
	}
	end := start
	if end < len(r.text) {
		end++
	} else if start > 0 {
		start-- // an end that comes too early: show the last byte
	}
	for start > 0 && r.text[start]&0xC0 == 0x80 {
		start--
	}
	for end < len(r.text) && r.text[end]&0xC0 == 0x80 {
		end++
	}
	return schema.Problem{Rule: "source/syntax", At: r.at(start, end), Text: schema.Textf("not valid JSON: %s", "不是合法的 JSON：%s", message)}
}

// lineStart returns the offset of a line, counted from 1.
func lineStart(s string, line int) int {
	pos := 0
	for ; line > 1; line-- {
		i := strings.IndexByte(s[pos:], '\n')
		if i < 0 {
			return len(s)
		}
		pos += i + 1
	}
	return pos
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
			n := strings.Index(s[i:], "*/")
			if n < 0 {
				return i
			}
			i += n + 2
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
