package mapped

import "strings"

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
