package envoy

import (
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
)

// parts are a cluster's values, found in one pass over its keys.
type parts struct {
	name, kind, clusterType, loadAssignment, hosts, eds *data.Node
	healthChecks, outlier, commonLB, breakers           *data.Node
	lbPolicy, typedPolicy, roundRobin, leastRequest     *data.Node
	connectTimeout, dnsRefresh, ignoreHealth, transport *data.Node
}

func partsOf(n *data.Node) (p parts) {
	for i := range n.Pairs {
		v := n.Pairs[i].Value
		switch n.Pairs[i].Key {
		case "name":
			p.name = v
		case "type":
			p.kind = v
		case "cluster_type", "clusterType":
			p.clusterType = v
		case "load_assignment", "loadAssignment":
			p.loadAssignment = v
		case "hosts":
			p.hosts = v
		case "eds_cluster_config", "edsClusterConfig":
			p.eds = v
		case "health_checks", "healthChecks":
			p.healthChecks = v
		case "outlier_detection", "outlierDetection":
			p.outlier = v
		case "common_lb_config", "commonLbConfig":
			p.commonLB = v
		case "circuit_breakers", "circuitBreakers":
			p.breakers = v
		case "lb_policy", "lbPolicy":
			p.lbPolicy = v
		case "load_balancing_policy", "loadBalancingPolicy":
			p.typedPolicy = v
		case "round_robin_lb_config", "roundRobinLbConfig":
			p.roundRobin = v
		case "least_request_lb_config", "leastRequestLbConfig":
			p.leastRequest = v
		case "connect_timeout", "connectTimeout":
			p.connectTimeout = v
		case "dns_refresh_rate", "dnsRefreshRate":
			p.dnsRefresh = v
		case "ignore_health_on_host_removal", "ignoreHealthOnHostRemoval":
			p.ignoreHealth = v
		case "transport_socket", "transportSocket":
			p.transport = v
		}
	}
	return p
}

// cluster reads one cluster as one copy.
func (r *reader) cluster(n *data.Node) {
	p := partsOf(n)
	if r.nameless(p.name) {
		return
	}
	c := r.begin()
	r.name(n, &p)
	c.Fields = make([]schema.Field, 0, 16)

	kind := r.enum("type", p.kind)
	if t := text(get(p.clusterType, "name", "name")); t != "" {
		c.Set("cluster_type", schema.TextOf(t), p.clusterType.Place())
		kind = kindOfExtension(t)
	}
	r.duration("connect_timeout", p.connectTimeout, zeroRefused)
	r.enum("lb_policy", p.lbPolicy)
	r.duration("dns_refresh_rate", p.dnsRefresh, zeroRefused)
	r.flag("ignore_health_on_host_removal", p.ignoreHealth)
	r.members(&p, kind)
	r.healthChecks(p.healthChecks, isTLS(p.transport))
	before := len(c.Fields)
	r.outlierDetection(p.outlier)
	r.uncertain(before, p.outlier)
	r.balancing(&p)
	r.circuitBreakers(p.breakers)
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

// name sets the copy's pool.
func (r *reader) name(n *data.Node, p *parts) {
	c := r.copy
	if s, ok := bind.Of(p.name); ok && s.Text != "" {
		c.PoolAt = s.At
		c.Pool, _ = bind.Expand(s.Text, r.in.Vars, r.bind.Syntax)
		return
	}
	c.PoolAt = n.Place()
	if c.PoolAt.End > c.PoolAt.Start {
		c.PoolAt.End = c.PoolAt.Start // the place where the name should stand, not the whole cluster
	}
	c.Owned = true
	if c.Pool = text(get(p.loadAssignment, "cluster_name", "clusterName")); c.Pool == "" {
		c.Pool = "cluster:" + strconv.Itoa(len(r.out.Copies))
	}
	c.Report(schema.Problem{Rule: "schema/invalid", At: c.PoolAt, Field: "name",
		Text: schema.Textf("a cluster without a name; Envoy refuses it", "集群没有名称；Envoy 会拒绝"),
		Hint: schema.Textf("write name: ...", "请写明 name: ...")})
}

// kindOfExtension turns the name of a cluster extension into the type it replaces, so that both are read alike.
func kindOfExtension(name string) string {
	switch name[strings.LastIndexByte(name, '.')+1:] {
	case "static":
		return "STATIC"
	case "strict_dns":
		return "STRICT_DNS"
	case "logical_dns":
		return "LOGICAL_DNS"
	case "dns":
		return "DNS"
	case "eds":
		return "EDS"
	case "original_dst":
		return "ORIGINAL_DST"
	case "aggregate":
		return "AGGREGATE"
	}
	return "EXTENSION" // redis, dynamic_forward_proxy, ...: hosts, if any, are only where discovery starts
}

// isTLS reports whether the cluster talks TLS to its members, which its HTTP health checks then do too.
func isTLS(transport *data.Node) bool {
	name := text(get(transport, "name", "name"))
	return strings.Contains(name, "tls")
}
