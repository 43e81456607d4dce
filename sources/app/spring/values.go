package spring

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
)

// placeholders are the marks of Spring files: ${name:default}, @name@ of Maven filters, and templates that render them.
const placeholders = bind.Dollar | bind.ColonDefault | bind.Braces | bind.At

// binder fills one copy as Spring converts values.
type binder struct {
	bind.Binder
	r *reader
}

func (r *reader) binder(c *schema.Copy) *binder {
	return &binder{bind.Binder{Copy: c, Vars: r.in.Vars, Syntax: placeholders}, r}
}

// resolve fills in placeholders: from the manifest's vars, else from the application's own properties, else by their
// default. hazard says that YAML readers must agree on the scalar's type.
func (b *binder) resolve(p schema.Path, s bind.Scalar, node *data.Node, hazard bool) (string, bool) {
	b.Vars = b.r.vars(s.Text)
	text, ok := b.Resolve(p, s)
	if !ok || !hazard || node == nil {
		return text, ok
	}
	problem, bad := data.Hazard(node)
	if !bad {
		return text, true
	}
	problem.At, problem.Item, problem.Field = s.At, p.Item(), p.Leaf()
	b.Copy.Report(problem)
	if problem.Severity == schema.Warning {
		return text, true
	}
	b.Copy.Unresolved = append(b.Copy.Unresolved, schema.Unresolved{Path: p, Raw: s.Text, At: s.At, Quiet: true})
	if i := p.Item(); i != schema.NoItem && i != schema.Members {
		b.Copy.Touch(i, s.At)
	}
	return "", false
}

// refuse reports a value that the program does not take.
func (b *binder) refuse(p schema.Path, s bind.Scalar, program, key, want, wantZh string) {
	b.Refuse(p, s, "schema/invalid", schema.Text{
		En: fmt.Sprintf("%s refuses %s: %q: %s", program, key, s.Text, want),
		Zh: fmt.Sprintf("%s 拒绝 %s：%q：%s", program, key, s.Text, wantZh),
	}, schema.Text{})
}

var simple = regexp.MustCompile(`^([+-]?)([0-9]+)([a-zA-Z]{0,2})$`)

// parseDuration reads a duration as Spring Boot does: a whole number, with a sign if need be, with at most one unit (ns,
// us, ms, s, m, h, d in any case; milliseconds without), or ISO-8601.
func parseDuration(text string) (time.Duration, error) {
	if bind.IsISO(text) {
		return bind.ISODuration(text)
	}
	m := simple.FindStringSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("%q: %w", text, schema.ErrNoDuration)
	}
	unit := time.Millisecond
	if m[3] != "" {
		var ok bool
		if unit, ok = schema.UnitOf(strings.ToLower(m[3])); !ok {
			return 0, fmt.Errorf("%q: %w", text, schema.ErrNoDuration)
		}
	}
	d, err := schema.DurationIn(m[2], unit)
	if m[1] == "-" {
		d = -d
	}
	return d, err
}

// duration reads a duration of at least least.
func (b *binder) duration(p schema.Path, v *prop, program, key string, least time.Duration) (time.Duration, bool) {
	s, ok := v.scalar()
	if !ok {
		return 0, false
	}
	text, ok := b.resolve(p, s, v.node, true)
	if !ok || text == "" {
		return 0, false
	}
	d, err := parseDuration(text)
	switch {
	case err != nil:
		b.Refuse(p, s, "schema/invalid", schema.Textf("%s: Spring Boot reads no duration from %q", "%s：Spring Boot 无法把 %q 读作时长", key, s.Text),
			schema.Textf("write one whole number with one unit, 500ms or 90s, or ISO-8601, PT1M30S; a bare number is milliseconds", "写一个整数加一个单位（500ms、90s），或 ISO-8601（PT1M30S）；不带单位的数字是毫秒"))
		return 0, false
	case d < least:
		b.refuse(p, s, program, key, "it is below "+schema.FormatDuration(least), "小于 "+schema.FormatDuration(least))
		return 0, false
	}
	return d, true
}

// integer reads a whole number between lo and hi.
func (b *binder) integer(p schema.Path, v *prop, program, key string, lo, hi int64) (int64, bool) {
	s, ok := v.scalar()
	if !ok {
		return 0, false
	}
	text, ok := b.resolve(p, s, v.node, true)
	if !ok || text == "" {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		if d, derr := parseDuration(text); derr == nil && d != 0 {
			b.Refuse(p, s, "schema/unit", schema.Textf("%s: %q has a unit, where a plain whole number stands", "%s：%q 带有单位，这里应为整数", key, s.Text), schema.Textf("drop the unit", "去掉单位"))
			return 0, false
		}
		b.refuse(p, s, program, key, "it is no whole number", "不是整数")
		return 0, false
	}
	switch {
	case n < lo:
		b.refuse(p, s, program, key, fmt.Sprintf("it is below %d", lo), fmt.Sprintf("小于 %d", lo))
		return 0, false
	case n > hi:
		b.refuse(p, s, program, key, fmt.Sprintf("it is above %d", hi), fmt.Sprintf("大于 %d", hi))
		return 0, false
	}
	return n, true
}

// number reads a number between lo and hi.
func (b *binder) number(p schema.Path, v *prop, program, key string, lo, hi float64) (float64, bool) {
	s, ok := v.scalar()
	if !ok {
		return 0, false
	}
	text, ok := b.resolve(p, s, v.node, true)
	if !ok || text == "" {
		return 0, false
	}
	if bare, percent := strings.CutSuffix(text, "%"); percent {
		b.Refuse(p, s, "schema/unit", schema.Textf("%s: %q has a unit, where a plain number stands", "%s：%q 带有单位，这里应为数字", key, s.Text), schema.Textf("write %s", "请写 %s", strings.TrimSpace(bare)))
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || math.IsNaN(f) || math.IsInf(f, 0):
		b.refuse(p, s, program, key, "it is no number", "不是数字")
		return 0, false
	case f < lo || f > hi:
		low, high := trim(lo), trim(hi)
		if hi == math.MaxFloat64 {
			b.refuse(p, s, program, key, "it is below "+low, "小于 "+low)
		} else {
			b.refuse(p, s, program, key, fmt.Sprintf("it is not between %s and %s", low, high), fmt.Sprintf("不在 %s 与 %s 之间", low, high))
		}
		return 0, false
	}
	return f, true
}

func trim(f float64) string { return strconv.FormatFloat(f, 'g', 6, 64) }

// boolean reads true or false in the words that Spring takes.
func (b *binder) boolean(p schema.Path, v *prop, program, key string) (value, ok bool) {
	s, ok := v.scalar()
	if !ok {
		return false, false
	}
	_, model := schema.EntryOf(p) // elsewhere only Spring reads it, and there is no doubt how
	text, ok := b.resolve(p, s, v.node, model)
	if !ok || text == "" {
		return false, false
	}
	switch strings.ToLower(text) {
	case "true", "on", "yes", "1":
		return true, true
	case "false", "off", "no", "0":
		return false, true
	}
	b.refuse(p, s, program, key, "it is neither true nor false", "既非 true 也非 false")
	return false, false
}

// text reads a text.
func (b *binder) text(p schema.Path, v *prop) (string, bool) {
	s, ok := v.scalar()
	if !ok {
		return "", false
	}
	text, ok := b.resolve(p, s, v.node, false)
	return text, ok && text != ""
}
