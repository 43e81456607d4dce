package evidence

import (
	"iter"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

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
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(pairs)) {
		wait.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(pairs) {
					return
				}
				out[i] = j.change(pairs[i])
				out[i].digestAll()
			}
		})
	}
	return func() []*change { wait.Wait(); return out }
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
