package judge

import (
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/schema/judge/internal/table"
)

// IssueKind is what is wrong with a value.
type IssueKind uint8

// The kinds of issues.
const (
	// Invalid: the value is of the right kind and outside what is accepted.
	Invalid IssueKind = iota
	// WrongKind: a text where a number should be, a list where a mapping should be.
	WrongKind
	// UnknownKey: a key that the grammar does not have.
	UnknownKey
	// Missing: a key that must be there is not.
	Missing
	// NoUnit: a bare number, quoted or not, where a duration stands.
	NoUnit
	// Unit: a unit where a plain number stands.
	Unit
	// BadKey: a name that is not of the form that names have here.
	BadKey
	// More: further issues that are not worded; Count says how many.
	More
)

// Issue is one place where a document leaves the grammar.
type Issue struct {
	Kind IssueKind
	// Path leads from the judged node to the value: "members[2].port". For unknown and missing keys it ends with the key.
	Path string
	// Key is the key that is unknown or missing.
	Key string
	// At is the value; for an unknown key, the key; for a missing one, the mapping that lacks it.
	At schema.Span
	// Got is what stands there: a scalar's text, or the kind of a collection in words. Empty for missing and unknown keys.
	Got string
	// Want says what is accepted, in words.
	Want schema.Text
	// Near is the nearest known key or text, empty if none is near. A key that belongs to another mapping nearby is
	// written with its path.
	Near string
	// Node is the refused value; for a missing key, the mapping that lacks it.
	Node Tree
	// Brief: a document with very many issues; only Kind, At and Node are filled in.
	Brief bool
	// Count is how many issues an issue of kind More stands for.
	Count int

	kind  Kind
	enum  bool // only certain texts are accepted, and several of them
	open  bool // the table cannot tell: CUE's word alone counts
	owner owner
	inner string // Path from owner.node
	// alternatives are those of a type that none of fits the node's kind.
	alternatives []uint16
}

// maxWorded is how many issues of one document are told in full.
const maxWorded = 200

// report records an issue about node n, which was judged by type ti.
func (w *walker) report(i Issue, ti uint16, n Tree) {
	w.failed = true
	if w.probing {
		return
	}
	i.Node, i.owner = n, w.owner
	if len(w.issues) >= maxWorded {
		i.Brief = true
		if !i.At.Known() {
			i.At = n.At()
		}
		w.issues = append(w.issues, i)
		return
	}
	if i.Kind == UnknownKey || i.Kind == Missing {
		w.path = append(w.path, step{key: i.Key})
		defer func() { w.path = w.path[:len(w.path)-1] }()
	} else {
		i.At = n.At()
	}
	i.Path, i.inner = pathText(w.path), pathText(w.path[w.owner.depth:])
	d := describer{w.table}
	switch i.Kind {
	case UnknownKey:
		t := &w.table.Types[ti]
		if i.Want = d.keyList(t); d.keys(t) == nil && len(t.Rest) > 0 {
			i.Kind = BadKey
		} else {
			i.Near = w.near(ti, i.Key)
		}
	case Missing:
		t := &w.table.Types[ti]
		if f := indexOf(t.Fields, i.Key, 0); f >= 0 {
			i.Want = d.types([]uint16{t.Fields[f].Type})
		}
	default:
		types := i.alternatives
		if types == nil {
			types = []uint16{ti}
		}
		i.Want = d.types(types)
		w.refused(&i, d.flat(types), n)
	}
	w.issues = append(w.issues, i)
}

// near returns the key that an unknown key of a mapping of type ti was meant to be: one of the mapping's own, else one
// that belongs to a mapping inside or around it, as after a slip of indentation.
func (w *walker) near(ti uint16, key string) string {
	d := describer{w.table}
	t := &w.table.Types[ti]
	if k := nearest(key, d.keys(t)); k != "" {
		return k
	}
	for _, f := range t.Fields {
		for _, inner := range d.flat([]uint16{f.Type}) {
			if indexOf(inner.Fields, key, 0) >= 0 {
				return f.Name + "." + key
			}
		}
	}
	for n := len(w.path) - 2; n >= 0; n-- {
		if w.path[n].list {
			continue
		}
		parent := &w.table.Types[w.path[n].parent]
		k := nearest(key, d.keys(parent))
		if indexOf(parent.Fields, key, 0) >= 0 {
			k = key
		}
		if k != "" {
			return pathText(append(w.path[:n:n], step{key: k}))
		}
	}
	return ""
}

// refused fills in what stands there, and recognises units that are missing or too many.
func (w *walker) refused(i *Issue, types []*table.Type, n Tree) {
	if n.Kind() >= Map || n.Kind() == Null {
		i.kind = n.Kind()
		return
	}
	text := n.Text()
	i.Got = clip(text)
	var duration, number bool
	i.enum = true
	words := 0
	for _, t := range types {
		i.enum = i.enum && t.Enum != nil
		words += len(t.Enum)
		duration = duration || t.Pattern == table.Duration
		number = number || t.Kinds&table.Number != 0
		if near := nearest(text, t.Enum); near != "" {
			i.Near = near
		}
	}
	i.enum = i.enum && words > 1
	switch {
	case duration && !number && isNumber(text):
		i.Kind = NoUnit
	case number && !duration && i.kind == String && hasUnit(text):
		i.Kind = Unit
	}
}

// isNumber reports whether a text is a number and nothing else.
func isNumber(s string) bool {
	s = strings.TrimSpace(s)
	_, err := strconv.ParseFloat(s, 64)
	return err == nil && !notFinite(s) && strings.IndexByte("+-.0123456789", s[0]) >= 0
}

// hasUnit reports whether a text is a number with a unit: "30s", "5 %", "100ms".
func hasUnit(s string) bool {
	s = strings.TrimSpace(s)
	if s != "" && (s[0] == '-' || s[0] == '+') {
		s = s[1:]
	}
	n := digits(s)
	if n < len(s) && s[n] == '.' {
		n += 1 + digits(s[n+1:])
	}
	rest := strings.TrimSpace(s[n:])
	if n == 0 || rest == "" {
		return false
	}
	return rest == "%" || unit(rest) == len(rest) || isDuration(s)
}

// maxShown is how many bytes of a refused text are shown.
const maxShown = 60

func clip(s string) string {
	if len(s) <= maxShown {
		return s
	}
	cut := maxShown
	for cut > 0 && s[cut]&0xC0 == 0x80 {
		cut--
	}
	return s[:cut] + "..."
}

func pathText(path []step) string {
	var b strings.Builder
	for _, s := range path {
		if s.list {
			b.WriteByte('[')
			b.WriteString(strconv.Itoa(s.index))
			b.WriteByte(']')
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		if plainKey(s.key) {
			b.WriteString(s.key)
		} else {
			b.WriteString(strconv.Quote(clip(s.key)))
		}
	}
	return b.String()
}

// plainKey reports whether a key can stand in a path without quotes.
func plainKey(s string) bool {
	return s != "" && len(s) <= maxShown && strings.IndexFunc(s, func(r rune) bool {
		return r == '.' || r == '[' || r == ']' || r == '"' || r <= ' ' || r == 0x7f || r == 0xfffd
	}) < 0
}
