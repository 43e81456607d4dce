package draft

import (
	"net/netip"
	"slices"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// node is what goes by one name, up to spelling, or what is taken for one pool already.
type node struct {
	copies []*schema.Copy
	// names are the names that it may go by on a side, the surest first; sections of documents have several.
	names map[schema.Side][]string
	// loose: a section of a document that no known pool claims.
	loose bool
	// why says what speaks for what was joined to it, in the order in which that was done.
	why []schema.Text
	// perhaps are nodes that may be the same pool, and fits, of these, those of which more than one fits alike.
	perhaps []*link
	gone    bool // joined to another
}

// newNode makes a node of a group of copies.
func newNode(g *reconcile.Group) *node {
	n := &node{copies: slices.Clone(g.Copies), names: map[schema.Side][]string{}}
	for _, c := range g.Copies {
		n.call(c.Side, c.Pool)
	}
	return n
}

func (n *node) call(side schema.Side, name string) {
	if !slices.Contains(n.names[side], name) {
		n.names[side] = append(n.names[side], name)
	}
}

func (n *node) has(side schema.Side) bool { return len(n.names[side]) > 0 }

// apart reports whether two nodes have no side in common.
func (n *node) apart(o *node) bool {
	for side := range n.names {
		if o.has(side) {
			return false
		}
	}
	return true
}

// join takes over a node that is the same pool.
func (n *node) join(l *link) {
	o := l.from
	n.copies = append(n.copies, o.copies...)
	for side, names := range o.names {
		n.names[side] = names
		if o.loose {
			n.names[side] = []string{l.name}
		}
	}
	n.why = append(n.why, l.text())
	o.gone = true
}

// link is what speaks for two nodes being one pool.
type link struct {
	from, to *node
	name     string // of from, by which it is near
	same     bool   // the names are the same but for usual words
	exact    bool   // and speak of the same environment, or of none
	near     bool   // the names are near in spelling
	common   int    // members that both list
	of       int    // the longer of the two lists
	refuted  bool   // both list addresses, and none is the same
	rival    bool   // another node fits as well
}

// agree reports whether most members are the same.
func (l *link) agree() bool { return 2*l.common > l.of }

// certain is the strength from which on a link needs no look at others.
const certain = 4

// strength is how much speaks for a link: 0 nothing, 1 too little, 2 the name or the members, 3 both in part, 4 both, 5
// both with the environment.
func (l *link) strength() int {
	switch {
	case l.exact && l.agree():
		return certain + 1
	case l.same && l.agree():
		return certain
	case (l.same || l.near) && l.common > 0:
		return 3
	case l.same && !l.refuted, l.agree() && l.common > 1:
		return 2
	case l.same || l.near || l.common > 0:
		return 1
	}
	return 0
}

// text says what speaks for it.
func (l *link) text() schema.Text {
	names := schema.Text{}
	switch {
	case l.same:
		names = schema.Textf("the names differ by usual words alone", "名称只差常见前后缀")
	case l.near:
		names = schema.Textf("the names are near", "名称相近")
	}
	if l.refuted {
		return schema.Text{En: names.En + ", but no address is the same", Zh: names.Zh + "，但没有相同的地址"}
	}
	if l.common == 0 {
		return names
	}
	members := schema.Textf("%d of %d addresses are the same", "%[2]d 个地址中有 %[1]d 个相同", l.common, l.of)
	if names.En == "" {
		return members
	}
	return schema.Text{En: names.En + ", and " + members.En, Zh: names.Zh + "，且 " + members.Zh}
}

// linkOf weighs what speaks for two nodes being one pool.
func linkOf(from, to *node) *link {
	l := &link{from: from, to: to}
	var others []essence
	var all []string
	for _, side := range Sorted(to.names) {
		for _, name := range to.names[side] {
			all, others = append(all, name), append(others, essenceOf(name))
		}
	}
	for _, side := range Sorted(from.names) {
		for _, name := range from.names[side] {
			e := essenceOf(name)
			same := false
			for _, o := range others {
				alike, exact := e.same(o)
				same, l.exact = same || alike, l.exact || exact
			}
			near := same || len(reconcile.Nearest(name, all)) > 0
			if l.name == "" || same && !l.same || near && !l.near {
				l.name = name
			}
			l.same, l.near = l.same || same, l.near || near
		}
	}
	l.members()
	return l
}

// members compares the lists of members, copy by copy: those of several environments are not one list.
func (l *link) members() {
	disjoint := false
	for _, a := range l.from.copies {
		for _, b := range l.to.copies {
			if a.Env != "" && b.Env != "" && a.Env != b.Env || len(a.Members) == 0 || len(b.Members) == 0 {
				continue
			}
			in := map[string]bool{}
			for i := range a.Members {
				in[a.Members[i].ID()] = true
			}
			common := 0
			for i := range b.Members {
				if id := b.Members[i].ID(); in[id] {
					common++
					delete(in, id)
				}
			}
			if of := max(len(a.Members), len(b.Members)); common > 0 && (l.common == 0 || common*l.of > l.common*of) {
				l.common, l.of = common, of
			}
			disjoint = disjoint || common == 0 && addresses(a) && addresses(b)
		}
	}
	l.refuted = disjoint && l.common == 0
}

// addresses reports whether a copy lists IP addresses: names on one side may stand for the addresses on the other.
func addresses(c *schema.Copy) bool {
	return !slices.ContainsFunc(c.Members, func(m schema.Member) bool {
		_, err := netip.ParseAddr(m.Host)
		return err != nil
	})
}
