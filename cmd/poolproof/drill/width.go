package drill

import (
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
)

// cells returns how many cells a text takes. Signs of which some fonts make two cells count as one, wherever this runs.
func cells(s string) int {
	c := runewidth.Condition{}
	return c.StringWidth(s)
}

// pad fills a text up to a width.
func pad(s string, width int) string { return s + strings.Repeat(" ", max(0, width-cells(s))) }

// padLeft fills a text up to a width, in front of it.
func padLeft(s string, width int) string { return strings.Repeat(" ", max(0, width-cells(s))) + s }

// fold breaks a name or value into lines of a width, further ones a little to the right. Nothing of it is lost: what tells
// one row from the next may stand at its end. Where no line is wrapped, it stays whole.
func (p *printer) fold(s string, width int) []string {
	if p.whole || cells(s) <= width {
		return []string{s}
	}
	indent := strings.Repeat(" ", len(s)-len(strings.TrimLeft(s, " "))+2)
	width = max(width, len(indent)+8)
	var lines []string
	line := ""
	for _, part := range parts(s, width-len(indent)) {
		if line != "" && cells(line)+cells(strings.TrimRight(part, " ")) > width {
			lines = append(lines, strings.TrimRight(line, " "))
			line = indent
		}
		for cells(line)+cells(strings.TrimRight(part, " ")) > width { // one part is wider than the line
			c := runewidth.Condition{}
			head := c.Truncate(part, width-cells(line), "")
			if head == "" {
				break
			}
			lines = append(lines, line+head)
			line, part = indent, part[len(head):]
		}
		line += part
	}
	return append(lines, strings.TrimRight(line, " "))
}

// parts cuts a name where people would: after spaces and between wide characters, and words that are wider than a width
// after signs that join their parts.
func parts(s string, width int) []string {
	var list []string
	for _, piece := range pieces(s) {
		start := 0
		if cells(strings.TrimRight(piece, " ")) <= width {
			list = append(list, piece)
			continue
		}
		for i := 0; i+1 < len(piece); i++ {
			if strings.IndexByte("-/,;:._", piece[i]) >= 0 && i > start {
				list = append(list, piece[start:i+1])
				start = i + 1
			}
		}
		list = append(list, piece[start:])
	}
	return list
}

// wrapped writes a text from a file after words of our own, in lines that fit, the further ones indented alike. Words
// longer than a line stay whole, so that they can be copied.
func (p *printer) wrapped(before, text string) {
	text = report.ShownText(text)
	if p.whole {
		p.raw(before, text)
		return
	}
	room := max(p.t.Width-cells(before), 30)
	indent := strings.Repeat(" ", cells(before))
	at := 0
	var line strings.Builder
	flush := func() {
		p.raw(before, line.String())
		before = indent
		line.Reset()
		at = 0
	}
	for _, word := range pieces(text) {
		if w := cells(word); at > 0 && at+cells(strings.TrimRight(word, " ")) > room {
			flush()
			word = strings.TrimLeft(word, " ")
			line.WriteString(word)
			at = cells(word)
		} else {
			line.WriteString(word)
			at += w
		}
	}
	if at > 0 || before != indent {
		p.raw(before, line.String())
	}
}

// pieces cuts a text where a line may end: after spaces, and between wide characters.
func pieces(text string) []string {
	var list []string
	start := 0
	wide := false
	for i, r := range text {
		now := runewidth.RuneWidth(r) == 2
		// No line starts with a closing sign.
		if i > start && (text[i-1] == ' ' && r != ' ' || (wide || now) && !strings.ContainsRune("，。；：、）》」？！,.;:)", r) && text[i-1] != '(') {
			list = append(list, text[start:i])
			start = i
		}
		wide = now
	}
	if start < len(text) {
		list = append(list, text[start:])
	}
	return list
}

// columns returns how wide the columns of a table have to be.
func columns(rows [][]string) []int {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], cells(cell))
		}
	}
	return widths
}

func tableWidth(indent string, rows [][]string) int {
	total := cells(indent) - 2
	for _, w := range columns(rows) {
		total += w + 2
	}
	return total
}

// table writes rows under a head, in columns as wide as they have to be; the first column and those that left names are
// to the left, the others to the right. What is too wide for a line is folded in the first column.
func (p *printer) table(indent string, left map[int]bool, rows [][]string, paint func(row, column int, cell string) string) {
	if len(rows) == 0 {
		return
	}
	widths := columns(rows)
	if over := tableWidth(indent, rows) - p.t.Width; over > 0 && !p.whole {
		widths[0] = max(min(widths[0], leastName), widths[0]-over)
	}
	p.grid(indent, widths, left, rows, paint)
}

// leastName is how wide a column of names stays, whatever stands beside it.
const leastName = 16

// grid writes rows in columns of given widths. A cell that is wider takes several lines.
func (p *printer) grid(indent string, widths []int, left map[int]bool, rows [][]string, paint func(row, column int, cell string) string) {
	for n, row := range rows {
		cellLines := make([][]string, len(row))
		height := 0
		for i, cell := range row {
			cellLines[i] = p.fold(cell, widths[i])
			height = max(height, len(cellLines[i]))
		}
		for k := range height {
			line := []string{indent}
			for i := range row {
				cell := ""
				if k < len(cellLines[i]) {
					cell = cellLines[i][k]
				}
				if i == 0 || left[i] {
					cell = pad(cell, widths[i])
				} else {
					cell = padLeft(cell, widths[i])
				}
				if paint != nil && strings.TrimSpace(cell) != "" {
					cell = paint(n, i, cell)
				}
				if i > 0 {
					line = append(line, "  ")
				}
				line = append(line, cell)
			}
			p.raw(line...)
		}
	}
}
