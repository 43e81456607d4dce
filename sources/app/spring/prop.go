package spring

import (
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
)

// prop is one element of the property tree: what the application sees of all files and documents together. Its name
// is relaxed: wait-duration, waitDuration and WAIT_DURATION are one element.
type prop struct {
	name string      // as written, without brackets
	at   schema.Span // of the name
	node *data.Node  // the value, nil where there is none
	// valueAt is where the value stands; of a block, where the block stands.
	valueAt schema.Span
	// list: the children are the entries of a list, which a later source replaces as a whole.
	list bool
	kids []*prop
	key  string // the name as it is compared
	// index finds the children by key, once there are many.
	index map[string]int
	// merged: the value came through a YAML merge key, over which an explicit one wins.
	merged bool
}

// relaxed is the form in which names are compared: without case, '-' and '_'. Names with other characters stand in
// brackets and are compared as they are.
func relaxed(name string) string {
	same := true
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
		case c >= 'A' && c <= 'Z', c == '-', c == '_':
			same = false
		default:
			return name
		}
	}
	if same {
		return name
	}
	short := make([]byte, 0, len(name))
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c >= 'A' && c <= 'Z':
			short = append(short, c+('a'-'A'))
		case c != '-' && c != '_':
			short = append(short, c)
		}
	}
	if len(short) == 0 {
		return name
	}
	return string(short)
}

// child returns the element of a name, nil if there is none. A nil prop has no children.
func (p *prop) child(name string) *prop {
	if p == nil {
		return nil
	}
	return p.find(relaxed(name))
}

// manyKids is from how many children on they are looked up in a map.
const manyKids = 8

func (p *prop) find(key string) *prop {
	if p.index != nil {
		if i, ok := p.index[key]; ok {
			return p.kids[i]
		}
		return nil
	}
	for _, kid := range p.kids {
		if kid.key == key {
			return kid
		}
	}
	return nil
}

// get follows names from p; nil as soon as one is missing.
func (p *prop) get(names ...string) *prop {
	for _, n := range names {
		p = p.child(n)
	}
	return p
}

// entries returns the children of a prop, which may be nil.
func (p *prop) entries() []*prop {
	if p == nil {
		return nil
	}
	return p.kids
}

// grow returns the child of a name, which is added if it is new.
func (p *prop) grow(name string, at schema.Span) *prop {
	key := relaxed(name)
	if kid := p.find(key); kid != nil {
		return kid
	}
	kid := &prop{name: name, key: key, at: at}
	p.kids = append(p.kids, kid)
	switch {
	case p.index != nil:
		p.index[key] = len(p.kids) - 1
	case len(p.kids) == manyKids:
		p.index = make(map[string]int, 2*manyKids)
		for i, kid := range p.kids {
			p.index[kid.key] = i
		}
	}
	return kid
}

// clear removes the children.
func (p *prop) clear() { p.kids, p.index = nil, nil }

// overlay puts a later source over p: values and lists replace, mappings merge.
func (p *prop) overlay(o *prop) {
	if o.node != nil {
		p.node, p.valueAt, p.merged = o.node, o.valueAt, o.merged
		if p.list {
			p.list = false
			p.clear()
		}
	}
	if o.list || p.list && len(o.kids) > 0 {
		p.list, p.kids, p.index, p.valueAt = o.list, o.kids, o.index, o.valueAt
		if o.list {
			p.node = nil
		}
		return
	}
	if !p.valueAt.Known() {
		p.valueAt = o.valueAt
	}
	for _, kid := range o.kids {
		mine := p.grow(kid.name, kid.at)
		mine.overlay(kid)
	}
}

// scalar returns the value of a prop; ok is false where it has none.
func (p *prop) scalar() (bind.Scalar, bool) {
	if p == nil {
		return bind.Scalar{}, false
	}
	s, ok := bind.Of(p.node)
	s.At = p.valueAt
	return s, ok
}

// place is where a block or value stands, with its name.
func (p *prop) place() schema.Span { return schema.Join(p.at, p.valueAt) }
