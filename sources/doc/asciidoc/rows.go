package asciidoc

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/doc/section"
)

// spec is what stands directly before a cell's |: how many columns and rows it spans, or how often it is repeated.
type spec struct{ columns, rows, repeat int }

// maxSpan bounds spans and repetitions.
const maxSpan = 1000

// specBefore reads the specification of the cell whose | stands at mark; start is where it, or the | itself, starts.
// A specification follows a blank or starts the line.
func specBefore(s string, from, mark int) (start int, sp spec) {
	sp = spec{1, 1, 1}
	at := mark
	for at > from && s[at-1] != ' ' && s[at-1] != '\t' {
		at--
	}
	if at == mark || at == from && from > 0 && s[from-1] == '|' {
		return mark, sp
	}
	text := s[at:mark]
	i := 0
	number := func() int {
		n := 0
		for i < len(text) && text[i] >= '0' && text[i] <= '9' {
			n = min(n*10+int(text[i]-'0'), maxSpan)
			i++
		}
		return max(n, 1)
	}
	columns, rows := number(), 1
	if i < len(text) && text[i] == '.' && i+1 < len(text) && text[i+1] >= '0' && text[i+1] <= '9' {
		i++
		rows = number()
	}
	switch {
	case i > 0 && i < len(text) && text[i] == '+':
		sp.columns, sp.rows = columns, rows
		i++
	case i > 0 && i < len(text) && text[i] == '*':
		sp.repeat = columns
		i++
	case i > 0:
		return mark, spec{1, 1, 1}
	}
	for _, marks := range []string{"<^>", ".", "<^>"} { // alignment
		if i < len(text) && strings.IndexByte(marks, text[i]) >= 0 {
			i++
		}
	}
	if i < len(text) && strings.IndexByte("adehlmsv", text[i]) >= 0 {
		i++
	}
	if i < len(text) {
		return mark, spec{1, 1, 1}
	}
	return at, sp
}

// rows lays the cells out. Cells may stand on one line or on several. Where the numbers do not add up, a row that a line
// or a blank line cuts short, or that a line overfills, is flawed, and the next line starts a new one.
func (s *source) rows(columns int) []section.Row {
	g := grid{columns: columns, carried: make([]int, columns), above: make([]section.Cell, columns)}
	total := 0
	for _, c := range s.cells {
		total += c.columns * c.rows * c.repeat
	}
	uneven, blanks := total%columns != 0, s.blanks
	for i := 0; i < len(s.cells) && g.placed < maxCells; {
		n, width := 0, 0
		for i+n < len(s.cells) && s.cells[i+n].line == s.cells[i].line {
			width += s.cells[i+n].columns * s.cells[i+n].repeat
			n++
		}
		for len(blanks) > 0 && blanks[0] < i {
			blanks = blanks[1:]
		}
		behindBlank := len(blanks) > 0 && blanks[0] == i
		if len(g.row) > 0 && (width > g.missing() || uneven && behindBlank) {
			g.flush(section.Short)
		}
		whole := width <= g.missing() || g.missing() == columns && width%columns == 0
		for _, c := range s.cells[i : i+n] {
			if c.columns > 1 && c.columns >= columns && len(g.row) == 0 {
				continue // a label across the table is no row of values
			}
			for range c.repeat {
				g.place(c, whole)
			}
		}
		if !whole {
			g.flush(section.Long)
		}
		i += n
	}
	if len(g.row) > 0 {
		g.flush(section.Short)
	}
	return g.rows
}

// grid places cells into rows.
type grid struct {
	columns int
	rows    []section.Row
	row     []section.Cell
	at      schema.Span
	count   int
	placed  int
	// carried is for how many more rows a column is taken by the cell above.
	carried []int
	above   []section.Cell
}

// missing returns how many columns the current row still lacks.
func (g *grid) missing() int {
	n := 0
	for i := len(g.row); i < g.columns; i++ {
		if g.carried[i] == 0 {
			n++
		}
	}
	return n
}

// carry fills the columns into which cells of the rows above reach.
func (g *grid) carry() {
	for i := len(g.row); i < g.columns && g.carried[i] > 0; i++ {
		g.carried[i]--
		g.row = append(g.row, g.above[i])
	}
}

// place puts a cell into the next free column. A row that is full ends, unless the line overfills it.
func (g *grid) place(c cell, whole bool) {
	g.placed++
	g.count++
	g.at = schema.Join(g.at, schema.Span{Start: uint32(c.mark), End: max(c.At.End, uint32(c.mark)+1)})
	put := c.Cell
	for range c.columns {
		g.carry()
		column := len(g.row)
		if column == g.columns {
			break
		}
		if c.rows > 1 {
			g.carried[column], g.above[column] = c.rows-1, put
		}
		g.row = append(g.row, put)
		put = section.Cell{} // a cell that spans columns is the first one's
	}
	if whole && g.missing() == 0 {
		g.carry()
		g.flush(section.None)
	}
}

func (g *grid) flush(f section.Flaw) {
	g.rows = append(g.rows, section.Row{Cells: g.row, At: g.at, Flaw: f, Count: g.count})
	g.row, g.at, g.count = nil, schema.Span{}, 0
}
