package profile

import (
	"time"

	"github.com/poolproof/poolproof/schema"
)

// spring is the profile of Spring Cloud: circuit breakers of resilience4j, the client-side load balancer of Spring
// Cloud Commons, and routes of Spring Cloud Gateway. Facts: LoadBalancerProperties, HealthCheckServiceInstanceList-
// Supplier, WeightedServiceInstanceListSupplier; RetryGatewayFilterFactory.
//
// The load balancer has neither priorities nor backups. With weights on, an instance without one, or with one that is
// not above 0, has weight 1. A health check is one request that must be answered with status 200; there is no rise or
// fall and no timeout of its own. Without any instance the gateway answers 503.
func spring() Profile {
	return Profile{
		Name:     "spring",
		Traits:   Traits{Timeout: TimeoutFree, ZeroWeight: ZeroIsOne, DefaultWeight: 1, Probes: true, AllOut: "reject", FreshWindow: true},
		Complete: completeSpring,
	}
}

// springCheckInterval is the default of spring.cloud.loadbalancer.health-check.interval.
const springCheckInterval = 25 * time.Second

// springRetries is the default of the gateway's Retry filter, which counts tries after the first.
const springRetries = 3

func completeSpring(c *schema.Copy, v Version) []schema.Effective {
	if c.Owned {
		return completeRoute(c)
	}
	out := completeResilience4j(c, v)
	if !c.States(schema.Probe) {
		return out
	}
	k := &completion{c: c, out: out}
	why := schema.Textf("default of Spring Cloud LoadBalancer", "Spring Cloud LoadBalancer 的默认值")
	k.fill("probe.interval", schema.DurationOf(springCheckInterval), why)
	k.fill("probe.path", schema.TextOf("/actuator/health"), why)
	k.fill("probe.method", schema.TextOf("GET"), why)
	k.fill("probe.expect.statuses", schema.ListOf("200"), why)
	k.fill("probe.rise", schema.IntOf(1), why)
	k.fill("probe.fall", schema.IntOf(1), why)
	return k.out
}

// completeRoute adds what the gateway's Retry filter does beyond what the route writes.
func completeRoute(c *schema.Copy) []schema.Effective {
	if !c.States(schema.Retry) {
		return nil
	}
	k := &completion{c: c}
	why := schema.Textf("default of the Retry filter", "Retry 过滤器的默认值")
	k.fill("retry.attempts", schema.IntOf(springRetries), why)
	k.fill("retry.on", schema.ListOf("SERVER_ERROR"), why)
	k.fill("retry.nonIdempotent", schema.BoolOf(false), schema.Textf("default of the Retry filter: GET only", "Retry 过滤器的默认值：仅 GET"))
	return k.out
}
