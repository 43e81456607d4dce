package nginx

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover"
)

// peer is what one worker, or with a zone all of them, knows of one server.
type peer struct {
	weight, effective, current int
	fails                      int
	accessed, checked          int64 // whole seconds
	conns                      int
}

// server is one server of the upstream.
type server struct {
	id       string
	weight   int
	backup   bool
	down     bool // written, or by force
	written  bool // down in the file
	maxFails int
	timeout  int64 // fail_timeout in whole seconds
	maxConns int
	shown    failover.State
	ends     time.Duration // when the block that is shown ends, Never
}

// group is one tier: the primaries or the backups, as positions in Engine.servers.
type group struct {
	servers []int32
	total   int // weight
}

// worker holds the counters of one worker process.
type worker struct {
	peers    []peer
	accepted uint32 // connections
}

func (w *worker) reset(servers []server) {
	w.accepted = 0
	for i := range servers {
		w.peers[i] = peer{weight: servers[i].weight, effective: servers[i].weight}
	}
}

// open reports whether a server may get this attempt.
func (e *Engine) open(i int32, p *peer, r *failover.Request, now int64) bool {
	s := &e.servers[i]
	return !s.down && !(s.maxFails > 0 && p.fails >= s.maxFails && now-p.checked <= s.timeout) &&
		!(s.maxConns > 0 && p.conns >= s.maxConns) && !r.Own.Tried.Has(int(i))
}

// take is what every balancer does with the server it has chosen. The first request after a block is the only one that
// gets through: it starts the block anew for all others.
func (e *Engine) take(i int32, p *peer, r *failover.Request, now int64) {
	r.Own.Tried.Add(int(i))
	if now-p.checked > e.servers[i].timeout {
		p.checked = now
	}
}

// seconds is the clock of NGINX: whole seconds, whose start lies anywhere within those of the driver.
func (e *Engine) seconds(now time.Duration) int64 { return int64((now + e.offset) / time.Second) }

// after returns when the clock of NGINX has come to a second.
func (e *Engine) after(second int64) time.Duration {
	return time.Duration(second)*time.Second - e.offset
}
