package rules

import "github.com/poolproof/poolproof/schema"

// found makes a rule whose cases are seen while files are read: adapters and the loader report them, and the rule gives
// them their weight, page and exceptions.
func found(id string, severity schema.Severity, en, zh string) Rule {
	return Rule{ID: id, Severity: severity, Title: schema.Text{En: en, Zh: zh}}
}

// readingRules lists them.
func readingRules() []Rule {
	return []Rule{
		found("probe/never-runs", schema.Error, "a probe is written and the engine never runs it", "写了探测，但引擎从不执行"),
		found("schema/unit", schema.Error, "a number without a unit where one is needed, or a unit where none can stand", "缺少单位，或不该有单位"),
		found("source/duplicate-key", schema.Error, "a key stands twice in one mapping", "同一映射中键重复"),
		found("source/empty", schema.Warning, "a source's pattern matches no file", "来源的模式没有匹配到文件"),
		found("source/merge", schema.Warning, "two merge sources disagree", "两个合并来源取值不同"),
		found("source/scalar-hazard", schema.Error, "a scalar that readers type differently", "不同解析器对标量类型理解不同"),
		found("source/skipped", schema.Info, "something was left out, and why", "跳过的内容及原因"),
		found("source/syntax", schema.Error, "a file does not parse", "文件无法解析"),
		found("source/table-shape", schema.Error, "a documentation table that drops values", "文档表格会丢失取值"),
		found("source/undetected", schema.Info, "the format of a file was not recognised", "无法识别文件格式"),
		found("source/unreadable", schema.Error, "a file cannot be read", "文件无法读取"),
		found("source/unresolved", schema.Info, "a value stands only as a template or placeholder", "取值仅为模板或占位符"),
	}
}
