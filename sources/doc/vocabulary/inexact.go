package vocabulary

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// Inexact reports whether a text gives a number only roughly or as a bound: "~2s", "≤ 2 s", "about 30 s", "约 30 秒",
// "3 or more", "30 秒左右", "2-3 s". What it says cannot be compared.
func (l *Lexicon) Inexact(text string) bool {
	if len(text) > maxValue {
		return false
	}
	text, _ = schema.Fold(text)
	text = strings.TrimSpace(text)
	digit := strings.IndexFunc(text, isNumeral)
	if digit < 0 {
		return false
	}
	lead := strings.TrimSpace(text[:digit])
	if strings.HasPrefix(lead, "~") || strings.ContainsAny(lead, "<>≈≃≅≤≥≦≧⩽⩾±∼") || lead != "" && l.first(inexact, Normal(lead)) != "" {
		return true
	}
	_, rest, ok := cutNumber(text[digit:])
	if lead != "" || !ok {
		return false
	}
	word, rest := cutWord(strings.TrimLeft(rest, " \u00a0"))
	if l.first(inexact, Normal(word)) != "" {
		return true
	}
	for {
		rest = strings.TrimLeft(rest, " \u00a0")
		if rest == "" {
			break
		}
		if _, after, ok := cutNumber(rest); ok { // 1m30s, or 2到3秒
			if strings.HasSuffix(word, "至") || strings.HasSuffix(word, "到") {
				return true
			}
			word, rest = cutWord(strings.TrimLeft(after, " \u00a0"))
			continue
		}
		for _, mark := range []string{"-", "–", "—", "~", "∼", "+", "±", "至", "到", "to "} {
			if after, ok := strings.CutPrefix(rest, mark); ok {
				after = strings.TrimLeft(after, " \u00a0")
				return after == "" && mark == "+" || after != "" && isNumeral(rune(after[0]))
			}
		}
		more, after := cutWord(rest)
		if more == "" {
			return false
		}
		if l.first(inexact, Normal(more)) != "" || l.first(inexact, Normal(word+more)) != "" {
			return true
		}
		word, rest = word+more, after
	}
	// 30秒左右: the words of a count and what makes it rough are one.
	for known := range builtin().sections[inexact] {
		if n := Normal(word); strings.HasSuffix(n, known) && (n == known || !isASCII(known)) {
			return true
		}
	}
	return false
}

func isNumeral(r rune) bool { return r >= '0' && r <= '9' }
