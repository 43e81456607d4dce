package section

import (
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/doc/vocabulary"
)

// parameter reads a value of the model. unit is that of a bare number, as the name, the header or a column says it.
func (d *draft) parameter(entry schema.Entry, item schema.Item, c Cell, unit vocabulary.Unit) {
	p := entry.Path
	at := place{path: p}
	text, ok := d.said(at, c)
	if ok || !d.lex.Nothing(c.Text) {
		d.stated(item)
	}
	if !ok {
		return
	}
	switch entry.Kind {
	case schema.Duration:
		d.duration(at, c, text, unit)
	case schema.Int:
		d.whole(p, c, text)
	case schema.Number:
		d.number(p, c, text, unit)
	case schema.Bool:
		if yes, known := d.lex.Flag(text); known {
			d.set(p, schema.BoolOf(yes), c.At)
		} else {
			d.refuse(at, c, "schema/invalid", schema.Textf("%s: %q is neither yes nor no", "%s：%q 既非是也非否", p, c.Text), schema.Text{})
		}
	case schema.List:
		d.set(p, schema.ListOf(splitList(text)...), c.At)
	default:
		d.text(p, entry, c, text)
	}
}

func (d *draft) duration(p place, c Cell, text string, unit vocabulary.Unit) {
	v, err := d.lex.Duration(text, unit)
	switch {
	case err == nil:
		d.set(p.Path(), schema.DurationOf(v), c.At)
	case errors.Is(err, schema.ErrNoUnit):
		d.refuse(p, c, "schema/unit", schema.Textf("%s: %q has no unit", "%s：%q 没有单位", p.Path(), c.Text),
			schema.Textf("write the unit in the cell (%s s, %s ms), in the name or in the header", "在单元格（%s 秒、%s 毫秒）、参数名或表头中写明单位", text, text))
	default:
		d.refuse(p, c, "schema/invalid", schema.Textf("%s: %q is no duration", "%s：%q 不是时长", p.Path(), c.Text),
			schema.Textf("a duration is a number with a unit: 500 ms, 2 s, 1m30s", "时长由数字和单位组成：500 毫秒、2 秒、1m30s"))
	}
}

// whole reads a whole number; counts start at 1, attempts at 0, ports end at 65535.
func (d *draft) whole(p schema.Path, c Cell, text string) {
	n, err := d.lex.Count(text)
	if err != nil {
		d.notACount(place{path: p}, c, err)
		return
	}
	lo, hi := int64(1), int64(math.MaxInt64)
	switch p {
	case "retry.attempts":
		lo = 0
	case "probe.port":
		hi = 65535
	}
	switch {
	case n < lo:
		d.refuse(place{path: p}, c, "schema/invalid", schema.Textf("%s: %d is below %d", "%s：%d 小于 %d", p, n, lo), schema.Text{})
	case n > hi:
		d.refuse(place{path: p}, c, "schema/invalid", schema.Textf("%s: %d is above %d", "%s：%d 大于 %d", p, n, hi), schema.Text{})
	default:
		d.set(p, schema.IntOf(n), c.At)
	}
}

// notACount words why a cell is no whole number.
func (d *draft) notACount(p place, c Cell, err error) {
	if errors.Is(err, vocabulary.ErrHasUnit) {
		d.refuse(p, c, "schema/unit", schema.Textf("%s: %q has a unit where a plain number stands", "%s：%q 带有单位，此处应为纯数字", p.Path(), c.Text),
			schema.Textf("drop the unit", "去掉单位"))
		return
	}
	d.refuse(p, c, "schema/invalid", schema.Textf("%s: %q is no whole number", "%s：%q 不是整数", p.Path(), c.Text), schema.Text{})
}

// number reads a ratio, a share or a factor.
func (d *draft) number(p schema.Path, c Cell, text string, unit vocabulary.Unit) {
	lo, hi := 0.0, 1.0
	switch p {
	case "cooldown.growth.factor":
		lo, hi = 1, math.MaxFloat64
		text = strings.Trim(text, "x×* ")
	case "onAllOut.panicBelow":
		hi = 100
	}
	f, marked, err := d.lex.Share(text)
	if err != nil {
		if errors.Is(err, vocabulary.ErrHasUnit) {
			d.notACount(place{path: p}, c, err)
		} else {
			d.refuse(place{path: p}, c, "schema/invalid", schema.Textf("%s: %q is no number", "%s：%q 不是数字", p, c.Text), schema.Text{})
		}
		return
	}
	if (marked || unit == vocabulary.Percent) && hi <= 1 {
		f /= 100
	}
	if f < lo || f > hi {
		d.refuse(place{path: p}, c, "schema/invalid", schema.Textf("%s: %s is out of range", "%s：%s 超出范围", p, c.Text),
			schema.Textf("a ratio lies between 0 and 1, or 0 %% and 100 %%", "比例在 0 与 1 之间，或 0 %% 与 100 %% 之间"))
		return
	}
	d.set(p, schema.NumberOf(f), c.At)
}

// text reads a text. Values of an enumeration may be written in words of the vocabulary.
func (d *draft) text(p schema.Path, entry schema.Entry, c Cell, text string) {
	if entry.Enum != nil {
		if v, ok := d.lex.Value(text, entry.Enum); ok {
			d.set(p, schema.TextOf(v), c.At)
			return
		}
		d.refuse(place{path: p}, c, "schema/invalid", schema.Textf("%s: %q is none of %s", "%s：%q 不在 %s 之中", p, c.Text, strings.Join(entry.Enum, ", ")), schema.Text{})
		return
	}
	switch p {
	case "probe.protocol":
		text = strings.ToLower(text)
	case "probe.method":
		text = strings.ToUpper(text)
	case "probe.host":
		if host, ok := schema.NormalHost(text); ok {
			text = host
		}
	case "probe.executor":
		if v, ok := d.lex.Value(text, []string{"gateway", "app"}); ok {
			text = v
		}
	case "probe.path":
		if method, path, ok := strings.Cut(text, " "); ok && slices.Contains([]string{"GET", "HEAD", "POST", "OPTIONS"}, method) {
			path = strings.TrimSpace(path)
			d.set("probe.method", schema.TextOf(method), within(c, method))
			d.set(p, schema.TextOf(path), within(c, path))
			return
		}
	}
	d.set(p, schema.TextOf(strings.ToValidUTF8(text, "\ufffd")), c.At)
}
