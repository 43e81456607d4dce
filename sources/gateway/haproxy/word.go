package haproxy

import (
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
)

// word is one argument of a line.
type word struct {
	// text is the word without quotes and escapes. Environment variables that HAProxy would expand stand in it as
	// ${NAME}, template outputs as they are written.
	text string
	at   schema.Span
	// templated: part of the text comes from a template.
	templated bool
	// exact: the text is the bytes from start to end.
	exact bool
}

func (w word) scalar() bind.Scalar { return bind.Scalar{Text: w.text, At: w.at} }

// part returns the place of text[from:to] inside the word, the whole word where quotes or escapes hide it.
func (w word) part(from, to int) schema.Span {
	if !w.exact {
		return w.at
	}
	return schema.At(int(w.at.Start)+from, int(w.at.Start)+to)
}

// line is one line of the file.
type line struct {
	words      []word
	in         []*block // innermost template block around each word
	start, end int      // the bytes of the line, without its end
	tpl, dot   *block   // innermost template and .if block at the first word
	// opaque: part of the line stands for an unknown number of lines.
	opaque bool
}

// span returns the place of the line's words; of a line without words, of the line.
func (l *line) span() schema.Span {
	if len(l.words) == 0 {
		return schema.At(l.start, l.end)
	}
	return schema.Join(l.words[0].at, l.words[len(l.words)-1].at)
}

// builder collects the text of a word piece by piece; a word without quotes and marks is never copied.
type builder struct {
	on        bool
	start     int
	from      int // start of the piece that is not yet in buf
	buf       []byte
	changed   bool
	templated bool
	// markAt and markEnd are the last run of marks in the word, which does not count as part of it at its end.
	markAt, markEnd int
	before          bool // changed, before that run
}

func (b *builder) begin(i int) {
	if !b.on {
		b.on, b.start, b.from = true, i, i
		b.buf, b.changed, b.templated, b.markEnd = b.buf[:0], false, false, -1
	}
}

// cut leaves out the bytes from i to j.
func (b *builder) cut(text string, i, j int) {
	b.buf = append(b.buf, text[b.from:i]...)
	b.from, b.changed = j, true
}

// mark leaves out a template mark from i to j.
func (b *builder) mark(text string, i, j int) {
	if b.markEnd != i {
		b.markAt, b.before = i, b.changed
	}
	b.cut(text, i, j)
	b.markEnd = j
}

// finish returns the word that ends before i.
func (b *builder) finish(text string, i int) word {
	b.on = false
	end := i
	w := word{templated: b.templated, exact: !b.changed}
	if b.changed && b.markEnd == i {
		end, w.exact = b.markAt, !b.before
	}
	w.at = schema.At(b.start, end)
	if w.exact {
		w.text = text[b.start:end]
	} else {
		w.text = string(append(b.buf, text[b.from:i]...))
	}
	return w
}
