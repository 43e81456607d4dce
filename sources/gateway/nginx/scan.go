package nginx

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// scanner splits a file into words the way NGINX does (ngx_conf_read_token), and knows template marks besides. After a
// mistake it goes on where a person would.
type scanner struct {
	src string
	pos int

	marks     [4]closing
	braces    bool // "{{" or "{%" occur, so that "{#" may be a comment of Jinja
	templated bool // a template mark was met
	tags      []bool
	maybe     int // how many of the open tags make what they hold optional or repeated

	unclosed  [2]bool  // no further ' or " closes a quote
	noBracket [10]bool // no further long bracket of that level closes
	brokenLua int
	problems  []problem
}

// problem is a syntax problem; those about balance mean nothing where templates decide which braces stay.
type problem struct {
	schema.Problem
	balance bool
}

// maxSyntax bounds the syntax problems of one file: what follows them is mostly their echo.
const maxSyntax = 20

func newScanner(src string) *scanner {
	s := &scanner{src: src}
	s.braces = strings.Contains(src, "{{") || strings.Contains(src, "{%")
	if strings.HasPrefix(src, byteOrderMark) {
		s.pos = len(byteOrderMark)
	}
	return s
}

const byteOrderMark = "\xef\xbb\xbf"

func (s *scanner) report(balance bool, start, end int, text, hint schema.Text) {
	if len(s.problems) < maxSyntax {
		s.problems = append(s.problems, problem{schema.Problem{Rule: "source/syntax", At: schema.At(start, end), Text: text, Hint: hint}, balance})
	}
}

// space skips blanks and comments and reports whether a line ended. Template tags inside comments count: the template
// engine does not know that they are commented out.
func (s *scanner) space() (newline bool) {
	for s.pos < len(s.src) {
		switch s.src[s.pos] {
		case '\n':
			newline = true
			s.pos++
		case ' ', '\t', '\r':
			s.pos++
		case '#':
			s.comment()
		case '{':
			end, ok := s.mark(s.pos)
			if !ok || s.src[s.pos+1] != '#' {
				return newline
			}
			s.pos = end
		default:
			return newline
		}
	}
	return newline
}

func (s *scanner) comment() {
	end := len(s.src)
	if i := strings.IndexByte(s.src[s.pos:], '\n'); i >= 0 {
		end = s.pos + i
	}
	for s.pos < end {
		i := strings.IndexAny(s.src[s.pos:end], "{<")
		if i < 0 {
			s.pos = end
			return
		}
		s.pos += i
		if after, ok := s.mark(s.pos); ok {
			s.tag(s.pos, after)
			s.pos = after
		} else {
			s.pos++
		}
	}
}

// endsLine reports whether nothing but blanks and a comment follows on the line.
func (s *scanner) endsLine(i int) bool {
	for ; i < len(s.src); i++ {
		switch s.src[i] {
		case ' ', '\t', '\r':
		case '\n', '#':
			return true
		default:
			return false
		}
	}
	return true
}

const fullWidthSemicolon = "；"

// semicolon consumes a ';', or a full-width one at the end of a line, which can only be meant as one.
func (s *scanner) semicolon() bool {
	if s.pos >= len(s.src) {
		return false
	}
	if s.src[s.pos] == ';' {
		s.pos++
		return true
	}
	if !s.wideSemicolon(s.pos) {
		return false
	}
	end := s.pos + len(fullWidthSemicolon)
	s.report(false, s.pos, end, schema.Textf("NGINX does not read the full-width %q as the end of a directive", "NGINX 不把全角的 %q 当作指令的结尾", fullWidthSemicolon),
		schema.Textf("write ;", "请写成半角 ;"))
	s.pos = end
	return true
}

func (s *scanner) wideSemicolon(i int) bool {
	return s.src[i] == fullWidthSemicolon[0] && strings.HasPrefix(s.src[i:], fullWidthSemicolon) && s.endsLine(i+len(fullWidthSemicolon))
}

// word reads the word that starts at the scanner's place, which is neither blank nor one of ; { }.
func (s *scanner) word() word {
	if c := s.src[s.pos]; c == '"' || c == '\'' {
		return s.quoted(c)
	}
	w := word{start: s.pos}
	i, open := s.pos, 0
scan:
	for i < len(s.src) {
		switch c := s.src[i]; c {
		case '\\':
			w.escaped = true
			i += 2
			continue
		case '$':
			if strings.HasPrefix(s.src[i+1:], "{") {
				if _, ok := s.mark(i + 1); !ok {
					open++
					i += 2
					continue
				}
			}
		case ' ', '\t', '\r', '\n', ';':
			break scan
		case '{', '<':
			if end, ok := s.mark(i); ok {
				s.tag(i, end)
				w.template = true
				i = end
				continue
			}
			if c == '{' {
				break scan
			}
		case '}':
			// To NGINX this is a letter like any other. Where a line ends with it, the ';' before it is missing.
			if open > 0 {
				open--
			} else if i > w.start && s.endsLine(i+1) {
				break scan
			}
		case fullWidthSemicolon[0]:
			if i > w.start && s.wideSemicolon(i) {
				break scan
			}
		}
		i++
	}
	w.end = min(i, len(s.src))
	s.pos = w.end
	s.finish(&w)
	return w
}

func (s *scanner) finish(w *word) {
	w.text = s.src[w.start:w.end]
	if w.escaped {
		w.text = unescape(w.text)
	}
}
