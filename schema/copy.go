package schema

import (
	"strings"
	"time"
)

// Field is one value of a copy and where it stands.
type Field struct {
	Path  Path
	Value Value
	At    Span
}

// Name is a name that a copy could be paired by, and where it stands.
type Name struct {
	Text string
	At   Span
}

// Batch is one step of a ramp. Numbers are valid where their Has flag or span says so.
type Batch struct {
	HasShare   bool
	Share      float64 // percent
	HasDwell   bool
	Dwell      time.Duration
	Manual     bool // the batch waits for a person
	MinSamples int64
	// Implied marks a batch that the engine adds and nobody wrote (a last step of 100).
	Implied    bool
	Regions    []string
	Priorities []string

	At, ShareAt, DwellAt, SamplesAt Span
}

// Stop is one condition that stops a ramp.
type Stop struct {
	Metric   string
	HasAbove bool
	Above    float64
	HasBelow bool
	Below    float64
	Against  string // "absolute" or "baseline"; empty: not said, which means absolute
	At       Span
}

// Unresolved is a value that stands in the file only as a template, placeholder or path without a match, or that the
// schema refused. It is shown, never guessed, and accuses nobody.
type Unresolved struct {
	// Path is the setting it would have been ("members[2]", "probe.interval"), empty if unknown.
	Path Path
	Raw  string
	At   Span
	// Quiet marks values that another finding already speaks of.
	Quiet bool
}

// Copy is what one file of one side says about one pool. Everything in it is optional: what is absent is not said.
type Copy struct {
	Side    Side
	Format  string // adapter that read it
	Profile string // engine and version, e.g. "haproxy-2.6", empty where none applies
	Engine  string // failover semantics that a native file names
	// Files[0] is the copy's own file; further ones were merged into it (profile files, includes).
	Files    []string
	Revision string
	Env      string
	// Pool is the name in the file; Owned says that it has no name of its own and is called after its owner.
	Pool   string
	Owned  bool
	PoolAt Span
	// Candidates are the names that a document's section could be bound by, nearest first; empty for other copies.
	Candidates []Name
	// Strict is constraints: strict of a native file.
	Strict bool

	// ItemAt is where each item stands (list, table, block); an unknown span means that the item is not stated.
	ItemAt [Items]Span
	// Complete says that Members is the whole list: false with discovery or templates in it.
	Complete bool
	Members  []Member
	Batches  []Batch
	Stops    []Stop
	// Fields holds the scalar values: model paths, and settings of the format outside the model.
	Fields []Field
	// Effective is since when a document or order is in force; EffectiveAt is where that stands.
	Effective   time.Time
	EffectiveAt Span
	Unresolved  []Unresolved
	// Problems found while reading that belong to this copy; file-wide ones are in the result.
	Problems []Problem
}

// File returns the copy's own file.
func (c *Copy) File() string {
	if len(c.Files) == 0 {
		return ""
	}
	return c.Files[0]
}

// States reports whether the copy says anything about an item.
func (c *Copy) States(i Item) bool { return c.ItemAt[i].Known() }

// Set records a value, replacing an earlier one of the same path, and marks its item as stated. A value that was not
// said is ignored.
func (c *Copy) Set(p Path, v Value, at Span) {
	if !v.Said() {
		return
	}
	if i := p.Item(); i != NoItem && i != Members {
		c.Touch(i, at)
	}
	for i := range c.Fields {
		if c.Fields[i].Path == p {
			c.Fields[i] = Field{p, v, at}
			return
		}
	}
	c.Fields = append(c.Fields, Field{p, v, at})
}

// Touch widens the place of an item to cover at, which also marks the item as stated.
func (c *Copy) Touch(i Item, at Span) { c.ItemAt[i] = Join(c.ItemAt[i], at) }

// Get returns a written value.
func (c *Copy) Get(p Path) (Field, bool) { return find(c.Fields, p) }

func find(fields []Field, p Path) (Field, bool) {
	for i := range fields {
		if fields[i].Path == p {
			return fields[i], true
		}
	}
	return Field{}, false
}

// Unresolve records a value that could not be read.
func (c *Copy) Unresolve(p Path, raw string, at Span) {
	c.Unresolved = append(c.Unresolved, Unresolved{Path: p, Raw: raw, At: at})
}

// Report records a problem of this copy.
func (c *Copy) Report(p Problem) { c.Problems = append(c.Problems, p) }

// UnresolvedMembers counts the members that stand in the list only as templates or refused values. A member of which
// only a weight or state is unresolved is known.
func (c *Copy) UnresolvedMembers() int {
	n := 0
	for _, u := range c.Unresolved {
		if u.Path.Item() != Members {
			continue
		}
		switch _, leaf, inside := strings.Cut(string(u.Path), "."); {
		case !inside, leaf == "address", leaf == "port":
			n++
		}
	}
	return n
}

// Effective is what an engine really uses for a setting, where that is not just what is written.
type Effective struct {
	Path  Path
	Value Value
	// Why explains a default or a change: "default of HAProxy", "raised to the detection window".
	Why Text
	// Clamped: the engine silently uses Value in place of what is written.
	Clamped bool
	// Unsure: versions differ and nobody said which runs; Other is what the other versions use.
	Unsure bool
	Other  Value
}
