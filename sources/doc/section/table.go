package section

import (
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/doc/vocabulary"
)

// Flaw says why a row or a table cannot be trusted.
type Flaw uint8

// The flaws of rows and tables. None is a sound one.
const (
	None Flaw = iota
	// Short and Long rows have fewer or more cells than the header.
	Short
	Long
	// RawPipe marks a row with an unescaped | inside a code span, at which the common rule splits the cell.
	RawPipe
	// Loose marks a line of text that became a row because no blank line ends the table.
	Loose
	// Mismatch marks a table whose header and delimiter row differ in cells, which makes it no table for some readers or
	// all.
	Mismatch
	// NoRule marks lines of cells without a delimiter row, which are no table.
	NoRule
)

// Row is one row of a table.
type Row struct {
	Cells []Cell
	At    schema.Span
	Flaw  Flaw
	// Count is how many cells are written; Cells holds those that have a column.
	Count int
}

// Table is a table as it stands in the file.
type Table struct {
	At       schema.Span
	HeaderAt schema.Span
	Header   []Cell
	// HeaderText is the header's source. Tables with equal text have equal headers.
	HeaderText string
	Rows       []Row
	// Elsewhere are lines among the rows that stand for rows written elsewhere: loops of templates, includes.
	Elsewhere []Cell
	Flaw      Flaw
	// Rule is how many cells the delimiter row has.
	Rule int
}

// header is what the columns of a table mean.
type header struct {
	columns []vocabulary.Column
	units   []vocabulary.Unit
	all     vocabulary.Column
	blank   bool     // no header says anything
	near    []string // the known headers that unknown ones were probably meant to be, by column; asked for when needed
	// params are the headers that name parameters, by column; asked for only where the columns say nothing else.
	params []vocabulary.Parameter
}

// header returns what the columns of t mean.
func (b *Builder) header(t *Table) *header {
	if h := b.headers[t.HeaderText]; h != nil && len(h.columns) == len(t.Header) {
		return h
	}
	n := len(t.Header)
	h := &header{columns: make([]vocabulary.Column, n), units: make([]vocabulary.Unit, n), blank: true}
	for i, c := range t.Header {
		h.columns[i], h.units[i] = b.lex.Column(c.Text)
		h.all |= h.columns[i]
		h.blank = h.blank && c.Text == ""
	}
	b.headers[t.HeaderText] = h
	return h
}

// parameters returns how many headers name a parameter.
func (b *Builder) parameters(t *Table, h *header) int {
	if h.params == nil {
		h.params = make([]vocabulary.Parameter, len(t.Header))
		for i, c := range t.Header {
			h.params[i], _ = b.lex.Parameter(c.Text, schema.NoItem)
		}
	}
	n := 0
	for _, p := range h.params {
		if p.Path != "" {
			n++
		}
	}
	return n
}

// has reports whether a column has one of the meanings.
func (h *header) has(meanings vocabulary.Column) bool { return h.all&meanings != 0 }

// column returns the first column with one of the meanings, -1 if there is none.
func (h *header) column(meanings vocabulary.Column) int {
	if h.all&meanings != 0 {
		for i, c := range h.columns {
			if c&meanings != 0 {
				return i
			}
		}
	}
	return -1
}

// member returns the column that says who a member is, -1 if there is none.
func (h *header) member() int {
	for _, m := range []vocabulary.Column{vocabulary.Endpoint, vocabulary.Address, vocabulary.Host, vocabulary.MemberName} {
		if i := h.column(m); i >= 0 {
			return i
		}
	}
	return -1
}

// cell returns a row's cell, empty where the column is -1 or the row is too short.
func (r *Row) cell(column int) Cell {
	if column < 0 || column >= len(r.Cells) {
		return Cell{}
	}
	return r.Cells[column]
}
