// Package rules judges pools: one file a rule, with its page of documentation beside it. A rule sees the copies of a
// pool as they were read, what their engines make of them, the source-of-truth table and the divergences, and reports;
// it reads no files and decides no exit code.
package rules

import (
	"time"

	"github.com/poolproof/poolproof/policy/truth"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
)

// Rule is one thing that poolproof looks for.
type Rule struct {
	// ID is "area/name". It is permanent.
	ID string
	// Title says in one line when the rule fires.
	Title schema.Text
	// Severity is the default. Judgements are warnings, and errors in strict pools.
	Severity  schema.Severity
	Judgement bool
	// FullOnly: the rule speaks only on runs that look at everything.
	FullOnly bool

	// Copy looks at one copy, Pool at one pool; at most one of them is set. Run looks at the run as a whole. A rule with
	// none of the three reports what adapters found while reading.
	Copy func(c *Copy, r *Reporter)
	Pool func(p *Pool, r *Reporter)
	Run  func(run *Run, r *Reporter)
}

// Copy is one copy of a pool with what its engine makes of it.
type Copy struct {
	*reconcile.View
	In *Pool
}

// Native reports whether the copy is written in poolproof's own grammar, which can say everything that a rule may miss.
func (c *Copy) Native() bool {
	return c.Copy.Format == "poolproof" || c.Copy.Format == "change-order"
}

// Text, Duration, Int and Number return a setting at its effective value, and whether there is one.
func (c *Copy) Text(p schema.Path) (string, bool) {
	v, _, ok := c.Value(p)
	return v.Text(), ok
}

// Duration returns a length of time at its effective value.
func (c *Copy) Duration(p schema.Path) (time.Duration, bool) {
	v, _, ok := c.Value(p)
	return v.Duration(), ok
}

// Int returns a whole number at its effective value.
func (c *Copy) Int(p schema.Path) (int64, bool) {
	v, _, ok := c.Value(p)
	return v.Int(), ok
}

// Number returns a number at its effective value.
func (c *Copy) Number(p schema.Path) (float64, bool) {
	v, _, ok := c.Value(p)
	return v.Number(), ok
}

// Said reports whether a path is written or left unresolved, so that a rule about absent settings must be silent.
func (c *Copy) Said(p schema.Path) bool {
	if _, ok := c.Copy.Get(p); ok {
		return true
	}
	for _, u := range c.Copy.Unresolved {
		if u.Path == p {
			return true
		}
	}
	return false
}

// implied words that a value is not written but what the engine uses; it is empty for written values.
func (c *Copy) implied(p schema.Path) schema.Text {
	if _, written := c.Copy.Get(p); written {
		return schema.Text{}
	}
	e, ok := c.EffectiveOf(p)
	if !ok {
		return schema.Text{}
	}
	return schema.Textf(" (not written: %s)", "（未写出：%s）", e.Why)
}

// Place returns where a setting stands, else the place of its item, else of the pool.
func (c *Copy) Place(p schema.Path) schema.Span {
	if f, ok := c.Copy.Get(p); ok {
		return f.At
	}
	if i := p.Item(); i != schema.NoItem && c.Copy.ItemAt[i].Known() {
		return c.Copy.ItemAt[i]
	}
	return c.Copy.PoolAt
}

// Pool is one pool of one environment.
type Pool struct {
	Group  *reconcile.Group
	Copies []*Copy
	// Rows is the verdict of the source-of-truth table for each reconciled item.
	Rows [schema.Items]truth.Row
	// Divergences holds every copy's differences from the truth, or from its peers where the truth is silent.
	Divergences []Judged
	// Duplicates are rivals on the truth's side: copies that state an item differently than the row's copy.
	Duplicates []reconcile.Divergence
	// Entry is the manifest's entry with the defaults filled in.
	Entry  schema.PoolEntry
	Strict bool
	Run    *Run
}

// Judged is a divergence and whether there was a truth to diverge from.
type Judged struct {
	reconcile.Divergence
	// Silent: the truth's side does not state the item, the copy was compared with a peer.
	Silent bool
	// Editable: the copy is an editable copy of a probe that another side executes.
	Editable bool
}

// Of returns the copies of one side.
func (p *Pool) Of(side schema.Side) []*Copy {
	var out []*Copy
	for _, c := range p.Copies {
		if c.Copy.Side == side {
			out = append(out, c)
		}
	}
	return out
}

// Truth returns the copy that counts for an item with its effective values, nil if none states it.
func (p *Pool) Truth(item schema.Item) *Copy {
	for _, c := range p.Copies {
		if c.Copy == p.Rows[item].Copy {
			return c
		}
	}
	return nil
}

// Find returns the value that counts for a path: of the truth if it states the item, else of the first copy that does.
func (p *Pool) Find(path schema.Path) (schema.Value, bool) {
	if t := p.Truth(path.Item()); t != nil {
		if v, _, ok := t.Value(path); ok {
			return v, true
		}
	}
	for _, c := range p.Copies {
		if c.Copy.States(path.Item()) {
			if v, _, ok := c.Value(path); ok {
				return v, true
			}
		}
	}
	return schema.Value{}, false
}

// said reports whether some copy writes a path or leaves it unresolved.
func (p *Pool) said(path schema.Path) bool {
	for _, c := range p.Copies {
		if c.Said(path) {
			return true
		}
	}
	return false
}

// RPS returns the pool's load in requests a second, 0 where the manifest and the copies say nothing.
func (p *Pool) RPS() float64 {
	if p.Entry.Traffic != nil && p.Entry.Traffic.RPS > 0 {
		return p.Entry.Traffic.RPS
	}
	for _, c := range p.Copies {
		if f, ok := c.Copy.Get("traffic.rps"); ok {
			return f.Value.Number()
		}
	}
	return 0
}

// Run is everything that one run looks at.
type Run struct {
	Manifest *schema.Manifest
	Loaded   *load.Loaded
	Pairing  reconcile.Pairing
	Pools    []*Pool
	Orders   map[string]*schema.ChangeOrder
	Now      time.Time
	// Full: nothing was left out by flags, so what was not seen does not exist.
	Full bool
	// Whole: the run is about the whole tree, though flags may limit which pools and rules it reports.
	Whole bool
	// Known returns whether a rule of that name exists, "area/*" included.
	Known func(rule string) bool
	// Sides are the sides that some source stands for.
	Sides map[schema.Side]bool

	near       nearNames
	everywhere everywhere
	paired     pairedOnce
	lost       lostSides
}
