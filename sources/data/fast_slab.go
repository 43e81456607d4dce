package data

// slabs hands out nodes, entries and items from a few large pieces of memory.
type slabs struct {
	nodes []Node
	pairs []Pair
	items []*Node
	// Entries of collections that are not closed yet, innermost last.
	pairStack []Pair
	itemStack []*Node
	seen      map[string]bool // keys of a large mapping
	lines     int             // of text for which no memory was taken yet
}

// The sizes of pieces. The first one is as large as the text's lines suggest; small files take no more than they need.
const (
	minSlab = 8
	maxSlab = 256
)

func (s *slabs) size() int {
	n := max(minSlab, min(maxSlab, s.lines))
	s.lines -= n
	return n
}

func (s *slabs) node() *Node {
	if len(s.nodes) == 0 {
		s.nodes = make([]Node, s.size())
	}
	n := &s.nodes[0]
	s.nodes = s.nodes[1:]
	return n
}

// takePairs closes a mapping: it moves its entries from the stack to where they stay.
func (s *slabs) takePairs(mark int) []Pair {
	open := s.pairStack[mark:]
	n := len(open)
	if n == 0 {
		return nil
	}
	if len(s.pairs) < n {
		s.pairs = make([]Pair, max(n, min(maxSlab, cap(s.nodes))))
	}
	out := s.pairs[:n:n]
	copy(out, open)
	s.pairs = s.pairs[n:]
	s.pairStack = s.pairStack[:mark]
	return out
}

func (s *slabs) takeItems(mark int) []*Node {
	open := s.itemStack[mark:]
	n := len(open)
	if n == 0 {
		return nil
	}
	if len(s.items) < n {
		s.items = make([]*Node, max(n, min(maxSlab, cap(s.nodes))/4))
	}
	out := s.items[:n:n]
	copy(out, open)
	s.items = s.items[n:]
	s.itemStack = s.itemStack[:mark]
	return out
}
