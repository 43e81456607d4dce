package report

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// Side names a side in the language lang.
func Side(s schema.Side, lang string) string { return language(lang).side(s) }

// Severity names a severity in the language lang.
func Severity(s schema.Severity, lang string) string { return language(lang).severity(s) }

func (l language) side(s schema.Side) string {
	if l == "zh" {
		switch s {
		case schema.App:
			return "应用"
		case schema.Gateway:
			return "网关"
		case schema.Doc:
			return "文档"
		case schema.Order:
			return "变更单"
		case schema.Live:
			return "运行中"
		}
	}
	return short(string(s))
}

// row is the row of the source-of-truth table that decided. Findings carry it in English, since machines read it there.
func (l language) row(truth string) string {
	if l != "zh" {
		return short(truth)
	}
	row, reason, _ := strings.Cut(truth, " (")
	item, who, ok := strings.Cut(row, ": ")
	if !ok {
		return short(truth)
	}
	for _, word := range []struct{ en, zh string }{
		{"members", "成员"}, {"probe", "探测"}, {"cooldown", "冷却"}, {"ramp", "放量"},
	} {
		if item == word.en {
			item = word.zh
		}
	}
	switch who {
	case "change order":
		who = "变更单"
	case "the executor":
		who = "执行方"
		if named, rest, closed := strings.Cut(reason, ")"); closed {
			who += "（" + l.side(schema.Side(named)) + "）"
			reason = strings.TrimPrefix(rest, " (")
		}
	default:
		who = l.side(schema.Side(who))
	}
	out := item + "：" + who
	if reason = strings.TrimSuffix(reason, ")"); reason != "" {
		out += "（" + reason + "）"
	}
	return short(out)
}

// value is what was found, or should be there. Descriptions in English words, which machines read, are left out for
// Chinese readers: the sentence of the finding and its help say the same.
func (l language) value(f *schema.Finding, v string) string {
	if l == "zh" {
		if f.Rule == "dryrun/failed" {
			return "" // both are sentences
		}
		for _, article := range []string{"a ", "an ", "another ", "one of "} {
			if strings.HasPrefix(v, article) {
				return ""
			}
		}
		if from, to, ok := strings.Cut(v, " to "); ok && startsWithDigit(from) && startsWithDigit(to) && !strings.Contains(from+to, " ") {
			v = from + " 至 " + to
		}
		v = strings.ReplaceAll(v, " instead of ", " 而非 ")
	}
	return short(l.in(schema.Spoken(f.Item, v)))
}

func startsWithDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// owed names what an obligation is about: an item, the effective time of a document, or a copy as a whole.
func (l language) owed(item string) string {
	if l == "zh" {
		for _, word := range []struct{ en, zh string }{
			{"members", "成员"}, {"probe", "探测"}, {"cooldown", "冷却"}, {"ramp", "放量"}, {"effective", "生效时刻"}, {"pool", "副本"},
		} {
			if item == word.en {
				return word.zh
			}
		}
	}
	return short(item)
}

// payment is what paid an obligation.
func (l language) payment(by string) string {
	if l == "zh" {
		switch by {
		case "tree":
			return "文件"
		case "order":
			return "变更单"
		case "exception":
			return "例外"
		}
	}
	return short(by)
}

// silencedBy says which exception or marker silenced a finding.
func (l language) silencedBy(s string) string {
	if l == "zh" {
		for _, kind := range []struct{ en, zh string }{{schema.ExceptionBy, "例外"}, {schema.MarkerBy, "标记"}} {
			rest, ok := strings.CutPrefix(s, kind.en)
			if i := strings.LastIndex(rest, " until "); ok && i >= 0 {
				return short(kind.zh + "，" + rest[:i] + "，至 " + rest[i+len(" until "):])
			}
		}
	}
	return short(s)
}
