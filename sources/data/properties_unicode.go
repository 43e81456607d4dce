package data

import (
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/poolproof/poolproof/schema"
)

// unicode reads \uXXXX at i, two of them for characters beyond the first plane.
func (r *propertiesReader) unicode(b *strings.Builder, i int) int {
	c, ok := hex4(r.text, i)
	if !ok {
		end := min(i+2, len(r.text))
		for end < len(r.text) && end < i+6 && digitOf(r.text[end], 'x') {
			end++
		}
		r.problems.add(schema.Problem{
			Rule: "source/syntax", At: schema.At(r.base+i, r.base+end),
			Text: schema.Textf(`\u needs four hexadecimal digits`, `\u 后须有四位十六进制数字`),
			Hint: schema.Textf(`write \u00E9, or \\u for a backslash and a u`, `请写成 \u00E9；若要反斜杠加 u 请写 \\u`),
		})
		b.WriteString(r.text[i:end])
		return end
	}
	i += 6
	if utf16.IsSurrogate(c) {
		if low, ok := hex4(r.text, i); ok {
			if full := utf16.DecodeRune(c, low); full != '\uFFFD' {
				b.WriteRune(full)
				return i + 6
			}
		}
	}
	b.WriteRune(c)
	return i
}

func hex4(s string, i int) (rune, bool) {
	if i+6 > len(s) || s[i] != '\\' || s[i+1] != 'u' {
		return 0, false
	}
	for _, c := range []byte(s[i+2 : i+6]) {
		if !digitOf(c, 'x') {
			return 0, false
		}
	}
	n, err := strconv.ParseUint(s[i+2:i+6], 16, 32)
	return rune(n), err == nil
}

// skipBlank returns the first byte from i on that is no blank; continuation lines count as blanks.
func (r *propertiesReader) skipBlank(i int) int {
	s := r.text
	for i < len(s) {
		switch {
		case s[i] == ' ' || s[i] == '\t' || s[i] == '\f':
			i++
		case s[i] == '\\' && i+1 < len(s) && (s[i+1] == '\n' || s[i+1] == '\r'):
			i = lineEnd(s, i+1)
		default:
			return i
		}
	}
	return i
}
