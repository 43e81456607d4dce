package align

import (
	"strings"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// step is what becomes of a batch: it stays (old and new), goes (new is -1), or comes (old is -1, behind the batch after).
type step struct{ old, new, after int }

// steps matches the batches of a copy with those of the truth: by share, and what lies between two that match in order.
func steps(old, new []schema.Batch) []step {
	equal := func(i, j int) bool { return old[i].HasShare && new[j].HasShare && old[i].Share == new[j].Share }
	n, m := len(old), len(new)
	// Longest common subsequence; ramps have a handful of batches.
	length := make([][]int, n+1)
	for i := range length {
		length[i] = make([]int, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if equal(i, j) {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	var out []step
	var gone, come []int
	last := -1
	flush := func() {
		k := min(len(gone), len(come))
		for x := range k {
			out = append(out, step{gone[x], come[x], 0})
			last = gone[x]
		}
		for _, i := range gone[k:] {
			out = append(out, step{i, -1, 0})
		}
		for _, j := range come[k:] {
			out = append(out, step{-1, j, last})
		}
		gone, come = nil, nil
	}
	i, j := 0, 0
	for i < n || j < m {
		switch {
		case i < n && j < m && equal(i, j):
			flush()
			out = append(out, step{i, j, 0})
			last = i
			i, j = i+1, j+1
		case j == m || i < n && length[i+1][j] >= length[i][j+1]:
			gone = append(gone, i)
			i++
		default:
			come = append(come, j)
			j++
		}
	}
	flush()
	return out
}

// maxBatches bounds the ramps that are edited.
const maxBatches = 200

// ramp settles the batches of a copy, all together.
func (p *planner) ramp(t *todo, i int) {
	d := &t.divs[i]
	want, have := d.Truth.Batches, p.copy.Batches
	if len(want) > maxBatches || len(have) > maxBatches {
		t.why[i] = whyLayout()
		return
	}
	why := whyNotation()
	var alts []alternative
	const most = 4
	for k := range most {
		r := ramper{planner: p, dwells: writesDwell(want) && writesDwell(have), choice: k}
		a, ok := r.alternative(steps(have, want), have, want)
		if !ok {
			if r.why.En != "" {
				why = r.why
			}
			continue
		}
		alts = append(alts, a)
		if !r.chose {
			break
		}
	}
	p.propose(t, []int{i}, alts, func(o *reconcile.Divergence) bool {
		return o.Item == schema.Ramp && strings.HasPrefix(o.Field, "batches")
	}, why)
}

func writesDwell(list []schema.Batch) bool {
	for _, b := range list {
		if b.HasDwell || b.Manual {
			return true
		}
	}
	return false
}

// ramper puts together one way to bring batches to the truth.
type ramper struct {
	*planner
	dwells bool // both lists write dwells
	choice int  // which of the ways to write a value is taken
	chose  bool // some value has that many ways
	why    schema.Text
}

func (r *ramper) pick(ways []string) (string, bool) {
	if len(ways) == 0 {
		return "", false
	}
	r.chose = r.chose || r.choice+1 < len(ways)
	return ways[min(r.choice, len(ways)-1)], true
}

func (r *ramper) alternative(plan []step, have, want []schema.Batch) (alternative, bool) {
	a := alternative{effect: effect{ramp: true}}
	for _, s := range plan {
		switch {
		case s.new < 0:
			if !r.take(&a, s.old) {
				return a, false
			}
		case s.old < 0:
			if !r.put(&a, s.after, s.new == len(want)-1, &want[s.new]) {
				return a, false
			}
		default:
			b, ok := r.change(&a, s.old, &want[s.new], s.new == len(want)-1)
			if !ok {
				return a, false
			}
			a.effect.batches = append(a.effect.batches, b)
		}
	}
	return a, len(a.pieces) > 0
}

// change gives a batch that stays the truth's values.
func (r *ramper) change(a *alternative, i int, want *schema.Batch, last bool) (schema.Batch, bool) {
	b := r.copy.Batches[i]
	says := func(what, old, new string) schema.Text {
		return schema.Textf("ramp: batch %d: %s %s becomes %s", "ramp：第 %d 批：%s %s 改为 %s", i+1, what, old, new)
	}
	write := func(at schema.Span, ways func(string) []string, text schema.Text) bool {
		place, old, ok := r.at(at)
		if !ok {
			return false
		}
		new, ok := r.pick(ways(old))
		if ok {
			place, new = r.roomFor(place, new)
			a.pieces = append(a.pieces, replace(place, new, text))
		}
		return ok
	}
	if want.HasShare && b.HasShare && want.Share != b.Share {
		was := b.Share
		b.Share = want.Share
		if !write(b.ShareAt, func(old string) []string { return spellNumber(old, was, want.Share) }, says("share", plainNumber(was)+"%", plainNumber(want.Share)+"%")) {
			return b, false
		}
	}
	if dwell := want.HasDwell || want.Manual; dwell && (b.HasDwell || b.Manual) && (b.Manual != want.Manual || b.Dwell != want.Dwell) {
		was := b
		b.HasDwell, b.Manual, b.Dwell = want.HasDwell, want.Manual, want.Dwell
		if !write(b.DwellAt, func(old string) []string { return r.dwellWays(old, &was, want) }, says("dwell", dwellText(&was), dwellText(want))) {
			return b, false
		}
	} else if r.dwells && dwell != (was(&b)) && !last && !want.Implied {
		return b, false // a dwell would have to come or go
	}
	if want.MinSamples > 0 && b.MinSamples > 0 && want.MinSamples != b.MinSamples {
		was := b.MinSamples
		b.MinSamples = want.MinSamples
		if !write(b.SamplesAt, func(old string) []string { return spellInt(old, want.MinSamples) }, says("minimum samples", plainNumber(float64(was)), plainNumber(float64(want.MinSamples)))) {
			return b, false
		}
	}
	return b, true
}

func was(b *schema.Batch) bool { return b.HasDwell || b.Manual }

func dwellText(b *schema.Batch) string {
	if b.Manual {
		return "manual"
	}
	return schema.FormatDuration(b.Dwell)
}

// dwellWays spells how long a batch lasts where old stands.
func (r *ramper) dwellWays(old string, was, want *schema.Batch) []string {
	if placeholder(old) && was.Manual != want.Manual {
		return nil
	}
	if want.Manual {
		for i := range r.copy.Batches {
			if b := &r.copy.Batches[i]; b.Manual {
				if _, text, ok := r.at(b.DwellAt); ok {
					return []string{text}
				}
			}
		}
		return []string{requote(old, "manual", false), requote(old, "人工确认", false), jsonText("manual")}
	}
	if was.Manual {
		for i := range r.copy.Batches {
			if b := &r.copy.Batches[i]; b.HasDwell {
				if _, text, ok := r.at(b.DwellAt); ok {
					return spellDuration(text, b.Dwell, want.Dwell, r.notation == document)
				}
			}
		}
	}
	return spellDuration(old, was.Dwell, want.Dwell, r.notation == document)
}

// take removes a batch.
func (r *ramper) take(a *alternative, i int) bool {
	says := schema.Textf("ramp: removes the batch %s", "ramp：删除批次 %s", reconcile.RampString(r.copy.Batches[i:i+1]))
	for _, s := range r.rows(i) {
		if s.list == nil || s.list.layout.holdsComment(s.i) {
			r.why = s.why
			return false
		}
		a.pieces = append(a.pieces, piece{list: s.list, take: s.i, says: says})
	}
	return len(r.rows(i)) > 0
}
