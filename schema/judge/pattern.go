package judge

import (
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema/judge/internal/table"
)

// matches reports whether a text is of the pattern's form.
func matches(p table.Pattern, s string) bool {
	switch p {
	case table.Duration:
		return isDuration(s)
	case table.Digest:
		return isDigest(s)
	case table.Date:
		return isDate(s)
	case table.Offset:
		return len(s) > 1 && (s[0] == '+' || s[0] == '-') && digits(s[1:]) == len(s)-1
	case table.Time:
		_, err := time.Parse(time.RFC3339Nano, s)
		return err == nil
	}
	return true
}

// digits counts the digits that s starts with.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

func isDuration(s string) bool {
	if s == "" {
		return false
	}
	for s != "" {
		n := digits(s)
		if n == 0 {
			return false
		}
		if n < len(s) && s[n] == '.' {
			fraction := digits(s[n+1:])
			if fraction == 0 {
				return false
			}
			n += 1 + fraction
		}
		s = s[n:]
		if n = unit(s); n == 0 {
			return false
		}
		s = s[n:]
	}
	return true
}

// unit returns the length of the unit that s starts with, 0 if there is none. A number or the end follows, so "ms" is
// never m and s.
func unit(s string) int {
	if s == "" {
		return 0
	}
	switch s[0] {
	case 's', 'h', 'd':
		return 1
	case 'm':
		if len(s) > 1 && s[1] == 's' {
			return 2
		}
		return 1
	case 'n', 'u':
		if len(s) > 1 && s[1] == 's' {
			return 2
		}
	default:
		if strings.HasPrefix(s, "µs") {
			return len("µs")
		}
	}
	return 0
}

func isDigest(s string) bool {
	rest, ok := strings.CutPrefix(s, "sha256:")
	if !ok || len(rest) != 64 {
		return false
	}
	for i := range len(rest) {
		if c := rest[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

func isDate(s string) bool {
	return len(s) == 10 && digits(s) == 4 && s[4] == '-' && digits(s[5:]) == 2 && s[7] == '-' && digits(s[8:]) == 2
}
