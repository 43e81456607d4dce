package controller

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/breaker/cooldown"
	"github.com/poolproof/poolproof/policy/failover/breaker/window"
	"github.com/poolproof/poolproof/policy/failover/internal/setting"
	"github.com/poolproof/poolproof/schema"
)

// ErrTooLarge: members, interfaces, regions and lines together make too many health domains.
var ErrTooLarge = errors.New("too many health domains")

// maxDomains bounds the health domains, and the routes of requests to members.
const maxDomains = 1 << 20

// windowParts is how many parts of a window leave it one by one.
const windowParts = 10

// Engine is the controller of one pool.
type Engine struct {
	info   failover.Info
	notify func(failover.Transition)
	rand   failover.Rand
	cfg    config

	tiers   []tier
	members []member
	units   []unit
	kinds   []string // the names behind the kinds of requests that health domains tell apart
	views   []view   // by kind and ramp kind
	shares  []shared
	trials  []int32 // the domains that are on trial
	orders  []Record
	tokens  float64 // retries that the budget has left
	next    time.Duration
	scratch scratch
}

// tier is the members of one priority.
type tier struct {
	backup   bool
	priority int64
	members  []int32
}

// member is one member at run time.
type member struct {
	id     string
	weight float64
	tier   int32
	group  int32 // of health domains
	usable bool  // by configuration
	manual bool  // an operator has taken it out
	hold   time.Duration
	review time.Duration
	shown  failover.State
	shares []int32

	probe    probing
	external signal
}

// signal is what a probe or a notice says.
type signal uint8

const (
	silent signal = iota
	well
	ill
)

// New returns the controller of a pool.
func New(c *schema.Copy, o failover.Options) (*Engine, error) {
	if len(c.Members) == 0 {
		return nil, fmt.Errorf("building the controller of %q: %w", c.Pool, failover.ErrNoMembers)
	}
	e := &Engine{notify: o.Notify, rand: failover.NewRand(o.Seed), next: failover.Never, tokens: startTokens}
	e.info = failover.Info{Name: "pool"}
	r := setting.Reader{Copy: c}
	e.read(&r, &o)
	e.populate(c, &r)
	e.readRamp(&r, &o)
	if err := e.cfg.cool.Validate(); err != nil {
		return nil, fmt.Errorf("building the controller of %q: %w", c.Pool, err)
	}
	e.info.Assumed = r.Assumed
	e.info.Probes = e.cfg.probing
	if n := len(e.members) * max(len(e.kinds), 1); n > maxDomains || n*e.cfg.rampKinds > maxDomains {
		return nil, fmt.Errorf("building the controller of %q: %d members, %d kinds of requests: %w", c.Pool, len(e.members), len(e.kinds)*e.cfg.rampKinds, ErrTooLarge)
	}
	e.start(o.Start)
	return e, nil
}

// populate makes the members and sorts them by priority; backups are the tier after all others.
func (e *Engine) populate(c *schema.Copy, r *setting.Reader) {
	type key struct {
		backup   bool
		priority int64
	}
	of := func(m *schema.Member) key {
		if m.Backup == schema.Yes {
			return key{backup: true}
		}
		return key{priority: m.Priority}
	}
	for i := range c.Members {
		k := of(&c.Members[i])
		if !slices.ContainsFunc(e.tiers, func(t tier) bool { return t.backup == k.backup && t.priority == k.priority }) {
			e.tiers = append(e.tiers, tier{backup: k.backup, priority: k.priority})
		}
	}
	slices.SortFunc(e.tiers, func(a, b tier) int {
		switch {
		case a.backup != b.backup:
			if a.backup {
				return 1
			}
			return -1
		case a.priority < b.priority:
			return -1
		case a.priority > b.priority:
			return 1
		}
		return 0
	})
	index := map[string]int32{}
	some := false
	for i := range c.Members {
		w := &c.Members[i]
		k := of(w)
		t := slices.IndexFunc(e.tiers, func(t tier) bool { return t.backup == k.backup && t.priority == k.priority })
		m := member{id: w.ID(), weight: 1, tier: int32(t), usable: w.IsActive(), hold: failover.Never, review: failover.Never}
		if w.HasWeight {
			m.weight = float64(max(0, setting.Clamp(w.Weight)))
		}
		m.usable = m.usable && m.weight > 0
		some = some || m.usable
		if m.group = int32(i); e.cfg.line {
			m.group = int32(t)
		}
		if f, ok := w.Get("shares"); ok {
			for _, name := range f.Value.List() {
				s, ok := index[name]
				if !ok {
					s = int32(len(e.shares))
					index[name] = s
					e.shares = append(e.shares, shared{name: name})
				}
				if !slices.Contains(m.shares, s) {
					m.shares = append(m.shares, s)
					e.shares[s].members = append(e.shares[s].members, int32(i))
				}
			}
		}
		e.tiers[t].members = append(e.tiers[t].members, int32(i))
		e.members = append(e.members, m)
		e.info.Members = append(e.info.Members, m.id)
	}
	if !some {
		r.Assume(schema.Textf("no member may get traffic: all are disabled, drained or of weight 0", "没有成员可接收流量：全部禁用、排空或权重为 0"))
	}
}

// start makes the health domains and brings all into service.
func (e *Engine) start(now time.Duration) {
	groups := len(e.members)
	if e.cfg.line {
		groups = len(e.tiers)
	}
	spec := window.LastN(e.cfg.lastN)
	if e.cfg.window >= windowParts {
		spec = window.Rolling(e.cfg.window, windowParts)
	}
	e.units = make([]unit, groups*len(e.kinds))
	for i := range e.units {
		u := &e.units[i]
		u.group, u.kind = int32(i/len(e.kinds)), int32(i%len(e.kinds))
		u.window = spec.New()
		u.row = cooldown.NewRow(e.cfg.cool, &e.rand)
		u.due, u.removedAt, u.failedBatch = failover.Never, failover.Never, -1
		u.window.Reset(now)
		u.since = now
		if e.cfg.relative || e.cfg.timing {
			u.books = &books{}
			u.books.open(now)
		}
	}
	for i := range e.members {
		m := &e.members[i]
		m.shown = e.State(i)
		m.probe.due = failover.Never
		if e.cfg.probing && m.usable {
			m.probe.due = now + e.cfg.interval/time.Duration(len(e.members))*time.Duration(i)
			e.arm(m.probe.due)
		}
	}
	e.views = make([]view, len(e.kinds)*e.cfg.rampKinds)
	for i := range e.views {
		v := &e.views[i]
		v.at = e.rand.Uint64()
		v.alert, v.outSince = failover.Never, failover.Never
		v.slots = make([]slot, 0, len(e.members))
	}
	e.routeAll(now)
}

// Info describes the engine.
func (e *Engine) Info() *failover.Info { return &e.info }

// Next is when something is due: a probe, the end of a drain, cooldown, batch or trial, an alarm.
func (e *Engine) Next() time.Duration { return e.next }

// arm brings Next forward.
func (e *Engine) arm(at time.Duration) { e.next = min(e.next, at) }

// State is where a member stands for all its requests together: gone only if it is gone for each of them. A member that
// the configuration disables or drains is Manual.
func (e *Engine) State(i int) failover.State {
	m := &e.members[i]
	switch {
	case m.manual || !m.usable && m.weight > 0:
		return failover.Manual
	case m.hold != failover.Never:
		return failover.Cooling
	}
	var seen [failover.Manual + 1]bool
	for k := range e.kinds {
		seen[e.unit(int(m.group), k).state()] = true
	}
	for _, s := range [...]failover.State{failover.In, failover.Ramping, failover.Cooling, failover.Out} {
		if seen[s] {
			return s
		}
	}
	return failover.Manual
}

func (e *Engine) unit(group, kind int) *unit { return &e.units[group*len(e.kinds)+kind] }

// membersOf calls f for each member of a health domain.
func (e *Engine) membersOf(u *unit, f func(i int)) {
	if !e.cfg.line {
		f(int(u.group))
		return
	}
	for _, i := range e.tiers[u.group].members {
		f(int(i))
	}
}

// unitsOf calls f for each health domain of a member.
func (e *Engine) unitsOf(i int, f func(u *unit)) {
	for k := range e.kinds {
		f(e.unit(int(e.members[i].group), k))
	}
}

// tell tells something about a health domain that is no change of state.
func (e *Engine) tell(now time.Duration, u *unit, why schema.Text) {
	if e.notify == nil {
		return
	}
	e.membersOf(u, func(i int) {
		s := e.State(i)
		e.notify(failover.Transition{At: now, Member: i, Scope: e.kinds[u.kind], From: s, To: s, Why: why})
	})
}

// show tells what has become of a health domain, and routes the requests anew.
func (e *Engine) show(now time.Duration, u *unit, why schema.Text) {
	e.routeKind(now, int(u.kind))
	from, to := u.shown, u.state()
	u.shown = to
	e.membersOf(u, func(i int) {
		if scope := e.kinds[u.kind]; from != to && scope != "" && e.notify != nil {
			e.notify(failover.Transition{At: now, Member: i, Scope: scope, From: from, To: to, Why: why})
		}
		e.showMember(now, i, why)
	})
}

func (e *Engine) showMember(now time.Duration, i int, why schema.Text) {
	m := &e.members[i]
	if to := e.State(i); to != m.shown {
		from := m.shown
		m.shown = to
		if e.notify != nil {
			e.notify(failover.Transition{At: now, Member: i, From: from, To: to, Why: why})
		}
	}
}
