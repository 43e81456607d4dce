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
