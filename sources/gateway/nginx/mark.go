package nginx

import "strings"

// closing remembers where the next end of a kind of template mark stands, so that a file is searched once.
type closing struct {
	at   int
	none bool
}

// The kinds of marks: expressions of Jinja, Go, Handlebars; statements and comments of Jinja; ERB and EPP.
var markOpen = [4]string{"{{", "{%", "{#", "<%"}
var markClose = [4]string{"}}", "%}", "#}", "%>"}

// maxMark bounds the length of one template mark.
const maxMark = 4096

// mark reports whether a template mark starts at i, and where it ends.
func (s *scanner) mark(i int) (end int, ok bool) {
	if i+4 > len(s.src) {
		return 0, false
	}
	kind := -1
	for k, open := range markOpen {
		if s.src[i:i+2] == open {
			kind = k
		}
	}
	if kind < 0 || kind == 2 && !s.braces {
		return 0, false
	}
	c := &s.marks[kind]
	if !c.none && c.at < i+2 {
		j := strings.Index(s.src[i+2:], markClose[kind])
		c.at, c.none = i+2+j, j < 0
	}
	if c.none || c.at-i > maxMark {
		return 0, false
	}
	end = c.at + 2
	if s.src[i+2] == '{' && end < len(s.src) && s.src[end] == '}' {
		end++ // {{{ raw }}}
	}
	s.templated = true
	return end, true
}

// alone reports whether the mark that ends at i stands for itself: nothing else on its line but further marks, or the
// end of the block.
func (s *scanner) alone(i int) (end int, ok bool) {
	for i < len(s.src) {
		after, more := s.mark(i)
		if !more {
			break
		}
		i = after
	}
	end = i
	for i < len(s.src) && (s.src[i] == ' ' || s.src[i] == '\t' || s.src[i] == '\r') {
		i++
	}
	return end, i >= len(s.src) || s.src[i] == '\n' || s.src[i] == '#' || s.src[i] == '}'
}

// tag follows the template mark from i to end and reports whether it only steers the template (a condition, a loop, a
// comment) rather than standing for text.
func (s *scanner) tag(i, end int) (control bool) {
	body := strings.Trim(s.src[i+2:end-2], "-+~ \t\r\n")
	switch s.src[i : i+2] {
	case "{#":
		return true
	case "{%":
		return s.jinja(body)
	case "<%":
		return s.ruby(body)
	}
	return s.curly(body)
}

func (s *scanner) push(maybe bool) {
	s.tags = append(s.tags, maybe)
	if maybe {
		s.maybe++
	}
}

func (s *scanner) pop() {
	if n := len(s.tags); n > 0 {
		if s.tags[n-1] {
			s.maybe--
		}
		s.tags = s.tags[:n-1]
	}
}

// head returns the first name of a tag and what follows it.
func head(body string) (name, rest string) {
	n := 0
	for n < len(body) && (body[n] == '_' || body[n] >= 'a' && body[n] <= 'z' || body[n] >= 'A' && body[n] <= 'Z' || body[n] >= '0' && body[n] <= '9') {
		n++
	}
	return body[:n], strings.TrimLeft(body[n:], " \t\r\n")
}

func (s *scanner) jinja(body string) bool {
	name, rest := head(body)
	switch name {
	case "for", "if", "macro", "call":
		s.push(true)
	case "filter", "with", "block", "raw", "autoescape":
		s.push(false)
	case "set":
		if !strings.Contains(rest, "=") {
			s.push(false)
		}
	case "include":
		return false
	default:
		if strings.HasPrefix(name, "end") {
			s.pop()
		}
	}
	return true
}

// ruby follows <% %> of ERB and of Puppet's EPP.
func (s *scanner) ruby(body string) bool {
	if strings.HasPrefix(body, "=") {
		return false
	}
	if strings.HasPrefix(body, "#") {
		return true
	}
	if strings.HasPrefix(body, "}") {
		s.pop()
	}
	switch name, _ := head(body); name {
	case "if", "unless", "case", "while", "until", "for", "begin":
		s.push(true)
		return true
	case "end":
		s.pop()
		return true
	}
	opens := strings.HasSuffix(body, "{") || strings.HasSuffix(body, " do")
	if i := strings.LastIndex(body, " do "); i >= 0 && strings.HasSuffix(body, "|") {
		opens = true
	}
	if opens {
		s.push(true)
	}
	return true
}

// curly follows {{ }} of Go templates, Handlebars and Jinja expressions.
func (s *scanner) curly(body string) bool {
	if body == "" {
		return true
	}
	switch body[0] {
	case '#', '^':
		s.push(true)
		return true
	case '/':
		if !strings.HasPrefix(body, "/*") {
			s.pop()
		}
		return true
	case '!':
		return true
	case '$':
		name, rest := head(body[1:])
		return name != "" && (strings.HasPrefix(rest, ":=") || strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "=="))
	}
	name, rest := head(body)
	switch name {
	case "if", "range", "with":
		if rest == "" {
			return false
		}
		s.push(true)
	case "define", "block":
		if !strings.HasPrefix(rest, `"`) {
			return false
		}
		s.push(false)
	case "end":
		if rest != "" && !strings.HasPrefix(rest, "/*") {
			return false
		}
		s.pop()
	case "else", "break", "continue":
	default:
		return false
	}
	return true
}
