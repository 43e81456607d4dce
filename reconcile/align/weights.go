package align

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// scale turns weights of the truth into those of the copy: by the factor n/d.
type scale struct {
	n, d int64
	// rewrites: members of the copy that had the right ratios change too.
	rewrites bool
}

func (s scale) of(want int64) (int64, bool) {
	if want < 0 || s.d == 0 || want*s.n%s.d != 0 {
		return 0, false
	}
	return want * s.n / s.d, true
}

// scales finds the scale of each tier: that of most members of the copy, else that which keeps the sum, else the
// truth's own.
func (r *roster) scales(p *planner) {
	shared, wants := map[tier][]pair{}, map[tier][]int64{}
	for _, x := range r.pairs {
		if w := r.weightOf(x.truth); w >= 0 && p.copy.Members[x.copy].HasWeight {
			t := tierOf(&r.truth[x.truth])
			shared[t] = append(shared[t], x)
			wants[t] = append(wants[t], w)
		}
	}
	for i := range r.newcomer {
		if w := r.weightOf(i); w >= 0 {
			t := tierOf(&r.truth[i])
			wants[t] = append(wants[t], w)
		}
	}
	own := scale{n: 1, d: 1} // of most members, for tiers that the copy has nobody in
	most := 0
	for t, list := range wants {
		s, percent := r.percent(p, shared[t], list, len(wants))
		if !percent {
			s = r.scale(p, shared[t], list)
		}
		r.weights[t] = s
		if n := len(shared[t]); !s.rewrites && (n > most || n == most && n > 0 && s.before(own)) {
			own, most = s, n
		}
	}
	for t, list := range wants {
		if len(shared[t]) == 0 && own.fits(list) {
			r.weights[t] = own
		}
	}
	// To a copy that knows no tiers all weights are in one scale: where some take the truth's, all do.
	r.flat = !slices.ContainsFunc(p.copy.Members, func(m schema.Member) bool { return m.HasPriority || m.Backup != schema.Unsaid })
	for _, s := range r.weights {
		if r.flat && s == truthScale() {
			for t := range r.weights {
				r.weights[t] = s
			}
			break
		}
	}
}

// truthScale is that of the truth itself.
func truthScale() scale { return scale{n: 1, d: 1, rewrites: true} }

func (s scale) before(o scale) bool { return s.n < o.n || s.n == o.n && s.d < o.d }

// fits reports whether all weights come out as whole numbers.
func (s scale) fits(wants []int64) bool {
	return !slices.ContainsFunc(wants, func(w int64) bool { _, ok := s.of(w); return !ok })
}

// scale finds the scale of one tier.
func (r *roster) scale(p *planner, shared []pair, wants []int64) scale {
	count := map[scale]int{}
	var sumWant, sumHas int64
	var best scale
	for _, x := range shared {
		want, has := r.weightOf(x.truth), p.copy.Members[x.copy].Weight
		sumWant, sumHas = sumWant+want, sumHas+has
		if want <= 0 || has <= 0 {
			continue
		}
		s := scale{n: has / gcd(has, want), d: want / gcd(has, want)}
		if count[s]++; count[s] > count[best] {
			best = s
		}
	}
	clear := count[best] > 0
	for s, n := range count {
		clear = clear && (s == best || n < count[best])
	}
	sum := scale{n: sumHas / max(1, gcd(sumHas, sumWant)), d: sumWant / max(1, gcd(sumHas, sumWant)), rewrites: true}
	whole := len(shared) == len(wants) && sumHas == 100 && sumWant > 0 && sum.fits(wants)
	switch {
	case whole && len(count) > 1: // percentages stay percentages
		return sum
	case clear && best.fits(wants):
		return best
	case count[best] > 0 && best.fits(wants) && len(count) > 1:
		return best
	}
	if len(count) > 0 {
		return truthScale()
	}
	return scale{n: 1, d: 1}
}

// percent returns the scale of a list whose weights are written as percentages of the whole, which they stay when members
// come.
func (r *roster) percent(p *planner, shared []pair, wants []int64, tiers int) (scale, bool) {
	if tiers != 1 || len(shared) == 0 || len(shared) == len(wants) {
		return scale{}, false
	}
	has, want := int64(0), int64(0)
	for i := range p.copy.Members {
		m := &p.copy.Members[i]
		if _, text, ok := p.at(m.WeightAt); !ok || !m.HasWeight || !strings.HasSuffix(bareText(text), "%") {
			return scale{}, false
		}
		has += m.Weight
	}
	for _, w := range wants {
		want += w
	}
	if has != 100 || want <= 0 {
		return scale{}, false
	}
	s := scale{n: has / gcd(has, want), d: want / gcd(has, want), rewrites: true}
	return s, s.fits(wants)
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, 1)
}

// retune returns the pieces that give the copy's members of one tier their weights, and which members that are.
func (p *planner) retune(r *roster, t tier) (pieces []piece, tuned map[int]aim, ok bool) {
	s := r.weights[t]
	tuned = map[int]aim{}
	for _, x := range r.pairs {
		m := &p.copy.Members[x.copy]
		w := r.weightOf(x.truth)
		if w < 0 || !m.HasWeight || tierOf(&r.truth[x.truth]) != t && !(r.flat && s == truthScale()) {
			continue
		}
		want, ok := s.of(w)
		if !ok {
			return nil, nil, false
		}
		if want == m.Weight {
			continue
		}
		at, old, ok := p.at(m.WeightAt)
		if !ok {
			return nil, nil, false
		}
		ways := spellInt(old, want)
		if len(ways) == 0 {
			return nil, nil, false
		}
		place, text := p.roomFor(at, ways[0])
		pieces = append(pieces, replace(place, text, schema.Textf("members: %s: weight %d becomes %d", "members：%s：权重 %d 改为 %d", m.ID(), m.Weight, want)))
		tuned[x.copy] = aimWeight
	}
	return pieces, tuned, true
}

// weight settles the weights of one tier: in the copy's own scale, else in that of the truth.
func (p *planner) weight(t *todo, i int, r *roster) {
	d := &t.divs[i]
	at, ok := r.inTruth[d.Member]
	if !ok {
		for _, x := range r.pairs {
			if m := &p.copy.Members[x.copy]; m.WeightAt == d.At || m.At == d.At {
				at, ok = x.truth, true
			}
		}
	}
	if !ok {
		t.why[i] = whyNotation()
		return
	}
	own := tierOf(&r.truth[at])
	r.weighed[own] = true
	var alts []alternative
	tries := []scale{r.weights[own]}
	if tries[0].n != 1 || tries[0].d != 1 {
		tries = append(tries, truthScale())
	}
	kept := r.weights[own]
	for _, s := range tries {
		r.weights[own] = s
		if pieces, tuned, ok := p.retune(r, own); ok && len(pieces) > 0 {
			alts = append(alts, alternative{pieces, effect{tuned: tuned}})
		}
	}
	r.weights[own] = kept
	names := map[string]bool{}
	for _, n := range d.Names {
		names[n] = true
	}
	p.propose(t, []int{i}, alts, func(o *reconcile.Divergence) bool {
		return o.Item == schema.Members && o.Field == "weight" && (o.Member == d.Member || slices.ContainsFunc(o.Names, func(n string) bool { return names[n] && n != "..." }))
	}, whyNotation())
}
