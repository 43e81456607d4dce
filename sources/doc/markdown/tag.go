package markdown

import "strings"

// tag is what a line of its own among the rows of a table is to the generators that read Markdown after or before they
// take their own marks off.
type tag uint8

const (
	noTag        tag = iota
	tagEnd           // it ends the table: the end of a container, an attribute list, a closing component
	tagStatement     // a statement of a template that stands for no rows: {% endfor %}
	tagMore          // a statement of a template that may stand for rows: {% for h in hosts %}
)

// tagOf tells what a line without the white space around it is. Nobody means such a line as a row of the table above it,
// though the common rule makes it one.
func tagOf(s string) tag {
	if len(s) < 3 || s[0] != ':' && s[0] != '{' && s[0] != '<' {
		return noTag
	}
	last := s[len(s)-1]
	switch {
	case strings.HasPrefix(s, "{%") && strings.Index(s, "%}") == len(s)-2: // a | in it is a filter
		return statement(s[2 : len(s)-2])
	case strings.IndexByte(s, '|') >= 0:
	case strings.HasPrefix(s, ":::"):
		return tagEnd
	case strings.HasPrefix(s, "</") && s[2] >= 'A' && s[2] <= 'Z' && last == '>': // HTML's own tags are small
		return tagEnd
	case s[0] != '{' || last != '}':
	case strings.HasPrefix(s, "{{<"), strings.HasPrefix(s, "{{%"):
		if strings.HasPrefix(strings.TrimLeft(s[3:], " "), "/") {
			return tagEnd
		}
		return tagMore
	case strings.HasPrefix(s, "{{"):
		return statement(strings.Trim(s, "{}"))
	case s[1] == '!':
		return tagMore
	case s[1] == ':', s[1] == '.', s[1] == '#':
		return tagEnd
	}
	return noTag
}

// statement tells what the inside of a template's marks does.
func statement(s string) tag {
	s = strings.TrimLeft(s, "-~ \t")
	if strings.HasPrefix(s, "end") || strings.HasPrefix(s, "/") || strings.HasPrefix(s, "raw") || strings.HasPrefix(s, "!") {
		return tagStatement
	}
	return tagMore
}

// pipeOutside is pipe for lines that hold {{ }}, in which a | is a filter. last is where the last }} of the line stands.
func (p *parser) pipeOutside(start, end, last int) int {
	stop := p.pipe(start, end)
	for at := start; ; {
		open := strings.Index(p.src[at:stop], "{{")
		if open < 0 || at+open >= last {
			return stop
		}
		at += open
		if at += strings.Index(p.src[at:last+2], "}}") + 2; at > stop {
			stop = p.pipe(at, end)
		}
	}
}
