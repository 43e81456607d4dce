package dryrun

import (
	"errors"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/engines"
	"github.com/poolproof/poolproof/schema"
)

// scripted is an event of the scenario that is to come, or a fault that goes on.
type scripted struct {
	event *Event
	times int     // how often it has come
	going *active // a fault to be ended
	last  *active // the fault of the time before
}

// plan puts the events of the scenario into the queue.
func (s *sim) plan() {
	for i := range s.scenario.Events {
		e := &s.scenario.Events[i]
		if at := s.start + e.At; at < s.end {
			s.later(at, scripted{event: e})
		}
	}
}

func (s *sim) later(at time.Duration, x scripted) {
	s.script = append(s.script, x)
	s.queue.push(s.now, at, ref{uint32(len(s.script) - 1), 0, evScript})
}

// happen lets something of the scenario happen.
func (s *sim) happen(slot uint32) {
	x := s.script[slot]
	if x.going != nil {
		if x.going.over {
			return // it has begun again in the meantime
		}
		if at := s.finish(s.now, x.going); at != never {
			s.later(at, x)
		} else {
			s.note("fault ends", "", x.event.describe())
		}
		return
	}
	e := x.event
	var a *active
	if e.Fault != nil {
		// Of one event there is one fault at a time.
		if x.last != nil && !x.last.over {
			s.stop(s.now, x.last)
		}
		s.note("fault", "", e.describe())
		if a = s.begin(s.now, e); a.until != never {
			s.later(a.until, scripted{event: e, going: a})
		}
	}
	if e.Every > 0 && (e.Times == 0 || x.times+1 < e.Times) && s.now+e.Every < s.end {
		s.later(s.now+e.Every, scripted{event: e, times: x.times + 1, last: a})
	}
	switch {
	case e.External != nil:
		s.external(e.External)
	case e.Operator != nil:
		s.operate(e.Operator)
	case e.Apply:
		s.apply()
	case e.Reload:
		s.note("reload", "", schema.Textf("the engine restarts", "引擎重新加载"))
		s.restart(s.options.Copy)
	}
}

func (s *sim) external(x *External) {
	says := schema.Textf("an external notice says up", "外部通知：正常")
	if x.Down {
		says = schema.Textf("an external notice says down", "外部通知：故障")
	}
	if len(x.Members) == 0 {
		s.note("external", "", says)
		s.current.engine.Notice(s.now, -1, x.Down)
	}
	for _, id := range x.Members {
		s.note("external", id, says)
		if n, ok := s.number[id]; ok && s.current.from[n] >= 0 {
			s.current.engine.Notice(s.now, int(s.current.from[n]), x.Down)
		}
	}
}

func (s *sim) operate(o *Operator) {
	why := schema.Textf("%s forces it in; saw: %s", "%s 强制恢复；所见：%s", o.Initiator, o.Saw)
	if o.Out {
		why = schema.Textf("%s forces it out; saw: %s", "%s 强制摘除；所见：%s", o.Initiator, o.Saw)
	}
	s.note("operator", o.Member, why)
	n, ok := s.number[o.Member]
	if !ok || s.current.from[n] < 0 {
		return
	}
	err := s.current.engine.Force(s.now, failover.Order{Member: int(s.current.from[n]), Out: o.Out, Initiator: o.Initiator, Saw: o.Saw, Reclaim: o.Reclaim, Review: o.Review})
	switch {
	case errors.Is(err, failover.ErrUnsupported):
		s.note("operator", o.Member, schema.Textf("the engine cannot be told so", "引擎不支持此操作"))
	case err != nil:
		s.note("operator", o.Member, schema.Textf("refused: %s", "被拒绝：%s", err.Error()))
	}
	if s.current.queuer != nil {
		s.wake(s.current)
	}
}

// apply puts the settings of head in force: an engine that can takes them over, any other starts anew.
func (s *sim) apply() {
	head := s.options.Head
	if head == nil {
		s.note("apply", "", schema.Textf("there is no head to apply", "没有可应用的 head"))
		return
	}
	s.note("apply", "", schema.Textf("the settings of head are in force", "head 的配置生效"))
	a, ok := s.current.engine.(failover.Applier)
	if !ok {
		s.restart(head)
		return
	}
	if len(s.engines) >= maxEngines {
		s.note("apply", "", schema.Textf("refused: after %d restarts a run takes no more", "被拒绝：一次运行最多重启 %d 次", maxEngines))
		return
	}
	e, err := a.Apply(s.now, head, s.engineOptions())
	if err != nil {
		s.note("apply", "", schema.Textf("refused: %s", "被拒绝：%s", err.Error()))
		return
	}
	s.install(e)
}

// maxEngines bounds how often the engine is built in one run.
const maxEngines = 4096

// restart builds the engine anew. Its clock goes on.
func (s *sim) restart(c *schema.Copy) {
	if len(s.engines) >= maxEngines {
		s.note("reload", "", schema.Textf("refused: after %d restarts a run takes no more", "被拒绝：一次运行最多重启 %d 次", maxEngines))
		return
	}
	e, err := s.build(c)
	if err != nil {
		s.note("reload", "", schema.Textf("refused: %s", "被拒绝：%s", err.Error()))
		return
	}
	s.install(e)
}

// engineOptions are those of the next engine.
func (s *sim) engineOptions() failover.Options {
	o := failover.Options{Seed: s.rand.Uint64(), Start: s.now, Phase: s.phase, Interfaces: s.interfaces, Regions: s.regions, Tenants: s.tenants}
	index := len(s.engines)
	o.Notify = func(t failover.Transition) { s.moved(index, t) }
	return o
}

func (s *sim) build(c *schema.Copy) (failover.Engine, error) {
	o := s.engineOptions()
	if s.options.Build != nil {
		return s.options.Build(c, o)
	}
	return engines.New(c, o)
}

// moved hears of a change of a member's state.
func (s *sim) moved(index int, t failover.Transition) {
	if index >= len(s.engines) {
		return // while it is being built
	}
	e := s.engines[index]
	if t.Member < 0 {
		if !e.retired {
			s.note("pool", "", t.Why)
		}
		return
	}
	n := int(e.to[t.Member])
	if t.Sever {
		s.sever(e, n)
	}
	switch m := &s.members[n]; {
	case e.retired:
	case t.From == t.To:
		s.note("notice", m.id, t.Why)
	case t.Scope != "":
		if m.scoped == nil {
			m.scoped = map[string][]StateSpan{}
		}
		m.scoped[t.Scope] = append(m.scoped[t.Scope], StateSpan{From: s.now - s.start, State: t.To})
		s.note(t.To.String(), m.id+" "+t.Scope, t.Why)
	default:
		s.stand(n, t.To, t.Why)
	}
}

// stand puts a member into a state.
func (s *sim) stand(n int, to failover.State, why schema.Text) {
	m := &s.members[n]
	if m.state == to {
		return
	}
	m.moved(s.now, to)
	m.spans = append(m.spans, StateSpan{From: s.now - s.start, State: to})
	s.note(to.String(), m.id, why)
	s.watchAllOut()
}

// watchAllOut notes when the last member goes, and when one is back.
func (s *sim) watchAllOut() {
	all := true
	for i := range s.members {
		if !s.members[i].state.Gone() {
			all = false
			break
		}
	}
	switch {
	case all && s.outSince < 0:
		s.outSince = s.now
	case !all && s.outSince >= 0:
		s.allOut = append(s.allOut, span{s.outSince - s.start, s.now - s.start})
		s.outSince = unsaid
	}
}

// maxTimeline bounds the timeline.
const maxTimeline = 10000

func (s *sim) note(event, member string, why schema.Text) {
	if s.now > s.end {
		return
	}
	if len(s.timeline) >= maxTimeline {
		s.cut++
		return
	}
	s.timeline = append(s.timeline, Entry{At: s.now - s.start, Event: event, Member: member, Why: why})
}
