package setting

import (
	"slices"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/profile"
)

// Completed returns a copy that also writes what an engine of that name and version uses where c is silent: the defaults
// of its profile, for the items that c writes, and the values that it silently changes. c itself is left alone.
func Completed(c *schema.Copy, engine string, v profile.Version) *schema.Copy {
	p, ok := profile.Lookup(engine)
	if !ok || p.Complete == nil {
		return c
	}
	full := *c
	full.Fields = slices.Clone(c.Fields)
	for _, e := range p.Complete(c, v) {
		if !e.Value.Said() {
			continue
		}
		i := slices.IndexFunc(full.Fields, func(f schema.Field) bool { return f.Path == e.Path })
		switch {
		case i < 0:
			full.Fields = append(full.Fields, schema.Field{Path: e.Path, Value: e.Value})
		case e.Clamped:
			full.Fields[i].Value = e.Value
		}
	}
	return &full
}

// Number returns a number, whole or not, def where none is written.
func (r *Reader) Number(p schema.Path, def float64) float64 {
	if v, ok := r.Value(p); ok && (v.Kind() == schema.Number || v.Kind() == schema.Int) {
		return v.Number()
	}
	return def
}
