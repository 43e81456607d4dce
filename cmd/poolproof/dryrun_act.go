package main

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/drill"
	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/policy/dryrun/acceptance"
	"github.com/poolproof/poolproof/policy/dryrun/baddays"
	"github.com/poolproof/poolproof/policy/dryrun/timeline"
	"github.com/poolproof/poolproof/schema"
)

// builtinNames lists the scenarios that are built in.
func builtinNames() []string {
	return append(append(acceptance.IDs(), baddays.Names()...), timeline.Name)
}

// checkBuiltinNames refuses a name that fits no built-in scenario, where there are no others.
func checkBuiltinNames(names []string, files bool) error {
	for _, n := range names {
		if !files && !slices.ContainsFunc(builtinNames(), func(b string) bool { return matchesName([]string{n}, b) }) {
			return usage("--scenario %s: no such case%s; there are: %s", n, didYouMean(n, builtinNames()), strings.Join(builtinNames(), ", "))
		}
	}
	return nil
}

// matchesName reports whether one of the names, or "area/*", is that of a scenario.
func matchesName(names []string, scenario string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		area, all := strings.CutSuffix(n, "/*")
		return n == scenario || all && path.Dir(scenario) == area
	})
}

// asks reports whether a built-in scenario is to be played.
func (d *dry) asks(name string) bool {
	return len(d.flags.scenarios) == 0 || matchesName(d.flags.scenarios, name)
}

// plays counts what a stage has to play.
func (d *dry) plays(s *stage, actors []*actor) int {
	n := 0
	if s.builtin {
		for _, name := range builtinNames() {
			if d.asks(name) {
				n += len(actors)
			}
		}
		return n
	}
	for _, x := range s.scripts {
		for _, a := range actors {
			if x.wants(a.pool) {
				n++
			}
		}
	}
	return n
}

// act plays what a stage has for one pool.
func (d *dry) act(ctx context.Context, s *stage, a, before *actor) {
	if s.builtin {
		for _, id := range acceptance.IDs() {
			if d.asks(id) {
				d.accept(ctx, id, a, before)
				d.step()
			}
		}
		for _, name := range baddays.Names() {
			if d.asks(name) {
				d.badDay(ctx, name, a, before)
				d.step()
			}
		}
		return
	}
	for _, x := range s.scripts {
		if x.wants(a.pool) && (x.scenario.Pool != "" || s.pools == 1) {
			d.script(ctx, x, a, before)
			d.step()
		}
	}
}

// cases are the acceptance cases of a pool; what they play alike is played once.
func (a *actor) cases(seeds int) *acceptance.Set {
	if a.set == nil {
		a.set = acceptance.New(a.copy, a.traffic, seeds)
	}
	return a.set
}

func (d *dry) add(a *actor, r *drill.Run) *drill.Run {
	r.Pool, r.Env = a.pool.Group.Pool, a.pool.Group.Env
	r.Source, r.Digests = a.file, a.digests
	if r.File == "" {
		r.Assumed = append(slices.Clone(a.traffic.Assumed), r.Assumed...)
	}
	if r.Engine == "" {
		r.Engine = a.engine
	}
	d.runs = append(d.runs, r)
	return r
}

// accept plays an acceptance case.
func (d *dry) accept(ctx context.Context, id string, a, before *actor) {
	play := func(a *actor, config string) *drill.Run {
		out := a.cases(d.flags.seeds).Play(ctx, id)
		return d.add(a, &drill.Run{Scenario: id, Group: path.Dir(id), Config: config, Judged: true, Summary: out.Summary,
			Expectations: []drill.Expectation{{ID: id, Text: out.Text, Pass: out.Pass, Reason: out.Reason, Observed: out.Observed}}})
	}
	// Each plays cases made from its own settings: their verdicts compare, and their metrics do not.
	if before != nil {
		play(before, drill.Base)
	}
	play(a, drill.Head)
}

// mostRPS is with how many requests a second bad days are played at most: more show the same and take longer.
const mostRPS = 1000

// badDay plays one of the known bad days.
func (d *dry) badDay(ctx context.Context, name string, a, before *actor) {
	play := func(a *actor, config string) *drill.Run {
		r := &drill.Run{Scenario: name, Group: drill.GroupBadDays, Config: config}
		load := a.traffic.Traffic
		if load.RPS > mostRPS {
			r.Assumed = append(r.Assumed, schema.Textf("played with %d of %.0f requests a second", "按每秒 %d（实际 %.0f）个请求演练", mostRPS, load.RPS))
			load.RPS = mostRPS
		}
		s, why := baddays.Scenario(name, a.copy, &load)
		if s == nil {
			d.skipped = append(d.skipped, drill.Skipped{Pool: a.pool.Group.Pool, Env: a.pool.Group.Env, Scenario: name, Engine: a.engine, Why: why})
			return nil
		}
		sum, err := dryrun.RunSeedsContext(ctx, s, dryrun.Options{Copy: a.copy, Seed: 1, Traffic: &load}, d.flags.seeds)
		if err != nil {
			d.cannot(a, name, nil, err)
			return nil
		}
		r.Summary = sum
		d.add(a, r)
		if fate, ok := baddays.FateOf(name, a.copy, &load, sum); ok && config == drill.Head {
			d.fates = append(d.fates, fated{run: r, Fate: fate})
		}
		return r
	}
	d.both(a, before, play)
}

// both plays a scenario on the pool as it was, if there is something to compare with, and as it is, and compares.
func (d *dry) both(a, before *actor, play func(*actor, string) *drill.Run) {
	var old *drill.Run
	if before != nil {
		old = play(before, drill.Base)
	}
	now := play(a, drill.Head)
	if old == nil || now == nil || old.Summary == nil || now.Summary == nil {
		return
	}
	for _, c := range dryrun.Compare(old.Summary, now.Summary) {
		d.comparisons = append(d.comparisons, drill.Comparison{Pool: now.Pool, Env: now.Env, Scenario: now.Scenario, Comparison: c})
	}
}

// script plays a scenario file.
func (d *dry) script(ctx context.Context, x *script, a, before *actor) {
	x.played = true
	seeds := d.flags.seeds
	if !d.flags.seedsSaid && x.scenario.Seeds > 0 {
		seeds = min(x.scenario.Seeds, maxSeeds)
	}
	play := func(a *actor, config string) *drill.Run {
		o := dryrun.Options{Copy: a.copy, Seed: 1, Traffic: &a.traffic.Traffic}
		if before != nil {
			o.Head = d.headOf
		}
		if wrong := dryrun.Unknown(x.scenario, o); len(wrong) > 0 && config == drill.Head {
			d.problems(x.file, a.pool.Group.Pool, wrong)
		}
		sum, err := dryrun.RunSeedsContext(ctx, x.scenario, o, seeds)
		if err != nil {
			d.cannot(a, x.scenario.Name, x, err)
			return nil
		}
		r := &drill.Run{Scenario: x.scenario.Name, Group: drill.GroupScenario, Config: config, Judged: true, Summary: sum, File: x.file}
		for _, v := range sum.Verdicts {
			r.Expectations = append(r.Expectations, drill.Expectation{ID: v.ID, Text: v.Text, Pass: v.Pass, Observed: v.Observed, Place: v.Place})
		}
		return d.add(a, r)
	}
	d.headOf = a.copy
	d.both(a, before, play)
}

// cannot notes a run that did not come about. Of a scenario file it is a finding: what somebody wants to see hold must not
// pass because it was not looked at.
func (d *dry) cannot(a *actor, scenario string, x *script, err error) {
	why := schema.Textf("it cannot be played: %v", "无法演练：%v", err)
	var at schema.Span
	switch {
	case errors.Is(err, dryrun.ErrTooLarge):
		why = schema.Textf("it is too much to play: %v", "规模过大，无法演练：%v", err)
	case errors.Is(err, dryrun.ErrNoTraffic):
		why = schema.Textf("no request would come in that time", "该时段内没有请求")
	}
	if x != nil {
		if at = x.scenario.TrafficAt; !at.Known() {
			at = x.scenario.DurationAt
		}
		d.problems(x.file, a.pool.Group.Pool, []schema.Problem{{Rule: "schema/invalid", At: at, Text: why, Hint: schema.Textf("change traffic or duration", "请修改 traffic 或 duration")}})
		return
	}
	d.skipped = append(d.skipped, drill.Skipped{Pool: a.pool.Group.Pool, Env: a.pool.Group.Env, Scenario: scenario, Engine: a.engine, Why: why})
}
