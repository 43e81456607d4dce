package envoy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

// one reads a text that holds one cluster.
func one(t *testing.T, text string) *schema.Copy {
	t.Helper()
	r := sourcetest.Read(Adapter(), "x.yaml", []byte(text), schema.Source{})
	if len(r.Copies) != 1 {
		t.Fatalf("%d copies of\n%s\n%v", len(r.Copies), text, r.Problems)
	}
	return &r.Copies[0]
}

// cluster wraps lines of a cluster.
func clusterOf(lines string) string {
	return "clusters:\n- name: c\n  " + strings.ReplaceAll(strings.TrimSpace(lines), "\n", "\n  ") + "\n"
}

func value(c *schema.Copy, p schema.Path) string {
	f, ok := c.Get(p)
	if !ok {
		return "-"
	}
	return f.Value.String()
}

// said lists a copy's problems as "rule severity field".
func said(c *schema.Copy) []string {
	var out []string
	for _, p := range c.Problems {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s", p.Rule, p.Severity, p.Field)))
	}
	return out
}

func TestDurations(t *testing.T) {
	for _, c := range []struct{ written, want, rule string }{
		{"3s", "3s", ""}, {"0.25s", "250ms", ""}, {`"1.500s"`, "1.5s", ""}, {"0.000000001s", "1ns", ""}, {"３s", "3s", "source/scalar-hazard"},
		{"5", "-", "schema/unit"}, {`"5"`, "-", "schema/unit"}, {"0.5", "-", "schema/unit"},
		{"500ms", "-", "schema/invalid"}, {"1m", "-", "schema/invalid"}, {"1m30s", "-", "schema/invalid"}, {"-5s", "-", "schema/invalid"},
		{"s", "-", "schema/invalid"}, {".5s", "-", "schema/invalid"}, {"5.s", "-", "schema/invalid"}, {"5 s", "-", "schema/invalid"},
		{"{seconds: 5}", "-", "schema/invalid"}, {"[5s]", "-", "schema/invalid"}, {"0s", "-", "schema/invalid"},
		{"${T}", "-", ""}, {"null", "-", ""},
	} {
		got := one(t, clusterOf("connect_timeout: "+c.written))
		if v := value(got, "connect_timeout"); v != c.want {
			t.Errorf("connect_timeout: %s gives %s, want %s", c.written, v, c.want)
		}
		rule := ""
		if len(got.Problems) > 0 {
			rule = got.Problems[0].Rule
			if strings.HasPrefix(rule, "schema/") && !strings.Contains(got.Problems[0].Text.En, "Envoy") {
				t.Errorf("%s: the message does not name Envoy: %s", c.written, got.Problems[0].Text.En)
			}
		}
		if rule != c.rule || len(got.Problems) > 1 {
			t.Errorf("connect_timeout: %s is reported as %v, want %q", c.written, said(got), c.rule)
		}
	}
}

// TestPlacesOfMembers: addresses that are no plain host and port, and endpoints that two clusters share by an anchor.
func TestPlacesOfMembers(t *testing.T) {
	endpoint := func(address string) string {
		return clusterOf("type: STRICT_DNS\nload_assignment: {cluster_name: c, endpoints: [{lb_endpoints: [{endpoint: {address: {" + address + "}}}]}]}")
	}
	for address, want := range map[string]string{
		"socket_address: {address: a.example, port_value: 80}":                      "a.example:80",
		"socketAddress: {address: A.Example., portValue: \"80\"}":                   "a.example:80",
		"socket_address: {address: \"2001:DB8::1\", port_value: 80, protocol: UDP}": "[2001:db8::1]:80",
		"pipe: {path: /run/x.sock, mode: 438}":                                      "unix:/run/x.sock",
		"socket_address: {address: 10.0.0.1, named_port: http}":                     "?members[0]",
		"envoy_internal_address: {server_listener_name: inner}":                     "?members[0]",
		"socket_address: {address: {{ .Host }}, port_value: {{ .Port }}}":           "?members[0]",
		"socket_address: {address: \"{{ .Host }}\", port_value: 80}":                "?members[0]",
	} {
		c := one(t, endpoint(address))
		var got []string
		for i := range c.Members {
			got = append(got, c.Members[i].ID())
		}
		for _, u := range c.Unresolved {
			got = append(got, "?"+string(u.Path))
		}
		if len(got) != 1 || got[0] != want || !c.Complete || len(c.Problems) > 0 {
			t.Errorf("%s: %v, want %s; complete %v, %v", address, got, want, c.Complete, said(c))
		}
	}
	text := "clusters:\n- name: a\n  load_assignment: &la {cluster_name: a, endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}]}]}\n- name: b\n  load_assignment: *la\n"
	r := sourcetest.Read(Adapter(), "x.yaml", []byte(text), schema.Source{})
	if len(r.Copies) != 2 || len(r.Copies[0].Members) != 1 || len(r.Copies[1].Members) != 1 {
		t.Errorf("shared endpoints: %s", sourcetest.Dump(r, []byte(text)))
	}
}

func TestUnitHint(t *testing.T) {
	c := one(t, clusterOf("connect_timeout: 250ms"))
	if hint := c.Problems[0].Hint.En; !strings.Contains(hint, "0.25s") {
		t.Errorf("the hint does not give the right spelling: %s", hint)
	}
}

func TestVars(t *testing.T) {
	r := read(sources.Input{
		Path: "x.yaml", Source: &schema.Source{Side: schema.Gateway}, Vars: map[string]string{"HOST": "10.0.0.1", "PORT": "80", "T": "2s"},
		Data: []byte("clusters: [{name: c, connect_timeout: \"${T}\", hosts: [{socket_address: {address: \"${HOST}\", port_value: \"${PORT}\"}}]}]"),
	})
	if c := &r.Copies[0]; len(c.Members) != 1 || c.Members[0].ID() != "10.0.0.1:80" || value(c, "connect_timeout") != "2s" || len(c.Unresolved) != 0 {
		t.Errorf("%+v", c)
	}
}

// TestComplete says which lists are whole.
func TestComplete(t *testing.T) {
	const list = "load_assignment: {endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}]}]}"
	for _, c := range []struct {
		name, lines    string
		complete, said bool
		members        int
	}{
		{"static", "type: STATIC\n" + list, true, true, 1},
		{"no type is static", list, true, true, 1},
		{"strict dns", "type: STRICT_DNS\n" + list, true, true, 1},
		{"dns extension", "cluster_type: {name: envoy.clusters.dns}\n" + list, true, true, 1},
		{"empty list", "type: STATIC\nload_assignment: {endpoints: []}", true, true, 0},
		{"no endpoints at all", "type: STATIC\nload_assignment: {cluster_name: c}", true, true, 0},
		{"nothing written", "type: STATIC", false, false, 0},
		{"eds", "type: EDS\neds_cluster_config: {eds_config: {ads: {}}}", false, true, 0},
		{"eds without config", "type: EDS", false, true, 0},
		{"original destination", "type: ORIGINAL_DST", false, true, 0},
		{"redis seeds", "cluster_type: {name: envoy.clusters.redis}\n" + list, false, true, 1},
		{"aggregate", "cluster_type: {name: envoy.clusters.aggregate, typed_config: {clusters: [a, b]}}", false, false, 0},
		{"leds", "load_assignment: {endpoints: [{leds_cluster_locality_config: {leds_collection_name: x}}]}", false, true, 0},
		{"hosts", "type: STATIC\nhosts: [{socket_address: {address: 10.0.0.1, port_value: 80}}]", true, true, 1},
		{"a template for the list", "load_assignment: {endpoints: \"{{ endpoints }}\"}", false, true, 0},
		{"a template for an entry", "load_assignment: {endpoints: [{lb_endpoints: [\"{{ entry }}\"]}]}", false, true, 0},
		{"a template for one address", "load_assignment: {endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: \"{{ a }}\", port_value: 80}}}}]}]}", true, true, 0},
		{"a template for the cluster", "type: STATIC\nload_assignment: \"{{ list }}\"", false, true, 0},
	} {
		got := one(t, clusterOf(c.lines))
		if got.Complete != c.complete || got.States(schema.Members) != c.said || len(got.Members) != c.members {
			t.Errorf("%s: complete=%v stated=%v members=%d", c.name, got.Complete, got.States(schema.Members), len(got.Members))
		}
		if len(got.Problems) != 0 {
			t.Errorf("%s: %v", c.name, got.Problems)
		}
	}
}

// TestLoop reads a template whose loop writes an unknown number of members.
func TestLoop(t *testing.T) {
	c := one(t, `static_resources:
  clusters:
    - name: orders
      connect_timeout: {{ connect }}
      load_assignment:
        endpoints:
          - lb_endpoints:
            {% for host in hosts %}
              - endpoint:
                  address:
                    socket_address:
                      address: {{ host }}
                      port_value: 8080
            {% endfor %}
`)
	if c.Complete || len(c.Members) != 0 || c.UnresolvedMembers() != 1 || len(c.Problems) != 0 {
		t.Errorf("complete=%v members=%v unresolved=%v problems=%v", c.Complete, c.Members, c.Unresolved, c.Problems)
	}
}

// TestConditional: what a condition of a template decides is shown and not compared.
func TestConditional(t *testing.T) {
	c := one(t, `clusters:
  - name: orders
    outlier_detection:
      {{- if .Values.prod }}
      base_ejection_time: 60s
      {{- end }}
      interval: 10s
`)
	if _, ok := c.Get("cooldown.duration"); ok || len(c.Unresolved) != 2 {
		t.Errorf("fields=%v unresolved=%v", c.Fields, c.Unresolved)
	}
}

func TestNamedByTemplate(t *testing.T) {
	r := sourcetest.Read(Adapter(), "x.yaml", []byte("clusters: [{name: \"{{ name }}\", type: STATIC}]"), schema.Source{})
	if len(r.Copies) != 0 || len(r.Problems) != 1 || r.Problems[0].Rule != "source/skipped" {
		t.Errorf("%d copies, %v", len(r.Copies), r.Problems)
	}
}

func TestOutlierDetection(t *testing.T) {
	for _, c := range []struct {
		name, block string
		want        map[schema.Path]string
		problems    []string
	}{
		{"empty", "{}", map[schema.Path]string{"outlier_detection": "{}", "decision.consecutive": "-", "cooldown.duration": "-"}, nil},
		{"null", "null", map[schema.Path]string{"outlier_detection": "-"}, nil},
		{"switched off", "{consecutive_5xx: 0}", map[schema.Path]string{"decision.consecutive": "-", "outlier_detection.consecutive_5xx": "0"}, nil},
		{"only counted", "{consecutive_5xx: 7, enforcing_consecutive_5xx: 0}", map[schema.Path]string{"decision.consecutive": "-", "outlier_detection.consecutive_5xx": "7"}, nil},
		{"camel case", "{consecutive5xx: 7, baseEjectionTime: 10s, maxEjectionTime: 10s}", map[schema.Path]string{"decision.consecutive": "7", "cooldown.duration": "10s", "cooldown.max": "10s"}, nil},
		{"max below base", "{base_ejection_time: 60s, max_ejection_time: 59s}", map[schema.Path]string{"cooldown.duration": "1m", "cooldown.max": "-"}, []string{"schema/invalid  max"}},
		{"max below the base's default", "{max_ejection_time: 29s}", map[schema.Path]string{"cooldown.max": "-"}, []string{"schema/invalid  max"}},
		{"max with an unknown base", "{base_ejection_time: \"${B}\", max_ejection_time: 1s}", map[schema.Path]string{"cooldown.max": "1s"}, nil},
		{"max with a refused base", "{base_ejection_time: 60, max_ejection_time: 40s}", map[schema.Path]string{"cooldown.max": "40s"}, []string{"schema/unit  duration"}},
		{"percent", "{max_ejection_percent: 101}", map[schema.Path]string{"outlier_detection.max_ejection_percent": "-"}, []string{"schema/invalid  max_ejection_percent"}},
		{"misspelt", "{base_ejection_tme: 60s}", map[schema.Path]string{"cooldown.duration": "-"}, []string{"schema/unknown-key warning outlier_detection"}},
	} {
		got := one(t, clusterOf("outlier_detection: "+c.block))
		for p, want := range c.want {
			if v := value(got, p); v != want {
				t.Errorf("%s: %s = %s, want %s", c.name, p, v, want)
			}
		}
		if diff := cmp.Diff(c.problems, said(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestNearest(t *testing.T) {
	for key, want := range map[string]string{"base_ejection_tme": "base_ejection_time", "baseEjectTime": "baseEjectionTime", "consecutive_errors": "consecutive_5xx", "x": "", "something_else": ""} {
		if got := nearest(key, outlierFields); got != want {
			t.Errorf("nearest(%q) = %q, want %q", key, got, want)
		}
	}
}

func TestHealthChecks(t *testing.T) {
	const base = "interval: 10s, timeout: 1s, unhealthy_threshold: 3, healthy_threshold: 2"
	for _, c := range []struct {
		name, check string
		want        map[schema.Path]string
		problems    []string
	}{
		{"tcp", base + ", tcp_health_check: {}", map[schema.Path]string{"probe.protocol": "tcp", "probe.interval": "10s", "probe.fall": "3", "probe.rise": "2"}, nil},
		{"custom", base + ", custom_health_check: {name: envoy.health_checkers.redis}", map[schema.Path]string{"probe.protocol": "redis"}, nil},
		{"jitter as a time", base + ", interval_jitter: 1s, tcp_health_check: {}", map[schema.Path]string{"probe.jitter": "0.1"}, nil},
		{"both jitters add up", base + ", interval_jitter: 1s, interval_jitter_percent: 20, tcp_health_check: {}", map[schema.Path]string{"probe.jitter": "0.3"}, nil},
		{"jitter beyond the model", base + ", interval_jitter: 60s, tcp_health_check: {}", map[schema.Path]string{"probe.jitter": "-", "health_checks[0].interval_jitter": "1m"}, nil},
		{"statuses", base + ", http_health_check: {path: /, expected_statuses: [{start: 200, end: 201}, {start: \"500\", end: \"600\"}]}", map[schema.Path]string{"probe.expect.statuses": "[200, 500-599]"}, nil},
		{"empty range", base + ", http_health_check: {path: /, expected_statuses: [{start: 200, end: 200}]}", map[schema.Path]string{"probe.expect.statuses": "-"}, []string{"schema/invalid  expect.statuses"}},
		{"range without end", base + ", http_health_check: {path: /, expected_statuses: [{start: 200}]}", map[schema.Path]string{"probe.expect.statuses": "-"}, []string{"schema/invalid  expect.statuses"}},
		{"status out of range", base + ", http_health_check: {path: /, expected_statuses: [{start: 0, end: 201}]}", map[schema.Path]string{"probe.expect.statuses": "-"}, []string{"schema/invalid  expect.statuses"}},
		{"body", base + ", tcp_health_check: {receive: [{text: \"6f6b\"}]}", map[schema.Path]string{"probe.expect.body": "ok"}, nil},
		{"body that is no text", base + ", tcp_health_check: {receive: [{text: \"00ff\"}]}", map[schema.Path]string{"probe.expect.body": "00ff"}, nil},
		{"several bodies", base + ", tcp_health_check: {receive: [{text: \"6f6b\"}, {binary: b2s=}]}", map[schema.Path]string{"probe.expect.body": "-", "health_checks[0].receive": "[ok, ok]"}, nil},
		{"zero threshold", "interval: 10s, timeout: 1s, unhealthy_threshold: 0, healthy_threshold: 2, tcp_health_check: {}", map[schema.Path]string{"probe.fall": "-"}, []string{"schema/invalid warning fall"}},
		{"a missing field", "interval: 10s, timeout: 1s, healthy_threshold: 2, tcp_health_check: {}", map[schema.Path]string{"probe.rise": "2"}, []string{"schema/invalid warning fall"}},
		{"timeout above interval is fine", "interval: 1s, timeout: 5s, unhealthy_threshold: 3, healthy_threshold: 2, tcp_health_check: {}", map[schema.Path]string{"probe.timeout": "5s"}, nil},
		{"hazard-free numbers in quotes", "interval: 1s, timeout: 5s, unhealthy_threshold: \"3\", healthy_threshold: 2, tcp_health_check: {}", map[schema.Path]string{"probe.fall": "3"}, nil},
	} {
		got := one(t, clusterOf("health_checks: [{"+c.check+"}]"))
		for p, want := range c.want {
			if v := value(got, p); v != want {
				t.Errorf("%s: %s = %s, want %s", c.name, p, v, want)
			}
		}
		if diff := cmp.Diff(c.problems, said(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if !got.States(schema.Probe) {
			t.Errorf("%s: no probe is stated", c.name)
		}
	}
}

func TestPanic(t *testing.T) {
	for block, want := range map[string]string{
		"{healthy_panic_threshold: {value: 30}}": "30", "{healthyPanicThreshold: {value: 0}}": "0", "{healthy_panic_threshold: {}}": "0", "{}": "-",
		"{healthy_panic_threshold: 30}": "-", "{healthy_panic_threshold: {value: 130}}": "-",
	} {
		if got := value(one(t, clusterOf("common_lb_config: "+block)), "onAllOut.panicBelow"); got != want {
			t.Errorf("%s gives %s, want %s", block, got, want)
		}
	}
}

func TestSlowStart(t *testing.T) {
	for _, c := range []struct{ lines, window, off string }{
		{"round_robin_lb_config: {slow_start_config: {slow_start_window: 60s}}", "1m", "-"},
		{"leastRequestLbConfig: {slowStartConfig: {slowStartWindow: 60s}}", "1m", "-"},
		{"round_robin_lb_config: {slow_start_config: {slow_start_window: 0s}}", "-", "0s"},
		{"load_balancing_policy: {policies: [{typed_extension_config: {name: envoy.load_balancing_policies.wrr_locality, typed_config: {endpoint_picking_policy: {policies: [{typed_extension_config: {typed_config: {slow_start_config: {slow_start_window: 30s}}}}]}}}}]}", "30s", "-"},
	} {
		got := one(t, clusterOf(c.lines))
		if value(got, "ramp.window") != c.window || value(got, "slow_start_config.slow_start_window") != c.off || got.States(schema.Ramp) != (c.window != "-") {
			t.Errorf("%s gives %v", c.lines, got.Fields)
		}
	}
}

// TestSpans: a place names exactly what is written there.
func TestSpans(t *testing.T) {
	text := "clusters:\r\n- name: \"订单\"\r\n  hosts:\r\n  - socket_address: {address: 'A.example.com', port_value: 80}\r\n"
	c := one(t, text)
	m := &c.Members[0]
	for want, at := range map[string]schema.Span{`"订单"`: c.PoolAt, "'A.example.com'": m.HostAt, "80": m.PortAt} {
		if got := text[at.Start:at.End]; got != want {
			t.Errorf("%q stands at %q", want, got)
		}
	}
}

// TestWide: full-width characters are read, and said.
func TestWide(t *testing.T) {
	c := one(t, "clusters: [{name: c, hosts: [{socket_address: {address: a．example.com, port_value: ８０}}, {socket_address: {address: 订单.example, port_value: 80}}]}]")
	if len(c.Members) != 2 || c.Members[0].ID() != "a.example.com:80" || c.Members[1].ID() != "订单.example:80" {
		t.Errorf("%+v", c.Members)
	}
	if diff := cmp.Diff([]string{"source/scalar-hazard warning members[0]", "source/scalar-hazard warning port"}, said(c)); diff != "" {
		t.Error(diff)
	}
}

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		path, text string
		want       sources.Confidence
	}{
		{"envoy.yaml", "static_resources: {clusters: []}\n", sources.Certain},
		{"envoy.yaml.j2", "staticResources:\n  clusters:\n{% for c in x %}\n", sources.Certain},
		{"bootstrap.json", `{"static_resources": {}}`, sources.Certain},
		{"-", "clusters:\n- name: a\n  load_assignment: {}\n", sources.Certain},
		{"a.yaml", "- name: a\n  type: EDS\n  edsClusterConfig: {}\n", sources.Certain},
		{"eds.yaml", "resources:\n- \"@type\": type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment\n", sources.Certain},
		{"dump.json", `{"configs": [{"@type": "type.googleapis.com/envoy.admin.v3.ClustersConfigDump"}]}`, sources.Certain},
		{"filter.yaml", "apiVersion: networking.istio.io/v1alpha3\nkind: EnvoyFilter\nspec: {load_assignment: 1}\n", sources.Unlikely},
		{"config.yaml", "apiVersion: v1\nkind: ConfigMap\ndata:\n  envoy.yaml: |\n    static_resources:\n      load_assignment: {}\n", sources.Unlikely},
		{"values.yaml", "resources: {limits: {cpu: 1}}\nenvoyFilter: type.googleapis.com/envoy.extensions.filters.http.lua.v3.Lua\n", sources.Unlikely},
		{"playbook.yaml", "- name: install\n  copy:\n    content: |\n      load_assignment: {}\n", sources.Unlikely},
		{"README.md", "static_resources:\n  clusters: []\n", sources.Unlikely},
		{"-", "# Envoy\n\n```yaml\nstatic_resources:\n  load_assignment: x\n```\n", sources.Unlikely},
		{"kong.yaml", "upstreams:\n- name: a\n  targets: []\n", sources.Unlikely},
		{"", "", sources.Unlikely},
	} {
		if got := detect(c.path, []byte(c.text)); got != c.want {
			t.Errorf("detect(%q, %q) = %v, want %v", c.path, c.text, got, c.want)
		}
	}
}

// TestSilent holds files that are right to no finding at all.
func TestSilent(t *testing.T) {
	for _, text := range []string{
		"clusters: [{name: a, type: strict_dns, connect_timeout: 0.25s, load_assignment: {endpoints: [{priority: 0, lb_endpoints: [{endpoint: {address: {socket_address: {address: a.example.com., port_value: 443}}}, load_balancing_weight: 100}]}]}}]",
		"clusters: [{name: a, type: STATIC, hosts: [{socket_address: {address: \"::1\", port_value: 80}}]}]",
		"clusters: [{name: a, outlier_detection: {consecutive_5xx: 3, detect_degraded_hosts: true, always_eject_one_host: true}}]",
		"clusters: [{name: a, type: LOGICAL_DNS, load_assignment: {endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: a.example, port_value: 80}}}}]}]}}]",
		"clusters: []\n", "clusters:\n", "static_resources: {}\n",
	} {
		r := sourcetest.Read(Adapter(), "x.yaml", []byte(text), schema.Source{})
		for i := range r.Copies {
			r.Problems = append(r.Problems, r.Copies[i].Problems...)
		}
		if len(r.Problems) != 0 {
			t.Errorf("%s: %v", text, r.Problems)
		}
	}
}

// TestBroken: what is whole in a broken file is read.
func TestBroken(t *testing.T) {
	r := sourcetest.Read(Adapter(), "x.yaml", []byte("clusters: [{name: a, connect_timeout: 1s}]\n---\nclusters: [{name: b\n"), schema.Source{})
	if len(r.Copies) != 1 || r.Copies[0].Pool != "a" || len(r.Problems) == 0 || r.Problems[0].Rule != "source/syntax" {
		t.Errorf("%d copies, %v", len(r.Copies), r.Problems)
	}
}
