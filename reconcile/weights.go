package reconcile

import (
	"fmt"
	"sort"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// weighed is a member that both lists give a weight.
type weighed struct {
	got       *entry
	want, has int64
}

// weights compares weights as ratios, within one tier of the truth, over the members that both lists state. It yields
// at most one divergence a tier, at the member that stands out. Members of the truth that write no weight count with the
// engine's default, which is what traffic goes by; a copy counts only with what it writes.
func weights(truth *View, c *schema.Copy, want, got []entry) []Divergence {
	byTier := map[rank][]weighed{}
	standard := truth.Profile.Traits.DefaultWeight
	for i := range got {
		g := &got[i]
		if g.matched == nil || g.expanded || g.matched.expanded || !g.member.HasWeight {
			continue
		}
		m := g.matched.member
		tier := rankKey(m)
		switch {
		case m.HasWeight:
			byTier[tier] = append(byTier[tier], weighed{g, m.Weight, g.member.Weight})
		case standard > 0 && !unread(truth.Copy, m, "weight"):
			byTier[tier] = append(byTier[tier], weighed{g, standard, g.member.Weight})
		}
	}
	order := make([]rank, 0, len(byTier))
	for r := range byTier {
		order = append(order, r)
	}
	sort.Slice(order, func(i, j int) bool {
		if order[i].backup != order[j].backup {
			return !order[i].backup
		}
		return order[i].priority < order[j].priority
	})
	var out []Divergence
	for _, r := range order {
		list := byTier[r]
		odd := outlier(list)
		if odd == nil {
			continue
		}
		d := Divergence{
			Kind: Differs, Item: schema.Members, Field: "weight", Member: odd.got.id, Truth: truth.Copy, Copy: c,
			TruthAt: first(odd.got.matched.member.WeightAt, odd.got.matched.member.At), At: first(odd.got.member.WeightAt, odd.got.member.At),
			Want: ratio(list, true), Got: ratio(list, false), Names: names(list),
		}
		if !odd.got.matched.member.HasWeight {
			d.Implied = &schema.Effective{Path: "members.weight", Why: schema.Textf("a member that writes no weight has %d", "未写权重的成员权重为 %d", standard)}
		}
		out = append(out, d)
	}
	return out
}

// outlier returns the first member whose weight does not fit the scale that most members share, nil if all fit.
func outlier(list []weighed) *weighed {
	type scale struct{ n, d int64 }
	count := map[scale]int{}
	of := func(w weighed) scale {
		if w.want == 0 || w.has == 0 {
			return scale{min(w.want, 1), min(w.has, 1)}
		}
		g := gcd(w.want, w.has)
		return scale{w.want / g, w.has / g}
	}
	zeros := 0
	for _, w := range list {
		s := of(w)
		if s.n == 0 && s.d == 0 {
			zeros++ // 0 on both sides fits every scale
			continue
		}
		count[s]++
	}
	if len(count) == 0 || len(count) == 1 && (zeros == len(list) || usable(list)) {
		return nil
	}
	best, most := scale{}, 0
	for _, w := range list { // in list order, so that ties are settled the same way every time
		if s := of(w); count[s] > most && s.n != 0 && s.d != 0 {
			best, most = s, count[s]
		}
	}
	for i := range list {
		if s := of(list[i]); s != best && !(s.n == 0 && s.d == 0) {
			return &list[i]
		}
	}
	return nil
}

// usable reports whether a single scale is a true ratio rather than zero against something.
func usable(list []weighed) bool {
	for _, w := range list {
		if (w.want == 0) != (w.has == 0) {
			return false
		}
	}
	return true
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, 1)
}

// maxShown bounds how many members a ratio lists.
const maxShown = 12

// names lists the members that a ratio is about, in its order.
func names(list []weighed) []string {
	var out []string
	for _, w := range list[:min(maxShown, len(list))] {
		out = append(out, w.got.id)
	}
	if len(list) > maxShown {
		out = append(out, "...")
	}
	return out
}

// ratio writes the weights of one side in lowest terms: "2:1".
func ratio(list []weighed, truth bool) string {
	pick := func(w weighed) int64 {
		if truth {
			return w.want
		}
		return w.has
	}
	g := int64(0)
	for _, w := range list {
		if pick(w) > 0 {
			g = gcd(pick(w), g)
		}
	}
	var numbers []string
	for _, w := range list[:min(maxShown, len(list))] {
		numbers = append(numbers, fmt.Sprint(pick(w)/max(g, 1)))
	}
	if len(list) > maxShown {
		numbers = append(numbers, "...")
	}
	return strings.Join(numbers, ":")
}
