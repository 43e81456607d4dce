package align

import (
	"slices"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

// slot is a value of an entry that a new entry writes differently, or not at all.
type slot struct {
	at   span
	text string
	drop bool
}

// listing is a list of members or batches in the file, with what its entries have in common.
type listing struct {
	*layout
	seats   []seat      // of entries in a tree
	byIndex map[int]int // of seats, by their index in the collection
	cells   [][]cell    // of rows of tables
	owned   string      // the pool's name, which a column of a table may hold
	roles   map[span]role
	habits  map[string]*habit
	links   []link          // the kinds of links, once they are asked for
	shared  map[string]bool // by column and target, which links several rows have
	count   int             // new entries made so far
	work    work
}

// like returns the text of a new entry that is made from the i-th one.
func (l *listing) like(i int, slots []slot, who newcomer) (fresh, bool) {
	l.learn()
	if l.indexed != nil {
		return l.lines(i, slots, who)
	}
	text, ok := "", false
	at := l.items[i]
	switch {
	case l.cells != nil:
		text, ok = l.row(i, slots, who)
	case l.seats != nil:
		text, ok = l.branch(i, slots, who)
	default:
		text, ok = splice(l.text, at, slots), true
	}
	if !ok {
		return fresh{}, false
	}
	if l.rows == nil {
		return fresh{head: text}, true
	}
	row := l.rows[i]
	tail := lineBreak(l.text)
	if end := l.text[row.start:row.end]; strings.HasSuffix(end, "\n") {
		tail = end[len(strings.TrimRight(end, "\r\n")):]
	}
	return fresh{head: unanchored(l.text[row.start:at.start]) + text, tail: tail}, true
}

// splice returns the bytes of a place with the slots inside of it put in.
func splice(text string, at span, slots []slot) string {
	var b strings.Builder
	pos := at.start
	for _, s := range slots {
		if s.drop || !s.at.within(at) || s.at.start < pos {
			continue
		}
		b.WriteString(text[pos:s.at.start])
		b.WriteString(s.text)
		pos = s.at.end
	}
	b.WriteString(text[pos:at.end])
	return b.String()
}

// learn looks at all entries once.
func (l *listing) learn() {
	if l.habits != nil {
		return
	}
	l.habits = map[string]*habit{}
	see := func(key, text string) {
		h := l.habits[key]
		if h == nil {
			h = &habit{}
			l.habits[key] = h
		}
		h.see(text)
	}
	defer l.findSeries()
	for i := range l.items {
		switch {
		case l.indexed != nil:
			for _, line := range l.indexed.entries[i].lines {
				see(l.text[line.key.start:line.key.end], l.text[line.value.start:line.value.end])
			}
		case l.cells != nil:
			for j, c := range l.cells[i] {
				see(column(j), l.text[c.start:c.end])
			}
		case l.seats != nil:
			s := l.seats[i]
			if s.keyed {
				see(entryKey, l.text[s.parent.Pairs[s.index].KeyAt.Start:s.parent.Pairs[s.index].KeyAt.End])
			}
			if s.node.Kind == data.Map {
				for j := range s.node.Pairs {
					if p := &s.node.Pairs[j]; !p.Merged && p.Value != nil {
						at := asSpan(p.Value.Place())
						see(p.Key, l.text[at.start:at.end])
					}
				}
			}
		}
	}
}

// findSeries finds what numbers the entries.
func (l *listing) findSeries() {
	switch {
	case l.indexed != nil:
	case l.cells != nil:
		var keys []string
		for j := range l.cells[0] {
			keys = append(keys, column(j))
		}
		l.number(keys, func(i int, key string) (span, bool) {
			j, _ := strconv.Atoi(key)
			if j >= len(l.cells[i]) {
				return span{}, false
			}
			at := span{l.cells[i][j].start, l.cells[i][j].end}
			_, known := l.roles[at]
			return at, !known
		})
	case l.seats != nil:
		var keys []string
		for key := range l.habits {
			if countable(key) {
				keys = append(keys, key)
			}
		}
		slices.Sort(keys)
		l.number(keys, func(i int, key string) (span, bool) {
			v := l.seats[i].node.Get(key)
			if v == nil || v.Alias.Known() {
				return span{}, false
			}
			return asSpan(v.At), true
		})
	}
}

// entryKey is the habit of the keys under which the entries of a mapping stand.
const entryKey = "\x00"

// habit returns what entries write under a key.
func (l *listing) habit(key string) *habit {
	if h := l.habits[key]; h != nil {
		return h
	}
	return &habit{}
}

// roleOf returns the role of the value at a place.
func (l *listing) roleOf(at span, key string) role {
	if r, ok := l.roles[at]; ok {
		return r
	}
	switch {
	case namelike(key):
		return name
	case notelike(key):
		return note
	}
	return other
}

// rolesOf notes what the values of members are, so that none is taken for a number that only counts.
func rolesOf(members []schema.Member) map[span]role {
	out := map[span]role{}
	for i := range members {
		m := &members[i]
		for _, at := range []schema.Span{m.HostAt, m.PortAt, m.WeightAt, m.PriorityAt, m.BackupAt, m.StateAt} {
			out[asSpan(at)] = fact
		}
		for _, f := range m.Extra {
			r := fact
			if f.Path == "name" {
				r = called
			}
			out[asSpan(f.At)] = r
		}
	}
	return out
}

// batchRoles does the same for batches.
func batchRoles(batches []schema.Batch) map[span]role {
	out := map[span]role{}
	for i := range batches {
		b := &batches[i]
		for _, at := range []schema.Span{b.ShareAt, b.DwellAt, b.SamplesAt} {
			out[asSpan(at)] = fact
		}
	}
	return out
}
