package align

import (
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

// stops settles the limits at which a ramp stops, where both sides watch the same metrics.
func (p *planner) stops(t *todo, i int) {
	d := &t.divs[i]
	want, have := d.Truth.Stops, p.copy.Stops
	t.why[i] = whyNotation()
	if len(want) != len(have) {
		return
	}
	a := alternative{effect: effect{stops: true}}
	taken := map[int]bool{}
	for j := range have {
		k := partner(&have[j], want, taken)
		n := p.mapAt(have[j].At)
		if k < 0 || n == nil {
			return
		}
		taken[k] = true
		w, h := &want[k], &have[j]
		for _, x := range []struct {
			key      string
			differs  bool
			old, new float64
		}{{"above", w.Above != h.Above, h.Above, w.Above}, {"below", w.Below != h.Below, h.Below, w.Below}} {
			if !x.differs {
				continue
			}
			v := n.Get(x.key)
			if !v.Scalar() {
				return
			}
			at := asSpan(v.Place())
			ways := spellNumber(p.text[at.start:at.end], x.old, x.new)
			if len(ways) == 0 {
				return
			}
			a.pieces = append(a.pieces, replace(at, ways[0], schema.Textf("ramp: stop at %s: %s becomes %s", "ramp：停止条件 %s：%s 改为 %s", h.Metric, plainNumber(x.old), plainNumber(x.new))))
		}
	}
	if len(a.pieces) == 0 {
		return
	}
	t.why[i] = schema.Text{}
	p.propose(t, []int{i}, []alternative{a}, func(o *reconcile.Divergence) bool { return o.Item == schema.Ramp && o.Field == "stop" }, whyNotation())
}

// partner returns the truth's condition on the same metric with the same kinds of limits, -1 if there is none.
func partner(have *schema.Stop, want []schema.Stop, taken map[int]bool) int {
	relative := func(s *schema.Stop) bool { return s.Against == "baseline" }
	for k := range want {
		w := &want[k]
		if !taken[k] && w.Metric == have.Metric && w.HasAbove == have.HasAbove && w.HasBelow == have.HasBelow && relative(w) == relative(have) {
			return k
		}
	}
	return -1
}

// mapAt returns the mapping at a place, nil if there is none.
func (p *planner) mapAt(at schema.Span) *data.Node {
	s, ok := p.tree.entry(asSpan(at))
	if !ok || at.File != 0 || s.node.Kind != data.Map {
		return nil
	}
	return s.node
}
