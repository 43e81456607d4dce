package ledger

import (
	"cmp"
	"slices"
	"strings"
)

// order keeps drifts sorted at little cost for each that comes, goes or moves. The zero order is empty.
type order struct {
	sorted []*Drift
	// moved are those that may stand in the wrong place; true: they belong into the order.
	moved map[*Drift]bool
}

// place says that a drift is new, or that what it is sorted by changes.
func (o *order) place(d *Drift) { o.mark(d, true) }

// drop says that a drift is no more.
func (o *order) drop(d *Drift) { o.mark(d, false) }

func (o *order) mark(d *Drift, belongs bool) {
	if o.moved == nil {
		o.moved = map[*Drift]bool{}
	}
	o.moved[d] = belongs
}

// all returns the drifts: the graver ones first, then the older ones, then those of one pool together. The list is valid
// until the next call.
func (o *order) all() []*Drift {
	if len(o.moved) == 0 {
		return o.sorted
	}
	fresh := make([]*Drift, 0, len(o.moved))
	for d, belongs := range o.moved {
		if belongs {
			fresh = append(fresh, d)
		}
	}
	slices.SortFunc(fresh, compare)
	merged := make([]*Drift, 0, len(o.sorted)+len(fresh))
	for _, d := range o.sorted {
		if _, moved := o.moved[d]; moved {
			continue
		}
		for len(fresh) > 0 && compare(fresh[0], d) < 0 {
			merged, fresh = append(merged, fresh[0]), fresh[1:]
		}
		merged = append(merged, d)
	}
	o.sorted, o.moved = append(merged, fresh...), nil
	return o.sorted
}

func compare(a, b *Drift) int {
	x, y := &a.Event, &b.Event
	return cmp.Or(cmp.Compare(y.Severity, x.Severity), x.Since.Compare(y.Since), strings.Compare(x.Pool, y.Pool), strings.Compare(x.Key, y.Key))
}
