package schema

import "strings"

// Spoken words a value as findings hold it (Finding.Got and Want) for people: the value itself in English, and in Chinese
// with the few words of English that values of an item are written with.
func Spoken(item Item, value string) Text {
	zh := value
	switch item {
	case Ramp:
		zh = strings.NewReplacer(" samples", " 个样本", "regions ", "地区 ", "priorities ", "优先级 ", " manual", " 人工确认",
			" above ", " 高于 ", " below ", " 低于 ", " against baseline", "（相对基线）").Replace(value)
	case Members:
		switch kind, rank, ranked := strings.Cut(value, " "); {
		case value == "no backup":
			zh = "非备用"
		case value == "backup":
			zh = "备用"
		case ranked && kind == "backup":
			zh = "备用，优先级 " + rank
		case ranked && kind == "priority":
			zh = "优先级 " + rank
		}
	}
	return Text{En: value, Zh: zh}
}
