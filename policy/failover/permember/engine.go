package permember

import (
	"fmt"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/breaker"
	"github.com/poolproof/poolproof/policy/failover/internal/setting"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/profile"
)

// The kinds of breakers, by the names of their engines.
const (
	ThreeState   = "three-state"
	Adaptive     = "adaptive"
	Blacklist    = "blacklist"
	Resilience4j = "resilience4j"
)

// lookEvery is how often a state is looked at again that changes by itself at no time that is known.
const lookEvery = 100 * time.Millisecond

// member is one member and its breaker.
type member struct {
	breaker breaker.Breaker
	weight  int
	current int // smooth weighted round robin
	tier    int
	manual  bool
	shown   failover.State
	until   time.Duration // end of the cooldown, 0 if nobody said
	due     time.Duration // when to look at it again, Never
	changed bool          // the breaker has spoken since it was last looked at
}

// tier is the members of one priority.
type tier struct {
	members []int32
	equal   bool // all weigh the same: plain round robin
	at      int  // position of the last one chosen
}

// Engine is a pool with a breaker for each member.
type Engine struct {
	info       failover.Info
	notify     func(failover.Transition)
	classifier *breaker.Classifier

	// settings
	pass       bool    // all out: everything is used
	panicBelow float64 // percent of members in below which everything is used
	alertAfter time.Duration
	retry      retry
	always     bool // results of attempts without a permit count too
	afterEnd   bool // the breaker is half-open strictly after its cooldown
	adaptive   bool
	longest    time.Duration // of a half-open period, 0: no end

	members  []member
	tiers    []tier
	gone     int           // members that are cooling or manual
	allSince time.Duration // since when all are gone, Never
	alert    time.Duration // when that becomes an event, Never
	next     time.Duration
}

// New returns the engine of that kind for a pool. The error wraps failover.ErrNoMembers or says which setting the breaker
// refuses.
func New(kind string, c *schema.Copy, v profile.Version, o failover.Options) (*Engine, error) {
	if len(c.Members) == 0 {
		return nil, fmt.Errorf("building %s for %q: %w", kind, c.Pool, failover.ErrNoMembers)
	}
	e := &Engine{notify: o.Notify, classifier: breaker.NewClassifier(), allSince: failover.Never, alert: failover.Never, next: failover.Never}
	e.info = failover.Info{Name: kind}
	if v.Known() {
		e.info.Version = fmt.Sprintf("%d.%d", v.Major, v.Minor)
	}
	r := setting.Reader{Copy: c}
	e.readMembers(&r)
	if err := e.readPool(&r, kind); err != nil {
		return nil, fmt.Errorf("building %s for %q: %w", kind, c.Pool, err)
	}
	random := failover.NewRand(o.Seed)
	if err := e.readBreakers(&r, kind, &random); err != nil {
		return nil, fmt.Errorf("building %s for %q: %w", kind, c.Pool, err)
	}
	e.info.Assumed = r.Assumed
	for i := range e.members {
		m := &e.members[i]
		m.shown = e.stateOf(o.Start, m)
		if m.shown.Gone() {
			e.gone++
		}
		m.due = e.dueOf(o.Start, m)
	}
	e.watch(o.Start)
	e.schedule()
	return e, nil
}

// Info describes the engine.
func (e *Engine) Info() *failover.Info { return &e.info }

// State is Cooling while the breaker is open, Ramping while it is half-open or drops calls, Manual by force, else In.
func (e *Engine) State(member int) failover.State { return e.members[member].shown }

// Notice does nothing: a breaker takes no verdicts from outside.
func (e *Engine) Notice(time.Duration, int, bool) {}

// Probed is never called: there are no probes.
func (e *Engine) Probed(time.Duration, failover.Probe, failover.Outcome) {}

// Next is when a cooldown ends, a state is looked at again, or a pool without members becomes an event.
func (e *Engine) Next() time.Duration { return e.next }

// Tick does what is due.
func (e *Engine) Tick(now time.Duration) (failover.Probe, bool) {
	for i := range e.members {
		if m := &e.members[i]; m.due <= now {
			if b, ok := m.breaker.(interface{ Advance(time.Duration) }); ok {
				b.Advance(now)
			}
			e.look(now, i)
		}
	}
	if e.alert <= now {
		e.alert = failover.Never
		if e.notify != nil {
			e.notify(failover.Transition{At: now, Member: -1, From: failover.Out, To: failover.Out,
				Why: schema.Textf("all members have been out for %s: a broad fault, or the statistics are wrong", "所有成员已全部摘除 %s：故障范围很大，或统计有误", schema.FormatDuration(e.alertAfter))})
		}
	}
	e.schedule()
	return failover.Probe{}, false
}

// Force takes a member out by hand or puts it back. A member that is put back while it cools down starts anew, where its
// breaker can be closed by hand.
func (e *Engine) Force(now time.Duration, o failover.Order) error {
	if o.Member < 0 || o.Member >= len(e.members) {
		return fmt.Errorf("forcing member %d: %w", o.Member, failover.ErrUnsupported)
	}
	m := &e.members[o.Member]
	m.manual = o.Out
	why := schema.Textf("taken out by %s", "由 %s 摘除", o.Initiator)
	if !o.Out {
		why = schema.Textf("put back by %s", "由 %s 恢复", o.Initiator)
		if b, ok := m.breaker.(interface{ Close(time.Duration) }); ok && m.breaker.State(now) != breaker.Closed {
			b.Close(now)
		}
	}
	e.show(now, o.Member, e.stateOf(now, m), why)
	m.due = e.dueOf(now, m)
	e.schedule()
	return nil
}

// stateOf is what the member's breaker amounts to.
func (e *Engine) stateOf(now time.Duration, m *member) failover.State {
	if m.manual {
		return failover.Manual
	}
	switch m.breaker.State(now) {
	case breaker.Open:
		return failover.Cooling
	case breaker.HalfOpen:
		return failover.Ramping
	}
	return failover.In
}

// dueOf is when the state that is shown may change by itself.
func (e *Engine) dueOf(now time.Duration, m *member) time.Duration {
	switch {
	case m.shown == failover.Cooling && m.until > now:
		if e.afterEnd {
			return m.until + 1
		}
		return m.until
	case m.shown == failover.Cooling, m.shown == failover.Ramping && e.adaptive:
		return now + lookEvery
	case m.shown == failover.Ramping && e.longest > 0:
		return now + e.longest
	}
	return failover.Never
}

// look brings what is shown of a member up to date.
func (e *Engine) look(now time.Duration, i int) {
	m := &e.members[i]
	m.changed = false
	to, before := e.stateOf(now, m), m.shown
	if to == before && to != failover.Cooling {
		if m.due <= now {
			m.due = e.dueOf(now, m)
			e.schedule()
		}
		return
	}
	e.show(now, i, to, e.why(before, to))
	m.due = e.dueOf(now, m)
	e.schedule()
}

func (e *Engine) why(from, to failover.State) schema.Text {
	switch {
	case to == failover.Cooling && from == failover.Ramping:
		return schema.Textf("the trial failed", "试探失败")
	case to == failover.Cooling:
		return schema.Textf("the breaker has tripped", "熔断器断开")
	case to == failover.Ramping && e.adaptive:
		return schema.Textf("a part of its requests is dropped", "丢弃一部分请求")
	case to == failover.Ramping:
		return schema.Textf("the cooldown is over: trials pass", "冷却结束：放行试探请求")
	case from == failover.Ramping && !e.adaptive:
		return schema.Textf("the trial succeeded", "试探成功")
	}
	return schema.Textf("back", "恢复")
}

// show tells a change of state and counts the members that are gone.
func (e *Engine) show(now time.Duration, i int, to failover.State, why schema.Text) {
	m := &e.members[i]
	from := m.shown
	if from == to {
		return
	}
	m.shown = to
	if from.Gone() {
		e.gone--
	}
	if to.Gone() {
		e.gone++
	}
	if e.notify != nil {
		e.notify(failover.Transition{At: now, Member: i, From: from, To: to, Why: why})
	}
	e.watch(now)
}

// watch follows since when all members are gone.
func (e *Engine) watch(now time.Duration) {
	if e.gone < len(e.members) {
		e.allSince, e.alert = failover.Never, failover.Never
		return
	}
	if e.allSince == failover.Never {
		if e.allSince = now; e.alertAfter > 0 {
			e.alert = now + e.alertAfter
		}
	}
}

func (e *Engine) schedule() {
	e.next = e.alert
	for i := range e.members {
		e.next = min(e.next, e.members[i].due)
	}
}
