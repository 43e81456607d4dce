package vocabulary

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/poolproof/poolproof/schema"
)

// Unit is what a bare number counts: a length of time, Percent, or nothing known. The zero Unit is "nothing known".
type Unit time.Duration

// Percent is the unit of shares and ratios.
const Percent Unit = -1

// maxName bounds the names that are looked up; longer texts are prose.
const maxName = 120

// Normal returns a word in the form in which words are compared: full-width forms as ASCII, lower case, and nothing but
// letters, digits, % and symbols such as ✓.
func Normal(s string) string {
	if len(s) > maxName {
		return ""
	}
	s, _ = schema.Fold(s)
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		switch {
		case r >= 'A' && r <= 'Z':
			b.WriteByte(byte(r) + 'a' - 'A')
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '%':
			b.WriteByte(byte(r))
		case r < utf8.RuneSelf || r == utf8.RuneError:
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsSymbol(r):
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// reading is one way to read a name: its word in normal form, and the unit that was taken off it.
type reading struct {
	word string
	unit Unit
}

// readings returns the ways to read a name, the most literal first: as it is, and without a unit in parentheses or at
// its end.
func (l *Lexicon) readings(name string) []reading {
	out := []reading{{Normal(name), 0}}
	if out[0].word == "" {
		return nil
	}
	name, _ = schema.Fold(name)
	name = strings.TrimRight(strings.TrimSpace(name), ":")
	if strings.HasSuffix(name, ")") || strings.HasSuffix(name, "]") {
		if i := strings.LastIndexAny(name, "(["); i > 0 {
			if u, ok := l.unitNote(name[i+1 : len(name)-1]); ok {
				out = append(out, reading{Normal(name[:i]), u})
			}
		}
		return out
	}
	if i := lastToken(name); i > 0 {
		if u, ok := l.UnitOf(name[i:]); ok {
			before := strings.TrimRight(name[:i], " \t-_.,/")
			before = strings.TrimSuffix(before, " in")
			out = append(out, reading{Normal(before), u})
		}
	}
	return out
}

// unitNote reads what stands in the parentheses of a name: "s", "in seconds", "单位：秒".
func (l *Lexicon) unitNote(note string) (Unit, bool) {
	if u, ok := l.UnitOf(note); ok {
		return u, true
	}
	word := Normal(note)
	for _, lead := range []string{"in", "unit", "单位", "单位为"} {
		if rest, ok := strings.CutPrefix(word, lead); ok {
			if u, ok := l.UnitOf(rest); ok {
				return u, true
			}
		}
	}
	return 0, false
}

// lastToken returns where the last token of a name starts: after a separator, or at a capital after a small letter.
func lastToken(name string) int {
	if strings.HasSuffix(name, "%") {
		return len(name) - 1
	}
	for i := len(name) - 1; i > 0; i-- {
		c, before := name[i], name[i-1]
		if strings.IndexByte(" \t-_.,/", before) >= 0 || isUpper(c) && before >= 'a' && before <= 'z' {
			return i
		}
	}
	return 0
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

// UnitOf returns the unit of that name: "ms", "Minutes", "秒", "%".
func (l *Lexicon) UnitOf(name string) (Unit, bool) {
	switch name { // the commonest, without a search
	case "ms":
		return Unit(time.Millisecond), true
	case "s":
		return Unit(time.Second), true
	case "min":
		return Unit(time.Minute), true
	case "%":
		return Percent, true
	}
	meaning := l.first(units, Normal(name))
	if meaning == "%" {
		return Percent, true
	}
	d, ok := schema.UnitOf(meaning)
	return Unit(d), ok
}
