package markdown

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/doc/section"
)

// parser follows the block structure of a document line by line.
type parser struct {
	out sink
	src string

	open []container
	leaf leaf
	// para are the lines of the open paragraph.
	para []line
	// fence is the open code fence; html says what ends the open HTML block.
	fence fence
	html  htmlBlock

	table section.Table
	cells []section.Cell
	strip stripper
}

// sink takes what a document holds, in file order; depth is how many containers a block stands in.
type sink interface {
	Heading(depth, level int, title section.Cell, code []section.Cell)
	Line(depth int, text string, start int)
	Text(depth int)
	Comment(depth int, text string, start int)
	Table(depth int, t *section.Table)
	Unread(depth int, at schema.Span, what schema.Text)
}

// container is an open block quote or list item.
type container struct {
	item   bool
	indent int  // of an item's content, in columns
	filled bool // an item that holds a block
}

// leaf is the kind of block that the last line belonged to.
type leaf uint8

const (
	noLeaf leaf = iota
	paragraph
	fenced
	indented
	rawHTML
)

// line is a line of a paragraph, without its containers' marks.
type line struct {
	start, end int  // without the white space around it
	deep       bool // indented by four columns or more
}

// maxNesting bounds quotes in quotes; deeper ones are text.
const maxNesting = 64

// parse reads the document from byte start on.
func (p *parser) parse(start int) {
	for start < len(p.src) {
		end, next := len(p.src), len(p.src)
		if i := strings.IndexByte(p.src[start:], '\n'); i >= 0 {
			end, next = start+i, start+i+1
		}
		if end > start && p.src[end-1] == '\r' {
			end--
		}
		p.line(start, end)
		start = next
	}
	p.closeLeaf()
}

// line reads one line, without its line ending.
func (p *parser) line(start, end int) {
	c := cursor{src: p.src, at: start, end: end}
	matched := p.match(&c)
	if matched == len(p.open) && p.leaf > paragraph && p.continues(&c) {
		return
	}
	lazy := p.leaf == paragraph // the line may go on with the paragraph although a container did not match
	fresh := false              // a container was opened by this line
	for {
		indent := c.indent()
		if c.blank() {
			p.leave(matched)
			p.closeLeaf()
			return
		}
		inside := lazy && matched == len(p.open) && !fresh // the paragraph is what the line stands in
		if indent >= 4 {
			if lazy && !fresh {
				break
			}
			p.begin(matched, fresh)
			p.leaf = indented
			return
		}
		first := p.src[c.text()]
		if inside && (first == '=' || first == '-') {
			if p.underline(&c) {
				return
			}
			lazy = p.leaf == paragraph
			inside = inside && lazy
		}
		switch {
		case first == '>' && len(p.open) < maxNesting:
			p.begin(matched, fresh)
			c.quote()
			p.open = append(p.open, container{})
		case first == '#' && p.heading(&c, matched, fresh):
			return
		case (first == '`' || first == '~') && p.opensFence(&c):
			p.begin(matched, fresh)
			p.leaf = fenced
			return
		case first == '<' && p.opensHTML(&c, lazy && !fresh):
			p.begin(matched, fresh)
			p.startHTML(&c)
			return
		case isBreak(p.src[c.text():end]):
			p.begin(matched, fresh)
			p.out.Text(len(p.open))
			return
		default:
			item, ok := p.item(&c, inside)
			if !ok || len(p.open) >= maxNesting {
				goto text
			}
			p.begin(matched, fresh)
			p.open = append(p.open, item)
		}
		matched, fresh = len(p.open), true
	}
text:
	if !lazy || fresh {
		p.begin(matched, fresh)
		p.leaf = paragraph
	}
	p.para = append(p.para, line{c.text(), trimRight(p.src, c.text(), end), c.indent() >= 4})
}

// match counts the open containers that the line continues.
func (p *parser) match(c *cursor) int {
	for i := range p.open {
		k := &p.open[i]
		switch {
		case !k.item:
			if c.indent() > 3 || c.blank() || p.src[c.text()] != '>' {
				return i
			}
			c.quote()
		case c.blank():
			if !k.filled {
				return i
			}
		case c.indent() >= k.indent:
			c.skip(k.indent)
		default:
			return i
		}
	}
	return len(p.open)
}

// begin makes room for a new block: the open leaf ends, and with it the containers that the line does not continue.
func (p *parser) begin(matched int, fresh bool) {
	if !fresh {
		p.leave(matched)
		p.closeLeaf()
	}
	if n := len(p.open); n > 0 {
		p.open[n-1].filled = true
	}
}

// leave closes containers, with the leaf in them.
func (p *parser) leave(matched int) {
	if matched < len(p.open) {
		p.closeLeaf()
		p.open = p.open[:matched]
	}
}

// closeLeaf ends the open leaf.
func (p *parser) closeLeaf() {
	switch p.leaf {
	case paragraph:
		p.endParagraph()
	case rawHTML:
		p.endHTML()
	case fenced, indented:
		p.out.Text(len(p.open))
	}
	p.leaf = noLeaf
}

// heading reads "## Title".
func (p *parser) heading(c *cursor, matched int, fresh bool) bool {
	start := c.text()
	level := start
	for level < c.end && p.src[level] == '#' {
		level++
	}
	n := level - start
	if n > 6 || level < c.end && p.src[level] != ' ' && p.src[level] != '\t' {
		return false
	}
	p.begin(matched, fresh)
	from := trimLeft(p.src, level, c.end)
	to := trimRight(p.src, from, c.end)
	if hashes := strings.TrimRight(p.src[from:to], "#"); hashes == "" {
		to = from
	} else if last := hashes[len(hashes)-1]; len(hashes) < to-from && (last == ' ' || last == '\t') {
		to = trimRight(p.src, from, from+len(hashes))
	}
	p.title(n, from, to)
	return true
}

// underline reads the line of = or - that makes a heading of the paragraph above it. A paragraph that is a table stays
// one.
func (p *parser) underline(c *cursor) bool {
	text := p.src[c.text():trimRight(p.src, c.text(), c.end)]
	level := 1
	if text[0] == '-' {
		level = 2
	}
	if strings.Trim(text, text[:1]) != "" {
		return false
	}
	if i := p.tableIn(p.para); i > 0 && p.columns(p.para[i-1]) <= p.columns(p.para[i]) {
		p.closeLeaf()
		return false
	}
	from, to := p.para[0].start, p.para[len(p.para)-1].end
	p.para = p.para[:0]
	p.leaf = noLeaf
	p.title(level, from, to)
	return true
}

func (p *parser) title(level, from, to int) {
	to = trimAttributes(p.src, from, to)
	cell, code := p.inline(from, to)
	cell.At = schema.At(from, to)
	p.out.Heading(len(p.open), level, cell, code)
	for _, note := range comments(p.src, from, to) {
		p.out.Comment(len(p.open), p.src[note.start:note.end], note.start)
	}
}

// isBreak reports a thematic break: three or more *, - or _, and nothing else but white space.
func isBreak(s string) bool {
	mark, n := s[0], 0
	if mark != '*' && mark != '-' && mark != '_' {
		return false
	}
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case mark:
			n++
		case ' ', '\t':
		default:
			return false
		}
	}
	return n > 2
}
