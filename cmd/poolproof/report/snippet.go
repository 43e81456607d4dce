package report

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"github.com/poolproof/poolproof/schema"
)

// How much of a line around a value is looked at, in bytes on either side: lines of megabytes exist, and a terminal
// shows a hundred cells.
const lineWindow = 1 << 9

const tabWidth = 4

// cells measures text in terminal cells. It does not follow the locale of the process: a report has the same bytes
// everywhere.
func cells(s string) int { return measure().StringWidth(s) }

func measure() *runewidth.Condition { return &runewidth.Condition{StrictEmojiNeutral: true} }

// excerpt is one source line, ready to be shown, with the part that is meant.
type excerpt struct {
	line   int
	before string // all of them escaped, tabs expanded, cut to a width
	marked string
	after  string
}

// excerpts returns the source lines to show for a place: the one on which it starts and, where it spans several, the one
// on which it ends. Nothing is returned without a text or a known range.
func excerpts(src []byte, p *schema.Place, width int) []excerpt {
	if !p.Span.Known() || p.Line == 0 || int(p.Span.Start) > len(src) {
		return nil
	}
	start, end := clampSpan(src, p.Span)
	stop := end
	if p.EndLine > p.Line {
		stop = len(src)
		if i := bytes.IndexByte(src[start:min(len(src), start+lineWindow)], '\n'); i >= 0 {
			stop = start + i
		}
	}
	list := []excerpt{cut(src, start, stop, width)}
	list[0].line = p.Line
	if p.EndLine > p.Line {
		lead := runeStart(src, max(0, end-lineWindow))
		if i := bytes.LastIndexByte(src[lead:end], '\n'); i >= 0 {
			lead += i + 1
			for lead < end && (src[lead] == ' ' || src[lead] == '\t') {
				lead++
			}
		}
		last := cut(src, lead, end, width)
		last.line = p.EndLine
		list = append(list, last)
	}
	return list
}

// cut takes the line around [start, end) out of a text and fits it into width cells, so that the start of the marked
// part is always seen.
func cut(src []byte, start, end, width int) excerpt {
	lo := max(0, start-lineWindow)
	clippedLeft := lo > 0
	if i := bytes.LastIndexByte(src[lo:start], '\n'); i >= 0 {
		lo, clippedLeft = lo+i+1, false
	} else if lo > 0 {
		lo = runeStart(src, lo)
	}
	hi := min(len(src), start+lineWindow)
	clippedRight := hi < len(src)
	if i := bytes.IndexByte(src[start:hi], '\n'); i >= 0 {
		hi, clippedRight = start+i, false
	} else if clippedRight {
		hi = runeStart(src, hi)
	}
	if !clippedRight && hi > start && src[hi-1] == '\r' {
		hi--
	}
	end = min(max(end, start), hi)
	if end == hi {
		end = start + len(bytes.TrimRight(src[start:end], " \t"))
	}
	line := src[lo:hi]
	if lo == 0 {
		line = bytes.TrimPrefix(line, []byte(byteOrderMark))
		lo = hi - len(line)
		start, end = max(start, lo), max(end, lo)
	}
	d := display{secrets: secrets(line)}
	e := excerpt{before: d.part(line, 0, start-lo), marked: d.part(line, start-lo, end-lo), after: d.part(line, end-lo, len(line))}
	e.fit(width, clippedLeft, clippedRight)
	return e
}

// display writes a line in parts, remembering how far right it is.
type display struct {
	column  int
	secrets []byteRange
}

// part returns line[from:to] as it is shown: escaped, tabs expanded, secrets masked.
func (d *display) part(line []byte, from, to int) string {
	var b strings.Builder
	plain := from
	flush := func(upTo int) {
		if plain < upTo {
			s := visible(string(line[plain:upTo]))
			d.column += cells(s)
			b.WriteString(s)
		}
	}
	for i := from; i < to; {
		for len(d.secrets) > 0 && d.secrets[0].end <= i {
			d.secrets = d.secrets[1:]
		}
		switch {
		case len(d.secrets) > 0 && d.secrets[0].start <= i:
			flush(i)
			if i == d.secrets[0].start || i == from {
				b.WriteString(mask)
				d.column += len(mask)
			}
			i = min(d.secrets[0].end, to)
			plain = i
		case line[i] == '\t':
			flush(i)
			n := tabWidth - d.column%tabWidth
			b.WriteString(strings.Repeat(" ", n))
			d.column += n
			i++
			plain = i
		default:
			i++
		}
	}
	flush(to)
	return b.String()
}

const ellipsis = "…"

// fit cuts the parts to width cells together: first what follows, then what precedes, then the marked part itself.
func (e *excerpt) fit(width int, left, right bool) {
	m := measure()
	before, marked, after := m.StringWidth(e.before), m.StringWidth(e.marked), m.StringWidth(e.after)
	if left || before+marked+after > width {
		// A third of the width leads up to the value, or more where the rest is short.
		room := max(width/3, width-marked-after)
		if left || before > room {
			e.before = ellipsis + lastCells(e.before, max(0, min(room, before)-1))
			before = m.StringWidth(e.before)
		}
	}
	if room := width - before; marked > room {
		e.marked, e.after = truncate(m, e.marked, max(room, 2)), ""
		return
	}
	switch room := max(width-before-marked, 1); {
	case after > room:
		e.after = truncate(m, e.after, room)
	case right:
		e.after += ellipsis
	}
}

// truncate cuts a text to n cells, the mark of the cut included. A joiner whose second half is cut off goes with it.
func truncate(m *runewidth.Condition, s string, n int) string {
	t := m.Truncate(s, n, ellipsis)
	if t == s {
		return s
	}
	return strings.TrimRight(strings.TrimSuffix(t, ellipsis), "\u200d") + ellipsis
}

// lastCells returns the end of s that takes at most n cells.
func lastCells(s string, n int) string {
	m := measure()
	i, width := len(s), 0
	for i > 0 {
		r, size := utf8.DecodeLastRuneInString(s[:i])
		if width += m.RuneWidth(r); width > n {
			break
		}
		i -= size
	}
	// What has no width belongs to a character that was cut off.
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		if m.RuneWidth(r) > 0 {
			break
		}
		i += size
	}
	return s[i:]
}
