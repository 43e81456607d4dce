package evidence

import (
	"slices"

	"github.com/poolproof/poolproof/schema"
)

// changedAt returns where a copy says something about an item that it did not say before; unknown where it only says less.
func changedAt(before, after *schema.Copy, item schema.Item) schema.Span {
	b := before0(before)
	switch item {
	case schema.Members:
		for i := range after.Members {
			if m := &after.Members[i]; !slices.ContainsFunc(b.Members, func(old schema.Member) bool { return sameMember(&old, m) }) {
				return m.At
			}
		}
	case schema.Ramp:
		for i := range after.Batches {
			if x := &after.Batches[i]; i >= len(b.Batches) || !sameBatch(&b.Batches[i], x) {
				return x.At
			}
		}
		for i := range after.Stops {
			if s := &after.Stops[i]; !slices.ContainsFunc(b.Stops, func(old schema.Stop) bool { old.At = s.At; return old == *s }) {
				return s.At
			}
		}
	}
	for _, f := range after.Fields {
		if f.Path.Item() != item || !f.At.Known() {
			continue
		}
		if old, ok := b.Get(f.Path); !ok || old.Value != f.Value {
			return f.At
		}
	}
	return schema.Span{}
}

func sameMember(a, b *schema.Member) bool {
	return a.ID() == b.ID() && a.HasWeight == b.HasWeight && a.Weight == b.Weight && a.HasPriority == b.HasPriority && a.Priority == b.Priority &&
		a.Backup == b.Backup && a.State == b.State
}

func sameBatch(a, b *schema.Batch) bool {
	return a.Share == b.Share && a.HasShare == b.HasShare && a.Dwell == b.Dwell && a.Manual == b.Manual && a.MinSamples == b.MinSamples &&
		slices.Equal(a.Regions, b.Regions) && slices.Equal(a.Priorities, b.Priorities)
}
