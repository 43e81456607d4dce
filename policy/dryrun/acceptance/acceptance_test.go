package acceptance_test

import (
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/policy/dryrun/acceptance"
	"github.com/poolproof/poolproof/policy/dryrun/cast"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/app/native"
	"github.com/poolproof/poolproof/sources/gateway/apisix"
	"github.com/poolproof/poolproof/sources/gateway/envoy"
	"github.com/poolproof/poolproof/sources/gateway/haproxy"
	"github.com/poolproof/poolproof/sources/gateway/nginx"
)

// good is a pool that states all four constraints well.
const good = `
pools:
  orders:
    engine: pool
    members:
      - {address: 10.0.0.1, port: 8080}
      - {address: 10.0.0.2, port: 8080}
      - {address: 10.0.0.3, port: 8080}
    probe: {protocol: http, path: /healthz, interval: 2s, timeout: 500ms, rise: 2, fall: 3}
    decision:
      granularity: interface
      window: 10s
      minSamples: 20
      errorRatio: 0.5
      counts: [5xx, timeout, connect]
      roles: {business: judge, probe: prescreen, external: review}
    cooldown:
      duration: 30s
      startsAt: drained
      exit: same-as-entry
      granularity: interface
      manual: {allowed: true, requires: [initiator, saw, reclaim, review], restarts: true}
    ramp:
      by: ratio
      batches: [{share: 5, dwell: 20s, minSamples: 5}, {share: 25, dwell: 20s}, {share: 50, dwell: 20s}, {share: 100, dwell: 20s}]
      stop: [{metric: error-rate, above: 0.05}]
      rollback: {to: previous, cooldown: 60s}
      suspendAfter: 3
    retry: {perTry: 2s}
`

func load() cast.Traffic {
	return cast.Traffic{Traffic: dryrun.Traffic{RPS: 120, P50: 20 * time.Millisecond, P99: 90 * time.Millisecond,
		Interfaces: []schema.Share{{Name: "/pay", Share: 50}, {Name: "/list", Share: 50}}}}
}

func readText(t testing.TB, text string) *schema.Copy {
	t.Helper()
	return only(t, native.Adapter().Read(sources.Input{Path: "pools.yaml", Data: []byte(text), Source: &schema.Source{Side: schema.Gateway}}))
}

func only(t testing.TB, r sources.Result) *schema.Copy {
	t.Helper()
	if len(r.Copies) != 1 || len(r.Copies[0].Problems) > 0 {
		t.Fatalf("%d copies: %+v", len(r.Copies), r.Problems)
	}
	return &r.Copies[0]
}

// TestMatrix breaks one constraint at a time: exactly the cases of its group fail.
func TestMatrix(t *testing.T) {
	for _, c := range []struct{ name, old, new, fails string }{
		{"good", "", "", ""},
		{"probes judge", "{business: judge, probe: prescreen", "{business: review, probe: judge", "decision"},
		{"too few samples ever", "minSamples: 20\n      errorRatio", "minSamples: 200000\n      errorRatio", "decision"},
		{"the cooldown ends for the whole address", "exit: same-as-entry\n      granularity: interface", "exit: same-as-entry\n      granularity: address", "granularity"},
		{"a forced return starts no cooldown", "restarts: true", "restarts: false", "cooldown"},
		{"no cooldown", "duration: 30s", "duration: 0s", "cooldown"},
		{"orders without a review date", "reclaim, review]", "reclaim]", "cooldown"},
		{"nothing stops a batch", "      stop: [{metric: error-rate, above: 0.05}]\n", "", "ramp"},
		{"the step back does not rest", ", cooldown: 60s}", "}", "ramp"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(good, c.old, c.new, 1)
			if c.old != "" && text == good {
				t.Fatal("nothing was broken")
			}
			p := readText(t, text)
			var failed []string
			for _, id := range acceptance.IDs() {
				out := acceptance.Play(id, p, load(), 2)
				if out.Observed.En == "" || out.Observed.Zh == "" || out.Text.Zh == "" || out.Pass == dryrun.NotApplicable && out.Reason.En == "" {
					t.Errorf("%s is not whole: %+v", id, out)
				}
				switch {
				case out.Pass == dryrun.Failed:
					failed = append(failed, path.Dir(id))
				case c.name == "good" && out.Pass != dryrun.Held:
					t.Errorf("%s: %s: %s", id, out.Reason.En, out.Observed)
				}
				if out.Pass == dryrun.Failed && path.Dir(id) != c.fails {
					t.Errorf("%s failed: %s", id, out.Observed)
				}
			}
			if failed = slices.Compact(failed); strings.Join(failed, " ") != c.fails {
				t.Errorf("failed %q, want %q", failed, c.fails)
			}
		})
	}
}

// envoyFile is a cluster with health checks and outlier detection.
const envoyFile = `
static_resources:
  clusters:
    - name: be
      type: STATIC
      outlier_detection: {consecutive_5xx: 5, base_ejection_time: 30s, max_ejection_percent: 50}
      health_checks: [{timeout: 1s, interval: 2s, unhealthy_threshold: 3, healthy_threshold: 2, http_health_check: {path: /healthz}}]
      load_assignment:
        cluster_name: be
        endpoints:
          - lb_endpoints:
              - {endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}
              - {endpoint: {address: {socket_address: {address: 10.0.0.2, port_value: 80}}}}
`

// TestPrograms: nothing is failed that the program cannot express.
func TestPrograms(t *testing.T) {
	for name, result := range map[string]sources.Result{
		"haproxy": haproxy.Adapter().Read(sources.Input{Path: "haproxy.cfg", Source: &schema.Source{Side: schema.Gateway, Profile: "haproxy-2.6"}, Data: []byte(
			"backend be\n    option httpchk GET /healthz\n    default-server inter 2s fall 3 rise 2\n    server a 10.0.0.1:80 check\n    server b 10.0.0.2:80 check\n")}),
		"nginx": nginx.Adapter().Read(sources.Input{Path: "nginx.conf", Source: &schema.Source{Side: schema.Gateway, Profile: "nginx-1.22"}, Data: []byte(
			"http { upstream be { server 10.0.0.1:80 max_fails=2 fail_timeout=5s; server 10.0.0.2:80; } server { location / { proxy_pass http://be; } } }\n")}),
		"envoy": envoy.Adapter().Read(sources.Input{Path: "envoy.yaml", Source: &schema.Source{Side: schema.Gateway, Profile: "envoy-1.33"}, Data: []byte(envoyFile)}),
		"apisix": apisix.Adapter().Read(sources.Input{Path: "apisix.yaml", Source: &schema.Source{Side: schema.Gateway, Profile: "apisix"}, Data: []byte(
			"upstreams:\n  - id: be\n    type: roundrobin\n    nodes: {\"10.0.0.1:80\": 1, \"10.0.0.2:80\": 1}\n    checks:\n" +
				"      active: {http_path: /healthz, healthy: {interval: 2, successes: 2}, unhealthy: {interval: 2, http_failures: 3}}\n" +
				"      passive: {unhealthy: {http_failures: 3, http_statuses: [500, 503]}}\n#END\n")}),
	} {
		t.Run(name, func(t *testing.T) {
			c := only(t, result)
			for _, id := range acceptance.IDs() {
				out := acceptance.Play(id, c, load(), 1)
				if out.Pass == dryrun.Failed || out.Observed.En == "" || out.Pass == dryrun.NotApplicable && out.Reason.En == "" {
					t.Errorf("%s: %+v", id, out)
				}
			}
		})
	}
}

// TestOddPools: settings out of all reason end in a verdict, in bounded time.
func TestOddPools(t *testing.T) {
	for name, text := range map[string]string{
		"one member":     strings.Replace(strings.Replace(good, "      - {address: 10.0.0.2, port: 8080}\n", "", 1), "      - {address: 10.0.0.3, port: 8080}\n", "", 1),
		"weight 0":       strings.ReplaceAll(good, "port: 8080", "port: 8080, weight: 0"),
		"all disabled":   strings.ReplaceAll(good, "port: 8080", "port: 8080, state: disabled"),
		"a year":         strings.Replace(good, "duration: 30s", "duration: 365d", 1),
		"a long window":  strings.Replace(good, "window: 10s", "window: 30d", 1),
		"manual batches": strings.ReplaceAll(good, "dwell: 20s", "dwell: manual"),
		"a share of 0":   strings.Replace(good, "share: 5,", "share: 0,", 1),
		"by region":      strings.Replace(good, "by: ratio", "by: region", 1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := readText(t, text)
			for _, id := range acceptance.IDs() {
				if out := acceptance.Play(id, c, cast.Traffic{Traffic: dryrun.Traffic{RPS: 5}}, 1); out.Observed.En == "" {
					t.Errorf("%s: nothing observed", id)
				}
			}
		})
	}
}
