package align

import (
	"strings"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// merge reports whether an alias stands behind a merge key of YAML: what it brings belongs to others too.
func merge(text string, at span) bool {
	if text[at.start] != '*' {
		return false
	}
	line := strings.TrimRight(text[lineStart(text, at.start):at.start], " \t")
	if open := strings.LastIndexByte(line, '['); open >= 0 && strings.Trim(line[open+1:], "*, \tABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.") == "" {
		line = strings.TrimRight(line[:open], " \t")
	}
	return strings.HasSuffix(line, "<<:")
}

// overMerge writes a key of its own beside the merge key that brings the value, so that the others keep theirs.
func (p *planner) overMerge(path schema.Path, d *reconcile.Divergence, at span, says schema.Text, e effect) []alternative {
	var alts []alternative
	for _, s := range p.tree.merged[at] {
		pair := &s.parent.Pairs[s.index]
		value := asSpan(pair.Value.At)
		if !pair.Value.Scalar() || pair.Value.At.File != 0 || value.end > len(p.text) {
			continue
		}
		old := p.text[value.start:value.end]
		if !plausible(old, p.was(path)) {
			continue
		}
		key := requote("", pair.Key, true)
		for _, w := range p.ways(path, d, value, old) {
			end, text := at.end, ", "+key+": "+w
			if opening(p.text, s.parent) == 0 { // a line of its own, below
				line := lineStart(p.text, at.start)
				mark := strings.LastIndex(p.text[line:at.start], "<<:")
				if mark < 0 {
					continue
				}
				indent := strings.Repeat(" ", len(strings.TrimRight(p.text[line:line+mark], " \t")))
				indent += p.text[line+len(indent) : line+mark]
				end = line + len(strings.TrimRight(p.text[line:lineEnd(p.text, at.end)], "\r\n"))
				text = lineBreak(p.text) + indent + key + ": " + w
			} else if close := strings.IndexByte(p.text[at.end:], ']'); inBrackets(p.text, at) && close >= 0 {
				end = at.end + close + 1
			}
			alts = append(alts, alternative{[]piece{replace(span{end, end}, text, says)}, e})
		}
	}
	return alts
}

// inBrackets reports whether an alias is one of several behind a merge key.
func inBrackets(text string, at span) bool {
	line := text[lineStart(text, at.start):at.start]
	return strings.LastIndexByte(line, '[') > strings.LastIndex(line, "<<:")
}

func (p *planner) was(path schema.Path) schema.Value {
	f, _ := p.copy.Get(path)
	return f.Value
}

// plausible reports whether a text may be what a value was read from.
func plausible(text string, was schema.Value) bool {
	d, err := schema.ParseDuration(bareText(text))
	switch was.Kind() {
	case schema.Duration:
		return err == nil && d == was.Duration() || err != nil && len(numbersIn(text)) > 0
	case schema.Int:
		found := numbersIn(text)
		return err != nil && len(found) == 1 && found[0].value == was.Number()
	case schema.Number:
		return err != nil && len(numbersIn(text)) == 1
	case schema.TextKind:
		return strings.EqualFold(bareText(text), was.Text())
	}
	return true
}
