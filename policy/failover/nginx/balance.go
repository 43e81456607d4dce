package nginx

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover"
)

// method chooses a server.
type method uint8

const (
	roundRobin method = iota
	leastConn
	ipHash
	hashKey
	randomly
)

// get finds a server for an attempt: in the tier that the request has come to, then among the backups. It returns -1
// where no server is left.
func (e *Engine) get(now time.Duration, r *failover.Request) int32 {
	w := &e.workers[r.Own.Group]
	second := e.seconds(now)
	for {
		tier := 0
		if r.Own.Flags&onBackups != 0 {
			tier = 1
		}
		g := &e.groups[tier]
		i := int32(-1)
		if e.single {
			i = e.only(w)
		} else {
			switch e.method {
			case leastConn:
				i = e.least(g, w, r, second)
			case ipHash, hashKey:
				i = e.hashed(g, w, r, second)
			case randomly:
				i = e.drawn(g, w, r, second)
			default:
				i = e.smooth(g, w, r, second)
			}
		}
		if i >= 0 || tier == 1 || len(e.groups[1].servers) == 0 {
			return i
		}
		r.Own.Flags |= onBackups
		r.Own.Tried.Clear()
	}
}

// only is the rule of a pool of one address: its failures are not counted.
func (e *Engine) only(w *worker) int32 {
	s, p := &e.servers[0], &w.peers[0]
	if s.down || s.maxConns > 0 && p.conns >= s.maxConns {
		return -1
	}
	return 0
}

// smooth is the weighted round robin with effective weights.
func (e *Engine) smooth(g *group, w *worker, r *failover.Request, now int64) int32 {
	best, total := int32(-1), 0
	var top *peer
	for _, i := range g.servers {
		p := &w.peers[i]
		if !e.open(i, p, r, now) {
			continue
		}
		p.current += p.effective
		total += p.effective
		if p.effective < p.weight {
			p.effective++
		}
		if best < 0 || p.current > top.current {
			best, top = i, p
		}
	}
	if best >= 0 {
		top.current -= total
		e.take(best, top, r, now)
	}
	return best
}

// least takes the server with the fewest connections for its weight; among equals the round robin decides.
func (e *Engine) least(g *group, w *worker, r *failover.Request, now int64) int32 {
	best, many, from := int32(-1), false, 0
	var top *peer
	for k, i := range g.servers {
		p := &w.peers[i]
		if !e.open(i, p, r, now) {
			continue
		}
		switch {
		case best < 0 || p.conns*top.weight < top.conns*p.weight:
			best, top, many, from = i, p, false, k
		case p.conns*top.weight == top.conns*p.weight:
			many = true
		}
	}
	if best < 0 {
		return -1
	}
	total := 0
	if many {
		for _, i := range g.servers[from:] {
			p := &w.peers[i]
			if !e.open(i, p, r, now) || p.conns*top.weight != top.conns*p.weight {
				continue
			}
			p.current += p.effective
			total += p.effective
			if p.effective < p.weight {
				p.effective++
			}
			if p.current > top.current {
				best, top = i, p
			}
		}
	}
	top.current -= total
	e.take(best, top, r, now)
	return best
}

// maxSpins is after how many fruitless hashes or draws NGINX takes the round robin.
const maxSpins = 20

// drawn takes servers at random by weight; with "two", the one with fewer connections of two of them.
func (e *Engine) drawn(g *group, w *worker, r *failover.Request, now int64) int32 {
	picked := int32(-1)
	for r.Own.Spins <= maxSpins {
		i := e.draw(g)
		p := &w.peers[i]
		if i == picked || !e.open(i, p, r, now) {
			r.Own.Spins++
			continue
		}
		if e.two && picked < 0 && len(g.servers) > 1 {
			picked = i
			continue
		}
		if picked >= 0 {
			if q := &w.peers[picked]; q.conns*p.weight < p.conns*q.weight {
				i, p = picked, q
			}
		}
		e.take(i, p, r, now)
		return i
	}
	return e.smooth(g, w, r, now)
}

func (e *Engine) draw(g *group) int32 {
	x := e.rand.IntN(g.total)
	i := g.servers[0]
	for _, i = range g.servers {
		if x -= e.servers[i].weight; x < 0 {
			break
		}
	}
	return i
}
