package apisix

import (
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
	"github.com/poolproof/poolproof/sources/gateway/internal/settings"
)

// owner is a route, service or stream route: what an inline upstream is called after, and whose plugins concern it.
type owner struct {
	kind resource
	node *data.Node
	id   identity
	copy int // of its inline upstream; -1 without one
}

// name returns the owner's id, else its name, else its kind with what it serves. One that stays a template is reported,
// and there is no name then.
func (o *owner) name(r *reader) (string, schema.Span) {
	for _, key := range [...]string{"id", "name"} {
		if n := o.node.Get(key); text(n) != "" {
			if r.nameless(n) {
				return "", schema.Span{}
			}
			name, _ := bind.Expand(n.Text, r.in.Vars, r.bind.Syntax)
			return name, n.Place()
		}
		if key == "id" && o.id.id != "" {
			return o.id.id, o.id.at
		}
	}
	for _, key := range [...]string{"uri", "uris", "host", "hosts", "server_port"} {
		n := o.node.Get(key)
		if n != nil && n.Kind == data.List && len(n.Items) > 0 {
			n = n.Items[0]
		}
		if text(n) != "" {
			if r.nameless(n) {
				return "", schema.Span{}
			}
			serves, _ := bind.Expand(n.Text, r.in.Vars, r.bind.Syntax)
			return string(o.kind) + ":" + serves, n.Place()
		}
	}
	return string(o.kind), start(o.node)
}

// plugins reads the plugins that name upstreams or instances, and remembers the owner for those that concern its own
// upstream, which may stand further down in the file.
func (r *reader) plugins(o *owner) {
	plugins := o.node.Get("plugins")
	if plugins == nil {
		return
	}
	split, multi := plugins.Get("traffic-split"), plugins.Get("ai-proxy-multi")
	if split != nil || plugins.Get("api-breaker") != nil {
		r.owners = append(r.owners, *o)
	}
	for i, rule := range items(split.Get("rules")) {
		for j, weighted := range items(rule.Get("weighted_upstreams")) {
			if up := weighted.Get("upstream"); up != nil && up.Kind == data.Map {
				r.inline(up, o, "/traffic-split:"+strconv.Itoa(i)+"."+strconv.Itoa(j))
			}
		}
	}
	if multi != nil && multi.Kind == data.Map {
		r.instances(multi, o)
	}
}

func items(n *data.Node) []*data.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// first bounds how many entries are recorded as settings of lists of which APISIX takes few (20 weighted upstreams).
func first(list []*data.Node) []*data.Node { return list[:min(len(list), 20)] }

// placePlugins records at an owner's upstream how traffic-split divides its traffic and what api-breaker does to it.
// Both act on the route as a whole and take no member out, so they are settings.
func (r *reader) placePlugins() {
	if len(r.owners) == 0 {
		return
	}
	byID := make(map[string]int, len(r.out.Copies))
	for i := range r.out.Copies {
		byID[r.out.Copies[i].Pool] = i
	}
	broken := map[int]bool{} // upstreams whose breaker is recorded: the first of several routes speaks
	for _, o := range r.owners {
		i, ok := o.copy, o.copy >= 0
		if !ok {
			i, ok = byID[text(o.node.Get("upstream_id"))]
		}
		if !ok {
			continue
		}
		r.open(i)
		plugins := o.node.Get("plugins")
		if breaker := plugins.Get("api-breaker"); breaker != nil && !broken[i] {
			broken[i] = true
			settings.Flatten(&r.bind, "api-breaker", breaker)
		}
		r.weights(plugins.Get("traffic-split"))
	}
}

func (r *reader) weights(split *data.Node) {
	for i, rule := range first(items(split.Get("rules"))) {
		for j, weighted := range first(items(rule.Get("weighted_upstreams"))) {
			prefix := schema.Path("traffic-split.rules[" + strconv.Itoa(i) + "].weighted_upstreams[" + strconv.Itoa(j) + "].")
			r.count(prefix+"weight", weighted.Get("weight"), 0, 1<<31-1)
			r.words(prefix+"upstream_id", weighted.Get("upstream_id"))
			if name := weighted.Get("upstream").Get("name"); strings.TrimSpace(text(name)) != "" {
				r.words(prefix+"upstream", name)
			}
		}
	}
}
