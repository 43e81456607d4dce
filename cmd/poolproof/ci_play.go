package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/poolproof/poolproof/cmd/poolproof/drill"
	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/policy/dryrun/acceptance"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
)

// plays are the dry-runs of the pools that a change touches, before and after. A pool whose settings stay as they are is
// not played.
type plays struct {
	o       *options
	request request

	mu     sync.Mutex
	base   map[string]*rules.Pool
	played []played
}

// played is one pool's dry-run.
type played struct {
	pool *rules.Pool
	dry  *dry
	old  bool
}

// badDaysInCI are the bad days that every change is held against, before and after.
func badDaysInCI() []string { return []string{"shared-link-hang", "partial-recovery"} }

func newPlays(o *options, r request) *plays {
	return &plays{o: o, request: r, base: map[string]*rules.Pool{}}
}

// visit remembers the pools of the base and plays those of the head.
func (p *plays) visit(ctx context.Context) func(bool, *rules.Pool, *rules.Reporter) {
	return func(head bool, pool *rules.Pool, r *rules.Reporter) {
		if !head {
			p.mu.Lock()
			p.base[key(pool)] = pool
			p.mu.Unlock()
			return
		}
		if ctx.Err() == nil {
			p.play(ctx, pool, r)
		}
	}
}

func (p *plays) play(ctx context.Context, pool *rules.Pool, r *rules.Reporter) {
	d := &dry{o: p.o, flags: &dryrunFlags{seeds: acceptance.QuickSeeds}, request: p.request, step: func() {}}
	s := &stage{builtin: true, w: &workspace{}}
	now := d.actor(s, pool, true)
	if now == nil {
		return
	}
	p.mu.Lock()
	before := p.base[key(pool)]
	p.mu.Unlock()
	var old *actor
	if before != nil {
		old = d.actor(s, before, false)
	}
	if old != nil {
		if d.changes = drill.Changes(old.copy, now.copy); len(d.changes) == 0 {
			return
		}
	}
	for _, id := range acceptance.IDs() {
		d.accept(ctx, id, now, old)
	}
	quick := *d.flags
	quick.seeds = 1
	d.flags = &quick
	for _, day := range badDaysInCI() {
		d.badDay(ctx, day, now, old)
	}
	for _, run := range d.runs {
		if run.Judged && run.Config == drill.Head && run.Failed() {
			d.hit(pool, run, r)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.played = append(p.played, played{pool, d, old != nil})
}

// drills describes what was played, and marks the findings of cases that failed before the change as well.
func (p *plays) drills(findings []schema.Finding) []report.Drill {
	slices.SortFunc(p.played, func(a, b played) int {
		return cmp.Or(cmp.Compare(a.pool.Group.Pool, b.pool.Group.Pool), cmp.Compare(a.pool.Group.Env, b.pool.Group.Env))
	})
	var list []report.Drill
	for _, x := range p.played {
		list = append(list, x.describe())
		for _, run := range x.dry.runs {
			if run.Config != drill.Base || !run.Judged || !run.Failed() {
				continue
			}
			for i := range findings {
				f := &findings[i]
				if f.Rule == ruleFailed && f.Status == schema.New && f.Field == run.Scenario && f.Pool == x.pool.Group.Pool && f.Env == x.pool.Group.Env {
					f.Status = schema.Existing
				}
			}
		}
	}
	return list
}

func (x *played) describe() report.Drill {
	d := report.Drill{Pool: x.pool.Group.Pool, Env: x.pool.Group.Env, New: !x.old}
	for _, c := range x.dry.changes {
		d.Changes = append(d.Changes, fmt.Sprintf("%s: %s -> %s", c.Path, said(c.Base), said(c.Head)))
	}
	before := map[string]*drill.Expectation{}
	for _, run := range x.dry.runs {
		for i := range run.Expectations {
			e := &run.Expectations[i]
			if run.Config == drill.Base {
				before[e.ID] = e
				continue
			}
			d.Engine = run.Engine
			line := report.DrillLine{Name: schema.Text{En: e.ID}, After: passWord(e.Pass), Observed: e.Observed}
			if e.Pass == dryrun.NotApplicable {
				line.Observed, line.NotApplicable = e.Reason, true
			}
			if old := before[e.ID]; old != nil {
				line.Before = passWord(old.Pass)
				line.Worse = old.Pass == dryrun.Held && e.Pass == dryrun.Failed
				line.Better = old.Pass == dryrun.Failed && e.Pass == dryrun.Held
			}
			switch e.Pass {
			case dryrun.Held:
				d.Held++
			case dryrun.Failed:
				d.Failed++
			default:
				d.NotApplicable++
			}
			d.Lines = append(d.Lines, line)
		}
	}
	slices.SortStableFunc(d.Lines, func(a, b report.DrillLine) int { return rankLine(&a) - rankLine(&b) })
	comparisons := slices.Clone(x.dry.comparisons)
	slices.SortStableFunc(comparisons, func(a, b drill.Comparison) int { return drill.ByEffect(&a.Comparison, &b.Comparison) })
	for _, c := range comparisons {
		before, after := drill.Shown(c.Metric, c.Base), drill.Shown(c.Metric, c.Head)
		if c.Better == dryrun.Same || before == after {
			continue
		}
		d.Lines = append(d.Lines, report.DrillLine{Name: schema.Textf("%s %s", "%s %s", c.Scenario, drill.Named(c.Metric)), Before: before, After: after,
			Better: c.Better == dryrun.BetterHead, Worse: c.Better == dryrun.BetterBase})
	}
	slices.SortStableFunc(d.Lines, func(a, b report.DrillLine) int { return rankLine(&a) - rankLine(&b) })
	return d
}

// rankLine puts what the change turns first, then what fails.
func rankLine(x *report.DrillLine) int {
	switch {
	case x.Worse:
		return 0
	case x.Better:
		return 1
	case x.After == passWord(dryrun.Failed):
		return 2
	case x.NotApplicable:
		return 4
	}
	return 3
}

func passWord(p dryrun.Pass) schema.Text {
	switch p {
	case dryrun.Held:
		return schema.Textf("holds", "成立")
	case dryrun.Failed:
		return schema.Textf("fails", "不成立")
	}
	return schema.Textf("not applicable", "不适用")
}

func said(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
