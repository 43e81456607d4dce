package cast

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
)

// items are what a pool may state in another file than its members.
func items() []schema.Item {
	return []schema.Item{schema.Probe, schema.Cooldown, schema.Ramp, schema.Decision, schema.Retry, schema.OnAllOut}
}

// Source returns the copy that an item of the played copy comes from: the copy itself, or the one that states the item in
// its place; nil if none does.
func Source(p *rules.Pool, c *schema.Copy, item schema.Item) *schema.Copy {
	for _, x := range p.Group.Copies {
		if x.File() == c.File() && x.PoolAt == c.PoolAt && x.States(item) {
			return x
		}
	}
	if !native(c) || item == schema.Members {
		return nil
	}
	if t := p.Truth(item); t != nil && written(t.Copy) {
		return t.Copy // of a ramp, the change order that is in force
	}
	for _, x := range candidates(p) {
		if written(x) && x.States(item) {
			return x
		}
	}
	return nil
}

// written reports whether a copy is one whose items may be put together with those of others.
func written(c *schema.Copy) bool {
	return native(c) || c.Side == schema.Order
}

// whole returns a copy completed by what the others state. Its places are only good for saying that an item is stated; for
// where it stands, ask Source.
func whole(p *rules.Pool, c *schema.Copy, list []*schema.Copy) *schema.Copy {
	y := *c
	y.Fields = slices.Clone(c.Fields)
	for _, item := range items() {
		if c.States(item) {
			continue
		}
		from := Source(p, c, item)
		if from == nil {
			continue
		}
		y.ItemAt[item] = from.ItemAt[item]
		for _, f := range from.Fields {
			if f.Path.Item() == item {
				y.Fields = append(y.Fields, f)
			}
		}
		if item == schema.Ramp {
			y.Batches, y.Stops = from.Batches, from.Stops
		}
	}
	if !y.States(schema.OnAllOut) {
		declared(&y, p.Entry.OnAllOut)
	}
	for _, x := range list {
		if !native(x) {
			continue
		}
		if y.Engine == "" {
			y.Engine = x.Engine
		}
		if !hasTraffic(&y) {
			for _, f := range x.Fields {
				if strings.HasPrefix(string(f.Path), "traffic.") {
					y.Fields = append(y.Fields, f)
				}
			}
		}
	}
	if y.Engine == "" && (y.States(schema.Decision) || y.States(schema.Cooldown) || y.States(schema.Ramp)) {
		y.Engine = Controller
	}
	return &y
}

// declared adds what the manifest declares for the case that all members are out.
func declared(c *schema.Copy, a *schema.AllOut) {
	if a == nil {
		return
	}
	if a.Then != "" {
		c.Fields = append(c.Fields, schema.Field{Path: "onAllOut.then", Value: schema.TextOf(a.Then)})
	}
	if a.HasPanic {
		c.Fields = append(c.Fields, schema.Field{Path: "onAllOut.panicBelow", Value: schema.NumberOf(a.PanicBelow)})
	}
	if a.AlertAfter > 0 {
		c.Fields = append(c.Fields, schema.Field{Path: "onAllOut.alertAfter", Value: schema.DurationOf(a.AlertAfter)})
	}
}

func hasTraffic(c *schema.Copy) bool {
	return slices.ContainsFunc(c.Fields, func(f schema.Field) bool { return strings.HasPrefix(string(f.Path), "traffic.") })
}
