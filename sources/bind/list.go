package bind

import (
	"bytes"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

const wideComma = "，"

// SplitList splits a text at its commas, those of full width too, but not inside the braces of placeholders and
// templates. Spaces around the entries and empty entries are dropped.
func SplitList(text string) []string {
	var out []string
	start, depth := 0, 0
	add := func(end, next int) {
		if entry := strings.TrimSpace(text[start:end]); entry != "" {
			out = append(out, entry)
		}
		start = next
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '{':
			depth++
		case c == '}':
			depth = max(0, depth-1)
		case depth > 0:
		case c == ',':
			add(i, i+1)
		case c == wideComma[0] && strings.HasPrefix(text[i:], wideComma):
			add(i, i+len(wideComma))
			i += len(wideComma) - 1
		}
	}
	add(len(text), len(text))
	return out
}

// Entries splits the text of a scalar at its commas. src is the bytes of its place: each entry has its own place where
// they hold it as it is; escapes make the text longer or shorter than its bytes, and then the whole has to do.
func Entries(src []byte, s Scalar) []Scalar {
	parts := SplitList(s.Text)
	if len(parts) == 1 && parts[0] == s.Text {
		return []Scalar{s}
	}
	out := make([]Scalar, 0, len(parts))
	pos, misses := 0, 0
	const mostMisses = 16 // each costs a search to the end
	for _, text := range parts {
		entry := Scalar{Text: text, At: s.At, Quoted: s.Quoted}
		if misses < mostMisses {
			if i := bytes.Index(src[pos:], []byte(text)); i >= 0 {
				start := s.At.Start + uint32(pos+i)
				entry.At = schema.Span{Start: start, End: start + uint32(len(text)), File: s.At.File}
				pos += i + len(text)
			} else {
				misses++
			}
		}
		out = append(out, entry)
	}
	return out
}

// WholePlaceholder reports whether a text is one placeholder or template and nothing else, so that it may stand for a
// whole list.
func WholePlaceholder(s string) bool {
	s = strings.TrimSpace(s)
	switch {
	case strings.HasPrefix(s, "{{"):
		return strings.Index(s, "}}") == len(s)-2
	case strings.HasPrefix(s, "<%"):
		return strings.Index(s, "%>") == len(s)-2
	case strings.HasPrefix(s, "{%"):
		return true
	case strings.HasPrefix(s, "${") && strings.HasSuffix(s, "}"):
		depth := 0
		for i := 0; i < len(s); i++ {
			switch s[i] {
			case '{':
				depth++
			case '}':
				if depth--; depth == 0 {
					return i == len(s)-1
				}
			}
		}
	}
	return false
}
