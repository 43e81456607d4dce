package nginx

import (
	"cmp"
	"hash/crc32"
	"slices"

	"github.com/poolproof/poolproof/policy/failover"
)

// point is a place of a server on the ring of "hash ... consistent".
type point struct {
	at     uint32
	server int32
}

// hashed chooses by a hash and hashes on while the server is not to be had; after twenty tries the round robin decides.
func (e *Engine) hashed(g *group, w *worker, r *failover.Request, now int64) int32 {
	switch {
	case e.method == hashKey && len(e.hashBy) == 0:
		return e.smooth(g, w, r, now) // there is nothing to go by
	case len(e.ring) > 0:
		return e.onRing(g, w, r, now)
	}
	for r.Own.Spins <= maxSpins {
		i := e.at(g, e.rehash(r))
		p := &w.peers[i]
		if e.open(i, p, r, now) {
			e.take(i, p, r, now)
			if e.method == hashKey {
				r.Own.Spins++
			}
			return i
		}
		r.Own.Spins++
	}
	return e.smooth(g, w, r, now)
}

// rehash returns the next hash of a request.
func (e *Engine) rehash(r *failover.Request) uint32 {
	if e.method == ipHash {
		h := r.Own.Hash
		if h == 0 && r.Own.Spins == 0 {
			h = 89
		}
		for shift := 24; shift >= 8; shift -= 8 { // a class C network is one client
			h = (h*113 + r.Client>>shift&0xff) % 6271
		}
		r.Own.Hash = h
		return h
	}
	crc := ^uint32(0)
	if r.Own.Spins > 0 {
		crc = number(crc, uint32(r.Own.Spins))
	}
	r.Own.Hash += ^e.key(crc, r) >> 16 & 0x7fff
	return r.Own.Hash
}

// octet adds a byte to an inverted checksum. Unlike the functions of hash/crc32 it needs no memory for it.
func octet(crc uint32, b byte) uint32 { return crc32.IEEETable[byte(crc)^b] ^ crc>>8 }

// number adds a number below 100,000 in decimal.
func number(crc, n uint32) uint32 {
	started := false
	for unit := uint32(10000); unit > 0; unit /= 10 {
		if digit := n / unit % 10; digit > 0 || started || unit == 1 {
			crc, started = octet(crc, '0'+byte(digit)), true
		}
	}
	return crc
}

// at returns the server that a hash falls on, by weight.
func (e *Engine) at(g *group, h uint32) int32 {
	x := int(h % uint32(g.total))
	for _, i := range g.servers {
		if x -= e.servers[i].weight; x < 0 {
			return i
		}
	}
	return g.servers[0]
}

// pointsPerWeight is how many points a unit of weight has on the ring.
const pointsPerWeight = 160

// maxPoints bounds the ring, whatever the weights are.
const maxPoints = 1 << 20

// buildRing places the primaries on the ring as NGINX does: by the hash of host, a zero byte, port, and the hash of the
// point before.
func (e *Engine) buildRing(hosts, ports []string) {
	for _, i := range e.groups[0].servers {
		base := crc32.ChecksumIEEE([]byte(hosts[i] + "\x00" + ports[i]))
		prev := uint32(0)
		for range min(e.servers[i].weight*pointsPerWeight, maxPoints/len(e.servers)) {
			b := [4]byte{byte(prev), byte(prev >> 8), byte(prev >> 16), byte(prev >> 24)}
			at := crc32.Update(base, crc32.IEEETable, b[:])
			e.ring = append(e.ring, point{at, i})
			prev = at
		}
	}
	slices.SortStableFunc(e.ring, func(a, b point) int { return cmp.Compare(a.at, b.at) })
}

// onRing goes round the ring from the place of the request's hash until a server is to be had.
func (e *Engine) onRing(g *group, w *worker, r *failover.Request, now int64) int32 {
	if r.Own.Spins == 0 {
		h := ^e.key(^uint32(0), r)
		at, _ := slices.BinarySearchFunc(e.ring, h, func(p point, h uint32) int { return cmp.Compare(p.at, h) })
		r.Own.Hash, r.Own.Spins = uint32(at), 1
	}
	last := int32(-1)
	for range e.ring {
		i := e.ring[int(r.Own.Hash)%len(e.ring)].server
		p := &w.peers[i]
		if i != last && e.open(i, p, r, now) {
			e.take(i, p, r, now)
			return i
		}
		last = i
		if r.Own.Spins++; r.Own.Spins > maxSpins {
			break
		}
		r.Own.Hash++
	}
	return e.smooth(g, w, r, now)
}
