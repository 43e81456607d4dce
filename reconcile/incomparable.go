package reconcile

import (
	"slices"
	"sort"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// incomparable takes out names on one side that could be addresses on the other.
func incomparable(t, c *schema.Copy, missing, extra []*entry) (m, e []*entry, out []Divergence) {
	inMissing, inExtra := kindsOf(missing), kindsOf(extra)
	if !slices.ContainsFunc(missing, inExtra.couldHold) {
		return missing, extra, nil
	}
	d := Divergence{Kind: CannotCompare, Item: schema.Members, Truth: t, Copy: c}
	var wants, gots []string
	keep := func(list []*entry, other kinds, side *[]string, at *schema.Span) []*entry {
		var out []*entry
		for _, x := range list {
			if !other.couldHold(x) {
				out = append(out, x)
				continue
			}
			*side = append(*side, x.id)
			if !at.Known() {
				*at = x.member.At
			}
		}
		return out
	}
	missing = keep(missing, inExtra, &wants, &d.TruthAt)
	extra = keep(extra, inMissing, &gots, &d.At)
	sort.Strings(wants)
	sort.Strings(gots)
	d.Want, d.Got, d.Names = strings.Join(wants, ", "), strings.Join(gots, ", "), gots
	return missing, extra, []Divergence{d}
}

// kinds says of each port whether a list has names and addresses on it; the port "" is none that is written.
type kinds map[string]struct{ names, addresses bool }

func kindsOf(list []*entry) kinds {
	out := kinds{}
	for _, e := range list {
		if e.member.Host == "" {
			continue
		}
		host, port := splitID(e.id)
		for _, p := range []string{port, anyPort} {
			k := out[p]
			k.addresses = k.addresses || schema.IsAddress(host)
			k.names = k.names || !schema.IsAddress(host)
			out[p] = k
		}
	}
	return out
}

// anyPort stands for all ports of a list together.
const anyPort = "*"

// couldHold reports whether the list could hold an entry under another kind of name: the one is a name and the other an
// address, on the same port or where one of them writes none.
func (k kinds) couldHold(e *entry) bool {
	if e.member.Host == "" {
		return false
	}
	host, port := splitID(e.id)
	ports := []string{port, ""}
	if port == "" {
		ports = []string{anyPort}
	}
	for _, p := range ports {
		if on := k[p]; schema.IsAddress(host) && on.names || !schema.IsAddress(host) && on.addresses {
			return true
		}
	}
	return false
}
