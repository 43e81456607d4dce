package dryrun

import (
	"math"
	"math/bits"
	"time"
)

// kind says what an event is.
type kind uint16

const (
	evDone    kind = iota // an attempt ends
	evWake                // a request has waited long enough
	evRelease             // a member has finished a request that nobody waits for any longer
	evProbe               // a probe ends
	evScript              // something of the scenario happens
)

// ref names what an event is about. Events of an earlier epoch of a request are void.
type ref struct {
	slot  uint32
	epoch uint16
	kind  kind
}

const never = time.Duration(math.MaxInt64)

// queue holds the events to come, the earliest first, and those of one moment in the order in which they came in. Most
// lie in the near future and in a ring of buckets, where putting one in and taking one out costs the same whatever
// their number is; what lies beyond the ring is in a heap.
type queue struct {
	shift uint // of a time, to get its bucket
	mask  int64
	ring  []bucket
	used  []uint64 // a bit for each bucket that is not empty
	nodes []node
	free  int32 // first free node
	count int   // of events in the ring
	first int64 // bucket of the earliest event in the ring
	far   heap
	// next is the time of the earliest event, never if there is none.
	next time.Duration
	// near is the time of the earliest event in the ring.
	near time.Duration
}

type bucket struct{ head, tail int32 }

type node struct {
	at   time.Duration
	ref  ref
	next int32
}

// ringSize bounds the ring: more buckets than the nearest cache holds cost more than they save.
const ringSize = 1 << 13

// newQueue returns a queue for about rate events a second.
func newQueue(rate float64) *queue {
	q := &queue{mask: ringSize - 1, ring: make([]bucket, ringSize), used: make([]uint64, ringSize/64), free: -1, next: never, near: never}
	width := 1e9 / max(rate, 1e-3)
	q.shift = uint(max(10, min(bits.Len64(uint64(width))-1, 34)))
	for i := range q.ring {
		q.ring[i] = bucket{-1, -1}
	}
	return q
}

// push adds an event at a time that is not before now, the time of the latest event or arrival.
func (q *queue) push(now, at time.Duration, r ref) {
	b := int64(at) >> q.shift
	if at < q.next {
		q.next = at
	}
	if b-int64(now)>>q.shift > q.mask {
		q.far.push(item{at, r})
		return
	}
	n := q.free
	if n >= 0 {
		q.free = q.nodes[n].next
	} else {
		n = int32(len(q.nodes))
		q.nodes = append(q.nodes, node{})
	}
	q.nodes[n] = node{at: at, ref: r, next: -1}
	q.count++
	if at < q.near {
		q.near, q.first = at, b
	}
	i := b & q.mask
	k := &q.ring[i]
	switch {
	case k.head < 0:
		k.head, k.tail = n, n
		q.used[i>>6] |= 1 << uint(i&63)
	case at >= q.nodes[k.tail].at:
		q.nodes[k.tail].next = n
		k.tail = n
	default:
		q.insert(k, n)
	}
}

// insert puts a node into its place among those of its bucket.
func (q *queue) insert(k *bucket, n int32) {
	at := q.nodes[n].at
	if at < q.nodes[k.head].at {
		q.nodes[n].next = k.head
		k.head = n
		return
	}
	i := k.head
	for q.nodes[q.nodes[i].next].at <= at {
		i = q.nodes[i].next
	}
	q.nodes[n].next = q.nodes[i].next
	q.nodes[i].next = n
}

// pop takes the earliest event out. There must be one.
func (q *queue) pop() ref {
	if q.near > q.next {
		r := q.far.pop().ref
		q.next = min(q.near, q.far.top())
		return r
	}
	i := q.first & q.mask
	k := &q.ring[i]
	n := k.head
	d := &q.nodes[n]
	r := d.ref
	k.head = d.next
	d.next, q.free = q.free, n
	q.count--
	switch {
	case k.head >= 0:
		q.near = q.nodes[k.head].at
	default:
		k.tail = -1
		q.used[i>>6] &^= 1 << uint(i&63)
		q.advance(i)
	}
	q.next = q.near
	if len(q.far) > 0 {
		q.next = min(q.near, q.far.top())
	}
	return r
}

// advance finds the next bucket that is not empty, after the one at i.
func (q *queue) advance(i int64) {
	if q.count == 0 {
		q.near = never
		return
	}
	w := i >> 6
	word := q.used[w] &^ (1<<uint(i&63) - 1)
	for word == 0 {
		w = (w + 1) & (int64(len(q.used)) - 1)
		word = q.used[w]
	}
	j := w<<6 + int64(bits.TrailingZeros64(word))
	q.near = q.nodes[q.ring[j].head].at
	q.first = int64(q.near) >> q.shift
}

// item is an event in the heap.
type item struct {
	at  time.Duration
	ref ref
}

// heap is a heap with four children a node.
type heap []item

func (h heap) top() time.Duration {
	if len(h) == 0 {
		return never
	}
	return h[0].at
}

func (h *heap) push(x item) {
	*h = append(*h, x)
	s := *h
	i := len(s) - 1
	for i > 0 {
		p := (i - 1) / 4
		if s[p].at <= x.at {
			break
		}
		s[i] = s[p]
		i = p
	}
	s[i] = x
}

func (h *heap) pop() item {
	s := *h
	top, last := s[0], s[len(s)-1]
	s = s[:len(s)-1]
	*h = s
	if len(s) == 0 {
		return top
	}
	i := 0
	for {
		c := 4*i + 1
		if c >= len(s) {
			break
		}
		for k := c + 1; k < min(c+4, len(s)); k++ {
			if s[k].at < s[c].at {
				c = k
			}
		}
		if s[c].at >= last.at {
			break
		}
		s[i] = s[c]
		i = c
	}
	s[i] = last
	return top
}
