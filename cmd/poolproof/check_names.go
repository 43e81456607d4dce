package main

import (
	"context"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/policy/audit"
	"github.com/poolproof/poolproof/policy/change"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/all"
	"github.com/poolproof/poolproof/sources/load"
)

// noSuchName says which name of --pool and --env is that of nothing before or after a change; nil if all are known. Of a
// change, only what its files touch is read; where a name is not among that, both ends are read whole.
func (s *span) noSuchName(ctx context.Context, c *change.Change) (*schema.Text, error) {
	if s.o.poolEnv == "" && len(s.o.pools) == 0 {
		return nil, nil
	}
	m := &schema.Manifest{}
	m.Sources = append(append(m.Sources, c.Head.Manifest.Sources...), c.Base.Manifest.Sources...)
	var known audit.Result
	add := func(groups []*reconcile.Group) { known.Groups = append(known.Groups, groups...) }
	missing := func() *schema.Text {
		if text := s.o.noSuchEnv(m, &known); text != nil {
			return text
		}
		return s.o.noSuchPool(known.Groups)
	}
	add(c.Head.Audit.Groups)
	add(c.Base.Audit.Groups)
	if missing() == nil {
		return nil, nil
	}
	for _, e := range []*change.End{&c.Head, &c.Base} {
		l, err := load.Load(ctx, e.Tree, e.Manifest, load.Options{Adapters: all.Adapters()})
		if err != nil {
			return nil, notChecked("reading the copies: %w", err)
		}
		add(audit.Prepare(e.Manifest, nil, l, audit.Options{}).Groups)
	}
	if len(known.Groups) == 0 {
		return nil, nil // that there is nothing at all is said elsewhere
	}
	return missing(), nil
}

// unread says of which sides the manifest of the head names sources and not one file is there.
func (s *span) unread(sum *report.Summary, c *change.Change) []schema.Text {
	whole := true
	for i := range c.Head.Manifest.Sources {
		whole = whole && c.Head.Totals.Sides[c.Head.Manifest.Sources[i].Side] > 0
	}
	if whole {
		return nil
	}
	l, err := load.List(c.Head.Tree, c.Head.Manifest, load.Options{Adapters: all.Adapters()})
	if err != nil {
		return nil // it was listed before, so that this is not news
	}
	return unread(sum, c.Head.Manifest, l)
}
