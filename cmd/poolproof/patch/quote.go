package patch

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// quote writes a path as git does in the head of a diff (core.quotePath=false): in quotes and escaped where it holds a
// quote, a backslash, or something that is not seen as itself.
func quote(path string) string {
	var b strings.Builder
	quoted := false
	for i := 0; i < len(path); {
		r, size := utf8.DecodeRuneInString(path[i:])
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
			quoted = true
		case r == utf8.RuneError && size == 1 || !unicode.IsPrint(r):
			for j := range size {
				b.WriteString(escape(path[i+j]))
			}
			quoted = true
		default:
			b.WriteString(path[i : i+size])
		}
		i += size
	}
	if quoted {
		return `"` + b.String() + `"`
	}
	return path
}

// escape is a byte in git's C notation.
func escape(c byte) string {
	if i := strings.IndexByte("\a\b\t\n\v\f\r", c); i >= 0 {
		return `\` + "abtnvfr"[i:i+1]
	}
	return fmt.Sprintf(`\%03o`, c)
}
