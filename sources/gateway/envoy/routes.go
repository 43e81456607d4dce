package envoy

import (
	"slices"
	"strconv"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

// route is one route's action: the cluster that it points at, its time limit, and the retry policy that applies (its
// own, else the virtual host's).
type route struct {
	cluster        string
	retry, timeout *data.Node
}

// listener finds the route tables below a listener, wherever they stand in it (filter chains, default chains, nested
// filters), and the configurations of plugins.
func (r *reader) listener(n *data.Node, depth int) {
	if n == nil || depth > maxListenerDepth {
		return
	}
	for _, item := range n.Items {
		r.listener(item, depth+1)
	}
	for i := range n.Pairs {
		p := &n.Pairs[i]
		switch p.Key {
		case "route_config", "routeConfig":
			r.routeConfiguration(p.Value)
		case "configuration":
			r.plugin(p.Value)
		default:
			r.listener(p.Value, depth+1)
		}
	}
}

// maxListenerDepth bounds the search in listeners, whose extensions nest deeply.
const maxListenerDepth = 40

func (r *reader) routeConfiguration(n *data.Node) {
	for _, host := range items(get(n, "virtual_hosts", "virtualHosts")) {
		inherited := get(host, "retry_policy", "retryPolicy")
		for _, entry := range items(get(host, "routes", "routes")) {
			r.action(get(entry, "route", "route"), inherited)
		}
	}
}

func items(n *data.Node) []*data.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

func (r *reader) action(n, inherited *data.Node) {
	if n == nil {
		return
	}
	to := route{retry: get(n, "retry_policy", "retryPolicy"), timeout: get(n, "timeout", "timeout")}
	if to.retry == nil {
		to.retry = inherited
	}
	if to.retry == nil && to.timeout == nil {
		return
	}
	if to.cluster = text(get(n, "cluster", "cluster")); to.cluster != "" {
		r.routes = append(r.routes, to)
	}
	for _, weighted := range items(get(get(n, "weighted_clusters", "weightedClusters"), "clusters", "clusters")) {
		if to.cluster = text(get(weighted, "name", "name")); to.cluster != "" {
			r.routes = append(r.routes, to)
		}
	}
}

// placeRoutes gives each cluster of the file what the routes that point at it say.
func (r *reader) placeRoutes() {
	if len(r.routes) == 0 {
		return
	}
	byCluster := make(map[string][]route)
	for _, to := range r.routes {
		byCluster[to.cluster] = append(byCluster[to.cluster], to)
	}
	for i := range r.out.Copies {
		r.open(i)
		if routes := byCluster[r.copy.Pool]; routes != nil {
			r.routePolicies(routes)
		}
	}
}

func (r *reader) routePolicies(routes []route) {
	var policies, timeouts []*data.Node
	for _, to := range routes {
		if !absent(to.retry) && to.retry.Kind == data.Map && len(policies) < maxEntries && !slices.ContainsFunc(policies, func(n *data.Node) bool { return alike(n, to.retry) }) {
			policies = append(policies, to.retry)
		}
		if !absent(to.timeout) && len(timeouts) < maxEntries && !slices.ContainsFunc(timeouts, func(n *data.Node) bool { return alike(n, to.timeout) }) {
			timeouts = append(timeouts, to.timeout)
		}
	}
	switch {
	case len(policies) == 1:
		r.retryPolicy(policies[0], retryModel)
	default:
		for i, n := range policies {
			prefix := schema.Path("retry_policy[" + strconv.Itoa(i) + "].")
			r.retryPolicy(n, retryPaths{prefix + "num_retries", prefix + "retry_on", prefix + "per_try_timeout", prefix})
		}
	}
	switch {
	case len(timeouts) == 1 && len(policies) == 1:
		r.totalTimeout(timeouts[0])
	case len(timeouts) == 1:
		r.duration("route.timeout", timeouts[0], zeroTaken)
	default:
		for i, n := range timeouts {
			r.duration(schema.Path("route["+strconv.Itoa(i)+"].timeout"), n, zeroTaken)
		}
	}
}
