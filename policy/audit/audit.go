// Package audit judges a loaded tree: it pairs the copies, runs every rule on every pool, weighs what they found, and
// applies exceptions. It is what check, ci, watch and the change order stand on.
package audit

import (
	"context"
	"slices"
	"time"

	"github.com/poolproof/poolproof/policy/parallel"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/policy/truth"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
)

// Options steer an audit.
type Options struct {
	Rules []rules.Rule
	Now   time.Time
	// Pools, RuleNames and Env limit what is reported; empty means everything. A rule name may be "area/*", a pool's that of a
	// copy (PoolNames).
	Pools     []string
	RuleNames []string
	Env       string
	// Touched, if not nil, limits the report to pools that hold a copy in one of these files.
	Touched map[string]bool
	// Elsewhere, if not nil, says that the loaded files are a part of the tree, and reports whether a pool of the rest has a
	// name of this key.
	Elsewhere func(key string) bool
	// Entire: the whole tree is loaded although only some pools are judged, so that rules about these may ask what the others
	// are called.
	Entire bool
	// Reported selects the pools about which rules speak then that look at the whole of a tree; nil: they are left out.
	Reported func(pool string) bool
	// Own, if not nil, is the manifest that stands in the tree, where another one decides how the copies are read and judged.
	// What is wrong with a manifest is asked of this one.
	Own *schema.Manifest
	// Granted, if not nil, reports whether the exceptions of a change order count, and Marked whether a marker of a file
	// does (its text behind poolproof:ignore). A change does not excuse itself.
	Granted func(o *schema.ChangeOrder) bool
	Marked  func(file, text string) bool
	// Read, which may be nil, reads a file of the tree once more, to say what a path of the manifest could have meant.
	Read    func(path string) ([]byte, error)
	Workers int
}

// full reports whether nothing is left out, by flags or because only a part of the tree was read.
func (o *Options) full() bool {
	return len(o.Pools) == 0 && len(o.RuleNames) == 0 && o.Env == "" && o.Touched == nil && o.Elsewhere == nil
}

// Result is what an audit found.
type Result struct {
	// Findings are neither sorted nor located nor fingerprinted.
	Findings []schema.Finding
	Pools    int
	Copies   int
	// Files is how many different files were read, and Formats how many of each format.
	Files   int
	Formats map[string]int
	Sides   map[schema.Side]int
	Rules   int
	Skipped []load.Skip
	Groups  []*reconcile.Group
	// Moments are the times, in no order, at which the same tree is judged differently from before.
	Moments []time.Time
	// Unbound are sections of documents that no known pool claims.
	Unbound []*schema.Copy
	Orders  map[string]*schema.ChangeOrder
}

// Audit judges what was loaded. The problems of the manifest itself come with it.
func Audit(ctx context.Context, m *schema.Manifest, manifest []schema.Problem, l *load.Loaded, o Options) (*Result, error) {
	return Prepare(m, manifest, l, o).Judge(ctx, nil)
}

// Prepared is a loaded tree whose copies are paired and not yet judged.
type Prepared struct {
	// Groups are the pools of the tree.
	Groups []*reconcile.Group

	run      *rules.Run
	manifest []schema.Problem
	options  Options
	result   *Result
}

// Prepare pairs the copies of a loaded tree. It changes them, so that a tree can be prepared once only.
func Prepare(m *schema.Manifest, manifest []schema.Problem, l *load.Loaded, o Options) *Prepared {
	run := &rules.Run{Manifest: m, Loaded: l, Now: o.Now, Full: o.full(), Whole: o.Elsewhere == nil && o.Touched == nil, Known: rules.Known(o.Rules), Orders: map[string]*schema.ChangeOrder{}, Sides: map[schema.Side]bool{}}
	res := &Result{Sides: map[schema.Side]int{}, Orders: run.Orders, Skipped: l.Skipped}
	res.Files, res.Formats = filesOf(l)
	for _, s := range m.Sources {
		run.Sides[s.Side] = true
	}
	var copies []*schema.Copy
	for _, f := range l.Files {
		for i := range f.Result.Copies {
			copies = append(copies, &f.Result.Copies[i])
		}
		for i := range f.Result.Orders {
			order := &f.Result.Orders[i]
			run.Orders[order.File] = order
		}
	}
	run.Pairing = reconcile.PairAmong(copies, m, l.Unpack, o.Elsewhere)
	res.Groups, res.Unbound = run.Pairing.Groups, run.Pairing.Unbound
	return &Prepared{Groups: res.Groups, run: run, manifest: manifest, options: o, result: res}
}

// Judge runs the rules and weighs what they find. wants, if not nil, chooses the pools in place of Options.Touched, which
// then limits what concerns whole files only; a run limited like that is not a full one.
func (p *Prepared) Judge(ctx context.Context, wants func(*reconcile.Group) bool) (*Result, error) {
	return p.JudgeBut(ctx, wants, nil)
}

// JudgeBut is Judge for those who know already what is wrong with some pools: these are passed over, and the run is as
// full as it would be. That an exception covers nothing may then be said of one that covers what is known.
func (p *Prepared) JudgeBut(ctx context.Context, wants, known func(*reconcile.Group) bool) (*Result, error) {
	run, res, o := p.run, p.result, p.options
	run.Full, run.Whole = run.Full && wants == nil, run.Whole && wants == nil
	o.Pools = PoolNames(p.Groups, o.Pools)
	w := newWeigher(run.Manifest, &o)
	w.further, w.known = wants, known
	w.strays(run)
	findings, err := judgePools(ctx, run, w, o)
	if err != nil {
		return nil, err
	}
	findings = append(findings, w.files(run)...)
	findings = append(findings, w.manifestProblems(run, p.manifest)...)
	findings = append(findings, w.runRules(p.own())...)
	findings = unique(findings)
	marks := w.markers(run, &findings)
	w.except(run, marks, &findings)
	res.Findings = w.weigh(findings, run)

	p.count(w)
	res.Moments = moments(run)
	return res, nil
}

// count says how many pools are asked for, and how many copies there are.
func (p *Prepared) count(w *weigher) {
	counted := map[*schema.Copy]bool{}
	for _, g := range p.Groups {
		if w.wants(g) {
			p.result.Pools++
		}
		for _, c := range g.Copies {
			if !counted[c] {
				counted[c] = true
				p.result.Copies++
				p.result.Sides[c.Side]++
			}
		}
	}
	p.result.Rules = len(p.options.Rules)
}

// own is the run as rules about the manifest see it.
func (p *Prepared) own() *rules.Run {
	run, own := p.run, p.options.Own
	if own == nil {
		return run
	}
	m := *own
	m.Sources = run.Manifest.Sources // by which the files were read
	return &rules.Run{Manifest: &m, Loaded: run.Loaded, Pairing: run.Pairing.Under(&m), Orders: run.Orders, Now: run.Now,
		Full: run.Full, Whole: run.Whole, Known: run.Known, Sides: run.Sides}
}

// judgePools runs the pool and copy rules on every group, several groups at once; findings keep the groups' order.
func judgePools(ctx context.Context, run *rules.Run, w *weigher, o Options) ([]schema.Finding, error) {
	groups := run.Pairing.Groups
	const chunk = 64
	found := make([][]schema.Finding, (len(groups)+chunk-1)/chunk)
	table := &truth.Table{Manifest: run.Manifest, Orders: run.Orders, Now: run.Now}
	err := parallel.Do(ctx, o.Workers, len(found), func(i int) {
		for _, g := range groups[i*chunk : min((i+1)*chunk, len(groups))] {
			if w.wants(g) && (w.known == nil || !w.known(g)) {
				found[i] = append(found[i], judge(whole(g, run.Loaded), table, run, w)...)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return slices.Concat(found...), nil
}

// judge runs the rules on one pool. The pool is built, judged and let go, so that memory follows the work in flight.
func judge(g *reconcile.Group, table *truth.Table, run *rules.Run, w *weigher) []schema.Finding {
	p := rules.Build(g, table, run)
	var r rules.Reporter
	for i := range w.options.Rules {
		rule := &w.options.Rules[i]
		if rule.FullOnly && !run.Full && !w.options.Entire {
			continue
		}
		r.For(rule, p)
		switch {
		case rule.Pool != nil:
			rule.Pool(p, &r)
		case rule.Copy != nil:
			for _, c := range p.Copies {
				rule.Copy(c, &r)
			}
		}
	}
	for _, c := range p.Copies {
		w.problems(p, c.Copy, &r)
	}
	return r.Findings()
}

// whole returns a group with its copies unpacked. They live as long as the group is judged.
func whole(g *reconcile.Group, l *load.Loaded) *reconcile.Group {
	w := *g
	w.Copies = make([]*schema.Copy, len(g.Copies))
	for i, c := range g.Copies {
		w.Copies[i] = l.Whole(c)
	}
	return &w
}
