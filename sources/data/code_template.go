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

// fillCode makes a template of JSON or TOML readable. The filler is nil if no expression breaks it.
func (f *File) fillCode(s string, base int, comment string) (string, *filler) {
	if !hasTemplate(s) {
		return s, nil
	}
	regions := codeTemplates(s, comment)
	if !breaking(regions) {
		return s, nil
	}
	f.report(unrendered(s, base, regions))
	return fill(s, regions, true)
}

// lineTemplates makes a template of .properties readable, in which lines of nothing but expressions and expressions in
// keys break something.
func (f *File) lineTemplates(s string, base int) (string, *filler) {
	if !hasTemplate(s) {
		return s, nil
	}
	l := lexer{s: s, templates: true}
	for pos := 0; pos < len(s); {
		text := l.blanks(pos)
		stop := l.endOfLine(text)
		if end := l.templateLine(text, stop); end > 0 {
			l.markLine(text, end)
			pos = nextLine(s, end)
			continue
		}
		for i := text; i < stop && s[text] != '#' && s[text] != '!'; i++ {
			if end := l.template(i, true); end > 0 {
				l.mark(region{start: i, end: end, breaks: !strings.ContainsAny(s[text:i], "=: \t")})
				i = end - 1
			}
		}
		pos = nextLine(s, stop)
	}
	if !breaking(l.regions) {
		return s, nil
	}
	f.report(unrendered(s, base, l.regions))
	return fill(s, l.regions, false)
}
