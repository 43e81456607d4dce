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

// flow returns the byte after the flow collection at i.
func (l *lexer) flow(i int) int {
	var open []int
	after := false // a value has ended and a comma or bracket is due
	for i < len(l.s) {
		if n := white(l.s, i); n > 0 {
			i += n
			continue
		}
		if l.templates && l.template(i, false) > 0 {
			i = l.plain(i, true)
			after = true
			continue
		}
		switch c := l.s[i]; c {
		case '[', '{':
			if after && len(open) > 0 {
				l.fail(faultMissingComma(i))
			}
			open = append(open, i)
			after = false
			i++
		case ']', '}':
			if opener := l.s[open[len(open)-1]]; opener != c-2 {
				l.fail(faultBracket(open[len(open)-1], i, opener, c))
			}
			open = open[:len(open)-1]
			i++
			after = true
			if len(open) == 0 {
				return i
			}
		case '"', '\'':
			if after {
				l.fail(faultMissingComma(i))
			}
			i = l.quoted(i)
			after = true
		case ',', ':', '?':
			if c == ':' && !after && !l.endsToken(i+1) && strings.IndexByte(",[]{}", l.s[i+1]) < 0 {
				l.fail(faultFlowColon(open[len(open)-1], i, l.s))
			}
			after = false
			i++
		case '#':
			i = l.endOfLine(i)
		case '@', '`', '%':
			l.fail(faultReserved(i, c))
			i = max(l.plain(i, true), i+1)
			after = true
		case '&', '*':
			end := l.word(i + 1)
			l.names = append(l.names, name{i, end})
			after = c == '*'
			i = max(end, i+1)
		default:
			if after && l.s[i-1] != ' ' && breakLen(l.s, i-1) == 0 || after && (l.s[i-1] == '"' || l.s[i-1] == '\'') {
				l.fail(faultMissingComma(i))
			}
			i = max(l.plain(i, true), i+1)
			after = true
		}
	}
	l.fail(faultUnclosedBracket(open[len(open)-1], l.s))
	return len(l.s)
}

// blockHeader reports whether a literal or folded piece starts at i, with nothing but indicators and a comment on the
// line.
func (l *lexer) blockHeader(i int) bool {
	if l.s[i] != '|' && l.s[i] != '>' {
		return false
	}
	for i++; i < len(l.s) && (l.s[i] == '+' || l.s[i] == '-' || l.s[i] >= '1' && l.s[i] <= '9'); i++ {
	}
	return l.rest(i)
}

// blockBody returns the start of the first line from pos on that does not belong to a literal or folded piece of a
// parent at column indent. Lines with nothing but template expressions never end it.
func (l *lexer) blockBody(pos, indent int) int {
	for pos < len(l.s) {
		text := pos
		for text < len(l.s) && l.s[text] == ' ' {
			text++
		}
		end := l.endOfLine(text)
		blank := text == end || l.blanks(text) == end
		if !blank && text-pos <= indent {
			stop := 0
			if l.templates {
				stop = l.templateLine(text, end)
			}
			if stop == 0 {
				return pos
			}
			l.markLine(text, stop)
			end = stop
		}
		if !blank && text == pos && (marker(l.s, pos, '-') || marker(l.s, pos, '.')) {
			return pos
		}
		pos = nextLine(l.s, end)
	}
	return pos
}
