package align

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// span is a range of bytes of the file.
type span struct{ start, end int }

func (s span) within(o span) bool { return s.start >= o.start && s.end <= o.end }

func (s span) known() bool { return s.end > s.start }

// layout is how the entries of a list stand beside each other.
type layout struct {
	text string
	// items are the entries in file order; of a mapping's entries, with their keys.
	items []span
	// rows are the whole lines of each entry; nil where entries share lines.
	rows []span
	// commas stand between entries; trailing says that the last has one too.
	commas, trailing bool
	// comment is what opens a comment: "#", "//", or nothing.
	comment string
	// indexed is set for lists whose entries are numbered, in .properties.
	indexed *indexed
	// series are the columns or keys that number the entries.
	series []series
	// fill widens the place of a number in a padded cell; nil where nothing is padded.
	fill func(at span, text string) (span, string)
}

// added is an entry that is put behind the entry after, before the first one where that is -1.
type added struct {
	after int
	text  fresh
	by    cause
	seq   int // its place among all that are added, set by edits
}

// fresh is the text of a new entry: up to its last byte, and what closes its line.
type fresh struct{ head, tail string }

// work is what is to be done to a list.
type work struct {
	removed map[int]cause
	added   []added
}

// lay finds the layout of entries that stand in the text in this order; what is the container's text from its first
// byte, which tells whether a lone entry would be followed by a comma.
func lay(text string, items []span, container byte, comment string) *layout {
	l := &layout{text: text, items: items, comment: comment}
	l.commas = container == '[' || container == '{'
	if len(items) > 1 {
		l.commas = l.comma(0) >= 0
	}
	l.trailing = l.commas && l.comma(len(items)-1) >= 0
	l.rows = l.wholeLines()
	return l
}

// comma returns where the comma behind an entry stands, -1 if there is none.
func (l *layout) comma(i int) int {
	at := l.items[i].end
	for at < len(l.text) && strings.IndexByte(" \t\r\n", l.text[at]) >= 0 {
		at++
	}
	if at < len(l.text) && l.text[at] == ',' {
		return at
	}
	return -1
}

func lineStart(s string, at int) int { return strings.LastIndexByte(s[:at], '\n') + 1 }

// lineEnd returns the byte behind the line's end.
func lineEnd(s string, at int) int {
	if i := strings.IndexByte(s[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(s)
}

// lineBreak returns how the file ends its lines.
func lineBreak(s string) string {
	if i := strings.IndexByte(s, '\n'); i > 0 && s[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// breakBefore returns where the line break before a line starts, the line's start where there is none.
func breakBefore(s string, start int) int {
	return len(strings.TrimSuffix(strings.TrimSuffix(s[:start], "\n"), "\r"))
}

// bareLine returns a text without the line break at its end.
func bareLine(s string) string { return s[:breakBefore(s, len(s))] }

// wholeLines returns the lines of each entry, nil where an entry shares a line with anything but white space, the marks
// before it, a comma and a comment.
func (l *layout) wholeLines() []span {
	rows := make([]span, len(l.items))
	for i, s := range l.items {
		start, end := lineStart(l.text, s.start), lineEnd(l.text, s.end)
		if s.end > s.start && l.text[s.end-1] == '\n' { // block scalars end with their line
			end = s.end
		}
		if !marks(l.text[start:s.start]) {
			return nil
		}
		rest := strings.TrimLeft(l.text[min(s.end, end):end], " \t")
		if l.commas {
			rest = strings.TrimLeft(strings.TrimPrefix(rest, ","), " \t")
		}
		rest = strings.TrimRight(rest, "\r\n")
		if rest != "" && (l.comment == "" || !strings.HasPrefix(rest, l.comment)) {
			return nil
		}
		// A dash on a line of its own belongs to the entry.
		if start > 0 && strings.Trim(l.text[start:s.start], " \t") == "" {
			if up := lineStart(l.text, start-1); strings.TrimSpace(unanchored(l.text[up:start])) == "-" {
				start = up
			}
		}
		if i > 0 && start < rows[i-1].end {
			return nil
		}
		rows[i] = span{start, end}
	}
	return rows
}

// marks reports whether only white space and marks of lists and quotes stand before an entry: dashes with anchors, >.
func marks(s string) bool {
	s = unanchored(s)
	return strings.Trim(s, " \t->\uFEFF") == "" && (strings.Count(s, "-") == 0 || !strings.HasSuffix(s, "-"))
}

// edits returns what the work comes to. The changes that are to be made by it stand beside the edits.
func (l *layout) edits(w work) []placed {
	for i := range w.added {
		w.added[i].seq = i
	}
	if l.indexed != nil {
		return l.indexedEdits(w)
	}
	if l.rows != nil {
		return l.lineEdits(w)
	}
	return l.inlineEdits(w)
}

// placed is an edit and what it is for.
type placed struct {
	start, end int
	text       string
	cause
}

// cause is the change that an edit is part of, and what the edit does.
type cause struct {
	by   *change
	says schema.Text
}

// none reports that nothing is to be done.
func (c cause) none() bool { return c.by == nil }

func place(start, end int, text string, by cause) placed {
	return placed{start, end, text, by}
}
