package markdown

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// htmlBlock is an open block of raw HTML.
type htmlBlock struct {
	closing string // ends the block on its line; empty: a blank line ends it
	start   int    // of the block
	end     int    // of what was read of it
	table   bool   // it holds a table
}

// HTML blocks that end with a text of their own, by how they open.
var htmlPairs = []struct{ open, closing string }{
	{"<!--", "-->"}, {"<?", "?>"}, {"<![CDATA[", "]]>"},
	{"<script", "</script>"}, {"<pre", "</pre>"}, {"<style", "</style>"}, {"<textarea", "</textarea>"},
}

// maxTagName bounds the names of tags that are looked up.
const maxTagName = 16

// opensHTML reports whether the line opens a block of raw HTML and prepares it. Lines in a paragraph are interrupted by
// fewer kinds.
func (p *parser) opensHTML(c *cursor, inParagraph bool) bool {
	start := c.text()
	text := p.src[start:c.end]
	for _, pair := range htmlPairs {
		if !foldPrefix(text, pair.open) {
			continue
		}
		if isLetter(pair.open[1]) && len(text) > len(pair.open) && strings.IndexByte(" \t>/", text[len(pair.open)]) < 0 {
			continue
		}
		p.html = htmlBlock{closing: pair.closing}
		return true
	}
	if len(text) > 2 && text[1] == '!' && isLetter(text[2]) {
		p.html = htmlBlock{closing: ">"}
		return true
	}
	i := 1
	if i < len(text) && text[i] == '/' {
		i++
	}
	nameStart := i
	for i < len(text) && i-nameStart < maxTagName && (isLetter(text[i]) || text[i] >= '0' && text[i] <= '9') {
		i++
	}
	if isBlockTag(text[nameStart:i]) && (i == len(text) || text[i] == ' ' || text[i] == '\t' || text[i] == '>' || strings.HasPrefix(text[i:], "/>")) {
		p.html = htmlBlock{}
		return true
	}
	if !inParagraph && isLoneTag(text) {
		p.html = htmlBlock{}
		return true
	}
	return false
}

func (p *parser) startHTML(c *cursor) {
	p.leaf = rawHTML
	p.html.start = c.text()
	p.continuesHTML(c)
}

// continuesHTML takes a line of the open HTML block. It reports false for the blank line that ends some.
func (p *parser) continuesHTML(c *cursor) bool {
	if p.html.closing == "" && c.blank() {
		return false
	}
	text := p.src[c.at:c.end]
	p.html.end = c.end
	if !p.html.table && p.html.closing == "" && foldIndex(text, "<table") >= 0 {
		p.html.table = true
	}
	if p.html.closing != "" && p.html.closes(text) {
		p.closeLeaf()
	}
	return true
}

// closes reports whether the text of a line ends the block; raw blocks end with the closing tag of any of them.
func (h *htmlBlock) closes(text string) bool {
	if h.closing[0] != '<' {
		return strings.Contains(text, h.closing)
	}
	for _, pair := range htmlPairs {
		if pair.closing[0] == '<' && foldIndex(text, pair.closing) >= 0 {
			return true
		}
	}
	return false
}

// endHTML reports what an HTML block holds.
func (p *parser) endHTML() {
	depth := len(p.open)
	at := schema.At(p.html.start, p.html.end)
	switch {
	case p.html.closing == "-->":
		for _, note := range comments(p.src, p.html.start, p.html.end) {
			p.out.Comment(depth, p.src[note.start:note.end], note.start)
		}
	case p.html.table:
		p.out.Unread(depth, at, schema.Textf("a table in HTML is not read", "HTML 表格未读取"))
	default:
		p.out.Text(depth)
	}
}

// comments returns what stands inside the HTML comments of s[start:end].
func comments(s string, start, end int) []line {
	var out []line
	for {
		i := strings.Index(s[start:end], "<!--")
		if i < 0 {
			return out
		}
		start += i + len("<!--")
		stop := end
		if j := strings.Index(s[start:end], "-->"); j >= 0 {
			stop = start + j
		}
		out = append(out, line{start: start, end: stop})
		start = stop
	}
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// foldPrefix reports whether s starts with a text in lower case, in any case.
func foldPrefix(s, lower string) bool {
	return len(s) >= len(lower) && strings.EqualFold(s[:len(lower)], lower)
}

// foldIndex finds a text that starts with an ASCII byte other than a letter, in any case.
func foldIndex(s, lower string) int {
	for from := 0; ; {
		i := strings.IndexByte(s[from:], lower[0])
		if i < 0 {
			return -1
		}
		if from += i; foldPrefix(s[from:], lower) {
			return from
		}
		from++
	}
}

// isBlockTag reports whether a tag opens a block that a blank line ends.
func isBlockTag(name string) bool {
	const tags = " address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt" +
		" fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu" +
		" menuitem meta nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead title tr track ul "
	return name != "" && strings.Contains(tags, " "+strings.ToLower(name)+" ")
}

// isLoneTag reports whether a line is one complete opening or closing tag and nothing else.
func isLoneTag(s string) bool {
	i := 1
	closing := i < len(s) && s[i] == '/'
	if closing {
		i++
	}
	nameStart := i
	for i < len(s) && (isLetter(s[i]) || i > nameStart && (s[i] >= '0' && s[i] <= '9' || s[i] == '-')) {
		i++
	}
	if i == nameStart {
		return false
	}
	switch strings.ToLower(s[nameStart:i]) {
	case "script", "style", "pre", "textarea":
		return false
	}
	for {
		space := i
		i = trimLeft(s, i, len(s))
		if i < len(s) && (s[i] == '>' || !closing && strings.HasPrefix(s[i:], "/>")) {
			i += strings.IndexByte(s[i:], '>') + 1
			return trimRight(s, i, len(s)) == i
		}
		if closing || i == space || i == len(s) {
			return false
		}
		if i = attribute(s, i); i < 0 {
			return false
		}
	}
}

// attribute moves over one attribute of a tag; -1 if there is none.
func attribute(s string, i int) int {
	if !isLetter(s[i]) && s[i] != '_' && s[i] != ':' {
		return -1
	}
	for i < len(s) && (isLetter(s[i]) || s[i] >= '0' && s[i] <= '9' || strings.IndexByte("_.:-", s[i]) >= 0) {
		i++
	}
	value := trimLeft(s, i, len(s))
	if value == len(s) || s[value] != '=' {
		return i
	}
	value = trimLeft(s, value+1, len(s))
	if value == len(s) {
		return -1
	}
	if q := s[value]; q == '"' || q == '\'' {
		end := strings.IndexByte(s[value+1:], q)
		if end < 0 {
			return -1
		}
		return value + 1 + end + 1
	}
	end := value
	for end < len(s) && strings.IndexByte(" \t\"'=<>`", s[end]) < 0 {
		end++
	}
	if end == value {
		return -1
	}
	return end
}
