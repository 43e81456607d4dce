package envoy

import (
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
)

// members reads the cluster's list. It is complete where it is written here: discovery (EDS, LEDS, the request's own
// destination, extensions) and templates that stand for a whole list make it partial. A written host name is static
// also where Envoy resolves it.
func (r *reader) members(p *parts, kind string) {
	c := r.copy
	switch {
	case !absent(p.loadAssignment):
		r.loadAssignment(p.loadAssignment)
	case !absent(p.hosts):
		r.hosts(p.hosts)
	case p.eds != nil:
		c.ItemAt[schema.Members] = p.eds.Place()
	case p.kind != nil && (kind == "EDS" || kind == "ORIGINAL_DST"):
		c.ItemAt[schema.Members] = p.kind.Place()
	}
	if name := text(get(p.eds, "service_name", "serviceName")); name != "" {
		c.Set("eds_cluster_config.service_name", schema.TextOf(name), p.eds.Place())
	}
	switch kind {
	case "EDS", "ORIGINAL_DST", "CLUSTER_PROVIDED", "EXTENSION":
		c.Complete = false
	case "AGGREGATE":
		c.Complete = false
		r.aggregate(p.clusterType)
	case "LOGICAL_DNS":
		if p.loadAssignment != nil && len(c.Members)+c.UnresolvedMembers() > 1 {
			c.Report(schema.Problem{Rule: "schema/invalid", At: c.ItemAt[schema.Members], Item: schema.Members,
				Text: schema.Textf("a LOGICAL_DNS cluster with %d endpoints; Envoy refuses more than one", "LOGICAL_DNS 集群写了 %d 个端点；Envoy 只接受一个", len(c.Members)+c.UnresolvedMembers()),
				Hint: schema.Textf("write type: STRICT_DNS, or keep one endpoint", "改为 type: STRICT_DNS，或只保留一个端点")})
		}
	case "STATIC":
		r.staticNames()
	}
}

// staticNames reports host names in a cluster whose type allows only addresses.
func (r *reader) staticNames() {
	for i := range r.copy.Members {
		m := &r.copy.Members[i]
		if _, resolver := m.Get("resolver"); m.Host == "" || resolver || schema.IsAddress(m.Host) {
			continue
		}
		r.copy.Report(schema.Problem{Rule: "schema/invalid", At: m.HostAt, Item: schema.Members, Member: m.ID(), Got: m.Host,
			Text: schema.Textf("%s is a name, and the cluster's type is STATIC; Envoy refuses names there", "%s 是主机名，而集群类型为 STATIC；Envoy 此处不接受主机名", m.Host),
			Hint: schema.Textf("write type: STRICT_DNS, or the address", "改为 type: STRICT_DNS，或写 IP 地址")})
	}
}

// aggregate records the clusters that an aggregate cluster tries in turn.
func (r *reader) aggregate(clusterType *data.Node) {
	n := get(get(clusterType, "typed_config", "typedConfig"), "clusters", "clusters")
	if n == nil || n.Kind != data.List {
		return
	}
	names := make([]string, 0, len(n.Items))
	for _, item := range n.Items {
		names = append(names, text(item))
	}
	r.copy.Set("cluster_type.clusters", schema.ListOf(names...), n.Place())
}

// loadAssignment reads a ClusterLoadAssignment into the current copy.
func (r *reader) loadAssignment(n *data.Node) {
	c := r.copy
	c.ItemAt[schema.Members] = n.Place()
	if !r.object("members", n) {
		return
	}
	c.Complete = !n.Partial
	var endpoints *data.Node
	for i := range n.Pairs {
		switch p := &n.Pairs[i]; p.Key {
		case "endpoints":
			endpoints = p.Value
		case "policy":
			r.overprovisioning(p.Value)
		}
	}
	if absent(endpoints) {
		return
	}
	c.ItemAt[schema.Members] = endpoints.Place()
	if endpoints.Kind != data.List {
		c.Complete = false
		r.wrongKind("members", endpoints, "a list", "列表")
		return
	}
	if endpoints.Partial {
		c.Complete = false
	}
	groups := make([]locality, 0, 4)
	total := 0
	for _, item := range endpoints.Items {
		g, ok := r.localityOf(item)
		if ok {
			total += len(g.members)
			groups = append(groups, g)
		}
	}
	c.Members = make([]schema.Member, 0, total)
	position := 0
	for i := range groups {
		for _, entry := range groups[i].members {
			if !r.lbEndpoint(r.next(entry), entry, &groups[i], position) {
				r.drop()
			}
			position++
		}
	}
}

func (r *reader) overprovisioning(n *data.Node) {
	r.count("load_assignment.policy.overprovisioning_factor", get(n, "overprovisioning_factor", "overprovisioningFactor"), 1, maxUint32)
	r.flag("load_assignment.policy.weighted_priority_health", get(n, "weighted_priority_health", "weightedPriorityHealth"))
}

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
