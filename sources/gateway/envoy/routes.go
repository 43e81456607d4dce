package envoy

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
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

// totalTimeout reads a route's time limit over all attempts; 0 switches it off and is no limit.
func (r *reader) totalTimeout(n *data.Node) {
	d, ok := r.durationValue("retry.total", n, zeroTaken)
	switch {
	case !ok:
	case d == 0:
		r.copy.Set("route.timeout", schema.DurationOf(time.Duration(0)), n.Place())
	default:
		r.copy.Set("retry.total", schema.DurationOf(d), n.Place())
	}
}

// retryPaths are where a retry policy's values go.
type retryPaths struct{ retries, on, perTry, prefix schema.Path }

var retryModel = retryPaths{"retry.attempts", "retry.on", "retry.perTry", "retry_policy."}

// retryPolicy reads one policy. retry.attempts is num_retries: tries beyond the first.
func (r *reader) retryPolicy(n *data.Node, to retryPaths) {
	for i := range n.Pairs {
		v := n.Pairs[i].Value
		switch n.Pairs[i].Key {
		case "num_retries", "numRetries":
			r.count(to.retries, v, 0, maxUint32)
		case "retry_on", "retryOn":
			r.conditions(to.on, v)
		case "per_try_timeout", "perTryTimeout":
			r.duration(to.perTry, v, zeroTaken)
		case "per_try_idle_timeout", "perTryIdleTimeout":
			r.duration(to.prefix+"per_try_idle_timeout", v, zeroTaken)
		case "retriable_status_codes", "retriableStatusCodes":
			var codes []string
			for _, code := range items(v) {
				codes = append(codes, text(code))
			}
			if codes != nil {
				r.copy.Set(to.prefix+"retriable_status_codes", schema.ListOf(codes...), v.Place())
			}
		case "retry_back_off", "retryBackOff":
			r.duration(to.prefix+"retry_back_off.base_interval", get(v, "base_interval", "baseInterval"), zeroRefused)
			r.duration(to.prefix+"retry_back_off.max_interval", get(v, "max_interval", "maxInterval"), zeroRefused)
		case "host_selection_retry_max_attempts", "hostSelectionRetryMaxAttempts":
			r.count(to.prefix+"host_selection_retry_max_attempts", v, 0, 1<<53)
		}
	}
}

// conditions reads "5xx,reset,connect-failure" as a sorted list: the order means nothing.
func (r *reader) conditions(p schema.Path, n *data.Node) {
	s, ok := bind.Of(n)
	if !ok {
		return
	}
	line, ok := r.bind.Resolve(p, s)
	if !ok {
		return
	}
	var on []string
	for _, word := range strings.Split(line, ",") {
		if word = strings.TrimSpace(word); word != "" {
			on = append(on, word)
		}
	}
	slices.Sort(on)
	if on = slices.Compact(on); on != nil {
		r.copy.Set(p, schema.ListOf(on...), s.At)
	}
}

// alike reports whether two nodes say the same, whatever their place. It follows them no deeper than policies go.
func alike(a, b *data.Node) bool { return alikeTo(a, b, 8) }

func alikeTo(a, b *data.Node, depth int) bool {
	if a == nil || b == nil || depth == 0 {
		return a == b
	}
	if a.Kind != b.Kind || a.Text != b.Text || len(a.Pairs) != len(b.Pairs) || len(a.Items) != len(b.Items) {
		return false
	}
	for i := range a.Pairs {
		if !alikeTo(a.Pairs[i].Value, b.Get(a.Pairs[i].Key), depth-1) {
			return false
		}
	}
	for i := range a.Items {
		if !alikeTo(a.Items[i], b.Items[i], depth-1) {
			return false
		}
	}
	return true
}
