// Package bind turns scalars of files into values of a copy: it resolves placeholders, refuses what readers type
// differently, reads units, and words what is wrong. A value that it refuses counts as unresolved, so that one mistake
// yields one finding.
package bind

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

// Scalar is a text of a file and where it stands.
type Scalar struct {
	Text string
	At   schema.Span
	// Quoted: no reader would take the text for a number or boolean.
	Quoted bool
	node   *data.Node
}

// Of returns the scalar of a node; ok is false for nil, null, mappings and lists.
func Of(n *data.Node) (s Scalar, ok bool) {
	if !n.Scalar() || n.Kind == data.Null {
		return Scalar{}, false
	}
	return Scalar{Text: n.Text, At: n.Place(), Quoted: n.Style != data.Plain, node: n}, true
}

// Binder fills one copy.
type Binder struct {
	Copy   *schema.Copy
	Vars   map[string]string
	Syntax Syntax
}

// Duration parsers return an error that wraps schema.ErrNoUnit for a bare number and schema.ErrNoDuration otherwise.
type DurationParser func(text string) (time.Duration, error)

// BareUnit returns a parser for formats whose bare numbers have a fixed unit and which also take the native units.
func BareUnit(unit time.Duration) DurationParser {
	return func(text string) (time.Duration, error) {
		if d, err := schema.DurationIn(text, unit); err == nil {
			return d, nil
		}
		return schema.ParseDuration(text)
	}
}

// OnlyUnit returns a parser for numbers that are always in one unit and may not name one ("interval_ms: 500").
func OnlyUnit(unit time.Duration) DurationParser {
	return func(text string) (time.Duration, error) { return schema.DurationIn(text, unit) }
}

// Resolve returns the scalar's text with placeholders filled in and full-width forms folded. ok is false where the
// value stays unknown; that is then recorded under path.
func (b *Binder) Resolve(p schema.Path, s Scalar) (text string, ok bool) {
	text, ok = Expand(s.Text, b.Vars, b.Syntax)
	if !ok {
		b.Copy.Unresolve(p, s.Text, s.At)
		return "", false
	}
	text, wide := schema.Fold(text)
	if wide {
		b.Copy.Report(schema.Problem{
			Rule: "source/scalar-hazard", Severity: schema.Warning, At: s.At, Item: p.Item(), Field: p.Leaf(), Got: s.Text, Want: text,
			Text: schema.Textf("%q is written with full-width characters; read as %q", "%q 含全角字符；按 %q 读取", s.Text, text),
			Hint: schema.Textf("write it as %s", "请写成 %s", text),
		})
	}
	return strings.TrimSpace(text), true
}

// Duration binds a length of time. It reports whether a value was set.
func (b *Binder) Duration(p schema.Path, s Scalar, parse DurationParser) bool {
	text, ok := b.Resolve(p, s)
	if !ok || b.hazard(p, s) {
		return false
	}
	d, err := parse(text)
	switch {
	case errors.Is(err, schema.ErrNoUnit) || err != nil && isNumber(text) && text[0] != '-': // no length of time is negative
		b.Refuse(p, s, "schema/unit", schema.Textf("%s: %q has no unit", "%s：%q 没有单位", p, s.Text),
			schema.Textf("write the unit: %ss, %sms, ...", "写明单位：%ss、%sms 等", text, text))
		return false
	case err != nil:
		b.Refuse(p, s, "schema/invalid", schema.Textf("%s: %q is no duration", "%s：%q 不是时长", p, s.Text),
			schema.Textf("a duration is a number with a unit: 500ms, 2s, 1m30s", "时长由数字和单位组成：500ms、2s、1m30s"))
		return false
	}
	b.Copy.Set(p, schema.DurationOf(d), s.At)
	return true
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// Int binds a whole number between lo and hi.
func (b *Binder) Int(p schema.Path, s Scalar, lo, hi int64) bool {
	n, ok := b.IntValue(p, s, lo, hi)
	if ok {
		b.Copy.Set(p, schema.IntOf(n), s.At)
	}
	return ok
}

// IntValue reads a whole number between lo and hi without setting it: member weights, ports.
func (b *Binder) IntValue(p schema.Path, s Scalar, lo, hi int64) (int64, bool) {
	text, ok := b.Resolve(p, s)
	if !ok || b.hazard(p, s) {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		if f, ferr := strconv.ParseFloat(text, 64); ferr == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53 && strings.Contains(text, ".") {
			n, err = int64(f), nil
		}
	}
	if err != nil {
		if _, derr := schema.ParseDuration(text); derr == nil {
			b.Refuse(p, s, "schema/unit", schema.Textf("%s: %q is a number of times, not a duration", "%s：%q 应为次数，不是时长", p, s.Text),
				schema.Textf("drop the unit", "去掉单位"))
		} else {
			b.Refuse(p, s, "schema/invalid", schema.Textf("%s: %q is no whole number", "%s：%q 不是整数", p, s.Text), schema.Text{})
		}
		return 0, false
	}
	if n < lo || n > hi {
		b.Refuse(p, s, "schema/invalid", rangeText(p, s.Text, strconv.FormatInt(lo, 10), bound(hi)), schema.Text{})
		return 0, false
	}
	return n, true
}

func bound(hi int64) string {
	if hi == math.MaxInt64 {
		return ""
	}
	return strconv.FormatInt(hi, 10)
}

func rangeText(p schema.Path, got, lo, hi string) schema.Text {
	if hi == "" {
		return schema.Textf("%s: %s is below %s", "%s：%s 小于 %s", p, got, lo)
	}
	return schema.Textf("%s: %s is not between %s and %s", "%s：%s 不在 %s 与 %s 之间", p, got, lo, hi)
}

// Number binds a number between lo and hi, divided by scale (100 where a format writes ratios as percent). A trailing
// % is accepted and divides by 100 where scale is 1 and hi is 1.
func (b *Binder) Number(p schema.Path, s Scalar, lo, hi, scale float64) bool {
	text, ok := b.Resolve(p, s)
	if !ok || b.hazard(p, s) {
		return false
	}
	text, percent := strings.CutSuffix(text, "%")
	f, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		b.Refuse(p, s, "schema/invalid", schema.Textf("%s: %q is no number", "%s：%q 不是数字", p, s.Text), schema.Text{})
		return false
	}
	if percent && scale == 1 && hi == 1 {
		scale = 100
	}
	if f /= scale; f < lo || f > hi {
		b.Refuse(p, s, "schema/invalid", rangeText(p, s.Text, formatFloat(lo*scale), formatFloat(hi*scale)), schema.Text{})
		return false
	}
	b.Copy.Set(p, schema.NumberOf(f), s.At)
	return true
}

func formatFloat(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// Text binds a text; where the model has an enumeration, other texts are refused.
func (b *Binder) Text(p schema.Path, s Scalar) bool {
	text, ok := b.Resolve(p, s)
	if !ok {
		return false
	}
	if e, ok := schema.EntryOf(p); ok && e.Enum != nil && !slices.Contains(e.Enum, text) {
		b.Refuse(p, s, "schema/invalid", schema.Textf("%s: %q is none of %s", "%s：%q 不在 %s 之中", p, s.Text, strings.Join(e.Enum, ", ")), schema.Text{})
		return false
	}
	b.Copy.Set(p, schema.TextOf(text), s.At)
	return true
}

// Bool binds true or false.
func (b *Binder) Bool(p schema.Path, s Scalar) bool {
	v, ok := b.BoolValue(p, s)
	if ok {
		b.Copy.Set(p, schema.BoolOf(v), s.At)
	}
	return ok
}

// BoolValue reads true or false without setting it.
func (b *Binder) BoolValue(p schema.Path, s Scalar) (value, ok bool) {
	text, ok := b.Resolve(p, s)
	if !ok || b.hazard(p, s) {
		return false, false
	}
	switch strings.ToLower(text) {
	case "true":
		return true, true
	case "false":
		return false, true
	}
	b.Refuse(p, s, "schema/invalid", schema.Textf("%s: %q is neither true nor false", "%s：%q 既非 true 也非 false", p, s.Text), schema.Text{})
	return false, false
}

// List binds texts, which stand at at.
func (b *Binder) List(p schema.Path, items []string, at schema.Span) {
	b.Copy.Set(p, schema.ListOf(items...), at)
}

// hazard refuses plain scalars that YAML readers type differently.
func (b *Binder) hazard(p schema.Path, s Scalar) bool {
	if s.node == nil {
		return false
	}
	problem, bad := data.Hazard(s.node)
	if !bad {
		return false
	}
	problem.At, problem.Item, problem.Field = s.At, p.Item(), p.Leaf()
	b.Copy.Report(problem)
	if problem.Severity == schema.Warning {
		return false
	}
	b.quiet(p, s)
	return true
}

// Refuse reports a value and counts it as unresolved, so that nothing is compared with it.
func (b *Binder) Refuse(p schema.Path, s Scalar, rule string, text, hint schema.Text) {
	b.Copy.Report(schema.Problem{Rule: rule, At: s.At, Item: p.Item(), Field: p.Leaf(), Text: text, Hint: hint, Got: s.Text})
	b.quiet(p, s)
}

func (b *Binder) quiet(p schema.Path, s Scalar) {
	b.Copy.Unresolved = append(b.Copy.Unresolved, schema.Unresolved{Path: p, Raw: s.Text, At: s.At, Quiet: true})
	if i := p.Item(); i != schema.NoItem {
		b.Copy.Touch(i, s.At)
	}
}
