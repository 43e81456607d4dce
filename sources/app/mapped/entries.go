package mapped

import (
	"math"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
)

// memberEntries reads one member for each match of the path.
func (p *poolReader) memberEntries(e *expr) {
	hits, ok := p.entries(e)
	if !ok {
		return
	}
	found := make([]int, len(p.plan.attributes))
	var nameless []schema.Unresolved
	for _, h := range hits {
		if at, ok := p.memberEntry(h, found); !ok {
			nameless = append(nameless, schema.Unresolved{Path: memberPath(p.index), Raw: p.identities(), At: at})
		}
		p.index++
	}
	if len(hits) == 0 {
		return
	}
	// A key that some entries lack is not said there; a path that none has is a mistake in the map or the file.
	identities, lost := 0, 0
	for i, a := range p.plan.attributes {
		if identity(a.name) {
			identities++
		}
		if found[i] > 0 {
			continue
		}
		if identity(a.name) {
			lost++
		}
		p.copy.Unresolve(schema.Path("members."+a.name), a.expr.text, p.copy.ItemAt[schema.Members])
	}
	if identities == lost {
		p.copy.Complete = false
		return
	}
	p.copy.Unresolved = append(p.copy.Unresolved, nameless...)
}

// identity reports whether an attribute says which member it is.
func identity(name string) bool {
	return name == "address" || name == "socket" || name == "provider" || name == "model"
}

// memberEntry reads one member; found counts the entries in which each attribute was there. named is false for an entry
// that holds nothing to call the member by.
func (p *poolReader) memberEntry(h match, found []int) (at schema.Span, named bool) {
	m := schema.Member{At: h.place()}
	if h.entry {
		m.At = schema.Join(h.keyAt, m.At)
	}
	ok := true
	path := memberPath(p.index)
	values := make([]bind.Scalar, len(p.plan.attributes))
	for i, a := range p.plan.attributes {
		hits, _ := a.expr.from(h)
		if len(hits) == 0 {
			continue
		}
		found[i]++
		if listAttribute(a.name) {
			if items, at, good := p.texts(path+"."+schema.Path(a.name), hits); good {
				m.Extra = append(m.Extra, schema.Field{Path: schema.Path(a.name), Value: schema.ListOf(items...), At: at})
			}
			continue
		}
		s, isScalar := scalar(hits[0])
		if !isScalar && hits[0].null() {
			continue // not said
		}
		field := path + "." + schema.Path(a.name)
		if identity(a.name) || a.name == "port" {
			field = path
		}
		if s, isScalar = p.one(field, a.expr.text, hits); !isScalar {
			if field == path {
				return m.At, true
			}
			continue
		}
		values[i] = s
		named = named || identity(a.name)
	}
	for i, a := range p.plan.attributes {
		// The first thing that leaves the member unknown is enough: one entry counts once.
		if ok && values[i].At.Known() {
			ok = p.attribute(&m, a.name, path, values[i])
		}
	}
	if ok && named {
		p.copy.Members = append(p.copy.Members, m)
	}
	return m.At, named
}

// identities lists the paths that could have named the member.
func (p *poolReader) identities() string {
	var out []string
	for _, a := range p.plan.attributes {
		if identity(a.name) {
			out = append(out, a.expr.text)
		}
	}
	return strings.Join(out, ", ")
}

func listAttribute(name string) bool {
	return name == "interfaces" || name == "shares" || name == "features"
}

// attribute sets one attribute of a member. It reports false where the member stays unknown for lack of it; a bad
// weight or flag costs only itself.
func (p *poolReader) attribute(m *schema.Member, name string, path schema.Path, s bind.Scalar) bool {
	field := path + "." + schema.Path(name)
	switch name {
	case "address":
		return p.address(m, path, s)
	case "port":
		return p.port(m, path, s)
	case "socket":
		return p.identityText(&m.Socket, path, s)
	case "provider":
		return p.identityText(&m.Provider, path, s)
	case "model":
		return p.identityText(&m.Model, path, s)
	case "from":
		p.origin(m, field, s)
	case "weight":
		m.Weight, m.HasWeight = p.binder.IntValue(field, s, 0, math.MaxInt64)
		m.WeightAt = placeIf(m.HasWeight, s)
	case "priority":
		m.Priority, m.HasPriority = p.binder.IntValue(field, s, math.MinInt64, math.MaxInt64)
		m.PriorityAt = placeIf(m.HasPriority, s)
	case "backup":
		if v, ok := p.binder.BoolValue(field, s); ok {
			m.Backup, m.BackupAt = schema.TriOf(v), s.At
		}
	case "state":
		p.state(m, field, s)
	default:
		p.extra(m, name, field, s)
	}
	return true
}

func placeIf(ok bool, s bind.Scalar) schema.Span {
	if ok {
		return s.At
	}
	return schema.Span{}
}
