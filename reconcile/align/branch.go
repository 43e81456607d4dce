package align

import (
	"cmp"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/sources/data"
)

// part is a pair of a mapping as it stands in the file; pair is nil for a merge.
type part struct {
	at   span
	pair *data.Pair
}

// branch returns a new entry of a tree, made from the i-th one.
func (l *listing) branch(i int, slots []slot, who newcomer) (string, bool) {
	s := l.seats[i]
	if !s.keyed {
		return l.node(s.node, l.items[i], slots, who, true)
	}
	p := &s.parent.Pairs[s.index]
	key, at := asSpan(p.KeyAt), asSpan(p.Value.Place())
	value, ok := l.node(p.Value, at, slots, who, true)
	if !ok {
		return "", false
	}
	head := splice(l.text, key, slots)
	if !touches(key, slots) {
		if head, ok = l.habit(entryKey).carry(head, name, len(l.items), who); !ok {
			return "", false
		}
	}
	return head + unanchored(l.text[key.end:at.start]) + value, true
}

func touches(at span, slots []slot) bool {
	return slices.ContainsFunc(slots, func(s slot) bool { return s.at.within(at) })
}

// node returns the text of a value with the slots put in. It reports false where nothing of it is left.
func (l *listing) node(n *data.Node, at span, slots []slot, who newcomer, top bool) (string, bool) {
	for _, s := range slots {
		if s.at == at {
			return s.text, !s.drop
		}
	}
	if n.Kind == data.Map && !n.Alias.Known() && len(n.Pairs) > 0 && (top || touches(at, slots)) {
		return l.mapping(n, at, slots, who, top)
	}
	return splice(l.text, at, slots), true
}

// mapping puts a mapping together anew from the pairs that the new entry keeps.
func (l *listing) mapping(n *data.Node, at span, slots []slot, who newcomer, top bool) (string, bool) {
	parts := l.parts(n, at)
	if len(parts) == 0 {
		return splice(l.text, at, slots), true
	}
	var b strings.Builder
	b.WriteString(l.clean(at.start, parts[0].at.start))
	kept := 0
	for i, p := range parts {
		text, ok := l.pair(p, slots, who, top)
		if !ok {
			continue
		}
		if kept++; kept > 1 {
			b.WriteString(l.clean(parts[i-1].at.end, p.at.start))
		}
		b.WriteString(text)
	}
	if top {
		for _, pair := range who.pairs {
			b.WriteString(l.further(parts, pair))
		}
	}
	b.WriteString(l.clean(parts[len(parts)-1].at.end, at.end))
	return b.String(), kept > 0
}

// further returns a pair that the sibling has not, in the way in which it writes its own.
func (l *listing) further(parts []part, pair [2]string) string {
	sep, colon := ", ", ": "
	switch first := parts[0].at; {
	case len(parts) > 1:
		sep = l.clean(first.end, parts[1].at.start)
	case opening(l.text, l.seats[0].node) == 0:
		sep = lineBreak(l.text) + strings.Repeat(" ", first.start-lineStart(l.text, first.start))
	}
	if p := parts[0].pair; p != nil {
		colon = l.text[p.KeyAt.End:asSpan(p.Value.Place()).start]
		if strings.ContainsAny(colon, "\r\n") {
			colon = ": "
		}
		if l.text[p.KeyAt.Start] == '"' {
			pair[0] = jsonText(pair[0])
		}
	}
	return sep + pair[0] + colon + pair[1]
}

// parts lists the pairs of a mapping in file order; nil where they do not stand one behind the other.
func (l *listing) parts(n *data.Node, at span) []part {
	var parts []part
	merged := map[span]bool{}
	for i := range n.Pairs {
		p := &n.Pairs[i]
		if p.Value == nil {
			return nil
		}
		if !p.Merged {
			parts = append(parts, part{pairSpan(p), p})
			continue
		}
		alias := asSpan(p.Value.Place())
		if merged[alias] || !alias.within(at) {
			continue
		}
		merged[alias] = true
		key := strings.LastIndex(l.text[at.start:alias.start], "<<")
		if key < 0 {
			return nil
		}
		parts = append(parts, part{span{at.start + key, alias.end}, nil})
	}
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.at.start, b.at.start) })
	for i, p := range parts {
		if !p.at.within(at) || i > 0 && p.at.start < parts[i-1].at.end {
			return nil
		}
	}
	return parts
}

// pair returns a pair of the new entry.
func (l *listing) pair(p part, slots []slot, who newcomer, top bool) (string, bool) {
	if p.pair == nil {
		return l.text[p.at.start:p.at.end], true
	}
	value := asSpan(p.pair.Value.Place())
	head := l.text[p.at.start:value.start]
	if touches(value, slots) || touches(p.at, slots) {
		text, ok := l.node(p.pair.Value, value, slots, who, false)
		return splice(l.text, span{p.at.start, value.start}, slots) + text, ok
	}
	text := l.text[value.start:value.end]
	if !top {
		return head + text, true
	}
	text, ok := l.habit(p.pair.Key).carry(text, l.roleOf(value, p.pair.Key), len(l.items), who)
	return head + text, ok
}

// clean returns what stands between two places without comments and blank lines.
func (l *listing) clean(from, to int) string {
	if from >= to {
		return ""
	}
	between := l.text[from:to]
	for {
		i := strings.Index(between, "/*")
		j := strings.Index(between, "*/")
		if l.comment != "//" || i < 0 || j < i {
			break
		}
		between = between[:i] + between[j+2:]
	}
	if l.comment == "" || !strings.Contains(between, "\n") {
		return between
	}
	lines := strings.SplitAfter(between, "\n")
	var b strings.Builder
	for i, line := range lines {
		if at := strings.Index(line, l.comment); at >= 0 {
			end := line[len(strings.TrimRight(line, "\r\n")):]
			line = strings.TrimRight(line[:at], " \t") + end
		}
		if i > 0 && i < len(lines)-1 && strings.TrimSpace(line) == "" {
			continue
		}
		b.WriteString(line)
	}
	return b.String()
}
