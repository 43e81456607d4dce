package schema

import (
	"cmp"
	"slices"
)

// normalMember is a member reduced to what is compared, in normal form.
type normalMember struct {
	id        string
	from      Origin
	state     State // StateUnsaid for active ones
	tier      int
	hasWeight bool
	weight    int64
}

// normalMembers returns the members with priorities as tiers and weights as ratios inside their tier, sorted.
func normalMembers(members []Member) []normalMember {
	tiers := tiersOf(members)
	divisors := make([]int64, len(members)+1)
	for i := range members {
		if m := &members[i]; m.HasWeight && m.Weight > 0 {
			divisors[tiers[i]] = gcd(divisors[tiers[i]], m.Weight)
		}
	}
	list := make([]normalMember, len(members))
	for i := range members {
		m := &members[i]
		n := normalMember{id: m.ID(), from: m.Origin, tier: tiers[i], hasWeight: m.HasWeight}
		if m.HasWeight {
			n.weight = m.Weight
		}
		if !m.IsActive() {
			n.state = m.State // active says nothing more than an unsaid state does
		}
		if d := divisors[n.tier]; d > 0 {
			n.weight /= d
		}
		list[i] = n
	}
	slices.SortFunc(list, normalMember.compare)
	return list
}

// compare orders members by everything that the digest shows, so that those which look alike may stand in any order.
func (n normalMember) compare(o normalMember) int {
	return cmp.Or(cmp.Compare(n.id, o.id), cmp.Compare(n.tier, o.tier), compareBool(n.hasWeight, o.hasWeight), cmp.Compare(n.weight, o.weight),
		cmp.Compare(n.state, o.state), cmp.Compare(n.from, o.from))
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// tiersOf returns each member's rank by priority. Members without a priority count as priority 0, backups as the tier
// after all others.
func tiersOf(members []Member) []int {
	var priorities []int64
	for i := range members {
		if members[i].Backup != Yes {
			priorities = append(priorities, members[i].Priority)
		}
	}
	slices.Sort(priorities)
	priorities = slices.Compact(priorities)
	tiers := make([]int, len(members))
	for i := range members {
		tiers[i] = len(priorities)
		if members[i].Backup != Yes {
			tiers[i], _ = slices.BinarySearch(priorities, members[i].Priority)
		}
	}
	return tiers
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
