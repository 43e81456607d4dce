package envoy

import (
	"github.com/poolproof/poolproof/schema"
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
