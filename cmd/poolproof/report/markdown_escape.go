package report

import (
	"strings"
	"unicode/utf8"
)

// markdownText writes a text, which is already in visible form, so that Markdown shows it as it is: nothing in it is
// markup or HTML, and hosting sites make no mention, reference, link or emoji of it.
func markdownText(s string) string {
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		next := byte(0)
		if i+size < len(s) {
			next = s[i+size]
		}
		switch {
		case r == '_' && i > 0 && letter(s[i-1]) && letter(next): // inside a word it is no markup
			b.WriteByte('_')
		case strings.ContainsRune("&<>\"'`*_[]\\|~#@!$%^", r):
			b.WriteString(entity(r))
			if strings.ContainsRune("@#!~%&$^", r) && wordByte(next) {
				b.WriteString(breaker)
			}
		case r == ':' && strings.HasPrefix(s[i:], "://"):
			b.WriteString(entity(r) + breaker)
		case r == ':' && shortcode(s[i+1:]):
			b.WriteString(entity(r))
		case r == '.' && i >= 3 && strings.EqualFold(s[i-3:i], "www"):
			b.WriteString(breaker + ".")
		case r == '-' && i >= 2 && strings.EqualFold(s[i-2:i], "gh"):
			b.WriteString("-" + breaker)
		default:
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

// breaker parts a sign from a word, because sites look for @name and #1 in the finished text, where an entity is the
// sign itself. It is a space without a width.
const breaker = "&#8203;"

// entity writes an ASCII character as a numeric entity, which Markdown never takes for markup.
func entity(r rune) string {
	var digits [3]byte
	i := len(digits)
	for n := int(r); n > 0; n /= 10 {
		i--
		digits[i] = byte('0' + n%10)
	}
	return "&#" + string(digits[i:]) + ";"
}

func letter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func wordByte(c byte) bool {
	return letter(c) || c == '_' || c == '-' || c >= 0x80
}

// shortcode reports whether the text after a colon would make it an emoji: "smile:".
func shortcode(s string) bool {
	for i := 0; i < len(s) && i < 64; i++ {
		switch c := s[i]; {
		case c == ':':
			return i > 0
		case !wordByte(c) && c != '+':
			return false
		}
	}
	return false
}

// markdownCode writes a text, which is already in visible form, as a code span. Tables want markdownCell.
func markdownCode(s string) string {
	if s == "" {
		return ""
	}
	longest, run := 0, 0
	for i := 0; i < len(s); i++ {
		if s[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	if longest > 0 || s[0] == ' ' || s[len(s)-1] == ' ' {
		s = " " + s + " "
	}
	return fence + s + fence
}

// markdownCell writes a code span for a table, which ends a cell at a bar even inside code. Behind a backslash, a bar cannot
// be escaped everywhere; such a text is written as text.
func markdownCell(s string) string {
	if strings.Contains(s, `\|`) {
		return markdownText(s)
	}
	return strings.ReplaceAll(markdownCode(s), "|", `\|`)
}
