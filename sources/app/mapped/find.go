package mapped

import (
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
)

// match is a place that a path leads to.
type match struct {
	node *data.Node
	// key is the last key on the way, and keyAt where it stands.
	key   string
	keyAt schema.Span
	// entry: the node is the value of that key, not an entry of a list or a document.
	entry bool
}

// place is where a match stands, with its key.
func (m match) place() schema.Span {
	if m.node == nil {
		return m.keyAt
	}
	return m.node.Place()
}

// null reports a key without a value.
func (m match) null() bool { return m.node == nil || m.node.Kind == data.Null }

// scalar returns what stands there as one value. Of a key of .properties that also has keys below it, that is the value
// under the empty key.
func scalar(m match) (bind.Scalar, bool) {
	if inner := m.node.Get(""); inner.Scalar() {
		return bind.Of(inner)
	}
	return bind.Of(m.node)
}

// find follows the path from each of the starting points. Where it leads nowhere, near is the deepest place on the way.
func (e *expr) find(from []match) (hits []match, near schema.Span) {
	if len(from) > 0 {
		near = from[0].place()
	}
	here := from
	for _, s := range e.steps {
		var next []match
		for _, m := range here {
			next = s.follow(m, next)
		}
		if len(next) == 0 {
			return nil, near
		}
		here, near = next, next[0].place()
	}
	return here, near
}

// lists follows the path up to its closing wildcard and returns the collections that it goes through there, of the kind
// that the wildcard asks for. ok is false where the path does not close with a wildcard.
func (e *expr) lists(from []match) (found []match, ok bool) {
	n := len(e.steps) - 1
	if n < 0 {
		return nil, false
	}
	kind := data.List
	switch e.steps[n].kind {
	case everyKey:
		kind = data.Map
	case everyItem:
	default:
		return nil, false
	}
	head := expr{steps: e.steps[:n]}
	hits, _ := head.find(from)
	for _, h := range hits {
		if h.node != nil && h.node.Kind == kind {
			found = append(found, h)
		}
	}
	return found, true
}

// follow appends what one step leads to from m.
func (s step) follow(m match, out []match) []match {
	if m.node == nil {
		return out
	}
	switch s.kind {
	case byKey:
		if p := m.node.Pair(s.key); p != nil {
			return append(out, match{p.Value, p.Key, p.KeyAt, true})
		}
	case everyKey:
		if m.node.Kind == data.Map {
			for i := range m.node.Pairs {
				p := &m.node.Pairs[i]
				out = append(out, match{p.Value, p.Key, p.KeyAt, true})
			}
		}
	case byIndex:
		if m.node.Kind == data.List && s.index < len(m.node.Items) {
			return append(out, match{m.node.Items[s.index], m.key, m.keyAt, false})
		}
	case everyItem:
		if m.node.Kind == data.List {
			for _, item := range m.node.Items {
				out = append(out, match{item, m.key, m.keyAt, false})
			}
		}
	}
	return out
}

// from follows a path that is relative to a match: "." and "value" are the match itself where it is a scalar, and "key"
// is its key. What an entry itself holds under these names wins, except for the key of a mapping's entry.
func (e *expr) from(m match) (hits []match, near schema.Span) {
	if len(e.steps) == 0 {
		return []match{m}, m.place()
	}
	if s := e.steps[0]; len(e.steps) == 1 && s.kind == byKey && !s.quoted {
		switch {
		case s.key == "key" && m.keyAt.Known() && (m.entry || m.node.Pair("key") == nil):
			key := &data.Node{Kind: data.String, Style: data.Quoted, Text: m.key, At: m.keyAt}
			return []match{{node: key, key: m.key, keyAt: m.keyAt}}, m.keyAt
		case s.key == "value" && m.node.Scalar():
			return []match{m}, m.place()
		}
	}
	return e.find([]match{m})
}
