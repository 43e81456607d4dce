package dryrun

import (
	"context"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// connectTime is how long a connection takes to be refused.
const connectTime = 100 * time.Microsecond

// drainTime is for how long after the end a run waits for the requests that are still under way.
const drainTime = 10 * time.Minute

// running is an engine in use. After a reload the old one still answers for the requests that it has.
type running struct {
	engine failover.Engine
	queuer failover.Queuer
	limits failover.Limits
	// to and from turn the engine's numbers of members into those of the run, and back (-1: it has no such member).
	to, from []int32
	retired  bool
}

// request is one request on its way.
type request struct {
	failover.Request
	sent, began time.Duration
	segment     int32
	epoch       uint16
	engine      uint16
	tried       bool // it was sent to a member at least once
	flying      bool // an attempt is under way
	inside      bool // the member serves it, which takes up room
	outcome     failover.Outcome
}

// flight is one probe under way.
type flight struct {
	probe   failover.Probe
	outcome failover.Outcome
	engine  uint16
	began   time.Duration
	used    bool
	epoch   uint16
}

// sim is one run.
type sim struct {
	scenario *Scenario
	options  *Options
	start    time.Duration // of t = 0 on the engine's clock: the warm-up
	end      time.Duration // of the run, on the engine's clock
	now      time.Duration
	phase    time.Duration // of the wall clock's seconds

	rand    failover.Rand
	engines []*running
	current *running
	members []member
	number  map[string]int

	interfaces, regions, tenants []string
	pickInterface, pickRegion    choice
	pickTenant, pickMethod       choice
	clients                      []uint32
	unsafe                       []bool
	simple                       bool // all requests are of one kind
	probePath                    string

	queue   *queue
	chunks  [][]request
	free    []uint32
	live    int
	flights []flight
	spare   []uint32
	script  []scripted

	gap      sampler
	period   float64
	arrivals int64
	next     time.Duration // of the next request

	*collector
	segment  int
	boundary time.Duration // when the next segment begins, on the engine's clock

	// work counts attempts, timers and what happens; beyond budget the run is given up.
	work, budget int64

	troubles int
	troubled bool
	allOut   []span
	outSince time.Duration
	timeline []Entry
	cut      int
	seed     uint64
	assumed  []schema.Text
	noted    map[string]bool
}

// span is a time from one moment to another.
type span struct{ from, to time.Duration }

const chunkSize = 1024

func (s *sim) request(slot uint32) *request { return &s.chunks[slot/chunkSize][slot%chunkSize] }

// newRequest takes a request from those that are free.
func (s *sim) newRequest() (uint32, *request) {
	n := len(s.free)
	if n == 0 {
		base := uint32(len(s.chunks)) * chunkSize
		chunk := make([]request, chunkSize)
		s.chunks = append(s.chunks, chunk)
		for i := uint32(chunkSize); i > 0; i-- {
			s.free = append(s.free, base+i-1)
		}
		n = len(s.free)
	}
	slot := s.free[n-1]
	s.free = s.free[:n-1]
	s.live++
	return slot, s.request(slot)
}

// lookEvery is how many steps are taken between two looks at whether the run is still wanted: well below a millisecond.
const lookEvery = 4096

// play runs until the end, and then until every request has its answer, or until ctx ends.
func (s *sim) play(ctx context.Context) {
	for steps := uint(1); s.work <= s.budget; steps++ {
		if steps%lookEvery == 0 && ctx.Err() != nil {
			return
		}
		tick := s.current.engine.Next()
		if s.queue.next <= tick && s.queue.next <= s.next {
			if s.queue.next == never || s.queue.next > s.end && (s.live == 0 || s.queue.next > s.end+drainTime) {
				return
			}
			s.now = s.queue.next
			s.event(s.queue.pop())
			continue
		}
		if tick <= s.next {
			if tick == never || tick > s.end && (s.live == 0 || tick > s.end+drainTime) {
				return
			}
			s.now = max(s.now, tick)
			s.tick()
			continue
		}
		s.now = s.next
		s.arrive()
	}
}

// arrive sends the next request.
func (s *sim) arrive() {
	now := s.now
	s.schedule()
	for now >= s.boundary {
		s.nextSegment()
	}
	slot, r := s.newRequest()
	r.Request.Reset()
	r.Tag, r.sent, r.segment, r.tried = slot, now, int32(s.segment), false
	r.engine = uint16(len(s.engines) - 1)
	r.Client = s.clients[0]
	if !s.simple {
		s.dress(r)
	}
	if s.segment >= 0 {
		s.cells[s.segment*s.collector.interfaces+int(r.Interface)].sent++
	}
	s.decide(slot, r, s.current, s.current.engine.Pick(now, &r.Request))
}

// dress draws what kind of request it is.
func (s *sim) dress(r *request) {
	r.Interface = s.pickInterface.draw(&s.rand)
	r.Region = s.pickRegion.draw(&s.rand)
	r.Tenant = s.pickTenant.draw(&s.rand)
	r.Unsafe = s.unsafe[s.pickMethod.draw(&s.rand)]
	r.Path = s.interfaces[r.Interface]
	switch n := len(s.clients); {
	case int(r.Tenant) < n && len(s.tenants) > 1:
		r.Client = s.clients[r.Tenant]
	case n > 1:
		r.Client = s.clients[s.rand.IntN(n)]
	}
}

// schedule sets the time of the next request.
func (s *sim) schedule() {
	s.arrivals++
	if s.gap.table != nil {
		s.next += s.gap.draw(&s.rand)
	} else {
		s.next = time.Duration((float64(s.arrivals) + 0.5) * s.period)
	}
	if s.next >= s.end {
		s.next = never
	}
}

func (s *sim) nextSegment() {
	s.segment++
	s.boundary = never
	if s.segment+1 < len(s.starts) {
		s.boundary = s.start + s.starts[s.segment+1]
	}
}
