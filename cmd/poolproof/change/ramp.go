package change

import (
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"

	"github.com/poolproof/poolproof/cmd/poolproof/yamltext"
)

// ramp writes the ramp of a copy in the grammar of #Ramp, each line with the indentation. What a copy does not say and an
// order has to (when the ramp stops, and what happens then) is left to be filled in.
func (o *Order) ramp(c *schema.Copy, indent string) string {
	var b strings.Builder
	line := func(s string) { b.WriteString(indent + s + "\n") }
	group := func(name string, leaves ...string) {
		var parts []string
		for _, leaf := range leaves {
			if f, ok := c.Get(schema.Path("ramp." + name + "." + leaf)); ok {
				parts = append(parts, leaf+": "+value(f.Value))
			}
		}
		if parts != nil {
			line(name + ": {" + strings.Join(parts, ", ") + "}")
		}
	}
	single := func(names ...string) {
		for _, name := range names {
			if f, ok := c.Get(schema.Path("ramp." + name)); ok {
				line(name + ": " + value(f.Value))
			}
		}
	}
	group("target", "members", "interfaces", "regions")
	single("by", "window")
	if len(c.Batches) > 0 {
		line("batches:")
		for i := range c.Batches {
			line("  - {" + strings.Join(batch(&c.Batches[i]), ", ") + "}")
		}
	}
	single("lowSample")
	if len(c.Stops) > 0 {
		line("stop:")
		for i := range c.Stops {
			line("  - {" + strings.Join(stop(&c.Stops[i]), ", ") + "}")
		}
	} else {
		line("stop: TODO " + remark(o.say("what stops the ramp: [{metric: error-rate, above: 0.01}, {metric: latency-p99, above: 1.5, against: baseline}]",
			"放量的停止条件：[{metric: error-rate, above: 0.01}, {metric: latency-p99, above: 1.5, against: baseline}]")))
	}
	group("rollback", "to", "cooldown")
	if _, ok := c.Get("ramp.rollback.to"); !ok {
		line("rollback: TODO " + remark(o.say("what a stop does: {to: previous, cooldown: 10m}", "停止后的动作：{to: previous, cooldown: 10m}")))
	}
	single("suspendAfter", "agreedBy")
	return b.String()
}

func batch(x *schema.Batch) []string {
	var parts []string
	if x.HasShare {
		parts = append(parts, "share: "+number(x.Share))
	}
	if len(x.Regions) > 0 {
		parts = append(parts, "regions: "+list(x.Regions))
	}
	if len(x.Priorities) > 0 {
		parts = append(parts, "priorities: "+list(x.Priorities))
	}
	switch {
	case x.Manual:
		parts = append(parts, "dwell: manual")
	case x.HasDwell:
		parts = append(parts, "dwell: "+schema.FormatDuration(x.Dwell))
	}
	if x.MinSamples > 0 {
		parts = append(parts, "minSamples: "+strconv.FormatInt(x.MinSamples, 10))
	}
	return parts
}

func stop(x *schema.Stop) []string {
	parts := []string{"metric: " + yamltext.Scalar(x.Metric)}
	if x.HasAbove {
		parts = append(parts, "above: "+number(x.Above))
	}
	if x.HasBelow {
		parts = append(parts, "below: "+number(x.Below))
	}
	if x.Against != "" {
		parts = append(parts, "against: "+yamltext.Scalar(x.Against))
	}
	return parts
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// value writes a value of the model.
func value(v schema.Value) string {
	switch v.Kind() {
	case schema.TextKind:
		return yamltext.Scalar(v.Text())
	case schema.List:
		return list(v.List())
	}
	return v.String()
}
