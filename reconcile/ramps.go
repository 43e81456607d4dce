package reconcile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
)

// batch is a ramp batch in the form in which it is compared. Pointers tell "not said" from zero.
type batch struct {
	Share      *float64
	Dwell      *time.Duration
	Manual     *bool
	MinSamples *int64
	Regions    []string
	Priorities []string
}

// Ramps compares the batches and stops of two ramps. Batches that differ give one divergence, which names the first
// difference and shows both ramps whole; single values are compared by Scalars.
func Ramps(truth *View, c *schema.Copy) []Divergence {
	var out []Divergence
	t := truth.Copy
	if len(t.Batches) > 0 && len(c.Batches) > 0 {
		if field, i := batchesDiffer(t, c); field != "" {
			d := Divergence{
				Kind: Differs, Item: schema.Ramp, Field: field, Truth: t, Copy: c, TruthAt: t.ItemAt[schema.Ramp], At: c.ItemAt[schema.Ramp],
				Want: RampString(t.Batches), Got: RampString(c.Batches),
			}
			if i < len(t.Batches) {
				d.TruthAt = batchAt(&t.Batches[i], field)
			}
			if i < len(c.Batches) {
				d.At = batchAt(&c.Batches[i], field)
				if i < len(t.Batches) && strings.HasSuffix(field, ".dwell") {
					d.Factor = durationFactor(t.Batches[i].Dwell, c.Batches[i].Dwell)
				}
			}
			out = append(out, d)
		}
	}
	if len(t.Stops) > 0 && len(c.Stops) > 0 {
		want, got := stops(t.Stops), stops(c.Stops)
		if !slices.Equal(want, got) {
			out = append(out, Divergence{
				Kind: Differs, Item: schema.Ramp, Field: "stop", Truth: t, Copy: c, TruthAt: t.Stops[0].At, At: c.Stops[0].At,
				Want: strings.Join(want, "; "), Got: strings.Join(got, "; "),
			})
		}
	}
	return out
}

// batchesDiffer returns the path of the first difference between two lists of batches and the batch that has it.
func batchesDiffer(t, c *schema.Copy) (field string, index int) {
	want, got := t.Batches, c.Batches
	// A list that writes no dwell at all says nothing about it; one that writes some must write all but the last.
	writes := func(b schema.Batch) bool { return b.HasDwell || b.Manual }
	dwells := slices.ContainsFunc(want, writes) && slices.ContainsFunc(got, writes)
	w, g := comparableBatches(want, got, dwells), comparableBatches(got, want, dwells)
	forget(t, w, g)
	forget(c, w, g)
	for i := range min(len(w), len(g)) {
		var first firstDifference
		if !w[i].equals(&g[i]) && !cmp.Equal(w[i], g[i], cmp.Reporter(&first)) {
			return fmt.Sprintf("batches[%d].%s", i, first.field), i
		}
	}
	if len(w) != len(g) {
		return "batches", min(len(w), len(g))
	}
	return "", 0
}

// equals settles the common case without reflection; go-cmp finds the difference where there is one.
func (b *batch) equals(o *batch) bool {
	return same(b.Share, o.Share) && same(b.Dwell, o.Dwell) && same(b.Manual, o.Manual) && same(b.MinSamples, o.MinSamples) &&
		slices.Equal(b.Regions, o.Regions) && slices.Equal(b.Priorities, o.Priorities)
}

func same[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// forget blanks on both sides what one of them leaves unresolved: nothing is compared with a value that nobody can read.
func forget(c *schema.Copy, lists ...[]batch) {
	for _, u := range c.Unresolved {
		rest, ok := strings.CutPrefix(string(u.Path), "ramp.batches[")
		if !ok {
			continue
		}
		number, leaf, _ := strings.Cut(rest, "]")
		i, err := strconv.Atoi(number)
		if err != nil {
			continue
		}
		for _, list := range lists {
			if i >= len(list) {
				continue
			}
			switch strings.TrimPrefix(leaf, ".") {
			case "share":
				list[i].Share = nil
			case "dwell":
				list[i].Dwell, list[i].Manual = nil, nil
			case "minSamples":
				list[i].MinSamples = nil
			default:
				list[i] = batch{}
			}
		}
	}
}

// firstDifference is a reporter of go-cmp that keeps the name of the first field of a struct that differs. It looks at
// steps while they are current, since go-cmp uses one step for all fields in turn.
type firstDifference struct {
	path  cmp.Path
	field string
}

func (r *firstDifference) PushStep(s cmp.PathStep) { r.path = append(r.path, s) }

func (r *firstDifference) PopStep() { r.path = r.path[:len(r.path)-1] }

func (r *firstDifference) Report(result cmp.Result) {
	if result.Equal() || r.field != "" {
		return
	}
	for _, step := range r.path {
		if s, ok := step.(cmp.StructField); ok {
			r.field = strings.ToLower(s.Name()[:1]) + s.Name()[1:]
			return
		}
	}
}

// comparableBatches returns own in comparable form. Minimum samples and the dwell of the last batch count only where
// both lists write them; the dwell of the others counts if dwells says so, everything else always.
func comparableBatches(own, other []schema.Batch, dwells bool) []batch {
	out := make([]batch, len(own))
	for i := range own {
		b := &own[i]
		var o schema.Batch
		if i < len(other) {
			o = other[i]
		}
		if b.HasShare {
			out[i].Share = &b.Share
		}
		both := (b.HasDwell || b.Manual) && (o.HasDwell || o.Manual)
		if last := i == len(own)-1; both || dwells && !last && !b.Implied {
			if b.Manual {
				out[i].Manual = &b.Manual
			} else if b.HasDwell {
				out[i].Dwell = &b.Dwell
			}
		}
		if b.MinSamples > 0 && o.MinSamples > 0 {
			out[i].MinSamples = &b.MinSamples
		}
		// Shares may stand for regions where both sides write shares.
		if len(b.Regions) > 0 && !(b.HasShare && o.HasShare && len(o.Regions) == 0) {
			out[i].Regions = b.Regions
		}
		if len(b.Priorities) > 0 && !(b.HasShare && o.HasShare && len(o.Priorities) == 0) {
			out[i].Priorities = b.Priorities
		}
	}
	return out
}

func batchAt(b *schema.Batch, field string) schema.Span {
	at := schema.Span{}
	switch field[strings.LastIndexByte(field, '.')+1:] {
	case "share":
		at = b.ShareAt
	case "dwell", "manual":
		at = b.DwellAt
	case "minSamples":
		at = b.SamplesAt
	}
	if !at.Known() {
		at = b.At
	}
	return at
}

// RampString writes batches for people: "5% 10m, 20% 10m, 100%".
func RampString(batches []schema.Batch) string {
	var b strings.Builder
	for i := range batches {
		if i > 0 {
			b.WriteString(", ")
		}
		t := &batches[i]
		var parts []string
		if t.HasShare {
			parts = append(parts, schema.NumberOf(t.Share).String()+"%")
		}
		if len(t.Regions) > 0 {
			parts = append(parts, "regions "+strings.Join(t.Regions, "+"))
		}
		if len(t.Priorities) > 0 {
			parts = append(parts, "priorities "+strings.Join(t.Priorities, "+"))
		}
		switch {
		case t.Manual:
			parts = append(parts, "manual")
		case t.HasDwell:
			parts = append(parts, schema.FormatDuration(t.Dwell))
		}
		if t.MinSamples > 0 {
			parts = append(parts, fmt.Sprintf("%d samples", t.MinSamples))
		}
		if len(parts) == 0 {
			parts = append(parts, "?") // nothing in the batch can be read
		}
		b.WriteString(strings.Join(parts, " "))
	}
	return b.String()
}

func stops(list []schema.Stop) []string {
	out := make([]string, len(list))
	for i, s := range list {
		text := s.Metric
		if s.HasAbove {
			text += " above " + schema.NumberOf(s.Above).String()
		}
		if s.HasBelow {
			text += " below " + schema.NumberOf(s.Below).String()
		}
		if s.Against == "baseline" {
			text += " against baseline"
		}
		out[i] = text
	}
	slices.Sort(out)
	return out
}
