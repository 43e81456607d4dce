package change

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/poolproof/poolproof/policy/audit"
	"github.com/poolproof/poolproof/policy/evidence"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// judge audits both ends and asks what the change owes.
func (c *Change) judge(ctx context.Context, o Options, u *evidence.Union, others evidence.Repositories) error {
	touched := c.prepare(&o, u)
	if !c.Full && c.lonely(touched) {
		if err := c.readEntire(ctx, o); err != nil {
			return fmt.Errorf("reading the copies: %w", err)
		}
		touched = c.prepare(&o, u)
	}
	for _, e := range []*End{&c.Base, &c.Head} {
		e.list, e.ids = nil, nil // only reading needs them
	}
	o.trim()
	if o.Read != nil {
		o.Read()
	}
	var wants func(*reconcile.Group) bool
	if c.Whole == nil {
		wants = func(g *reconcile.Group) bool { return touched[poolOf(g)] }
	}
	var err error
	if c.Head.Audit, err = c.Head.prepared.Judge(ctx, wants); err != nil {
		return err
	}
	// What is found of other pools than those that the change touches is found at both ends.
	if c.Base.Audit, err = c.Base.prepared.JudgeBut(ctx, wants, func(g *reconcile.Group) bool { return !touched[poolOf(g)] }); err != nil {
		return err
	}
	if c.Full {
		for _, e := range []*End{&c.Base, &c.Head} {
			e.Totals.Sides = e.Audit.Sides
		}
	}
	c.Evidence, err = evidence.Judge(ctx, evidence.Options{
		Union: u,
		Base:  evidence.Tree{Revision: c.Base.Tree.Revision(), Loaded: c.Base.Loaded, Audit: c.Base.Audit},
		Head:  evidence.Tree{Revision: c.Head.Tree.Revision(), Loaded: c.Head.Loaded, Audit: c.Head.Audit},
		Rules: o.Rules, Now: o.Now, Changed: c.Changed, Entire: c.Full, PullRequest: o.PullRequest, Repositories: others,
		Pools: audit.PoolNames(slices.Concat(c.Head.prepared.Groups, c.Base.prepared.Groups), o.Pools), RuleNames: o.RuleNames, Env: o.Env,
	})
	if err != nil {
		return err
	}
	for i := range c.Head.Audit.Findings {
		f := &c.Head.Audit.Findings[i]
		if c.Head.File == "" && f.At.File == c.Base.File && f.At.File != "" {
			f.At.Revision = c.Base.Tree.Revision() // the head has no manifest
		}
		c.Evidence.Ahead(f)
	}
	c.Evidence.Status(c.Base.Audit.Findings, c.Head.Audit.Findings, c.lasting(touched))
	c.Touched = c.Evidence.Touched
	c.Findings = append(c.Head.Audit.Findings, c.Evidence.Findings...)
	return nil
}

// lasting returns what reports whether a finding of the head is about a pool that the change does not touch. Its place is in
// a copy of the pool then; problems of whole files may name such a pool too, and are asked for at both ends.
func (c *Change) lasting(touched map[evidence.Pool]bool) func(*schema.Finding) bool {
	pools := map[evidence.Pool]bool{}
	for _, g := range c.Head.prepared.Groups {
		if !touched[poolOf(g)] {
			pools[evidence.Pool{Env: g.Env, Name: g.Pool}] = true
		}
	}
	return func(f *schema.Finding) bool {
		return f.At.Side != "" && pools[evidence.Pool{Env: f.Env, Name: f.Pool}] && !c.Changed[f.At.File]
	}
}

// prepare pairs the copies of both ends, and returns the pools that the change touches: those that the changed files hold
// copies of, and, where everything is looked at, those that are put together in another way.
func (c *Change) prepare(o *Options, u *evidence.Union) map[evidence.Pool]bool {
	files := c.Changed
	if c.Whole != nil {
		files = nil
	}
	touched := map[evidence.Pool]bool{}
	for _, e := range []*End{&c.Base, &c.Head} {
		u.Settle(e.Loaded, e == &c.Head)
		options := audit.Options{
			Rules: c.visiting(o, e == &c.Head, touched), Now: o.Now, Pools: o.Pools, RuleNames: o.RuleNames, Env: o.Env, Touched: files, Elsewhere: e.known, Entire: c.entire || c.Full, Reported: named(touched), Own: c.ownOf(e), Workers: o.Load.Workers,
		}
		if e == &c.Head && !u.First {
			grants := evidence.GrantsOf(c.Base.Loaded)
			options.Granted, options.Marked = grants.Granted, grants.Marked
		}
		e.prepared = audit.Prepare(e.Manifest, e.problems, e.Loaded, options)
		for _, g := range e.prepared.Groups {
			if g.In(c.Changed) {
				touched[poolOf(g)] = true
			}
		}
	}
	if c.Full {
		c.rearranged(touched)
	} else {
		c.comeAndGone(touched)
	}
	return touched
}

// comeAndGone adds those groups of a touched pool that only one end has: copies that belong to every environment make one of
// their own where no other copy says an environment.
func (c *Change) comeAndGone(touched map[evidence.Pool]bool) {
	names := map[string]bool{}
	for p := range touched {
		names[p.Name] = true
	}
	ends := map[evidence.Pool]int{}
	for _, e := range []*End{&c.Base, &c.Head} {
		for _, g := range e.prepared.Groups {
			if p := poolOf(g); names[p.Name] {
				ends[p]++
			}
		}
	}
	for p, n := range ends {
		if n == 1 {
			touched[p] = true
		}
	}
}

// rearranged adds the pools that consist of other copies than before, or of such that say something else though their
// files are the same.
func (c *Change) rearranged(touched map[evidence.Pool]bool) {
	before := map[evidence.Pool]*reconcile.Group{}
	for _, g := range c.Base.prepared.Groups {
		before[poolOf(g)] = g
	}
	same := func(h, b *schema.Copy) bool { return c.Head.Loaded.Same(h, c.Base.Loaded, b) }
	for _, g := range c.Head.prepared.Groups {
		p := poolOf(g)
		if !g.Alike(before[p], same) {
			touched[p] = true
		}
		delete(before, p)
	}
	for p := range before {
		touched[p] = true
	}
}

// ownOf returns the manifest of an end, nil where that is the one it is judged by, or where there is none.
func (c *Change) ownOf(e *End) *schema.Manifest {
	if c.Whole == nil || e.File == "" {
		return nil
	}
	return e.own
}

// lonely reports whether a side of the manifest lacks one of some pools. Whether it has the pool under another name, only the
// whole tree tells.
func (c *Change) lonely(pools map[evidence.Pool]bool) bool {
	var sides []schema.Side
	for i := range c.Head.Manifest.Sources {
		if side := c.Head.Manifest.Sources[i].Side; side != schema.Order && !slices.Contains(sides, side) {
			sides = append(sides, side)
		}
	}
	has := map[evidence.Pool]bool{}
	for _, g := range c.Head.prepared.Groups {
		has[poolOf(g)] = true
	}
	if slices.ContainsFunc(c.Base.prepared.Groups, func(g *reconcile.Group) bool { return pools[poolOf(g)] && !has[poolOf(g)] && g.Entry != nil }) {
		return true // perhaps only the manifest still speaks of it
	}
	return slices.ContainsFunc(c.Head.prepared.Groups, func(g *reconcile.Group) bool {
		return pools[poolOf(g)] && slices.ContainsFunc(sides, func(side schema.Side) bool {
			return !slices.ContainsFunc(g.Copies, func(x *schema.Copy) bool { return x.Side == side })
		})
	})
}

// visiting returns the rules, of which one visits the pools of an end that the change touches.
func (c *Change) visiting(o *Options, head bool, touched map[evidence.Pool]bool) []rules.Rule {
	if o.Visit == nil {
		return o.Rules
	}
	list := slices.Clone(o.Rules)
	for i := range list {
		if list[i].ID == o.Visited {
			list[i].Pool = func(p *rules.Pool, r *rules.Reporter) {
				if touched[poolOf(p.Group)] {
					o.Visit(head, p, r)
				}
			}
		}
	}
	return list
}

// named reports whether a name is that of one of some pools.
func named(pools map[evidence.Pool]bool) func(string) bool {
	names := sync.OnceValue(func() map[string]bool {
		names := make(map[string]bool, len(pools))
		for p := range pools {
			names[p.Name] = true
		}
		return names
	})
	return func(pool string) bool { return names()[reconcile.Key(pool)] }
}

// poolOf names the pool of a group in the way in which both ends name it alike.
func poolOf(g *reconcile.Group) evidence.Pool {
	return evidence.Pool{Env: g.Env, Name: reconcile.Key(g.Pool)}
}
