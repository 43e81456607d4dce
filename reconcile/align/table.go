package align

import (
	"strconv"
	"strings"

	"github.com/mattn/go-runewidth"
)

// cell is one cell of a row: what is written, and the room between the bars around it.
type cell struct {
	start, end int
	from, to   int
}

func column(i int) string { return strconv.Itoa(i) }

// cellsOf splits a row at its bars.
func cellsOf(text string, row span) []cell {
	var out []cell
	from := row.start
	if from < row.end && text[from] == '|' {
		from++
	}
	for from <= row.end {
		to := bar(text, from, row.end)
		if to == row.end && from == row.end && len(out) > 0 {
			break // nothing behind the last bar
		}
		inner := text[from:to]
		start := from + len(inner) - len(strings.TrimLeft(inner, " \t\r\n"))
		end := from + len(strings.TrimRight(inner, " \t\r\n"))
		if end < start {
			start, end = min(from+1, to), min(from+1, to)
		}
		out = append(out, cell{start, end, from, to})
		from = to + 1
	}
	return out
}

// bar returns where the next unescaped bar stands, or the end.
func bar(text string, from, end int) int {
	for at := from; at < end; at++ {
		i := strings.IndexByte(text[at:end], '|')
		if i < 0 {
			return end
		}
		if at += i; at == from || text[at-1] != '\\' {
			return at
		}
	}
	return end
}

// width returns how many columns a text takes on a terminal and in a monospaced editor.
func width(s string) int {
	c := runewidth.Condition{StrictEmojiNeutral: true}
	return c.StringWidth(s)
}

// maxLine bounds the lines whose padding is kept.
const maxLine = 4096

// padded reports whether the bars of a row stand below those of the line before and behind it, which the author
// took care of.
func padded(text string, at int) bool {
	start, end := lineStart(text, at), lineEnd(text, at)
	if end-start > maxLine {
		return false
	}
	own := width(strings.TrimRight(text[start:end], "\r\n"))
	like := func(s string) bool {
		s = strings.TrimRight(s, "\r\n")
		return len(s) <= maxLine && strings.Contains(s, "|") && width(s) == own
	}
	before := start > 0 && like(text[max(lineStart(text, start-1), start-maxLine):start])
	behind := end < len(text) && like(text[end:min(lineEnd(text, end), end+maxLine)])
	return before && behind || (before || behind) && spacious(text[start:end]) || before && drawn(text[lineStart(text, start-1):start])
}

// drawn reports whether a line is the rule below a header, and was drawn as long as the columns are wide.
func drawn(line string) bool {
	return strings.Contains(line, "------") && strings.Trim(line, "|-: \t\r\n>") == ""
}

// spacious reports whether some cell of a line has more room than its text needs.
func spacious(line string) bool {
	line = strings.TrimSpace(line)
	for _, c := range cellsOf(line, span{0, len(line)}) {
		if c.to-c.from > c.end-c.start+2 {
			return true
		}
	}
	return false
}

// fill writes a text into the room of a cell: its bars stay where they are as far as the text leaves room.
func (c cell) fill(text, new string) string {
	room := text[c.from:c.to]
	lead, tail := text[c.from:c.start], text[c.end:c.to]
	need := width(new) - width(text[c.start:c.end])
	if strings.ContainsAny(room, "\r\n") || strings.Trim(lead+tail, " ") != "" {
		return lead + new + tail
	}
	right := len(lead) > len(tail) && len(lead) > 1
	pad := &tail
	if right {
		pad = &lead
	}
	*pad = strings.Repeat(" ", max(min(1, len(*pad)), len(*pad)-need))
	return lead + new + tail
}

// row returns a new row of a table, made from the i-th one.
func (l *listing) row(i int, slots []slot, who newcomer) (string, bool) {
	var b strings.Builder
	pos := l.items[i].start
	tidy := padded(l.text, pos)
	for j, c := range l.cells[i] {
		old := l.text[c.start:c.end]
		at := span{c.start, c.end}
		new, known := l.written(at, slots)
		if !known {
			r := l.roleOf(at, "")
			if r == other { // in a code span or bold
				inner := len(old) - len(strings.TrimLeft(old, "`*_"))
				r = l.roleOf(span{at.start + inner, at.start + max(inner, len(strings.TrimRight(old, "`*_")))}, "")
			}
			if r == other && l.owned != "" && strings.Trim(old, "`*_ ") == l.owned {
				r = owner
			}
			text, keep := l.habit(column(j)).carry(old, r, len(l.items), who)
			if new = text; !keep || len(l.items) == 1 && r == other && !who.keepAll {
				new = l.nothing(j)
			}
		}
		new = l.relinked(j, new, who, !known)
		b.WriteString(l.text[pos:c.from])
		if tidy {
			b.WriteString(c.fill(l.text, new))
		} else {
			b.WriteString(l.text[c.from:c.start] + new + l.text[c.end:c.to])
		}
		pos = c.to
	}
	b.WriteString(l.text[pos:l.items[i].end])
	return strings.TrimRight(b.String(), " "), true // rows of AsciiDoc end with a cell, which may be empty
}

// written returns what the slots put into a cell; known is false where none concerns it.
func (l *listing) written(at span, slots []slot) (text string, known bool) {
	if !touches(at, slots) {
		return "", false
	}
	for _, s := range slots {
		if s.drop && s.at.within(at) {
			return "", true
		}
	}
	return splice(l.text, at, slots), true
}

// nothing returns how a column says nothing.
func (l *listing) nothing(j int) string {
	seen := l.habit(column(j)).seen
	for _, text := range []string{"-", "—", "–", "无", "n/a", "N/A"} {
		if seen[text] {
			return text
		}
	}
	return ""
}

// cellAt returns the cell of a document's table that holds a place.
func cellAt(text string, at span) (cell, bool) {
	start, end := lineStart(text, at.start), lineEnd(text, at.start)
	if end-start > maxLine || at.end > end {
		return cell{}, false
	}
	line := strings.TrimRight(text[start:end], " \t\r\n")
	for _, c := range cellsOf(text, span{start + len(line) - len(strings.TrimLeft(line, " \t>")), start + len(line)}) {
		if c.start <= at.start && at.end <= c.end {
			return c, true
		}
	}
	return cell{}, false
}
