// Package cast finds what is played of a pool: which of its copies, by which engine, and under which load.
package cast

import (
	"cmp"
	"slices"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/policy/failover/engines"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
)

// Controller is the engine of native copies that state a decision, a cooldown or a ramp and name none.
const Controller = "pool"

// Choose returns the copy of a pool that is played and the name of its engine: the gateway's, because it is the one that
// switches, else an application's. A pool in poolproof's own grammar, or a home-made one, may be written in several files,
// one item here and another there: what the chosen copy does not state is taken from the copies that do. The copy is nil if
// none lists members; the engine is empty if no copy names one.
func Choose(p *rules.Pool) (c *schema.Copy, engine string) {
	list := candidates(p)
	for _, x := range list {
		if !x.States(schema.Members) {
			continue
		}
		if c == nil {
			c = x
		}
		if name, _ := engines.Of(x); name != "" && known(x) && !native(x) {
			return x, nameOf(x)
		}
		if !native(x) {
			continue
		}
		if y := whole(p, x, list); y.Engine != "" {
			return y, y.Engine
		}
	}
	return c, ""
}

// candidates are the copies that something runs, the one that decides about members first.
func candidates(p *rules.Pool) []*schema.Copy {
	var list []*schema.Copy
	if t := p.Truth(schema.Members); t != nil && t.Copy.Side != schema.Doc && t.Copy.Side != schema.Order {
		list = append(list, t.Copy)
	}
	for _, side := range []schema.Side{schema.Gateway, schema.App} {
		for _, x := range p.Of(side) {
			if !slices.Contains(list, x.Copy) {
				list = append(list, x.Copy)
			}
		}
	}
	return list
}

// native reports whether a copy is written in poolproof's own grammar, or in a home-made one that a map reads.
func native(c *schema.Copy) bool { return c.Format == "poolproof" || c.Format == "mapped" }

// known reports whether the engine of a copy is named rather than only its format.
func known(c *schema.Copy) bool {
	name, _ := engines.Of(c)
	return c.Engine != "" || !native(c) || name != c.Format
}

func nameOf(c *schema.Copy) string { return cmp.Or(c.Engine, c.Profile) }

// Traffic is the load that a pool is played under.
type Traffic struct {
	dryrun.Traffic
	// Assumed says what nobody wrote and was taken for granted.
	Assumed []schema.Text
}

// What is taken for granted where nobody says how much traffic there is and how fast it is answered.
const (
	defaultRPS = 100
	defaultP50 = 10e6 // 10ms
	defaultP99 = 50e6 // 50ms
)

// TrafficOf returns the load of a pool: what the manifest says, else what the played copy itself says, else assumptions.
func TrafficOf(p *rules.Pool, c *schema.Copy) Traffic {
	t := Traffic{}
	if e := p.Entry.Traffic; e != nil {
		t.RPS, t.ErrorRate, t.P50, t.P99, t.Interfaces, t.Regions = e.RPS, e.ErrorRate, e.P50, e.P99, e.Interfaces, e.Regions
	}
	own(&t.Traffic, c)
	if t.RPS <= 0 {
		t.RPS = defaultRPS
		t.Assumed = append(t.Assumed, schema.Textf("nobody says how much traffic there is: %d requests a second (pools.%s.traffic.rps in the manifest says it)",
			"未说明流量：按每秒 %d 个请求处理（可在清单 pools.%s.traffic.rps 中写明）", defaultRPS, p.Group.Pool))
	}
	if t.P50 <= 0 && t.P99 <= 0 {
		t.P50, t.P99 = defaultP50, defaultP99
		t.Assumed = append(t.Assumed, schema.Textf("nobody says how fast members answer: half of it within %s, 99 %% within %s", "未说明应答时长：一半在 %s 内，99%% 在 %s 内",
			schema.FormatDuration(t.P50), schema.FormatDuration(t.P99)))
	}
	if t.P50 <= 0 {
		t.P50 = t.P99
	}
	t.P99 = max(t.P99, t.P50)
	return t
}

// own fills in what the copy says of its traffic and the manifest does not.
func own(t *dryrun.Traffic, c *schema.Copy) {
	get := func(p schema.Path) schema.Value {
		f, _ := c.Get(p)
		return f.Value
	}
	if t.RPS == 0 {
		t.RPS = get("traffic.rps").Number()
	}
	if t.ErrorRate == 0 {
		t.ErrorRate = get("traffic.errorRate").Number()
	}
	if t.P50 == 0 && t.P99 == 0 {
		t.P50, t.P99 = get("traffic.p50").Duration(), get("traffic.p99").Duration()
	}
	for list, prefix := range map[*[]schema.Share]string{&t.Interfaces: "traffic.interfaces.", &t.Regions: "traffic.regions."} {
		if len(*list) > 0 {
			continue
		}
		for _, f := range c.Fields {
			if name := string(f.Path); len(name) > len(prefix) && name[:len(prefix)] == prefix {
				*list = append(*list, schema.Share{Name: name[len(prefix):], Share: f.Value.Number()})
			}
		}
	}
}
