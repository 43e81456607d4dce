package apisix

import (
	"math"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
)

// algorithm chooses a node of a group.
type algorithm uint8

const (
	roundRobin algorithm = iota
	consistent
	leastConn
	ewma
)

// decayTime is how fast a response time fades, in seconds.
const decayTime = 10

// group is one priority.
type group struct {
	all    []int32
	usable []int32 // what its picker was built from
	at     int     // round robin: the last one
	weight int     // round robin: the current weight
	gcd    int
	most   int
}

// rebuild makes the pickers anew from the nodes that are usable, or from all if none is.
func (e *Engine) rebuild() {
	any := false
	for i := range e.nodes {
		any = any || e.nodes[i].health.usable() && e.nodes[i].takes()
	}
	for p := range e.groups {
		g := &e.groups[p]
		g.usable, g.gcd, g.most = g.usable[:0], 0, 0
		for _, i := range g.all {
			n := &e.nodes[i]
			if !n.takes() || any && !n.health.usable() {
				continue
			}
			g.usable = append(g.usable, i)
			g.gcd, g.most = gcd(g.gcd, n.weight), max(g.most, n.weight)
		}
		if k := len(g.usable); k > 0 { // it starts anywhere
			g.at, g.weight = e.rand.IntN(k), g.most
		}
	}
}

// takes reports whether the node has a weight.
func (n *node) takes() bool { return !n.off && n.weight > 0 }

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// choose returns the node for an attempt: of the first group that has one which the request has not tried. It returns -1
// if all were tried.
func (e *Engine) choose(now time.Duration, r *failover.Request) int32 {
	if e.direct {
		return 0 // a retry too
	}
	for p := range e.groups {
		g := &e.groups[p]
		i := int32(-1)
		switch e.balance {
		case consistent:
			i = e.hashed(g, r)
		case leastConn:
			i = e.idlest(g, r)
		case ewma:
			i = e.quicker(now, g, r)
		default:
			i = e.rotate(g, r)
		}
		if i >= 0 {
			return i
		}
	}
	return -1
}

// rotate is weighted round robin by falling weights: in each round those of at least the current weight, in turn.
func (e *Engine) rotate(g *group, r *failover.Request) int32 {
	most := e.heaviest(g, r)
	if most == 0 {
		return -1
	}
	for {
		if g.at++; g.at >= len(g.usable) {
			g.at = 0
			if g.weight -= g.gcd; g.weight <= 0 {
				g.weight = g.most
			}
			g.weight = min(g.weight, most) // nothing would be found above
		}
		if i := g.usable[g.at]; e.nodes[i].weight >= g.weight && !r.Own.Tried.Has(int(i)) {
			return i
		}
	}
}

// heaviest is the greatest weight that the request has not tried, 0 if it has tried all.
func (e *Engine) heaviest(g *group, r *failover.Request) int {
	most := 0
	for _, i := range g.usable {
		if !r.Own.Tried.Has(int(i)) {
			most = max(most, e.nodes[i].weight)
		}
	}
	return most
}

// hashed gives each key an order of the nodes and takes the first that may be used.
func (e *Engine) hashed(g *group, r *failover.Request) int32 {
	key := uint64(r.Client)
	if e.byPath {
		key = 14695981039346656037
		for i := range len(r.Path) {
			key = (key ^ uint64(r.Path[i])) * 1099511628211
		}
	}
	best, top := int32(-1), 0.0
	for _, i := range g.usable {
		if r.Own.Tried.Has(int(i)) {
			continue
		}
		draw := failover.NewRand(key*0x9e3779b97f4a7c15 + uint64(i)*0xd1342543de82ef95)
		score := -math.Log(1-draw.Float64()) / float64(e.nodes[i].weight)
		if best < 0 || score < top {
			best, top = i, score
		}
	}
	return best
}

// idlest takes the node with the fewest connections for its weight, this one counted.
func (e *Engine) idlest(g *group, r *failover.Request) int32 {
	best := int32(-1)
	for _, i := range g.usable {
		if r.Own.Tried.Has(int(i)) {
			continue
		}
		if best < 0 {
			best = i
			continue
		}
		n, b := &e.nodes[i], &e.nodes[best]
		left, right := (n.conns+1)*b.weight, (b.conns+1)*n.weight
		if left < right || left == right && n.stamp < b.stamp {
			best = i
		}
	}
	if best >= 0 {
		e.stamp++
		e.nodes[best].stamp = e.stamp
	}
	return best
}

// quicker draws two nodes and takes the one with the smaller moving average of response times. Weights do not matter.
func (e *Engine) quicker(now time.Duration, g *group, r *failover.Request) int32 {
	left := 0
	for _, i := range g.usable {
		if !r.Own.Tried.Has(int(i)) {
			left++
		}
	}
	if left == 0 {
		return -1
	}
	first := e.nth(g, r, e.rand.IntN(left))
	if left == 1 {
		return first
	}
	k := e.rand.IntN(left - 1)
	second := e.nth(g, r, k)
	if second == first || second > first { // the one after it: they are two
		second = e.nth(g, r, k+1)
	}
	if e.faded(now, second) < e.faded(now, first) {
		return second
	}
	return first
}

// nth returns the kth node that the request has not tried.
func (e *Engine) nth(g *group, r *failover.Request, k int) int32 {
	for _, i := range g.usable {
		if r.Own.Tried.Has(int(i)) {
			continue
		}
		if k == 0 {
			return i
		}
		k--
	}
	return -1
}

// faded is the average of a node, fading towards 0 since its last answer.
func (e *Engine) faded(now time.Duration, i int32) float64 {
	n := &e.nodes[i]
	return n.score * math.Exp(-max(0, (now-n.touched).Seconds())/decayTime)
}

// learn adds a response time to the node's average.
func (e *Engine) learn(now time.Duration, i int32, took time.Duration) {
	n := &e.nodes[i]
	weight := math.Exp(-max(0, (now-n.touched).Seconds()) / decayTime)
	n.score = n.score*weight + took.Seconds()*(1-weight)
	n.touched = now
}
