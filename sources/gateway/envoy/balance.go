package envoy

import (
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

// balancing reads what decides between members: policy, slow start, panic threshold, locality settings, in the old
// style (lb_policy and *_lb_config) and the new one (load_balancing_policy).
func (r *reader) balancing(p *parts) {
	for _, config := range [...]*data.Node{p.roundRobin, p.leastRequest} {
		r.slowStart(get(config, "slow_start_config", "slowStartConfig"))
	}
	if n := get(p.leastRequest, "choice_count", "choiceCount"); n != nil {
		r.count("least_request_lb_config.choice_count", n, 2, maxUint32)
	}
	if p.typedPolicy != nil {
		r.typedPolicy(p.typedPolicy)
	}
	if !absent(p.commonLB) && r.object("common_lb_config", p.commonLB) {
		r.commonLB(p.commonLB)
	}
}

func (r *reader) commonLB(n *data.Node) {
	for i := range n.Pairs {
		v := n.Pairs[i].Value
		switch n.Pairs[i].Key {
		case "healthy_panic_threshold", "healthyPanicThreshold": // an empty message is 0, which switches panic off
			if !absent(v) && r.object("onAllOut.panicBelow", v) {
				r.number("onAllOut.panicBelow", v, 0, 100)
			}
		case "zone_aware_lb_config", "zoneAwareLbConfig":
			r.number("common_lb_config.zone_aware_lb_config.routing_enabled", get(v, "routing_enabled", "routingEnabled"), 0, 100)
			r.count("common_lb_config.zone_aware_lb_config.min_cluster_size", get(v, "min_cluster_size", "minClusterSize"), 0, 1<<53)
			r.flag("common_lb_config.zone_aware_lb_config.fail_traffic_on_panic", get(v, "fail_traffic_on_panic", "failTrafficOnPanic"))
		case "locality_weighted_lb_config", "localityWeightedLbConfig":
			if !absent(v) {
				r.copy.Set("common_lb_config.locality_weighted_lb_config", schema.BoolOf(true), v.Place())
			}
		case "update_merge_window", "updateMergeWindow":
			r.duration("common_lb_config.update_merge_window", v, zeroTaken)
		case "ignore_new_hosts_until_first_hc", "ignoreNewHostsUntilFirstHc":
			r.flag("common_lb_config.ignore_new_hosts_until_first_hc", v)
		case "close_connections_on_host_set_change", "closeConnectionsOnHostSetChange":
			r.flag("common_lb_config.close_connections_on_host_set_change", v)
		}
	}
}

// slowStart reads a ramp by time. A window of 0 is off and no ramp.
func (r *reader) slowStart(n *data.Node) {
	if absent(n) || !r.object("slow_start_config", n) {
		return
	}
	for i := range n.Pairs {
		v := n.Pairs[i].Value
		switch n.Pairs[i].Key {
		case "slow_start_window", "slowStartWindow":
			window, ok := r.durationValue("ramp.window", v, zeroTaken)
			switch {
			case !ok:
			case window == 0:
				r.copy.Set("slow_start_config.slow_start_window", schema.DurationOf(time.Duration(0)), v.Place())
			default:
				r.copy.Set("ramp.window", schema.DurationOf(window), v.Place())
			}
		case "aggression":
			r.number("slow_start_config.aggression", v, 0, maxUint32)
		case "min_weight_percent", "minWeightPercent":
			r.number("slow_start_config.min_weight_percent", v, 0, 100)
		}
	}
}

// typedPolicy reads the new style. Envoy uses the first policy that it knows; all are named, the first is read.
func (r *reader) typedPolicy(n *data.Node) {
	var names []string
	for i, policy := range r.list("load_balancing_policy", get(n, "policies", "policies")) {
		extension := get(policy, "typed_extension_config", "typedExtensionConfig")
		name := text(get(extension, "name", "name"))
		names = append(names, name[strings.LastIndexByte(name, '.')+1:])
		if i == 0 {
			r.policyConfig(get(extension, "typed_config", "typedConfig"), 0)
		}
	}
	if names != nil {
		r.copy.Set("load_balancing_policy", schema.ListOf(names...), n.Place())
	}
}

// policyConfig looks for slow start and locality settings in a policy, and in the policies that it wraps.
func (r *reader) policyConfig(n *data.Node, depth int) {
	if n == nil || n.Kind != data.Map || depth > 6 {
		return
	}
	for i := range n.Pairs {
		v := n.Pairs[i].Value
		switch n.Pairs[i].Key {
		case "slow_start_config", "slowStartConfig":
			r.slowStart(v)
		case "locality_lb_config", "localityLbConfig":
			if get(v, "locality_weighted_lb_config", "localityWeightedLbConfig") != nil {
				r.copy.Set("common_lb_config.locality_weighted_lb_config", schema.BoolOf(true), v.Place())
			}
			zone := get(v, "zone_aware_lb_config", "zoneAwareLbConfig")
			r.flag("common_lb_config.zone_aware_lb_config.fail_traffic_on_panic", get(zone, "fail_traffic_on_panic", "failTrafficOnPanic"))
		case "choice_count", "choiceCount":
			r.count("least_request_lb_config.choice_count", v, 2, maxUint32)
		case "endpoint_picking_policy", "endpointPickingPolicy", "child_policy", "childPolicy":
			if items := get(v, "policies", "policies"); items != nil && len(items.Items) > 0 {
				r.policyConfig(get(get(items.Items[0], "typed_extension_config", "typedExtensionConfig"), "typed_config", "typedConfig"), depth+1)
			}
		}
	}
}

// breakerFields are the numbers of a circuit breaker's thresholds.
var breakerFields = []field{
	{"max_connections", "maxConnections", count, "circuit_breakers.max_connections"},
	{"max_pending_requests", "maxPendingRequests", count, "circuit_breakers.max_pending_requests"},
	{"max_requests", "maxRequests", count, "circuit_breakers.max_requests"},
	{"max_retries", "maxRetries", count, "circuit_breakers.max_retries"},
	{"max_connection_pools", "maxConnectionPools", count, "circuit_breakers.max_connection_pools"},
	{"track_remaining", "trackRemaining", boolean, "circuit_breakers.track_remaining"},
}

// circuitBreakers reads limits on concurrency. They turn requests away and take no member out.
func (r *reader) circuitBreakers(n *data.Node) {
	thresholds := r.list("circuit_breakers", get(n, "thresholds", "thresholds"))
	for _, threshold := range thresholds[:min(len(thresholds), maxEntries)] {
		if !r.object("circuit_breakers", threshold) {
			continue
		}
		prefix := schema.Path("circuit_breakers.")
		if priority := strings.ToUpper(text(get(threshold, "priority", "priority"))); priority != "" && priority != "DEFAULT" {
			prefix += schema.Path(priority) + "."
		}
		for i := range threshold.Pairs {
			p := &threshold.Pairs[i]
			switch p.Key {
			case "retry_budget", "retryBudget":
				r.number(prefix+"retry_budget.budget_percent", get(p.Value, "budget_percent", "budgetPercent"), 0, 100)
				r.count(prefix+"retry_budget.min_retry_concurrency", get(p.Value, "min_retry_concurrency", "minRetryConcurrency"), 0, maxUint32)
			default:
				if f := fieldOf(breakerFields, p.Key); f != nil {
					r.set(f, prefix+schema.Path(f.snake), p.Value)
				}
			}
		}
	}
	for _, threshold := range r.list("circuit_breakers", get(n, "per_host_thresholds", "perHostThresholds")) {
		r.count("circuit_breakers.per_host.max_connections", get(threshold, "max_connections", "maxConnections"), 0, maxUint32)
	}
}
