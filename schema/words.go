package schema

import (
	"fmt"
	"slices"
	"strings"
)

// Side is where a copy of a pool's settings lives.
type Side string

// The sides of a pool. Live is the gateway as it runs, the others are files.
const (
	App     Side = "app"
	Gateway Side = "gateway"
	Doc     Side = "doc"
	Order   Side = "order"
	Live    Side = "live"
)

// Valid reports whether s is a side that a file can have.
func (s Side) Valid() bool {
	return s == App || s == Gateway || s == Doc || s == Order
}

// Item is one of the groups of settings that are reconciled across sides. It is a small number so that copies can
// index arrays by it; the zero Item is none of them.
type Item uint8

// The reconciled items, and the groups that are validated only.
const (
	NoItem Item = iota
	Members
	Probe
	Cooldown
	Ramp
	Decision
	Retry
	OnAllOut
	Items // the number of items, not an item
)

var itemNames = [Items]string{"", "members", "probe", "cooldown", "ramp", "decision", "retry", "onAllOut"}

// Reconciled lists the items that are compared across sides, in the order in which reports show them.
func Reconciled() []Item { return []Item{Members, Probe, Cooldown, Ramp} }

// String returns the item's name as files and reports write it; the zero Item is the empty string.
func (i Item) String() string {
	if i >= Items {
		return fmt.Sprintf("item(%d)", uint8(i))
	}
	return itemNames[i]
}

// MarshalText writes the item's name.
func (i Item) MarshalText() ([]byte, error) { return []byte(i.String()), nil }

// ParseItem returns the item of that name.
func ParseItem(name string) (Item, bool) {
	for i := Members; i < Items; i++ {
		if itemNames[i] == name {
			return i, true
		}
	}
	return NoItem, false
}

// Severity says how much a finding weighs. Its zero value means "not set: the rule's default".
type Severity uint8

// The severities, from the lightest. Off silences a rule.
const (
	DefaultSeverity Severity = iota
	Off
	Info
	Warning
	Error
)

var severityNames = [...]string{"", "off", "info", "warning", "error"}

// String returns the name that manifests and reports use.
func (s Severity) String() string { return severityNames[s] }

// MarshalText writes the severity's name.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *Severity) UnmarshalText(text []byte) error {
	for known := Severity(0); known <= Error; known++ {
		if known.String() == string(text) {
			*s = known
			return nil
		}
	}
	return fmt.Errorf("%q is no severity", text)
}

// ParseSeverity returns the severity of that name.
func ParseSeverity(name string) (Severity, bool) {
	for i := Off; i <= Error; i++ {
		if severityNames[i] == name {
			return i, true
		}
	}
	return DefaultSeverity, false
}

// Text is a sentence in the languages that poolproof speaks. Machine formats always show En; where Zh is empty, En is
// shown in its place.
type Text struct {
	En, Zh string
}

// Textf formats both languages with the same arguments; zh may reorder them with explicit indexes (%[2]s). An argument that
// is a Text is put in in the language of the sentence.
func Textf(en, zh string, args ...any) Text {
	if len(args) == 0 && strings.IndexByte(en, '%') < 0 && strings.IndexByte(zh, '%') < 0 {
		return Text{En: en, Zh: zh} // thousands of findings share one sentence
	}
	if spoken := spokenIn(args, "zh"); spoken != nil {
		return Text{En: fmt.Sprintf(en, spokenIn(args, "en")...), Zh: fmt.Sprintf(zh, spoken...)}
	}
	return Text{En: fmt.Sprintf(en, args...), Zh: fmt.Sprintf(zh, args...)}
}

// spokenIn returns the arguments with texts in one language, nil where none is a text.
func spokenIn(args []any, lang string) (out []any) {
	for i, a := range args {
		t, ok := a.(Text)
		switch {
		case ok && out == nil:
			out = slices.Clone(args)
			out[i] = t.In(lang)
		case ok:
			out[i] = t.In(lang)
		}
	}
	return out
}

// In returns the sentence in the language lang ("en" or "zh").
func (t Text) In(lang string) string {
	if lang == "zh" && t.Zh != "" {
		return t.Zh
	}
	return t.En
}
