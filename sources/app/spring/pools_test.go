package spring

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/schema"
)

func TestPools(t *testing.T) {
	const simple = "spring.cloud.discovery.client.simple.instances.a"
	for _, c := range []struct {
		text, want string
		vars       map[string]string
	}{
		// Simple discovery.
		{text: simple + ": [{uri: http://h:1}, {uri: https://i}, {host: J., port: 3}, {host: '2001:db8::1', port: 4}]", want: "a h:1 i:443 j:3 [2001:db8::1]:4"},
		{text: simple + ": [{uri: 'http://${H}:1'}, {uri: http://i:2}]", want: "a i:2 ?members[0]:http://${H}:1"},
		{text: simple + ": [{uri: 'http://${H}:1'}]", vars: map[string]string{"H": "h"}, want: "a h:1"},
		{text: simple + ": [{uri: 'http://u:p@${H}:1'}]", want: "a ?members[0]:http://***@${H}:1"},
		{text: simple + ": ${LIST}", want: "a ?members:${LIST}"},
		{text: simple + ": []", want: "a"},
		{text: simple + ": [{port: 1}, {host: i, port: 0}, {uri: 'http://10.0.0.256:1'}, {host: i, port: 1}]", want: "a i:1 ?members[0]:uri !schema/invalid:members[1] !schema/invalid:members[2]"},
		{text: simple + ": [{uri: http://h:1, metadata: {weight: 0}}, {uri: http://i:1, metadata: {weight: -1}}, {uri: http://j:1, metadata.weight: 7}]",
			want: "a h:1*0 i:1 j:1*7 !members/weights:weight !members/weights:weight"},
		{text: simple + "[1].uri: http://i:1\n" + simple + "[0].uri: http://h:1", want: "a i:1 h:1"},
		{text: "spring.cloud.discovery.client.simple.instances: {\"[a.b]\": [{uri: http://h:1}]}", want: "a.b h:1"},
		{text: "spring.cloud.discovery.client.simple.order: 1", want: ""},

		// Health checks of the load balancer belong to pools that have members, those of a client to the client.
		{text: "spring.cloud.loadbalancer.clients: {a.health-check: {interval: 5s, path.default: /d}, b.retry.enabled: false}", want: "a probe.interval=5s probe.path=/d"},
		{text: "spring.cloud.loadbalancer.health-check.interval: 5s", want: ""},
		{text: simple + ": [{uri: http://h:1}]\nspring.cloud.loadbalancer: {health-check: {interval: 5, path: {a: /a, default: /d}}, clients.a.health-check.port: 81}",
			want: "a h:1 probe.interval=5ms probe.path=/a probe.port=81"},
		{text: simple + ": [{uri: http://h:1}]\nspring.cloud.loadbalancer: {configurations: health-check, health-check.interval: 5s}",
			want: "a h:1 loadbalancer.configurations=health-check probe.interval=5s"},
		{text: simple + ": [{uri: http://h:1}]\nspring.cloud.loadbalancer: {configurations: subset, health-check.interval: 5s}",
			want: "a h:1 loadbalancer.configurations=subset probe.interval=5s probe.off=configurations: subset !probe/never-runs:"},

		// Retries of the load balancer, Feign.
		{text: simple + ": [{uri: http://h:1}]\nspring.cloud.loadbalancer.retry: {max-retries-on-same-service-instance: 1, maxRetriesOnNextServiceInstance: 2, retryable-status-codes: [503, 502], retry-on-all-operations: true}",
			want: "a h:1 loadbalancer.retry.max-retries-on-same-service-instance=1 loadbalancer.retry.max-retries-on-next-service-instance=2 retry.attempts=5 retry.nonIdempotent=true retry.on=[503, 502]"},
		{text: simple + ": [{uri: http://h:1}]\nspring.cloud.loadbalancer.retry: {enabled: false, max-retries-on-same-service-instance: 1}", want: "a h:1 loadbalancer.retry.enabled=false"},
		{text: breaker + "failureRateThreshold: 50\nfeign.client.config.a: {connectTimeout: 500, readTimeout: 2s}", want: "a decision.errorRatio=0.5 feign.connectTimeout=500ms !schema/unit:readTimeout"},

		// Ribbon.
		{text: "a.ribbon: {listOfServers: 'h:1, i:2', MaxAutoRetries: 1}\nribbon.ReadTimeout: 5", want: "a h:1 i:2 ribbon.MaxAutoRetries=1"},
		{text: "a.ribbon.listOfServers: ${L}", want: "a ?members:${L}"},
		{text: "a.ribbon.listOfServers: ${L:h:1,i:2}", want: "a h:1 i:2"},
		{text: "a.ribbon.listOfServers: ${H}:1,i:2", want: "a i:2 ?members[0]:${H}:1"},
		{text: "a.ribbon.listOfServers: [h:1, i:2]", want: "a h:1 i:2"},

		// Routes under all their prefixes.
		{text: "spring.cloud.gateway.routes: [{id: r, uri: http://h}]", want: "route:r h:80 uri=http://h"},
		{text: "spring.cloud.gateway.mvc.routes: [{id: r, uri: http://h}]", want: "route:r h:80 uri=http://h"},
		{text: "spring.cloud.gateway.server.webflux.routes: [{id: r, uri: http://h}]", want: "route:r h:80 uri=http://h"},
		{text: "spring.cloud.gateway.server.webmvc.routes-map.r: {uri: http://h}", want: "route:r h:80 uri=http://h"},
		{text: "spring.cloud.gateway.routes: [{uri: http://h, predicates: [Path=/p]}, {uri: http://i}]", want: "route:/p h:80 uri=http://h; route:routes[1] i:80 uri=http://i"},
		{text: "spring.cloud.gateway.routes: [{id: r, uri: ''}]", want: "route:r"},
		{text: "spring.cloud.gateway.routes: [{id: r, uri: 'http://u:p@h:1/x'}]", want: "route:r h:1 uri=http://***@h:1/x"},
		{text: "spring.cloud.gateway.routes: [{id: r, uri: http://h, filters: [Retry]}]", want: "route:r h:80 uri=http://h"},
		{text: "spring.cloud.gateway.routes: [{id: r, uri: http://h, filters: ['Retry=2,BAD_GATEWAY,POST']}]",
			want: "route:r h:80 uri=http://h retry.attempts=2 retry.on=[BAD_GATEWAY] retry.nonIdempotent=true retry.methods=[POST]"},
		{text: "spring.cloud.gateway.routes: [{id: r, uri: http://h, filters: [{name: Retry, args: {retries: many}}]}]", want: "route:r h:80 uri=http://h !schema/invalid:attempts"},
		{text: "spring.cloud.gateway: {default-filters: [Retry=1], routes: [{id: r, uri: http://h, filters: [Retry=2]}]}", want: "route:r h:80 uri=http://h retry.attempts=2"},
		{text: "spring.cloud.gateway.routes: [{id: r, uri: lb://a, filters: [CircuitBreaker=cb]}]", want: "route:r uri=lb://a circuitBreaker=cb"},
		{text: "spring.cloud.gateway.routes: [{id: r, uri: http://h, predicates: ['Weight=g, 3']}, {id: s, uri: lb://b, predicates: ['Weight=g, 1']}]",
			want: "route:r h:80 uri=http://h; route:s uri=lb://b; g h:80*3"},
		{text: breaker + "failureRateThreshold: 50\nspring.cloud.gateway.routes: [{id: r, uri: http://h, predicates: ['Weight=a, 3']}]",
			want: "a h:80*3 decision.errorRatio=0.5; route:r h:80 uri=http://h"},

		// What is not read is said where pools are read.
		{text: breaker + "failureRateThreshold: 50\nspring.config.import: 'optional:configserver:'", want: "a decision.errorRatio=0.5; !!source/skipped:spring.config.import"},
		{text: "spring.config.import: 'optional:configserver:'", want: ""},
	} {
		r := folder{"application.yml": c.text}.readFile("application.yml", schema.Source{}, c.vars)
		if got := strings.TrimSpace(say(r)); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
		for i := range r.Copies {
			x := &r.Copies[i]
			complete := x.States(schema.Members) && !strings.Contains(c.text, "${L}") && !strings.Contains(c.text, "${LIST}")
			if x.Complete != complete && !strings.Contains(c.text, "lb://") {
				t.Errorf("%q: complete is %v", c.text, x.Complete)
			}
		}
	}
}
