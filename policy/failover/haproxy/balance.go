package haproxy

import (
	"github.com/poolproof/poolproof/policy/failover"
)

// algorithm chooses a server.
type algorithm uint8

const (
	roundRobin algorithm = iota
	staticRR
	random
	leastConn
	first
	bySource
	byPath
	byNothing // a hash of something that requests do not have
)

// inTurn reports whether requests join those that wait without a look at the servers.
func (a algorithm) inTurn() bool { return a == roundRobin || a == staticRR || a == first }

// roundRobin reports whether the algorithm is of the round-robin kind (BE_LB_KIND_RR).
func (a algorithm) roundRobin() bool { return a <= random }

// dynamic reports whether weights may change at run time, so that slow start works on them.
func (e *Engine) dynamic() bool {
	switch e.balance {
	case staticRR:
		return false
	case bySource, byPath, byNothing:
		return e.hash.consistent
	}
	return true
}

// recount finds the servers that are balanced over: the usable active ones; if there are none, the first usable backup,
// or with option allbackups all of them.
func (e *Engine) recount() {
	e.active = 0
	for i := range e.servers {
		if s := &e.servers[i]; s.usable() && !s.backup {
			e.active++
		}
	}
	e.set = e.set[:0]
	for i := range e.servers {
		s := &e.servers[i]
		if !s.usable() || s.backup != (e.active == 0) {
			continue
		}
		e.set = append(e.set, int32(i))
		if e.active == 0 && !e.allBackups {
			break
		}
	}
	e.reweigh()
}

// reweigh gives the servers of the set their effective weights, all others none.
func (e *Engine) reweigh() {
	e.earlier = e.earlier[:0]
	for i := range e.servers {
		e.earlier = append(e.earlier, e.servers[i].eweight)
		e.servers[i].eweight = 0
	}
	e.total, e.equal = 0, true
	for _, i := range e.set {
		s := &e.servers[i]
		s.eweight = s.weight * fullShare
		if e.dynamic() {
			s.eweight = s.weight * s.share
		}
		e.total += s.eweight
		e.equal = e.equal && s.eweight == e.servers[e.set[0]].eweight
	}
	switch e.balance {
	case leastConn:
		for _, i := range e.set {
			e.requeue(&e.servers[i])
		}
	case roundRobin:
		if e.at >= len(e.set) {
			e.at = 0
		}
		e.reround()
	case staticRR, random, bySource, byPath, byNothing:
		e.rehash()
	}
}

// reround lets the rounds follow the weights. Servers of one weight need none.
func (e *Engine) reround() {
	w := &e.rounds
	switch {
	case e.equal:
		w.running = false
	case !w.running || w.backups != (e.active == 0):
		e.restartRounds()
	default:
		for i := range e.servers {
			e.rejoin(&e.servers[i], e.earlier[i])
		}
	}
}

// choose returns the server for an attempt, -1 if all are full. A server that was just tried is avoided if there is
// another one. Only a hash may return one that is full.
func (e *Engine) choose(r *failover.Request) int32 {
	avoid := r.Own.Prev - 1
	switch e.balance {
	case random:
		return e.chooseRandom(avoid)
	case leastConn:
		return e.chooseLeast(avoid)
	case first:
		return e.chooseFirst(avoid)
	case bySource:
		return e.byHash(sourceHash(r.Client), avoid)
	case byPath:
		return e.byHash(e.hash.pathHash(r.Path), avoid)
	case byNothing, staticRR:
		return e.byTurns(r)
	}
	if e.equal {
		return e.chooseNext(avoid)
	}
	return e.chooseInRounds(avoid)
}

// room returns i unless that server is full.
func (e *Engine) room(i int32) int32 {
	if i >= 0 && e.full(&e.servers[i]) {
		return -1
	}
	return i
}

// chooseNext goes round servers of one weight. One that is avoided keeps its turn.
func (e *Engine) chooseNext(avoid int32) int32 {
	n, kept := len(e.set), -1
	for k := range n {
		at := e.at + k
		if at >= n {
			at -= n
		}
		i := e.set[at]
		if e.servers[i].maxconn > 0 && e.full(&e.servers[i]) {
			continue
		}
		if i == avoid && n > 1 {
			kept = at
			continue
		}
		if kept >= 0 {
			e.set[kept], e.set[at] = i, avoid
			at = kept
		}
		if e.at = at + 1; e.at == n {
			e.at = 0
		}
		return i
	}
	if kept < 0 {
		return -1
	}
	if e.at = kept + 1; e.at == n {
		e.at = 0
	}
	return avoid
}

// loadScale is the effective weight of a server of the largest weight (SRV_EWGHT_MAX).
const loadScale = 256 * fullShare

// requeue puts a server into its place in the order of least connections: by load, then by when it came there.
func (e *Engine) requeue(s *server) {
	if s.eweight == 0 {
		return
	}
	key := uint64(0)
	if s.conns > 0 {
		key = uint64(s.conns+1) * loadScale / uint64(s.eweight)
	}
	if key != s.key || s.stamp == 0 {
		e.stamp++
		s.key, s.stamp = key, e.stamp
	}
}

func (e *Engine) chooseLeast(avoid int32) int32 {
	best := int32(-1)
	for _, i := range e.set {
		s := &e.servers[i]
		if i == avoid && len(e.set) > 1 || s.maxconn > 0 && e.full(s) {
			continue
		}
		if b := best; b < 0 || s.key < e.servers[b].key || s.key == e.servers[b].key && s.stamp < e.servers[b].stamp {
			best = i
		}
	}
	if best < 0 && avoid >= 0 && e.servers[avoid].eweight > 0 {
		return e.room(avoid)
	}
	return best
}

// chooseRandom draws points of the ring and takes the server with the least load of those they belong to. A full one
// means the queue.
func (e *Engine) chooseRandom(avoid int32) int32 {
	best := int32(-1)
	for range e.draws {
		i := e.onRing(uint32(e.rand.Uint64()), avoid)
		if best < 0 || e.servers[i].conns*e.servers[best].eweight <= e.servers[best].conns*e.servers[i].eweight {
			best = i
		}
	}
	return e.room(best)
}

func (e *Engine) chooseFirst(avoid int32) int32 {
	kept := int32(-1)
	for _, i := range e.set {
		switch {
		case e.full(&e.servers[i]):
		case i == avoid:
			kept = i
		default:
			return i
		}
	}
	return kept
}
