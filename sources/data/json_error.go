package data

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/poolproof/poolproof/schema"
)

// syntaxError words an error of the parser. Its own words may quote whole values, secrets among them.
func (r *jsonReader) syntaxError(err error) schema.Problem {
	message := strings.TrimPrefix(err.Error(), "hujson: ")
	pos := 0
	var line, column int
	if n, _ := fmt.Sscanf(message, "line %d, column %d: ", &line, &column); n == 2 {
		_, message, _ = strings.Cut(message, ": ")
		pos = min(lineStart(r.text, line)+column-1, len(r.text))
	}
	f := r.fault(pos, message)
	return schema.Problem{Rule: "source/syntax", At: r.at(f.start, f.end), Text: f.text, Hint: f.hint}
}

func (r *jsonReader) fault(pos int, message string) fault {
	s := r.text
	one := func(en, zh, hintEn, hintZh string) fault {
		_, n := utf8.DecodeRuneInString(s[pos:])
		return fault{pos, pos + n, schema.Text{En: en, Zh: zh}, schema.Text{En: hintEn, Zh: hintZh}, nil}
	}
	switch {
	case strings.Contains(message, "EOF") || pos >= len(s):
		return r.unfinished()
	case s[pos] == '\'':
		return one("texts in JSON stand in double quotes, not single ones", "JSON 文本须用双引号，不能用单引号", `write "text"`, `请写成 "文本"`)
	case strings.HasPrefix(message, "invalid literal") && s[pos] == '"':
		return r.badString(pos)
	case strings.HasPrefix(message, "invalid literal") && r.keyExpected(pos):
		return one("a key in double quotes is expected here", "此处应为双引号内的键", `write "key": value`, `请写成 "键": 值`)
	case s[pos] == ':' && strings.Contains(message, "after array value"):
		if open, _ := r.opened(pos); open >= 0 {
			return faultUnclosedBracket(open, s) // a key follows, so the list should have ended
		}
		fallthrough
	case strings.HasPrefix(message, "invalid literal"):
		end := pos + wordLen(s[pos:])
		return fault{pos, end, schema.Textf("this is no JSON value", "这不是 JSON 值"),
			schema.Textf("texts stand in double quotes; numbers have no leading zero, plus sign or base", "文本须加双引号；数字不能带前导零、加号或进制前缀"), nil}
	case strings.Contains(message, "after object value"), strings.Contains(message, "after array value"):
		return one("a comma or a closing bracket is missing before this", "此处之前缺少逗号或闭合括号", "separate entries with commas", "各项之间请用逗号分隔")
	case strings.Contains(message, "after object name"):
		return one("a colon is missing between key and value", "键与值之间缺少冒号", `write "key": value`, `请写成 "键": 值`)
	case strings.Contains(message, "start of object name"):
		return one("a key in double quotes is expected here", "此处应为双引号内的键", `write "key": value`, `请写成 "键": 值`)
	case strings.Contains(message, "after top-level value"):
		return one("text after the end of the JSON value", "JSON 值结束之后还有内容", "remove it; a file holds one JSON value", "请删除；一个文件只能有一个 JSON 值")
	case strings.Contains(message, "start of value"):
		return one("a value is expected here", "此处应有值", "write the value; texts stand in double quotes", "请写出值；文本须加双引号")
	}
	return one("not valid JSON", "不是合法的 JSON", "check quotes, commas and brackets here", "请检查此处的引号、逗号和括号")
}

// opened returns the innermost bracket that is open at limit, -1 if there is none; and what the text leaves open there
// that is no bracket: a quote or a comment.
func (r *jsonReader) opened(limit int) (bracket, other int) {
	s := r.text
	var open []int
	for i := 0; i < limit; i++ {
		switch s[i] {
		case '"':
			end := quotedEnd(s, i)
			if end > limit || end-1 == i || s[end-1] != '"' {
				return -1, i
			}
			i = end - 1
		case '/':
			if j := skipJSON(s, i); j > i {
				i = j - 1
			} else if strings.HasPrefix(s[i:], "/*") {
				return -1, i
			}
		case '{', '[':
			open = append(open, i)
		case '}', ']':
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		}
	}
	if len(open) == 0 {
		return -1, -1
	}
	return open[len(open)-1], -1
}

// keyExpected reports whether a key of an object should stand at pos.
func (r *jsonReader) keyExpected(pos int) bool {
	open, _ := r.opened(pos)
	if open < 0 || r.text[open] != '{' {
		return false
	}
	before := strings.TrimRight(r.text[:pos], " \t\r\n")
	return before != "" && (before[len(before)-1] == '{' || before[len(before)-1] == ',')
}

// unfinished finds what the end of the file leaves open: a quote, a comment, or the innermost bracket.
func (r *jsonReader) unfinished() fault {
	s := r.text
	bracket, other := r.opened(len(s))
	switch {
	case other >= 0 && s[other] == '"':
		return faultUnclosedQuote(other)
	case other >= 0:
		return fault{other, other + 2, schema.Textf("the comment opened here is not closed", "此处的注释没有闭合"), schema.Textf("close it with */", "请用 */ 闭合"), nil}
	case bracket >= 0:
		return faultUnclosedBracket(bracket, s)
	}
	return fault{max(0, len(s)-1), len(s), schema.Textf("the file ends where a value is expected", "文件在应有值处结束"), schema.Textf("complete it", "请补全"), nil}
}

// badString finds what is wrong inside the quotes at pos.
func (r *jsonReader) badString(pos int) fault {
	s := r.text
	end := quotedEnd(s, pos)
	for i := pos + 1; i < end; i++ {
		switch {
		case s[i] == '\n' || s[i] == '\r':
			return faultUnclosedQuote(pos)
		case s[i] == '\t':
			return fault{i, i + 1, schema.Textf("a tab inside a JSON text", "JSON 文本内有制表符"), schema.Textf(`write \t`, `请写成 \t`), nil}
		case s[i] == '\\':
			if i++; i < end && strings.IndexByte(`"\/bfnrtu`, s[i]) < 0 {
				f := faultEscape(i-1, i+1, s)
				f.hint = schema.Textf(`write \\ for a backslash`, `反斜杠请写作 \\`)
				return f
			}
		}
	}
	return fault{pos, end, schema.Textf("an escape in this text is not valid", "此文本中的转义不合法"), schema.Textf(`\u takes four hexadecimal digits`, `\u 后须有四位十六进制数字`), nil}
}

func wordLen(s string) int {
	n := 0
	for n < len(s) && (wordByte(s[n]) || s[n] == '.' || s[n] == '+') {
		n++
	}
	return max(n, 1)
}

// lineStart returns the offset of a line, counted from 1.
func lineStart(s string, line int) int {
	pos := 0
	for ; line > 1; line-- {
		i := strings.IndexByte(s[pos:], '\n')
		if i < 0 {
			return len(s)
		}
		pos += i + 1
	}
	return pos
}
