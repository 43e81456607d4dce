package haproxy

import (
	"time"

	"github.com/poolproof/poolproof/policy/failover"
)

// observation is what counts as an error of a server in live traffic.
type observation uint8

const (
	observeNone observation = iota
	observeConnections
	observeAnswers
)

// onError is what happens when error-limit is reached.
type onError uint8

const (
	failCheck onError = iota
	fastInter
	suddenDeath
	markDown
)

// initial is the health at start (init-state, since 3.1).
type initial uint8

const (
	initNone initial = iota
	initUp
	initFullyUp
	initDown
	initFullyDown
)

// settings of one server.
type settings struct {
	id         string
	weight     int
	backup     bool
	disabled   bool
	drained    bool
	check      bool
	inter      time.Duration
	fast, down time.Duration // fastinter and downinter, inter where they are not written
	fastSet    bool
	rise, fall int
	observe    observation
	limit      int
	onError    onError
	severs     bool // on-marked-down shutdown-sessions
	clears     bool // on-marked-up shutdown-backup-sessions
	slowstart  time.Duration
	maxconn    int
	minconn    int
	maxqueue   int
	tracked    int // the server that it follows, -1: none
	init       initial
}

// phase is the operational state.
type phase uint8

const (
	running phase = iota
	starting
	stopping // passes its checks with a 404: no new traffic
	stopped
)

// server is one server at run time.
type server struct {
	settings
	phase  phase
	maint  bool
	shown  failover.State // what was last told
	health int
	errors int  // consecutive observed errors
	forced bool // checks at fastinter until the next result

	// checks
	due        time.Duration // of the next check; Never while one is under way
	probing    bool
	spoiled    bool   // the check under way counts for nothing: meanwhile traffic has failed one
	round      uint32 // of checks; the result of an earlier one is void
	generation uint32

	// slow start
	since  time.Duration // when it came up
	warmup time.Duration // next step, Never
	share  int           // sixteenths of its weight

	// balancing
	eweight int // weight by share, 0 while it may not be used
	place   place
	conns   int
	key     uint64 // leastconn: load
	stamp   uint64 // leastconn: when it was put there
	queue   queue  // of requests that only this server may have
}

// full reports whether the server takes no further connection now.
func (e *Engine) full(s *server) bool {
	return s.maxconn > 0 && (s.queue.len() > 0 || s.conns >= e.capacity(s))
}

// capacity is the dynamic connection limit: between minconn and maxconn by the load of the backend, and less during
// slow start (srv_dynamic_maxconn).
func (e *Engine) capacity(s *server) int {
	n := s.maxconn
	if s.minconn < s.maxconn && s.minconn > 0 && e.conns < e.fullconn {
		n = max(s.minconn, s.maxconn*e.conns/e.fullconn)
	}
	if s.phase == starting && s.slowstart > 0 && e.now < s.since+s.slowstart {
		percent := 100 * int((e.now-s.since)/time.Second) / int(s.slowstart/time.Second)
		n = max(1, n*percent/100)
	}
	return n
}

// usable reports whether the balancer may choose the server.
func (s *server) usable() bool {
	return s.phase != stopped && s.phase != stopping && !s.maint && !s.drained && s.weight > 0
}

// state is what others see of the server.
func (s *server) state() failover.State {
	switch {
	case s.maint:
		return failover.Manual
	case s.phase == stopped:
		return failover.Out
	case s.phase == starting:
		return failover.Ramping
	}
	return failover.In
}
