package haproxy

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// scanner splits a text into lines and words as HAProxy does, keeping places. It follows template marks and .if
// directives, which it does not return.
type scanner struct {
	text      string
	pos       int
	tpl, dots blocks
	closers   closers
	// template: marks were seen, so the text is not what HAProxy will read.
	template bool
	fault    func(at schema.Span, text, hint schema.Text) // may be nil
}

// next reads the next line that says something and is no directive. It reports whether there was one. The words are valid
// until the next call.
func (s *scanner) next(l *line) bool {
	for s.pos < len(s.text) {
		s.line(l)
		if len(l.words) > 0 && (strings.HasPrefix(l.words[0].text, ".") && s.directive(l) || s.statement(l)) {
			continue
		}
		if (len(l.words) > 0 || l.opaque) && since(s.dots.top, nil) != dead {
			return true
		}
	}
	return false
}

// line reads one physical line; template marks may carry it over several.
func (s *scanner) line(l *line) {
	l.words, l.in, l.opaque, l.start = l.words[:0], l.in[:0], false, s.pos
	l.tpl, l.dot = s.tpl.top, s.dots.top
	var w builder
	quote, opened := byte(0), 0
	marked := false
	i := s.pos
	end := func() {
		if w.on {
			l.words = append(l.words, w.finish(s.text, i))
		}
	}
	begin := func() {
		if !w.on {
			if len(l.words) == 0 {
				l.tpl, l.dot = s.tpl.top, s.dots.top
			}
			w.begin(i)
			l.in = append(l.in, s.tpl.top)
		}
	}
loop:
	for i < len(s.text) {
		switch c := s.text[i]; {
		case c == '\n' || c == '\r':
			break loop
		case c == 0:
			end()
			s.report(schema.At(i, i+1), schema.Textf("a NUL byte ends the line: HAProxy refuses the file", "NUL 字节截断了该行：HAProxy 会拒绝此文件"), schema.Text{})
			break loop
		case c == '{' || c == '<' || c == '%' || c == '$' && quote == 0:
			m, ok := s.closers.markAt(s.text, i)
			if !ok {
				begin()
				i++
				continue
			}
			if c == '$' { // the text stays a placeholder, and HAProxy's own files may hold it
				begin()
				i = m.end
				continue
			}
			marked, s.template = true, true
			switch m.kind {
			case output:
				begin()
				w.templated = true
				i = m.end
				continue
			case insert:
				l.opaque = true
			}
			s.apply(m)
			if w.on {
				w.mark(s.text, i, m.end)
			}
			i = m.end
		case c == '#' && quote == 0:
			end()
			i = s.comment(i)
			break loop
		case c == '"' && quote != '\'' || c == '\'' && quote != '"':
			begin()
			w.cut(s.text, i, i+1)
			if quote == 0 {
				quote, opened = c, i
			} else {
				quote = 0
			}
			i++
		case c == '\\' && quote != '\'':
			begin()
			i = s.escape(&w, i, quote)
		case (c == ' ' || c >= '\t' && c <= '\r') && quote == 0:
			end()
			i++
		case c == '$' && quote == '"':
			begin()
			i = s.variable(&w, i, marked)
		default:
			begin()
			i++
		}
	}
	end()
	l.end = i
	if quote != 0 && !marked {
		s.report(schema.At(opened, i), schema.Textf("the quote is never closed", "引号没有闭合"),
			schema.Textf("close it with %c before the end of the line", "在行尾之前用 %c 闭合", quote))
	}
	if n := strings.IndexByte(s.text[i:], '\n'); n >= 0 {
		s.pos = i + n + 1
	} else {
		s.pos = len(s.text)
	}
}

// apply opens and closes the blocks of a mark that stands for no text.
func (s *scanner) apply(m mark) {
	switch m.kind {
	case opens:
		s.tpl.open(m.block, false)
	case branchs:
		s.tpl.branch(m.block, false)
	case shuts:
		s.tpl.shut()
	}
}

// comment skips the comment at text[i]. A comment that starts with a template mark still opens and closes blocks:
// people hide marks from HAProxy that way.
func (s *scanner) comment(i int) int {
	for i < len(s.text) && (s.text[i] == '#' || s.text[i] == ' ' || s.text[i] == '\t') {
		i++
	}
	for i < len(s.text) && (s.text[i] == '{' || s.text[i] == '<') {
		m, ok := s.closers.markAt(s.text, i)
		if !ok {
			break
		}
		s.template = true
		s.apply(m)
		i = m.end
	}
	return i
}

func (s *scanner) report(at schema.Span, text, hint schema.Text) {
	if s.fault != nil {
		s.fault(at, text, hint)
	}
}
