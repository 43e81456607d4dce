package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	order "github.com/poolproof/poolproof/cmd/poolproof/change"
	"github.com/poolproof/poolproof/cmd/poolproof/drill"
	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/policy/change"
	"github.com/poolproof/poolproof/policy/evidence"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// makeFolder makes the folder of a file that is about to be written.
func makeFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("making the folder %s: %w", dir, bare(err))
	}
	return nil
}

// shownFile is the name of a file for people: from the current folder, if it is below it.
func shownFile(name string) string {
	if cwd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(cwd, name); err == nil && !strings.HasPrefix(rel, "..") {
			name = rel
		}
	}
	return report.Shown(filepath.ToSlash(name))
}

// compose writes the text of the order. The change is judged twice: as it is, which gives what it does, and with the order
// as if it were filled in, which gives what is still owed and what its drill is played with.
func (w *orderDraft) compose(ctx context.Context, c *change.Change) (text []byte, err error) {
	if w.old != nil {
		w.written[w.path] = w.old
		if c, err = w.judgeWith(ctx); err != nil {
			return nil, err
		}
	}
	pools := evidence.Pools(w.changeOptions(c), w.path)
	if len(pools) == 0 {
		return nil, w.o.noOrder(schema.Textf("the change alters no pool", "本次变更未改变任何池"))
	}
	if err := w.freeze(c, pools); err != nil {
		return nil, err
	}
	w.fillIn(pools, nil)
	moment := w.effective
	if moment.IsZero() {
		moment = w.request.now
	}
	filled := func() ([]byte, error) {
		text, err := w.order.Render(w.old, w.body)
		if err != nil {
			return nil, w.cannot(err)
		}
		return order.Fill(text, moment.Format(time.RFC3339)), nil
	}
	if text, err = filled(); err != nil {
		return nil, err
	}
	for pool, digest := range order.RampDigests(text) { // what is frozen is what counts
		for i := range w.order.Items {
			if x := &w.order.Items[i]; x.Item == "ramp" && reconcile.Key(pool) == reconcile.Key(x.Pool) {
				x.After = digest
			}
		}
	}
	if w.written[w.path], err = filled(); err != nil {
		return nil, err
	}
	if c, err = w.judgeWith(ctx); err != nil {
		return nil, err
	}
	w.fillIn(evidence.Pools(w.changeOptions(c), w.path), c.Evidence.Obligations)
	if err := w.play(ctx, c, moment); err != nil {
		return nil, err
	}
	if text, err = w.order.Render(w.old, w.body); err != nil {
		return nil, w.cannot(err)
	}
	return text, nil
}

func (w *orderDraft) cannot(err error) error {
	return notChecked("the order cannot be written: %w", err)
}

// fillIn writes down what the change does and, where it is known, what it owes.
func (w *orderDraft) fillIn(pools []evidence.PoolChange, debts []evidence.Obligation) {
	w.order.Pools, w.order.Items, w.order.Settings = factsOf(pools)
	w.order.Debts = nil
	for _, d := range debts {
		if d.Owes == schema.Order || !slices.Contains(w.order.Pools, d.Pool) {
			continue
		}
		w.order.Debts = append(w.order.Debts, order.Debt{Pool: d.Pool, Env: d.Env, Item: d.Item, Side: string(d.Owes), File: d.File, PaidBy: d.PaidBy, Ref: d.Ref})
	}
	for i := range w.order.Items {
		x := &w.order.Items[i]
		for _, d := range debts {
			whole := d.Item == "pool" && x.Before[d.Owes] != "" && x.Before[d.Owes] != "absent"
			if d.Pool != x.Pool || d.Env != x.Env || d.Owes == schema.Order || d.Item != x.Item && !whole {
				continue
			}
			switch d.PaidBy {
			case "":
				if x.Owed == nil {
					x.Owed = map[schema.Side]string{}
				}
				x.Owed[d.Owes] = or(x.Owed[d.Owes], d.File)
			case "tree":
				if !w.foreign(d.File) {
					x.Aligned = append(x.Aligned, d.Owes)
				}
			}
		}
	}
}

// foreign reports whether a file stands in another repository, and is no part of this change.
func (w *orderDraft) foreign(file string) bool {
	return w.others != nil && slices.ContainsFunc(w.others.manifest.Sources, func(s schema.Source) bool {
		return s.Repo != "" && strings.HasPrefix(file, strings.TrimRight(s.Repo, "/")+"/")
	})
}

// factsOf says what a change does, in the terms of an order.
func factsOf(pools []evidence.PoolChange) (names []string, items []order.Item, settings []order.Setting) {
	for i := range pools {
		p := &pools[i]
		names = append(names, p.Pool)
		switch {
		case p.Gone:
			items = append(items, order.Item{Pool: p.Pool, Env: p.Env, Item: "pool", After: "absent"})
		case p.New:
			items = append(items, order.Item{Pool: p.Pool, Env: p.Env, Item: "pool"})
		}
		for _, x := range p.Items {
			if !p.Gone {
				items = append(items, order.Item{Pool: p.Pool, Env: p.Env, Item: x.Item.String(), Before: x.Before, After: x.After})
			}
		}
		for _, x := range p.Copies {
			settings = append(settings, settingsOf(p, &x)...)
		}
	}
	return uniqueSorted(names), items, settings
}

// settingsOf lists the settings of a copy that the change alters.
func settingsOf(p *evidence.PoolChange, x *evidence.CopyChange) []order.Setting {
	base, head := x.Base, x.Head
	file := ""
	for _, c := range []*schema.Copy{base, head} {
		if c != nil {
			file = c.File()
		}
	}
	if base == nil {
		base = &schema.Copy{}
	}
	if head == nil {
		head = &schema.Copy{}
	}
	var out []order.Setting
	add := func(name, before, after string) {
		out = append(out, order.Setting{Pool: p.Pool, Env: p.Env, Side: string(x.Side), File: file, Name: name, Before: report.Shown(before), After: report.Shown(after)})
	}
	for _, s := range drill.Changes(base, head) {
		add(s.Path, s.Base, s.Head)
	}
	if !base.Effective.Equal(head.Effective) {
		at := func(t time.Time) string {
			if t.IsZero() {
				return ""
			}
			return t.Format(time.RFC3339)
		}
		add("effective", at(base.Effective), at(head.Effective))
	}
	return out
}

// freeze finds the ramps that the order freezes: of pools whose ramp changes, that of the copy that is nearest to where
// traffic goes; of --ramp-from, that of the file.
func (w *orderDraft) freeze(c *change.Change, pools []evidence.PoolChange) error {
	known := order.Known{}
	if w.old != nil {
		known, _ = order.Read(w.old)
	}
	has := func(pool string) bool {
		return slices.ContainsFunc(known.Ramps, func(name string) bool { return reconcile.Key(name) == reconcile.Key(pool) })
	}
	from, found := w.flags.rampFrom, false
	if from != "" {
		path, ok := w.inTree(from)
		if !ok {
			return usage("--ramp-from %s is not in the repository", from)
		}
		if _, ok := w.head.ID(path); !ok {
			path = filepath.ToSlash(filepath.Clean(from))
		}
		from = path
	}
	for i := range pools {
		p := &pools[i]
		moved := slices.ContainsFunc(p.Items, func(x evidence.ItemChange) bool { return x.Item == schema.Ramp })
		for _, x := range p.Copies {
			if x.Head == nil || !x.Head.States(schema.Ramp) || slices.ContainsFunc(w.order.Ramps, func(r order.Ramp) bool { return r.Pool == p.Pool }) {
				continue
			}
			if from != "" {
				if x.Head.File() == from {
					found = true
					w.order.Ramps = append(w.order.Ramps, order.Ramp{Pool: p.Pool, Copy: w.carried(c, p, x.Head), Anew: true})
				}
				continue
			}
			changed := x.Base == nil || schema.Digest(x.Base, schema.Ramp) != schema.Digest(x.Head, schema.Ramp)
			if moved && changed && len(x.Head.Batches) > 0 && !has(p.Pool) {
				w.order.Ramps = append(w.order.Ramps, order.Ramp{Pool: p.Pool, Copy: w.carried(c, p, x.Head)})
			}
		}
	}
	if from != "" && !found {
		return usage("--ramp-from %s: no copy in it states the ramp of a pool that the change alters", from)
	}
	return nil
}

// carried is a ramp with what the order in force says and the copy does not: when it stops, what happens then, and what else
// belongs to a ramp. Who freezes other batches does not thereby watch nothing.
func (w *orderDraft) carried(c *change.Change, p *evidence.PoolChange, ramp *schema.Copy) *schema.Copy {
	var inForce *schema.Copy
	for _, g := range c.Head.Audit.Groups {
		if g.Pool == p.Pool && g.Env == p.Env {
			inForce = evidence.PoolAt(headTree(c), c.Head.Manifest, w.request.now, g).Rows[schema.Ramp].Copy
		}
	}
	if inForce == nil || inForce.Side != schema.Order || inForce.File() == w.path {
		return ramp
	}
	own := *ramp
	own.Fields = slices.Clone(ramp.Fields)
	if len(own.Stops) == 0 {
		own.Stops = inForce.Stops
	}
	_, rollsBack := own.Get("ramp.rollback.to")
	for _, f := range inForce.Fields {
		switch f.Path {
		case "ramp.rollback.to", "ramp.rollback.cooldown":
			if rollsBack {
				continue
			}
		case "ramp.suspendAfter", "ramp.lowSample", "ramp.window":
		default:
			continue
		}
		if _, said := own.Get(f.Path); !said {
			own.Set(f.Path, f.Value, f.At)
		}
	}
	return &own
}

// play fills in the drill: of what head has of the pools, with the order's own ramp.
func (w *orderDraft) play(ctx context.Context, c *change.Change, at time.Time) error {
	results, err := w.playDrill(ctx, c, w.order.Pools, at, w.flags.seeds)
	if err != nil || len(results) == 0 {
		return err
	}
	w.order.Drill = &schema.Drill{
		Command: drillCommand(w.order.Pools, w.effective, w.flags.seeds), Tool: "poolproof " + version(), Seeds: w.flags.seeds,
		Config:  evidence.Settings(headTree(c), c.Head.Manifest, w.request.now, w.order.Pools, w.path),
		Results: results,
	}
	return nil
}
