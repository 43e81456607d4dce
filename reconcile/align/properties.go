package align

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/sources/data"
)

// indexed is a list of .properties, whose entries are lines with a number in their keys.
type indexed struct {
	entries []numbered
	order   []int // of the entries by their numbers
}

// numbered is an entry: its lines, each with the place of the number in its key.
type numbered struct {
	index int
	lines []keyLine
}

// keyLine is one logical line: where its parts stand.
type keyLine struct {
	at     span // with the line break
	number span
	key    span // behind the number, up to the separator; empty for a list of values
	value  span
}

// propertiesList finds the lines of a list. It reports false where entries are not lines of their own, one behind the
// other.
func propertiesList(text string, list *data.Node) (*layout, bool) {
	x := &indexed{}
	l := &layout{text: text, indexed: x}
	for _, item := range list.Items {
		e, ok := numberedEntry(text, item)
		if !ok {
			return nil, false
		}
		x.entries = append(x.entries, e)
	}
	slices.SortStableFunc(x.entries, func(a, b numbered) int { return cmp.Compare(a.lines[0].at.start, b.lines[0].at.start) })
	last := 0
	for i, e := range x.entries {
		row := span{e.lines[0].at.start, e.lines[len(e.lines)-1].at.end}
		if row.start < last {
			return nil, false
		}
		last = row.end
		l.rows = append(l.rows, row)
		l.items = append(l.items, span{row.start, e.lines[len(e.lines)-1].value.end})
		if i > 0 && e.index <= x.entries[i-1].index {
			return nil, false // not in the order of their numbers
		}
	}
	return l, len(l.items) > 0
}

// numberedEntry finds the lines of one entry.
func numberedEntry(text string, item *data.Node) (numbered, bool) {
	e := numbered{}
	var leaves []keyLine
	if item.Scalar() {
		leaves = append(leaves, keyLine{value: asSpan(item.At)})
	} else if !propertyLeaves(item, &leaves, 0) {
		return e, false
	}
	slices.SortFunc(leaves, func(a, b keyLine) int { return cmp.Compare(a.value.start, b.value.start) })
	prefix := ""
	for _, leaf := range leaves {
		start := lineStart(text, leaf.value.start)
		for start > 0 && continued(text[:start]) {
			start = lineStart(text, start-1)
		}
		key := text[start:leaf.value.start]
		if prefix == "" {
			prefix = keyPrefix(key, leaf.key.end)
		}
		open := strings.LastIndexByte(prefix, '[')
		if prefix == "" || open < 0 || !strings.HasPrefix(key, prefix) {
			return e, false
		}
		n, err := strconv.Atoi(prefix[open+1 : len(prefix)-1])
		if err != nil {
			return e, false
		}
		e.index = n
		leaf.at = span{start, lineEnd(text, leaf.value.end)}
		leaf.number = span{start + open + 1, start + len(prefix) - 1}
		leaf.key = span{start + len(prefix), start + len(strings.TrimRight(key, " \t=:"))}
		if leaf.key.end < leaf.key.start || len(e.lines) > 0 && leaf.at.start < e.lines[len(e.lines)-1].at.end {
			return e, false
		}
		e.lines = append(e.lines, leaf)
	}
	return e, len(e.lines) > 0
}

// continued reports whether the line that ends the text goes on in the next one.
func continued(s string) bool {
	s = strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r"), "")
	n := len(s) - len(strings.TrimRight(s, `\`))
	return n%2 == 1
}

// keyPrefix returns a key up to the bracket of the list that the entry is in; depth is how many parts of the key stand
// behind it.
func keyPrefix(key string, depth int) string {
	if depth == 0 {
		return key[:strings.LastIndexByte(key, ']')+1]
	}
	at := len(strings.TrimRight(key, " \t=:"))
	for ; depth > 0; depth-- {
		if at = strings.LastIndexAny(key[:at], ".["); at < 0 {
			return ""
		}
	}
	if at == 0 || key[at-1] != ']' {
		return ""
	}
	return key[:at]
}

// propertyLeaves lists the values below an entry. Of each, key holds for now how deep it lies.
func propertyLeaves(n *data.Node, out *[]keyLine, depth int) bool {
	kids := n.Items
	for i := range n.Pairs {
		kids = append(kids[:len(kids):len(kids)], n.Pairs[i].Value)
	}
	for _, kid := range kids {
		switch {
		case kid == nil || depth > maxDepth:
			return false
		case kid.Scalar():
			*out = append(*out, keyLine{key: span{0, depth + 1}, value: asSpan(kid.At)})
		case !propertyLeaves(kid, out, depth+1):
			return false
		}
	}
	return len(kids) > 0
}

// indexedEdits adds and removes entries, and counts those behind them anew: a gap in the numbers would be an error to some
// readers.
func (l *layout) indexedEdits(w work) []placed {
	var out []placed
	x := l.indexed
	behind := map[int][]added{}
	for _, a := range w.added {
		behind[a.after] = append(behind[a.after], a)
	}
	eol := lineBreak(l.text)
	tail, lasting := l.openTail(w), -1 // the entry behind which the file's last line is put
	for i := tail - 1; i < len(x.entries); i++ {
		if len(behind[i]) > 0 && tail < len(x.entries) {
			lasting = i
		}
	}
	shift, why := 0, cause{}
	for i := -1; i < len(x.entries); i++ {
		at, next := l.rows[0].start, x.entries[0].index
		if i >= 0 {
			e := x.entries[i]
			at, next = l.rows[i].end, e.index+shift+1
			if by := w.removed[i]; !by.none() {
				for j, line := range e.lines {
					start := line.at.start
					if i == tail && j == 0 && lasting < 0 {
						start = breakBefore(l.text, start)
					}
					out = append(out, place(start, line.at.end, "", by))
				}
				shift, why, next = shift-1, by, next-1
			} else if shift != 0 {
				for _, line := range e.lines {
					out = append(out, place(line.number.start, line.number.end, strconv.Itoa(e.index+shift), why))
				}
			}
		}
		for j, a := range behind[i] {
			text := strings.ReplaceAll(a.text.head, indexMark, strconv.Itoa(next)) + a.text.tail
			if lasting >= 0 {
				if i == lasting && j == len(behind[i])-1 {
					text = bareLine(text)
				}
			} else if at > 0 && !strings.HasSuffix(l.text[:at], "\n") {
				text = eol + bareLine(text)
			}
			out = append(out, place(at, at, text, a.by))
			shift, why, next = shift+1, a.by, next+1
		}
	}
	return out
}

// openTail returns the first of the removed entries that end the file without a line break, their number if none do.
func (l *layout) openTail(w work) int {
	first, end := len(l.indexed.entries), len(l.text)
	if strings.HasSuffix(l.text, "\n") {
		return first
	}
	for i := first - 1; i >= 0 && !w.removed[i].none(); i-- {
		lines := l.indexed.entries[i].lines
		for j := len(lines) - 1; j >= 0; j-- {
			if lines[j].at.end != end {
				return first
			}
			end = lines[j].at.start
		}
		first = i
	}
	return first
}

// indexMark stands for the number of a new entry until its place is known.
const indexMark = "\x00"

// lines returns a new entry of .properties, made from the i-th one.
func (l *listing) lines(i int, slots []slot, who newcomer) (fresh, bool) {
	var b strings.Builder
	eol := lineBreak(l.text)
	for _, line := range l.indexed.entries[i].lines {
		key := l.text[line.key.start:line.key.end]
		value, keep := l.text[line.value.start:line.value.end], true
		if touches(line.value, slots) {
			for _, s := range slots {
				keep = keep && !(s.drop && s.at == line.value)
			}
			value = splice(l.text, line.value, slots)
		} else {
			value, keep = l.habit(key).carry(value, l.roleOf(line.value, key), len(l.items), who)
		}
		if !keep {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(eol)
		}
		b.WriteString(l.text[line.at.start:line.number.start] + indexMark + l.text[line.number.end:line.value.start] + value)
	}
	return fresh{head: b.String(), tail: eol}, b.Len() > 0
}
