package align

import (
	"maps"
	"slices"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
)

// finder finds the copies of a file that a task's copy was made of: one, or the sections of a document that speak of one
// pool.
type finder struct {
	base    *sources.Result
	byPlace map[span][]int // copies with a name of their own
	byMark  map[span][]int // sections, by the places of what they say
	byName  map[string][]int
}

func newFinder(base *sources.Result, tasks []Task) *finder {
	f := &finder{base: base, byPlace: map[span][]int{}, byMark: map[span][]int{}, byName: map[string][]int{}}
	pools := map[string]bool{}
	for _, t := range tasks {
		if t.Copy != nil {
			pools[reconcile.Key(t.Copy.Pool)] = true
		}
	}
	for i := range base.Copies {
		c := &base.Copies[i]
		if len(c.Candidates) == 0 {
			f.byPlace[asSpan(c.PoolAt)] = append(f.byPlace[asSpan(c.PoolAt)], i)
			continue
		}
		for at := range marksOf(c) {
			f.byMark[at] = append(f.byMark[at], i)
		}
		if key, ok := nearest(c, pools); ok {
			f.byName[key] = append(f.byName[key], i)
		}
	}
	return f
}

// nearest returns the key of the pool that the nearest heading of a section names.
func nearest(c *schema.Copy, pools map[string]bool) (string, bool) {
	for _, n := range c.Candidates {
		for _, key := range reconcile.Sections(n.Text) {
			if pools[key] {
				return key, true
			}
		}
	}
	return "", false
}

// marksOf returns the places of everything that a section says.
func marksOf(c *schema.Copy) map[span]bool {
	out := map[span]bool{}
	add := func(at schema.Span) {
		if s := asSpan(at); s.known() {
			out[s] = true
		}
	}
	for i := range c.Members {
		add(c.Members[i].At)
	}
	for i := range c.Batches {
		add(c.Batches[i].At)
	}
	for i := range c.Stops {
		add(c.Stops[i].At)
	}
	for i := range c.Fields {
		add(c.Fields[i].At)
	}
	for i := range c.Unresolved {
		add(c.Unresolved[i].At)
	}
	return out
}

// parts returns the copies that c was joined from, in the order in which pairing joins them; byName says that sections
// count that only repeat what others say, as far as their headings name the pool.
func (f *finder) parts(c *schema.Copy, byName bool) []int {
	taken := map[int]bool{}
	if c.Side != schema.Doc {
		for _, i := range f.byPlace[asSpan(c.PoolAt)] {
			if o := &f.base.Copies[i]; o.Pool == c.Pool && (o.Env == c.Env || o.Env == "") {
				return []int{i}
			}
		}
	}
	for at := range marksOf(c) {
		for _, i := range f.byMark[at] {
			taken[i] = true
		}
	}
	if byName {
		for _, i := range f.byName[reconcile.Key(c.Pool)] {
			if o := &f.base.Copies[i]; o.Env == c.Env || o.Env == "" {
				taken[i] = true
			}
		}
	}
	for _, i := range f.byPlace[asSpan(c.PoolAt)] {
		taken[i] = true
	}
	// What a comment binds comes before what headings bind.
	var parts, sections []int
	for _, i := range slices.Sorted(maps.Keys(taken)) {
		if len(f.base.Copies[i].Candidates) > 0 {
			sections = append(sections, i)
		} else {
			parts = append(parts, i)
		}
	}
	return append(parts, sections...)
}
