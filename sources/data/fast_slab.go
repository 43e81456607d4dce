package data

// slabs hands out nodes, entries and items from a few large pieces of memory. The pieces are as large as what is left
// of the text suggests, so that small files take little more than they need.
type slabs struct {
	nodes []Node
	pairs []Pair
	items []*Node
	// Entries of collections that are not closed yet, innermost last.
	pairStack []Pair
	itemStack []*Node
	seen      map[string]bool // keys of a large mapping
	left      int             // nodes that the rest of the text may hold
}

// The most entries of one piece, with which the runtime wastes nothing, and how many bytes of text a node takes in
// files of the usual kind.
const (
	nodeSlab  = 256
	pairSlab  = 256
	itemSlab  = 64
	lineBytes = 20
)

func newSlabs(size int) slabs {
	return slabs{pairStack: make([]Pair, 0, 16), itemStack: make([]*Node, 0, 16), left: 1 + size/lineBytes}
}

func (s *slabs) node() *Node {
	if len(s.nodes) == 0 {
		n := max(8, min(nodeSlab, s.left))
		s.left -= n
		s.nodes = make([]Node, n)
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
		s.pairs = make([]Pair, max(n, min(pairSlab, len(s.nodes)+8)))
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
		s.items = make([]*Node, max(n, min(itemSlab, (len(s.nodes)+8)/4)))
	}
	out := s.items[:n:n]
	copy(out, open)
	s.items = s.items[n:]
	s.itemStack = s.itemStack[:mark]
	return out
}
