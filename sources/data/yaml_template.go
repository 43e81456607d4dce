package data

import "strings"

// region is a template expression, or a line of nothing else.
type region struct {
	start, end int
	line       bool // nothing else stands on its lines
	quoted     bool // it stands inside quotes
	breaks     bool // YAML readers stumble over it
}

// maxExpression is how many bytes of a template expression are looked at; a comment may be longer.
const (
	maxExpression = 1 << 10
	maxComment    = 1 << 14
)

// hasTemplate is a quick test for text that may hold templates.
func hasTemplate(s string) bool {
	return strings.Contains(s, "{{") || strings.Contains(s, "{%") || strings.Contains(s, "{#") || strings.Contains(s, "<%")
}

func (l *lexer) mark(r region) { l.regions = append(l.regions, r) }

// markLine records the expressions from i to end, which fill their lines.
func (l *lexer) markLine(i, end int) {
	trimmed := strings.TrimRight(l.s[i:end], " \t")
	l.mark(region{start: i, end: i + len(trimmed), line: true, breaks: true})
}

// template returns the end of the template expression at i, 0 if there is none. sameLine keeps it from running over
// the end of the line.
func (l *lexer) template(i int, sameLine bool) int {
	if i+5 > len(l.s) || l.s[i] != '{' && l.s[i] != '<' {
		return 0
	}
	if l.lastAt != i+1 { // it is asked for the same place again and again
		l.lastAt, l.lastEnd = i+1, l.expression(i)
	}
	if end := l.lastEnd; end > 0 && (!sameLine || !strings.ContainsAny(l.s[i:end], "\r\n")) {
		return end
	}
	return 0
}

// expression returns the end of the template expression at i. Filler needs five bytes, so it has no less.
func (l *lexer) expression(i int) int {
	closing, limit := "", maxExpression
	switch l.s[i : i+2] {
	case "{{":
		closing = "}}"
		if strings.HasPrefix(l.s[i+2:], "/*") || strings.HasPrefix(l.s[i+2:], "- /*") {
			limit = maxComment
		}
	case "{%":
		closing = "%}"
	case "<%":
		closing = "%>"
	case "{#":
		closing, limit = "#}", l.endOfLine(i)-i
	default:
		return 0
	}
	body := i + 2
	limit = min(len(l.s), i+limit)
	end := l.search(closing, body, limit)
	if end > body && limit-i <= maxExpression && closing == "}}" {
		end = body + braceEnd(l.s[body:limit])
	}
	if end <= body {
		return 0
	}
	return end + 2
}

// braceEnd returns where the }} stands that closes an expression, -1 if nowhere. The braces of mappings inside it, as in
// Jinja's {{ {"a": {"b": 1}} }}, are its own; those after it belong to a flow mapping around it.
func braceEnd(s string) int {
	depth := 0
	for i := 0; i+1 < len(s); i++ {
		switch s[i] {
		case '"', '\'':
			if n := strings.IndexByte(s[i+1:], s[i]); n >= 0 && !strings.Contains(s[i+1:i+1+n], "}}") {
				i += n + 1
			}
		case '{':
			depth++
		case '}':
			if depth > 0 {
				depth--
			} else if s[i+1] == '}' {
				return i
			}
		}
	}
	return strings.Index(s, "}}")
}

// search returns where closing stands in s[from:to], or -1. It remembers what it has searched in vain, so that a file
// of opening marks costs one pass.
func (l *lexer) search(closing string, from, to int) int {
	if l.vain == nil {
		l.vain = map[string][2]int{}
	}
	start := from
	v := l.vain[closing]
	if v[0] <= from && from <= v[1] {
		start = max(from, v[1]-1)
	}
	if start >= to {
		return -1
	}
	if n := strings.Index(l.s[start:to], closing); n >= 0 {
		return start + n
	}
	if start == from {
		v[0] = from
	}
	l.vain[closing] = [2]int{v[0], to}
	return -1
}

// templateLine returns the end of the template expressions at i if they fill the text up to stop, the end of the line;
// an expression may go on over further lines and end its last one. 0 if anything else stands there.
func (l *lexer) templateLine(i, stop int) int {
	any := false
	for {
		i = l.blanks(i)
		if i >= stop {
			if !any {
				return 0
			}
			return i
		}
		end := l.template(i, false)
		if end == 0 {
			if any && l.s[i] == '#' {
				return l.endOfLine(i)
			}
			return 0
		}
		any = true
		if i = end; i > stop {
			stop = l.endOfLine(i)
		}
	}
}

// templates finds the expressions of a YAML file outside comments and block texts, in order.
func templates(s string) []region {
	l := lexer{s: s, templates: true}
	for pos := 0; pos < len(s); {
		pos = l.templateScan(pos)
	}
	return l.regions
}

// templateScan reads the pieces of the line at pos and returns the start of the next line after them.
func (l *lexer) templateScan(pos int) int {
	i := l.blanks(pos)
	stop := l.endOfLine(i)
	if end := l.templateLine(i, stop); end > 0 {
		l.markLine(i, end)
		return nextLine(l.s, end)
	}
	line := pos       // the start of the line that i is on
	parent := i - pos // the column that a block text below must exceed
	for i < len(l.s) && breakLen(l.s, i) == 0 {
		switch c := l.s[i]; {
		case c == ' ' || c == '\t':
			i++
			continue
		case c == '#' && (i == pos || l.s[i-1] == ' ' || l.s[i-1] == '\t'):
			i = l.endOfLine(i)
			continue
		case (c == '-' || c == '?') && l.endsToken(i+1):
			parent = i - line
			i++
			continue
		case c == ':' && l.endsToken(i+1):
			i++
			continue
		case l.blockHeader(i):
			return l.blockBody(nextLine(l.s, i), parent)
		case c == '&' || c == '!':
			for !l.endsToken(i) {
				i++
			}
			continue
		}
		start := i
		switch c := l.s[i]; {
		case c == '"' || c == '\'':
			i = l.quoted(i)
		case (c == '[' || c == '{') && l.template(i, false) == 0:
			i = l.flow(i)
		default:
			i = l.plain(i, false)
		}
		if i < len(l.s) && l.s[i] == ':' {
			parent = start - line
		}
		if n := strings.LastIndexByte(l.s[start:i], '\n'); n >= 0 {
			line = start + n + 1
		}
		if i == start {
			i++
		}
	}
	return nextLine(l.s, i)
}

// lastLine returns the start of the line that holds i.
func lastLine(s string, i int) int { return strings.LastIndexByte(s[:i], '\n') + 1 }
