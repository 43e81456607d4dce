package apisix

import (
	"fmt"
	"math"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
)

// upstream reads an upstream that stands on its own. APISIX refers to it by id, so that is its name.
func (r *reader) upstream(n *data.Node, id identity) {
	if r.nameless(n.Get("id")) || n.Get("id") == nil && id.id == "" && r.nameless(n.Get("name")) {
		return
	}
	c := r.begin()
	c.PoolAt = start(n)
	switch {
	case r.called(n.Get("id")):
	case id.id != "":
		c.Pool, c.PoolAt = id.id, id.at
	case r.called(n.Get("name")):
	default:
		c.Pool, c.Owned = fmt.Sprintf("upstream:%d", len(r.out.Copies)), true
	}
	r.names[c.Pool] = true
	r.fill(n)
}

// called names the copy after a scalar.
func (r *reader) called(n *data.Node) bool {
	s, ok := bind.Of(n)
	if !ok || s.Text == "" {
		return false
	}
	r.copy.PoolAt = s.At
	r.copy.Pool, _ = bind.Expand(s.Text, r.in.Vars, r.bind.Syntax)
	return true
}

// nameless reports a name that stays a template: nobody can tell which pool it is, or how many.
func (r *reader) nameless(n *data.Node) bool {
	if _, known := bind.Expand(text(n), r.in.Vars, r.bind.Syntax); known {
		return false
	}
	r.out.Report(schema.Problem{Rule: "source/skipped", At: n.Place(),
		Text: schema.Textf("the pool %q is named by a template and is not read", "地址池 %q 的名称来自模板，未读取", n.Text)})
	return true
}

// uncertain turns the settings recorded since into unresolved ones where the lines of a template decide which of them
// stand in the block.
func (r *reader) uncertain(since int, block *data.Node) {
	if block == nil || !block.Partial {
		return
	}
	c := r.copy
	for _, f := range c.Fields[since:] {
		c.Unresolve(f.Path, f.Value.String(), f.At)
	}
	c.Fields = c.Fields[:since]
}

// start is the place where an object begins, for what stands nowhere.
func start(n *data.Node) schema.Span {
	at := n.Place()
	at.End = at.Start
	return at
}

// inline reads an upstream inside another object. suffix tells several of one owner apart.
func (r *reader) inline(n *data.Node, o *owner, suffix string) {
	own := n.Get("id")
	if text(own) == "" {
		if own = n.Get("name"); o.kind == services && text(own) == "default" {
			own = nil // what ADC calls the upstream of every service
		}
	}
	name, at := "", schema.Span{}
	if text(own) == "" {
		if name, at = o.name(r); name == "" {
			return
		}
	} else if r.nameless(own) {
		return
	}
	c := r.begin()
	c.PoolAt = start(n)
	if !r.called(own) {
		c.Owned = true
		if c.Pool = name + suffix; at.Known() {
			c.PoolAt = at
		}
		if r.names[c.Pool] { // an upstream has the owner's id as its own
			c.Pool = string(o.kind) + ":" + c.Pool
		}
	}
	r.names[c.Pool] = true
	r.fill(n)
}

// fill reads an upstream's settings into the current copy.
func (r *reader) fill(n *data.Node) {
	var nodes, service, scheme, checks *data.Node
	for i := range n.Pairs {
		p := &n.Pairs[i]
		v := p.Value
		switch p.Key {
		case "nodes":
			nodes = v
		case "service_name":
			service = v
			r.words("service_name", v)
		case "scheme":
			scheme = v
			r.words("scheme", v)
		case "checks":
			checks = v
		case "type", "hash_on", "key", "pass_host", "upstream_host", "discovery_type":
			r.words(schema.Path(p.Key), v)
		case "retries":
			r.count("retry.attempts", v, 0, math.MaxInt32)
		case "retry_timeout":
			r.retryTimeout(v)
		case "timeout":
			r.timeouts("timeout.", v)
		case "keepalive_pool":
			r.count("keepalive_pool.size", v.Get("size"), 1, math.MaxInt32)
			r.seconds("keepalive_pool.idle_timeout", v.Get("idle_timeout"), zeroTaken)
			r.count("keepalive_pool.requests", v.Get("requests"), 1, math.MaxInt32)
		}
	}
	switch {
	case nodes != nil && nodes.Kind != data.Null:
		r.nodes(nodes, scheme)
	case service != nil:
		r.copy.ItemAt[schema.Members] = service.Place()
	}
	if checks != nil && checks.Kind != data.Null {
		r.checks(checks)
	}
}

// retryTimeout is the time over all tries; 0 is no limit and stays a setting.
func (r *reader) retryTimeout(n *data.Node) {
	d, ok := r.secondsValue("retry.total", n, zeroTaken)
	switch {
	case !ok:
	case d == 0:
		r.copy.Set("retry_timeout", schema.DurationOf(d), n.Place())
	default:
		r.copy.Set("retry.total", schema.DurationOf(d), n.Place())
	}
}

func (r *reader) timeouts(prefix schema.Path, n *data.Node) {
	if n == nil {
		return
	}
	for i := range n.Pairs {
		switch p := &n.Pairs[i]; p.Key {
		case "connect", "send", "read":
			r.seconds(prefix+schema.Path(p.Key), p.Value, zeroRefused)
		}
	}
}
