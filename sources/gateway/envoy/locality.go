package envoy

import (
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
)

// locality is one group of endpoints and what it gives to each of them.
type locality struct {
	members     []*data.Node
	priority    int64
	priorityAt  schema.Span
	hasPriority bool
	extra       []schema.Field // region, zone, sub_zone, locality.weight
}

// maxPriority is the highest number of a priority that Envoy takes.
const maxPriority = 128

func (r *reader) localityOf(n *data.Node) (g locality, ok bool) {
	if n.Kind != data.Map {
		r.copy.Complete = false
		if !absent(n) {
			r.wrongKind("members", n, "a mapping", "映射")
		}
		return g, false
	}
	if n.Partial {
		r.copy.Complete = false
	}
	for i := range n.Pairs {
		v := n.Pairs[i].Value
		switch n.Pairs[i].Key {
		case "priority":
			if g.priority, g.hasPriority = r.whole("members.priority", v, 0, maxPriority); g.hasPriority {
				g.priorityAt = v.Place()
			}
		case "lb_endpoints", "lbEndpoints":
			if g.members = r.list("members", v); v.Partial || v.Kind != data.List && !absent(v) {
				r.copy.Complete = false
			}
		case "load_balancing_weight", "loadBalancingWeight":
			if w, ok := r.whole("load_assignment.locality_weight", v, 1, maxUint32); ok {
				g.extra = append(g.extra, schema.Field{Path: "locality.weight", Value: schema.IntOf(w), At: v.Place()})
			}
		case "locality":
			for _, name := range [...]struct {
				snake, camel string
				path         schema.Path
			}{{"region", "region", "region"}, {"zone", "zone", "zone"}, {"sub_zone", "subZone", "sub_zone"}} {
				if part := get(v, name.snake, name.camel); text(part) != "" {
					g.extra = append(g.extra, schema.Field{Path: name.path, Value: schema.TextOf(part.Text), At: part.Place()})
				}
			}
		case "leds_cluster_locality_config", "ledsClusterLocalityConfig":
			r.copy.Complete = false
		}
	}
	return g, true
}

// next gives the next place in the list to a member; drop takes it back where the entry holds none.
func (r *reader) next(n *data.Node) *schema.Member {
	r.copy.Members = append(r.copy.Members, schema.Member{At: n.Place()})
	return &r.copy.Members[len(r.copy.Members)-1]
}

func (r *reader) drop() { r.copy.Members = r.copy.Members[:len(r.copy.Members)-1] }

// lbEndpoint reads one entry of lb_endpoints.
func (r *reader) lbEndpoint(m *schema.Member, n *data.Node, g *locality, position int) bool {
	if n.Kind != data.Map {
		r.oddEntry(n, position)
		return false
	}
	m.HasPriority, m.Priority, m.PriorityAt = g.hasPriority, g.priority, g.priorityAt
	if len(g.extra) > 0 {
		m.Extra = append(make([]schema.Field, 0, len(g.extra)+2), g.extra...)
	}
	var endpoint *data.Node
	for i := range n.Pairs {
		v := n.Pairs[i].Value
		switch n.Pairs[i].Key {
		case "endpoint":
			endpoint = v
		case "load_balancing_weight", "loadBalancingWeight":
			w, ok := plain(v)
			if !ok || w < 1 || w > maxUint32 {
				w, ok = r.whole(memberPath(position, ".weight"), v, 1, maxUint32)
			}
			if ok {
				m.HasWeight, m.Weight, m.WeightAt = true, w, v.Place()
			}
		case "health_status", "healthStatus":
			r.healthStatus(m, v, position)
		case "endpoint_name", "endpointName": // the endpoint itself comes from elsewhere
			r.copy.Complete = false
			return false
		}
	}
	return r.endpoint(m, endpoint, position)
}

// oddEntry records a list entry that is no mapping: a template that stands for one entry or for many.
func (r *reader) oddEntry(n *data.Node, position int) {
	r.copy.Complete = false
	if !absent(n) {
		r.wrongKind(memberPath(position, ""), n, "a mapping", "映射")
	}
}

func memberPath(position int, leaf string) schema.Path {
	return schema.Path("members[" + strconv.Itoa(position) + "]" + leaf)
}

// healthStatus reads what EDS and static lists say about a member's health.
func (r *reader) healthStatus(m *schema.Member, n *data.Node, position int) {
	s, ok := bind.Of(n)
	if !ok {
		return
	}
	word, ok := r.bind.Resolve(memberPath(position, ".state"), s)
	if !ok {
		return
	}
	word = strings.ToUpper(word)
	switch word {
	case "UNKNOWN":
		return
	case "HEALTHY":
		m.State = schema.Active
	case "DRAINING":
		m.State = schema.Drain
	case "UNHEALTHY", "TIMEOUT":
		m.State = schema.Disabled
	case "DEGRADED": // gets traffic when the healthy ones cannot take it all
		m.State = schema.Active
	default:
		r.refuse(memberPath(position, ".state"), n, "schema/invalid",
			schema.Textf("health_status: Envoy does not know %q", "health_status：Envoy 不认识 %q", s.Text),
			schema.Textf("one of HEALTHY, UNHEALTHY, DRAINING, TIMEOUT, DEGRADED, UNKNOWN", "可用 HEALTHY、UNHEALTHY、DRAINING、TIMEOUT、DEGRADED、UNKNOWN"))
		return
	}
	m.StateAt = s.At
	m.Extra = append(m.Extra, schema.Field{Path: "health_status", Value: schema.TextOf(word), At: s.At})
}
