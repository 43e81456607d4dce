package vocabulary

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/poolproof/poolproof/schema"
)

// NearColumn returns the known header of a column that an unknown one was probably meant to be, as documents write it.
// ok is false where none is that near: most unknown headers are columns that nobody means to compare.
func (l *Lexicon) NearColumn(header string) (word string, ok bool) {
	var best nearest
	for _, r := range l.readings(header) {
		l.near(&best, r.word, columns, "")
	}
	return best.shown, best.shown != ""
}

// NearParameter does the same for the name of a parameter; within is the item that the heading names, or NoItem.
func (l *Lexicon) NearParameter(name string, within schema.Item) (word string, ok bool) {
	var best nearest
	for _, r := range l.readings(name) {
		l.near(&best, r.word, parameters, "")
		if within != schema.NoItem {
			l.near(&best, r.word, section(within.String()), "")
		}
		if within == schema.NoItem || within == schema.Probe {
			l.near(&best, r.word, unqualified, "")
		}
		l.nearAfterItem(&best, r.word)
	}
	return best.shown, best.shown != ""
}

// nearAfterItem looks at names that start with a word for an item: "Health check intervall".
func (l *Lexicon) nearAfterItem(best *nearest, word string) {
	for lex := l; lex != nil; lex = lex.base {
		for _, p := range lex.prefixes {
			if rest, ok := strings.CutPrefix(word, p.word); ok && rest != "" {
				before := l.show(items, p.word)
				if isASCII(p.word) {
					before += " "
				}
				l.near(best, rest, section(p.item.String()), before)
				if p.item == schema.Probe {
					l.near(best, rest, unqualified, before)
				}
			}
		}
	}
}

// nearest is the best word so far.
type nearest struct {
	shown           string
	distance, order int
}

// near looks for a better word among those of a section; before is what stands in front of it.
func (l *Lexicon) near(best *nearest, word string, s section, before string) {
	if len(word) < 3 {
		return
	}
	for lex := l; lex != nil; lex = lex.base {
		for known := range lex.sections[s] {
			d, ok := slip(word, known)
			if !ok {
				continue
			}
			w := lex.written[spelling{s, known}]
			if best.shown == "" || d < best.distance || d == best.distance && w.order < best.order {
				*best = nearest{before + w.text, d, w.order}
			}
		}
	}
}

// show returns a word as the vocabulary writes it.
func (l *Lexicon) show(s section, word string) string {
	for lex := l; lex != nil; lex = lex.base {
		if w, ok := lex.written[spelling{s, word}]; ok {
			return w.text
		}
	}
	return word
}

// slip reports whether a word in normal form is another one misspelt, and by how many edits. It is strict, since what it
// takes for a slip is shown to people: short words, other first letters of Latin words, and words that say the opposite
// are none.
func slip(a, b string) (edits int, ok bool) {
	if a == b || len(a)-len(b) > 6 || len(b)-len(a) > 6 || a[0] != b[0] && b[0] < utf8.RuneSelf {
		return 0, false
	}
	ascii := isASCII(b)
	if ascii != isASCII(a) {
		return 0, false
	}
	x, y := []rune(a), []rune(b)
	long, short := max(len(x), len(y)), min(len(x), len(y))
	limit, least, leastSame := 1, 3, 4
	if ascii {
		least, leastSame = 5, 6
		if short >= 9 {
			limit = 2
		}
	}
	if long-short > limit || short < least {
		return 0, false
	}
	edits = typos(x, y)
	if edits > limit || long == short && short < leastSame && !swapped(x, y) || opposite(x, y) {
		return 0, false
	}
	return edits, true
}

// opposite reports whether two words differ in a part that turns the meaning round.
func opposite(a, b []rune) bool {
	if x, y := string(a), string(b); strings.Contains(x, "min") != strings.Contains(y, "min") && strings.Contains(x, "max") != strings.Contains(y, "max") {
		return true
	}
	const small, large = "小短少低下前未慢", "大长多高上后已快"
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return strings.ContainsRune(small+large, a[i]) && strings.ContainsRune(small+large, b[i])
		}
	}
	return false
}

// swapped reports whether two words of one length differ in two neighbouring letters that changed places.
func swapped(a, b []rune) bool {
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && slices.Equal(a[i+2:], b[i+2:])
}

// typos counts the letters that are wrong, missing, too many or swapped with their neighbour.
func typos(a, b []rune) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
