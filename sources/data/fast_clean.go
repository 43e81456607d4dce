package data

import (
	"encoding/binary"
	"unicode/utf8"
)

// Eight bytes of one value, and the highest bit of each.
const (
	ones = 0x0101010101010101
	high = 0x8080808080808080
)

// clean reports whether text holds only characters that mean to YAML what they mean to the fast reader: valid UTF-8, no
// control characters, no line breaks but LF and CRLF, no byte-order marks. It looks at eight bytes at a time.
func clean(src []byte) bool {
	for i := 0; i < len(src); {
		if i+8 <= len(src) {
			w := binary.LittleEndian.Uint64(src[i:])
			ascii := w &^ high
			// The high bit of a byte says: at least a space; no line feed; 0x7F. ASCII never carries into the next byte.
			printable := ascii + 0x60*ones
			other := (ascii ^ 0x0A*ones) + 0x7F*ones
			if (w|(^printable&other)|(ascii+ones))&high == 0 {
				i += 8
				continue
			}
		}
		for stop := min(i+8, len(src)); i < stop; {
			n := cleanLen(src[i:])
			if n == 0 {
				return false
			}
			i += n
		}
	}
	return true
}

// cleanLen returns the length of the character that src starts with, 0 if the fast reader does not take it.
func cleanLen(src []byte) int {
	c := src[0]
	switch {
	case c >= ' ' && c < 0x7F || c == '\n' || c == '\t':
		return 1
	case c == '\r':
		if len(src) > 1 && src[1] == '\n' {
			return 2
		}
		return 0
	case c < utf8.RuneSelf:
		return 0
	}
	r, n := utf8.DecodeRune(src)
	if r == utf8.RuneError && n == 1 || r < 0xA0 || r == 0x2028 || r == 0x2029 || r == 0xFEFF || r == 0xFFFE || r == 0xFFFF {
		return 0
	}
	return n
}
