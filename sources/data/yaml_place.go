package data

import (
	"strings"
	"unicode/utf8"
)

// places turns the lines and columns of yaml.v3 (columns in runes) into byte offsets. Nodes come in file order, so the
// last answer is where the next search starts: long lines are walked once.
type places struct {
	text              string
	starts            []int
	line, column, pos int
}

func newPlaces(text string) places {
	p := places{text: text, starts: []int{0}}
	for i := 0; i < len(text); {
		n := breakLen(text, i)
		if n == 0 {
			i++
			continue
		}
		i += n
		p.starts = append(p.starts, i)
	}
	return p
}

// breakLen returns the length of the line break at i, 0 if there is none. yaml.v3 counts all breaks of YAML 1.1.
func breakLen(s string, i int) int {
	switch s[i] {
	case '\n':
		return 1
	case '\r':
		if i+1 < len(s) && s[i+1] == '\n' {
			return 2
		}
		return 1
	case 0xC2:
		if i+1 < len(s) && s[i+1] == 0x85 {
			return 2
		}
	case 0xE2:
		if i+2 < len(s) && s[i+1] == 0x80 && (s[i+2] == 0xA8 || s[i+2] == 0xA9) {
			return 3
		}
	}
	return 0
}

// offset returns the byte at line and column, both counted from 1.
func (p *places) offset(line, column int) int {
	if line < 1 || line > len(p.starts) {
		return len(p.text)
	}
	if p.line != line || p.column > column {
		p.line, p.column, p.pos = line, 1, p.starts[line-1]
	}
	for p.column < column && p.pos < len(p.text) {
		_, n := utf8.DecodeRuneInString(p.text[p.pos:])
		p.pos += n
		p.column++
	}
	return p.pos
}

// white returns the length of the space, tab or line break at i, 0 if there is none.
func white(s string, i int) int {
	if s[i] == ' ' || s[i] == '\t' {
		return 1
	}
	return breakLen(s, i)
}

// skipWhite returns the first byte from i on that is neither white space nor part of a comment.
func skipWhite(s string, i int) int {
	for i < len(s) {
		if n := white(s, i); n > 0 {
			i += n
			continue
		}
		if s[i] != '#' {
			return i
		}
		for i < len(s) && breakLen(s, i) == 0 {
			i++
		}
	}
	return i
}

// quotedEnd returns the byte after the closing quote of the quoted scalar at i.
func quotedEnd(s string, i int) int {
	quote := s[i]
	for i++; i < len(s); i++ {
		switch {
		case s[i] == '\\' && quote == '"':
			i++
		case s[i] == quote && quote == '\'' && i+1 < len(s) && s[i+1] == quote:
			i++
		case s[i] == quote:
			return i + 1
		}
	}
	return len(s)
}

// plainEnd returns the byte after the plain scalar at i that reads as value: the same bytes, but for white space, which
// folding over lines changes.
func plainEnd(s string, i int, value string) int {
	end := i
	for v := 0; v < len(value) && i < len(s); {
		if n := white(value, v); n > 0 {
			for v < len(value) && white(value, v) > 0 {
				v += white(value, v)
			}
			for i < len(s) && white(s, i) > 0 {
				i += white(s, i)
			}
			continue
		}
		if s[i] != value[v] {
			break
		}
		i++
		v++
		end = i
	}
	return end
}

// blockEnd returns the byte after the last line with text of the literal or folded scalar at i.
func blockEnd(s string, i int, value string) int {
	for i < len(s) && white(s, i) == 0 {
		i++
	}
	end := i
	pos := nextLine(s, i)
	indent := -1
	for pos < len(s) {
		text := pos
		for text < len(s) && s[text] == ' ' {
			text++
		}
		stop := text
		for stop < len(s) && breakLen(s, stop) == 0 {
			stop++
		}
		if stop > text {
			if indent < 0 {
				// An indentation indicator makes leading spaces part of the value.
				first := strings.TrimLeft(value, "\n")
				if strings.TrimLeft(first, " \n") == "" {
					return end
				}
				indent = text - pos - (len(first) - len(strings.TrimLeft(first, " ")))
			}
			if text-pos < indent || indent <= 0 && (marker(s, pos, '-') || marker(s, pos, '.')) {
				return end
			}
			end = stop
		}
		pos = nextLine(s, stop)
	}
	return end
}

// nextLine returns the start of the line after the one that holds i.
func nextLine(s string, i int) int {
	for i < len(s) {
		if n := breakLen(s, i); n > 0 {
			return i + n
		}
		i++
	}
	return i
}
