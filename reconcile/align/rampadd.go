package align

import (
	"slices"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// rows returns where a batch stands: in one list, or, where shares and dwells stand in lists beside each other, in each.
func (r *ramper) rows(i int) []spot {
	out := []spot{r.batchSpots()[i]}
	if !r.beside() {
		return out
	}
	for _, s := range r.columns() {
		if s[i].list != nil || s[i].why.En != "" {
			out = append(out, s[i])
		}
	}
	return out
}

// beside reports whether the values of a batch stand in several lists.
func (p *planner) beside() bool {
	for i := range p.copy.Batches {
		b := &p.copy.Batches[i]
		for _, at := range []schema.Span{b.ShareAt, b.DwellAt, b.SamplesAt} {
			if at.Known() && (at.Start < b.At.Start || at.End > b.At.End || at.File != b.At.File) {
				return true
			}
		}
	}
	return false
}

// columns returns the spots of dwells and samples that stand in lists of their own. One value for all batches is in none.
func (p *planner) columns() [][]spot {
	if p.sides != nil {
		return p.sides
	}
	out := [][]spot{}
	for _, of := range []func(*schema.Batch) schema.Span{
		func(b *schema.Batch) schema.Span { return b.DwellAt },
		func(b *schema.Batch) schema.Span { return b.SamplesAt },
	} {
		entries := make([]standing, 0, len(p.copy.Batches))
		seen := map[schema.Span]bool{}
		for i := range p.copy.Batches {
			at := of(&p.copy.Batches[i])
			if at.Known() && !seen[at] {
				seen[at] = true
				entries = append(entries, standing{at, []schema.Span{at}})
			}
		}
		if len(entries) == len(p.copy.Batches) && len(entries) > 1 {
			out = append(out, p.spots(entries, nil))
		}
	}
	p.sides = out
	return out
}

// put adds a batch behind the one at after.
func (r *ramper) put(a *alternative, after int, last bool, want *schema.Batch) bool {
	if len(want.Regions)+len(want.Priorities) > 0 || len(r.copy.Batches) == 0 {
		return false
	}
	like := r.pattern(after, want)
	b := &r.copy.Batches[like]
	says := schema.Textf("ramp: adds the batch %s", "ramp：添加批次 %s", reconcile.RampString([]schema.Batch{*want}))
	rows := r.rows(like)
	next := schema.Batch{HasShare: b.HasShare && want.HasShare, Share: want.Share}
	var slots []slot
	set := func(at schema.Span, keep bool, ways func(old string) []string) bool {
		place, old, ok := r.at(at)
		if !ok {
			return !at.Known()
		}
		if !keep {
			slots = append(slots, slot{at: place, drop: true})
			return true
		}
		text, ok := r.pick(ways(old))
		slots = append(slots, slot{at: place, text: text})
		return ok
	}
	dwell := was(want)
	if !next.HasShare || dwell && !last && r.dwells && !was(b) {
		return false
	}
	if dwell && was(b) {
		next.HasDwell, next.Manual, next.Dwell = want.HasDwell, want.Manual, want.Dwell
	}
	if want.MinSamples > 0 && b.MinSamples > 0 {
		next.MinSamples = want.MinSamples
	}
	if !set(b.ShareAt, true, func(old string) []string { return spellNumber(old, b.Share, want.Share) }) ||
		!set(b.DwellAt, dwell, func(old string) []string { return r.dwellWays(old, b, want) }) ||
		!set(b.SamplesAt, want.MinSamples > 0, func(old string) []string { return spellInt(old, want.MinSamples) }) {
		return false
	}
	slices.SortFunc(slots, func(a, b slot) int { return a.at.start - b.at.start })
	for _, s := range rows {
		if s.list == nil {
			r.why = s.why
			return false
		}
		behind := -1
		if after >= 0 {
			for _, o := range r.rows(after) {
				if o.list == s.list || o.list != nil && o.list.items[o.i] == s.list.items[min(o.i, len(s.list.items)-1)] {
					behind = o.i
				}
			}
		}
		text, ok := s.list.like(s.i, slots, newcomer{ordinal: len(a.effect.batches) + 1})
		if !ok {
			return false
		}
		a.pieces = append(a.pieces, piece{list: s.list, take: -1, put: &added{after: behind, text: text}, says: says})
	}
	a.effect.batches = append(a.effect.batches, next)
	return true
}

// pattern returns the batch that a new one is made from: the one before it, or one that writes what it has to.
func (r *ramper) pattern(after int, want *schema.Batch) int {
	best, most := 0, -1
	for i := range r.copy.Batches {
		b := &r.copy.Batches[i]
		score := 0
		if was(b) == was(want) {
			score += 4
		}
		if b.Manual == want.Manual {
			score += 2
		}
		if b.MinSamples > 0 == (want.MinSamples > 0) {
			score++
		}
		if len(b.Regions)+len(b.Priorities) > 0 || !b.HasShare || b.Implied {
			score -= 16
		}
		if score > most || score == most && i == after {
			best, most = i, score
		}
	}
	return best
}
