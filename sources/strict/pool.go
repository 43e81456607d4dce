package strict

import (
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/schema/judge"
	"github.com/poolproof/poolproof/sources/data"
)

// Pool judges the value of a pool and binds it to c, which knows its name and side.
func (f *File) Pool(c *schema.Copy, n *data.Node) {
	for _, i := range f.Check(judge.Pool, n) {
		p := i.Problem(schema.Textf("pool %s", "地址池 %s", c.Pool))
		p.Pool = c.Pool
		c.Report(p)
	}
	b := Binder{f, c}
	said := n.Partial || !b.usable("", n)
	for i := range n.Pairs {
		said = b.entry(n.Pairs[i].Key, n.Pairs[i].Value) || said
	}
	if !said {
		c.Report(schema.Problem{Rule: judge.RuleInvalid, At: c.PoolAt, Pool: c.Pool,
			Text: schema.Textf("pool %s states nothing", "地址池 %s 没有任何内容", c.Pool),
			Hint: schema.Textf("write at least one of members, probe, decision, cooldown, ramp, retry and onAllOut, or remove the pool",
				"至少写 members、probe、decision、cooldown、ramp、retry、onAllOut 之一，或删除该地址池")})
	}
}

// entry binds one entry of a pool and reports whether it is an item.
func (b *Binder) entry(key string, v *data.Node) bool {
	switch key {
	case "members":
		b.Members(v)
		return true
	case "domain":
		if b.usable("domain", v) {
			for i := range v.Pairs {
				b.Free(schema.Path("domain."+v.Pairs[i].Key), v.Pairs[i].Value)
			}
		}
	case "env":
		if b.usable("env", v) {
			b.Copy.Env = v.Text
		}
	case "engine":
		if b.usable("engine", v) {
			b.Copy.Engine = v.Text
		}
	case "constraints":
		b.Copy.Strict = b.usable("constraints", v) && v.Text == "strict"
	case "traffic":
		b.traffic(v)
	default:
		return b.Item(key, v)
	}
	return false
}

// traffic keeps the load as settings: traffic.rps, traffic.interfaces./pay.
func (b *Binder) traffic(n *data.Node) {
	if !b.usable("traffic", n) {
		return
	}
	for i := range n.Pairs {
		key, v := n.Pairs[i].Key, n.Pairs[i].Value
		p := schema.Path("traffic." + key)
		switch key {
		case "rps", "errorRate":
			b.Number(p, v)
		case "p50", "p99":
			b.Duration(p, v)
		case "interfaces", "regions":
			if !b.usable(p, v) {
				continue
			}
			for j := range v.Pairs {
				b.Number(p+"."+schema.Path(v.Pairs[j].Key), v.Pairs[j].Value)
			}
		}
	}
}
