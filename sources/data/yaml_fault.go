package data

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/poolproof/poolproof/schema"
)

// fault is a place where text stops being YAML, in the words of people who edit it.
type fault struct {
	start, end int
	text, hint schema.Text
	note       *schema.Note
}

func faultTab(start, end int) fault {
	return fault{start, end, schema.Textf("a tab indents this line; YAML allows only spaces", "此行用制表符（Tab）缩进；YAML 只允许空格"),
		schema.Textf("replace the tab by spaces, as many as the lines around it have", "请把制表符换成空格，数量与上下文一致"), nil}
}

func faultUnclosedQuote(at int) fault {
	return fault{at, at + 1, schema.Textf("the quote opened here is not closed", "此处的引号没有闭合"),
		schema.Textf("close it at the end of the text; inside single quotes write '' for a quote, inside double quotes \\\"", "请在文本末尾补上引号；单引号内的引号写作 ''，双引号内写作 \\\""), nil}
}

func faultAfterQuote(start, end int) fault {
	return fault{start, end, schema.Textf("text after the closing quote", "闭合引号之后还有文字"),
		schema.Textf("put the whole text into the quotes, or separate a comment with a space and #", "请把整段文字放进引号内；注释须以空格加 # 开头"), nil}
}

func faultAfterBracket(start, end int) fault {
	return fault{start, end, schema.Textf("text after the closing bracket", "闭合括号之后还有文字"),
		schema.Textf("quote the whole value, or separate a comment with a space and #", "请给整个值加引号；注释须以空格加 # 开头"), nil}
}

func faultUnclosedBracket(at int, s string) fault {
	return fault{at, at + 1, schema.Textf("the bracket %c opened here is not closed", "此处的括号 %c 没有闭合", s[at]),
		schema.Textf("close it with %c", "请用 %c 闭合", s[at]+2), nil}
}

func faultBracket(opened, at int, opener, closer byte) fault {
	return fault{at, at + 1, schema.Textf("%c closes a bracket that was opened with %c", "用 %c 闭合了以 %c 打开的括号", closer, opener),
		schema.Textf("close it with %c", "请用 %c 闭合", opener+2),
		&schema.Note{At: schema.At(opened, opened+1), Label: schema.Textf("opened here", "在此处打开")}}
}

func faultMissingComma(at int) fault {
	return fault{at, at + 1, schema.Textf("a comma is missing before this value", "此值之前缺少逗号"),
		schema.Textf("separate entries with commas, or quote the whole value", "各项之间用逗号分隔，或给整个值加引号"), nil}
}

// faultFlowColon is a colon that starts a value inside brackets, as in [::1].
func faultFlowColon(opened, at int, s string) fault {
	if end := addressEnd(s, opened); end > 0 {
		return faultAddress(opened, end, s)
	}
	return fault{at, at + 1, schema.Textf("a value inside brackets cannot start with a colon", "括号内的值不能以冒号开头"),
		schema.Textf("quote the value", "请给该值加引号"), nil}
}

// addressEnd returns the end of a bracketed IPv6 address at i, with its port, 0 if none stands there.
func addressEnd(s string, i int) int {
	end := i + 1
	colons := 0
	for end < len(s) && (digitOf(s[end], 'x') || s[end] == ':' || s[end] == '.') {
		if s[end] == ':' {
			colons++
		}
		end++
	}
	if colons < 2 || end >= len(s) || s[end] != ']' {
		return 0
	}
	end++
	if end < len(s) && s[end] == ':' {
		end++
		end += digits(s[end:])
	}
	return end
}

func faultAddress(start, end int, s string) fault {
	return fault{start, end, schema.Textf("%s starts with a bracket, which opens a list in YAML", "%s 以方括号开头，而方括号在 YAML 中表示列表", s[start:end]),
		schema.Textf("quote it: \"%s\"", "请加引号：\"%s\"", s[start:end]), nil}
}

func faultReserved(at int, c byte) fault {
	return fault{at, at + 1, schema.Textf("an unquoted value cannot start with %c", "未加引号的值不能以 %c 开头", c),
		schema.Textf("quote the value", "请给该值加引号"), nil}
}

func faultStar(start, end int) fault {
	return fault{start, end, schema.Textf("* starts an alias in YAML, and what follows is no name of an anchor", "YAML 中 * 表示别名，而其后不是锚点名"),
		schema.Textf("quote the value, as in \"*.example.com\"", "请给该值加引号，如 \"*.example.com\""), nil}
}

func faultEscape(start, end int, s string) fault {
	for end < len(s) && s[end]&0xC0 == 0x80 {
		end++
	}
	return fault{start, end, schema.Textf("%s is no escape in double quotes", "双引号内没有 %s 这种转义", s[start:end]),
		schema.Textf("write \\\\ for a backslash, or use single quotes", "反斜杠请写作 \\\\，或改用单引号"), nil}
}

func faultSecondColon(at int) fault {
	return fault{at, at + 1, schema.Textf("a second \": \" on one line, which would make the value a mapping", "一行内出现第二个“: ”，值因此会被当作映射"),
		schema.Textf("quote the value; if a key was meant, put it on a line of its own", "请给值加引号；若本意是键，请另起一行"), nil}
}

// faultIndent is a line that belongs to no level; above is the first byte of the line before it.
func faultIndent(start, end, above int) fault {
	return fault{start, end, schema.Textf("this line is indented neither like an entry above nor as the value of one", "此行的缩进既不与上文某一项对齐，也不是其值"),
		schema.Textf("give entries of one mapping or list the same indentation", "同一映射或列表的各项须缩进一致"),
		&schema.Note{At: schema.At(above, above+1), Label: schema.Textf("or this line is indented wrongly", "或是这一行的缩进有误")}}
}

func faultMixed(start, end int, list bool) fault {
	if list {
		return fault{start, end, schema.Textf("a key stands where the next \"- \" entry of a list is expected", "此处应为列表的下一项“- ”，却出现了键"),
			schema.Textf("indent it as a part of the entry above, or less than the list", "请按上一项的内容缩进，或缩进少于该列表"), nil}
	}
	return fault{start, end, schema.Textf("a \"- \" entry stands where the next key of a mapping is expected", "此处应为映射的下一个键，却出现了列表项“- ”"),
		schema.Textf("put the list below a key of its own", "请把列表放在单独的键之下"), nil}
}

// faultNoColon is a line of a mapping without a key.
func faultNoColon(start, end int, s string) fault {
	line := s[start:end]
	if i := strings.Index(line, wideColon); i >= 0 {
		return faultWideColon(start, end, i, line)
	}
	f := fault{start, end, schema.Textf("a key with a colon is expected here", "此处应为“键: 值”"),
		schema.Textf("write key: value; continue a text of several lines with a deeper indentation or in quotes", "请写成 键: 值；多行文本的续行须更深缩进，或放进引号"), nil}
	if i := strings.IndexByte(line, ':'); i > 0 {
		f.text = schema.Textf("no space after the colon, so this line has no key", "冒号之后没有空格，因此此行没有键")
		f.hint = schema.Textf("put a space after \"%s:\"", "请在“%s:”之后加空格", clip(line[:i]))
		f.start, f.end = start+i, start+i+1
		return f
	}
	for i, r := range line {
		if name, ok := oddRune(r); ok {
			f.start, f.end = start+i, start+i+utf8.RuneLen(r)
			f.text = schema.Text{
				En: fmt.Sprintf("%s (%U) stands where YAML expects its ASCII form", name.En, r),
				Zh: fmt.Sprintf("此处是%s（%U），而 YAML 要求其半角形式", name.Zh, r),
			}
			break
		}
	}
	return f
}

func faultWideColon(start, end, i int, line string) fault {
	n := len(wideColon)
	return fault{start + i, start + i + n, schema.Textf("\"：\" (U+FF1A, full-width colon) is no colon to YAML, so this line has no key", "“：”（U+FF1A，全角冒号）在 YAML 中不是冒号，因此此行没有键"),
		schema.Textf("write \"%s: \" with an ASCII colon and a space", "请用半角冒号加空格：“%s: ”", clip(strings.TrimSpace(line[:i]))), nil}
}

func faultHeader(start, end int) fault {
	return fault{start, end, schema.Textf("| and > start a text of several lines; nothing but a comment may follow on this line", "| 与 > 用于多行文本；该行其后只能有注释"),
		schema.Textf("quote the value, or put its text on the lines below, indented", "请给该值加引号，或把文本缩进写在下面各行"), nil}
}

// faultContinued is a key below a plain value that its indentation makes a part of.
func faultContinued(start, end int, s string) fault {
	return fault{start, end, schema.Textf("the value of the line above goes on here because this line is indented deeper, so %q cannot be a key", "此行缩进更深，成为上一行值的续行，因此 %q 不能作键", clip(s[start:end])),
		schema.Textf("indent it like the key above; if the text goes on over lines, quote it", "请与上面的键对齐；若文本确实跨行，请加引号"), nil}
}
