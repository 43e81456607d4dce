package change

import (
	"context"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/policy/audit"
	"github.com/poolproof/poolproof/policy/evidence"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/reconcile"
)

// judge audits both ends and asks what the change owes.
func (c *Change) judge(ctx context.Context, o Options, u *evidence.Union, others evidence.Repositories) error {
	files := c.Changed
	if c.Whole != nil {
		files = nil
	}
	for _, e := range []*End{&c.Base, &c.Head} {
		u.Settle(e.Loaded)
		options := audit.Options{
			Rules: visiting(&o, e == &c.Head), Now: o.Now, Pools: o.Pools, RuleNames: o.RuleNames, Env: o.Env, Touched: files, Elsewhere: e.known, Workers: o.Load.Workers,
		}
		if e == &c.Head && !u.First {
			grants := evidence.GrantsOf(c.Base.Loaded)
			options.Granted, options.Marked = grants.Granted, grants.Marked
		}
		e.prepared = audit.Prepare(e.Manifest, e.problems, e.Loaded, options)
	}
	var wants func(*reconcile.Group) bool
	if files != nil {
		touched := map[evidence.Pool]bool{}
		for _, e := range []*End{&c.Base, &c.Head} {
			for _, g := range e.prepared.Groups {
				if holds(g, files) {
					touched[poolOf(g)] = true
				}
			}
		}
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
