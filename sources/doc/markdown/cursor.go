package markdown

// cursor walks over the white space and container marks at the start of a line, counting columns: a tab reaches to the
// next multiple of four.
type cursor struct {
	src     string
	at, end int
	column  int // of at, without the padding
	padding int // columns of a tab before at that no container has taken
}

// text returns where the first byte that is no space or tab stands, end if there is none.
func (c *cursor) text() int { return trimLeft(c.src, c.at, c.end) }

// blank reports whether nothing but white space is left.
func (c *cursor) blank() bool {
	for i := c.at; i < c.end; i++ {
		if !isSpace(c.src[i]) {
			return false
		}
	}
	return true
}

// indent returns how many columns of white space are left before the text.
func (c *cursor) indent() int {
	column := c.column
	for i := c.at; i < c.end; i++ {
		switch c.src[i] {
		case ' ':
			column++
		case '\t':
			column += 4 - column%4
		default:
			return column - c.column + c.padding
		}
	}
	return column - c.column + c.padding
}

// skip takes n columns of white space, or as many as there are.
func (c *cursor) skip(n int) {
	if taken := min(n, c.padding); taken > 0 {
		c.padding -= taken
		n -= taken
	}
	for n > 0 && c.at < c.end {
		width := 1
		switch c.src[c.at] {
		case ' ':
		case '\t':
			width = 4 - c.column%4
		default:
			return
		}
		c.at++
		c.column += width
		if width > n {
			c.padding = width - n
		}
		n -= width
	}
}

// take moves over n bytes that are no tabs.
func (c *cursor) take(n int) {
	c.at += n
	c.column += n
	c.padding = 0
}

// quote moves over the mark of a block quote and the space that belongs to it.
func (c *cursor) quote() {
	c.skip(3)
	c.take(1)
	c.skip(1)
}

func isSpace(b byte) bool { return b == ' ' || b >= '\t' && b <= '\r' }

func trimLeft(s string, start, end int) int {
	for start < end && (s[start] == ' ' || s[start] == '\t') {
		start++
	}
	return start
}

// trimRight returns the end of s[start:end] without the white space there.
func trimRight(s string, start, end int) int {
	for end > start && isSpace(s[end-1]) {
		end--
	}
	return end
}
