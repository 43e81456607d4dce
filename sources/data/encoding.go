package data

import (
	"strings"
	"unicode/utf8"

	"github.com/poolproof/poolproof/schema"
)

// openText returns the text of a file without its byte-order mark, whose length is base, and with unreadable bytes taken
// out and reported.
func openText(src []byte) (f File, text string, base int) {
	text = string(src)
	if isUTF16(text) {
		f.report(utf16Text())
		return f, "", 0
	}
	for strings.HasPrefix(text[base:], bom) {
		base += len(bom)
	}
	if base > 0 {
		f.report(byteOrderMark())
	}
	text, bad := readable(text[base:], base)
	if bad != nil {
		f.report(*bad)
	}
	return f, text, base
}

// utf16Text is the one problem of a file that is no UTF-8 as a whole.
func utf16Text() schema.Problem {
	return schema.Problem{
		Rule: "source/syntax", At: schema.At(0, 2),
		Text: schema.Textf("the file is UTF-16, not UTF-8", "文件编码是 UTF-16，不是 UTF-8"),
		Hint: schema.Textf("save it as UTF-8", "请存为 UTF-8"),
	}
}

func isUTF16(s string) bool {
	return strings.HasPrefix(s, "\xFF\xFE") || strings.HasPrefix(s, "\xFE\xFF")
}

// readable returns text whose every byte a reader may take, of the same length: what is no UTF-8 and control characters
// become underscores, and the first of them is reported.
func readable(s string, base int) (string, *schema.Problem) {
	bad := firstBad(s)
	if bad < 0 {
		return s, nil
	}
	out := []byte(s)
	count := 0
	var first [2]int
	for i := bad; i < len(s); {
		n := badLen(s[i:])
		if n == 0 {
			_, n = utf8.DecodeRuneInString(s[i:])
			i += n
			continue
		}
		if count++; count == 1 {
			first = [2]int{i, i + n}
		}
		for ; n > 0; n-- {
			out[i] = '_'
			i++
		}
	}
	p := unreadableByte(s[first[0]:first[1]], count)
	p.At = schema.At(base+first[0], base+first[1])
	return string(out), &p
}

func unreadableByte(bad string, count int) schema.Problem {
	more := schema.Text{}
	if count > 1 {
		more = schema.Textf(", and %d more like it", "，另有 %d 处", count-1)
	}
	p := schema.Problem{Rule: "source/syntax"}
	switch r, _ := utf8.DecodeRuneInString(bad); {
	case r == utf8.RuneError && len(bad) == 1:
		p.Text = schema.Textf("byte 0x%02X is no UTF-8", "字节 0x%02X 不是 UTF-8", bad[0])
		p.Hint = schema.Textf("save the file as UTF-8; it may be in GBK or Latin-1", "请将文件存为 UTF-8；它可能是 GBK 或 Latin-1 编码")
	case r == 0:
		p.Text = schema.Textf("a NUL byte stands in the text", "文本中有 NUL 字节")
		p.Hint = schema.Textf("remove it; the file may be damaged, or UTF-16", "请删除；文件可能已损坏，或为 UTF-16 编码")
	default:
		p.Text = schema.Textf("the control character %U stands in the text", "文本中有控制字符 %U", r)
		p.Hint = schema.Textf("remove it", "请删除")
	}
	p.Text.En += more.En
	p.Text.Zh += more.Zh
	return p
}

// badLen returns the length of the unreadable character that s starts with, 0 if it is fine.
func badLen(s string) int {
	c := s[0]
	if c < utf8.RuneSelf {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7F {
			return 1
		}
		return 0
	}
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 || r >= 0x80 && r < 0xA0 && r != 0x85 || r == 0xFFFE || r == 0xFFFF {
		return n
	}
	return 0
}

// firstBad returns the offset of the first unreadable character, -1 if there is none.
func firstBad(s string) int {
	for i := 0; i < len(s); {
		if c := s[i]; c >= ' ' && c < 0x7F || c == '\n' {
			i++
			continue
		}
		if badLen(s[i:]) > 0 {
			return i
		}
		_, n := utf8.DecodeRuneInString(s[i:])
		i += n
	}
	return -1
}
