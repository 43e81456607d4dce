package align

import (
	"slices"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// missing adds the members that the copy lacks, each made from the text of a sibling and put beside its neighbour in the
// truth.
func (p *planner) missing(t *todo, divs []int, r *roster) {
	if len(divs) == 0 {
		return
	}
	spots := p.memberSpots()
	patterns := p.patterns(spots)
	if len(patterns) == 0 {
		why := whyEmpty()
		for _, s := range spots {
			if why = s.why; why.En == "" {
				why = whyPattern()
			}
			break
		}
		for _, i := range divs {
			t.why[i] = why
		}
		return
	}
	rewritten := map[tier]bool{}
	for _, n := range p.neighbours(r, spots, patterns) {
		i, ok := r.newcomer[n.truth]
		if !ok {
			continue
		}
		p.add(t, i, n, r, patterns, rewritten)
	}
	for _, i := range divs {
		if t.by[i] == nil && t.why[i].En == "" {
			t.why[i] = whyPattern()
		}
	}
}

// neighbour is where a member of the truth belongs in the copy: behind an entry of a list.
type neighbour struct {
	truth int
	list  *listing
	after int
}

// neighbours places the members that are to be added: behind the member before them in the truth, else before the next
// one, else at the end.
func (p *planner) neighbours(r *roster, spots []spot, patterns map[*listing][]pattern) []neighbour {
	var out []neighbour
	of := map[int]int{}
	for _, x := range r.pairs {
		of[x.truth] = x.copy
	}
	var at *neighbour
	waiting := 0 // those at the start of the list, which the first known member decides
	for i := range r.truth {
		if c, ok := of[i]; ok && spots[c].list != nil && len(patterns[spots[c].list]) > 0 {
			s := spots[c]
			if at == nil {
				for j := range out {
					if out[j].list, out[j].after = s.list, s.i-1; s.list.indexed != nil {
						out[j].after = len(s.list.items) - 1
					}
				}
			}
			at, waiting = &neighbour{list: s.list, after: s.i}, 0
			continue
		}
		if _, ok := r.newcomer[i]; !ok {
			continue
		}
		n := neighbour{truth: i}
		if at != nil && at.list.indexed != nil { // the next number, so that the others keep theirs
			n.list, n.after = at.list, len(at.list.items)-1
		} else if at != nil {
			n.list, n.after = at.list, at.after
		} else {
			waiting++
		}
		out = append(out, n)
	}
	if waiting > 0 { // nothing is known: behind the last entry
		last := p.lastList(spots, patterns)
		for j := range out {
			out[j].list, out[j].after = last, len(last.items)-1
		}
	}
	return out
}

// lastList returns the list that the last member of the copy stands in.
func (p *planner) lastList(spots []spot, patterns map[*listing][]pattern) *listing {
	for i := len(spots) - 1; i >= 0; i-- {
		if l := spots[i].list; l != nil && len(patterns[l]) > 0 {
			return l
		}
	}
	return nil
}

// add proposes one new member.
func (p *planner) add(t *todo, i int, n neighbour, r *roster, patterns map[*listing][]pattern, rewritten map[tier]bool) {
	d, truth := &t.divs[i], &r.truth[n.truth]
	if n.list == nil {
		t.why[i] = whyPattern()
		return
	}
	list := p.ranked(n, patterns[n.list], truth, r)
	var rescale []piece
	tuned := map[int]aim{}
	if s := r.weights[tierOf(truth)]; s.rewrites && !rewritten[tierOf(truth)] && !r.weighed[tierOf(truth)] {
		// The new weight has no place in the copy's scale: the whole tier takes the truth's.
		if pieces, aims, ok := p.retune(r, tierOf(truth)); ok {
			rescale, tuned = pieces, aims
		}
		rewritten[tierOf(truth)] = true
	}
	n.list.count++
	var alts []alternative
	const most = 3
	for _, keepAll := range []bool{false, true} {
		for _, x := range list[:min(most, len(list))] {
			own := &p.copy.Members[x.copy]
			who := newcomer{ordinal: n.list.count, keepAll: keepAll, oldHost: own.Host, oldPort: own.PortString()}
			who.host, who.port = identityOf(d, truth)
			if r.calls(p) && safe.MatchString(nameOf(truth)) {
				who.oldName, who.name = nameOf(own), nameOf(truth)
			}
			lost := p.unsaid(own, truth, &who)
			for _, slots := range p.slots(d, n, x, truth, r) {
				text, ok := n.list.like(x.i, slots, who)
				if !ok || slices.ContainsFunc(alts, func(o alternative) bool { return o.pieces[0].put.text == text }) {
					continue
				}
				a := alternative{effect: effect{added: []string{d.Member}, tuned: tuned}}
				a.pieces = append(a.pieces, piece{list: n.list, take: -1, put: &added{after: n.after, text: text}, says: addSays(d.Member, lost)})
				a.pieces = append(a.pieces, rescale...)
				alts = append(alts, a)
			}
		}
	}
	p.propose(t, []int{i}, alts, func(o *reconcile.Divergence) bool {
		return o.Item == schema.Members && o.Kind != reconcile.Extra && o.Field != "weight" && o.Member == d.Member
	}, whyPattern()).about(d.Member)
}

// unsaid returns what the truth says of a new member and the sibling has no place for. A native file is given the key.
func (p *planner) unsaid(own, truth *schema.Member, who *newcomer) (lost []schema.Text) {
	native := p.copy.Format == "poolproof"
	if truth.Backup == schema.Yes && own.Backup == schema.Unsaid {
		if native {
			who.pairs = append(who.pairs, [2]string{"backup", "true"})
		} else if !own.HasPriority {
			lost = append(lost, schema.Textf("a backup", "备用"))
		}
	}
	if !truth.IsActive() && own.State == schema.StateUnsaid {
		if native {
			who.pairs = append(who.pairs, [2]string{"state", truth.State.String()})
			if p.notation != yamlText {
				who.pairs[len(who.pairs)-1][1] = jsonText(truth.State.String())
			}
		} else {
			lost = append(lost, schema.Text{En: truth.State.String(), Zh: schema.Spoken(schema.Members, truth.State.String()).Zh})
		}
	}
	return lost
}

// addSays words that a member is added, and what the truth says of it that the list has no place for.
func addSays(id string, lost []schema.Text) schema.Text {
	says := schema.Textf("members: adds %s", "members：添加 %s", id)
	for _, what := range lost {
		says.En += "; in the truth it is " + what.En + ", for which this list has no place"
		says.Zh += "；基准中为" + what.In("zh") + "，此列表无处书写"
	}
	return says
}
