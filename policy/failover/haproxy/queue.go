package haproxy

import (
	"slices"

	"github.com/poolproof/poolproof/policy/failover"
)

// queue holds the requests that wait for one server, or for any, in order. One that has left it stays in place until
// its turn comes.
type queue struct {
	list []waiter
	head int
	gone int
}

// waiter is a request that waits. turn orders those of all queues.
type waiter struct {
	turn uint64
	tag  uint32
	left bool
}

func (q *queue) len() int { return len(q.list) - q.head - q.gone }

func (q *queue) push(w waiter) {
	if q.head > 0 && q.head*2 >= len(q.list) {
		q.list = q.list[:copy(q.list, q.list[q.head:])]
		q.head = 0
	}
	q.list = append(q.list, w)
}

// first returns the request whose turn is next.
func (q *queue) first() (waiter, bool) {
	for ; q.head < len(q.list); q.head++ {
		if w := q.list[q.head]; !w.left {
			return w, true
		}
		q.gone--
	}
	return waiter{}, false
}

func (q *queue) pop() { q.head++ }

// remove takes a request out that does not wait any longer. Such requests stand near the head, the oldest first.
func (q *queue) remove(tag uint32) {
	for i := q.head; i < len(q.list); i++ {
		if w := &q.list[i]; w.tag == tag && !w.left {
			w.left = true
			q.gone++
			return
		}
	}
}

// grant is a place that was given to a request that has waited: the server, or -1, "choose anew".
type grant struct {
	tag    uint32
	server int32
}

// wait puts a request into the queue of a server, or of the backend where server is -1.
func (e *Engine) wait(r *failover.Request, server int32) failover.Decision {
	r.Own.Flags |= queued
	r.Own.Group = uint16(server + 1)
	r.Own.At = failover.Never
	if e.queueLimit > 0 {
		r.Own.At = e.now + e.queueLimit
	}
	e.turn++
	e.queueOf(r).push(waiter{turn: e.turn, tag: r.Tag})
	e.waiting++
	return failover.Decision{Action: failover.Queue, At: r.Own.At}
}

func (e *Engine) queueOf(r *failover.Request) *queue {
	if r.Own.Group == 0 {
		return &e.queue
	}
	return &e.servers[r.Own.Group-1].queue
}

// resume goes on with a request that stands in a queue.
func (e *Engine) resume(r *failover.Request) failover.Decision {
	if k := slices.IndexFunc(e.grants, func(g grant) bool { return g.tag == r.Tag }); k >= 0 {
		i := e.grants[k].server
		e.grants = slices.Delete(e.grants, k, k+1)
		r.Own.Flags &^= queued
		if i < 0 {
			return e.assign(r)
		}
		return e.send(r, i)
	}
	if e.now < r.Own.At {
		return failover.Decision{Action: failover.Queue, At: r.Own.At}
	}
	e.queueOf(r).remove(r.Tag)
	e.waiting--
	r.Own.Flags &^= queued
	return e.answer(unavailable, r.Own.Tries == 0)
}

// freed notes that a server may have room for requests that wait.
func (e *Engine) freed(i int32) {
	if e.waiting > 0 && !slices.Contains(e.roomy, i) {
		e.roomy = append(e.roomy, i)
	}
}

// disperse sends those who wait for a server that is gone to others, which takes option redispatch.
func (e *Engine) disperse(s *server) {
	if !e.redispatch {
		return
	}
	for w, ok := s.queue.first(); ok; w, ok = s.queue.first() {
		s.queue.pop()
		e.strays = append(e.strays, w.tag)
	}
}

// Wake returns a queued request for which a place has become free: the one that has waited longest for this server or
// for any.
func (e *Engine) Wake() (uint32, bool) {
	if n := len(e.strays); n > 0 {
		tag := e.strays[n-1]
		e.strays = e.strays[:n-1]
		return e.grant(tag, -1), true
	}
	for n := len(e.roomy); n > 0; n = len(e.roomy) {
		i := e.roomy[n-1]
		s := &e.servers[i]
		q := &s.queue
		own, ok := q.first()
		if s.eweight > 0 {
			if any, there := e.queue.first(); there && (!ok || any.turn < own.turn) {
				q, own, ok = &e.queue, any, true
			}
		}
		if !ok || s.maxconn > 0 && s.conns >= e.capacity(s) {
			e.roomy = e.roomy[:n-1]
			continue
		}
		q.pop()
		e.take(s)
		return e.grant(own.tag, i), true
	}
	return 0, false
}

func (e *Engine) grant(tag uint32, server int32) uint32 {
	e.waiting--
	e.grants = append(e.grants, grant{tag, server})
	return tag
}
