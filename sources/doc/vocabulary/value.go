package vocabulary

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/poolproof/poolproof/schema"
)

// maxValue bounds the texts that are read as numbers or durations.
const maxValue = 200

// Duration reads a length of time as documents write it: "2 s", "1m30s", "30 seconds", "5 分钟", "1分30秒", "1,500 ms",
// "30（秒）". unit is that of a bare number, 0 if nothing says it. A note in parentheses behind the value does not
// count. The error wraps schema.ErrNoUnit, schema.ErrNoDuration or schema.ErrTooLong.
func (l *Lexicon) Duration(text string, unit Unit) (time.Duration, error) {
	total, rest, parts := time.Duration(0), strings.TrimSuffix(strings.TrimSpace(text), "."), 0
	if len(rest) > maxValue {
		return 0, fmt.Errorf("a text of %d bytes: %w", len(rest), schema.ErrNoDuration)
	}
	for ; rest != ""; parts++ {
		if parts > 0 && rest[0] == '(' {
			break
		}
		number, after, ok := cutNumber(rest)
		if !ok {
			return 0, fmt.Errorf("%q: %w", text, schema.ErrNoDuration)
		}
		word, after := cutWord(strings.TrimLeft(after, " \u00a0"))
		of := unit
		if word == "" && after != "" && after[0] == '(' {
			note, _, closed := strings.Cut(after[1:], ")")
			if u, ok := l.unitNote(note); closed && ok {
				of, word = u, note
			}
		} else if word != "" {
			u, ok := l.UnitOf(word)
			if !ok {
				return 0, fmt.Errorf("%q: %w: unknown unit %q", text, schema.ErrNoDuration, word)
			}
			of = u
		}
		if of <= 0 || word == "" && parts > 0 {
			if of == Percent || word == "" && after != "" && after[0] != '(' {
				return 0, fmt.Errorf("%q: %w", text, schema.ErrNoDuration)
			}
			return 0, fmt.Errorf("%q: %w", text, schema.ErrNoUnit)
		}
		d, err := schema.DurationIn(number, time.Duration(of))
		if err == nil && total > math.MaxInt64-d {
			err = schema.ErrTooLong
		}
		if err != nil {
			return 0, fmt.Errorf("%q: %w", text, err)
		}
		total += d
		rest = strings.TrimLeft(after, " \u00a0")
	}
	if parts == 0 {
		return 0, fmt.Errorf("%q: %w", text, schema.ErrNoDuration)
	}
	return total, nil
}

// cutNumber takes a decimal number off the front; commas may group thousands.
func cutNumber(s string) (number, rest string, ok bool) {
	n, dot, commas := 0, false, false
	for n < len(s) {
		c := s[n]
		switch {
		case c >= '0' && c <= '9':
		case c == '.' && !dot && n > 0 && n+1 < len(s) && isDigit(s[n+1]):
			dot = true
		case c == ',' && !dot && n > 0 && groupOfThree(s[n+1:]):
			commas = true
		default:
			c = 0
		}
		if c == 0 {
			break
		}
		n++
	}
	if n == 0 {
		return "", s, false
	}
	number = s[:n]
	if commas {
		number = strings.ReplaceAll(number, ",", "")
	}
	return number, s[n:], true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func groupOfThree(s string) bool {
	return len(s) >= 3 && isDigit(s[0]) && isDigit(s[1]) && isDigit(s[2]) && (len(s) == 3 || !isDigit(s[3]))
}

// cutWord takes the letters off the front; CJK letters and Latin ones count alike.
func cutWord(s string) (word, rest string) {
	n := 0
	for n < len(s) {
		r, size := rune(s[n]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[n:])
		}
		if !unicode.IsLetter(r) && r != '%' || r == utf8.RuneError {
			break
		}
		n += size
	}
	return s[:n], s[n:]
}

// Errors that Count and Share tell apart from plain nonsense.
var (
	ErrNoNumber = errors.New("not a number")
	ErrHasUnit  = errors.New("a number with a unit")
)

// Count reads a whole number as documents write it: "3", "1,000", "3 次", "3 times". A note in parentheses behind it
// does not count. The error wraps ErrNoNumber, or ErrHasUnit where the text is a duration or a percentage.
func (l *Lexicon) Count(text string) (int64, error) {
	number, rest, ok := cutNumber(text)
	if ok {
		rest = strings.TrimSpace(rest)
		if i := strings.IndexByte(rest, '('); i >= 0 && strings.HasSuffix(rest, ")") {
			if _, ok := l.unitNote(rest[i+1 : len(rest)-1]); ok {
				return 0, fmt.Errorf("%q: %w", text, ErrHasUnit)
			}
			rest = rest[:i]
		}
		n, err := strconv.ParseInt(strings.TrimSuffix(number, ".0"), 10, 64)
		if err == nil && (rest == "" || l.first(counters, Normal(rest)) != "") {
			return n, nil
		}
		if _, ok := l.UnitOf(strings.TrimSpace(rest)); ok {
			return 0, fmt.Errorf("%q: %w", text, ErrHasUnit)
		}
	}
	return 0, fmt.Errorf("%q: %w", text, ErrNoNumber)
}

// Share reads a percentage or ratio without judging which: "10 %", "10", "0.1". marked reports a percent sign or word.
// A note in parentheses behind it does not count. The error wraps ErrNoNumber or ErrHasUnit.
func (l *Lexicon) Share(text string) (number float64, marked bool, err error) {
	digits, rest, ok := cutNumber(text)
	if !ok {
		return 0, false, fmt.Errorf("%q: %w", text, ErrNoNumber)
	}
	word, rest := cutWord(strings.TrimLeft(rest, " \u00a0"))
	if word != "" {
		u, ok := l.UnitOf(word)
		switch {
		case !ok:
			return 0, false, fmt.Errorf("%q: %w", text, ErrNoNumber)
		case u != Percent:
			return 0, false, fmt.Errorf("%q: %w", text, ErrHasUnit)
		}
		marked = true
	}
	if rest = strings.TrimSpace(rest); rest != "" && rest[0] != '(' {
		return 0, false, fmt.Errorf("%q: %w", text, ErrNoNumber)
	}
	if number, err = strconv.ParseFloat(digits, 64); err != nil {
		return 0, false, fmt.Errorf("%q: %w", text, ErrNoNumber)
	}
	return number, marked, nil
}
