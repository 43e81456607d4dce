package apisix

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
	"github.com/poolproof/poolproof/sources/gateway/internal/settings"
)

// instances reads ai-proxy-multi: its instances are the members, told apart by provider and model, or by their endpoint
// where several have both in common.
func (r *reader) instances(n *data.Node, o *owner) {
	name, at := o.name(r)
	if name == "" {
		return
	}
	c := r.begin()
	c.Pool, c.Owned, c.PoolAt = name, true, at
	if o.copy >= 0 || r.names[name] {
		c.Pool += "/ai-proxy-multi"
	}
	r.names[c.Pool] = true
	list := n.Get("instances")
	if !absent(list) {
		c.ItemAt[schema.Members] = list.Place()
		if c.Complete = list.Kind == data.List && !list.Partial; list.Kind != data.List {
			r.wrongKind("members", list, "a list of instances", "instances 列表")
		}
	}
	for i, item := range items(list) {
		r.instance(item, i)
	}
	r.tellApart()
	r.instanceChecks(items(list))
	settings.Flatten(&r.bind, "balancer", n.Get("balancer"))
	r.fallback(n.Get("fallback_strategy"))
	r.count("retry.attempts", n.Get("max_retries"), 0, math.MaxInt32)
	r.milliseconds("retry_on_failure_within_ms", n.Get("retry_on_failure_within_ms"))
	r.milliseconds("timeout", n.Get("timeout"))
}

func (r *reader) instance(n *data.Node, i int) {
	if n == nil || n.Kind != data.Map {
		r.copy.Complete = false
		if !absent(n) {
			r.wrongKind(memberPath(i, ""), n, "a mapping", "映射")
		}
		return
	}
	m := schema.Member{At: n.Place(), HostAt: n.Place()}
	provider, model := n.Get("provider"), n.Get("options").Get("model")
	for _, part := range [...]*data.Node{provider, model} {
		if _, known := bind.Expand(text(part), r.in.Vars, r.bind.Syntax); !known {
			r.copy.Unresolve(memberPath(i, ""), text(provider)+"/"+text(model), m.At)
			return
		}
	}
	m.Provider, _ = bind.Expand(text(provider), r.in.Vars, r.bind.Syntax)
	m.Model, _ = bind.Expand(text(model), r.in.Vars, r.bind.Syntax)
	if m.Provider == "" {
		r.bind.Refuse(memberPath(i, ""), bind.Scalar{At: m.At}, "schema/invalid",
			schema.Textf("an instance without a provider; APISIX refuses it", "实例没有 provider；APISIX 会拒绝"), schema.Text{})
		return
	}
	m.HostAt = provider.Place()
	if name := n.Get("name"); text(name) != "" {
		m.Extra = append(m.Extra, schema.Field{Path: "name", Value: schema.TextOf(name.Text), At: name.Place()})
	}
	if endpoint := n.Get("override").Get("endpoint"); text(endpoint) != "" {
		m.Extra = append(m.Extra, schema.Field{Path: "endpoint", Value: schema.TextOf(endpoint.Text), At: endpoint.Place()})
	}
	if p := n.Get("priority"); !absent(p) {
		if v, ok := r.whole(memberPath(i, ".priority"), p, -math.MaxInt32, math.MaxInt32); ok {
			m.HasPriority, m.Priority, m.PriorityAt = true, -v, p.Place()
		}
	}
	if w := n.Get("weight"); !absent(w) {
		r.weight(&m, w, i)
	}
	r.copy.Members = append(r.copy.Members, m)
}

// tellApart makes the endpoint the identity of instances that share provider and model but not the endpoint.
func (r *reader) tellApart() {
	count := make(map[string]int, len(r.copy.Members))
	for i := range r.copy.Members {
		count[r.copy.Members[i].ID()]++
	}
	for i := range r.copy.Members {
		m := &r.copy.Members[i]
		endpoint, written := m.Get("endpoint")
		if count[m.ID()] < 2 || !written {
			continue
		}
		e, ok := schema.SplitEndpoint(endpoint.Value.Text())
		if !ok {
			continue
		}
		if e.Port == 0 {
			e.Port, m.PortImplied = schema.DefaultPort(e.Scheme), true
		}
		m.Extra = append(m.Extra,
			schema.Field{Path: "provider", Value: schema.TextOf(m.Provider), At: m.HostAt}, schema.Field{Path: "model", Value: schema.TextOf(m.Model), At: m.HostAt})
		m.Host, m.Port, m.Provider, m.Model, m.HostAt = e.Host, uint16(e.Port), "", "", endpoint.At
	}
}

// instanceChecks reads the instances' active checks: as the probe where all that have one agree, else as settings.
func (r *reader) instanceChecks(list []*data.Node) {
	var checks []*data.Node
	for _, item := range list {
		if active := item.Get("checks").Get("active"); active != nil && active.Kind == data.Map {
			checks = append(checks, active)
		}
	}
	if len(checks) == 0 {
		return
	}
	if !slices.ContainsFunc(checks, func(n *data.Node) bool { return !alike(n, checks[0], 8) }) {
		r.copy.Touch(schema.Probe, checks[0].Place())
		r.active(checks[0])
		return
	}
	for i, item := range list {
		settings.Flatten(&r.bind, schema.Path("instances["+strconv.Itoa(i)+"].checks"), item.Get("checks"))
	}
}

// alike reports whether two nodes say the same, whatever their place.
func alike(a, b *data.Node, depth int) bool {
	if a == nil || b == nil || depth == 0 {
		return a == b
	}
	if a.Kind != b.Kind || a.Text != b.Text || len(a.Pairs) != len(b.Pairs) || len(a.Items) != len(b.Items) {
		return false
	}
	for i := range a.Pairs {
		if !alike(a.Pairs[i].Value, b.Get(a.Pairs[i].Key), depth-1) {
			return false
		}
	}
	for i := range a.Items {
		if !alike(a.Items[i], b.Items[i], depth-1) {
			return false
		}
	}
	return true
}

// fallback reads which failures move a request to another instance: one word or a list.
func (r *reader) fallback(n *data.Node) {
	if absent(n) {
		return
	}
	var on []string
	if n.Scalar() {
		on = append(on, n.Text)
	}
	for _, item := range items(n) {
		on = append(on, text(item))
	}
	slices.Sort(on)
	if on = slices.Compact(on); on != nil {
		r.copy.Set("retry.on", schema.ListOf(on...), n.Place())
	}
}

// milliseconds sets a length of time that APISIX counts in milliseconds.
func (r *reader) milliseconds(p schema.Path, n *data.Node) {
	if s, ok := bind.Of(n); ok && r.hasUnit(p, n, s.Text) {
		return
	}
	if v, ok := r.whole(p, n, 0, math.MaxInt32); ok {
		r.copy.Set(p, schema.DurationOf(time.Duration(v)*time.Millisecond), n.Place())
	}
}
