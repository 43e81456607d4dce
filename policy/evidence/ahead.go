package evidence

import (
	"context"
	"iter"
	"slices"

	"github.com/poolproof/poolproof/policy/parallel"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
)

// window is how many pools are made ready at once: enough for every core, and few enough that memory holds.
const window = 64

// ahead makes pools ready on all cores, in order, while the ones before them are judged, one after the other.
func (j *judge) ahead(pairs []*pair) iter.Seq[*change] {
	return func(yield func(*change) bool) {
		var next func() []*change
		for some := range slices.Chunk(pairs, window) {
			now := next
			next = j.ready(some)
			if now != nil && !each(now(), yield) {
				next()
				return
			}
		}
		if next != nil {
			each(next(), yield)
		}
	}
}

func each(list []*change, yield func(*change) bool) bool {
	for _, c := range list {
		if !yield(c) {
			return false
		}
	}
	return true
}

// ready begins to make some pools ready; what it returns waits for them.
func (j *judge) ready(pairs []*pair) func() []*change {
	out := make([]*change, len(pairs))
	wait := parallel.Start(context.Background(), 0, len(pairs), func(i int) {
		out[i] = j.change(pairs[i])
		out[i].digestAll()
	})
	return func() []*change { _ = wait(); return out } // nothing ends that context
}

// digestAll takes the digests that will be asked for.
func (c *change) digestAll() {
	for _, p := range []*rules.Pool{c.base, c.head} {
		if p == nil {
			continue
		}
		for _, x := range p.Group.Copies {
			for _, item := range schema.Reconciled() {
				c.digest(x, item)
			}
		}
	}
}
