package align

import (
	"strconv"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// roster is what the truth says of the members that both lists have, and of those that are to be added.
type roster struct {
	truth    []schema.Member
	view     *reconcile.View
	inCopy   map[string]int // the copy's members by identity, the first of each
	inTruth  map[string]int
	pairs    []pair      // members that both have
	newcomer map[int]int // the task's differences by the truth's member that is missing
	weights  map[tier]scale
	weighed  map[tier]bool // tiers with a difference of weights
	flat     bool          // the copy writes neither priorities nor backups
	ranks    ranking
	asked    bool // whether calling is known
	calling  bool // the copy calls its members what the truth calls them
}

// pair is a member that both lists have.
type pair struct{ truth, copy int }

// tier is a priority of the truth.
type tier struct {
	backup   bool
	priority int64
}

func tierOf(m *schema.Member) tier { return tier{m.Backup == schema.Yes, m.Priority} }

// before reports whether traffic goes to a tier first.
func (t tier) before(o tier) bool {
	if t.backup != o.backup {
		return !t.backup
	}
	return t.priority < o.priority
}

// roster pairs the members of the truth with those of the copy. missing are the differences that are members to be added.
func (p *planner) roster(t *todo, missing []int) *roster {
	r := &roster{inCopy: map[string]int{}, inTruth: map[string]int{}, newcomer: map[int]int{}, weights: map[tier]scale{}, weighed: map[tier]bool{}}
	for i := range t.divs {
		if d := &t.divs[i]; d.Item == schema.Members && d.Truth != nil {
			r.truth, r.view = d.Truth.Members, reconcile.NewView(d.Truth)
			break
		}
	}
	for i := range p.copy.Members {
		id := p.copy.Members[i].ID()
		if _, there := r.inCopy[id]; !there {
			r.inCopy[id] = i
		}
	}
	byPlace := map[schema.Span]int{}
	for i := range r.truth {
		id := r.truth[i].ID()
		if _, there := r.inTruth[id]; there {
			continue
		}
		r.inTruth[id] = i
		byPlace[r.truth[i].At] = i
		if c, ok := r.inCopy[id]; ok {
			r.pairs = append(r.pairs, pair{i, c})
		}
	}
	for _, i := range missing {
		d := &t.divs[i]
		m, ok := r.inTruth[d.Member]
		if !ok {
			m, ok = byPlace[d.TruthAt]
		}
		if ok {
			r.newcomer[m] = i
		}
	}
	r.scales(p)
	r.ranks = p.ranking(r)
	return r
}

// standard is the weight of a member of the truth that writes none; 0 where nobody knows.
func (r *roster) standard() int64 {
	if r.view == nil {
		return 0
	}
	return r.view.Profile.Traits.DefaultWeight
}

// weightOf returns the weight that the truth gives a member, -1 if none.
func (r *roster) weightOf(i int) int64 {
	m := &r.truth[i]
	switch {
	case m.HasWeight:
		return m.Weight
	case r.standard() > 0:
		return r.standard()
	}
	return -1
}

// calls reports whether the copy calls the members that both have what the truth calls them.
func (r *roster) calls(p *planner) bool {
	if r.asked {
		return r.calling
	}
	r.asked = true
	for _, x := range r.pairs {
		own, other := nameOf(&p.copy.Members[x.copy]), nameOf(&r.truth[x.truth])
		if own == "" || other == "" {
			continue
		}
		if r.calling = own == other; !r.calling {
			break
		}
	}
	return r.calling
}

// nameOf returns what a member is called; empty where it has no name.
func nameOf(m *schema.Member) string {
	for i := range m.Extra {
		if f := &m.Extra[i]; f.Path == "name" && f.Value.Kind() == schema.TextKind {
			return f.Value.Text()
		}
	}
	return ""
}

// identityOf returns host and port of a difference's member, as the comparison names it: an alias by its address.
func identityOf(d *reconcile.Divergence, m *schema.Member) (host, port string) {
	if m.Host == "" {
		return "", ""
	}
	if e, ok := schema.SplitEndpoint(d.Member); ok {
		host = e.Host
		if e.Port != 0 {
			port = strconv.Itoa(e.Port)
		}
		return host, port
	}
	return m.Host, m.PortString()
}
