package change

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/policy/audit"
	"github.com/poolproof/poolproof/policy/evidence"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// judge audits both ends and asks what the change owes.
func (c *Change) judge(ctx context.Context, o Options, u *evidence.Union, others evidence.Repositories) error {
	touched := c.prepare(&o, u)
	if c.Whole == nil && c.lonely(touched) {
		if err := c.readEntire(ctx, o); err != nil {
			return fmt.Errorf("reading the copies: %w", err)
		}
		touched = c.prepare(&o, u)
	}
	if o.Read != nil {
		o.Read()
	}
	files := c.Changed
	if c.Whole != nil {
		files = nil
	}
	var wants func(*reconcile.Group) bool
	if files != nil {
		wants = func(g *reconcile.Group) bool { return touched[poolOf(g)] }
	}
	for _, e := range []*End{&c.Base, &c.Head} {
		var err error
		if e.Audit, err = e.prepared.Judge(ctx, wants); err != nil {
			return err
		}
	}
	var err error
	c.Evidence, err = evidence.Judge(ctx, evidence.Options{
		Union: u,
		Base:  evidence.Tree{Revision: c.Base.Tree.Revision(), Loaded: c.Base.Loaded, Audit: c.Base.Audit},
		Head:  evidence.Tree{Revision: c.Head.Tree.Revision(), Loaded: c.Head.Loaded, Audit: c.Head.Audit},
		Rules: o.Rules, Now: o.Now, Changed: files, PullRequest: o.PullRequest, Repositories: others,
		Pools: audit.PoolNames(slices.Concat(c.Head.prepared.Groups, c.Base.prepared.Groups), o.Pools), RuleNames: o.RuleNames, Env: o.Env,
	})
	if err != nil {
		return err
	}
	for _, e := range []*End{&c.Base, &c.Head} {
		for i := range e.Audit.Findings {
			// Exceptions are those of the base.
			if at := &e.Audit.Findings[i].At; at.File == c.Base.File && at.File != "" && strings.HasPrefix(e.Audit.Findings[i].Rule, "exception/") {
				at.Revision = c.Base.Tree.Revision()
			}
		}
	}
	for i := range c.Head.Audit.Findings {
		c.Evidence.Ahead(&c.Head.Audit.Findings[i])
	}
	c.Evidence.Status(c.Base.Audit.Findings, c.Head.Audit.Findings)
	c.Touched = c.Evidence.Touched
	c.Findings = append(c.Head.Audit.Findings, c.Evidence.Findings...)
	return nil
}

// prepare pairs the copies of both ends, and returns the pools that the changed files hold copies of.
func (c *Change) prepare(o *Options, u *evidence.Union) map[evidence.Pool]bool {
	files := c.Changed
	if c.Whole != nil {
		files = nil
	}
	touched := map[evidence.Pool]bool{}
	for _, e := range []*End{&c.Base, &c.Head} {
		u.Settle(e.Loaded)
		options := audit.Options{
			Rules: visiting(o, e == &c.Head), Now: o.Now, Pools: o.Pools, RuleNames: o.RuleNames, Env: o.Env, Touched: files, Elsewhere: e.known, Entire: c.entire, Workers: o.Load.Workers,
		}
		if e == &c.Head && !u.First {
			grants := evidence.GrantsOf(c.Base.Loaded)
			options.Granted, options.Marked = grants.Granted, grants.Marked
		}
		e.prepared = audit.Prepare(e.Manifest, e.problems, e.Loaded, options)
		for _, g := range e.prepared.Groups {
			if holds(g, files) {
				touched[poolOf(g)] = true
			}
		}
	}
	return touched
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
	return slices.ContainsFunc(c.Head.prepared.Groups, func(g *reconcile.Group) bool {
		return pools[poolOf(g)] && slices.ContainsFunc(sides, func(side schema.Side) bool {
			return !slices.ContainsFunc(g.Copies, func(x *schema.Copy) bool { return x.Side == side })
		})
	})
}

// visiting returns the rules, of which one visits the pools of an end.
func visiting(o *Options, head bool) []rules.Rule {
	if o.Visit == nil {
		return o.Rules
	}
	list := slices.Clone(o.Rules)
	for i := range list {
		if list[i].ID == o.Visited {
			list[i].Pool = func(p *rules.Pool, r *rules.Reporter) { o.Visit(head, p, r) }
		}
	}
	return list
}

// poolOf names the pool of a group in the way in which both ends name it alike.
func poolOf(g *reconcile.Group) evidence.Pool {
	return evidence.Pool{Env: g.Env, Name: reconcile.Key(g.Pool)}
}

func holds(g *reconcile.Group, files map[string]bool) bool {
	for _, c := range g.Copies {
		for _, f := range c.Files {
			if files[f] {
				return true
			}
		}
	}
	return false
}
