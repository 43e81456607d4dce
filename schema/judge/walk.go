package judge

import (
	"math/bits"

	"github.com/poolproof/poolproof/schema/judge/internal/table"
)

// step is one element of a path: a key of a mapping of type parent, or an index if list is set.
type step struct {
	key    string
	parent uint16
	index  int
	list   bool
}

// owner is the nearest value around an issue that is judged by a named definition: what CUE is asked about.
type owner struct {
	def   string
	node  Tree
	depth int // length of the path to it
}

// walker judges one document by the table.
type walker struct {
	table  *table.Table
	state  func(Tree) State
	path   []step
	owner  owner
	issues []Issue
	// probing: only whether there is an issue matters, so that nothing is worded.
	probing bool
	failed  bool
	steps   [16]step // where path starts out
}

// value judges a node by the type of index ti.
func (w *walker) value(ti uint16, n Tree) {
	t := &w.table.Types[ti]
	k := n.Kind()
	if k < Map {
		w.scalar(ti, t, n, k)
		return
	}
	if w.state != nil && w.state(n) == Cut {
		return
	}
	if t.Has(table.Opaque) {
		w.report(Issue{Kind: Invalid, open: true}, ti, n)
		return
	}
	if t.Alts != nil {
		if ti = w.choose(t, n, k); ti == noType {
			return
		}
		t = &w.table.Types[ti]
	}
	switch {
	case t.Kinds&(1<<k) == 0:
		w.report(Issue{Kind: WrongKind}, ti, n)
	case k == Map:
		outer := w.owner
		if t.Name != "" {
			w.owner = owner{t.Name, n, len(w.path)}
		}
		w.mapping(ti, t, n)
		w.owner = outer
	case !t.Has(table.AnyElem):
		for i := range n.Len() {
			w.path = append(w.path, step{index: i, list: true})
			w.value(t.Elem, n.Child(i))
			w.path = w.path[:len(w.path)-1]
		}
	}
}

func (w *walker) scalar(ti uint16, t *table.Type, n Tree, k Kind) {
	text := n.Text()
	state := Written
	if w.state != nil {
		state = w.state(n)
	}
	var v verdict
	switch state {
	case Cut:
		return
	case Filled:
		k, v = filled(w.table, t, text)
	default:
		v = scalar(w.table, t, k, text)
	}
	switch v {
	case accepted:
	case unknown:
		w.report(Issue{Kind: Invalid, kind: k, open: true}, ti, n)
	case wrongForm:
		w.report(Issue{Kind: Invalid, kind: k}, ti, n)
	default:
		w.report(Issue{Kind: WrongKind, kind: k}, ti, n)
	}
}

// filled judges a text whose kind is not known: as a text, else as what a plain scalar of that text would be. It returns
// the kind under which it was judged.
func filled(tab *table.Table, t *table.Type, text string) (Kind, verdict) {
	v := scalar(tab, t, String, text)
	if v == accepted {
		return String, v
	}
	k := plainKind(text)
	if k == String {
		return k, v
	}
	if u := scalar(tab, t, k, text); u < v || u == accepted {
		return k, u
	}
	return String, v
}

// noType says that no alternative is of the node's kind, or that one accepts it.
const noType = ^uint16(0)

// choose returns the alternative that a mapping or list is judged by: noType if one accepts it, or if none fits and that
// has been reported.
func (w *walker) choose(t *table.Type, n Tree, k Kind) uint16 {
	best, score := noType, -1
	several := false
	var leaves [8]uint16
	for _, ti := range leavesOf(w.table, leaves[:0], t) {
		alt := &w.table.Types[ti]
		if alt.Has(table.Opaque) {
			w.report(Issue{Kind: Invalid, open: true}, ti, n)
			return noType
		}
		if alt.Kinds&(1<<k) == 0 {
			continue
		}
		several = several || best != noType
		if s := known(alt, n, k); s > score {
			best, score = ti, s
		}
	}
	if best == noType {
		w.report(Issue{Kind: WrongKind, alternatives: t.Alts}, noType, n)
		return noType
	}
	if several && w.any(t, n, k) {
		return noType
	}
	return best
}

// leavesOf appends the alternatives of t, those of alternatives included.
func leavesOf(tab *table.Table, to []uint16, t *table.Type) []uint16 {
	for _, ti := range t.Alts {
		if alt := &tab.Types[ti]; alt.Alts != nil {
			to = leavesOf(tab, to, alt)
		} else {
			to = append(to, ti)
		}
	}
	return to
}

// known counts the keys of a mapping that a type knows.
func known(t *table.Type, n Tree, k Kind) int {
	if k != Map {
		return 0
	}
	score := 0
	for i := range n.Len() {
		key, _ := n.Key(i)
		if indexOf(t.Fields, key, 0) >= 0 {
			score++
		}
	}
	return score
}

// any reports whether one of several alternatives of the node's kind accepts it.
func (w *walker) any(t *table.Type, n Tree, k Kind) bool {
	for _, ti := range leavesOf(w.table, nil, t) {
		if w.table.Types[ti].Kinds&(1<<k) == 0 {
			continue
		}
		try := walker{table: w.table, state: w.state, probing: true}
		try.value(ti, n)
		if !try.failed {
			return true
		}
	}
	return false
}

// indexOf finds a field. Files mostly follow the order of the schema, so the search starts behind the last hit.
func indexOf(fields []table.Field, key string, from int) int {
	for i := from; i < len(fields); i++ {
		if fields[i].Name == key {
			return i
		}
	}
	for i := range min(from, len(fields)) {
		if fields[i].Name == key {
			return i
		}
	}
	return -1
}

func (w *walker) mapping(ti uint16, t *table.Type, n Tree) {
	seen, next := uint64(0), 0
	for i := range n.Len() {
		key, at := n.Key(i)
		known := t.Has(table.Open)
		w.path = append(w.path, step{key: key, parent: ti})
		if f := indexOf(t.Fields, key, next); f >= 0 {
			known, next = true, f+1
			seen |= 1 << f
			w.value(t.Fields[f].Type, n.Child(i))
		}
		for _, r := range t.Rest {
			if scalar(w.table, &w.table.Types[r.Key], String, key) != accepted {
				continue
			}
			// A named field that is also under a pattern is judged twice only where the two differ.
			if f := indexOf(t.Fields, key, 0); f < 0 || t.Fields[f].Type != r.Value {
				w.value(r.Value, n.Child(i))
			}
			known = true
		}
		w.path = w.path[:len(w.path)-1]
		if !known {
			w.report(Issue{Kind: UnknownKey, Key: key, At: at}, ti, n.Child(i))
		}
	}
	if t.Required&^seen != 0 {
		for missing := t.Required &^ seen; missing != 0; missing &= missing - 1 {
			w.report(Issue{Kind: Missing, Key: t.Fields[bits.TrailingZeros64(missing)].Name, At: n.At()}, ti, n)
		}
	}
}
