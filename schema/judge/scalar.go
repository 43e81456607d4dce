package judge

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/poolproof/poolproof/schema/judge/internal/table"
)

// verdict is what the table says about a scalar.
type verdict uint8

const (
	accepted verdict = iota
	// unknown: the table cannot tell, CUE can.
	unknown
	// wrongForm: the kind is right, the value is not.
	wrongForm
	wrongKind
)

// scalar judges a scalar of kind k.
func scalar(tab *table.Table, t *table.Type, k Kind, text string) verdict {
	if t.Alts != nil {
		best := wrongKind
		for _, i := range t.Alts {
			v := scalar(tab, &tab.Types[i], k, text)
			if v == accepted {
				return v
			}
			best = min(best, v)
		}
		return best
	}
	switch {
	case t.Has(table.Opaque):
		return unknown
	case t.Kinds&(1<<k) == 0:
		return wrongKind
	case k == Int || k == Float:
		return number(t, text)
	case k == String:
		return textOf(t, text)
	}
	return accepted
}

func textOf(t *table.Type, s string) verdict {
	ok := (t.Enum == nil || slices.Contains(t.Enum, s)) && (t.Pattern == table.NoPattern || matches(t.Pattern, s)) && !slices.Contains(t.Not, s)
	if ok && (t.MinRunes > 0 && len(s) < t.MinRunes*utf8.UTFMax || t.MaxRunes > 0 && len(s) > t.MaxRunes) {
		n := utf8.RuneCountInString(s)
		ok = n >= t.MinRunes && (t.MaxRunes == 0 || n <= t.MaxRunes)
	}
	if ok {
		return accepted
	}
	return wrongForm
}

const bounds = table.HasMin | table.HasMax

func number(t *table.Type, s string) verdict {
	if t.Flags&bounds == 0 {
		if notFinite(s) {
			return wrongForm
		}
		return accepted
	}
	n, exact := decimal(s)
	if !exact {
		if notFinite(s) {
			return wrongForm
		}
		return unknown
	}
	if t.Has(table.HasMin) && (n < t.Min || n == t.Min && t.Has(table.MinExclusive)) ||
		t.Has(table.HasMax) && (n > t.Max || n == t.Max && t.Has(table.MaxExclusive)) {
		return wrongForm
	}
	return accepted
}

// maxDigits is how many significant digits keep two decimals apart as floats.
const maxDigits = 15

// decimal reads a plain decimal number. exact is false for what a float could round across a bound, and for other
// spellings (exponents, hexadecimal): CUE compares those.
func decimal(s string) (n float64, exact bool) {
	digits, rest := s, s
	if rest != "" && (rest[0] == '-' || rest[0] == '+') {
		digits, rest = rest[1:], rest[1:]
	}
	if len(digits) <= maxDigits {
		whole := int64(0)
		for i := 0; i < len(digits); i++ {
			if digits[i] < '0' || digits[i] > '9' {
				return fraction(s)
			}
			whole = whole*10 + int64(digits[i]-'0')
		}
		if s != digits && s[0] == '-' {
			whole = -whole
		}
		return float64(whole), digits != ""
	}
	return 0, false
}

func fraction(s string) (float64, bool) {
	if strings.Trim(s, "+-0123456789.") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil
}

// notFinite recognises the infinities and not-a-number of YAML and TOML, which CUE has no form for.
func notFinite(s string) bool {
	s = strings.TrimLeft(s, "+-.")
	return len(s) == 3 && (strings.EqualFold(s, "inf") || strings.EqualFold(s, "nan"))
}
