package asciidoc

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/doc/section"
)

// parser follows the blocks of a document line by line.
type parser struct {
	out *section.Builder
	src string
	at  int // where the next line starts
	// attributes are those of the block that follows, as written in lines of [...].
	attributes string
	// last is the line before, where it could be the first line of a two-line title.
	last line
}

// maxAttributes bounds the attributes of one block.
const maxAttributes = 4096

// line is a line without its line ending and the white space at its end.
type line struct{ start, end int }

// next takes a line.
func (p *parser) next() (l line, ok bool) {
	if p.at >= len(p.src) {
		return line{}, false
	}
	end, next := len(p.src), len(p.src)
	if i := strings.IndexByte(p.src[p.at:], '\n'); i >= 0 {
		end, next = p.at+i, p.at+i+1
	}
	l = line{p.at, p.at + len(strings.TrimRight(p.src[p.at:end], " \t\r\f\v"))}
	p.at = next
	return l, true
}

func (p *parser) text(l line) string { return p.src[l.start:l.end] }

// parse reads the document from byte start on.
func (p *parser) parse(start int) {
	p.at = start
	for {
		l, ok := p.next()
		if !ok {
			return
		}
		p.line(l)
	}
}

func (p *parser) line(l line) {
	text := p.text(l)
	last := p.last
	p.last = line{}
	switch {
	case text == "":
		return
	case isUnderline(text) && p.underlined(last, text):
		p.title(levels[text[0]], last.start, last.end)
	case isVerbatim(text):
		p.skip(text)
	case isFence(text):
		p.skip("```")
	case isDelimiter(text, '|'):
		p.table(l)
		p.attributes = ""
		return
	case isDelimiter(text, ',') || isDelimiter(text, ':') || isDelimiter(text, '!'):
		p.skip(text)
		p.out.Unread(0, schema.At(l.start, l.end), schema.Textf("a table in another form than | is not read", "非 | 分隔的表格未读取"))
	case strings.HasPrefix(text, "//"):
		p.out.Comment(0, text[2:], l.start+2)
		return
	case text[0] == '[' && text[len(text)-1] == ']' && !strings.HasPrefix(text, "[["):
		if len(p.attributes)+len(text) < maxAttributes {
			p.attributes += "," + text[1:len(text)-1]
		}
		return
	case text[0] == '.' && len(text) > 1 && text[1] != '.' && text[1] != ' ': // a block's title
		return
	default:
		if level, from := heading(text); level > 0 {
			p.title(level, l.start+from, l.end)
			break
		}
		p.last = l
		if text[0] != ' ' && text[0] != '\t' { // indented lines are literal text
			from := listMark(text)
			p.out.Line(0, text[from:], l.start+from)
		}
	}
	p.attributes = ""
}

// isVerbatim reports the delimiters of blocks whose content is no markup: listings, literals, passthroughs, comments.
func isVerbatim(text string) bool {
	return len(text) >= 4 && strings.IndexByte("-.+/", text[0]) >= 0 && strings.Trim(text, text[:1]) == ""
}

// isFence reports a fence of code in the manner of Markdown.
func isFence(text string) bool {
	return strings.HasPrefix(text, "```") && strings.IndexByte(text[3:], '`') < 0
}

// skip moves behind the line that ends a block; a block without one ends with the file.
func (p *parser) skip(delimiter string) {
	p.out.Text(0)
	for {
		l, ok := p.next()
		if !ok || p.text(l) == delimiter {
			return
		}
	}
}

// heading reads "== Title" and "## Title"; level is 0 for other lines. from is where the title starts.
func heading(text string) (level, from int) {
	if text == "" || text[0] != '=' && text[0] != '#' {
		return 0, 0
	}
	n := 1
	for n < len(text) && text[n] == text[0] {
		n++
	}
	if n > 6 || n == len(text) || text[n] != ' ' && text[n] != '\t' {
		return 0, 0
	}
	return n, n + len(text[n:]) - len(strings.TrimLeft(text[n:], " \t"))
}

// levels are the levels of two-line titles, by their underline.
var levels = map[byte]int{'=': 1, '-': 2, '~': 3, '^': 4, '+': 5}

func isUnderline(text string) bool {
	return len(text) >= 2 && levels[text[0]] > 0 && strings.Trim(text, text[:1]) == ""
}

// underlined reports whether a line of text and the line below it are a title: they are of about the same length.
func (p *parser) underlined(title line, underline string) bool {
	if title.end == title.start {
		return false
	}
	text := p.text(title)
	if isBlockMark(text[0]) {
		return false
	}
	n := len([]rune(text)) - len(underline)
	return n >= -1 && n <= 1
}

// isBlockMark reports what titles do not start with.
func isBlockMark(c byte) bool { return strings.IndexByte(" \t|[.:/*-", c) >= 0 }

func (p *parser) title(level, from, to int) {
	cell, code := p.inline(from, to)
	cell.At = schema.At(from, to)
	p.out.Heading(0, level, cell, code)
}

// listMark returns the length of a list item's mark: "* ", "- ", ". ", "1. ".
func listMark(text string) int {
	n := 0
	for n < len(text) && strings.IndexByte("*-.0123456789", text[n]) >= 0 {
		n++
	}
	if n == 0 || n == len(text) || text[n] != ' ' || text[n-1] >= '0' && text[n-1] <= '9' {
		return 0
	}
	return n + 1
}

// isDelimiter reports the line that opens and ends a table: |===.
func isDelimiter(text string, mark byte) bool {
	return len(text) >= 4 && text[0] == mark && strings.Trim(text[1:], "=") == ""
}
