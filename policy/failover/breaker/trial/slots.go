// Package trial hands out the slots of a half-open period: a bounded number at once, each with a lease that ends, so that
// a trial which never returns does not hold its slot for ever.
package trial

import (
	"math"
	"time"
)

// NoLease is a lease without end: a trial that never returns keeps its slot.
const NoLease time.Duration = -1

// Slots are the trial slots of one breaker. They are not safe for concurrent use.
type Slots struct {
	slots []slot
	lease time.Duration
	total int
	// turn numbers the leases, across slots and periods; live counts those that are neither back nor over.
	turn uint64
	live int
	// spent counts the trials of the period that were not given back.
	spent int
	// soonest is no later than the first end of a lease.
	soonest time.Duration
}

type slot struct {
	until time.Duration
	turn  uint64 // 0: free
}

// New makes n slots with leases of the given length, NoLease for ones without end. At most total trials are admitted in
// one period, cancelled ones and those whose lease ended not counted; 0 means any number.
func New(n int, lease time.Duration, total int) *Slots {
	return &Slots{slots: make([]slot, n), lease: lease, total: total}
}

// Reset starts a period with all slots free. Leases of earlier periods are void.
func (s *Slots) Reset() {
	clear(s.slots)
	s.live, s.spent = 0, 0
}

// Take leases a slot at now. The index counts from 1.
func (s *Slots) Take(now time.Duration) (index uint32, turn uint64, ok bool) {
	if s.live == len(s.slots) || s.total > 0 && s.spent >= s.total {
		s.expire(now)
	}
	if s.live == len(s.slots) || s.total > 0 && s.spent >= s.total {
		return 0, 0, false
	}
	for i := range s.slots {
		if s.slots[i].turn == 0 {
			return uint32(i + 1), s.hold(&s.slots[i], now), true
		}
	}
	return 0, 0, false // not reached: live counts the slots that are taken
}

func (s *Slots) hold(slot *slot, now time.Duration) uint64 {
	s.turn++
	slot.turn = s.turn
	slot.until = math.MaxInt64
	if s.lease >= 0 {
		slot.until = now + s.lease
	}
	if s.live == 0 || slot.until < s.soonest {
		s.soonest = slot.until
	}
	s.live++
	s.spent++
	return slot.turn
}

// expire frees the slots whose lease is over.
func (s *Slots) expire(now time.Duration) {
	if now < s.soonest || s.live == 0 {
		return
	}
	s.soonest = math.MaxInt64
	for i := range s.slots {
		switch t := &s.slots[i]; {
		case t.turn == 0:
		case now >= t.until:
			s.free(t)
			s.spent--
		default:
			s.soonest = min(s.soonest, t.until)
		}
	}
}

func (s *Slots) free(t *slot) {
	t.turn = 0
	s.live--
}

// Return ends a lease with a result. It reports whether the result counts: whether the lease still held at now.
func (s *Slots) Return(now time.Duration, index uint32, turn uint64) bool {
	t := s.held(index, turn)
	if t == nil {
		return false
	}
	s.free(t)
	if now >= t.until {
		s.spent--
		return false
	}
	return true
}

// Cancel ends a lease as if it had never been given.
func (s *Slots) Cancel(index uint32, turn uint64) {
	if t := s.held(index, turn); t != nil {
		s.free(t)
		s.spent--
	}
}

func (s *Slots) held(index uint32, turn uint64) *slot {
	if index == 0 || int64(index) > int64(len(s.slots)) || turn == 0 || s.slots[index-1].turn != turn {
		return nil
	}
	return &s.slots[index-1]
}

// Live is the number of leases that hold at now.
func (s *Slots) Live(now time.Duration) int {
	s.expire(now)
	return s.live
}
