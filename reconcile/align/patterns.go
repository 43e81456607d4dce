package align

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// pattern is an entry that new ones can be made from.
type pattern struct {
	copy, i int
	has     trait
}

// trait says what an entry writes.
type trait uint8

const (
	writesWeight trait = 1 << iota
	writesPriority
	writesBackup
	writesState
	isSocket
	isModel
)

func traitsOf(m *schema.Member) trait {
	var t trait
	for _, x := range []struct {
		is  bool
		bit trait
	}{
		{m.HasWeight, writesWeight}, {m.HasPriority, writesPriority}, {m.Backup != schema.Unsaid, writesBackup}, {m.State != schema.StateUnsaid, writesState},
		{m.Socket != "", isSocket}, {m.Host == "" && m.Socket == "", isModel},
	} {
		if x.is {
			t |= x.bit
		}
	}
	return t
}

// patterns returns for each list one or two entries of every kind.
func (p *planner) patterns(spots []spot) map[*listing][]pattern {
	out := map[*listing][]pattern{}
	const each = 2
	for _, borrowed := range []bool{false, true} { // entries that say everything themselves come first
		for c, s := range spots {
			if s.list == nil || p.copy.Members[c].Origin != schema.Static || p.borrows(s) != borrowed || p.templated(&p.copy.Members[c]) {
				continue
			}
			has := traitsOf(&p.copy.Members[c])
			n := 0
			for _, x := range out[s.list] {
				if x.has == has {
					n++
				}
			}
			if n < each {
				out[s.list] = append(out[s.list], pattern{c, s.i, has})
			}
		}
	}
	return out
}

// borrows reports whether an entry takes what it says from an anchor of YAML.
func (p *planner) borrows(s spot) bool {
	if p.notation != yamlText {
		return false
	}
	text := p.text[s.list.items[s.i].start:s.list.items[s.i].end]
	return strings.HasPrefix(text, "*") || strings.Contains(text[:min(len(text), maxLine)], "<<:")
}

// templated reports whether a value of a member is the default of something that is filled in elsewhere: another member
// would be filled in with the same.
func (p *planner) templated(m *schema.Member) bool {
	for _, s := range []schema.Span{m.HostAt, m.PortAt, m.WeightAt, m.PriorityAt, m.BackupAt, m.StateAt} {
		at, text, ok := p.at(s)
		if !ok {
			continue
		}
		if p.tree != nil && p.notation != document {
			if seat, ok := p.tree.text(at); ok {
				whole := asSpan(seat.node.At)
				text = p.text[whole.start:whole.end]
			}
		}
		if len(text) <= maxLine && placeholder(text) {
			return true
		}
	}
	return false
}

// ranked puts the entries first that write what the new one has to.
func (p *planner) ranked(n neighbour, list []pattern, truth *schema.Member, r *roster) []pattern {
	var need trait
	want := traitsOf(truth)
	need |= want & (isSocket | isModel)
	for _, bit := range []trait{writesWeight, writesPriority, writesBackup, writesState} {
		writers := 0
		for _, x := range list {
			if x.has&bit != 0 {
				writers++
			}
		}
		special := bit == writesBackup && truth.Backup == schema.Yes || bit == writesState && !truth.IsActive()
		if writers*2 > len(list) || special && writers > 0 {
			need |= bit
		}
	}
	score := func(x pattern) int {
		s := 0
		for bit := writesWeight; bit <= isModel; bit <<= 1 {
			if (x.has^need)&bit == 0 {
				continue
			}
			if s += 4; bit >= isSocket {
				s += 100
			}
		}
		m := &p.copy.Members[x.copy]
		if m.Backup == schema.Yes != (truth.Backup == schema.Yes) {
			s++
		}
		if m.IsActive() != truth.IsActive() {
			s++
		}
		return s
	}
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(a, b pattern) int { return score(a) - score(b) })
	return out
}
