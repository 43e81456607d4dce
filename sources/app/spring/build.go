package spring

import (
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

// builder turns one document into a property tree.
type builder struct {
	file     uint16
	split    bool // keys hold dots and brackets: YAML, where .properties come as a tree already
	budget   *int // values left to read, over all files
	problems []schema.Problem
}

// Bounds on what one key and one application may hold.
const (
	maxElements = 64
	maxValues   = 1 << 20
)

// document builds the tree of one document.
func (b *builder) document(n *data.Node) *prop {
	root := &prop{}
	b.add(root, n, nil, schema.Span{}, false)
	return root
}

func (b *builder) in(s schema.Span) schema.Span {
	if s.Known() {
		s.File = b.file
	}
	return s
}

// add puts a node into p; path holds the names that lead there, and key is where the last of them stands.
func (b *builder) add(p *prop, n *data.Node, path []string, key schema.Span, merged bool) {
	if *b.budget--; *b.budget < 0 || n == nil {
		return
	}
	switch n.Kind {
	case data.Map:
		p.valueAt = schema.Join(p.valueAt, b.in(n.Place()))
		for i := range n.Pairs {
			pair := &n.Pairs[i]
			b.pair(p, pair, path, merged || pair.Merged)
		}
	case data.List:
		b.list(p, n, path, key, merged)
	case data.Null:
	default:
		if !b.replaces(p, path, key, merged) {
			return
		}
		if p.list {
			p.list = false
			p.clear()
		}
		p.node, p.valueAt, p.merged = n, b.in(n.Place()), merged
	}
}

func (b *builder) pair(p *prop, pair *data.Pair, path []string, merged bool) {
	at := b.in(pair.KeyAt)
	if !b.split {
		if pair.Key == "" { // a value that has keys below it too
			b.add(p, pair.Value, path, at, merged)
			return
		}
		kid := p.grow(pair.Key, at)
		b.add(kid, pair.Value, append(path[:len(path):len(path)], pair.Key), at, merged)
		return
	}
	parts := elements(pair.Key)
	if len(path)+len(parts) > maxElements {
		return
	}
	path = path[:len(path):len(path)]
	whole := at
	if pair.Value != nil {
		whole = schema.Join(at, b.in(pair.Value.Place()))
	}
	for i, e := range parts {
		if e.index {
			p.list = true
		}
		if i > 0 && p.node == nil { // a block that only exists in keys stands where its keys stand
			p.valueAt = schema.Join(p.valueAt, whole)
		}
		p = p.grow(e.name, at)
		path = append(path, e.name)
	}
	b.add(p, pair.Value, path, at, merged)
}

// list puts a list into p, in place of an earlier one.
func (b *builder) list(p *prop, n *data.Node, path []string, key schema.Span, merged bool) {
	if !b.replaces(p, path, key, merged) {
		return
	}
	p.clear()
	p.list, p.node, p.valueAt, p.merged = true, nil, b.in(n.Place()), merged
	for i, item := range n.Items {
		at := schema.Span{}
		if item != nil {
			at = b.in(item.Place())
		}
		name := strconv.Itoa(i)
		b.add(p.grow(name, at), item, append(path[:len(path):len(path)], name), at, merged)
	}
}

// replaces reports whether a value may be set at p. A second spelling of a key that has a value already is a problem
// where pools are concerned, and wins; a merged value gives way to an explicit one.
func (b *builder) replaces(p *prop, path []string, key schema.Span, merged bool) bool {
	if p.node == nil && !p.list {
		return true
	}
	if merged != p.merged {
		return p.merged
	}
	if concerned(path) && key.Known() {
		b.problems = append(b.problems, schema.Problem{
			Rule: "source/duplicate-key", At: key, Field: strings.Join(path, "."),
			Text: schema.Textf("%s is set twice in one document, in two spellings; to Spring they are one property, and the later counts here",
				"同一文档中 %s 以两种写法设置了两次；对 Spring 而言是同一属性，这里以后者为准", strings.Join(path, ".")),
			Hint:    schema.Textf("keep one of them", "请只保留一个"),
			Related: []schema.Note{{At: p.place(), Label: schema.Textf("first set here", "第一次设置在这里")}},
		})
	}
	return true
}

// concerned reports whether a property is one that pools are read from. Elsewhere two spellings may be two keys of a
// map, such as names of loggers.
func concerned(path []string) bool {
	is := func(i int, name string) bool { return i < len(path) && relaxed(path[i]) == name }
	return is(0, resilience4j) || is(0, "spring") && is(1, "cloud") && (is(2, "discovery") || is(2, "loadbalancer") || is(2, "gateway"))
}

// element is one part of a key.
type element struct {
	name  string
	index bool // [0]
}

// elements splits a key at its dots; what stands in brackets is one element, a number in brackets an index.
func elements(key string) []element {
	var out []element
	for key != "" {
		if key[0] == '[' {
			inside, rest, closed := strings.Cut(key[1:], "]")
			if closed {
				_, err := strconv.Atoi(inside)
				out = append(out, element{inside, err == nil})
				key = strings.TrimPrefix(rest, ".")
				continue
			}
		}
		n := strings.IndexAny(key[1:], ".[") + 1
		if n == 0 {
			n = len(key)
		}
		if name := strings.Trim(key[:n], "."); name != "" {
			out = append(out, element{name: name})
		}
		key = strings.TrimPrefix(key[n:], ".")
	}
	return out
}
