package nginx

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
)

// word is one word of a directive: its name or an argument.
type word struct {
	// text is what NGINX sees: without the quotes, escapes resolved.
	text string
	// start and end are the bytes of the file that hold the text, quotes left out.
	start, end int
	quoted     bool
	escaped    bool // the text is not the bytes of the file
	template   bool // holds a template mark
	newline    bool // a line break stands before it
}

// span returns the word's place, without its quotes.
func (w word) span() schema.Span { return schema.At(w.start, w.end) }

// part returns the place of the bytes from i to j of the text, or of the whole word where text and file differ.
func (w word) part(i, j int) schema.Span {
	if w.escaped || i < 0 || j > len(w.text) || i > j {
		return w.span()
	}
	return schema.At(w.start+i, w.start+j)
}

// scalar returns the word as the binder wants it. The text is copied, so that a copy does not hold on to the file.
func (w word) scalar() bind.Scalar {
	return bind.Scalar{Text: strings.Clone(w.text), At: w.span(), Quoted: w.quoted}
}

// value splits "key=value" and returns the value as a scalar; set is false for a word without '='.
func (w word) value() (key string, v bind.Scalar, set bool) {
	i := strings.IndexByte(w.text, '=')
	if i < 0 {
		return w.text, w.scalar(), false
	}
	return w.text[:i], bind.Scalar{Text: strings.Clone(w.text[i+1:]), At: w.part(i+1, len(w.text)), Quoted: w.quoted}, true
}

// unescape resolves the escapes that NGINX knows: \" \' \\ \t \r \n. Any other backslash stays.
func unescape(raw string) string {
	var b strings.Builder
	b.Grow(len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] == '\\' && i+1 < len(raw) {
			switch c := raw[i+1]; c {
			case '"', '\'', '\\':
				b.WriteByte(c)
				i++
				continue
			case 't':
				b.WriteByte('\t')
				i++
				continue
			case 'r':
				b.WriteByte('\r')
				i++
				continue
			case 'n':
				b.WriteByte('\n')
				i++
				continue
			}
		}
		b.WriteByte(raw[i])
	}
	return b.String()
}
