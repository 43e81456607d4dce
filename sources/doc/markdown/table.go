package markdown

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/doc/section"
)

// endParagraph reports the paragraph that ends: the tables in it, and the lines around them.
func (p *parser) endParagraph() {
	depth, lines := len(p.open), p.para
	p.para = p.para[:0]
	for {
		rule := p.tableIn(lines)
		if rule == 0 {
			p.text(depth, lines)
			return
		}
		p.text(depth, lines[:rule-1])
		end := rule + 1
		for end < len(lines) && tagOf(p.src[lines[end].start:lines[end].end]) != tagEnd {
			end++
		}
		p.readTable(depth, lines[rule-1:end])
		lines = lines[end:]
	}
}

// text reports the lines of a paragraph: a line may hold an effective time, and lines of cells may be meant as a table.
func (p *parser) text(depth int, lines []line) {
	if len(lines) == 0 {
		return
	}
	p.out.Text(depth)
	for _, l := range lines {
		if l.end > l.start {
			p.out.Line(depth, p.src[l.start:l.end], l.start)
		}
	}
	if len(lines) > 1 && p.cellsOnly(lines) {
		p.fill(lines[0], lines[1:], -1)
		p.table.Flaw = section.NoRule
		p.out.Table(depth, &p.table)
	}
}

// cellsOnly reports whether every line starts and ends with a |, as the rows of a table do.
func (p *parser) cellsOnly(lines []line) bool {
	for _, l := range lines {
		if l.end-l.start < 2 || p.src[l.start] != '|' || p.src[l.end-1] != '|' {
			return false
		}
	}
	return true
}

// tableIn returns the index of the delimiter row of the table in a paragraph, 0 if there is none. The line before it is
// the header, whether or not their cells match.
func (p *parser) tableIn(lines []line) int {
	for i := 1; i < len(lines); i++ {
		if l := lines[i]; !l.deep && isRule(p.src[l.start:l.end]) {
			return i
		}
	}
	return 0
}

// isRule reports whether a line without the white space around it is a delimiter row: cells of dashes with colons. A
// line of dashes alone underlines a heading.
func isRule(s string) bool {
	if s == "" || s[0] != '|' && s[0] != '-' && s[0] != ':' {
		return false
	}
	dashes, marks := 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '-':
			dashes++
		case c == '|' || c == ':' || isSpace(c):
			marks++
		default:
			return false
		}
	}
	return dashes > 0 && marks > 0 && ruleCells(s) > 0
}

// ruleCells returns how many cells a delimiter row has, 0 if one of them is none.
func ruleCells(s string) int {
	n := 0
	s = strings.TrimPrefix(s, "|")
	s = strings.TrimSuffix(s, "|")
	for {
		cell, rest, more := strings.Cut(s, "|")
		cell = strings.TrimFunc(cell, func(r rune) bool { return r < 0x80 && isSpace(byte(r)) })
		cell = strings.TrimPrefix(cell, ":")
		cell = strings.TrimSuffix(cell, ":")
		if cell == "" || strings.Trim(cell, "-") != "" {
			return 0
		}
		n++
		if !more {
			return n
		}
		s = rest
	}
}

// columns returns how many cells a line has.
func (p *parser) columns(l line) int {
	n, _ := p.split(l, 0)
	return n
}

// readTable reports a table: its header, its delimiter row, and its rows.
func (p *parser) readTable(depth int, lines []line) {
	columns := p.columns(lines[1])
	if got := p.fill(lines[0], lines[2:], columns); got != columns {
		p.table.Flaw = section.Mismatch
	}
	p.table.Rule = columns
	p.table.At = schema.At(lines[0].start, lines[len(lines)-1].end)
	p.out.Table(depth, &p.table)
}

// fill splits header and rows into the parser's table, whose memory is used again and again, and returns how many cells
// the header has. The rows have columns cells, or as many as the header where it is negative.
func (p *parser) fill(header line, rows []line, columns int) int {
	t := &p.table
	p.cells = p.cells[:0]
	*t = section.Table{Rows: t.Rows[:0], HeaderAt: schema.At(header.start, header.end), HeaderText: p.src[header.start:header.end]}
	t.At = t.HeaderAt
	n, _ := p.split(header, len(p.src))
	t.Header = p.cells[0:n:n]
	if columns < 0 {
		columns = n
	}
	piped := strings.IndexByte(t.HeaderText, '|') >= 0
	for _, l := range rows {
		switch text := p.src[l.start:l.end]; tagOf(text) {
		case tagMore:
			t.Elsewhere = append(t.Elsewhere, section.Cell{Text: text, At: schema.At(l.start, l.end)})
			continue
		case tagStatement:
			continue
		}
		from := len(p.cells)
		count, raw := p.split(l, columns)
		row := section.Row{At: schema.At(l.start, l.end), Count: count, Cells: p.cells[from:len(p.cells):len(p.cells)]}
		switch {
		case raw:
			row.Flaw = section.RawPipe
		case piped && strings.IndexByte(p.src[l.start:l.end], '|') < 0:
			row.Flaw = section.Loose
		case count == columns:
		case count < columns:
			row.Flaw = section.Short
		default:
			row.Flaw = section.Long
		}
		t.Rows = append(t.Rows, row)
	}
	return n
}

// split appends the cells of a line, up to most, and returns how many there are. raw reports a | that splits a code
// span.
func (p *parser) split(l line, most int) (count int, raw bool) {
	start, end := l.start, l.end
	if start < end && p.src[start] == '|' {
		start++
	}
	last := -1 // where the last }} of the line stands
	if strings.Contains(p.src[start:end], "{{") {
		if i := strings.LastIndex(p.src[start:end], "}}"); i >= 0 {
			last = start + i
		}
	}
	for start <= end {
		stop := 0
		if last < 0 {
			stop = p.pipe(start, end)
		} else {
			stop = p.pipeOutside(start, end, last)
		}
		if stop == end && count > 0 && start == end { // nothing behind the last |
			break
		}
		if count < most {
			p.cells = append(p.cells, p.cell(start, stop))
		}
		count++
		start = stop + 1
	}
	return count, strings.IndexByte(p.src[l.start:l.end], '`') >= 0 && p.rawPipe(l)
}

// pipe returns where the next | stands that ends a cell, end if there is none.
func (p *parser) pipe(start, end int) int {
	for at := start; ; {
		i := strings.IndexByte(p.src[at:end], '|')
		if i < 0 {
			return end
		}
		at += i
		if at == start || p.src[at-1] != '\\' {
			return at
		}
		at++
	}
}

// Bounds of what is done for one row or cell: the length in which code spans are paired, and how often the end of a code
// span, link or tag is looked for.
const (
	maxRaw   = 4096
	maxTries = 64
)

// rawPipe reports whether a | stands unescaped inside what is a code span of the whole line.
func (p *parser) rawPipe(l line) bool {
	s := p.src[l.start:l.end]
	if len(s) > maxRaw {
		return false
	}
	for i, tries := 0, 0; i < len(s) && tries < maxTries; i++ {
		if s[i] != '`' {
			continue
		}
		n := run(s, i, len(s))
		end := closeTicks(s, i+n, n)
		tries++
		if end < 0 {
			i += n - 1
			continue
		}
		for j := i + n; j < end; j++ {
			if s[j] == '|' && s[j-1] != '\\' {
				return true
			}
		}
		i = end + n - 1
	}
	return false
}

// closeTicks returns where a run of exactly n backticks starts at or behind from; -1 if there is none.
func closeTicks(s string, from, n int) int {
	for i := from; i < len(s); i++ {
		if s[i] == '`' {
			m := run(s, i, len(s))
			if m == n {
				return i
			}
			i += m - 1
		}
	}
	return -1
}
