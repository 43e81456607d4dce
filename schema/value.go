package schema

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Kind is the type of a Value.
type Kind uint8

// The kinds of values. None is "not said".
const (
	None Kind = iota
	TextKind
	Bool
	Int
	Number
	Duration
	List
)

// Value is one setting in normal form: comparable with ==, small, and without its spelling. The zero Value means
// "not said", which is neither zero nor a default.
type Value struct {
	kind Kind
	num  uint64
	text string
}

const listSep = "\x1f"

// TextOf returns a text value.
func TextOf(s string) Value { return Value{kind: TextKind, text: s} }

// BoolOf returns a boolean value.
func BoolOf(b bool) Value {
	v := Value{kind: Bool}
	if b {
		v.num = 1
	}
	return v
}

// IntOf returns a whole number.
func IntOf(i int64) Value { return Value{kind: Int, num: uint64(i)} }

// NumberOf returns a number that may have a fraction: a ratio from 0 to 1, a share in percent, a factor.
func NumberOf(f float64) Value {
	if f == 0 {
		f = 0 // -0 and 0 are one value
	}
	return Value{kind: Number, num: math.Float64bits(f)}
}

// DurationOf returns a length of time.
func DurationOf(d time.Duration) Value { return Value{kind: Duration, num: uint64(d)} }

// ListOf returns a list of texts. The order is kept; callers sort where it carries no meaning.
func ListOf(items ...string) Value { return Value{kind: List, text: strings.Join(items, listSep)} }

// Kind returns the value's type.
func (v Value) Kind() Kind { return v.kind }

// Said reports whether the value was stated at all.
func (v Value) Said() bool { return v.kind != None }

// Text returns the text of a text value.
func (v Value) Text() string {
	if v.kind == TextKind {
		return v.text
	}
	return ""
}

// Bool returns a boolean value, false for every other kind.
func (v Value) Bool() bool { return v.kind == Bool && v.num == 1 }

// Int returns a whole number, or 0.
func (v Value) Int() int64 {
	if v.kind == Int {
		return int64(v.num)
	}
	return 0
}

// Number returns a number of either numeric kind as a float, or 0.
func (v Value) Number() float64 {
	switch v.kind {
	case Number:
		return math.Float64frombits(v.num)
	case Int:
		return float64(int64(v.num))
	}
	return 0
}

// Duration returns a length of time, or 0.
func (v Value) Duration() time.Duration {
	if v.kind == Duration {
		return time.Duration(v.num)
	}
	return 0
}

// List returns the entries of a list value.
func (v Value) List() []string {
	if v.kind != List || v.text == "" {
		return nil
	}
	return strings.Split(v.text, listSep)
}

// String returns the value in normal form, as reports show it.
func (v Value) String() string {
	switch v.kind {
	case TextKind:
		return v.text
	case Bool:
		return strconv.FormatBool(v.num == 1)
	case Int:
		return strconv.FormatInt(int64(v.num), 10)
	case Number:
		return strconv.FormatFloat(math.Float64frombits(v.num), 'f', -1, 64)
	case Duration:
		return FormatDuration(time.Duration(v.num))
	case List:
		return "[" + strings.ReplaceAll(v.text, listSep, ", ") + "]"
	}
	return ""
}

// JSON returns the value as encoding/json and the canonical digest form want it: durations as text in normal form,
// lists as arrays.
func (v Value) JSON() any {
	switch v.kind {
	case Bool:
		return v.num == 1
	case Int:
		return int64(v.num)
	case Number:
		return math.Float64frombits(v.num)
	case TextKind, Duration:
		return v.String()
	case List:
		if items := v.List(); items != nil {
			return items
		}
		return []string{}
	}
	return nil
}

// Map returns the value with its text, if it has one, passed through f.
func (v Value) Map(f func(string) string) Value {
	if v.text != "" {
		v.text = f(v.text)
	}
	return v
}

// Raw returns what a value is made of, for storing it: its kind, its bits, and its text. FromRaw puts it together again.
func (v Value) Raw() (kind Kind, bits uint64, text string) { return v.kind, v.num, v.text }

// FromRaw returns the value that Raw took apart. ok is false, and the value says nothing, where no constructor gives
// such a value.
func FromRaw(kind Kind, bits uint64, text string) (v Value, ok bool) {
	textual := kind == TextKind || kind == List
	switch {
	case kind > List, textual && bits != 0, !textual && text != "", kind == None && bits != 0, kind == Bool && bits > 1:
		return Value{}, false
	case kind == Number:
		return NumberOf(math.Float64frombits(bits)), true
	}
	return Value{kind: kind, num: bits, text: text}, true
}
