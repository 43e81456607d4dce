package live

import (
	"strconv"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// weighed is a member with both weights.
type weighed struct {
	file, live *schema.Member
	want       int64
	implied    bool
}

// tier is what weights compare within.
type tier struct {
	backup   bool
	priority int64
}

// weights compares weights within the tiers of the file. Both sides speak of the same engine, so each member whose number
// differs is told; but where all numbers of a tier differ by one factor, traffic goes as the file says, and nothing is.
func (p *pair) weights(live *schema.Copy) {
	tiers := map[tier][]weighed{}
	var order []tier
	byID := make(map[string]*schema.Member, len(live.Members))
	for i := range live.Members {
		m := &live.Members[i]
		if byID[m.ID()] == nil {
			byID[m.ID()] = m
		}
	}
	standard := p.file.Profile.Traits.DefaultWeight
	seen := map[string]bool{}
	for i := range p.file.Copy.Members {
		w := &p.file.Copy.Members[i]
		m := byID[w.ID()]
		if m == nil || seen[w.ID()] || !m.HasWeight || agent(w) || agent(m) || w.Origin != schema.Static || p.unread(w) {
			continue
		}
		seen[w.ID()] = true
		e := weighed{file: w, live: m, want: w.Weight}
		if !w.HasWeight {
			if standard == 0 {
				continue
			}
			e.want, e.implied = standard, true
		}
		t := tier{w.Backup == schema.Yes, w.Priority}
		if _, ok := tiers[t]; !ok {
			order = append(order, t)
		}
		tiers[t] = append(tiers[t], e)
	}
	for _, t := range order {
		if scaled(tiers[t]) {
			continue
		}
		for _, e := range tiers[t] {
			if e.want != e.live.Weight {
				p.weight(&e, standard)
			}
		}
	}
}

// scaled reports whether the running weights are the file's times one factor.
func scaled(list []weighed) bool {
	var want, has int64
	for _, e := range list {
		switch {
		case e.want == 0 || e.live.Weight == 0:
			if e.want != e.live.Weight {
				return false
			}
		case want == 0:
			want, has = e.want, e.live.Weight
		case e.want*has != e.live.Weight*want:
			return false
		}
	}
	return true
}

// unread reports whether the file leaves a member's weight to a template.
func (p *pair) unread(m *schema.Member) bool {
	for _, u := range p.file.Copy.Unresolved {
		if u.Path.Leaf() != string(u.Path) && u.At.File == m.At.File && u.At.Start >= m.At.Start && u.At.End <= m.At.End && leaf(u.Path) == "weight" {
			return true
		}
	}
	return false
}

// leaf returns the last element of a path.
func leaf(p schema.Path) string {
	for i := len(p) - 1; i >= 0; i-- {
		if p[i] == '.' {
			return string(p[i+1:])
		}
	}
	return string(p)
}

func (p *pair) weight(e *weighed, standard int64) {
	d := reconcile.Divergence{Item: schema.Members, Field: "weight", Member: e.file.ID(), TruthAt: e.file.At,
		Want: strconv.FormatInt(e.want, 10), Got: strconv.FormatInt(e.live.Weight, 10)}
	if e.file.WeightAt.Known() {
		d.TruthAt = e.file.WeightAt
	}
	if e.implied {
		d.Implied = &schema.Effective{Path: "members.weight", Why: schema.Textf("a member that writes no weight has %d", "未写权重的成员权重为 %d", standard)}
	}
	p.differs(&d, "")
}
