package draft

import (
	"maps"
	"slices"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// maxPairs bounds how many names are compared with each other in spelling. Where there are more, only those are compared
// that have the same words or an address in common.
const maxPairs = 60_000

// nodes puts together what is one pool under several names, the surest sides first: applications with gateways, then
// documents and orders with what that gave, then sections of documents that nobody claims.
func nodes(groups []*reconcile.Group, unbound []*schema.Copy) []*node {
	var all []*node
	for _, g := range groups {
		all = append(all, newNode(g))
	}
	all = append(all, sections(unbound)...)
	owned := func(n *node) bool { return slices.ContainsFunc(n.copies, func(c *schema.Copy) bool { return c.Owned }) }
	pick := func(test func(n *node) bool) (list []*node) {
		for _, n := range all {
			if !n.gone && !owned(n) && test(n) {
				list = append(list, n)
			}
		}
		return list
	}
	gateways := pick(func(n *node) bool { return n.has(schema.Gateway) })
	match(pick(func(n *node) bool { return n.has(schema.App) && !n.has(schema.Gateway) }), gateways)
	pools := pick(func(n *node) bool { return n.has(schema.Gateway) || n.has(schema.App) })
	match(pick(func(n *node) bool { return !n.loose && !n.has(schema.Gateway) && !n.has(schema.App) }), pools)
	match(pick(func(n *node) bool { return n.loose }), pools)
	return pick(func(n *node) bool { return !n.loose })
}

// sections makes nodes of the sections that no known pool claims.
func sections(unbound []*schema.Copy) []*node {
	var out []*node
	for _, c := range unbound {
		n := &node{copies: []*schema.Copy{c}, names: map[schema.Side][]string{}, loose: true}
		for _, name := range c.Candidates {
			if name.Text != "" {
				n.call(c.Side, name.Text)
			}
		}
		if len(n.names) == 0 {
			continue
		}
		if i := slices.IndexFunc(out, func(o *node) bool { return slices.Equal(o.names[c.Side], n.names[c.Side]) }); i >= 0 {
			out[i].copies = append(out[i].copies, c)
			continue
		}
		out = append(out, n)
	}
	return out
}

// match joins what is one pool beyond doubt and notes what may be.
func match(from, to []*node) {
	var chosen, open []*link
	candidates := func(*node) []*node { return to }
	if len(from)*len(to) > maxPairs {
		candidates = index(to)
	}
	for _, f := range from {
		var list []*link
		for _, t := range candidates(f) {
			if f != t && f.apart(t) {
				if l := linkOf(f, t); l.strength() > 0 {
					list = append(list, l)
				}
			}
		}
		if best := choose(list); best != nil {
			chosen = append(chosen, best)
			continue
		}
		open = append(open, list...)
	}
	claims := map[*node][]*link{}
	for _, l := range chosen {
		claims[l.to] = append(claims[l.to], l)
	}
	for _, l := range chosen {
		if rivals := slices.DeleteFunc(slices.Clone(claims[l.to]), func(o *link) bool { return o.from.apart(l.from) }); choose(rivals) != l {
			for _, r := range rivals {
				r.rival = true
			}
			open = append(open, l)
			continue
		}
		l.to.join(l)
	}
	for _, l := range open {
		if l.from.apart(l.to) { // else that side has been found
			l.to.perhaps = append(l.to.perhaps, l)
		}
	}
}

// fits reports whether a link is one that others have to reckon with. The name alone is enough for that, whatever addresses
// stand below it.
func (l *link) fits() bool { return l.same || l.strength() > 1 }

// choose returns the link that is true beyond doubt, nil if there is none. Name and members together outweigh everything;
// of the rest, nothing outweighs anything. It marks links that fit as well as others.
func choose(list []*link) *link {
	var best []*link
	strong := 0
	for _, l := range list {
		if l.fits() {
			strong++
		}
		if l.strength() < 2 {
			continue
		}
		if len(best) > 0 && l.strength() > best[0].strength() {
			best = nil
		}
		if len(best) == 0 || l.strength() == best[0].strength() {
			best = append(best, l)
		}
	}
	if len(best) == 1 && (strong == 1 || best[0].strength() >= certain) {
		return best[0]
	}
	for _, l := range list {
		l.rival = l.rival || strong > 1 && l.fits()
	}
	return nil
}

// mostAlike is how many pools may have an address or the words of their names in common before that says nothing.
const mostAlike = 32

// index returns what finds, for a node, those that have words or an address in common with it.
func index(to []*node) func(*node) []*node {
	by := map[string][]int{}
	for i, n := range to {
		for _, k := range n.keys() {
			by[k] = append(by[k], i)
		}
	}
	return func(n *node) (out []*node) {
		found := map[int]bool{}
		for _, k := range n.keys() {
			if list := by[k]; len(list) <= mostAlike {
				for _, i := range list {
					found[i] = true
				}
			}
		}
		for _, i := range slices.Sorted(maps.Keys(found)) {
			out = append(out, to[i])
		}
		return out
	}
}

// keys returns by what a node is found: the words of its names, and its members.
func (n *node) keys() []string {
	var keys []string
	for _, side := range Sorted(n.names) {
		for _, name := range n.names[side] {
			keys = append(keys, "name "+essenceOf(name).core)
		}
	}
	for _, c := range n.copies {
		for i := range c.Members {
			keys = append(keys, "member "+c.Members[i].ID())
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
