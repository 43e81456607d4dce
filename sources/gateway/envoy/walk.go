package envoy

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
)

// reader reads one file. copy is the pool being filled, the last of out.Copies.
type reader struct {
	in   sources.Input
	out  *sources.Result
	bind bind.Binder
	copy *schema.Copy
	// files is shared by all copies; nobody can append to it.
	files []string

	// What can only be placed once all clusters are known.
	assignments []*data.Node // endpoints that stand on their own
	routes      []route
	plugins     []plugin
	later       []*data.Node // clusters that count only where no other of their name does
}

// role is what a node is by its place in the file.
type role uint8

const (
	anything   role = iota
	cluster         // under clusters, or in a dump's cluster
	assignment      // a ClusterLoadAssignment
	spare           // a cluster that is a repetition or not in use yet: the dump's bootstrap, warming clusters
	listener        // holds routes
	routing         // a RouteConfiguration
)

// maxDepth bounds the search for clusters; Envoy's deepest shape (a dump's bootstrap) needs six levels.
const maxDepth = 12

// visit finds clusters, endpoints and routes below n.
func (r *reader) visit(n *data.Node, as role, depth int) {
	if n == nil || depth > maxDepth {
		return
	}
	switch n.Kind {
	case data.List:
		if as == cluster || as == anything {
			r.grow(len(n.Items))
		}
		for _, item := range n.Items {
			r.visit(item, as, depth+1)
		}
	case data.Map:
		if as == anything {
			as = roleOf(n)
		}
		switch as {
		case cluster:
			r.cluster(n)
		case assignment:
			r.assignments = append(r.assignments, n)
		case spare:
			if roleOf(n) == cluster {
				r.later = append(r.later, n)
			} else {
				r.children(n, spare, depth)
			}
		case listener:
			r.listener(n, depth)
		case routing:
			r.routeConfiguration(n)
		default:
			r.children(n, anything, depth)
		}
	}
}

// children follows the keys under which Envoy nests clusters, endpoints and routes.
func (r *reader) children(n *data.Node, as role, depth int) {
	for i := range n.Pairs {
		p := &n.Pairs[i]
		to := as
		switch p.Key {
		case "static_resources", "staticResources", "resources", "resource", "configs", "endpoint_config", "endpointConfig":
		case "static_clusters", "staticClusters", "dynamic_active_clusters", "dynamicActiveClusters",
			"static_endpoint_configs", "staticEndpointConfigs", "dynamic_endpoint_configs", "dynamicEndpointConfigs",
			"static_route_configs", "staticRouteConfigs", "dynamic_route_configs", "dynamicRouteConfigs",
			"static_listeners", "staticListeners", "dynamic_listeners", "dynamicListeners", "active_state", "activeState":
		case "clusters", "cluster":
			if to == anything {
				to = cluster
			}
		case "dynamic_warming_clusters", "dynamicWarmingClusters", "bootstrap":
			to = spare
		case "listeners", "listener":
			to = listener
		case "route_config", "routeConfig":
			to = routing
		default:
			continue
		}
		r.visit(p.Value, to, depth+1)
	}
}

// roleOf tells what a mapping is by its type, or where it has none by its keys.
func roleOf(n *data.Node) role {
	named, clusterLike := false, false
	for i := range n.Pairs {
		switch p := &n.Pairs[i]; p.Key {
		case "@type":
			if as := roleOfType(p.Value.Text); as != anything {
				return as
			}
		case "name":
			named = true
		case "load_assignment", "loadAssignment", "connect_timeout", "connectTimeout", "eds_cluster_config", "edsClusterConfig",
			"lb_policy", "lbPolicy", "health_checks", "healthChecks", "outlier_detection", "outlierDetection":
			clusterLike = true
		case "cluster_name", "clusterName":
			if n.Get("endpoints") != nil {
				return assignment
			}
		case "virtual_hosts", "virtualHosts":
			return routing
		case "filter_chains", "filterChains":
			return listener
		case "static_resources", "staticResources":
			return anything
		}
	}
	if named && clusterLike {
		return cluster
	}
	return anything
}

func roleOfType(name string) role {
	switch name[strings.LastIndexByte(name, '.')+1:] {
	case "Cluster":
		return cluster
	case "ClusterLoadAssignment":
		return assignment
	case "RouteConfiguration":
		return routing
	case "Listener":
		return listener
	}
	return anything
}

// grow makes room for n more copies at once.
func (r *reader) grow(n int) {
	if free := cap(r.out.Copies) - len(r.out.Copies); free < n {
		copies := make([]schema.Copy, len(r.out.Copies), len(r.out.Copies)+n)
		copy(copies, r.out.Copies)
		r.out.Copies = copies
	}
}

// begin adds a copy and makes it the current one.
func (r *reader) begin() *schema.Copy {
	s := r.in.Source
	profile := s.Profile
	if profile == "" {
		profile = "envoy"
	}
	r.out.Copies = append(r.out.Copies, schema.Copy{
		Side: s.Side, Format: "envoy", Profile: profile, Env: s.Env, Files: r.files[:1:1],
	})
	r.open(len(r.out.Copies) - 1)
	return r.copy
}

// open makes an earlier copy the current one.
func (r *reader) open(i int) {
	r.copy = &r.out.Copies[i]
	r.bind.Copy = r.copy
}

// finish places what was set aside: spare clusters whose name nobody has, endpoints at the clusters that discover them,
// and the routes' retry policies.
func (r *reader) finish() {
	if len(r.later) > 0 {
		names := make(map[string]bool, len(r.out.Copies))
		for i := range r.out.Copies {
			names[r.out.Copies[i].Pool] = true
		}
		for _, n := range r.later {
			if name := text(n.Get("name")); !names[name] {
				names[name] = true
				r.cluster(n)
			}
		}
	}
	r.placeAssignments()
	r.placeRoutes()
	r.placePlugins()
}
