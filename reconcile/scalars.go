package reconcile

import (
	"github.com/poolproof/poolproof/schema"
)

// Scalars compares the single values of an item: the truth at its effective values, the copy with what it writes.
func Scalars(item schema.Item, truth *View, c *schema.Copy) []Divergence {
	var out []Divergence
	for _, f := range c.Fields {
		if f.Path.Item() != item {
			continue
		}
		entry, ok := schema.EntryOf(f.Path)
		if !ok || !entry.Compared {
			continue
		}
		want, at, ok := truth.Value(f.Path)
		if !ok || Normal(f.Path, want) == Normal(f.Path, f.Value) || constantGrowth(f.Path, want, f.Value, truth, c) {
			continue
		}
		d := Divergence{
			Kind: Differs, Item: item, Field: f.Path.Leaf(), Truth: truth.Copy, Copy: c, TruthAt: at, At: f.At,
			Want: want.String(), Got: f.Value.String(), Factor: factor(want, f.Value),
		}
		if e, ok := truth.EffectiveOf(f.Path); ok {
			if e.Unsure && Normal(f.Path, e.Other) == Normal(f.Path, f.Value) {
				continue // one of the versions that may run agrees
			}
			d.Implied = &e
		}
		out = append(out, d)
	}
	return out
}

// constantGrowth holds that growth by a factor of 1 is no growth, whatever its kind is called.
func constantGrowth(p schema.Path, want, got schema.Value, truth *View, c *schema.Copy) bool {
	if p != "cooldown.growth.kind" && p != "cooldown.growth.factor" {
		return false
	}
	constant := func(get func(schema.Path) schema.Value) bool {
		kind, factor := get("cooldown.growth.kind"), get("cooldown.growth.factor")
		return kind.Text() == "constant" || factor.Said() && factor.Number() == 1
	}
	return constant(func(p schema.Path) schema.Value { v, _, _ := truth.Value(p); return v }) &&
		constant(func(p schema.Path) schema.Value { f, _ := c.Get(p); return f.Value })
}
