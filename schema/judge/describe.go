package judge

import (
	"slices"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/schema/judge/internal/table"
)

// describer says in words what types accept.
type describer struct{ table *table.Table }

// flat returns the types and, in place of those with alternatives, these.
func (d describer) flat(types []uint16) []*table.Type {
	var out []*table.Type
	for _, ti := range types {
		if ti == noType {
			continue
		}
		if t := &d.table.Types[ti]; t.Alts != nil {
			out = append(out, d.flat(t.Alts)...)
		} else {
			out = append(out, t)
		}
	}
	return out
}

// types describes what one of several types accepts: "a whole number from 1 to 65535, client, or an offset (+1)".
func (d describer) types(types []uint16) schema.Text {
	var en, zh []string
	for _, t := range d.flat(types) {
		for _, e := range t.Enum {
			en, zh = append(en, quoted(e)), append(zh, quoted(e))
		}
		text := d.one(t)
		if text.En != "" && !slices.Contains(en, text.En) {
			en, zh = append(en, text.En), append(zh, text.Zh)
		}
	}
	return schema.Text{En: list(en, ", ", " or "), Zh: list(zh, "、", "或")}
}

func list(parts []string, comma, last string) string {
	if len(parts) == 0 {
		return ""
	}
	n := len(parts) - 1
	if n == 0 {
		return parts[0]
	}
	return strings.Join(parts[:n], comma) + last + parts[n]
}

var patternTexts = [...]schema.Text{
	table.Duration: {En: "a duration (500ms, 2s, 1m30s)", Zh: "时长（500ms、2s、1m30s）"},
	table.Digest:   {En: "a digest (sha256: and 64 hexadecimal digits)", Zh: "摘要（sha256: 加 64 位十六进制数字）"},
	table.Date:     {En: "a day (2026-12-31)", Zh: "日期（2026-12-31）"},
	table.Offset:   {En: "an offset (+1)", Zh: "偏移量（+1）"},
	table.Time:     {En: "a time with its offset (2026-06-01T02:00:00+08:00)", Zh: "带时区的时刻（2026-06-01T02:00:00+08:00）"},
}

func (d describer) one(t *table.Type) schema.Text {
	k := t.Kinds
	switch {
	case t.Has(table.Opaque), t.Enum != nil:
		return schema.Text{}
	case t.Pattern != table.NoPattern:
		return patternTexts[t.Pattern]
	case k == table.Map:
		return schema.Textf("a mapping", "映射")
	case k == table.List:
		if t.Has(table.AnyElem) {
			return schema.Textf("a list", "列表")
		}
		elem := d.types([]uint16{t.Elem})
		return schema.Textf("a list (each entry %[1]s)", "列表（每项为%[2]s）", elem.En, elem.Zh)
	case k == table.Bool:
		return schema.Textf("true or false", "true 或 false")
	case k == table.Int || k == table.Number || k == table.Float:
		return numberText(t)
	case t.MinRunes > 0 || t.MaxRunes > 0:
		return schema.Textf("a text of %d to %d characters", "%d 到 %d 个字符的文本", t.MinRunes, t.MaxRunes)
	case len(t.Not) > 0:
		return schema.Textf("a text that is not empty", "非空文本")
	case k == table.String:
		return schema.Textf("a text", "文本")
	}
	return schema.Text{}
}

func numberText(t *table.Type) schema.Text {
	en, zh := "a number", "数字"
	if t.Kinds == table.Int {
		en, zh = "a whole number", "整数"
	}
	lo, hi := strconv.FormatFloat(t.Min, 'f', -1, 64), strconv.FormatFloat(t.Max, 'f', -1, 64)
	switch {
	case t.Has(table.HasMin | table.HasMax):
		return schema.Text{En: en + " from " + lo + " to " + hi, Zh: lo + " 到 " + hi + " 的" + zh}
	case t.Has(table.HasMin | table.MinExclusive):
		return schema.Text{En: en + " above " + lo, Zh: "大于 " + lo + " 的" + zh}
	case t.Has(table.HasMin):
		return schema.Text{En: en + " of at least " + lo, Zh: "不小于 " + lo + " 的" + zh}
	case t.Has(table.HasMax):
		return schema.Text{En: en + " of at most " + hi, Zh: "不大于 " + hi + " 的" + zh}
	}
	return schema.Text{En: en, Zh: zh}
}

// keys lists the keys that a mapping may have, as far as they have names.
func (d describer) keys(t *table.Type) []string {
	var keys []string
	for _, f := range t.Fields {
		keys = append(keys, f.Name)
	}
	for _, r := range t.Rest {
		for _, k := range d.flat([]uint16{r.Key}) {
			keys = append(keys, k.Enum...)
		}
	}
	return keys
}

// keyList names the keys that a mapping may have, or what they look like.
func (d describer) keyList(t *table.Type) schema.Text {
	if keys := d.keys(t); keys != nil {
		return schema.Text{En: list(keys, ", ", " or "), Zh: list(keys, "、", " 或 ")}
	}
	for _, r := range t.Rest {
		return d.types([]uint16{r.Key})
	}
	return schema.Textf("no keys", "没有键")
}

// kindText names the kind of what stands in a file.
func kindText(k Kind) schema.Text {
	switch k {
	case Null:
		return schema.Textf("nothing", "空值")
	case Bool:
		return schema.Textf("a truth value", "布尔值")
	case Int:
		return schema.Textf("a whole number", "整数")
	case Float:
		return schema.Textf("a number", "数字")
	case Map:
		return schema.Textf("a mapping", "映射")
	case List:
		return schema.Textf("a list", "列表")
	}
	return schema.Textf("a text", "文本")
}
