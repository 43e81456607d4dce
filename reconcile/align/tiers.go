package align

import (
	"cmp"
	"slices"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// ranking says which priority the copy writes for each tier of the truth.
type ranking struct {
	value map[tier]int64
	ok    bool
}

// ranking keeps the priorities of the copy where they are right, and fits the others in between.
func (p *planner) ranking(r *roster) ranking {
	var all []tier
	votes := map[tier]map[int64]int{}
	add := func(t tier) {
		if votes[t] == nil {
			votes[t] = map[int64]int{}
			all = append(all, t)
		}
	}
	for _, x := range r.pairs {
		t, m := tierOf(&r.truth[x.truth]), &p.copy.Members[x.copy]
		add(t)
		if m.HasPriority {
			votes[t][m.Priority]++
		}
	}
	for i := range r.newcomer {
		add(tierOf(&r.truth[i]))
	}
	slices.SortFunc(all, func(a, b tier) int {
		if a.before(b) {
			return -1
		}
		return 1
	})
	out := ranking{value: map[tier]int64{}, ok: true}
	// The number that most members of a tier write, as long as the tiers keep their order.
	last, gap, first := int64(0), int64(1), true
	for i, t := range all {
		v, found := mostVoted(votes[t], last, first)
		if !found {
			v = t.priority
			if t.backup || !first && v <= last {
				v = last + gap
			}
			if first && t.backup {
				v = 0
			}
		}
		if i > 0 && v <= last {
			v = last + 1
		}
		if !first && v > last {
			gap = v - last
		}
		out.value[t] = v
		last, first = v, false
	}
	return out
}

// mostVoted returns the number with most votes among those above last.
func mostVoted(votes map[int64]int, last int64, first bool) (int64, bool) {
	best, found := int64(0), false
	for v, n := range votes {
		if !first && v <= last {
			continue
		}
		if !found || n > votes[best] || n == votes[best] && v < best {
			best, found = v, true
		}
	}
	return best, found
}

// ranks settles the priorities of a copy, all together: each is worth something only beside the others.
func (p *planner) ranks(t *todo, divs []int, r *roster) {
	if len(divs) == 0 {
		return
	}
	own := func(x pair) int64 { return r.ranks.value[tierOf(&r.truth[x.truth])] }
	alts := []alternative{}
	for _, value := range []func(pair) int64{own, func(x pair) int64 { return r.truth[x.truth].Priority }} {
		if a, ok := p.rerank(r, value, false); ok {
			alts = append(alts, a)
		}
		if a, ok := p.rerank(r, value, true); ok {
			alts = append(alts, a)
		}
	}
	p.propose(t, divs, alts, func(o *reconcile.Divergence) bool {
		return o.Item == schema.Members && o.Field == "priority"
	}, whyNotation())
}

// rerank gives the members of both lists the priorities that value returns; flags says that backups are marked too.
func (p *planner) rerank(r *roster, value func(pair) int64, flags bool) (alternative, bool) {
	a := alternative{effect: effect{tuned: map[int]aim{}}}
	for _, x := range r.pairs {
		m, truth := &p.copy.Members[x.copy], &r.truth[x.truth]
		if v := value(x); m.HasPriority && m.Priority != v {
			at, old, ok := p.at(m.PriorityAt)
			if !ok {
				return a, false
			}
			ways := spellInt(old, v)
			if len(ways) == 0 {
				return a, false
			}
			place, text := p.roomFor(at, ways[0])
			a.pieces = append(a.pieces, replace(place, text, schema.Textf("members: %s: priority %d becomes %d", "members：%s：优先级 %d 改为 %d", m.ID(), m.Priority, v)))
			a.effect.tuned[x.copy] |= aimPriority
		}
		want := truth.Backup == schema.Yes
		if flags && m.Backup != schema.Unsaid && (m.Backup == schema.Yes) != want {
			at, _, ok := p.at(m.BackupAt)
			ways := p.flagWays(m, want)
			if !ok || len(ways) == 0 {
				return a, false
			}
			place, text := p.roomFor(at, ways[0])
			a.pieces = append(a.pieces, replace(place, text, flagSays(m, want)))
			a.effect.tuned[x.copy] |= aimBackup
		}
	}
	slices.SortFunc(a.pieces, func(a, b piece) int { return cmp.Compare(a.at.start, b.at.start) })
	return a, len(a.pieces) > 0
}

func flagSays(m *schema.Member, want bool) schema.Text {
	if want {
		return schema.Textf("members: %s becomes a backup", "members：%s 改为备用", m.ID())
	}
	return schema.Textf("members: %s is a backup no more", "members：%s 不再是备用", m.ID())
}

// flagWays spells whether a member is a backup: first in the words of another member.
func (p *planner) flagWays(m *schema.Member, want bool) []string {
	_, old, ok := p.at(m.BackupAt)
	if !ok {
		return nil
	}
	var ways []string
	const most = 64 // members that are asked
	for i := range p.copy.Members[:min(most, len(p.copy.Members))] {
		o := &p.copy.Members[i]
		if _, text, ok := p.at(o.BackupAt); ok && o.Backup == schema.TriOf(want) && text != "" {
			ways = append(ways, text)
			break
		}
	}
	return append(ways, spellFlag(old, want)...)
}

// backup settles whether one member is a backup.
func (p *planner) backup(t *todo, i int) {
	d := &t.divs[i]
	for c := range p.copy.Members {
		m := &p.copy.Members[c]
		if m.BackupAt != d.At {
			continue
		}
		want := m.Backup != schema.Yes
		at, old, ok := p.at(m.BackupAt)
		if !ok {
			break
		}
		alts := p.alternatives(at, old, p.flagWays(m, want), flagSays(m, want), effect{tuned: map[int]aim{c: aimBackup}})
		p.propose(t, []int{i}, alts, is(d), whyNotation()).about(d.Member)
		return
	}
	t.why[i] = whyNotation()
}

// state settles whether one member takes traffic.
func (p *planner) state(t *todo, i int) {
	d := &t.divs[i]
	want, _ := schema.ParseState(d.Want)
	for c := range p.copy.Members {
		m := &p.copy.Members[c]
		if m.StateAt != d.At {
			continue
		}
		at, old, ok := p.at(m.StateAt)
		if !ok {
			break
		}
		says := schema.Textf("members: %s: state %s becomes %s", "members：%s：状态 %s 改为 %s", m.ID(), m.State, want)
		alts := p.alternatives(at, old, p.stateWays(m, want), says, effect{tuned: map[int]aim{c: aimState}})
		p.propose(t, []int{i}, alts, is(d), whyNotation()).about(d.Member)
		return
	}
	t.why[i] = whyNotation()
}

// stateWays spells a state: first in the words of another member.
func (p *planner) stateWays(m *schema.Member, want schema.State) []string {
	_, old, ok := p.at(m.StateAt)
	if !ok {
		return nil
	}
	var ways []string
	const most = 64
	for i := range p.copy.Members[:min(most, len(p.copy.Members))] {
		o := &p.copy.Members[i]
		if _, text, ok := p.at(o.StateAt); ok && o.State == want && !placeholder(text) {
			ways = append(ways, text)
			break
		}
	}
	return append(ways, spellState(old, want)...)
}
