package evidence

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
)

// Grants tell which exceptions of change orders and which markers of files count for head: those that the base already
// had. They are what audit.Options wants for the audit of head.
type Grants struct {
	orders  map[string][]*schema.ChangeOrder
	markers map[string]int
}

// GrantsOf reads them from the base.
func GrantsOf(base *load.Loaded) *Grants {
	g := &Grants{orders: map[string][]*schema.ChangeOrder{}, markers: map[string]int{}}
	for _, f := range base.Files {
		for i := range f.Result.Orders {
			o := &f.Result.Orders[i]
			g.orders[o.ID] = append(g.orders[o.ID], o)
		}
		for _, m := range f.Markers {
			g.markers[strings.TrimSpace(m.Text)]++
		}
	}
	return g
}

// Granted reports whether the exceptions of an order of head count.
func (g *Grants) Granted(o *schema.ChangeOrder) bool {
	return slices.ContainsFunc(g.orders[o.ID], func(b *schema.ChangeOrder) bool { return b.Digest == o.Digest && b.Valid })
}

// Marked reports whether a marker of head counts: the base has it word for word, in whatever file.
func (g *Grants) Marked(_, text string) bool { return g.markers[strings.TrimSpace(text)] > 0 }

// markers are the places of the markers of head that the base does not have.
func (j *judge) markers() []schema.Place {
	g := GrantsOf(j.base.Loaded)
	if j.report.first {
		return nil
	}
	var out []schema.Place
	for _, f := range j.head.Loaded.Files {
		for _, m := range f.Markers {
			if !g.Marked(f.Path, m.Text) {
				out = append(out, schema.Place{Side: j.head.manifest.Sources[f.Source].Side, File: f.Path, Revision: j.head.Revision, Span: m.At})
			}
		}
	}
	return out
}
