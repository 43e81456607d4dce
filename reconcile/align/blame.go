package align

import (
	"sort"

	"github.com/poolproof/poolproof/schema"
)

// blamer finds out which changes are at fault.
type blamer struct {
	edits        []placed
	bad          bool
	blame, apart map[*change]bool
}

// compare looks for differences that should be gone, and for new ones.
func (p *prover) compare(t *todo, found *schema.Copy, changes []*change, b *blamer) {
	left := t.Compare(found)
	if len(left) == 0 {
		return
	}
	before := make(map[divKey]bool, len(t.divs))
	for i := range t.divs {
		before[keyOf(&t.divs[i])] = true
	}
	byMember := map[string][]*change{}
	for _, c := range changes {
		byMember[c.member] = append(byMember[c.member], c)
	}
	fresh := 0
	for i := range left {
		d := &left[i]
		hit := false
		ask := func(list []*change) {
			for _, c := range list {
				if c.covers(t) && c.unsettled(d) {
					b.blame[c], hit = true, true
					c.fault = faultValue()
				}
			}
		}
		if ask(byMember[""]); d.Member != "" {
			ask(byMember[d.Member])
		}
		b.bad = b.bad || hit
		const most = 8 // new differences that are looked at
		if hit || before[keyOf(d)] {
			continue
		}
		if b.bad, fresh = true, fresh+1; fresh > most {
			continue
		}
		for _, c := range changes {
			if c.item == d.Item {
				b.apart[c] = true
				if c.fault.En == "" {
					c.fault = faultNew()
				}
			}
		}
	}
}

// suspect notes that one of a copy's own changes alters what it should not.
func (b *blamer) suspect(own []*change) {
	b.bad = true
	for _, c := range own {
		if len(own) == 1 {
			b.blame[c] = true
		}
		b.apart[c] = true
		if c.fault.En == "" {
			c.fault = faultOther()
		}
	}
}

// byPlace blames the edits of bytes that another copy, which has changed, is read from.
func (b *blamer) byPlace(c *schema.Copy) {
	b.bad = true
	hit := func(at schema.Span) {
		s := asSpan(at)
		if at.File != 0 || !s.known() {
			return
		}
		i := sort.Search(len(b.edits), func(i int) bool { return b.edits[i].end > s.start })
		for ; i < len(b.edits) && b.edits[i].start < s.end; i++ {
			by := b.edits[i].by
			b.blame[by] = true
			by.fault = faultShape()
		}
	}
	for i := range c.Fields {
		hit(c.Fields[i].At)
	}
	for i := range c.Members {
		hit(c.Members[i].At)
	}
	for i := range c.Batches {
		hit(c.Batches[i].At)
	}
}

// emptied reports whether a list has lost all of its members.
func emptied(j *job, found *schema.Copy) bool {
	return len(j.before.Members) > 0 && len(found.Members) == 0
}

// removals blames the changes that take members out: a copy without any would leave its program without anybody to call.
func (b *blamer) removals(own []*change) {
	b.bad = true
	for _, c := range own {
		if len(c.alts[c.at].effect.removed) > 0 {
			b.blame[c] = true
			c.fault = faultEmptied()
		}
	}
}
