package align

import (
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// extra takes a member out that only the copy has, as often as it is written.
func (p *planner) extra(t *todo, i int) {
	d := &t.divs[i]
	spots := p.memberSpots()
	says := schema.Textf("members: removes %s", "members：删除 %s", d.Member)
	a := alternative{}
	if p.byID == nil {
		p.byID = map[string][]int{}
		for c := range p.copy.Members {
			id := p.copy.Members[c].ID()
			p.byID[id] = append(p.byID[id], c)
		}
	}
	entries := p.byID[d.Member]
	if len(entries) == 0 { // an alias: the difference names one of its addresses
		for c := range p.copy.Members {
			if p.copy.Members[c].At == d.At {
				entries = append(entries, c)
			}
		}
	}
	for _, c := range entries {
		s := spots[c]
		switch {
		case s.list == nil:
			t.why[i] = s.why
			return
		case s.list.layout.holdsComment(s.i):
			t.why[i] = whyComment()
			return
		}
		a.pieces = append(a.pieces, piece{list: s.list, take: s.i, says: says})
		a.effect.removed = append(a.effect.removed, c)
	}
	var alts []alternative
	if len(a.pieces) > 0 {
		alts = append(alts, a)
	}
	p.propose(t, []int{i}, alts, func(o *reconcile.Divergence) bool {
		return o.Item == schema.Members && o.Kind == reconcile.Extra && o.Member == d.Member
	}, whyLayout()).about(d.Member)
}
