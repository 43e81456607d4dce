package data

import (
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// dottedTree builds a tree from dotted keys with indexes.
type dottedTree struct {
	root     *Node
	branches map[*Node]*branch
	problems problemList
}

// branch is what the tree does not hold about a mapping or list while it grows.
type branch struct {
	keys    keySet
	indexes []int         // of a list: the written index of each item
	places  []schema.Span // of a list: where the key of each item stands
	byIndex map[int]int   // of a list: where the item of an index is
}

func newDottedTree() *dottedTree {
	return &dottedTree{root: &Node{Kind: Map, settled: true}, branches: map[*Node]*branch{}}
}

func (t *dottedTree) branch(n *Node) *branch {
	b := t.branches[n]
	if b == nil {
		b = &branch{}
		if n.Kind == List {
			b.byIndex = map[int]int{}
		}
		t.branches[n] = b
	}
	return b
}

// partial marks all mappings and lists: a loop around lines may add to any of them.
func (t *dottedTree) partial() {
	for n := range t.branches {
		n.Partial = true
	}
}

// step is one part of a dotted key: a name, or an index.
type step struct {
	name       string
	index      int
	indexed    bool
	start, end int // in the key's text
}

// steps splits a key. Names in brackets, a[some.name], are one name (Spring's way to write keys with dots).
func steps(key string) []step {
	var out []step
	for i := 0; i <= len(key); {
		start := i
		for i < len(key) && key[i] != '.' && key[i] != '[' {
			i++
		}
		if i > start || len(out) == 0 || key[start-1] == '.' {
			out = append(out, step{name: key[start:i], start: start, end: i})
		}
		for i < len(key) && key[i] == '[' {
			end := strings.IndexByte(key[i:], ']')
			if end < 0 {
				last := &out[len(out)-1]
				last.name += key[i:]
				last.end = len(key)
				return out
			}
			inner := key[i+1 : i+end]
			s := step{name: inner, start: i, end: i + end + 1}
			s.index, s.indexed = listIndex(inner)
			out = append(out, s)
			i += end + 1
		}
		if i < len(key) && key[i] == '.' {
			i++
			if i == len(key) {
				out = append(out, step{start: i, end: i})
				return out
			}
			continue
		}
		if i >= len(key) {
			return out
		}
		// Text right after a bracket belongs to a new name: a[0]b.
	}
	return out
}

// listIndex reads the index of a list item. An expression stands for an item too, the same for the same expression.
func listIndex(s string) (int, bool) {
	if strings.Contains(s, "{{") {
		h := fnv.New32a()
		h.Write([]byte(s))
		return 1<<31 + int(h.Sum32()), true
	}
	n, err := strconv.Atoi(s)
	return n, err == nil && s != "" && digits(s) == len(s)
}
