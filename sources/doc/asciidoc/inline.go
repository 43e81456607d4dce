package asciidoc

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/doc/section"
)

// marks are what may stand around a whole text, longest first; passthroughs take their content as it is.
var marks = []string{"+++", "``", "**", "__", "++", "##", "`", "*", "_", "+", "#"}

// maxInline bounds the texts whose markup is taken off; longer ones are prose.
const maxInline = 2048

// cell returns the text of a table's cell. Its lines are joined.
func (p *parser) cell(start, end int) section.Cell {
	c, _ := p.inline(start, end)
	if strings.ContainsAny(c.Text, "\r\n") {
		c.Text = strings.Map(func(r rune) rune {
			if r == '\r' || r == '\n' {
				return ' '
			}
			return r
		}, c.Text)
	}
	return c
}

// inline returns a text without its markup, and the code spans in it. Markup around the whole text is taken off with
// the place staying exact; of a mixture the marks are dropped.
func (p *parser) inline(start, end int) (section.Cell, []section.Cell) {
	start, end = p.trim(start, end)
	if start == end || end-start > maxInline {
		return section.Cell{Text: p.src[start:end], At: schema.At(start, end)}, nil
	}
	for {
		s, e := p.unwrap(start, end)
		if s == start && e == end {
			break
		}
		start, end = s, e
	}
	text := p.src[start:end]
	c := section.Cell{Text: text, At: schema.At(start, end)}
	if strings.IndexAny(text, "`*_+#\\") < 0 {
		return c, nil
	}
	var code []section.Cell
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch m := text[i]; {
		case m == '[' && struckEnd(text[i:]) > 0:
			c.Struck = true
			i += struckEnd(text[i:]) - 1
		case m == '\\' && i+1 < len(text) && strings.IndexByte("|`*_+#\\{", text[i+1]) >= 0:
			i++
			b.WriteByte(text[i])
		case m == '`':
			if n := strings.IndexByte(text[i+1:], '`'); n > 0 {
				inner := text[i+1 : i+1+n]
				b.WriteString(inner)
				code = append(code, section.Cell{Text: inner, At: schema.At(start+i+1, start+i+1+n)})
				i += n + 1
				continue
			}
			b.WriteByte(m)
		case strings.IndexByte("*_#", m) >= 0 && edge(text, i):
		default:
			b.WriteByte(m)
		}
	}
	c.Text = strings.TrimSpace(b.String())
	return c, code
}

// struckEnd returns where the struck-out text ends that s starts with: [.line-through]#text#. It returns 0 for any other
// text.
func struckEnd(s string) int {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(s[1:], "."), "line-through]")
	if !ok {
		return 0
	}
	mark := "#"
	if strings.HasPrefix(rest, "##") {
		mark = "##"
	}
	body, ok := strings.CutPrefix(rest, mark)
	end := strings.Index(body, mark)
	if !ok || end <= 0 {
		return 0
	}
	return len(s) - len(body) + end + len(mark)
}

// edge reports whether a mark stands at the edge of a word, where it is markup, and not inside or alone.
func edge(s string, i int) bool {
	before, after := i > 0 && isTextByte(s[i-1]), i+1 < len(s) && isTextByte(s[i+1])
	return before != after
}

func isTextByte(c byte) bool { return isWord(c) && c != '_' || c >= 0x80 }

func (p *parser) trim(start, end int) (int, int) {
	for start < end && strings.IndexByte(" \t\r\n", p.src[start]) >= 0 {
		start++
	}
	for end > start && strings.IndexByte(" \t\r\n", p.src[end-1]) >= 0 {
		end--
	}
	return start, end
}

// unwrap takes one layer of markup off that stands around the whole text: quotes, a link, an anchor before it.
func (p *parser) unwrap(start, end int) (int, int) {
	text := p.src[start:end]
	for _, m := range marks {
		if inner, ok := strings.CutPrefix(text, m); ok && len(inner) > len(m) && strings.HasSuffix(inner, m) {
			if inner = inner[:len(inner)-len(m)]; !strings.Contains(inner, m) && !(len(m) == 1 && strings.Trim(inner, m) == "") {
				return p.trim(start+len(m), end-len(m))
			}
		}
	}
	if strings.HasPrefix(text, "[[") {
		if i := strings.Index(text, "]]"); i > 0 {
			return p.trim(start+i+2, end)
		}
	}
	if strings.HasPrefix(text, "<<") && strings.HasSuffix(text, ">>") && strings.Count(text, "<<") == 1 {
		if i := strings.IndexByte(text, ','); i > 0 {
			return p.trim(start+i+1, end-2)
		}
	}
	if strings.HasSuffix(text, "]") && strings.Count(text, "[") == 1 {
		i := strings.IndexByte(text, '[')
		target := text[:i]
		isLink := strings.HasPrefix(target, "link:") || strings.HasPrefix(target, "xref:") || strings.HasPrefix(target, "http://") || strings.HasPrefix(target, "https://")
		if isLink && strings.IndexByte(target, ' ') < 0 && i+1 < len(text)-1 {
			return p.trim(start+i+1, end-1)
		}
	}
	return start, end
}
