package align

import (
	"cmp"
	"slices"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// change is something that settles one or more differences of a copy, in one of several ways.
type change struct {
	todo *todo
	divs []int // of the todo's differences
	item schema.Item
	// alts are the ways to do it, the best first; at is the one that is tried, and len(alts) when none is left.
	alts []alternative
	at   int
	// member is the one that the change is about; empty where it is about several, or none.
	member string
	// riders are tasks of other environments of the same copy, with the same difference.
	riders []*todo
	// unsettled reports whether a difference that is found afterwards is one that the change should have settled.
	unsettled func(*reconcile.Divergence) bool
	// fault says what was wrong with the last way that was tried.
	fault schema.Text
}

// alternative is one way to make a change.
type alternative struct {
	pieces []piece
	effect effect
}

// piece is one replacement, or one entry that is added to a list or taken out of it.
type piece struct {
	at   span
	text string
	says schema.Text
	list *listing
	take int // of the list's entries, -1 for none
	put  *added
}

func replace(at span, text string, says schema.Text) piece {
	return piece{at: at, text: text, says: says, take: -1}
}

// effect is what a copy says differently after a change. Everything else has to stay.
type effect struct {
	fields  []schema.Path
	added   []string    // identities
	removed []int       // of the copy's members
	tuned   map[int]aim // of the copy's members
	batches []schema.Batch
	ramp    bool // batches counts
	stops   bool
}

// aim says which values of a member may change.
type aim uint8

const (
	aimWeight aim = 1 << iota
	aimPriority
	aimBackup
	aimState
)

func (c *change) covers(t *todo) bool { return c.todo == t || slices.Contains(c.riders, t) }

func (c *change) live() bool { return c.at < len(c.alts) }

// render returns the edits of the changes, in order.
func render(text string, changes []*change) []placed {
	var out []placed
	var lists []*listing
	for _, c := range changes {
		if !c.live() {
			continue
		}
		for i := range c.alts[c.at].pieces {
			p := &c.alts[c.at].pieces[i]
			if p.list == nil {
				out = append(out, place(p.at.start, p.at.end, p.text, cause{c, p.says}))
				continue
			}
			l := p.list
			if l.work.removed == nil {
				l.work.removed = map[int]cause{}
				lists = append(lists, l)
			}
			if p.take >= 0 && l.work.removed[p.take].none() {
				l.work.removed[p.take] = cause{c, p.says}
			}
			if p.put != nil {
				put := *p.put
				put.by = cause{c, p.says}
				l.work.added = append(l.work.added, put)
			}
		}
	}
	for _, l := range lists {
		out = append(out, l.edits(l.work)...)
		l.work = work{}
	}
	slices.SortStableFunc(out, func(a, b placed) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
	return once(out)
}

// once drops edits that several changes have in common: a copy that stands in several environments is edited once.
func once(edits []placed) []placed {
	var out []placed
	for _, e := range edits {
		if n := len(out); n > 0 && e.end > e.start && out[n-1].start == e.start && out[n-1].end == e.end && out[n-1].text == e.text {
			continue
		}
		out = append(out, e)
	}
	return out
}

// clash returns a change whose edit overlaps one before it.
func clash(edits []placed) *change {
	end := 0
	for _, e := range edits {
		if e.start < end {
			return e.by
		}
		end = max(end, e.end)
	}
	return nil
}

// apply puts the edits into the text.
func apply(text string, edits []placed) []byte {
	size := len(text)
	for _, e := range edits {
		size += len(e.text)
	}
	out := make([]byte, 0, size)
	pos := 0
	for _, e := range edits {
		out = append(out, text[pos:e.start]...)
		out = append(out, e.text...)
		pos = e.end
	}
	return append(out, text[pos:]...)
}
