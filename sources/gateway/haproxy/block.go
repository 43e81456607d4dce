package haproxy

// blockKind says what a block makes of the lines inside it.
type blockKind uint8

const (
	neutral blockKind = iota // the lines stand as they are
	cond                     // the lines may or may not be there
	loop                     // the lines stand for an unknown number of lines
	dead                     // the lines are never read (.if 0)
)

// block is an open .if or template block. Blocks form a chain to the outermost one.
type block struct {
	parent *block
	kind   blockKind
	// taken: an earlier branch of the same .if is known to be read, so no later one is.
	taken bool
}

// maxBlocks bounds nesting. Deeper blocks count as part of the deepest one that is kept.
const maxBlocks = 64

// blocks is a stack of open blocks.
type blocks struct {
	top   *block
	depth int
	over  int // blocks opened beyond maxBlocks
}

func (s *blocks) open(kind blockKind, taken bool) {
	if s.depth == maxBlocks {
		s.over++
		return
	}
	s.depth++
	s.top = &block{parent: s.top, kind: kind, taken: taken}
}

// branch replaces the innermost block by a sibling: else, elif.
func (s *blocks) branch(kind blockKind, taken bool) {
	if s.top != nil && s.over == 0 {
		s.top = &block{parent: s.top.parent, kind: kind, taken: taken}
	}
}

func (s *blocks) shut() {
	switch {
	case s.over > 0:
		s.over--
	case s.top != nil:
		s.top = s.top.parent
		s.depth--
	}
}

// since says what the blocks from b outwards, up to but without base, make of a line. If base has been closed since,
// the line belongs to more than one branch, which makes it conditional.
func since(b, base *block) blockKind {
	kind := neutral
	for ; b != base; b = b.parent {
		if b == nil {
			return max(kind, cond)
		}
		kind = max(kind, b.kind)
	}
	return kind
}
