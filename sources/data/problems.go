package data

import "github.com/poolproof/poolproof/schema"

// maxProblems bounds the problems of one file. A file with more is wrong as a whole.
const maxProblems = 1000

// problemList holds the problems of one file, as many as are worth holding.
type problemList []schema.Problem

func (l *problemList) add(more ...schema.Problem) {
	*l = append(*l, more[:min(len(more), max(0, maxProblems-len(*l)))]...)
}

func (f *File) report(more ...schema.Problem) { (*problemList)(&f.Problems).add(more...) }

// bom is the byte-order mark in UTF-8.
const bom = "\uFEFF"

func byteOrderMark() schema.Problem {
	return schema.Problem{
		Rule: "source/scalar-hazard", Severity: schema.Warning, At: schema.At(0, len(bom)),
		Text: schema.Textf("the file starts with a byte-order mark; some readers take it for a part of the first key", "文件以字节顺序标记（BOM）开头；有的读取程序会把它当作第一个键的一部分"),
		Hint: schema.Textf("save the file as UTF-8 without a byte-order mark", "请存为不带 BOM 的 UTF-8"),
	}
}

func tooDeep(at schema.Span) schema.Problem {
	return schema.Problem{
		Rule: "source/syntax", At: at,
		Text: schema.Textf("nested too deeply: more than %d levels", "嵌套过深：超过 %d 层", maxDepth),
		Hint: schema.Textf("no configuration needs that; look for brackets or dashes that repeat", "配置不需要这么深；请检查是否有重复的括号或短横"),
	}
}

// duplicate adds a key written twice in one mapping: at the later place, with a note to the first.
func (l *problemList) duplicate(later Pair, first schema.Span) {
	if len(*l) >= maxProblems {
		return // a file of nothing else must not cost a text for each key
	}
	key := clip(later.Key)
	l.add(schema.Problem{
		Rule: "source/duplicate-key", At: later.KeyAt, Field: key,
		Text:    schema.Textf("key %q is written twice in one mapping; readers differ in which one counts, here the last does", "同一映射中键 %q 写了两次；各读取程序取哪一个并不一致，这里以最后一个为准", key),
		Hint:    schema.Textf("keep one of them and remove the other", "保留其一，删去另一个"),
		Related: []schema.Note{{At: first, Label: schema.Textf("first written here", "第一次写在这里")}},
	})
}

// clip shortens a text of a file for a message.
func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && s[cut]&0xC0 == 0x80 {
		cut--
	}
	return s[:cut] + "..."
}
