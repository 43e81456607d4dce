package controller

import (
	"math"
	"math/bits"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// golden is 2^64 over the golden ratio: its multiples fill the circle evenly, so that after any number of requests each
// member has had its share, give or take a few.
const golden = 0x9e3779b97f4a7c15

// view is where the requests of one kind go: a table of members by share (Walker's alias method).
type view struct {
	at     uint64
	slots  []slot
	usable int    // members in service, in full or in part
	calm   uint32 // requests since the last trial
	// outSince and alert are when the last member went, and when that is told.
	outSince, alert time.Duration
	pass            bool // nobody is in service, or too few: all get their share
}

type slot struct {
	cut        uint64
	own, alias int32
}

func (v *view) draw() int32 {
	v.at += golden
	hi, lo := bits.Mul64(v.at, uint64(len(v.slots)))
	if s := &v.slots[hi]; lo >= s.cut {
		return s.alias
	}
	return v.slots[hi].own
}

// scratch is memory for building tables.
type scratch struct {
	share        []float64
	small, large []int32
}

func (e *Engine) routeAll(now time.Duration) {
	for k := range e.kinds {
		e.routeKind(now, k)
	}
}

// routeKind builds the tables of one kind of requests.
func (e *Engine) routeKind(now time.Duration, kind int) {
	n := e.cfg.rampKinds
	for part := range n {
		e.build(now, &e.views[kind*n+part], kind, part)
	}
}

func (e *Engine) build(now time.Duration, v *view, kind, part int) {
	if e.scratch.share == nil {
		e.scratch.share = make([]float64, len(e.members))
	}
	p := e.scratch.share
	all, usable := e.standing(p, kind, part)
	v.usable = usable
	v.pass = v.usable == 0 && !e.cfg.reject || float64(100*v.usable) < e.cfg.panicBelow*float64(all)
	e.watch(now, v, all > 0 && v.usable == 0)
	if v.pass {
		e.everyone(p)
	}
	e.spread(p)
	v.fill(p, &e.scratch)
}

// standing fills in which part of its full share each member has (0 to 1), and counts the members that are there and those
// that have any.
func (e *Engine) standing(p []float64, kind, part int) (all, usable int) {
	for i := range e.members {
		m := &e.members[i]
		p[i] = 0
		if !m.usable {
			continue
		}
		all++
		if !m.out() {
			p[i] = e.unit(int(m.group), kind).share(&e.cfg, int(m.tier), part)
		}
		if p[i] > 0 {
			usable++
		}
	}
	return all, usable
}

// out reports whether the member as a whole gets nothing.
func (m *member) out() bool { return m.manual || m.hold != failover.Never }

// everyone gives all members their full share, whatever their state; those that an operator has taken out only if there
// is nobody else.
func (e *Engine) everyone(p []float64) {
	some := false
	for i := range e.members {
		p[i] = 0
		if m := &e.members[i]; m.usable && !m.manual {
			p[i], some = 1, true
		}
	}
	for i := range e.members {
		if !some && e.members[i].usable {
			p[i] = 1
		}
	}
}

// spread turns the parts that members have of their full share (0 to 1) into shares of the traffic, which sum to 1 unless
// there is nobody.
func (e *Engine) spread(p []float64) {
	left := 1.0
	for t := range e.tiers {
		left = e.spreadTier(p, e.tiers[t].members, left)
	}
	if left > 0 && left < 1 {
		for i := range p {
			p[i] /= 1 - left
		}
	}
}

// spreadTier gives the members of one priority what is left, and returns what then is left for the next one.
func (e *Engine) spreadTier(p []float64, members []int32, left float64) float64 {
	full, sum, partly := 0.0, 0.0, 0.0
	for _, i := range members {
		w := e.members[i].weight
		if p[i] > 0 {
			sum += w
			partly += w * p[i]
		}
		if p[i] >= 1 {
			full += w
		}
	}
	if sum == 0 {
		return left
	}
	// What the returning members do not take yet goes to the others.
	missing := 1 - partly/sum
	for _, i := range members {
		w := e.members[i].weight
		part := w / sum * p[i]
		if p[i] >= 1 {
			part += missing * w / full
		}
		p[i] = part * left
	}
	if full > 0 || missing < 1e-12 {
		return 0
	}
	return left * missing
}

// fill builds the table.
func (v *view) fill(p []float64, s *scratch) {
	v.slots = v.slots[:0]
	s.small, s.large = s.small[:0], s.large[:0]
	for i, x := range p {
		if x > 0 {
			v.slots = append(v.slots, slot{own: int32(i), alias: int32(i)})
		}
	}
	n := len(v.slots)
	for j := range v.slots {
		x := &p[v.slots[j].own]
		if *x *= float64(n); *x < 1 {
			s.small = append(s.small, int32(j))
		} else {
			s.large = append(s.large, int32(j))
		}
	}
	for len(s.small) > 0 && len(s.large) > 0 {
		a, b := s.small[len(s.small)-1], s.large[len(s.large)-1]
		s.small = s.small[:len(s.small)-1]
		low, high := &v.slots[a], &v.slots[b]
		low.cut, low.alias = uint64(math.Ldexp(p[low.own], 64)), high.own
		if p[high.own] -= 1 - p[low.own]; p[high.own] < 1 {
			s.large = s.large[:len(s.large)-1]
			s.small = append(s.small, b)
		}
	}
	for _, j := range append(s.small, s.large...) {
		v.slots[j].cut, v.slots[j].alias = math.MaxUint64, v.slots[j].own
	}
}

// watch notes when the last member goes and when one is back.
func (e *Engine) watch(now time.Duration, v *view, out bool) {
	switch {
	case out && v.outSince == failover.Never:
		v.outSince, v.alert = now, now+e.cfg.alertAfter
		e.arm(v.alert)
	case !out && v.outSince != failover.Never:
		v.outSince, v.alert = failover.Never, failover.Never
	}
}

// alarm tells that all members have been out for too long.
func (e *Engine) alarm(now time.Duration, v *view, kind int) {
	v.alert = failover.Never
	if e.notify == nil {
		return
	}
	en, zh := "all requests pass to all members", "请求照常转发给所有成员"
	if e.cfg.reject {
		en, zh = "all requests are turned away", "请求全部被拒绝"
	}
	scope := e.kinds[kind]
	since := schema.FormatDuration((now - v.outSince).Round(time.Millisecond))
	e.notify(failover.Transition{At: now, Member: -1, Scope: scope, From: failover.Out, To: failover.Out, Why: schema.Textf(
		"all members have been out for %s: a broad fault, or wrong statistics; "+en, "所有成员已摘除 %s：大面积故障或统计有误；"+zh, since)})
}
