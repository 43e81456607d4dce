package load

import (
	"maps"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
)

// compactor moves the texts of a result into one string of their own, each text once. Adapters cut texts out of a
// file, and one of them is enough to keep the whole file in memory.
type compactor struct {
	at   map[string]int // where a text starts
	text []byte
}

func (c *compactor) compact(r *sources.Result) {
	if c.at == nil {
		c.at = map[string]int{}
	}
	c.text = c.text[:0]
	texts(r, func(s string) string {
		if _, ok := c.at[s]; !ok {
			c.at[s] = len(c.text)
			c.text = append(c.text, s...)
		}
		return s
	})
	moved := string(c.text)
	texts(r, func(s string) string {
		at := c.at[s]
		return moved[at : at+len(s)]
	})
	clear(c.at)
}

// texts passes the texts of a result that can be parts of a file through f. Sentences, rules, formats and paths of files
// are none.
func texts(r *sources.Result, f func(string) string) {
	for i := range r.Copies {
		copyTexts(&r.Copies[i], f)
	}
	for i := range r.Orders {
		orderTexts(&r.Orders[i], f)
	}
	problemTexts(r.Problems, f)
}

func copyTexts(c *schema.Copy, f func(string) string) {
	each(f, &c.Profile, &c.Engine, &c.Env, &c.Pool)
	for i := range c.Candidates {
		each(f, &c.Candidates[i].Text)
	}
	for i := range c.Members {
		m := &c.Members[i]
		each(f, &m.Host, &m.PortText, &m.Socket, &m.Provider, &m.Model)
		fieldTexts(m.Extra, f)
	}
	for i := range c.Batches {
		list(f, c.Batches[i].Regions)
		list(f, c.Batches[i].Priorities)
	}
	for i := range c.Stops {
		each(f, &c.Stops[i].Metric, &c.Stops[i].Against)
	}
	fieldTexts(c.Fields, f)
	for i := range c.Unresolved {
		u := &c.Unresolved[i]
		each(f, &u.Raw)
		u.Path = schema.Path(move(f, string(u.Path)))
	}
	problemTexts(c.Problems, f)
}

// fieldTexts leaves the paths of the model alone: they are the program's own.
func fieldTexts(fields []schema.Field, f func(string) string) {
	for i := range fields {
		field := &fields[i]
		if _, known := schema.EntryOf(field.Path); !known {
			field.Path = schema.Path(move(f, string(field.Path)))
		}
		field.Value = field.Value.Map(f)
	}
}

func problemTexts(problems []schema.Problem, f func(string) string) {
	for i := range problems {
		p := &problems[i]
		each(f, &p.Pool, &p.Field, &p.Member, &p.Got, &p.Want)
	}
}

func orderTexts(o *schema.ChangeOrder, f func(string) string) {
	each(f, &o.File, &o.ID, &o.Initiator, &o.Digest)
	list(f, o.Pools)
	list(f, o.Ramps)
	for i := range o.Items {
		item := &o.Items[i]
		each(f, &item.Pool, &item.Item, &item.After)
		sides(f, item.Before, func(value *string) { each(f, value) })
		sides(f, item.Aligned, func(a *schema.Aligned) { each(f, &a.Repo, &a.Commit, &a.File, &a.Digest) })
	}
	if d := o.Drill; d != nil {
		each(f, &d.Command, &d.Tool, &d.Config)
		for i := range d.Results {
			each(f, &d.Results[i].ID, &d.Results[i].Pass, &d.Results[i].Observed)
		}
	}
	for i := range o.Approvals {
		each(f, &o.Approvals[i].By, &o.Approvals[i].Digest)
	}
	for i := range o.Exceptions {
		e := &o.Exceptions[i]
		each(f, &e.Rule, &e.Pool, &e.Member, &e.Field, &e.Initiator, &e.Saw, &e.Reclaim, &e.File)
		e.Side = schema.Side(move(f, string(e.Side)))
	}
}

// sides passes the keys of a map through f, and its values through another.
func sides[V any](f func(string) string, m map[schema.Side]V, value func(*V)) {
	for side, v := range maps.Clone(m) {
		value(&v)
		delete(m, side) // an equal key would keep its old text
		m[schema.Side(move(f, string(side)))] = v
	}
}

func each(f func(string) string, texts ...*string) {
	for _, s := range texts {
		*s = move(f, *s)
	}
}

func list(f func(string) string, texts []string) {
	for i, s := range texts {
		texts[i] = move(f, s)
	}
}

func move(f func(string) string, s string) string {
	if s == "" {
		return s
	}
	return f(s)
}
