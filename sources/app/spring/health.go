package spring

import (
	"math"

	"github.com/poolproof/poolproof/schema"
)

// probe reads the health checks of the load balancer for one service; a service's own settings lie over those of all.
func (r *reader) probe(b *binder, balancer *prop, service string) {
	common, own := balancer.child("health-check"), balancer.get("clients", service, "health-check")
	find := func(names ...string) *prop {
		for _, from := range []*prop{own, common} {
			if v := from.get(names...); v != nil && v.node != nil {
				return v
			}
		}
		return nil
	}
	if v := find("interval"); v != nil {
		if d, ok := b.duration("probe.interval", v, "Spring", "health-check.interval", 0); ok {
			b.Copy.Set("probe.interval", schema.DurationOf(d), v.valueAt)
		}
	}
	for _, name := range []string{service, "default"} {
		if v := find("path", name); v != nil {
			if text, ok := b.text("probe.path", v); ok {
				b.Copy.Set("probe.path", schema.TextOf(text), v.valueAt)
			}
			break
		}
	}
	if v := find("port"); v != nil {
		if n, ok := b.integer("probe.port", v, "Spring", "health-check.port", 1, math.MaxUint16); ok {
			b.Copy.Set("probe.port", schema.IntOf(n), v.valueAt)
		}
	}
	for _, name := range []string{"initial-delay", "refetch-instances-interval"} {
		if v := find(name); v != nil {
			p := schema.Path("health-check." + name)
			if d, ok := b.duration(p, v, "Spring", string(p), 0); ok {
				b.Copy.Set(p, schema.DurationOf(d), v.valueAt)
			}
		}
	}
	r.neverRuns(b)
}

// neverRuns reports a probe that the load balancer's configuration leaves out.
func (r *reader) neverRuns(b *binder) {
	c := b.Copy
	conf, ok := c.Get("loadbalancer.configurations")
	if !ok || !c.States(schema.Probe) || conf.Value.Text() == "health-check" {
		return
	}
	at := c.ItemAt[schema.Probe]
	c.Set("probe.off", schema.TextOf("configurations: "+conf.Value.Text()), conf.At)
	c.ItemAt[schema.Probe] = at // the configuration stands elsewhere
	c.Report(schema.Problem{
		Rule: "probe/never-runs", Severity: schema.Warning, At: at, Item: schema.Probe, Got: conf.Value.Text(), Want: "health-check",
		Text:    schema.Textf("a health check is written, and the load balancer's configuration is %s, which runs none", "写了健康检查，但负载均衡的 configurations 是 %s，不会执行检查", conf.Value.Text()),
		Hint:    schema.Textf("set configurations: health-check, or build the supplier with health checks in code", "设置 configurations: health-check，或在代码中构建带健康检查的 supplier"),
		Related: []schema.Note{{At: conf.At, Label: schema.Textf("the configuration", "该配置")}},
	})
}
