// Package section turns the headings, tables and effective lines of a document into copies. It knows nothing of the
// markup: the readers of Markdown and AsciiDoc hand it plain cells with their places, in file order.
package section

import (
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/doc/vocabulary"
)

// Cell is a piece of text without its markup, and where it stands without its markup.
type Cell struct {
	Text string
	At   schema.Span
	// Struck says that a part of the cell is struck out. That part is not in Text: whoever struck it out took it back.
	Struck bool
}

// Builder collects what a document says. Its methods are called in file order; depth is how many quotes and list items
// a block stands in, so that a heading inside a quote ends with the quote.
type Builder struct {
	in     sources.Input
	format string
	lex    *vocabulary.Lexicon
	// placeholder, which may be nil, reports marks of the format that stand for a value written elsewhere.
	placeholder func(text string) bool

	sections []section // the first is the document before its first heading
	open     []int     // the enclosing sections, outermost first
	pending  *marker   // a binding comment that waits for its table
	drafts   []*draft
	keyed    map[draftKey]*draft
	headers  map[string]*header
	names    map[nameKey]name
	files    []string
}

// section is a heading and what stands below it, up to the next heading of its level.
type section struct {
	parent       int // index of the enclosing section, -1 for the document itself
	level, depth int
	title        Cell
	code         []Cell
	item         schema.Item // that the heading names
	marker       *marker     // that holds for the whole section
	empty        bool        // nothing but comments stands below the heading yet
	effective    time.Time
	effectiveAt  schema.Span
	unreadable   *Cell  // the effective time, where it cannot be read
	draft        *draft // what the section says about the pool that its headings name
}

// New returns a builder for one file. placeholder may be nil; it reports marks of the format, beyond those that every
// file may hold, that stand for a value written elsewhere.
func New(in sources.Input, format string, placeholder func(text string) bool) *Builder {
	b := &Builder{
		in: in, format: format, lex: vocabulary.Builtin().With(in.Vocabulary), placeholder: placeholder,
		sections: []section{{parent: -1}}, open: []int{0},
		headers: map[string]*header{}, names: map[nameKey]name{},
		files: []string{in.Path},
	}
	return b
}

// maxCode bounds the code spans of a heading that are tried as names.
const maxCode = 8

// Heading opens a section. code are the code spans in the title. A heading that is an effective time belongs to the
// section above it: "### 生效时刻：2026-11-01".
func (b *Builder) Heading(depth, level int, title Cell, code []Cell) {
	b.leave(depth)
	b.pending = nil
	if b.effective(title.Text, int(title.At.Start)) {
		b.sections[b.top()].empty = false
		return
	}
	for len(b.open) > 1 {
		top := &b.sections[b.open[len(b.open)-1]]
		if top.depth < depth || top.depth == depth && top.level < level {
			break
		}
		b.open = b.open[:len(b.open)-1]
	}
	s := section{
		parent: b.open[len(b.open)-1], level: level, depth: depth, title: title,
		code: append([]Cell(nil), code[:min(len(code), maxCode)]...), item: b.lex.Item(title.Text), empty: true,
	}
	b.open = append(b.open, len(b.sections))
	b.sections = append(b.sections, s)
}

// leave closes the sections of quotes and list items that have ended.
func (b *Builder) leave(depth int) {
	for len(b.open) > 1 && b.sections[b.open[len(b.open)-1]].depth > depth {
		b.open = b.open[:len(b.open)-1]
	}
}

// top returns the index of the section that a block belongs to.
func (b *Builder) top() int { return b.open[len(b.open)-1] }

// Text notes that the section has content of which nothing is read.
func (b *Builder) Text(depth int) {
	b.leave(depth)
	b.sections[b.top()].empty = false
}

// Unread notes a table that is not read, and why.
func (b *Builder) Unread(depth int, at schema.Span, what schema.Text) {
	b.leave(depth)
	b.report(schema.Problem{Rule: "source/skipped", At: at, Text: what,
		Hint: schema.Textf("write it as a table of pipes and dashes to have it compared", "如需比对，请改写为普通表格")})
	b.sections[b.top()].empty = false
}

// report adds a problem to the section's copy, which is made for it if there is none.
func (b *Builder) report(p schema.Problem) {
	d := b.draft(b.marked(), nil)
	d.copy.Report(p)
}

// Result returns the copies, in file order.
func (b *Builder) Result() sources.Result {
	r := sources.Result{}
	if len(b.drafts) == 0 {
		return r
	}
	r.Copies = make([]schema.Copy, 0, len(b.drafts))
	for _, d := range b.drafts {
		if b.finish(d) {
			r.Copies = append(r.Copies, d.copy)
		}
	}
	return r
}

// finish adds to a draft what only the whole document decides. It reports false for a draft that says nothing at all.
func (b *Builder) finish(d *draft) bool {
	c := &d.copy
	c.Complete = c.States(schema.Members) && !d.open
	if d.empty() {
		if len(c.Problems) == 0 {
			return false
		}
		c.Set(Carrier, schema.TextOf("true"), c.Problems[0].At)
	}
	c.Fields = append(c.Fields, d.settings...)
	for i := d.section; i >= 0 && !c.EffectiveAt.Known(); i = b.sections[i].parent {
		s := &b.sections[i]
		c.Effective, c.EffectiveAt = s.effective, s.effectiveAt
		if s.unreadable != nil {
			d.untimed(*s.unreadable)
		}
	}
	return true
}
