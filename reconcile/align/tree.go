package align

import (
	"sort"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

// seat is where a node stands: in which collection, and as which of its entries.
type seat struct {
	node   *data.Node
	parent *data.Node
	index  int
	keyed  bool // an entry of a mapping
}

// tree finds the nodes of a file by their places.
type tree struct {
	items   map[span]seat   // entries of lists
	pairs   map[span]seat   // entries of mappings, with their keys
	values  map[span]seat   // values of mappings
	merged  map[span][]seat // what merge keys bring, by the alias
	scalars []seat          // texts, by place
}

func asSpan(s schema.Span) span { return span{int(s.Start), int(s.End)} }

func newTree(documents []data.Document) *tree {
	t := &tree{items: map[span]seat{}, pairs: map[span]seat{}, values: map[span]seat{}, merged: map[span][]seat{}}
	for _, d := range documents {
		if d.Root != nil {
			t.add(seat{node: d.Root}, 0)
		}
	}
	sort.Slice(t.scalars, func(i, j int) bool { return t.scalars[i].node.At.Start < t.scalars[j].node.At.Start })
	return t
}

// maxDepth bounds the walk; readers refuse what is deeper.
const maxDepth = 300

func (t *tree) add(s seat, depth int) {
	n := s.node
	if n == nil || depth > maxDepth {
		return
	}
	at := asSpan(n.Place())
	switch {
	case s.parent == nil:
	case s.keyed:
		put(t.pairs, pairSpan(&s.parent.Pairs[s.index]), s)
		put(t.values, at, s)
	default:
		put(t.items, at, s)
	}
	if n.Alias.Known() { // what stands elsewhere is found there
		return
	}
	switch n.Kind {
	case data.Map:
		for i := range n.Pairs {
			kid := seat{node: n.Pairs[i].Value, parent: n, index: i, keyed: true}
			if p := &n.Pairs[i]; !p.Merged {
				t.add(kid, depth+1)
			} else if p.Value != nil {
				t.merged[asSpan(p.Value.Place())] = append(t.merged[asSpan(p.Value.Place())], kid)
			}
		}
	case data.List:
		for i, item := range n.Items {
			t.add(seat{node: item, parent: n, index: i}, depth+1)
		}
	case data.String:
		t.scalars = append(t.scalars, s)
	}
}

// put keeps the outermost node of a place.
func put(seats map[span]seat, at span, s seat) {
	if _, there := seats[at]; !there && at.known() {
		seats[at] = s
	}
}

// entry returns the entry of a list or mapping that stands at a place.
func (t *tree) entry(at span) (seat, bool) {
	if s, ok := t.items[at]; ok {
		return s, true
	}
	s, ok := t.pairs[at]
	return s, ok
}

// aliased reports whether a place is an alias that stands for a whole list.
func (t *tree) aliased(at span) bool {
	s, ok := t.values[at]
	return ok && s.node.Kind == data.List
}

// pairSpan covers a key and its value.
func pairSpan(p *data.Pair) span {
	return asSpan(schema.Join(p.KeyAt, p.Value.Place()))
}

// text returns the text scalar that holds a place.
func (t *tree) text(at span) (seat, bool) {
	i := sort.Search(len(t.scalars), func(i int) bool { return int(t.scalars[i].node.At.Start) > at.start }) - 1
	if i < 0 || !at.within(asSpan(t.scalars[i].node.At)) {
		return seat{}, false
	}
	return t.scalars[i], true
}
