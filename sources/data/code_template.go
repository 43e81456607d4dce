package data

import "strings"

// codeTemplates finds the template expressions of JSON and TOML text outside comments, in order. comment is the mark
// of comments that run to the end of the line.
func codeTemplates(s, comment string) []region {
	l := lexer{s: s, templates: true}
	fresh := true // at the start of a line
	for i := 0; i < len(s); {
		if fresh {
			text := l.blanks(i)
			if end := l.templateLine(text, l.endOfLine(text)); end > 0 {
				l.markLine(text, end)
				i = nextLine(s, end)
				continue
			}
			fresh = false
		}
		switch c := s[i]; {
		case c == '\n':
			fresh = true
			i++
		case strings.HasPrefix(s[i:], comment):
			i = l.endOfLine(i)
		case strings.HasPrefix(s[i:], `"""`) || strings.HasPrefix(s[i:], "'''"):
			n := strings.Index(s[i+3:], s[i:i+3])
			if n < 0 {
				return l.regions
			}
			i += n + 6
		case c == '"' || c == '\'' && comment == "#":
			i = l.quoted(i)
		case l.template(i, false) > 0:
			end := l.template(i, false)
			l.mark(region{start: i, end: end, breaks: true})
			i = end
		default:
			i++
		}
	}
	return l.regions
}

// fillCode makes a template of JSON or TOML readable; at is the first expression that breaks it. The filler is nil if
// none does.
func fillCode(s, comment string) (text string, f *filler, at region) {
	if !hasTemplate(s) {
		return s, nil, at
	}
	regions := codeTemplates(s, comment)
	for _, r := range regions {
		if r.breaks {
			text, f = fill(s, regions, true)
			return text, f, r
		}
	}
	return s, nil, at
}
