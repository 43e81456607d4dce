package data

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/poolproof/poolproof/schema"
)

// put adds a leaf under a dotted key that stands at at. exact says that the key is written without escapes, so that its
// parts have places of their own.
func (t *dottedTree) put(key string, at schema.Span, exact bool, leaf *Node) {
	parts := steps(key)
	if len(parts) >= maxDepth {
		t.problems.add(tooDeep(at))
		return
	}
	whole := schema.Join(at, leaf.At)
	n := t.root
	n.At = schema.Join(n.At, whole)
	for i, s := range parts {
		partAt := at
		if exact {
			partAt = schema.At(int(at.Start)+s.start, int(at.Start)+s.end)
		}
		slot, first := t.slot(n, s, partAt)
		if i == len(parts)-1 {
			t.leaf(slot, first, partAt, leaf, Pair{Key: key, KeyAt: at})
			return
		}
		t.grow(slot, parts[i+1].indexed, Pair{Key: key, KeyAt: at}, first)
		n = *slot
		n.At = schema.Join(n.At, whole)
	}
}

// slot returns where the value under a step of n is kept, nil inside if there is none yet, and where its key stands.
func (t *dottedTree) slot(n *Node, s step, at schema.Span) (value **Node, key *schema.Span) {
	b := t.branch(n)
	if n.Kind == List {
		i, there := b.byIndex[s.index]
		if !there {
			i = len(n.Items)
			b.byIndex[s.index] = i
			b.indexes = append(b.indexes, s.index)
			b.places = append(b.places, at)
			n.Items = append(n.Items, nil)
		}
		return &n.Items[i], &b.places[i]
	}
	i := b.keys.find(n, s.name)
	if i < 0 {
		b.keys.add(n, Pair{Key: s.name, KeyAt: at})
		i = len(n.Pairs) - 1
	}
	return &n.Pairs[i].Value, &n.Pairs[i].KeyAt
}

// leaf puts a value into a slot whose key stands at first. The whole key and its last part stand at key.KeyAt and at.
func (t *dottedTree) leaf(slot **Node, first *schema.Span, at schema.Span, leaf *Node, key Pair) {
	switch old := *slot; {
	case old == nil:
		*slot = leaf
	case old.Kind == Map:
		old.At = schema.Join(old.At, schema.Join(key.KeyAt, leaf.At))
		inner, innerAt := t.slot(old, step{}, at)
		t.leaf(inner, innerAt, at, leaf, key)
	case old.Kind == List:
		// A list written twice, once by index and once as one value: the items say more.
		t.problems.duplicate(key, *first)
	default:
		t.problems.duplicate(key, *first)
		*slot, *first = leaf, at
	}
}

// grow makes a slot hold a mapping or list that keys below it can go into.
func (t *dottedTree) grow(slot **Node, list bool, key Pair, first *schema.Span) {
	kind := Map
	if list {
		kind = List
	}
	old := *slot
	switch {
	case old == nil:
		*slot = &Node{Kind: kind, settled: true}
	case old.Scalar() && list:
		t.problems.duplicate(key, *first)
		*slot = &Node{Kind: List, settled: true}
	case old.Scalar():
		n := &Node{Kind: Map, settled: true, At: schema.Join(*first, old.At)}
		inner, _ := t.slot(n, step{}, *first)
		*inner = old
		*slot = n
	case old.Kind == List && !list:
		*slot = t.named(old)
	}
}

// named turns a list into a mapping whose keys are the indexes, for keys that use both forms.
func (t *dottedTree) named(list *Node) *Node {
	b := t.branch(list)
	n := &Node{Kind: Map, settled: true, At: list.At}
	for i, item := range list.Items {
		inner, _ := t.slot(n, step{name: strconv.Itoa(b.indexes[i])}, b.places[i])
		*inner = item
	}
	return n
}

// finish puts list items in the order of their indexes; gaps close.
func (t *dottedTree) finish() {
	for n, b := range t.branches {
		if n.Kind != List || slices.IsSorted(b.indexes) {
			continue
		}
		order := make([]int, len(b.indexes))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(x, y int) int { return cmp.Compare(b.indexes[x], b.indexes[y]) })
		items := make([]*Node, len(order))
		for i, from := range order {
			items[i] = n.Items[from]
		}
		n.Items = items
	}
}
