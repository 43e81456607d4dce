package dryrun

import (
	"slices"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// stateAt returns the state of a member at a moment: that which what happened at this very moment has left.
func stateAt(spans []StateSpan, t time.Duration) failover.State {
	state := spans[0].State
	for _, x := range spans {
		if x.From > t {
			break
		}
		state = x.State
	}
	return state
}

// on returns the states of a member as they are for one interface: its own while it is out, else those of the interface.
func (m *member) on(iface string) []StateSpan {
	part := m.scoped[iface]
	if iface == "" || len(part) == 0 {
		return m.spans
	}
	times := make([]time.Duration, 0, len(m.spans)+len(part))
	for _, x := range append(slices.Clone(m.spans), part...) {
		times = append(times, x.From)
	}
	slices.Sort(times)
	part = append([]StateSpan{{From: m.spans[0].From, State: failover.In}}, part...)
	var out []StateSpan
	for _, t := range slices.Compact(times) {
		state := stateAt(m.spans, t)
		if p := stateAt(part, t); !state.Gone() && p != failover.In {
			state = p
		}
		out = append(out, StateSpan{From: t, State: state})
	}
	return out
}

// statesIn calls f for each state that a member has from one moment to another, with the moment at which it begins,
// until f returns false.
func statesIn(spans []StateSpan, from, to time.Duration, f func(at time.Duration, s failover.State) bool) {
	if !f(from, stateAt(spans, from)) {
		return
	}
	for _, x := range spans {
		if x.From > from && x.From <= to && !f(x.From, x.State) {
			return
		}
	}
}

// judgeState looks for the state at some moment of a time, or throughout.
func (s *sim) judgeState(e *Expect, n int, v *Verdict) {
	spans := s.members[n].on(e.Interface)
	from, to := e.window(s.end - s.start)
	sometime := e.At >= 0 || e.By >= 0
	if sometime {
		if e.By >= 0 && e.At < 0 && e.From < 0 {
			from = s.lastEventBefore(e.By)
		}
		from, to = max(0, from-e.Span), to+e.Span
	} else {
		from, to = from+e.Span, max(from+e.Span, to-e.Span)
	}
	// What is looked for settles the matter: the state, or throughout, another one.
	settled, seen, at := false, stateAt(spans, from), from
	statesIn(spans, from, to, func(t time.Duration, state failover.State) bool {
		if accepts(e.States, state) == sometime {
			settled, seen, at = true, state, t
		}
		return !settled
	})
	v.hold(settled == sometime)
	v.Observed = history(seen, spans, at, to)
}

// history says which state there is at one moment, and lists the changes after it and until another, a few of them.
func history(seen failover.State, spans []StateSpan, from, to time.Duration) schema.Text {
	state := func(s failover.State, at time.Duration) schema.Text {
		return schema.Textf("%s at %s", "%[2]s 时为 %[1]s", s, schema.FormatDuration(at.Round(time.Millisecond)))
	}
	text, n := state(seen, from), 0
	for _, x := range spans {
		if x.From <= from || x.From > to {
			continue
		}
		if n++; n > 4 {
			return schema.Textf("%s, ...", "%s……", text)
		}
		text = schema.Textf("%s, %s", "%s，%s", text, state(x.State, x.From))
	}
	return text
}

// lastEventBefore returns the last moment before t at which the scenario began or ended something.
func (s *sim) lastEventBefore(t time.Duration) time.Duration {
	last := time.Duration(0)
	for i := range s.scenario.Events {
		e := &s.scenario.Events[i]
		for _, x := range []time.Duration{e.At, e.At + e.For} {
			if x < t {
				last = max(last, x)
			}
		}
	}
	return last
}
