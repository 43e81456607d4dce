package dryrun

import (
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// staged is an engine whose members change state at given times, whatever happens.
type staged struct {
	cheap
	notify func(failover.Transition)
	states []failover.State
	plan   []failover.Transition
}

func stage(plan ...failover.Transition) func(*schema.Copy, failover.Options) (failover.Engine, error) {
	return func(c *schema.Copy, o failover.Options) (failover.Engine, error) {
		e, err := newCheap(c, o)
		return &staged{cheap: *e.(*cheap), notify: o.Notify, states: make([]failover.State, len(c.Members)), plan: plan}, err
	}
}

func (e *staged) Next() time.Duration {
	if len(e.plan) == 0 {
		return failover.Never
	}
	return e.plan[0].At
}

func (e *staged) Tick(time.Duration) (failover.Probe, bool) {
	t := e.plan[0]
	e.plan = e.plan[1:]
	if t.Member >= 0 && t.Scope == "" {
		t.From, e.states[t.Member] = e.states[t.Member], t.To
	} else if t.Scope != "" {
		t.From = failover.Manual // anything else
	}
	e.notify(t)
	return failover.Probe{}, false
}

func (e *staged) State(i int) failover.State { return e.states[i] }

func TestStates(t *testing.T) {
	const s = time.Second
	plan := []failover.Transition{
		{At: 5 * s, To: failover.Cooling}, {At: 9 * s, To: failover.Ramping}, {At: 12 * s, To: failover.In},
		{At: 14 * s, To: failover.Out, Scope: "/pay"}, {At: 16 * s, To: failover.In, Scope: "/pay"},
		{At: 17 * s, Member: -1, Why: schema.Textf("all out for too long", "")},
	}
	for line, want := range map[string]Pass{
		"at: 4s, state: in":                                          Held,
		"at: 5s, state: in":                                          Failed,
		"at: 5s, state: cooling":                                     Held,
		"at: 6s, state: out":                                         Held, // out includes cooling
		"at: 6s, state: manual":                                      Failed,
		"at: 10s, state: [in, ramping]":                              Held,
		"at: 4s, within: 1s, state: out":                             Held,
		"at: 4s, within: 900ms, state: out":                          Failed,
		"at: 4s, tolerance: 1s, state: out":                          Held,
		"from: 5s, to: 8900ms, state: out":                           Held,
		"from: 5s, to: 9s, state: out":                               Failed,
		"from: 4s, to: 10s, tolerance: 1100ms, state: out":           Held,
		"from: 12s, state: in":                                       Held,
		"by: 6s, state: out":                                         Held,
		"by: 4s, state: out":                                         Failed,
		"by: 20s, state: out":                                        Failed, // not since the last thing that happened
		"from: 0s, by: 20s, state: out":                              Held,
		"at: 15s, state: out":                                        Failed,
		"at: 15s, interface: /pay, state: out":                       Held,
		"at: 15s, interface: /orders, state: in":                     Held,
		"from: 16s, to: 20s, interface: /pay, state: in":             Held,
		"at: 6s, interface: /pay, state: out":                        Held, // the member as a whole is
		"from: 0s, to: 20s, metric: transitions, above: 2, below: 4": Held,
		"from: 6s, to: 20s, metric: transitions, above: 1, below: 3": Held,
		"from: 0s, to: 20s, metric: flaps, below: 1":                 Held,
	} {
		sc := read(t, `
duration: 20s
traffic: {rps: 5, interfaces: {/pay: 50, /orders: 50}}
events: [{at: 15s, reload: false, fault: {errors: 0.1}}]
expect: [{id: x, member: "10.0.0.a:80", `+line+`}]
`)
		r, err := Run(sc, Options{Copy: pool("", 2), Build: stage(plan...)})
		if err != nil {
			t.Fatal(err)
		}
		v := r.Verdicts[0]
		if v.Pass != want || v.Observed.En == "" || v.Observed.Zh == "" {
			t.Errorf("%s: %v, observed %q", line, v.Pass, v.Observed)
		}
		told := false
		for _, e := range r.Timeline {
			told = told || e.Event == "pool" && strings.Contains(e.Why.En, "too long")
		}
		if !told {
			t.Error("what concerns the whole pool is not in the timeline")
		}
	}
}

func TestSpread(t *testing.T) {
	if got := spread([]float64{5}); got != (Spread{5, 5, 5}) {
		t.Errorf("of one: %+v", got)
	}
	var v []float64
	for i := range 101 {
		v = append(v, float64(100-i))
	}
	if got := spread(v); got != (Spread{5, 50, 95}) {
		t.Errorf("of 0 to 100: %+v", got)
	}
}
