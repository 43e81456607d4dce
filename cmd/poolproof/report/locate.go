package report

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/poolproof/poolproof/schema"
)

// Locate fills in the lines and columns of every place of the findings, their related places included, from the byte
// range of the place and the text of its file.
//
// Lines and columns count from 1. A line ends at a line feed. Columns count characters (Unicode code points); a byte
// that is not UTF-8 counts as one, a byte-order mark at the start of the file as none. The end is exclusive: EndColumn is
// the column after the last character, and line breaks at the end of a range do not count, so that a block ends on its
// last line. Ranges beyond the text are cut to it.
//
// Places that already have a line keep it. A finding whose file is known and whose range is not gets line 1, column 1
// and no end, because many formats refuse a finding without a line; related places stay without. Where the text is not
// to be had, the rest stays 0.
//
// Each file is read once, and the work grows with the length of the files and the number of places, not with their
// product.
func Locate(findings []schema.Finding, source Source) {
	type file struct{ name, revision string }
	type group struct {
		places []*schema.Place
		first  int
	}
	groups := map[file]*group{}
	add := func(p *schema.Place) {
		if p.File == "" || p.Line != 0 || !p.Span.Known() {
			return
		}
		key := file{p.File, p.Revision}
		g := groups[key]
		if g == nil {
			g = &group{first: len(groups)}
			groups[key] = g
		}
		g.places = append(g.places, p)
	}
	for i := range findings {
		f := &findings[i]
		if f.At.File != "" && f.At.Line == 0 && !f.At.Span.Known() {
			f.At.Line, f.At.Column = 1, 1
		}
		add(&f.At)
		for j := range f.Related {
			add(&f.Related[j].Place)
		}
	}
	if source == nil {
		return
	}
	// In order of appearance, so that the reads come in the same order in every run.
	ordered := make([]*group, len(groups))
	for _, g := range groups {
		ordered[g.first] = g
	}
	for _, g := range ordered {
		if text, ok := source(*g.places[0]); ok {
			position(text, g.places)
		}
	}
}

// position resolves all places of one text in one sweep over it.
func position(text []byte, places []*schema.Place) {
	type mark struct {
		offset       int
		line, column *int
	}
	marks := make([]mark, 0, 2*len(places))
	for _, p := range places {
		start, end := clampSpan(text, p.Span)
		marks = append(marks, mark{start, &p.Line, &p.Column}, mark{end, &p.EndLine, &p.EndColumn})
	}
	slices.SortFunc(marks, func(a, b mark) int { return cmp.Compare(a.offset, b.offset) })
	at, line, column := 0, 1, 1
	if bytes.HasPrefix(text, []byte(byteOrderMark)) {
		column = 0
	}
	for _, m := range marks {
		between := text[at:m.offset]
		if n := bytes.Count(between, []byte{'\n'}); n > 0 {
			line += n
			column = 1
			between = between[bytes.LastIndexByte(between, '\n')+1:]
		}
		column += utf8.RuneCount(between)
		at = m.offset
		*m.line, *m.column = line, max(column, 1)
	}
}

const (
	byteOrderMark = "\ufeff"
	// How far back line breaks at the end of a range are looked for: thousands of ranges may end behind the same run.
	maxBreaks = 64
)

// clampSpan returns the byte range of a span in a text: inside it, without the line breaks at its end, and cut at whole
// characters.
func clampSpan(text []byte, s schema.Span) (start, end int) {
	start = min(int(s.Start), len(text))
	end = min(max(int(s.End), start), len(text))
	for n := 0; end > start && (text[end-1] == '\n' || text[end-1] == '\r') && n < maxBreaks; n++ {
		end--
	}
	return runeStart(text, start), runeEnd(text, end)
}

// runeStart moves an offset inside a character back to the character's first byte.
func runeStart(text []byte, i int) int {
	for back := 1; back < utf8.UTFMax && back <= i && i < len(text) && !utf8.RuneStart(text[i]); back++ {
		if utf8.RuneStart(text[i-back]) {
			if _, size := utf8.DecodeRune(text[i-back:]); size > back {
				return i - back
			}
			break
		}
	}
	return i
}

// runeEnd moves an offset inside a character to the first byte after it.
func runeEnd(text []byte, i int) int {
	if start := runeStart(text, i); start < i {
		_, size := utf8.DecodeRune(text[start:])
		return start + size
	}
	return i
}
