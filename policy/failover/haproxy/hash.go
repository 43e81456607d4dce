package haproxy

import (
	"cmp"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/policy/failover"
)

// hashing is what hashes go by, and how.
type hashing struct {
	consistent bool
	spread     bool // avalanche
	function   func(string) uint32
	// length and depth bound what of the path counts, 0: all of it.
	length, depth int
	factor        int // hash-balance-factor in percent, 0: none
}

// slot is a point on the ring of a consistent hash: the n-th of a server.
type slot struct {
	at        uint32
	server, n int32
}

// placeSlots puts a point on the ring for each unit of the full effective weight of every server, whether it may be
// used now or not.
func (e *Engine) placeSlots() {
	e.slots = e.slots[:0]
	for i := range e.servers {
		for k := range e.servers[i].weight * fullShare {
			e.slots = append(e.slots, slot{fullHash(uint32(i+1)*fullShare*256 + uint32(k)), int32(i), int32(k)})
		}
	}
	slices.SortFunc(e.slots, compareSlots)
}

// rehash builds what hashes are looked up in: a table with one slot for each unit of weight, or a ring. The table is
// filled as HAProxy does, each slot with the first of the servers that lag most behind their shares, in whole rounds
// (recalc_server_map).
func (e *Engine) rehash() {
	if e.balance == random || e.hash.consistent {
		e.rering()
		return
	}
	e.table = e.table[:0]
	unit := e.unit()
	total := 0
	score := make([]int, len(e.set))
	for _, i := range e.set {
		total += e.servers[i].weight / unit
	}
	for range total {
		best, most := 0, 0
		for k, i := range e.set {
			score[k] += e.servers[i].weight / unit
			if full := (score[k] + total) / total; full > most {
				best, most = k, full
			}
		}
		e.table = append(e.table, e.set[best])
		score[best] -= total
	}
}

// rering puts the points of the servers that are balanced over on the ring. Turns go on where they were.
func (e *Engine) rering() {
	last := slot{}
	if e.at > 0 && e.at <= len(e.ring) {
		last = e.ring[e.at-1]
	}
	started := e.at > 0
	e.ring, e.at = e.ring[:0], 0
	for _, x := range e.slots {
		if int(x.n) >= e.servers[x.server].eweight {
			continue
		}
		e.ring = append(e.ring, x)
		if started && compareSlots(x, last) <= 0 {
			e.at = len(e.ring)
		}
	}
}

func compareSlots(a, b slot) int {
	return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.server, b.server))
}

// unit is the largest number that divides the weights of all servers: it keeps the table small.
func (e *Engine) unit() int {
	a := 0
	for i := range e.servers {
		for b := e.servers[i].weight; b > 0; {
			a, b = b, a%b
		}
	}
	return max(a, 1)
}

// byHash returns the server of a hash, whether it is full or not.
func (e *Engine) byHash(h uint32, avoid int32) int32 {
	if e.hash.spread {
		h = fullHash(h)
	}
	if !e.hash.consistent {
		return e.table[h%uint32(len(e.table))]
	}
	return e.onRing(h, avoid)
}

// onRing returns the server of the nearest point on the ring. One that was just tried, or has more than its part of the
// load where hash-balance-factor bounds that, is passed over for the next one.
func (e *Engine) onRing(h uint32, avoid int32) int32 {
	n := len(e.ring)
	if len(e.set) == 1 {
		return e.set[0]
	}
	at, _ := slices.BinarySearchFunc(e.ring, h, func(s slot, h uint32) int { return cmp.Compare(s.at, h) })
	if at == n {
		at = 0
	}
	before := at - 1
	if before < 0 {
		before = n - 1
	}
	if h-e.ring[before].at <= e.ring[at].at-h {
		at = before
	}
	for k := range n {
		i := e.ring[(at+k)%n].server
		if i != avoid && e.withinPart(&e.servers[i]) {
			return i
		}
	}
	return e.ring[at].server
}

// withinPart reports whether a server has less than its part of the connections (chash_server_is_eligible).
func (e *Engine) withinPart(s *server) bool {
	if e.hash.factor == 0 {
		return true
	}
	before, served, found := 0, 0, false
	for _, i := range e.set {
		x := &e.servers[i]
		if found = found || x == s; !found {
			before += x.eweight
		}
		served += x.conns
	}
	all := ((served+1)*e.hash.factor + 99) / 100
	part := s.eweight * (all / e.total)
	rest := all % e.total
	part += (before+s.eweight)*rest/e.total - before*rest/e.total
	return s.conns < max(part, 1)
}

// byTurns goes round the table or the ring: so are requests spread that have nothing to be hashed by.
func (e *Engine) byTurns(r *failover.Request) int32 {
	avoid, kept := r.Own.Prev-1, int32(-1)
	n := len(e.table) + len(e.ring) // one of them is empty
	for k := range n {
		at := (e.at + k) % n
		i := int32(0)
		if len(e.table) > 0 {
			i = e.table[at]
		} else {
			i = e.ring[at].server
		}
		switch s := &e.servers[i]; {
		case s.maxconn > 0 && e.full(s):
		case i == avoid:
			kept = i
		default:
			e.at = at + 1
			return i
		}
	}
	return kept
}

// sourceHash is HAProxy's hash of an IPv4 address: the address itself.
func sourceHash(client uint32) uint32 { return client }

// pathHash hashes what counts of a path.
func (h *hashing) pathHash(path string) uint32 {
	if path == "" {
		path = "/"
	}
	if h.length > 0 {
		path = path[:min(h.length, len(path))]
	}
	path, _, _ = strings.Cut(path, "?")
	if h.depth > 0 {
		slashes := 0
		for i := range len(path) {
			if path[i] == '/' {
				if slashes++; slashes == h.depth+1 {
					path = path[:i]
					break
				}
			}
		}
	}
	return h.function(path)
}

// sdbm is HAProxy's default hash function.
func sdbm(text string) uint32 {
	h := uint32(0)
	for i := range len(text) {
		h = uint32(text[i]) + h<<6 + h<<16 - h
	}
	return h
}

// djb2 is its second one.
func djb2(text string) uint32 {
	h := uint32(5381)
	for i := range len(text) {
		h = h<<5 + h + uint32(text[i])
	}
	return h
}

// wt6 is its third one.
func wt6(text string) uint32 {
	h0, h1 := uint32(0xa53c965a), uint32(0x5ca6953a)
	step0, step1 := uint32(6), uint32(18)
	for i := range len(text) {
		c := uint32(text[i])
		h0, h1 = ^(h0 ^ c), ^(h1 + c)
		h0, h1 = h1<<step0|h1>>(32-step0), h0<<step1|h0>>(32-step1)
		t := (h0>>16 ^ h1) & 0xffff
		step0, step1 = t&0x1f, t>>11
	}
	return h0 ^ h1
}

// fullHash spreads a hash over all 32 bits, as HAProxy does with the points of its ring.
func fullHash(a uint32) uint32 {
	a = (a + 0x7ed55d16) + a<<12
	a = a ^ 0xc761c23c ^ a>>19
	a = (a + 0x165667b1) + a<<5
	a = (a + 0xd3a2646c) ^ a<<9
	a = (a + 0xfd7046c5) + a<<3
	a = a ^ 0xb55a4f09 ^ a>>16
	return a * 3221225473
}
