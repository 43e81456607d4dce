package dryrun

import (
	"slices"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
)

// active is a fault that is going on, or about to.
type active struct {
	fault                      *Fault
	from                       time.Duration
	until                      time.Duration // its end, never
	length                     time.Duration // how long it lasts; of a gradual recovery too
	fading                     bool
	left                       int // requests that it still hits, -1: no bound
	over                       bool
	probes                     bool
	business                   bool
	all                        bool   // all interfaces, regions and tenants
	interface_, region, tenant []bool // nil: all
	probeHit                   bool   // the probes' path is one of its interfaces
}

// effect is what faults do to one attempt.
type effect struct {
	down   Down
	hang   bool
	slow   time.Duration
	status uint16 // 0: none
}

// strength is the part of the requests that a fault hits now.
func (a *active) strength(now time.Duration) float64 {
	if !a.fading {
		return 1
	}
	if now >= a.until+a.length {
		return 0
	}
	return 1 - float64(now-a.until)/float64(a.length)
}

func (a *active) hits(r *failover.Request) bool {
	return a.all || in(a.interface_, r.Interface) && in(a.region, r.Region) && in(a.tenant, r.Tenant)
}

func in(set []bool, i uint16) bool { return set == nil || int(i) < len(set) && set[i] }

// merge adds what a fault does to an attempt that it hits.
func (e *effect) merge(f *Fault, r *failover.Rand) {
	if f.Down != NotDown {
		e.down = f.Down
	}
	e.hang = e.hang || f.Hang
	e.slow += f.SlowBy
	if f.Errors > 0 && (f.Errors >= 1 || r.Float64() < f.Errors) {
		e.status = f.Status
	}
}

// effectOn returns what the faults on a member do to an attempt.
func (s *sim) effectOn(m *member, r *failover.Request, now time.Duration) effect {
	var e effect
	for _, a := range m.faults {
		if !a.business || a.over || !a.hits(r) {
			continue
		}
		if a.fading && s.rand.Float64() >= a.strength(now) {
			continue
		}
		if a.left >= 0 {
			if a.left == 0 {
				continue
			}
			a.left--
		}
		e.merge(a.fault, &s.rand)
	}
	return e
}

// effectOnProbe returns what the faults on a member do to a probe.
func (s *sim) effectOnProbe(m *member, now time.Duration) effect {
	var e effect
	for _, a := range m.faults {
		if !a.probes || a.over || a.left == 0 || a.fading && s.rand.Float64() >= a.strength(now) {
			continue
		}
		e.merge(a.fault, &s.rand)
	}
	return e
}

// targets returns the members that a fault hits.
func (s *sim) targets(f *Fault) []int {
	var list []int
	for i := range s.members {
		m := &s.members[i]
		if len(f.Members) > 0 && !slices.Contains(f.Members, m.id) {
			continue
		}
		if len(f.Shares) > 0 && !slices.ContainsFunc(f.Shares, func(name string) bool { return slices.Contains(m.shares, name) }) {
			continue
		}
		if s.byMemberRegion(f) && !slices.Contains(f.Regions, m.region) {
			continue
		}
		list = append(list, i)
	}
	return list
}

// byMemberRegion reports whether the regions of a fault are those of members: no request comes from any of them.
func (s *sim) byMemberRegion(f *Fault) bool {
	if len(f.Regions) == 0 {
		return false
	}
	for _, name := range f.Regions {
		if slices.Contains(s.regions, name) {
			return false
		}
	}
	return slices.ContainsFunc(s.members, func(m member) bool { return slices.Contains(f.Regions, m.region) })
}

// begin starts a fault.
func (s *sim) begin(now time.Duration, e *Event) *active {
	f := e.Fault
	a := &active{fault: f, from: now, until: never, length: e.For, left: -1, probes: !f.BusinessOnly, business: !f.ProbesOnly}
	if e.For > 0 {
		a.until = now + e.For
	}
	if e.Requests > 0 {
		a.left = e.Requests
	}
	a.interface_ = mask(s.interfaces, f.Interfaces)
	if !s.byMemberRegion(f) {
		a.region = mask(s.regions, f.Regions)
	}
	a.tenant = mask(s.tenants, f.Tenants)
	a.all = a.interface_ == nil && a.region == nil && a.tenant == nil
	if a.region != nil || a.tenant != nil || len(f.Interfaces) > 0 && !slices.Contains(f.Interfaces, s.probePath) {
		a.probes = false
	}
	targets := s.targets(f)
	for _, i := range targets {
		m := &s.members[i]
		m.faults = append(m.faults, a)
		m.beganFault(now)
		if f.Down == DownRefuse {
			s.resetOpen(now, i, a)
		}
	}
	s.troubles++
	s.troubled = true
	return a
}

// mask returns which of names are wanted, nil for all of them.
func mask(names, wanted []string) []bool {
	if len(wanted) == 0 {
		return nil
	}
	set := make([]bool, len(names))
	for i, n := range names {
		set[i] = slices.Contains(wanted, n)
	}
	return set
}

// finish ends a fault, or begins its gradual end. It returns when it has to be called again, never if it is over.
func (s *sim) finish(now time.Duration, a *active) time.Duration {
	if a.fault.Gradually && !a.fading && a.length > 0 {
		a.fading = true
		return a.until + a.length
	}
	s.stop(now, a)
	return never
}

// stop ends a fault at once.
func (s *sim) stop(now time.Duration, a *active) {
	a.over = true
	for i := range s.members {
		m := &s.members[i]
		if n := len(m.faults); n > 0 {
			m.faults = slices.DeleteFunc(m.faults, func(b *active) bool { return b == a })
			if len(m.faults) < n && len(m.faults) == 0 {
				m.endedFault(now)
			}
		}
	}
	s.troubles--
}
