package haproxy

// rounds is the weighted round robin of dynamic weights (lb_fwrr.c): each server has a place in the current round, or
// waits for the next one.
type rounds struct {
	pos, weight, next int // place in the round, weights of this round and of the next one
	seq               uint64
	backups           bool // whose rounds these are
	flipped           bool // init and next have changed their roles
	running           bool
}

// tree is where a server waits.
type tree uint8

const (
	noTree tree = iota
	current
	heap0 // the heaviest first: those of this round that have no place yet
	heap1 // and those of the next round
)

// place is what a server knows of its rounds.
type place struct {
	tree      tree
	key, seq  uint64
	npos, was int
	rest      int // of divisions
	chained   bool
}

func (w *rounds) init() tree {
	if w.flipped {
		return heap1
	}
	return heap0
}

func (w *rounds) later() tree {
	if w.flipped {
		return heap0
	}
	return heap1
}

// restartRounds begins the rounds anew with the servers of the set.
func (e *Engine) restartRounds() {
	w := &e.rounds
	*w = rounds{running: true, backups: e.active == 0}
	for _, i := range e.set {
		w.next += e.servers[i].eweight
	}
	w.pos, w.weight = w.next, w.next
	for i := range e.servers {
		e.servers[i].place = place{}
	}
	for _, i := range e.set {
		e.byWeight(&e.servers[i], heap0)
	}
}

// rejoin lets the rounds follow a change of a server's weight, from 0 if it came and to 0 if it went.
func (e *Engine) rejoin(s *server, from int) {
	w := &e.rounds
	to := s.eweight
	if from == to {
		return
	}
	w.next += to - from
	p := &s.place
	switch {
	case to == 0:
		p.tree = noTree
	case from == 0:
		p.npos = w.pos + (w.next+w.weight-w.pos)/to
		e.enqueue(s)
	case p.tree == w.init():
		e.byWeight(s, w.init())
	default:
		if p.tree == w.later() {
			p.npos += w.weight
		}
		before, step := p.npos, w.next/to
		p.npos, p.rest = min(p.was+step, before), 0
		if p.npos < w.pos+2 {
			p.npos = w.pos + step
		}
		e.enqueue(s)
	}
}

// byWeight puts a server among those that wait for a place.
func (e *Engine) byWeight(s *server, t tree) {
	e.rounds.seq++
	s.place.tree, s.place.seq = t, e.rounds.seq
	s.place.key = uint64(loadScale - s.eweight)
}

// enqueue puts a server at its place in this round, or into the next one.
func (e *Engine) enqueue(s *server) {
	w, p := &e.rounds, &s.place
	if p.npos >= 2*w.weight || p.npos >= w.weight+w.next {
		p.npos -= w.weight
		e.byWeight(s, w.later())
		return
	}
	w.seq++
	p.tree, p.seq = current, w.seq
	p.key = uint64(256*max(p.npos, 0)) + uint64(loadScale+p.rest-s.eweight)/fullShare
}

// firstOf returns the first server of a tree, -1 if it is empty.
func (e *Engine) firstOf(t tree) int32 {
	best := int32(-1)
	for _, i := range e.set {
		p := &e.servers[i].place
		if p.tree != t {
			continue
		}
		if best < 0 || p.key < e.servers[best].place.key || p.key == e.servers[best].place.key && p.seq < e.servers[best].place.seq {
			best = i
		}
	}
	return best
}

// upNext returns the server whose turn it is in this round.
func (e *Engine) upNext() int32 {
	one := e.firstOf(current)
	if one >= 0 && e.servers[one].place.npos <= e.rounds.pos {
		return one
	}
	if two := e.firstOf(e.rounds.init()); two >= 0 {
		p := &e.servers[two].place
		p.npos, p.rest = 0, 0
		return two
	}
	return one
}

// chooseInRounds returns the server whose turn it is. Those that are full or to be avoided are passed over.
func (e *Engine) chooseInRounds(avoid int32) int32 {
	w := &e.rounds
	switched, avoided, chosen := false, int32(-1), int32(-1)
	for chosen < 0 {
		if w.weight == 0 {
			w.pos, w.weight = w.next, w.next
		}
		i := e.upNext()
		if i < 0 {
			if switched {
				chosen = avoided
				break
			}
			switched = true
			w.flipped = !w.flipped
			w.weight, w.pos = w.next, w.next
			continue
		}
		s := &e.servers[i]
		e.step(s)
		s.place.tree = noTree
		w.pos++
		if s.maxconn == 0 || !e.full(s) {
			if i != avoid {
				chosen = i
				break
			}
			avoided = i
		}
		s.place.chained = true
	}
	for _, i := range e.set {
		s := &e.servers[i]
		switch {
		case i == chosen:
			e.enqueue(s)
		case !s.place.chained:
		case switched:
			e.byWeight(s, w.init())
		default:
			e.enqueue(s)
		}
		s.place.chained = false
	}
	return chosen
}

// step computes a server's next place.
func (e *Engine) step(s *server) {
	w, p := &e.rounds, &s.place
	if p.npos == 0 {
		p.npos = w.pos
	}
	p.was = p.npos
	p.npos += w.next / s.eweight
	p.rest += w.next % s.eweight
	if p.rest >= s.eweight {
		p.rest -= s.eweight
		p.npos++
	}
}
