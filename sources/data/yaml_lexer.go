package data

import "strings"

// lexer reads the pieces of YAML text that can be told apart without their surroundings. It is used where yaml.v3 gave
// up or would: to say where the text breaks, and to find template marks that stand outside comments and texts.
type lexer struct {
	s string
	// templates lets quoted, plain and flow pieces hold template expressions; each is recorded in regions.
	templates bool
	regions   []region
	vain      map[string][2]int // by closing mark: a stretch of text that holds none
	lastAt    int               // one more than the place that template was asked for last
	lastEnd   int
	fault     *fault // the first thing that no YAML reader accepts
	names     []name // anchors, tags and aliases
}

// name is an anchor, tag or alias with its mark.
type name struct{ start, end int }

// word returns the byte after the name of an anchor or alias at i.
func (l *lexer) word(i int) int {
	for i < len(l.s) && wordByte(l.s[i]) {
		i++
	}
	return i
}

func wordByte(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (l *lexer) fail(f fault) {
	if l.fault == nil {
		l.fault = &f
	}
}

// endOfLine returns the position of the line break at or after i.
func (l *lexer) endOfLine(i int) int {
	for i < len(l.s) && breakLen(l.s, i) == 0 {
		i++
	}
	return i
}

// blanks skips spaces and tabs.
func (l *lexer) blanks(i int) int {
	for i < len(l.s) && (l.s[i] == ' ' || l.s[i] == '\t') {
		i++
	}
	return i
}

// endsToken reports whether a space, a line break or the end stands at i.
func (l *lexer) endsToken(i int) bool { return i >= len(l.s) || white(l.s, i) > 0 }

// rest reports whether nothing but a comment follows on the line from i on.
func (l *lexer) rest(i int) bool {
	j := l.blanks(i)
	return j >= len(l.s) || breakLen(l.s, j) > 0 || l.s[j] == '#' && j > i
}

// quoted returns the byte after the quoted piece at i.
func (l *lexer) quoted(i int) int {
	natural, closed := l.closing(i, false)
	if !l.templates {
		if !closed {
			l.fail(faultUnclosedQuote(i))
		}
		return natural
	}
	// Quotes inside an expression ("{{ x | default "y" }}") end the piece too early.
	if closed && (l.endsToken(natural) || strings.IndexByte(",]}:#=.", l.s[natural]) >= 0) {
		return natural
	}
	before := len(l.regions)
	if end, ok := l.closing(i, true); ok {
		return end
	}
	l.regions = l.regions[:before]
	return natural
}

func (l *lexer) closing(i int, templates bool) (end int, ok bool) {
	quote := l.s[i]
	for i++; i < len(l.s); i++ {
		switch c := l.s[i]; {
		case templates && l.template(i, true) > 0:
			end := l.template(i, true)
			l.mark(region{start: i, end: end, quoted: true, breaks: strings.IndexByte(l.s[i:end], quote) >= 0})
			i = end - 1
		case c == '\\' && quote == '"':
			if i++; !templates && i < len(l.s) && strings.IndexByte("0abt\tnvfre \"/\\N_LPxuU\r\n", l.s[i]) < 0 {
				l.fail(faultEscape(i-1, i+1, l.s))
			}
		case c == quote && quote == '\'' && i+1 < len(l.s) && l.s[i+1] == quote:
			i++
		case c == quote:
			return i + 1, true
		}
	}
	return len(l.s), false
}

// plain returns the byte after the plain piece at i on its line, without trailing blanks.
func (l *lexer) plain(i int, flow bool) int {
	start := i
	end := i
	for i < len(l.s) && breakLen(l.s, i) == 0 {
		if l.templates {
			if stop := l.template(i, false); stop > 0 {
				text := l.s[i:stop]
				l.mark(region{start: i, end: stop, breaks: flow || i == start || strings.Contains(text, ": ") || strings.Contains(text, " #") || strings.Contains(text, "\n")})
				i, end = stop, stop
				continue
			}
		}
		c := l.s[i]
		if c == '#' && i > start && (l.s[i-1] == ' ' || l.s[i-1] == '\t') {
			break
		}
		if c == ':' && (l.endsToken(i+1) || flow && strings.IndexByte(",[]{}", l.s[i+1]) >= 0) {
			break
		}
		if flow && strings.IndexByte(",[]{}", c) >= 0 {
			break
		}
		i++
		if c != ' ' && c != '\t' {
			end = i
		}
	}
	return end
}
