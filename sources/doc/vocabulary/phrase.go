package vocabulary

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// phrase reads names of several words that say more than the vocabulary lists: what the number leads to ("Failures before
// out"), the owner behind the name ("Timeout of a check"), and one name in two languages ("探测间隔 / Probe interval").
func (l *Lexicon) phrase(name string, within schema.Item) (Parameter, bool) {
	if len(name) > maxName {
		return Parameter{}, false
	}
	name, _ = schema.Fold(name)
	name = strings.Join(strings.Fields(name), " ")
	if p, ok := l.leadsTo(name, within); ok {
		return p, true
	}
	if p, ok := l.owned(name); ok {
		return p, true
	}
	return l.twice(name, within)
}

// leadsTo reads a count with what a member is after it. The two have to fit: no successes take a member out.
func (l *Lexicon) leadsTo(name string, within schema.Item) (Parameter, bool) {
	for _, word := range []string{" before ", " until ", " till ", " to "} {
		head, tail, ok := cutFold(name, word)
		if !ok {
			continue
		}
		for _, lead := range []string{"being ", "marked ", "it is ", "a member is "} {
			if rest, ok := cutPrefixFold(tail, lead); ok {
				tail = rest
				break
			}
		}
		p, ok := l.plain(head, within)
		if ok && string(p.Path) == l.first(outcomes, Normal(tail)) {
			p.Qualified = true
			return p, true
		}
	}
	return Parameter{}, false
}

// owned reads a name with its item behind it. Only times and counts are written so; "Growth of cooldown" may be anything.
func (l *Lexicon) owned(name string) (Parameter, bool) {
	for _, word := range []string{" of ", " for "} {
		head, tail, ok := cutFold(name, word)
		if !ok {
			continue
		}
		for _, lead := range []string{"the ", "a ", "an ", "each ", "every ", "one "} {
			if rest, ok := cutPrefixFold(tail, lead); ok {
				tail = rest
				break
			}
		}
		item := l.Item(tail)
		if w := Normal(tail); w == "check" || w == "checks" {
			item = schema.Probe
		}
		if item == schema.NoItem || item == schema.Members {
			continue
		}
		for _, r := range l.readings(head) {
			for _, s := range []section{section(item.String()), unqualified, parameters} {
				path := schema.Path(l.first(s, r.word))
				if e, ok := schema.EntryOf(path); ok && path.Item() == item && (e.Kind == schema.Duration || e.Kind == schema.Int) {
					return Parameter{Path: path, Unit: r.unit, Qualified: true}, true
				}
			}
		}
	}
	return Parameter{}, false
}

// twice reads a name that is given in two ways which mean the same: before and in parentheses, or on both sides of a
// stroke. A remark in parentheses is not such a name: it may say that something else is meant.
func (l *Lexicon) twice(name string, within schema.Item) (Parameter, bool) {
	a, b, ok := strings.Cut(name, "/")
	if inside, closed := strings.CutSuffix(name, ")"); closed {
		a, b, ok = strings.Cut(inside, "(")
	}
	if !ok {
		return Parameter{}, false
	}
	p, first := l.plain(strings.TrimSpace(a), within)
	q, second := l.plain(strings.TrimSpace(b), within)
	if !first || !second || p.Path != q.Path || p.Unit != 0 && q.Unit != 0 && p.Unit != q.Unit {
		return Parameter{}, false
	}
	if p.Unit == 0 {
		p.Unit = q.Unit
	}
	p.Qualified, p.Count = p.Qualified || q.Qualified, p.Count || q.Count
	return p, true
}

// cutFold cuts around the first occurrence of an ASCII word, whatever its case.
func cutFold(s, word string) (before, after string, found bool) {
	for i := 0; i+len(word) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(word)], word) {
			return s[:i], s[i+len(word):], true
		}
	}
	return s, "", false
}

// cutPrefixFold takes a prefix off, whatever its case.
func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}
