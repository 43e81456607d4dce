package reconcile

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// entry is one address of a member; a name with aliases has one for each address that it stands for.
type entry struct {
	id     string
	member *schema.Member
	// expanded: the member stands for more than this entry, so its weight cannot be compared.
	expanded bool
	matched  *entry
}

// MembersOf compares two member lists. aliases give the addresses behind host names.
func MembersOf(truth *View, c *schema.Copy, aliases map[string][]string) []Divergence {
	t := truth.Copy
	want, got := entries(t.Members, aliases), entries(c.Members, aliases)
	match(want, got)
	var out []Divergence
	out = append(out, unmatched(t, c, want, got)...)
	out = append(out, tiers(truth, c, want, got)...)
	out = append(out, states(truth, c, got)...)
	out = append(out, weights(truth, c, want, got)...)
	return out
}

// entries lists a copy's members by identity; of a member written twice the first counts.
func entries(members []schema.Member, aliases map[string][]string) []entry {
	out := make([]entry, 0, len(members))
	for i := range members {
		m := &members[i]
		if addresses := aliases[m.Host]; len(addresses) > 0 && m.Host != "" {
			for _, a := range addresses {
				out = append(out, entry{id: schema.JoinEndpoint(a, m.PortString()), member: m, expanded: len(addresses) > 1})
			}
			continue
		}
		out = append(out, entry{id: m.ID(), member: m})
	}
	if len(out) < 2 {
		return out
	}
	seen := make(map[string]bool, len(out))
	return slices.DeleteFunc(out, func(e entry) bool {
		double := seen[e.id]
		seen[e.id] = true
		return double
	})
}

// match pairs entries by identity, then members that write no port with those of the same host.
func match(want, got []entry) {
	if inStep(want, got) {
		return
	}
	byID := make(map[string]*entry, len(want))
	byHost := map[string][]*entry{}
	for i := range want {
		byID[want[i].id] = &want[i]
	}
	for i := range got {
		if w := byID[got[i].id]; w != nil {
			w.matched, got[i].matched = &got[i], w
		}
	}
	portless := func(e *entry) bool { return e.member.Host != "" && e.member.PortString() == "" }
	for i := range want {
		if want[i].matched == nil && want[i].member.Host != "" {
			byHost[host(&want[i])] = append(byHost[host(&want[i])], &want[i])
		}
	}
	for i := range got {
		g := &got[i]
		if g.matched != nil || g.member.Host == "" {
			continue
		}
		for _, w := range byHost[host(g)] {
			if w.matched == nil && (portless(g) || portless(w)) {
				w.matched = g
				if g.matched == nil {
					g.matched = w
				}
			}
		}
	}
}

// inStep pairs two lists that hold the same members in the same order, which most do, without building an index.
func inStep(want, got []entry) bool {
	if len(want) != len(got) {
		return false
	}
	for i := range want {
		if want[i].id != got[i].id {
			return false
		}
	}
	for i := range want {
		want[i].matched, got[i].matched = &got[i], &want[i]
	}
	return true
}

func host(e *entry) string {
	h, _ := splitID(e.id)
	return h
}

// splitID undoes schema.JoinEndpoint.
func splitID(id string) (host, port string) {
	i := strings.LastIndexByte(id, ':')
	if i < 0 || strings.Count(id, ":") > 1 && !strings.HasPrefix(id, "[") {
		return id, ""
	}
	return strings.Trim(id[:i], "[]"), id[i+1:]
}

// unmatched words what only one list has: names against addresses cannot be compared, unresolved entries excuse as
// many missing ones, discovery excuses all.
func unmatched(t, c *schema.Copy, want, got []entry) []Divergence {
	var missing, extra []*entry
	// What stands for discovered members is neither missing nor extra, and no name for an address.
	for i := range want {
		if want[i].matched == nil && want[i].member.Origin == schema.Static {
			missing = append(missing, &want[i])
		}
	}
	for i := range got {
		if got[i].matched == nil && got[i].member.Origin == schema.Static {
			extra = append(extra, &got[i])
		}
	}
	if len(missing) == 0 && len(extra) == 0 {
		return nil
	}
	var out []Divergence
	missing, extra, out = incomparable(t, c, missing, extra)
	if t.Complete {
		// Entries of the truth that nobody can read may be the very members that the copy seems to have too many.
		excused := t.UnresolvedMembers()
		if len(extra) > excused {
			for _, e := range extra {
				out = append(out, Divergence{Kind: Extra, Item: schema.Members, Member: e.id, Truth: t, Copy: c, TruthAt: t.ItemAt[schema.Members], At: e.member.At, Got: e.id, Excused: excused})
				if excused > 0 {
					d := &out[len(out)-1]
					for _, x := range extra {
						d.Names = append(d.Names, x.id)
					}
					break
				}
			}
		}
	}
	if c.Complete {
		excused := c.UnresolvedMembers()
		if len(missing) > excused {
			for _, m := range missing {
				d := Divergence{Kind: Missing, Item: schema.Members, Member: m.id, Truth: t, Copy: c, TruthAt: m.member.At, At: c.ItemAt[schema.Members], Want: m.id, Excused: excused}
				if excused > 0 {
					for _, x := range missing {
						d.Names = append(d.Names, x.id)
					}
					d.Member, d.Want = "", strings.Join(d.Names, ", ")
					out = append(out, d)
					break
				}
				out = append(out, d)
			}
		}
	}
	return out
}

func first(a, b schema.Span) schema.Span {
	if a.Known() {
		return a
	}
	return b
}
