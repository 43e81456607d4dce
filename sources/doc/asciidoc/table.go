package asciidoc

import (
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/doc/section"
)

// cell is one cell as it stands in the file.
type cell struct {
	section.Cell
	spec
	line int // index of the line on which it starts
	mark int // where its | stands
}

// source is a table's text, taken apart into cells.
type source struct {
	cells []cell
	// firstLine is how many cells the first line has; implied says that it is a header, as the line below it is blank.
	firstLine int
	implied   bool
	blanks    []int // indexes of the cells that follow a blank line
	elsewhere []section.Cell
	end       int
}

// table reads a table, from the line behind its delimiter on.
func (p *parser) table(open line) {
	delimiter := p.text(open)
	if a := attribute(p.attributes, "format"); a != "" && a != "psv" || attribute(p.attributes, "separator") != "" {
		p.skip(delimiter)
		p.out.Unread(0, schema.At(open.start, open.end), schema.Textf("a table in another form than | is not read", "非 | 分隔的表格未读取"))
		return
	}
	s := p.cells(delimiter)
	columns := countColumns(attribute(p.attributes, "cols"))
	if columns == 0 {
		columns = s.firstLine
	}
	if columns == 0 || columns > maxColumns {
		p.out.Text(0)
		return
	}
	rows := s.rows(columns)
	t := section.Table{At: schema.At(open.start, s.end), HeaderAt: schema.At(open.start, open.end), Rule: columns, Elsewhere: s.elsewhere}
	options := attribute(p.attributes, "options") + "," + attribute(p.attributes, "opts") + "," + p.attributes
	if len(rows) > 0 && (has(options, "header") || s.implied && !has(options, "noheader")) && rows[0].Flaw == section.None {
		t.Header, t.HeaderAt = rows[0].Cells, rows[0].At
		t.HeaderText = p.src[t.HeaderAt.Start:t.HeaderAt.End]
		rows = rows[1:]
	} else {
		t.Header = make([]section.Cell, columns)
		t.HeaderText = strconv.Itoa(columns)
	}
	t.Rows = rows
	p.out.Table(0, &t)
}

// maxColumns bounds tables to what people write.
const maxColumns = 1000

// maxCells bounds what repeated cells may add up to.
const maxCells = 1 << 20

// cells takes the lines of a table apart, up to the delimiter that ends it.
func (p *parser) cells(delimiter string) source {
	s := source{}
	textStart, blank := -1, false
	finish := func(end int) {
		if n := len(s.cells); n > 0 && textStart >= 0 {
			s.cells[n-1].Cell = p.cell(textStart, end)
		}
	}
	for index := 0; ; index++ {
		l, ok := p.next()
		if !ok { // the table ends with the file
			s.end = len(p.src)
			finish(s.end)
			break
		}
		text := p.text(l)
		if text == delimiter {
			s.end = l.end
			finish(l.start)
			break
		}
		if text == "" {
			blank = true
			s.implied = s.implied || len(s.cells) > 0 && s.cells[0].line == 0 && index == 1
			continue
		}
		directive, more := preprocessor(text)
		if directive || strings.HasPrefix(text, "//") && !strings.HasPrefix(text, "///") {
			finish(l.start)
			textStart = -1
			if more {
				s.elsewhere = append(s.elsewhere, section.Cell{Text: text, At: schema.At(l.start, l.end)})
			}
			continue
		}
		for from := l.start; ; {
			mark := pipe(p.src, from, l.end)
			if mark < 0 {
				break
			}
			specStart, sp := specBefore(p.src, from, mark)
			finish(specStart)
			if blank {
				s.blanks = append(s.blanks, len(s.cells))
				blank = false
			}
			s.cells = append(s.cells, cell{spec: sp, line: index, mark: specStart})
			textStart, from = mark+1, mark+1
		}
		blank = false
	}
	if len(s.cells) > 0 {
		for _, c := range s.cells {
			if c.line != s.cells[0].line {
				break
			}
			s.firstLine += c.columns * c.repeat
		}
	}
	return s
}

// preprocessor reports a line that AsciiDoc takes out before it reads blocks, and whether it decides about rows: an include
// stands for some, and those behind a condition may not be there.
func preprocessor(text string) (directive, more bool) {
	name, rest, ok := strings.Cut(text, "::")
	if !ok || !strings.HasSuffix(rest, "]") {
		return false, false
	}
	switch name {
	case "include", "ifdef", "ifndef", "ifeval":
		return true, true
	case "endif":
		return true, false
	}
	return false, false
}

// pipe returns where the next | stands that is not escaped, -1 if there is none.
func pipe(s string, from, end int) int {
	for at := from; at < end; at++ {
		i := strings.IndexByte(s[at:end], '|')
		if i < 0 {
			return -1
		}
		at += i
		if at == from || s[at-1] != '\\' {
			return at
		}
	}
	return -1
}

// countColumns returns how many columns the attribute cols names, 0 if none.
func countColumns(cols string) int {
	cols = strings.TrimSpace(cols)
	if n, err := strconv.Atoi(cols); err == nil {
		return min(max(n, 0), maxColumns+1)
	}
	total := 0
	for record := range strings.FieldsFuncSeq(cols, func(r rune) bool { return r == ',' || r == ';' }) {
		record = strings.TrimSpace(record)
		repeat, rest, starred := strings.Cut(record, "*")
		n, err := strconv.Atoi(repeat)
		switch {
		case starred && err == nil && n >= 0:
			total += min(n, maxColumns+1)
		case !starred && strings.Trim(record, "0123456789<^>.%~abcdefghijklmnopqrstuvwxyz") == "":
			total++
		default:
			_ = rest // not a column's specification; it adds none
		}
	}
	return total
}

// attribute returns the value of a named attribute in a block's list of attributes.
func attribute(list, name string) string {
	for from := 0; ; {
		i := strings.Index(list[from:], name+"=")
		if i < 0 {
			return ""
		}
		at := from + i
		from = at + len(name) + 1
		if at > 0 && strings.IndexByte(", \t", list[at-1]) < 0 {
			continue
		}
		value := list[from:]
		if value != "" && (value[0] == '"' || value[0] == '\'') {
			value, _, _ = strings.Cut(value[1:], value[:1])
			return value
		}
		value, _, _ = strings.Cut(value, ",")
		return strings.TrimSpace(value)
	}
}

// has reports whether an option is set, as %name or in a list.
func has(options, name string) bool {
	for option := range strings.FieldsFuncSeq(options, func(r rune) bool { return strings.ContainsRune(",%\"' ", r) }) {
		if option == name || strings.TrimPrefix(option, "options=") == name || strings.TrimPrefix(option, "opts=") == name {
			return true
		}
	}
	return false
}
