package judge

import "strings"

// plainKind is the kind of a text that stands without quotes, as JSON and the core schema of YAML read it, but for
// hexadecimal, octal and null.
func plainKind(s string) Kind {
	switch s {
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return Bool
	}
	rest := strings.TrimPrefix(strings.TrimPrefix(s, "-"), "+")
	whole := digits(rest)
	if whole > 0 && whole == len(rest) {
		return Int
	}
	if isNumber(s) && strings.Trim(s, "+-.0123456789eE") == "" {
		return Float
	}
	return String
}
