package judge

import (
	"fmt"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// node is a document of tests.
type node struct {
	kind Kind
	text string
	keys []string
	kids []*node
}

func (n *node) Kind() Kind       { return n.kind }
func (n *node) Text() string     { return n.text }
func (n *node) At() schema.Span  { return schema.Span{} }
func (n *node) Len() int         { return len(n.kids) }
func (n *node) Child(i int) Tree { return n.kids[i] }
func (n *node) Key(i int) (string, schema.Span) {
	return n.keys[i], schema.Span{}
}

// String writes the document like CUE, for messages of tests.
func (n *node) String() string {
	switch n.kind {
	case String:
		return fmt.Sprintf("%q", n.text)
	case List:
		parts := []string{}
		for _, k := range n.kids {
			parts = append(parts, k.String())
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case Map:
		parts := []string{}
		for i, k := range n.kids {
			parts = append(parts, fmt.Sprintf("%q: %s", n.keys[i], k))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case Null:
		return "null"
	}
	return n.text
}

// text, num, obj and arr build documents.
func text(s string) *node { return &node{kind: String, text: s} }
func num(s string) *node  { return &node{kind: plainKind(s), text: s} }

// obj takes keys and values in turn; values are nodes, texts, or numbers as ints.
func obj(pairs ...any) *node {
	n := &node{kind: Map}
	for i := 0; i < len(pairs); i += 2 {
		n.keys = append(n.keys, pairs[i].(string))
		n.kids = append(n.kids, of(pairs[i+1]))
	}
	return n
}

func arr(items ...any) *node {
	n := &node{kind: List}
	for _, i := range items {
		n.kids = append(n.kids, of(i))
	}
	return n
}

func of(v any) *node {
	switch v := v.(type) {
	case *node:
		return v
	case string:
		return text(v)
	case int:
		return num(fmt.Sprint(v))
	case float64:
		return &node{kind: Float, text: fmt.Sprint(v)}
	case bool:
		return &node{kind: Bool, text: fmt.Sprint(v)}
	}
	return &node{kind: Null}
}
