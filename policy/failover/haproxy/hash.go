package haproxy

import (
	"cmp"
	"slices"
)

// slot is a point on the ring of a consistent hash.
type slot struct {
	at     uint32
	server int32
}

// rehash builds what hashes are looked up in: a table with one slot for each unit of weight, or a ring. The table is
// filled as HAProxy does, each slot with the server that lags most behind its share.
func (e *Engine) rehash() {
	e.table, e.ring = e.table[:0], e.ring[:0]
	if e.consistent {
		for _, i := range e.set {
			for k := range e.servers[i].eweight {
				e.ring = append(e.ring, slot{fullHash(uint32(i+1)*fullShare*256 + uint32(k)), i})
			}
		}
		slices.SortFunc(e.ring, func(a, b slot) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.server, b.server))
		})
		return
	}
	total := 0
	score := make([]int, len(e.set))
	for _, i := range e.set {
		total += e.servers[i].weight
	}
	for range total {
		best := 0
		for k, i := range e.set {
			score[k] += e.servers[i].weight
			if score[k] > score[best] {
				best = k
			}
		}
		e.table = append(e.table, e.set[best])
		score[best] -= total
	}
}

// byHash returns the server of a hash. On a ring, one that was just tried is passed over for the next one.
func (e *Engine) byHash(h uint32, avoid int32) int32 {
	if !e.consistent {
		return e.table[h%uint32(len(e.table))]
	}
	h = fullHash(h)
	at, _ := slices.BinarySearchFunc(e.ring, h, func(s slot, h uint32) int { return cmp.Compare(s.at, h) })
	for k := range e.ring {
		s := e.ring[(at+k)%len(e.ring)]
		if s.server != avoid || len(e.set) == 1 {
			return s.server
		}
	}
	return -1
}

// sourceHash is HAProxy's hash of an IPv4 address: the address itself.
func sourceHash(client uint32) uint32 { return client }

// pathHash is HAProxy's default hash function (sdbm).
func pathHash(path string) uint32 {
	h := uint32(0)
	for i := range len(path) {
		h = uint32(path[i]) + h<<6 + h<<16 - h
	}
	return h
}

// fullHash spreads a hash over all 32 bits, as HAProxy does before it looks at its ring.
func fullHash(a uint32) uint32 {
	a = (a + 0x7ed55d16) + a<<12
	a = a ^ 0xc761c23c ^ a>>19
	a = (a + 0x165667b1) + a<<5
	a = (a + 0xd3a2646c) ^ a<<9
	a = (a + 0xfd7046c5) + a<<3
	return a ^ 0xb55a4f09 ^ a>>16
}
