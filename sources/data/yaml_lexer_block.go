package data

import "strings"

// flow returns the byte after the flow collection at i.
func (l *lexer) flow(i int) int {
	var open []int
	after := false // a value has ended and a comma or bracket is due
	plain := false // it was plain
	for i < len(l.s) {
		if n := white(l.s, i); n > 0 {
			i += n
			continue
		}
		if l.templates && l.template(i, false) > 0 {
			i = l.plain(i, true)
			after, plain = true, true
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
			continue
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
			if after && !plain { // plain values may go on over lines
				l.fail(faultMissingComma(i))
			}
			i = max(l.plain(i, true), i+1)
			after, plain = true, true
			continue
		}
		plain = false
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
