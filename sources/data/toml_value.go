package data

import (
	"math/big"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// keyValue adds an entry to a table and returns the byte after its value.
func (r *tomlReader) keyValue(table *Node, e *unstable.Node, depth int) int {
	parts := r.parts(e)
	last := parts[len(parts)-1]
	start := last.end
	for start < len(r.text) && r.text[start] != '=' {
		start++
	}
	if depth += len(parts); depth > maxDepth {
		r.problems.add(tooDeep(r.at(parts[0].start, last.end)))
		return last.end
	}
	path := []*Node{}
	inner := table
	for _, k := range parts[:len(parts)-1] {
		inner, path = r.step(inner, k, path)
	}
	value, end := r.value(e.Value(), start+1, depth)
	r.add(inner, last, value)
	r.widen(path, r.at(parts[0].start, end))
	return end
}

// value reads a value that starts at pos or after white space, and returns the byte after it.
func (r *tomlReader) value(e *unstable.Node, pos, depth int) (*Node, int) {
	n := &Node{settled: true}
	switch e.Kind {
	case unstable.Array, unstable.InlineTable:
		start := skipTOML(r.text, pos)
		end := start + 1
		closing := byte(']')
		n.Kind = List
		if e.Kind == unstable.InlineTable {
			n.Kind, closing = Map, '}'
			r.table(n).inline = true
		}
		if depth >= maxDepth {
			r.problems.add(tooDeep(r.at(start, end)))
			n.At = r.at(start, end)
			return n, end
		}
		for it := e.Children(); it.Next(); {
			if child := it.Node(); child.Kind == unstable.KeyValue {
				end = r.keyValue(n, child, depth+1)
			} else {
				var item *Node
				item, end = r.value(child, end, depth+1)
				n.Items = append(n.Items, item)
			}
		}
		for end < len(r.text) && r.text[end] != closing {
			if end = skipTOML(r.text, end); end < len(r.text) && r.text[end] != closing {
				end++
			}
		}
		end = min(end+1, len(r.text))
		n.At = r.at(start, end)
		return n, end
	}
	start, end := r.raw(e.Raw)
	n.At = r.at(start, end)
	r.scalar(n, e.Kind, r.text[start:end], string(e.Data))
	if r.filler != nil {
		r.filler.restore(n, start, end)
	}
	return n, end
}

// scalar fills in a scalar's kind and text; numbers lose what only TOML understands of their spelling.
func (r *tomlReader) scalar(n *Node, kind unstable.Kind, raw, text string) {
	n.Text = text
	n.Kind = String
	switch kind {
	case unstable.String:
		n.Style = Quoted
		if strings.HasPrefix(raw, `"""`) || strings.HasPrefix(raw, "'''") {
			n.Style = Block
		}
	case unstable.Bool:
		n.Kind = Bool
	case unstable.Integer, unstable.Float:
		n.Kind = Int
		if kind == unstable.Float {
			n.Kind = Float
		}
		n.Text = decimal(raw)
	}
}

// decimal returns a TOML number without underscores, sign + and bases.
func decimal(s string) string {
	s = strings.TrimPrefix(strings.ReplaceAll(s, "_", ""), "+")
	if len(s) > 2 && s[0] == '0' && strings.IndexByte("xob", s[1]) >= 0 && len(s) < 100 {
		if n, ok := new(big.Int).SetString(s, 0); ok {
			return n.String()
		}
	}
	return s
}

// skipTOML returns the first byte from i on that is no white space, comment or comma.
func skipTOML(s string, i int) int {
	for i < len(s) {
		switch s[i] {
		case ' ', '\t', '\r', '\n', ',':
			i++
		case '#':
			n := strings.IndexByte(s[i:], '\n')
			if n < 0 {
				return len(s)
			}
			i += n
		default:
			return i
		}
	}
	return i
}
