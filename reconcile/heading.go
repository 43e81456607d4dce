package reconcile

import (
	"regexp"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// sectionNumber is what numbers a heading: "2.1 ", "3)", "1、", "（一）", "第二章", "§ 4".
var sectionNumber = regexp.MustCompile(`^(?:§\s*)?(?:[0-9]+(?:\.[0-9]+)*(?:[.)、:]\s*|\s+)|\((?:[0-9]+|[一二三四五六七八九十百]+)\)\s*|[一二三四五六七八九十百]+[、.:)]\s*|第[0-9一二三四五六七八九十百]+[章节部]\s*[:、.]?\s*)`)

// spellings are the names that a heading may mean: the whole of it, the same without its section number, and where it
// ends in parentheses, what stands before and inside them: "Orders (be_orders)". A label of pool words alone may stand
// before the name: "Address pool: orders".
func spellings(heading string) []string {
	out := []string{heading}
	folded, _ := schema.Fold(heading)
	folded = strings.TrimSpace(folded)
	plain := folded
	if n := len(sectionNumber.FindString(plain)); n > 0 && n < len(plain) && (plain[n] < '0' || plain[n] > '9') {
		plain = plain[n:]
		out = append(out, plain)
	}
	if before, inside, ok := strings.Cut(plain, "("); ok && strings.HasSuffix(inside, ")") {
		out = append(out, strings.TrimSpace(before), strings.TrimSuffix(inside, ")"))
	}
	if label, name, ok := strings.Cut(plain, ":"); ok {
		switch Key(label) {
		case "pool", "addresspool", "地址池":
			out = append(out, strings.TrimSpace(name))
		}
	}
	return out
}
