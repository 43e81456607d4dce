package section

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/doc/vocabulary"
)

// name is what a parameter's name means, remembered for the file.
type name struct {
	vocabulary.Parameter
	known bool
	entry schema.Entry
	item  schema.Item
	since bool // it names the effective time
	// near is the known name that an unknown one was probably meant to be; asked for once, which sought says.
	near   string
	sought bool
}

type nameKey struct {
	text   string
	within schema.Item
}

func (r *reader) name(text string) name {
	key := nameKey{text, r.within}
	n, ok := r.b.names[key]
	if !ok {
		n.Parameter, n.known = r.b.lex.Parameter(text, r.within)
		n.entry, _ = schema.EntryOf(n.Path)
		n.item = n.Path.Item()
		n.since = r.b.lex.Effective(text)
		r.b.names[key] = n
	}
	return n
}

// settings reads a table with a name and a value a row. Known names go to the model; the others are settings that
// inspect shows. A table of defaults describes a program rather than a pool, so there a name such as Timeout, which says
// not of what, stays a setting; so it does beside the parameters of another item.
func (r *reader) settings() {
	key, value, unit := r.keyColumns()
	if value < 0 || !r.worthReading(key, value) {
		return
	}
	var others bool // the table has parameters of items beside probe and cooldown
	for i := range r.t.Rows {
		switch n := r.name(r.t.Rows[i].cell(key).Text); {
		case !n.known || !n.Qualified:
		case n.item == schema.Decision, n.item == schema.Retry:
			others = true
		case n.item == schema.Probe:
			others = false
		}
	}
	defaults := r.defaults(value)
	var unread unread
	for i := range r.t.Rows {
		row := &r.t.Rows[i]
		if row.Flaw == None && blank(row) {
			continue
		}
		d := r.draft(row)
		if d.copy.Fields == nil {
			d.copy.Fields = make([]schema.Field, 0, min(len(r.t.Rows), 16))
		}
		n := r.name(row.cell(key).Text)
		known := n.known && (n.Qualified || !others && !defaults) && !(n.Count && !r.b.counts(row.cell(value).Text))
		if row.Flaw != None {
			d.shape(r.t, row)
			if known && row.Flaw != Loose {
				d.quiet(place{path: n.Path}, row.cell(key))
			}
			continue
		}
		of := n.Unit
		if of == 0 && unit >= 0 {
			of, _ = r.b.lex.UnitOf(row.cell(unit).Text)
		}
		if of == 0 {
			of = r.h.units[value]
		}
		switch c := row.cell(value); {
		case n.since:
			r.b.since(d.section, c)
		case known:
			d.parameter(n.entry, n.item, c, of)
			unread.understood = true
		default:
			near := ""
			if !n.known && !d.lex.Nothing(c.Text) {
				near = r.near(row.cell(key).Text)
				d.nearParameter(row.cell(key), near)
			}
			if d.setting(row.cell(key), c, of) && near == "" && !n.known && !d.lex.Outside(row.cell(key).Text) {
				unread.add(d, row.cell(key))
			}
		}
	}
	unread.report()
}

// counts reports whether a cell is a plain number, with nothing but what is counted behind it.
func (b *Builder) counts(text string) bool {
	_, err := b.lex.Count(text)
	return err == nil
}

// near returns the parameter that an unknown name was probably meant to be, or nothing.
func (r *reader) near(text string) string {
	key := nameKey{text, r.within}
	n := r.b.names[key]
	if !n.sought {
		n.sought = true
		n.near, _ = r.b.lex.NearParameter(text, r.within)
		r.b.names[key] = n
	}
	return n.near
}

// keyColumns returns the columns of names, values and units; unit is -1 where there is none.
func (r *reader) keyColumns() (key, value, unit int) {
	if r.h.blank {
		return 0, 1, -1
	}
	if value = r.h.column(vocabulary.Value); value < 0 {
		value = r.h.column(vocabulary.Default)
	}
	for i, c := range r.h.columns {
		if i != value && c&vocabulary.Key != 0 {
			return i, value, r.h.column(vocabulary.UnitColumn)
		}
	}
	for i, c := range r.h.columns {
		if i != value && c&(vocabulary.Value|vocabulary.Default|vocabulary.UnitColumn|vocabulary.Pool) == 0 {
			return i, value, r.h.column(vocabulary.UnitColumn)
		}
	}
	return 0, -1, -1
}

// defaults reports whether a column of values holds defaults.
func (r *reader) defaults(value int) bool {
	return !r.h.blank && r.h.columns[value]&vocabulary.Value == 0
}

// worthReading reports whether a table holds any known parameter or any number.
func (r *reader) worthReading(key, value int) bool {
	for i := range r.t.Rows {
		row := &r.t.Rows[i]
		text := row.cell(value).Text
		if text != "" && (text[0] >= '0' && text[0] <= '9' || strings.HasPrefix(text, "０")) {
			return true
		}
		n := r.name(row.cell(key).Text)
		if n.known && (n.Qualified || !r.defaults(value)) || n.since {
			return true
		}
	}
	return false
}

// wide reads a table whose header names the parameters.
func (r *reader) wide() {
	for i := range r.t.Rows {
		row := &r.t.Rows[i]
		if row.Flaw == None && blank(row) {
			continue
		}
		d := r.draft(row)
		if row.Flaw != None {
			d.shape(r.t, row)
		}
		for j, p := range r.h.params {
			c := row.cell(j)
			switch {
			case r.h.columns[j]&vocabulary.Since != 0 && row.Flaw == None && !d.lex.Nothing(c.Text):
				if t, err := r.b.time(c.Text); err == nil {
					d.since(t, c.At)
				} else {
					d.untimed(c)
				}
			case p.Path == "":
			case row.Flaw != None:
				d.quiet(place{path: p.Path}, Cell{Text: cellText(row), At: row.At})
			default:
				entry, _ := schema.EntryOf(p.Path)
				d.parameter(entry, p.Path.Item(), c, p.Unit)
			}
		}
	}
}

// maxText bounds names and values of settings; longer ones are descriptions.
const maxText = 200

// setting keeps a value outside the model under the name that the document gives it. It reports whether that is a number
// or a length of time, as those of the model are; a text is about anything.
func (d *draft) setting(key, value Cell, unit vocabulary.Unit) (tunable bool) {
	text := strings.TrimSpace(value.Text)
	if key.Text == "" || len(key.Text) > maxText || len(text) > maxText || d.lex.Nothing(text) || d.lex.Secret(key.Text) {
		return false
	}
	p := schema.Path(strings.ToValidUTF8(key.Text, "\ufffd"))
	if p.Item() != schema.NoItem || p == Bound || p == Carrier || p == Environment { // no path of the model, though it looks like one
		p = "document." + p
	}
	text, ok := d.said(place{path: p}, value)
	if !ok {
		return false
	}
	v := d.guess(text, unit)
	d.settings = append(d.settings, schema.Field{Path: p, Value: v, At: value.At})
	switch v.Kind() {
	case schema.Duration, schema.Int, schema.Number:
		return true
	}
	_, share, err := d.lex.Share(text)
	return share && err == nil
}

// guess returns the value of a setting whose type nobody knows: a duration, number or boolean if it looks like one.
func (d *draft) guess(text string, unit vocabulary.Unit) schema.Value {
	switch text {
	case "true", "false":
		return schema.BoolOf(text == "true")
	}
	if c := text[0]; c >= '0' && c <= '9' {
		if v, err := d.lex.Duration(text, max(unit, 0)); err == nil {
			return schema.DurationOf(v)
		}
		if f, marked, err := d.lex.Share(text); err == nil && !marked {
			if f == float64(int64(f)) && !strings.Contains(text, ".") {
				return schema.IntOf(int64(f))
			}
			return schema.NumberOf(f)
		}
	}
	return schema.TextOf(strings.ToValidUTF8(text, "\ufffd"))
}
