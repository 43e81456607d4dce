package markdown

import "strings"

// item reads the mark of a list item. inside says that the line stands in a paragraph, which only an item with text
// interrupts, and of the numbered ones only the first.
func (p *parser) item(c *cursor, inside bool) (container, bool) {
	start := c.text()
	mark := start
	switch b := p.src[start]; {
	case b == '-' || b == '*' || b == '+':
		mark++
	case b >= '0' && b <= '9':
		for mark < c.end && mark-start < 9 && p.src[mark] >= '0' && p.src[mark] <= '9' {
			mark++
		}
		if mark == c.end || p.src[mark] != '.' && p.src[mark] != ')' || inside && p.src[start:mark] != "1" {
			return container{}, false
		}
		mark++
	default:
		return container{}, false
	}
	if mark < c.end && p.src[mark] != ' ' && p.src[mark] != '\t' {
		return container{}, false
	}
	indent := c.indent()
	after := *c
	after.skip(indent)
	after.take(mark - start)
	if after.blank() {
		if inside {
			return container{}, false
		}
		*c = after
		return container{item: true, indent: indent + mark - start + 1}, true
	}
	spaces := after.indent()
	if spaces > 4 { // indented code in the item
		spaces = 1
	}
	after.skip(spaces)
	*c = after
	return container{item: true, indent: indent + mark - start + spaces}, true
}

// fence is an open code fence.
type fence struct {
	mark   byte
	length int
}

// opensFence reads ``` or ~~~ with an info string.
func (p *parser) opensFence(c *cursor) bool {
	start := c.text()
	mark := p.src[start]
	n := run(p.src, start, c.end)
	if n < 3 || mark == '`' && strings.IndexByte(p.src[start+n:c.end], '`') >= 0 {
		return false
	}
	p.fence = fence{mark, n}
	return true
}

// run returns how often the byte at start is repeated.
func run(s string, start, end int) int {
	n := 1
	for start+n < end && s[start+n] == s[start] {
		n++
	}
	return n
}

// continues reports whether the line belongs to the open leaf, which is no paragraph, and takes it.
func (p *parser) continues(c *cursor) bool {
	switch p.leaf {
	case fenced:
		start := c.text()
		if start < c.end && p.src[start] == p.fence.mark && c.indent() < 4 {
			n := run(p.src, start, c.end)
			if n >= p.fence.length && trimRight(p.src, start+n, c.end) == start+n {
				p.closeLeaf()
			}
		}
		return true
	case indented:
		return c.indent() >= 4 || c.blank()
	case rawHTML:
		return p.continuesHTML(c)
	}
	return false
}
