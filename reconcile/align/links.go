package align

import (
	"regexp"
	"strings"
)

// links returns what the links of Markdown, HTML and AsciiDoc look like.
func links() []link {
	return []link{
		{regexp.MustCompile(`\[([^\[\]]*)\]\(([^()\s]*)(?:\s+"[^"]*")?\)`), 1, 2},
		{regexp.MustCompile(`\[([^\[\]]*)\](\[[^\[\]]*\])`), 1, 2},
		{regexp.MustCompile(`(?i)<a\b([^<>]*)>(.*?)</a>`), 2, 1},
		{regexp.MustCompile(`((?:link:|xref:|https?://)[^\s\[\]|]*)\[([^\[\]]+)\]`), 2, 1},
	}
}

// link is a kind of links: which group of the pattern is the label, and which the target.
type link struct {
	is            *regexp.Regexp
	label, target int
}

// relinked puts the links of a new row's cell right, which still lead where those of the row lead that it is made from: a
// target that names the old member names the new one, and one that other rows of the column have too stays. Of any other
// link only the label is left, as nobody can know where it should lead; keep says that it stays instead.
func (l *listing) relinked(j int, text string, who newcomer, keep bool) string {
	if !strings.ContainsAny(text, "[<") {
		return text
	}
	if l.links == nil {
		l.links, l.shared = links(), map[string]bool{}
	}
	for _, kind := range l.links {
		text = kind.is.ReplaceAllStringFunc(text, func(whole string) string {
			m := kind.is.FindStringSubmatchIndex(whole)
			label, target := whole[m[2*kind.label]:m[2*kind.label+1]], whole[m[2*kind.target]:m[2*kind.target+1]]
			from, to := m[2*kind.target], m[2*kind.target+1]
			if renamed, ok := who.renamed(target); ok {
				return whole[:from] + renamed + whole[to:]
			}
			if keep || target == "" || strings.Contains(target, who.host) || l.shares(j, target) {
				return whole
			}
			return label
		})
	}
	return text
}

// shares reports whether several rows of a column hold a text.
func (l *listing) shares(j int, text string) bool {
	key := column(j) + " " + text
	if known, there := l.shared[key]; there {
		return known
	}
	n := 0
	for _, row := range l.cells {
		if j < len(row) && strings.Contains(l.text[row[j].start:row[j].end], text) {
			n++
		}
	}
	l.shared[key] = n > 1
	return n > 1
}
