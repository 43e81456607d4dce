package data

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/poolproof/poolproof/schema"
)

// wideColon is the colon of Chinese keyboards, which YAML takes for a letter.
const wideColon = "："

// oddRune names characters that look like the punctuation or blanks of YAML and are not.
func oddRune(r rune) (schema.Text, bool) {
	switch r {
	case 0x00A0:
		return schema.Text{En: "a no-break space", Zh: "不换行空格"}, true
	case 0x3000:
		return schema.Text{En: "an ideographic space", Zh: "全角空格"}, true
	case 0x2003, 0x2002, 0x2009, 0x202F:
		return schema.Text{En: "a typographic space", Zh: "排版空格"}, true
	case 0xFF0D, 0x2013, 0x2014, 0x2212:
		return schema.Text{En: "a dash", Zh: "破折号或全角短横"}, true
	case 0x201C, 0x201D, 0x2018, 0x2019, 0xFF02:
		return schema.Text{En: "a typographic quote", Zh: "弯引号或全角引号"}, true
	}
	return schema.Text{}, false
}

// oddStart reports whether s starts with a character that looks like blank space and is none.
func oddStart(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	_, odd := oddRune(r)
	return odd
}

// lookAlike is a key that starts with blank space of the wrong kind, which makes it another key than it seems.
func lookAlike(key *Node) schema.Problem {
	r, _ := utf8.DecodeRuneInString(key.Text)
	name, _ := oddRune(r)
	at := key.At
	at.End = at.Start + uint32(utf8.RuneLen(r))
	return schema.Problem{
		Rule: "source/scalar-hazard", Severity: schema.Warning, At: at, Field: clip(key.Text),
		Text: schema.Text{En: fmt.Sprintf("the key starts with %s (%U), which YAML takes for a letter", name.En, r), Zh: fmt.Sprintf("此键以%s（%U）开头，YAML 把它当作字母", name.Zh, r)},
		Hint: schema.Textf("write it without that character; indent with spaces", "请去掉该字符；用空格缩进"),
	}
}

// lostKey reports a text that stands where a mapping could, and would be one if its full-width colon were a colon.
func (d *decoding) lostKey(n *Node) {
	if n.Kind != String || n.Style != Plain || n.Alias.Known() {
		return
	}
	i := strings.Index(n.Text, wideColon)
	if i < 1 || strings.Trim(n.Text[:i], keyLetters) != "" || n.Text[0] < 'A' {
		return
	}
	rest := n.Text[i+len(wideColon):]
	if digits(rest) == len(rest) && rest != "" {
		return // host and port
	}
	start := int(n.At.Start) - d.base
	line := d.text[start:]
	f := faultWideColon(start, start+len(line), strings.Index(line, wideColon), line)
	d.problems.add(schema.Problem{Rule: "source/syntax", At: d.at(f.start, f.end), Text: f.text, Hint: f.hint})
}

const keyLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."
