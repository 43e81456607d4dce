package section

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/doc/vocabulary"
)

// Settings outside the model by which a copy says how it came about.
const (
	// Bound marks a copy that a comment binds to its pool; its text is "true".
	Bound schema.Path = "bound"
	// Carrier marks a copy that says nothing about its pool and only carries problems; its text is "true".
	Carrier schema.Path = "carrier"
	// Environment is the environment that a comment says the copy is about.
	Environment schema.Path = "environment"
)

// draft is a copy in the making.
type draft struct {
	copy    schema.Copy
	lex     *vocabulary.Lexicon
	vars    map[string]string
	holder  func(text string) bool // the format's own placeholders
	section int
	// open: the member list stands for members that are not written.
	open bool
	// entries counts the entries of the member list, with those that could not be read.
	entries int
	// settings are the values outside the model; kept apart, so that model values are found fast.
	settings []schema.Field
	// table is the place of the table that is being read.
	table schema.Span
}

// empty reports whether the draft says nothing about its pool.
func (d *draft) empty() bool {
	for item := schema.Members; item < schema.Items; item++ {
		if d.copy.States(item) {
			return false
		}
	}
	n := len(d.settings) + len(d.copy.Unresolved) + len(d.copy.Fields)
	for _, p := range []schema.Path{Bound, Environment} {
		if _, said := d.copy.Get(p); said {
			n--
		}
	}
	return n == 0
}

type draftKey struct {
	section   int
	pool, env string
	column    bool // the pool stands in a column of the table, not in a comment
}

// draft returns the copy that the next table belongs to: that of the comment m, of the pool that the row names, or of
// the section.
func (b *Builder) draft(m *marker, pool *Cell) *draft {
	at := b.top()
	key := draftKey{section: at}
	switch {
	case pool != nil:
		key.pool, key.column = pool.Text, true
	case m != nil && m.pool.Text != "":
		key.pool = m.pool.Text
	}
	if m != nil {
		key.env = m.env.Text
	}
	own := key.pool == "" && key.env == "" // the section's own copy
	if own {
		if s := &b.sections[at]; s.draft != nil {
			return s.draft
		}
	} else if d := b.keyed[key]; d != nil {
		return d
	}
	d := &draft{lex: b.lex, vars: b.in.Vars, holder: b.placeholder, section: at}
	c := &d.copy
	c.Side, c.Format, c.Profile, c.Env, c.Files = b.in.Source.Side, b.format, b.in.Source.Profile, b.in.Source.Env, b.files[:1:1]
	if key.env != "" { // said of this table, which counts more than what is said of the file
		c.Env = key.env
		c.Set(Environment, schema.TextOf(key.env), m.env.At)
	}
	switch {
	case key.column:
		c.Pool, c.PoolAt, c.Candidates = pool.Text, pool.At, []schema.Name{{Text: pool.Text, At: pool.At}}
	case key.pool != "":
		c.Pool, c.PoolAt = m.pool.Text, m.pool.At
		c.Set(Bound, schema.TextOf("true"), m.at)
	default:
		c.Candidates = b.candidates(at)
		c.Pool, c.PoolAt = c.Candidates[0].Text, c.Candidates[0].At
	}
	if own {
		b.sections[at].draft = d
	} else {
		if b.keyed == nil {
			b.keyed = map[draftKey]*draft{}
		}
		b.keyed[key] = d
	}
	b.drafts = append(b.drafts, d)
	return d
}

// candidates returns the names that a section could be bound by, nearest first: each enclosing heading's text, the same
// without the number of the section, then the code spans in it. A table above every heading gets one empty name, which
// is no pool's.
func (b *Builder) candidates(at int) []schema.Name {
	out := make([]schema.Name, 0, 4)
	for i := at; i > 0; i = b.sections[i].parent {
		s := &b.sections[i]
		for j := -2; j < len(s.code); j++ {
			c := s.title
			switch {
			case j >= 0:
				c = s.code[j]
			case j == -1:
				c = unnumbered(c)
			}
			name := schema.Name{Text: c.Text, At: c.At}
			if c.Text != "" && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	if len(out) == 0 {
		out = append(out, schema.Name{})
	}
	return out
}

// set writes a value of the model. The same setting in one table twice is a mistake in the table, and the last counts;
// in two tables of a section the first counts, as it does between sections.
func (d *draft) set(p schema.Path, v schema.Value, at schema.Span) {
	old, ok := d.copy.Get(p)
	if !ok { // the item's place is that of the table
		d.copy.Fields = append(d.copy.Fields, schema.Field{Path: p, Value: v, At: at})
		return
	}
	if old.Value == v {
		return
	}
	problem := schema.Problem{
		Rule: "source/duplicate-key", At: at, Item: p.Item(), Field: p.Leaf(), Got: v.String(), Want: old.Value.String(),
		Text:    schema.Textf("%s is written twice: %s here, %s above", "%s 写了两次：此处 %s，前面 %s", p, v, old.Value),
		Hint:    schema.Textf("keep one of the two", "只保留其中一个"),
		Related: []schema.Note{{At: old.At, Label: schema.Textf("first written here", "首次出现")}},
	}
	if old.At.Start < d.table.Start {
		problem.Rule = "pool/duplicate"
		d.copy.Report(problem)
		return
	}
	d.copy.Report(problem)
	d.copy.Set(p, v, at)
}

// stated marks an item as written in the table that is being read.
func (d *draft) stated(i schema.Item) { d.copy.Touch(i, d.table) }

// place names a value: by its path, or as an entry of a list or a value of such an entry. The path of an entry is put
// together only where somebody asks for it.
type place struct {
	path  schema.Path
	list  string // "members" or "ramp.batches", where path is empty
	index int
	leaf  string
}

// Path returns what the value is called. An entry that cannot be told at all goes by the list's name and its index,
// whatever value of it was the reason.
func (p place) Path() schema.Path {
	if p.path != "" {
		return p.path
	}
	path := schema.Path(p.list + "[" + strconv.Itoa(p.index) + "]")
	if p.leaf == "" || p.entry() {
		return path
	}
	return path + "." + schema.Path(p.leaf)
}

// entry reports whether the value decides which member the entry is.
func (p place) entry() bool { return p.leaf == "address" || p.leaf == "port" && p.list == members }

// field returns the name of the value for findings.
func (p place) field() string {
	if p.path != "" {
		return p.path.Leaf()
	}
	return p.leaf
}

// Names of lists.
const (
	members = "members"
	batches = "ramp.batches"
)

// said readies a cell's text for reading: full-width forms folded, placeholders filled in. ok is false where the cell
// says nothing or stands for a value that is written elsewhere, which is then recorded.
func (d *draft) said(p place, c Cell) (text string, ok bool) {
	if plain(c.Text) {
		return c.Text, !d.lex.Nothing(c.Text)
	}
	text, wide := schema.Fold(c.Text)
	text = strings.TrimRight(strings.Trim(text, " \u00a0"), "。")
	if d.lex.Nothing(text) {
		return "", false
	}
	if wide && hasWideDigit(c.Text) {
		d.copy.Report(schema.Problem{
			Rule: "source/scalar-hazard", Severity: schema.Warning, At: c.At, Item: p.Path().Item(), Field: p.field(), Got: c.Text, Want: text,
			Text: schema.Textf("%q is written with full-width digits; read as %q", "%q 含全角数字；按 %q 读取", c.Text, text),
			Hint: schema.Textf("write it as %s", "请写成 %s", text),
		})
	}
	if text, ok = bind.Expand(text, d.vars, bind.Common); !ok || d.holder != nil && d.holder(text) {
		d.copy.Unresolve(p.Path(), c.Text, c.At)
		return "", false
	}
	return text, true
}

// plain reports whether a text is ASCII without marks of templates.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 0x80, c == '{', c == '$', c == '<':
			return false
		}
	}
	return true
}

func hasWideDigit(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= '０' && r <= '９' }) >= 0
}

// refuse reports a value that cannot be read and counts it as unresolved. A text with marks that people put where a
// value belongs (<host>, {port}) is a placeholder, and no mistake.
func (d *draft) refuse(p place, c Cell, rule string, text, hint schema.Text) {
	if open := strings.IndexAny(c.Text, "<{"); open >= 0 && strings.IndexAny(c.Text[open:], ">}") >= 0 {
		d.copy.Unresolve(p.Path(), c.Text, c.At)
		return
	}
	if d.lex.Inexact(c.Text) {
		d.quiet(p, c)
		d.copy.Report(schema.Problem{
			Rule: "source/unresolved", At: c.At, Item: p.Path().Item(), Field: p.field(), Got: c.Text,
			Text: schema.Textf("%s: %q is no exact value: it is not compared and accuses nobody", "%s：%q 不是确切的值：不参与比较，也不据此指责任何一方", p.Path(), c.Text),
			Hint: schema.Textf("write the value that is configured", "请写明实际配置的值"),
		})
		return
	}
	b := bind.Binder{Copy: &d.copy, Vars: d.vars, Syntax: bind.Common}
	b.Refuse(p.Path(), bind.Scalar{Text: c.Text, At: c.At}, rule, text, hint)
	d.copy.Problems[len(d.copy.Problems)-1].Field = p.field()
}

// quiet counts a value as unresolved of which a finding speaks already.
func (d *draft) quiet(p place, c Cell) {
	d.copy.Unresolved = append(d.copy.Unresolved, schema.Unresolved{Path: p.Path(), Raw: c.Text, At: c.At, Quiet: true})
}

// since notes an effective time that a row of the draft's own tables gives; the latest counts.
func (d *draft) since(t time.Time, at schema.Span) {
	if d.copy.Effective.Before(t) || !d.copy.EffectiveAt.Known() {
		d.copy.Effective, d.copy.EffectiveAt = t, at
	}
}
