// Package truth is the source-of-truth table: for each item of a pool, which copy counts, and by which row.
//
//	members   the gateway decides where traffic really goes
//	probe     the side that executes it
//	cooldown  the gateway's switch controller
//	ramp      the version frozen in the drill and change order
//
// A manifest can override a row for a pool, with a reason.
package truth

import (
	"fmt"
	"path"
	"slices"
	"time"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// Row is the verdict of the table for one item of one pool.
type Row struct {
	Item schema.Item
	// Side is where the truth lives; empty where nobody can say (two executors, an executor outside the copies).
	Side schema.Side
	// Copy is the copy that counts, nil if the truth's side does not state the item.
	Copy *schema.Copy
	// All are the copies of the truth's side that state the item; Copy is one of them.
	All []*schema.Copy
	// Name is the row as reports cite it: "members: gateway".
	Name string
	// Reason is the manifest's reason where it overrides the table.
	Reason string
	// Chosen: the manifest names the copy, so others of the side are not its rivals.
	Chosen bool
	// Executors are the sides that state a probe although none was named; only for probe, only if there are several.
	Executors []schema.Side
	// Executor is who runs the probe: a side, or a named prober outside the copies.
	Executor string
}

// Table decides items of pools.
type Table struct {
	Manifest *schema.Manifest
	// Orders are the change orders by file.
	Orders map[string]*schema.ChangeOrder
	// Now decides which orders are in force.
	Now time.Time
}

// Of returns the row for an item of a pool.
func (t *Table) Of(g *reconcile.Group, item schema.Item) Row {
	r := Row{Item: item}
	entry := t.entry(g, item)
	switch {
	case entry != nil && entry.Side == "executor", item == schema.Probe && (entry == nil || entry.Side == ""):
		t.executor(g, &r)
	case entry != nil && entry.Side != "":
		r.Side = schema.Side(entry.Side)
	case item == schema.Ramp:
		r.Side = schema.Order
	default:
		r.Side = schema.Gateway
	}
	if r.Name == "" {
		r.Name = fmt.Sprintf("%s: %s", item, r.Side)
		if item == schema.Ramp && r.Side == schema.Order {
			r.Name = "ramp: change order"
		}
	}
	if entry != nil {
		r.Reason = entry.Reason
	}
	if r.Side == "" {
		return r
	}
	for _, c := range g.Copies {
		if c.Side == r.Side && c.States(item) {
			r.All = append(r.All, c)
		}
	}
	if r.Side == schema.Order {
		r.All = t.frozen(r.All)
	}
	if item == schema.Members {
		// A list that is whole says more than one that waits for discovery.
		slices.SortStableFunc(r.All, func(a, b *schema.Copy) int { return whole(a) - whole(b) })
	}
	if len(r.All) > 0 {
		r.Copy = r.All[0]
	}
	if entry != nil && entry.Copy != "" {
		for _, c := range r.All {
			if c.File() == path.Clean(entry.Copy) {
				r.Copy, r.Chosen = c, true
			}
		}
	}
	return r
}

func whole(c *schema.Copy) int {
	if c.Complete {
		return 0
	}
	return 1
}

func (t *Table) entry(g *reconcile.Group, item schema.Item) *schema.TruthEntry {
	if g.Entry != nil {
		if e, ok := g.Entry.Truth[item]; ok {
			return &e
		}
	}
	if e, ok := t.Manifest.Defaults.Truth[item]; ok {
		return &e
	}
	return nil
}

// executor finds out who runs the probe: the manifest says so, else the copies do, else it is the only app or gateway
// side that writes one.
func (t *Table) executor(g *reconcile.Group, r *Row) {
	named := t.Manifest.Defaults.Executor
	if g.Entry != nil && g.Entry.Executor != "" {
		named = g.Entry.Executor
	}
	if named == "" {
		named = claimed(g)
	}
	if named == "" {
		for _, side := range []schema.Side{schema.Gateway, schema.App} {
			for _, c := range g.Copies {
				if _, off := c.Get("probe.off"); c.Side == side && !off && WritesProbe(c) {
					r.Executors = append(r.Executors, side)
					break
				}
			}
		}
		if len(r.Executors) == 1 {
			named, r.Executors = string(r.Executors[0]), nil
		}
	}
	r.Executor = named
	switch {
	case named == string(schema.Gateway) || named == string(schema.App):
		r.Side = schema.Side(named)
		r.Name = fmt.Sprintf("%s: the executor (%s)", r.Item, named)
	case named != "":
		r.Name = fmt.Sprintf("%s: the executor (%s)", r.Item, named)
	default:
		r.Name = fmt.Sprintf("%s: the executor", r.Item)
	}
}

// claimed returns the executor that the copies of application and gateway themselves name, "" if none does, they name
// different ones, or the named one writes no probe although another side does.
func claimed(g *reconcile.Group) string {
	named := ""
	writes := map[string]bool{}
	for _, c := range g.Copies {
		if c.Side != schema.Gateway && c.Side != schema.App {
			continue
		}
		if WritesProbe(c) {
			writes[string(c.Side)] = true
		}
		f, ok := c.Get("probe.executor")
		if !ok {
			continue
		}
		if named != "" && named != f.Value.Text() {
			return ""
		}
		named = f.Value.Text()
	}
	if len(writes) > 0 && !writes[named] {
		return ""
	}
	return named
}

// WritesProbe reports whether a copy writes parameters of a probe, or leaves one to a template, rather than only saying
// who executes it.
func WritesProbe(c *schema.Copy) bool {
	if !c.States(schema.Probe) {
		return false
	}
	for i := range c.Fields {
		f := &c.Fields[i]
		if f.Path.Item() == schema.Probe && f.Path != "probe.executor" && f.Path != "probe.off" {
			return true
		}
	}
	for i := range c.Unresolved {
		if c.Unresolved[i].Path.Item() == schema.Probe {
			return true
		}
	}
	return false
}

// frozen keeps the ramp of the order in force: of the valid ones the latest that is effective by now, ties by id.
func (t *Table) frozen(copies []*schema.Copy) []*schema.Copy {
	var best *schema.Copy
	var bestOrder *schema.ChangeOrder
	for _, c := range copies {
		o := t.Orders[c.File()]
		if o == nil || !o.Valid || o.Effective.After(t.Now) {
			continue
		}
		if best == nil || o.Effective.After(bestOrder.Effective) || o.Effective.Equal(bestOrder.Effective) && o.ID > bestOrder.ID {
			best, bestOrder = c, o
		}
	}
	if best == nil {
		return nil
	}
	return []*schema.Copy{best}
}
