package schema

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
)

// Errors that ParseDuration tells apart, so that callers can word them: a number without a unit is another mistake
// than a text that is no duration.
var (
	ErrNoUnit     = errors.New("a number without a unit")
	ErrNoDuration = errors.New("not a duration")
	ErrTooLong    = errors.New("longer than 292 years")
)

// FormatDuration returns the shortest form that time.ParseDuration reads: 500ms, 2s, 1m30s, 1h.
func FormatDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = s[:len(s)-2]
		if strings.HasSuffix(s, "h0m") {
			s = s[:len(s)-2]
		}
	}
	return s
}

var units = map[string]time.Duration{
	"ns": time.Nanosecond, "us": time.Microsecond, "µs": time.Microsecond, "μs": time.Microsecond, "ms": time.Millisecond,
	"s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour,
}

// UnitOf returns the length of a unit in the native grammar (ns us µs ms s m h d).
func UnitOf(name string) (time.Duration, bool) {
	d, ok := units[name]
	return d, ok
}

// ParseDuration reads a duration in the native grammar: one or more numbers, each with a unit of ns, us, µs, ms, s, m,
// h or d ("2s", "1m30s", "1d"). Signs and spaces are refused. The error wraps ErrNoUnit, ErrNoDuration or ErrTooLong.
func ParseDuration(s string) (time.Duration, error) {
	if s == "" {
		return 0, fmt.Errorf("%q: %w", s, ErrNoDuration)
	}
	var total float64
	var exact int64
	rest := s
	for rest != "" {
		n := 0
		dot := false
		for n < len(rest) && (rest[n] >= '0' && rest[n] <= '9' || rest[n] == '.' && !dot && n > 0) {
			dot = dot || rest[n] == '.'
			n++
		}
		if n == 0 || rest[n-1] == '.' {
			return 0, fmt.Errorf("%q: %w", s, ErrNoDuration)
		}
		number := rest[:n]
		rest = rest[n:]
		u := 0
		for u < len(rest) && (rest[u] < '0' || rest[u] > '9') && rest[u] != '.' {
			u++
		}
		if u == 0 {
			return 0, fmt.Errorf("%q: %w", s, ErrNoUnit)
		}
		unit, ok := units[rest[:u]]
		if !ok {
			return 0, fmt.Errorf("%q: %w: unknown unit %q", s, ErrNoDuration, rest[:u])
		}
		rest = rest[u:]
		d, err := scale(number, unit)
		if err != nil {
			return 0, fmt.Errorf("%q: %w", s, err)
		}
		exact += d
		if total += float64(d); total > math.MaxInt64 {
			return 0, fmt.Errorf("%q: %w", s, ErrTooLong)
		}
	}
	return time.Duration(exact), nil
}

// scale multiplies a decimal number (digits, at most one dot) by a unit without going through a float, so that 0.1s is
// exactly 100ms.
func scale(number string, unit time.Duration) (int64, error) {
	whole, frac, _ := strings.Cut(number, ".")
	var w uint64
	for i := range len(whole) {
		w = w*10 + uint64(whole[i]-'0')
		if w > math.MaxInt64/uint64(unit) {
			return 0, ErrTooLong
		}
	}
	f, base := 0.0, 1.0
	for i := range min(len(frac), 18) {
		f = f*10 + float64(frac[i]-'0')
		base *= 10
	}
	return int64(w)*int64(unit) + int64(math.Round(f*float64(unit)/base)), nil
}

// DurationIn reads a number without a unit ("1500", "0.25") as that many units.
func DurationIn(number string, unit time.Duration) (time.Duration, error) {
	if number == "" || strings.Trim(number, "0123456789.") != "" || strings.Count(number, ".") > 1 || number[0] == '.' {
		return 0, fmt.Errorf("%q: %w", number, ErrNoDuration)
	}
	d, err := scale(number, unit)
	return time.Duration(d), err
}
