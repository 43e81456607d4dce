package cuefile

import (
	"github.com/poolproof/poolproof/schema"
)

const (
	maxBytes  = 1 << 20 // of one file
	maxNested = 100     // brackets in brackets, labels of one field, operators before one operand
)

// tooDeep finds text that would drive the parser into itself: it descends for each bracket, label and sign. The text is
// not parsed, so brackets in strings count too; nobody writes hundreds of them.
func tooDeep(src []byte) (schema.Span, schema.Text) {
	if len(src) > maxBytes {
		return schema.At(0, 0), schema.Textf("larger than %d bytes", "大于 %d 字节", maxBytes)
	}
	brackets, labels, signs := 0, 0, 0
	last := byte('\n')
	for i := 0; i < len(src); i++ {
		c := src[i]
		switch c {
		case ' ', '\t', '\r':
			continue
		case '\n':
			if last != ':' {
				labels = 0
			}
			continue
		case '/':
			if i+1 < len(src) && src[i+1] == '/' {
				for i < len(src) && src[i] != '\n' {
					i++
				}
				i--
				continue
			}
		case '(', '[', '{':
			brackets++
			labels = 0
		case ')', ']', '}':
			brackets = max(0, brackets-1)
		case ',':
			labels = 0
		case ':':
			labels++
		}
		if c == '-' || c == '+' || c == '!' || c == '*' || c == '<' || c == '>' || c == '=' || c == '~' {
			signs++
		} else {
			signs = 0
		}
		if brackets > maxNested || labels > maxNested || signs > maxNested {
			return schema.At(i, i+1), schema.Textf("nested more than %d deep", "嵌套超过 %d 层", maxNested)
		}
		last = c
	}
	return schema.Span{}, schema.Text{}
}
