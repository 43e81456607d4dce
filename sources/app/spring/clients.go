package spring

import (
	"math"
	"strconv"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// feignPrefixes are where versions of OpenFeign keep their clients.
var feignPrefixes = [][]string{{"feign", "client", "config"}, {"spring", "cloud", "openfeign", "client", "config"}}

// clients adds what the load balancer and OpenFeign say about calls to the pools that were found.
func (r *reader) clients() {
	balancer := r.root.get("spring", "cloud", "loadbalancer")
	for _, c := range r.copies {
		if c.Owned {
			continue
		}
		b := r.binder(c)
		if c.States(schema.Members) {
			r.balancerRetry(b, balancer)
		}
		for _, prefix := range feignPrefixes {
			r.feign(b, r.root.get(prefix...).child(c.Pool))
		}
	}
}

// feign reads the time limits of a client: whole milliseconds.
func (r *reader) feign(b *binder, client *prop) {
	for _, name := range []string{"connectTimeout", "readTimeout"} {
		v := client.child(name)
		p := schema.Path("feign." + name)
		if n, ok := b.integer(p, v, "Feign", name, 0, math.MaxInt32); ok {
			b.Copy.Set(p, schema.DurationOf(time.Duration(n)*time.Millisecond), v.valueAt)
		}
	}
}

// balancerRetry reads the retries of the load balancer: on the same instance, and on how many further ones.
func (r *reader) balancerRetry(b *binder, balancer *prop) {
	const balancerName = "Spring Cloud LoadBalancer"
	own := balancer.get("clients", b.Copy.Pool, "retry")
	find := func(name string) *prop {
		if v := own.child(name); v != nil && (v.node != nil || v.list) {
			return v
		}
		return balancer.get("retry", name)
	}
	if v := find("enabled"); v != nil {
		on, ok := b.boolean("loadbalancer.retry.enabled", v, balancerName, "retry.enabled")
		if ok {
			b.Copy.Set("loadbalancer.retry.enabled", schema.BoolOf(on), v.valueAt)
		}
		if ok && !on {
			return
		}
	}
	product, places, both := int64(1), schema.Span{}, true
	for _, name := range []string{"max-retries-on-same-service-instance", "max-retries-on-next-service-instance"} {
		p, v := schema.Path("loadbalancer.retry."+name), find(name)
		n, ok := b.integer(p, v, balancerName, name, 0, math.MaxInt16)
		if !ok {
			both = false
			continue
		}
		b.Copy.Set(p, schema.IntOf(n), v.valueAt)
		product, places = product*(n+1), schema.Join(places, v.valueAt)
	}
	if both {
		b.Copy.Set("retry.attempts", schema.IntOf(product-1), places)
	}
	if v := find("retry-on-all-operations"); v != nil {
		if on, ok := b.boolean("retry.nonIdempotent", v, balancerName, "retry-on-all-operations"); ok {
			b.Copy.Set("retry.nonIdempotent", schema.BoolOf(on), v.valueAt)
		}
	}
	if v := find("retryable-status-codes"); v != nil {
		var codes []string
		for _, c := range texts(v) {
			if _, err := strconv.Atoi(c); err == nil {
				codes = append(codes, c)
			}
		}
		if len(codes) > 0 {
			b.Copy.Set("retry.on", schema.ListOf(codes...), v.valueAt)
		}
	}
}
