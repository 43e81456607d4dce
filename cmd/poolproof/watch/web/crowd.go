package web

import (
	"net"
	"net/http"
	"sync"
)

// maxConnections bounds the connections at a time: clients that hold them must not take from the watch the descriptors
// that it reads files with.
const maxConnections = 128

// crowd is a listener that serves whoever comes, and ends older connections for that where there are too many: those that
// wait for a request first, then those that have been at one for the longest.
type crowd struct {
	net.Listener
	most int

	mu    sync.Mutex
	turn  uint64
	conns map[net.Conn]place
}

// place is since which turn a connection is as it is.
type place struct {
	turn uint64
	busy bool
}

func newCrowd(l net.Listener, most int) *crowd {
	return &crowd{Listener: l, most: most, conns: map[net.Conn]place{}}
}

// Accept waits for the next connection.
func (c *crowd) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.conns) >= c.most {
		oldest := c.oldest()
		delete(c.conns, oldest)
		_ = oldest.Close()
	}
	c.turn++
	c.conns[conn] = place{turn: c.turn}
	return conn, nil
}

func (c *crowd) oldest() (oldest net.Conn) {
	var at place
	for conn, p := range c.conns {
		if oldest == nil || at.busy && !p.busy || at.busy == p.busy && p.turn < at.turn {
			oldest, at = conn, p
		}
	}
	return oldest
}

// state follows what net/http says of its connections.
func (c *crowd) state(conn net.Conn, s http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.conns[conn]; !ok {
		return
	}
	c.turn++
	switch s {
	case http.StateClosed, http.StateHijacked:
		delete(c.conns, conn)
	case http.StateActive, http.StateIdle:
		c.conns[conn] = place{c.turn, s == http.StateActive}
	}
}
