package codec

import (
	"slices"

	"github.com/poolproof/poolproof/schema"
)

// length codes how many elements a list has; nil and empty lists stay apart. least is how many bytes an element takes
// at the least, which bounds what a reader makes room for.
func (c *coder) length(n int, isNil bool, least int) (length int, none bool) {
	u := uint64(n) + 1
	if isNil {
		u = 0
	}
	c.uint(&u)
	switch {
	case u == 0:
		return 0, true
	case !c.writing && u-1 > uint64((len(c.body)-c.at)/least):
		c.fail()
		return 0, true
	}
	return int(u - 1), false
}

// list codes a list of elements.
func list[T any](c *coder, s *[]T, least int, element func(*coder, *T)) {
	n, none := c.length(len(*s), *s == nil, least)
	if none {
		return
	}
	if !c.writing {
		*s = make([]T, n)
	}
	for i := range *s {
		element(c, &(*s)[i])
	}
}

// slabList codes a list of one of the types that come in large numbers: the reader takes it off the slab. Its
// capacity ends with it, so that appending to one list does not reach the next.
func slabList[T any](c *coder, s, slab *[]T, need *int, element func(*coder, *T)) {
	n, none := c.length(len(*s), *s == nil, 1)
	if none {
		return
	}
	if c.writing {
		*need += n
	} else {
		if n > len(*slab) {
			c.fail()
			return
		}
		*s, *slab = (*slab)[:n:n], (*slab)[n:]
	}
	for i := range *s {
		element(c, &(*s)[i])
	}
}

func (c *coder) stringList(s *[]string) {
	slabList(c, s, &c.slabs.texts, &c.need.texts, (*coder).string)
}

// keyed codes a map with one entry a side, in the order of the sides.
func keyed[V any](c *coder, m *map[schema.Side]V, value func(*coder, *V)) {
	n, none := c.length(len(*m), *m == nil, 2)
	if none {
		return
	}
	if c.writing {
		sides := make([]schema.Side, 0, n)
		for side := range *m {
			sides = append(sides, side)
		}
		slices.Sort(sides)
		for _, side := range sides {
			v := (*m)[side]
			text(c, &side)
			value(c, &v)
		}
		return
	}
	*m = make(map[schema.Side]V, n)
	for range n {
		var side schema.Side
		var v V
		text(c, &side)
		value(c, &v)
		(*m)[side] = v
	}
}
