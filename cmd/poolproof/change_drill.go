package main

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/policy/change"
	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/policy/dryrun/acceptance"
	"github.com/poolproof/poolproof/policy/evidence"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// headTree is the head of a change as evidence takes it.
func headTree(c *change.Change) evidence.Tree {
	return evidence.Tree{Revision: c.Head.Tree.Revision(), Loaded: c.Head.Loaded, Audit: c.Head.Audit}
}

// changeOptions are what evidence judged a change by.
func (d *dispute) changeOptions(c *change.Change) evidence.Options {
	return evidence.Options{
		Union: &evidence.Union{Base: c.Base.Manifest, Head: c.Head.Manifest},
		Base:  evidence.Tree{Revision: c.Base.Tree.Revision(), Loaded: c.Base.Loaded, Audit: c.Base.Audit},
		Head:  headTree(c),
		Rules: d.request.rules, Now: d.request.now, Changed: c.Changed, Entire: c.Full, Pools: d.o.pools, Env: d.o.poolEnv,
	}
}

// groupsOf are the pools of head that one of the names means, by name and environment.
func groupsOf(c *change.Change, names []string) []*reconcile.Group {
	var out []*reconcile.Group
	for _, g := range c.Head.Audit.Groups {
		if slices.ContainsFunc(names, func(n string) bool { return calledBy(g, n) }) {
			out = append(out, g)
		}
	}
	slices.SortStableFunc(out, func(a, b *reconcile.Group) int {
		if c := strings.Compare(a.Pool, b.Pool); c != 0 {
			return c
		}
		return strings.Compare(a.Env, b.Env)
	})
	return out
}

// calledBy reports whether change orders mean a pool by a name.
func calledBy(g *reconcile.Group, name string) bool {
	if reconcile.Key(name) == reconcile.Key(g.Pool) {
		return true
	}
	return g.Entry != nil && slices.ContainsFunc(g.Entry.Names[schema.Order], func(n string) bool {
		return reconcile.Key(strings.ReplaceAll(n, "{env}", g.Env)) == reconcile.Key(name)
	})
}

// playDrill plays the acceptance cases of pools of head as they are at a moment, with the orders that are in force then.
// Where several pools are played, their names stand before the cases.
func (d *dispute) playDrill(ctx context.Context, c *change.Change, names []string, at time.Time, seeds int) ([]schema.DrillResult, error) {
	groups := groupsOf(c, names)
	progress := d.o.progress("playing")
	progress.unit = "cases"
	defer progress.done()
	done := 0
	var out []schema.DrillResult
	for _, g := range groups {
		player := &dry{o: d.o, flags: &dryrunFlags{seeds: seeds}, request: d.request, step: func() {}}
		a := player.actor(&stage{builtin: true, w: &workspace{}}, evidence.PoolAt(headTree(c), c.Head.Manifest, at, g), true)
		prefix := ""
		if len(groups) > 1 {
			if prefix = g.Pool + ": "; g.Env != "" {
				prefix = g.Env + "/" + prefix
			}
		}
		for _, id := range acceptance.IDs() {
			r := schema.DrillResult{ID: prefix + id, Pass: "not-applicable"}
			if a == nil {
				r.Observed = "not played"
				if len(player.skipped) > 0 {
					r.Observed += ": " + player.skipped[0].Why.En
				}
			} else {
				out := a.cases(seeds).Play(ctx, id)
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				switch r.Observed = out.Observed.En; out.Pass {
				case dryrun.Held:
					r.Pass = "true"
				case dryrun.Failed:
					r.Pass = "false"
				}
			}
			out = append(out, r)
			done++
			progress.set(done, len(groups)*len(acceptance.IDs()))
		}
	}
	return out, nil
}

// drillCommand is the command line that plays the drill of pools again.
func drillCommand(names []string, at time.Time, seeds int) string {
	words := []string{"poolproof", "dryrun"}
	for _, n := range names {
		words = append(words, "--pool", shellWord(n))
	}
	var areas []string
	for _, id := range acceptance.IDs() {
		area, _, _ := strings.Cut(id, "/")
		if !slices.Contains(areas, area) {
			areas = append(areas, area)
			words = append(words, "--scenario", shellWord(area+"/*"))
		}
	}
	words = append(words, "--seeds", strconv.Itoa(seeds))
	if !at.IsZero() {
		words = append(words, "--now", at.Format(time.RFC3339))
	}
	return strings.Join(words, " ")
}

// shellWord quotes a word for a shell, where it needs that.
func shellWord(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:+,@") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
