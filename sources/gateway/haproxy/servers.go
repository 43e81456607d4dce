package haproxy

import "iter"

// servers is a list of servers in pieces, so that a very long one is neither copied while it grows nor kept whole while
// its members are made.
type servers struct {
	pieces [][]server
	n      int
}

// piece is how many servers stand in one piece.
const piece = 512

func (l *servers) add(s server) {
	if l.n%piece == 0 {
		l.pieces = append(l.pieces, nil)
	}
	last := &l.pieces[len(l.pieces)-1]
	*last = append(*last, s)
	l.n++
}

func (l *servers) at(i int) *server { return &l.pieces[i/piece][i%piece] }

// all returns the servers in file order.
func (l *servers) all() iter.Seq[*server] {
	return func(yield func(*server) bool) {
		for _, p := range l.pieces {
			for i := range p {
				if !yield(&p[i]) {
					return
				}
			}
		}
	}
}

// take returns the servers in file order and forgets them.
func (l *servers) take() iter.Seq[*server] {
	return func(yield func(*server) bool) {
		for n, p := range l.pieces {
			for i := range p {
				if !yield(&p[i]) {
					return
				}
			}
			l.pieces[n] = nil
		}
		l.pieces, l.n = nil, 0
	}
}
