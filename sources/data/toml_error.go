package data

import (
	"strings"
	"unicode/utf8"

	"github.com/poolproof/poolproof/schema"
)

// syntaxError words an error of the parser in the expression at start.
func (r *tomlReader) syntaxError(start, at int, err error) schema.Problem {
	f := r.fault(start, at, strings.TrimPrefix(err.Error(), "toml: "))
	p := schema.Problem{Rule: "source/syntax", At: r.at(f.start, f.end), Text: f.text, Hint: f.hint}
	return p
}

func (r *tomlReader) fault(start, at int, message string) fault {
	s := r.text
	at = min(at, len(s))
	open := r.opened(start, at)
	switch {
	case strings.Contains(message, "new lines"), strings.Contains(message, "terminated"):
		if open < len(s) && (s[open] == '"' || s[open] == '\'') {
			return faultUnclosedQuote(open)
		}
	case strings.Contains(message, "array is incomplete"), strings.Contains(message, "to close"),
		strings.Contains(message, "after array value") && lastLine(s, at) > open:
		if open < len(s) && (s[open] == '[' || s[open] == '{') {
			return faultUnclosedBracket(open, s)
		}
	}
	f := fault{start: at}
	switch {
	case strings.Contains(message, "start of value"), strings.Contains(message, "expected keyword"), strings.Contains(message, "expected value"):
		f.text = schema.Textf("this is no TOML value", "这不是 TOML 值")
		f.hint = schema.Textf("texts stand in quotes, also addresses and durations", "文本须加引号，地址和时长也是文本")
	case strings.Contains(message, "leading zero"):
		f.text = schema.Textf("a number starts with a zero", "数字以零开头")
		f.hint = schema.Textf("drop the zero, or quote the value if it is a text", "去掉前导零；若是文本请加引号")
	case strings.Contains(message, "expected newline"):
		f.text = schema.Textf("text after the end of the value", "值结束之后还有内容")
		f.hint = schema.Textf("write one key = value on a line; texts stand in quotes", "每行只写一个 键 = 值；文本须加引号")
	case strings.Contains(message, "expected '='"):
		f.text = schema.Textf("an = is expected after the key", "键之后应为 =")
		f.hint = schema.Textf("write key = value", "请写成 键 = 值")
	case strings.Contains(message, "array value"), strings.Contains(message, "inline table"):
		f.text = schema.Textf("a comma or a closing bracket is missing before this", "此处之前缺少逗号或闭合括号")
		f.hint = schema.Textf("separate entries with commas", "各项之间请用逗号分隔")
	case strings.Contains(message, "escape"):
		f.text = schema.Textf("an escape in this text is not valid", "此文本中的转义不合法")
		f.hint = schema.Textf(`write \\ for a backslash, or use single quotes`, `反斜杠请写作 \\，或改用单引号`)
	case strings.Contains(message, "nested more"):
		return fault{at, min(at+1, len(s)), tooDeep(schema.Span{}).Text, tooDeep(schema.Span{}).Hint, nil}
	default:
		f.text = schema.Textf("not valid TOML: %s", "不是合法的 TOML：%s", message)
	}
	if f.start > 0 && (f.start >= len(s) || s[f.start] == '\n' || s[f.start] == '\r') {
		f.start-- // what is missing at the end of a line is shown at its last character
	}
	for f.start > 0 && s[f.start]&0xC0 == 0x80 {
		f.start--
	}
	_, n := utf8.DecodeRuneInString(s[f.start:])
	f.end = f.start + n
	return f
}

// opened returns the innermost quote or bracket between start and at that is open there, the end of the text if there
// is none.
func (r *tomlReader) opened(start, at int) int {
	s := r.text
	var open []int
	for i := start; i < at; i++ {
		switch s[i] {
		case '"', '\'':
			end := quotedEnd(s, i)
			if triple := s[i : i+1]; strings.HasPrefix(s[i:], triple+triple+triple) {
				n := strings.Index(s[i+3:], triple+triple+triple)
				if n < 0 {
					return i
				}
				end = i + n + 6
			}
			if end > at || strings.IndexByte(s[i:end], '\n') >= 0 && s[i+1] != s[i] {
				return i
			}
			i = end - 1
		case '[', '{':
			open = append(open, i)
		case ']', '}':
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		case '#':
			for i < at && s[i] != '\n' {
				i++
			}
		}
	}
	if len(open) == 0 {
		return len(s)
	}
	return open[len(open)-1]
}
