package nginx

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// quoted reads a word in quotes. A line break may stand in it, and a template mark with quotes of its own.
func (s *scanner) quoted(quote byte) word {
	w := word{start: s.pos + 1, quoted: true}
	kind := 0
	if quote == '"' {
		kind = 1
	}
	for i := w.start; i < len(s.src) && !s.unclosed[kind]; i++ {
		switch c := s.src[i]; c {
		case '\\':
			w.escaped = true
			i++
		case '{', '<':
			if end, ok := s.mark(i); ok && strings.IndexByte(s.src[i:end], '\n') < 0 {
				s.tag(i, end)
				w.template = true
				i = end - 1
			}
		case quote:
			w.end = i
			s.pos = i + 1
			s.finish(&w)
			s.afterQuote(w)
			return w
		}
	}
	s.unclosed[kind] = true
	return s.unclosedQuote(w)
}

// afterQuote reports text that is glued to a closing quote.
func (s *scanner) afterQuote(w word) {
	if s.pos >= len(s.src) || strings.IndexByte(" \t\r\n;{)", s.src[s.pos]) >= 0 {
		return
	}
	if _, ok := s.mark(s.pos); ok || s.src[s.pos] == '}' || s.wideSemicolon(s.pos) {
		return // the missing ';' is reported by the reader of directives
	}
	s.report(false, w.start-1, s.pos+1, schema.Textf("unexpected %q after a closing quote", "结束引号之后出现意外的 %q", s.src[s.pos:s.pos+1]),
		schema.Textf("put a space or ; after the quote, or look for a quote that is not closed above", "在引号后加空格或 ;，或检查上文是否有未闭合的引号"))
}

// unclosedQuote ends the word with its line, so that the rest of the file is still read.
func (s *scanner) unclosedQuote(w word) word {
	end := len(s.src)
	if i := strings.IndexByte(s.src[w.start:], '\n'); i >= 0 {
		end = w.start + i
	}
	s.report(true, w.start-1, end, schema.Textf("a quote is opened here and never closed", "此处的引号没有闭合"), schema.Textf("close the quote", "补上结束引号"))
	w.quoted = false // its end is no quote
	w.end = w.start + len(strings.TrimRight(s.src[w.start:end], " \t\r;{}"))
	w.escaped = strings.IndexByte(s.src[w.start:w.end], '\\') >= 0
	s.pos = w.end
	s.finish(&w)
	return w
}
