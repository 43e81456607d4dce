// Package yamltext writes texts as YAML that every reader takes for just these texts, whatever stands in them.
package yamltext

import (
	"fmt"
	"strings"
	"unicode"
)

// Quoted writes texts as a flow sequence of quoted scalars.
func Quoted(texts []string) string {
	out := make([]string, len(texts))
	for i, s := range texts {
		out[i] = Quote(s)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// Scalar writes a text plain where every YAML reader takes it for that text, else in quotes.
func Scalar(s string) string {
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_'
		if !letter && (i == 0 || (r < '0' || r > '9') && r != '-' && r != '.' && r != '/') {
			return Quote(s)
		}
	}
	switch strings.ToLower(s) {
	case "", "y", "n", "yes", "no", "on", "off", "true", "false", "null", "todo":
		return Quote(s)
	}
	return s
}

// Quote writes a double-quoted scalar.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
