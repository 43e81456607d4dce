package reconcile

import (
	"fmt"
	"slices"
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
		if field, i := batchesDiffer(t.Batches, c.Batches); field != "" {
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
func batchesDiffer(want, got []schema.Batch) (field string, index int) {
	var first cmp.Path
	// A copy that writes no dwell at all says nothing about it; one that writes some must write all but the last.
	dwells := slices.ContainsFunc(got, func(b schema.Batch) bool { return b.HasDwell || b.Manual })
	w, g := comparableBatches(want, got, dwells), comparableBatches(got, want, true)
	if cmp.Equal(w, g, cmp.Reporter(&firstDifference{report: func(p cmp.Path) {
		if first == nil {
			first = slices.Clone(p)
		}
	}})) {
		return "", 0
	}
	index = min(len(want), len(got))
	field = "batches"
	for _, step := range first {
		switch s := step.(type) {
		case cmp.SliceIndex:
			x, y := s.SplitKeys()
			index = max(x, y)
			field = fmt.Sprintf("batches[%d]", index)
		case cmp.StructField:
			name := s.Name()
			return field + "." + strings.ToLower(name[:1]) + name[1:], index
		}
	}
	return field, index
}

// firstDifference is a reporter of go-cmp that hands over the paths of differing leaves.
type firstDifference struct {
	path   cmp.Path
	report func(cmp.Path)
}

func (r *firstDifference) PushStep(s cmp.PathStep) { r.path = append(r.path, s) }

func (r *firstDifference) PopStep() { r.path = r.path[:len(r.path)-1] }

func (r *firstDifference) Report(result cmp.Result) {
	if !result.Equal() {
		r.report(r.path)
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
