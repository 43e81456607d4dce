package markdown

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/doc/section"
)

// maxInline bounds the texts whose markup is taken off; longer ones are prose.
const maxInline = 2048

// cell returns the text of a table's cell.
func (p *parser) cell(start, end int) section.Cell {
	for start < end && isSpace(p.src[start]) {
		start++
	}
	end = trimRight(p.src, start, end)
	s := p.src[start:end]
	mark := markup(s)
	if mark < 0 {
		return section.Cell{Text: s, At: schema.At(start, end)}
	}
	if mark == 0 && len(s) > 2 && s[0] == '`' && s[1] != '`' && strings.IndexByte(s[1:], '`') == len(s)-2 && strings.IndexByte(s, '\\') < 0 {
		start++ // one code span, the commonest markup
		end--
		for start < end && isSpace(p.src[start]) {
			start++
		}
		end = trimRight(p.src, start, end)
		return section.Cell{Text: p.src[start:end], At: schema.At(start, end)}
	}
	c, _ := p.inline(start, end)
	return c
}

// markup returns where the first byte stands that could be markup, -1 if there is none.
func markup(s string) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '`', '*', '_', '~', '[', '!', '<', '\\', '&':
			return i
		}
	}
	return -1
}

// inline returns a text without its markup, and the code spans in it. The text's place is that of the first to the last
// byte that remains.
func (p *parser) inline(start, end int) (section.Cell, []section.Cell) {
	if end-start > maxInline {
		return section.Cell{Text: p.src[start:end], At: schema.At(start, end)}, nil
	}
	w := &p.strip // its memory is used again and again
	*w = stripper{src: p.src[:end], code: w.code[:0], pieces: w.pieces[:0], text: w.text[:0]}
	w.strip(start)
	c := w.cell()
	c.Struck = w.struck
	if !c.At.Known() {
		c.At = schema.At(start, end)
	}
	return c, w.code
}

// stripper takes the markup off a text.
type stripper struct {
	src    string // up to the text's end
	pieces []line // what remains, in order
	code   []section.Cell
	text   []string // of a piece that the file writes otherwise, empty for the others
	runs   [3]int   // how many runs of *, _ and ~ could be emphasis, plus one; 0 as long as nobody asked
	tries  int      // how often the end of something was looked for
	struck bool     // something was struck out and left out
}

// keep adds src[start:end] to what remains.
func (w *stripper) keep(start, end int) {
	if start >= end {
		return
	}
	if n := len(w.pieces); n > 0 && w.pieces[n-1].end == start && w.text[n-1] == "" {
		w.pieces[n-1].end = end
		return
	}
	w.pieces = append(w.pieces, line{start: start, end: end})
	w.text = append(w.text, "")
}

// put adds a text that the file writes otherwise.
func (w *stripper) put(text string, start, end int) {
	w.pieces = append(w.pieces, line{start: start, end: end})
	w.text = append(w.text, text)
}

// cell joins what remains.
func (w *stripper) cell() section.Cell {
	var b strings.Builder
	for i, l := range w.pieces {
		if w.text[i] != "" {
			b.WriteString(w.text[i])
		} else {
			b.WriteString(w.src[l.start:l.end])
		}
	}
	text := strings.TrimSpace(b.String())
	if text == "" {
		return section.Cell{}
	}
	first, last := w.pieces[0], w.pieces[len(w.pieces)-1]
	start, end := first.start, trimRight(w.src, last.start, last.end)
	for start < end && isSpace(w.src[start]) {
		start++
	}
	return section.Cell{Text: text, At: schema.At(start, end)}
}

// strip reads the text from start on.
func (w *stripper) strip(start int) {
	from := start // of the text that was not kept yet
	s := w.src
	for i := start; i < len(s); {
		next := -1 // behind the markup at i
		mark := s[i]
		if mark == '`' || mark == '[' || mark == '!' || mark == '<' {
			if w.tries++; w.tries > maxTries {
				mark = 0
			}
		}
		switch mark {
		case '\\':
			if i+1 < len(s) && isPunct(s[i+1]) {
				w.keep(from, i)
				w.keep(i+1, i+2)
				next = i + 2
			}
		case '`':
			n := run(s, i, len(s))
			if end := closeTicks(s, i+n, n); end >= 0 {
				w.keep(from, i)
				w.span(i+n, end)
				next = end + n
			} else {
				i += n - 1
			}
		case '*', '_', '~':
			n := run(s, i, len(s))
			if end := w.strikeEnd(i, n); end > 0 {
				w.keep(from, i)
				w.struck, next = true, end
			} else if w.emphasis(start, i, n) {
				w.keep(from, i)
				next = i + n
			} else {
				i += n - 1
			}
		case '!':
			if i+1 < len(s) && s[i+1] == '[' && linkEnd(s, i+1) > 0 {
				w.keep(from, i)
				next = i + 1
			}
		case '[':
			if end := linkEnd(s, i); end > 0 {
				w.keep(from, i)
				w.link(i+1, end)
				next = linkTail(s, end)
			}
		case '<':
			if end := w.tag(from, i); end > 0 {
				next = end
			}
		case '&':
			if text, n := entity(s[i:]); n > 0 {
				w.keep(from, i)
				w.put(text, i, i+n)
				next = i + n
			}
		}
		if next >= 0 {
			i, from = next, next
			continue
		}
		i++
	}
	w.keep(from, len(s))
}

// span keeps the content of a code span, in which \| is a | as in all of a table.
func (w *stripper) span(start, end int) {
	for start < end && w.src[start] == ' ' {
		start++
	}
	end = trimRight(w.src, start, end)
	first := len(w.pieces)
	for from := start; ; {
		i := strings.Index(w.src[from:end], `\|`)
		if i < 0 {
			w.pieces = append(w.pieces, line{start: from, end: end})
			w.text = append(w.text, "")
			break
		}
		w.pieces = append(w.pieces, line{start: from, end: from + i})
		w.text = append(w.text, "")
		from += i + 1
	}
	var b strings.Builder
	for _, l := range w.pieces[first:] {
		b.WriteString(w.src[l.start:l.end])
	}
	if b.Len() > 0 {
		w.code = append(w.code, section.Cell{Text: b.String(), At: schema.At(start, end)})
	}
}

// link keeps the text of a link, without the markup in it.
func (w *stripper) link(start, end int) {
	inner := stripper{src: w.src[:end], pieces: w.pieces, text: w.text, code: w.code}
	if strings.IndexByte(w.src[start:end], '[') >= 0 { // links in links are text
		w.keep(start, end)
		return
	}
	inner.strip(start)
	w.pieces, w.text, w.code, w.struck = inner.pieces, inner.text, inner.code, w.struck || inner.struck
}
