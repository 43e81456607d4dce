package reconcile

import (
	"fmt"
	"slices"
	"sort"
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
	out = append(out, tiers(t, c, want, got)...)
	out = append(out, states(t, c, got)...)
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

// tiers compares priorities by rank, with backups as the tier after all priorities. It looks at members that the copy
// gives a tier, and only where the truth gives some member one. A copy that writes only whether a member is a backup is
// held to that flag where the truth writes it: how backups rank among themselves is more than a flag can say.
func tiers(t, c *schema.Copy, want, got []entry) []Divergence {
	if !slices.ContainsFunc(t.Members, tiered) || !slices.ContainsFunc(c.Members, tiered) {
		return nil
	}
	flags := slices.ContainsFunc(t.Members, func(m schema.Member) bool { return m.Backup != schema.Unsaid })
	truthRanks, copyRanks := ranks(got, true), ranks(got, false)
	var out []Divergence
	for i := range got {
		g := &got[i]
		if g.matched == nil || !tiered(*g.member) {
			continue
		}
		w := g.matched.member
		if unread(t, w, "backup") || unread(t, w, "priority") {
			continue
		}
		flag := g.member.Backup != schema.Unsaid && !g.member.HasPriority
		if flag && flags && (w.Backup == schema.Yes) == (g.member.Backup == schema.Yes) {
			continue
		}
		if !(flag && flags) && truthRanks[rankKey(w)] == copyRanks[rankKey(g.member)] {
			continue
		}
		d := Divergence{Kind: Differs, Item: schema.Members, Field: "priority", Member: g.id, Truth: t, Copy: c, TruthAt: w.At, At: g.member.At, Want: tierString(w), Got: tierString(g.member)}
		if g.member.PriorityAt.Known() {
			d.At = g.member.PriorityAt
		}
		if flag {
			d.Field = "backup"
			if g.member.BackupAt.Known() {
				d.At = g.member.BackupAt
			}
		}
		out = append(out, d)
	}
	return out
}

// unread reports whether the copy leaves that value of one of its members unresolved, so that not even the engine's
// default stands for it.
func unread(c *schema.Copy, m *schema.Member, leaf string) bool {
	return slices.ContainsFunc(c.Unresolved, func(u schema.Unresolved) bool {
		return u.At.File == m.At.File && u.At.Start >= m.At.Start && u.At.End <= m.At.End && strings.HasSuffix(string(u.Path), "."+leaf)
	})
}

func tiered(m schema.Member) bool { return m.HasPriority || m.Backup != schema.Unsaid }

type rank struct {
	backup   bool
	priority int64
}

func rankKey(m *schema.Member) rank {
	return rank{backup: m.Backup == schema.Yes, priority: m.Priority}
}

// ranks numbers the tiers that the shared members use on one side.
func ranks(got []entry, truth bool) map[rank]int {
	var all []rank
	for i := range got {
		if got[i].matched == nil {
			continue
		}
		m := got[i].member
		if truth {
			m = got[i].matched.member
		}
		all = append(all, rankKey(m))
	}
	sort.Slice(all, func(i, j int) bool {
		if all[i].backup != all[j].backup {
			return !all[i].backup
		}
		return all[i].priority < all[j].priority
	})
	out := map[rank]int{}
	for _, r := range all {
		if _, ok := out[r]; !ok {
			out[r] = len(out)
		}
	}
	return out
}

func tierString(m *schema.Member) string {
	if m.Backup == schema.Yes && m.HasPriority {
		return fmt.Sprintf("backup %d", m.Priority)
	}
	if m.Backup == schema.Yes {
		return "backup"
	}
	if !m.HasPriority {
		return "no backup"
	}
	return fmt.Sprintf("priority %d", m.Priority)
}

// states compares disabled and drained members where the copy writes a state and the truth writes any.
func states(t, c *schema.Copy, got []entry) []Divergence {
	if !slices.ContainsFunc(t.Members, func(m schema.Member) bool { return m.State != schema.StateUnsaid }) {
		return nil
	}
	var out []Divergence
	for i := range got {
		g := &got[i]
		if g.matched == nil || g.member.State == schema.StateUnsaid {
			continue
		}
		want := g.matched.member.State
		if want == schema.StateUnsaid {
			want = schema.Active
		}
		if unread(t, g.matched.member, "state") {
			continue
		}
		if want != g.member.State {
			out = append(out, Divergence{Kind: Differs, Item: schema.Members, Field: "state", Member: g.id, Truth: t, Copy: c,
				TruthAt: first(g.matched.member.StateAt, g.matched.member.At), At: first(g.member.StateAt, g.member.At), Want: want.String(), Got: g.member.State.String()})
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
