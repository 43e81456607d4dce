package bind

import (
	"strings"
)

// Syntax is a set of template and placeholder marks.
type Syntax uint8

// The marks that formats know. Any template mark makes a value unresolved; placeholders may have a value in vars or a
// default of their own.
const (
	// Braces: {{ }} and {% %} of Jinja, Go, Helm, confd and sigil, and <% %>.
	Braces Syntax = 1 << iota
	// Dollar: ${NAME}, with the defaults that the other bits allow.
	Dollar
	// DollarBare: $NAME without braces (shell, sigil).
	DollarBare
	// ColonDefault: ${NAME:default}.
	ColonDefault
	// DashDefault: ${NAME:-default} and ${NAME-default}.
	DashDefault
	// At: @name@ of Maven filters, and @{name}.
	At
	// DoubleDollar: ${{NAME}} and ${{NAME:=default}} of APISIX.
	DoubleDollar
)

// Common is what any configuration file may hold.
const Common = Braces | Dollar

// HasTemplate reports whether text holds marks of the syntax.
func HasTemplate(text string, syntax Syntax) bool {
	if syntax&Braces != 0 && (strings.Contains(text, "{{") || strings.Contains(text, "{%") || strings.Contains(text, "<%")) {
		return true
	}
	if syntax&(Dollar|DoubleDollar) != 0 && strings.Contains(text, "${") {
		return true
	}
	if syntax&DollarBare != 0 {
		if i := strings.IndexByte(text, '$'); i >= 0 && i+1 < len(text) && (letter(text[i+1]) || text[i+1] == '(') {
			return true
		}
	}
	if syntax&At != 0 {
		if i := strings.IndexByte(text, '@'); i >= 0 {
			if j := strings.IndexByte(text[i+1:], '@'); j > 0 && name(text[i+1:i+1+j]) || strings.HasPrefix(text[i:], "@{") {
				return true
			}
		}
	}
	return false
}

func letter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func name(s string) bool {
	for i := 0; i < len(s); i++ {
		if !letter(s[i]) && !(s[i] >= '0' && s[i] <= '9') && s[i] != '.' && s[i] != '-' {
			return false
		}
	}
	return s != ""
}

// Expand replaces the placeholders of text by their values in vars, else by their own defaults. ok is false where one
// has neither, where the text holds a template that is more than a placeholder, or where the values take far more than
// any setting needs; text is then returned as it was.
func Expand(text string, vars map[string]string, syntax Syntax) (out string, ok bool) {
	if !HasTemplate(text, syntax) {
		return text, true
	}
	e := expander{vars: vars, syntax: syntax, bytes: maxExpansion, count: maxReplaced}
	out, ok = e.expand(text, 0)
	if !ok || HasTemplate(out, syntax) {
		return text, false
	}
	return out, true
}

// Bounds of one expansion: defaults inside defaults, placeholders replaced, and bytes of their values. Values hold
// placeholders themselves, so that without these a few lines could stand for any amount of text.
const (
	maxNesting   = 8
	maxReplaced  = 10_000
	maxExpansion = 64 << 10
)

// expander replaces placeholders; bytes and count are what is left of the bounds.
type expander struct {
	vars         map[string]string
	syntax       Syntax
	bytes, count int
}

func (e *expander) expand(text string, depth int) (string, bool) {
	if depth > maxNesting {
		return text, false
	}
	var b strings.Builder
	for {
		i := strings.Index(text, "${")
		if i < 0 {
			b.WriteString(text)
			return b.String(), true
		}
		b.WriteString(text[:i])
		body, rest, closed := braced(text[i+2:])
		if !closed {
			return "", false
		}
		if e.syntax&DoubleDollar != 0 && strings.HasPrefix(body, "{") && strings.HasSuffix(body, "}") {
			body = body[1 : len(body)-1]
		}
		value, ok := placeholder(body, e.vars, e.syntax)
		e.count--
		e.bytes -= len(value)
		if !ok || e.count < 0 || e.bytes < 0 {
			return "", false
		}
		if value, ok = e.expand(value, depth+1); !ok {
			return "", false
		}
		b.WriteString(value)
		text = rest
	}
}

// braced splits "name:default} rest" at the closing brace that matches.
func braced(s string) (body, rest string, ok bool) {
	depth := 1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return s[:i], s[i+1:], true
			}
		}
	}
	return "", "", false
}

func placeholder(body string, vars map[string]string, syntax Syntax) (string, bool) {
	key, def, has := body, "", false
	if i := strings.IndexAny(body, ":-"); i >= 0 {
		switch {
		case body[i] == ':' && strings.HasPrefix(body[i:], ":-") && syntax&DashDefault != 0:
			key, def, has = body[:i], body[i+2:], true
		case body[i] == ':' && strings.HasPrefix(body[i:], ":=") && syntax&DoubleDollar != 0:
			key, def, has = body[:i], body[i+2:], true
		case body[i] == ':' && syntax&ColonDefault != 0:
			key, def, has = body[:i], body[i+1:], true
		case body[i] == '-' && syntax&DashDefault != 0 && syntax&ColonDefault == 0:
			key, def, has = body[:i], body[i+1:], true
		case body[i] == '-' && syntax&ColonDefault != 0:
			// Names may hold dashes where ':' separates the default.
			if j := strings.IndexByte(body, ':'); j >= 0 {
				key, def, has = body[:j], strings.TrimPrefix(body[j+1:], dash(syntax)), true
			}
		}
	}
	if v, ok := vars[strings.TrimSpace(key)]; ok {
		return v, true
	}
	return def, has
}

func dash(syntax Syntax) string {
	if syntax&DashDefault != 0 {
		return "-"
	}
	return ""
}
