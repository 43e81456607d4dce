package schema

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
)

// Digest returns the digest of what a copy writes about an item: "sha256:" and the hexadecimal SHA-256 of the item's
// canonical JSON (RFC 8785) in normal form. It is empty where the copy does not state the item. The same settings give the
// same digest from every format; engine defaults, places, spelling and order take no part. The JSON is
//
//	{"item":"members","members":[{"from":F,"id":ID,"state":S,"tier":T,"weight":W}...],"open":true,"unresolved":[RAW...]}
//	{"item":"probe","unresolved":["PATH RAW"...],"values":{PATH:VALUE...}}
//	{"batches":[B...],"item":"ramp","stops":[S...],"unresolved":[...],"values":{...}}
//
// with the parts left out that say nothing:
//
//   - members are sorted by identity (Member.ID), then by the rest;
//   - from is the origin of members that are discovered; state is drain or disabled, active is left out as unsaid is;
//   - tier is the rank of the priority from 0, a member without one being in the first; backups are the tier after all
//     others; tier 0 is left out;
//   - weight is the written weight divided by the greatest common divisor of its tier; all-zero tiers keep their zeros;
//   - open says that the list is not complete;
//   - values are those of the model's paths that take part in comparison: durations as text in normal form, lists of texts
//     sorted and without repetition; the factor of constant growth says nothing;
//   - a batch is {"dwell":D,"minSamples":N,"priorities":[...],"regions":[...],"share":P}, in order, with dwell "manual" for
//     one that waits for a person; batches that the engine adds count;
//   - a stop is {"above":X,"against":"baseline","below":X,"metric":M}, sorted by its JSON;
//   - unresolved holds the templates and refused values, as written, sorted.
func Digest(c *Copy, i Item) string {
	if !c.States(i) {
		return ""
	}
	sum := sha256.Sum256(canonical(c, i))
	return "sha256:" + hex.EncodeToString(sum[:])
}

func canonical(c *Copy, i Item) []byte {
	w := &jsonWriter{}
	w.open('{')
	if i == Ramp && len(c.Batches) > 0 {
		w.key("batches")
		w.batches(c.Batches)
	}
	w.key("item")
	w.text(i.String())
	if i == Members {
		w.members(c)
	}
	if i == Ramp && len(c.Stops) > 0 {
		w.key("stops")
		w.stops(c.Stops)
	}
	w.unresolved(c, i)
	if i != Members {
		w.values(c, i)
	}
	w.close('}')
	return w.buf
}

func (w *jsonWriter) members(c *Copy) {
	w.key("members")
	w.open('[')
	for _, m := range normalMembers(c.Members) {
		w.open('{')
		if m.from != Static {
			w.key("from")
			w.text(m.from.String())
		}
		w.key("id")
		w.text(m.id)
		if m.state == Drain || m.state == Disabled {
			w.key("state")
			w.text(m.state.String())
		}
		if m.tier > 0 {
			w.key("tier")
			w.number(float64(m.tier))
		}
		if m.hasWeight {
			w.key("weight")
			w.number(float64(m.weight))
		}
		w.close('}')
	}
	w.close(']')
	if !c.Complete {
		w.key("open")
		w.bool(true)
	}
}

func (w *jsonWriter) unresolved(c *Copy, i Item) {
	var list []string
	for _, u := range c.Unresolved {
		switch {
		case u.Path.Item() != i:
		case i == Members:
			list = append(list, u.Raw)
		default:
			list = append(list, string(u.Path)+" "+u.Raw)
		}
	}
	if list == nil {
		return
	}
	slices.Sort(list)
	w.key("unresolved")
	w.texts(list)
}

func (w *jsonWriter) values(c *Copy, i Item) {
	constant, _ := c.Get("cooldown.growth.kind")
	var fields []Field
	for _, f := range c.Fields {
		if f.Path.Item() != i || f.Path == "cooldown.growth.factor" && constant.Value.Text() == "constant" {
			continue
		}
		if e, ok := EntryOf(f.Path); ok && e.Compared {
			fields = append(fields, f)
		}
	}
	if fields == nil {
		return
	}
	slices.SortFunc(fields, func(a, b Field) int { return cmp.Compare(a.Path, b.Path) })
	w.key("values")
	w.open('{')
	for _, f := range fields {
		w.key(string(f.Path))
		w.value(f.Value)
	}
	w.close('}')
}

func (w *jsonWriter) value(v Value) {
	switch v.Kind() {
	case Bool:
		w.bool(v.Bool())
	case Int, Number:
		w.number(v.Number())
	case List:
		w.texts(sortedSet(v.List()))
	default:
		w.text(v.String())
	}
}

// sortedSet returns the texts in order and each once, leaving list alone.
func sortedSet(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

func (w *jsonWriter) batches(batches []Batch) {
	w.open('[')
	for i := range batches {
		b := &batches[i]
		w.open('{')
		switch {
		case b.Manual:
			w.key("dwell")
			w.text("manual")
		case b.HasDwell:
			w.key("dwell")
			w.text(FormatDuration(b.Dwell))
		}
		if b.MinSamples > 0 {
			w.key("minSamples")
			w.number(float64(b.MinSamples))
		}
		if len(b.Priorities) > 0 {
			w.key("priorities")
			w.texts(sortedSet(b.Priorities))
		}
		if len(b.Regions) > 0 {
			w.key("regions")
			w.texts(sortedSet(b.Regions))
		}
		if b.HasShare {
			w.key("share")
			w.number(b.Share)
		}
		w.close('}')
	}
	w.close(']')
}

func (w *jsonWriter) stops(stops []Stop) {
	list := make([]string, len(stops))
	for i, s := range stops {
		one := &jsonWriter{}
		one.open('{')
		if s.HasAbove {
			one.key("above")
			one.number(s.Above)
		}
		if s.Against != "" && s.Against != "absolute" {
			one.key("against")
			one.text(s.Against)
		}
		if s.HasBelow {
			one.key("below")
			one.number(s.Below)
		}
		one.key("metric")
		one.text(s.Metric)
		one.close('}')
		list[i] = string(one.buf)
	}
	slices.Sort(list)
	w.open('[')
	for _, s := range list {
		w.separate()
		w.buf = append(w.buf, s...)
	}
	w.close(']')
}
