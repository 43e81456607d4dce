package mapped

import (
	"bytes"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
)

// part is one entry of a comma-separated text.
type part struct {
	text   string // without the spaces around it
	offset int    // where it starts in the text
}

// splitList splits a text at its commas, those of full width too, but not inside placeholders. Empty parts are dropped.
func splitList(text string) []part {
	var out []part
	add := func(from, to int) {
		piece := text[from:to]
		trimmed := strings.TrimLeft(piece, " \t\r\n")
		from += len(piece) - len(trimmed)
		if trimmed = strings.TrimRight(trimmed, " \t\r\n"); trimmed != "" {
			out = append(out, part{trimmed, from})
		}
	}
	start, depth := 0, 0
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '{':
			depth++
		case text[i] == '}':
			depth = max(0, depth-1)
		case text[i] == ',' && depth == 0:
			add(start, i)
			start = i + 1
		case depth == 0 && strings.HasPrefix(text[i:], wideComma):
			add(start, i)
			i += len(wideComma) - 1
			start = i + 1
		}
	}
	add(start, len(text))
	return out
}

const wideComma = "，"

// pieces splits the text of a scalar into its entries, each with its own place where the file holds it as it is.
func (p *poolReader) pieces(s bind.Scalar) []bind.Scalar {
	parts := splitList(s.Text)
	if len(parts) == 1 && parts[0].text == s.Text {
		return []bind.Scalar{s}
	}
	out := make([]bind.Scalar, 0, len(parts))
	src, pos := p.src(s.At), 0
	for _, one := range parts {
		piece := bind.Scalar{Text: one.text, At: s.At}
		// Escapes make the text longer or shorter than its bytes; then the whole scalar has to do.
		if i := bytes.Index(src[pos:], []byte(one.text)); i >= 0 {
			start := int(s.At.Start) + pos + i
			piece.At = schema.At(start, start+len(one.text))
			pos += i + len(one.text)
		}
		out = append(out, piece)
	}
	return out
}

// wholePlaceholder reports whether a text is one placeholder or template and nothing else, so that it may stand for a
// whole list.
func wholePlaceholder(s string) bool {
	s = strings.TrimSpace(s)
	switch {
	case strings.HasPrefix(s, "{{") && strings.HasSuffix(s, "}}"), strings.HasPrefix(s, "<%") && strings.HasSuffix(s, "%>"),
		strings.HasPrefix(s, "{%"):
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
