package reconcile

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// tiers compares priorities by rank, with backups as the tier after all priorities. It looks at members that the copy
// gives a tier, and only where the truth gives some member one, or where its engine has tiers: then a member without one
// is in the first. A copy that writes only whether a member is a backup is
// held to that flag where the truth writes it: how backups rank among themselves is more than a flag can say.
func tiers(truth *View, c *schema.Copy, want, got []entry) []Divergence {
	t := truth.Copy
	written := slices.ContainsFunc(t.Members, tiered)
	if !written && !truth.Profile.Traits.Tiers || !slices.ContainsFunc(c.Members, tiered) {
		return nil
	}
	flags := !written || slices.ContainsFunc(t.Members, func(m schema.Member) bool { return m.Backup != schema.Unsaid })
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

// states compares disabled and drained members where the copy writes a state and the truth writes any, or its engine
// takes a member without one for active.
func states(truth *View, c *schema.Copy, got []entry) []Divergence {
	t := truth.Copy
	if !truth.Profile.Traits.Tiers && !slices.ContainsFunc(t.Members, func(m schema.Member) bool { return m.State != schema.StateUnsaid }) {
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
