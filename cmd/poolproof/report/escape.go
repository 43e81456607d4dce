package report

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds on what comes from files, in bytes. A value longer than that explains nothing; paths on real systems are
// shorter, so that tools that open them still can.
const (
	maxText  = 4096 // messages, hints, paths
	maxShort = 1024 // values, names, fields
)

// clip cuts a text to at most about limit bytes, at a character, and marks the cut.
func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	cut := limit
	for back := 0; back < utf8.UTFMax && cut > 0 && !utf8.RuneStart(s[cut]); back++ {
		cut--
	}
	return s[:cut] + "…(" + strconv.Itoa(len(s)-cut) + " bytes more)"
}

// boundText bounds a message or hint and masks secrets; boundShort does so for a value, name or
// field.
func boundText(s string) string  { return clip(maskSecrets(s, maxText), maxText) }
func boundShort(s string) string { return clip(maskSecrets(s, maxShort), maxShort) }

// text prepares a message or hint for display: bounded, and with everything invisible shown.
func text(s string) string { return visible(boundText(s)) }

// short prepares a value, name or field for display.
func short(s string) string { return visible(boundShort(s)) }

// boundPath bounds the path of a file. That of a live gateway may be an address, with credentials in it.
func boundPath(s string) string { return clip(maskSecrets(s, maxText), maxText) }

// path prepares the path of a file for display.
func path(s string) string { return visible(boundPath(s)) }

// Shown prepares a value or name for display outside of a report, as reports show it: bounded, with secrets masked
// and everything invisible written out, line ends too.
func Shown(s string) string { return short(s) }

// Bound prepares a value or name for JSON outside of a report: bounded, with secrets masked.
func Bound(s string) string { return boundShort(s) }

// BoundText prepares a message or hint for JSON outside of a report: bounded, with secrets masked.
func BoundText(s string) string { return boundText(s) }

// ShownText prepares a message for display outside of a report. A line that would be a workflow command of GitHub, which
// obeys those after spaces too, is broken up.
func ShownText(s string) string {
	s = text(s)
	at := len(s) - len(strings.TrimLeft(s, " \u3000"))
	rest, ok := strings.CutPrefix(s[at:], "::")
	if !ok || !strings.Contains(rest, "::") || rest[0] < 'A' {
		return s
	}
	return s[:at] + `\x3a:` + rest
}

// visible returns s with every character written out that a terminal, a log or a reader would not show as itself:
// controls as \n, \t or \x1b, bytes that are not UTF-8 as \xff, and marks without a width, text direction included, as
// \u202e. Log commands of build servers (##[, ##vso[, ##teamcity[), which some of them obey anywhere in a line, are
// broken up.
func visible(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '#' {
			return visibleSlow(s, i)
		}
	}
	return s
}

func visibleSlow(s string, from int) string {
	var b strings.Builder
	b.Grow(len(s) + 16)
	b.WriteString(s[:from])
	prev := rune(-1)
	for i := from; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		plain := false
		switch {
		case r == utf8.RuneError && size == 1:
			appendHex(&b, `\x`, rune(s[i]), 2)
		case r == '#' && prev == '#' && logCommand(s[i+1:]):
			b.WriteString(`\x23`)
		case shown(r) || joinsEmoji(prev, r, s[i+size:]):
			b.WriteString(s[i : i+size])
			plain = true
		default:
			escapeRune(&b, r)
		}
		prev = -1
		if plain {
			prev = r
		}
		i += size
	}
	return b.String()
}

// logCommand reports whether the text after "##" would make it a command of a build server.
func logCommand(rest string) bool {
	name, _, ok := strings.Cut(rest[:min(len(rest), 16)], "[")
	return ok && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// shown reports whether a character is seen as itself.
func shown(r rune) bool {
	switch {
	case r < 0x7f:
		return r >= ' '
	case r == 0x3000: // the ideographic space is as wide as it looks
		return true
	case r == 0x034f, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r == 0x3164, r == 0xffa0, r == 0x2800:
		return false // letters and marks that draw nothing
	case r >= 0x180b && r <= 0x180f, r >= 0xe0000 && r <= 0xe0fff:
		return false // variation selectors and tags outside emoji
	}
	return unicode.IsPrint(r)
}

// joinsEmoji reports whether r is the joiner in the middle of an emoji, where it is part of what is seen.
func joinsEmoji(prev, r rune, rest string) bool {
	if r != 0x200d || prev < 0x2190 {
		return false
	}
	next, _ := utf8.DecodeRuneInString(rest)
	return next >= 0x2190 && next != utf8.RuneError && shown(next) && !(next >= 0x2e80 && next < 0x1f000)
}

func escapeRune(b *strings.Builder, r rune) {
	switch {
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\r':
		b.WriteString(`\r`)
	case r == '\t':
		b.WriteString(`\t`)
	case r < 0x80:
		appendHex(b, `\x`, r, 2)
	case r < 0x10000:
		appendHex(b, `\u`, r, 4)
	default:
		appendHex(b, `\U`, r, 8)
	}
}

func appendHex(b *strings.Builder, prefix string, r rune, digits int) {
	const hex = "0123456789abcdef"
	b.WriteString(prefix)
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		b.WriteByte(hex[r>>shift&15])
	}
}
