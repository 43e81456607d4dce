package mapped

import (
	"fmt"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
)

// plan is a compiled map of the manifest.
type plan struct {
	pool               string
	poolEach, poolName *expr

	members     *expr // a list of texts
	membersEach *expr
	attributes  []attribute

	fields []field

	rampEach *expr
	batch    []attribute
}

// field is a setting of the model and the path that leads to it.
type field struct {
	entry schema.Entry
	expr  expr
}

// attribute is a setting of a member or batch and the path that leads to it from the entry.
type attribute struct {
	name string
	expr expr
}

// Names of a member's attributes, as the native grammar has them, and further ones that formats give.
var memberNames = []string{
	"address", "port", "socket", "from", "weight", "priority", "backup", "state", "region", "zone", "interfaces", "maxConnections", "shares",
	"provider", "model", "contextWindow", "features", "verified.permission", "verified.quota", "verified.at", "name",
}

// Names of a batch's attributes.
var batchNames = []string{"share", "dwell", "minSamples", "regions", "priorities"}

// Validate judges a map of the manifest: paths that are none (schema/invalid) and settings that the model does not have
// (schema/unknown-key). The places stand in the manifest.
func Validate(m *schema.Map) []schema.Problem {
	c := compiler{}
	c.compile(m)
	return c.problems
}

type compiler struct{ problems []schema.Problem }

func (c *compiler) compile(m *schema.Map) plan {
	p := plan{pool: m.Pool}
	if m.PoolEach != "" {
		p.poolEach = c.parse("pool.each", m.PoolEach, m.At)
		p.poolName = c.parse("pool.name", m.PoolName, m.At)
	}
	if m.Members != "" {
		p.members = c.parse("members", m.Members, m.At)
	}
	if m.MembersEach != "" {
		p.membersEach = c.parse("members.each", m.MembersEach, m.At)
		for _, e := range m.MembersMap {
			p.attributes = c.attribute(p.attributes, "members", memberNames, e)
		}
	}
	c.fields(&p, "probe", m.Probe)
	c.fields(&p, "decision", m.Decision)
	c.fields(&p, "cooldown", m.Cooldown)
	c.fields(&p, "retry", m.Retry)
	if m.RampEach != "" {
		p.rampEach = c.parse("ramp.each", m.RampEach, m.At)
	}
	var rest []schema.MapEntry
	for _, e := range m.Ramp {
		if slices.Contains(batchNames, e.Key) {
			p.batch = c.attribute(p.batch, "ramp", batchNames, e)
		} else {
			rest = append(rest, e)
		}
	}
	c.fields(&p, "ramp", rest)
	return p
}

// parse compiles one path, nil where it is none.
func (c *compiler) parse(key, text string, at schema.Span) *expr {
	e, why, ok := parse(text)
	if !ok {
		c.problems = append(c.problems, schema.Problem{
			Rule: "schema/invalid", At: at, Field: "map." + key, Got: text,
			Text: schema.Text{
				En: fmt.Sprintf("map.%s: %q is no path: %s", key, text, why.En),
				Zh: fmt.Sprintf("map.%s：%q 不是路径：%s", key, text, why.Zh),
			},
			Hint: schema.Textf(`a path has keys with dots, "quoted" where they hold dots, [*] or [3] for lists, .* for mappings, and may close with a unit: upstreams.*.hosts[*], health.interval | ms`,
				`路径由点分隔的键组成，键名含点时加引号，列表用 [*] 或 [3]，映射用 .*，末尾可写单位：upstreams.*.hosts[*]、health.interval | ms`),
		})
		return nil
	}
	return &e
}

func (c *compiler) attribute(to []attribute, item string, known []string, m schema.MapEntry) []attribute {
	if !slices.Contains(known, m.Key) {
		c.unknown(item, m, known)
		return to
	}
	e := c.parse(item+"."+m.Key, m.Expr, m.At)
	if e == nil || !c.fits(item, m, kindOf(m.Key), *e) {
		return to
	}
	return append(to, attribute{m.Key, *e})
}

func (c *compiler) fields(p *plan, item string, entries []schema.MapEntry) {
	for _, m := range entries {
		key := m.Key
		if item == "cooldown" && key == "growth" { // the short form of the native grammar
			key = "growth.factor"
		}
		entry, ok := schema.EntryOf(schema.Path(item + "." + key))
		if !ok {
			c.unknown(item, m, leaves(item))
			continue
		}
		e := c.parse(item+"."+m.Key, m.Expr, m.At)
		if e == nil {
			continue
		}
		kind := entry.Kind
		if entry.Path == "cooldown.growth.factor" { // a number without a unit
			kind = schema.Int
		}
		if c.fits(item, m, kind, *e) {
			p.fields = append(p.fields, field{entry, *e})
		}
	}
}

// kindOf returns the kind of an attribute as far as units go.
func kindOf(name string) schema.Kind {
	switch name {
	case "dwell":
		return schema.Duration
	case "share":
		return schema.Number
	}
	return schema.TextKind
}

// fits reports a unit that cannot belong to a setting.
func (c *compiler) fits(item string, m schema.MapEntry, kind schema.Kind, e expr) bool {
	if e.unit.name == "" || kind == schema.Duration && e.unit.length != 0 || kind == schema.Number && e.unit.length == 0 {
		return true
	}
	c.problems = append(c.problems, schema.Problem{
		Rule: "schema/unit", At: m.At, Field: "map." + item + "." + m.Key, Got: m.Expr,
		Text: schema.Textf("map.%s.%s: the unit %s does not fit this setting", "map.%s.%s：单位 %s 不适用于该设置", item, m.Key, e.unit.name),
		Hint: schema.Textf("units of time go with durations, percent and ratio with ratios and shares", "时间单位用于时长，percent 和 ratio 用于比率和份额"),
	})
	return false
}

func (c *compiler) unknown(item string, m schema.MapEntry, known []string) {
	p := schema.Problem{
		Rule: "schema/unknown-key", At: m.At, Field: "map." + item + "." + m.Key, Got: m.Key,
		Text: schema.Textf("map.%s has no setting %q", "map.%s 没有设置 %q", item, m.Key),
	}
	if near := bind.Nearest(m.Key, known); near != "" {
		p.Want = near
		p.Hint = schema.Textf("did you mean %s?", "是否应为 %s？", near)
	} else {
		p.Hint = schema.Textf("the settings are: %s", "可用设置：%s", strings.Join(known, ", "))
	}
	c.problems = append(c.problems, p)
}

// leaves lists the settings of an item.
func leaves(item string) []string {
	var out []string
	for _, e := range schema.Model() {
		if e.Path.Item().String() == item {
			out = append(out, e.Path.Leaf())
		}
	}
	if item == "ramp" {
		out = append(out, batchNames...)
	}
	return out
}
