package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// emphasis reports whether the run of *, _ or ~ at i opens or closes emphasis. A run without another one of its kind is
// text: *.example.com.
func (w *stripper) emphasis(start, i, n int) bool {
	s := w.src
	if !flanks(s, start, i, n) {
		return false
	}
	count := &w.runs[strings.IndexByte("*_~", s[i])]
	if *count == 0 {
		*count = 1
		for j := start; j < len(s); j++ {
			if s[j] == s[i] {
				m := run(s, j, len(s))
				if flanks(s, start, j, m) {
					*count++
				}
				j += m - 1
			}
		}
	}
	return *count > 2
}

// strikeEnd returns the end of what the run of two ~ at i strikes out, 0 if it opens nothing that is closed.
func (w *stripper) strikeEnd(i, n int) int {
	s := w.src
	if s[i] != '~' || n != 2 || i+2 >= len(s) || isSpace(s[i+2]) {
		return 0
	}
	if w.tries++; w.tries > maxTries {
		return 0
	}
	for j := i + 3; j < len(s); j++ {
		if s[j] != '~' {
			continue
		}
		m := run(s, j, len(s))
		if m == 2 && !isSpace(s[j-1]) {
			return j + 2
		}
		j += m - 1
	}
	return 0
}

// flanks reports whether a run could be emphasis: it touches text on one side, and an _ does not stand inside a word.
func flanks(s string, start, i, n int) bool {
	before, after := ' ', ' '
	if i > start {
		before, _ = utf8.DecodeLastRuneInString(s[start:i])
	}
	if i+n < len(s) {
		after, _ = utf8.DecodeRuneInString(s[i+n:])
	}
	left, right := !unicode.IsSpace(after), !unicode.IsSpace(before)
	switch s[i] {
	case '~':
		return n == 2 && (left || right)
	case '_':
		return left != right || left && (unicode.IsPunct(before) || unicode.IsPunct(after))
	}
	if n == len(s)-start { // a * alone
		return false
	}
	return left || right
}

// linkEnd returns where the ] of the link text that starts at i stands, 0 if s[i] opens no link.
func linkEnd(s string, i int) int {
	depth := 0
	for j := i; j < len(s); j++ {
		switch s[j] {
		case '\\':
			j++
		case '[':
			depth++
		case ']':
			if depth--; depth > 0 {
				continue
			}
			if j+1 < len(s) && (s[j+1] == '(' || s[j+1] == '[') && linkTail(s, j) > j+1 {
				return j
			}
			return 0
		}
	}
	return 0
}

// linkTail returns where the target of a link ends whose text ends with the ] at end; end+1 if there is no target.
func linkTail(s string, end int) int {
	closing := byte(')')
	if s[end+1] == '[' {
		closing = ']'
	}
	depth := 0
	for j := end + 1; j < len(s); j++ {
		switch s[j] {
		case '\\':
			j++
		case s[end+1]:
			depth++
		case closing:
			if depth--; depth == 0 {
				return j + 1
			}
		}
	}
	return end + 1
}

// inlineTags are the tags that only dress text. Other tags (<host>) are what people write for a value.
const inlineTags = " a abbr b big br center code del div em font i img ins kbd mark nobr p q s samp small span strike strong sub sup tt u var wbr "

// tag reads the HTML tag, comment or autolink at i and returns where it ends, 0 if it is none of them. from is where
// the text starts that was not kept yet.
func (w *stripper) tag(from, i int) int {
	s := w.src
	if strings.HasPrefix(s[i:], "<!--") {
		w.keep(from, i)
		if end := strings.Index(s[i:], "-->"); end >= 0 {
			return i + end + len("-->")
		}
		return len(s)
	}
	end := strings.IndexByte(s[i:], '>')
	if end < 0 {
		return 0
	}
	end += i
	inner := s[i+1 : end]
	if strings.Contains(inner, "://") && !strings.ContainsAny(inner, " \t") {
		w.keep(from, i)
		w.keep(i+1, end)
		return end + 1
	}
	name := strings.ToLower(strings.TrimPrefix(inner, "/"))
	if j := strings.IndexAny(name, " \t/"); j >= 0 {
		name = name[:j]
	}
	if name == "" || !strings.Contains(inlineTags, " "+name+" ") {
		return 0
	}
	w.keep(from, i)
	if (name == "del" || name == "s" || name == "strike") && inner[0] != '/' {
		closing := "</" + name + ">"
		if w.tries++; w.tries <= maxTries {
			for j := end + 1; j+len(closing) <= len(s); j++ {
				if s[j] == '<' && strings.EqualFold(s[j:j+len(closing)], closing) {
					w.struck = true
					return j + len(closing)
				}
			}
		}
	}
	if name == "br" {
		w.put("\n", i, end+1)
	}
	return end + 1
}

// entity reads a character reference at the start of s and returns how many bytes it takes, 0 if it is none that tables
// of settings use.
func entity(s string) (text string, n int) {
	for _, e := range []struct{ name, text string }{
		{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", `"`}, {"&nbsp;", " "}, {"&#124;", "|"}, {"&#39;", "'"}, {"&apos;", "'"},
		{"&percnt;", "%"}, {"&colon;", ":"}, {"&check;", "✓"}, {"&ensp;", " "}, {"&emsp;", " "}, {"&thinsp;", " "}, {"&vert;", "|"}, {"&#58;", ":"},
	} {
		if strings.HasPrefix(s, e.name) {
			return e.text, len(e.name)
		}
	}
	return "", 0
}

// trimAttributes returns the end of a heading without a block of attributes behind it: {#id}, {: .class}.
func trimAttributes(s string, start, end int) int {
	if end > start && s[end-1] == '}' {
		if i := strings.LastIndexByte(s[start:end], '{'); i >= 0 && strings.IndexByte("#:", s[start+i+1]) >= 0 {
			return trimRight(s, start, start+i)
		}
	}
	return end
}

func isPunct(c byte) bool {
	return c >= '!' && c <= '/' || c >= ':' && c <= '@' || c >= '[' && c <= '`' || c >= '{' && c <= '~'
}
