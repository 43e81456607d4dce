package align

import (
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// swap puts the truth's only member in the place of the copy's only one where that is a text of its own, which is no list:
// the address that an application calls. It reports whether it found that to be so.
func (p *planner) swap(t *todo, missing int, open []int) bool {
	extra := -1
	for _, i := range open {
		if d := &t.divs[i]; d.Item == schema.Members && d.Kind == reconcile.Extra {
			if extra >= 0 {
				return false
			}
			extra = i
		}
	}
	if extra < 0 || len(p.copy.Members) != 1 || p.notation == document {
		return false
	}
	m := &p.copy.Members[0]
	d, gone := &t.divs[missing], &t.divs[extra]
	i := memberOf(d)
	if i < 0 || m.Host == "" || d.Truth.Members[i].Host == "" || p.memberSpots()[0].list != nil || p.memberSpots()[0].why != whyLone() {
		return false
	}
	says := schema.Textf("members: %s becomes %s", "members：由 %s 改为 %s", gone.Member, d.Member)
	var alts []alternative
	for _, slots := range p.identity(d, nil, pattern{}, m, &d.Truth.Members[i]) {
		a := alternative{effect: effect{added: []string{d.Member}, removed: []int{0}}}
		for _, s := range slots {
			if s.drop {
				return false
			}
			a.pieces = append(a.pieces, replace(s.at, s.text, says))
			for k := range p.copy.Fields { // the text may be noted as a setting too
				if f := &p.copy.Fields[k]; f.At.File == 0 && s.at.within(asSpan(f.At)) {
					a.effect.fields = append(a.effect.fields, f.Path)
				}
			}
		}
		alts = append(alts, a)
	}
	if len(alts) == 0 {
		return false
	}
	p.propose(t, []int{missing, extra}, alts, func(o *reconcile.Divergence) bool {
		return o.Item == schema.Members && (o.Kind == reconcile.Missing || o.Kind == reconcile.Extra)
	}, whyLone())
	return true
}

// memberOf returns which member of the truth a difference is about, -1 if that is not known.
func memberOf(d *reconcile.Divergence) int {
	for i := range d.Truth.Members {
		if m := &d.Truth.Members[i]; m.ID() == d.Member || m.At == d.TruthAt {
			return i
		}
	}
	return -1
}
