package failover

import "time"

// Request is one request on its way through the pool. The driver owns it, may use it again for another request after
// Reset, and must not change it between Pick and the last Report.
type Request struct {
	// Tag is the driver's own name for the request; see Queuer.
	Tag uint32
	// Client is the IPv4 address that the request comes from, as a number; balancing by source goes by it.
	Client uint32
	// Path is what balancing by URI goes by.
	Path string
	// Interface, Region and Tenant are the driver's numbers for what the request belongs to.
	Interface, Region, Tenant uint16
	// Unsafe marks methods that must not be sent twice (POST, PATCH, LOCK).
	Unsafe bool

	// Lease is the permit of the current attempt, set by the engine.
	Lease Lease
	// Own is the engine's own note about the request.
	Own Own
}

// Reset makes r ready for a new request. It keeps the memory of r.
func (r *Request) Reset() {
	r.Tag, r.Client, r.Path, r.Interface, r.Region, r.Tenant, r.Unsafe = 0, 0, "", 0, 0, 0, false
	r.Lease = Lease{Member: -1}
	r.Own.Renew()
}

// Lease is the permit of one attempt on one member. A result that comes in under an old generation changes nothing.
type Lease struct {
	Member     int32
	Generation uint32
}

// Own is an engine's note about a request. What the fields mean is the engine's affair; all are zero in a new request.
type Own struct {
	Tries uint16        // attempts that are used up, or left
	Flags uint16        // whatever the engine remembers
	Group uint16        // tier, worker or queue
	Spins uint16        // tries of a hash
	Prev  int32         // the member of the attempt before, plus 1
	Hash  uint32        // state of a hash
	At    time.Duration // when it began or has to end
	Tried Set           // members that were tried
}

// Renew empties the note and keeps its memory.
func (o *Own) Renew() {
	o.Tries, o.Flags, o.Group, o.Spins, o.Prev, o.Hash, o.At = 0, 0, 0, 0, 0, 0, 0
	o.Tried.Clear()
}

// Set is a set of member numbers. The zero Set is empty. Numbers below 64 take no memory.
type Set struct {
	low  uint64
	high []uint64
}

// Has reports whether i is in the set.
func (s *Set) Has(i int) bool {
	if i < 64 {
		return s.low>>uint(i)&1 != 0
	}
	w := i/64 - 1
	return w < len(s.high) && s.high[w]>>uint(i%64)&1 != 0
}

// Add puts i into the set.
func (s *Set) Add(i int) {
	if i < 64 {
		s.low |= 1 << uint(i)
		return
	}
	for w := i/64 - 1; w >= len(s.high); {
		s.high = append(s.high, 0)
	}
	s.high[i/64-1] |= 1 << uint(i%64)
}

// Clear empties the set and keeps its memory.
func (s *Set) Clear() {
	s.low = 0
	if s.high != nil {
		clear(s.high)
		s.high = s.high[:0]
	}
}
