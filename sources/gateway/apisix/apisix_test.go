package apisix

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

func readText(path, text string) sources.Result {
	return sourcetest.Read(Adapter(), path, []byte(text), schema.Source{})
}

// one reads a text that holds one upstream.
func one(t *testing.T, text string) *schema.Copy {
	t.Helper()
	r := readText("x.yaml", text)
	if len(r.Copies) != 1 {
		t.Fatalf("%d copies of\n%s\n%v", len(r.Copies), text, r.Problems)
	}
	return &r.Copies[0]
}

func upstreamOf(fields string) string {
	return "upstreams: [{id: u, type: roundrobin, " + fields + "}]\n#END\n"
}

func value(c *schema.Copy, p schema.Path) string {
	f, ok := c.Get(p)
	if !ok {
		return "-"
	}
	return f.Value.String()
}

func said(c *schema.Copy) []string {
	var out []string
	for _, p := range c.Problems {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s", p.Rule, p.Severity, p.Field)))
	}
	return out
}

func members(c *schema.Copy) string {
	var out []string
	for i := range c.Members {
		m := &c.Members[i]
		s := m.ID()
		if m.HasWeight {
			s += fmt.Sprintf(" w%d", m.Weight)
		}
		if m.HasPriority {
			s += fmt.Sprintf(" p%d", m.Priority)
		}
		if m.PortImplied {
			s += " implied"
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

func TestNodes(t *testing.T) {
	for _, c := range []struct {
		name, fields, want string
		complete           bool
		problems           []string
	}{
		{"mapping", `nodes: {"10.0.0.1:80": 1, "B.example.com:8080": 0}`, "10.0.0.1:80 w1, b.example.com:8080 w0", true, nil},
		{"list", `nodes: [{host: 10.0.0.1, port: 80, weight: 1}]`, "10.0.0.1:80 w1", true, nil},
		{"larger priorities come first", `nodes: [{host: a, port: 80, weight: 1, priority: 10}, {host: b, port: 80, weight: 1, priority: -5}]`, "a:80 w1 p-10, b:80 w1 p5", true, nil},
		{"port of the scheme", `scheme: grpcs, nodes: {"a.example.com": 1}`, "a.example.com:443 w1 implied", true, nil},
		{"port of http", `nodes: [{host: a.example.com, weight: 1}]`, "a.example.com:80 w1 implied", true, nil},
		{"no port for tcp", `scheme: tcp, nodes: {"a.example.com": 1}`, "a.example.com w1", true, nil},
		{"bracketed address", `nodes: {"[2001:DB8::1]:80": 1}`, "[2001:db8::1]:80 w1", true, nil},
		{"glued address", `nodes: {"::1:1980": 1}`, "", true, []string{"schema/invalid  members[0]"}},
		{"bare address", `nodes: {"::1": 1}`, "", true, []string{"schema/invalid  members[0]"}},
		{"address in a list", `nodes: [{host: "::1", port: 1980, weight: 1}]`, "[::1]:1980 w1", true, nil},
		{"port too large", `nodes: {"10.0.0.1:70000": 1}`, "", true, []string{"schema/invalid  members[0]"}},
		{"negative weight", `nodes: {"10.0.0.1:80": -1}`, "10.0.0.1:80", true, []string{"schema/invalid  weight"}},
		{"no weight", `nodes: [{host: a, port: 80}]`, "a:80", true, []string{"schema/invalid"}},
		{"full-width colon", `nodes: {"10.0.0.1：80": 1}`, "10.0.0.1:80 w1", true, []string{"source/scalar-hazard warning members[0]"}},
		{"empty mapping", `nodes: {}`, "", true, nil},
		{"empty list", `nodes: []`, "", true, nil},
		{"discovery", `service_name: s, discovery_type: dns`, "", false, nil},
		{"a template for one", `nodes: {"${{HOST}}:80": 1, "b:80": 1}`, "b:80 w1", true, nil},
		{"a default for one", `nodes: {"${{HOST:=a}}:80": 1}`, "a:80 w1", true, nil},
		{"a template for all", `nodes: "{{ nodes }}"`, "", false, nil},
		{"a template for an entry", `nodes: ["{{ node }}"]`, "", false, nil},
	} {
		got := one(t, upstreamOf(c.fields))
		if s := members(got); s != c.want || got.Complete != c.complete || !got.States(schema.Members) {
			t.Errorf("%s: %q complete=%v stated=%v, want %q", c.name, s, got.Complete, got.States(schema.Members), c.want)
		}
		if diff := cmp.Diff(c.problems, said(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestSpans: host and port of a key have places of their own.
func TestSpans(t *testing.T) {
	text := upstreamOf(`nodes: {"10.0.0.1:1980": 7, b.example.com:80: 1}`)
	c := one(t, text)
	cut := func(s schema.Span) string { return text[s.Start:s.End] }
	for i, want := range []string{"10.0.0.1|1980|7", "b.example.com|80|1"} {
		m := &c.Members[i]
		if got := cut(m.HostAt) + "|" + cut(m.PortAt) + "|" + cut(m.WeightAt); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestNames: id, else name, else the owner; never the name of another pool of the file.
func TestNames(t *testing.T) {
	const up = "upstream: {type: roundrobin, nodes: {\"a:80\": 1}}"
	for _, c := range []struct {
		text, want string
		owned      bool
	}{
		{"upstreams: [{id: 5, name: n, nodes: {}}]", "5", false},
		{"upstreams: [{name: n, nodes: {}}]", "n", false},
		{"routes: [{uri: /hello, " + up + "}]", "route:/hello", true},
		{"routes: [{uris: [/a, /b], " + up + "}]", "route:/a", true},
		{"routes: [{id: r1, name: n, uri: /hello, " + up + "}]", "r1", true},
		{"routes: [{name: n, uri: /hello, " + up + "}]", "n", true},
		{"routes: [{uri: /hello, upstream: {name: own, nodes: {}}}]", "own", false},
		{"services: [{name: s, " + up + "}]", "s", true},
		{"stream_routes: [{server_port: 9000, " + up + "}]", "stream_route:9000", true},
		{"routes: [{id: 1, uri: /x, " + up + "}]\nupstreams: [{id: 1, nodes: {}}]", "1, route:1", false},
		{"services: [{name: s, upstream: {name: default, nodes: {\"a:80\": 1}}}, {name: u, upstream: {name: default, nodes: {\"b:80\": 1}}}]", "s, u", true},
		{"services: [{name: s, upstream: {name: default, id: 7, nodes: {}}}]", "7", false},
		{"routes: [{uri: /hello, upstream: {name: default, nodes: {}}}]", "default", false},
		{"services: [{name: s, " + up + ", routes: [{name: r, uris: [/x], " + up + "}]}]", "s, r", true},
	} {
		r := readText("x.yaml", c.text+"\n#END\n")
		var names []string
		for i := range r.Copies {
			names = append(names, r.Copies[i].Pool)
		}
		if got := strings.Join(names, ", "); got != c.want || r.Copies[0].Owned != c.owned {
			t.Errorf("%s gives %s owned=%v, want %s", c.text, got, r.Copies[0].Owned, c.want)
		}
	}
}

func TestSeconds(t *testing.T) {
	for written, want := range map[string]string{
		"0.5": "500ms", "6": "6s", `"6"`: "6s", "1e1": "10s", "0": "- schema/invalid", "-1": "- schema/invalid", "6s": "- schema/unit", "500ms": "- schema/unit", "soon": "- schema/invalid",
		"{}": "- schema/invalid", `"${{T:=3}}"`: "3s", `"${{T}}"`: "-", ".nan": "- schema/invalid",
	} {
		c := one(t, upstreamOf("nodes: {}, timeout: {connect: "+written+"}"))
		got := value(c, "timeout.connect")
		if len(c.Problems) > 0 {
			got += " " + c.Problems[0].Rule
			if !strings.Contains(c.Problems[0].Text.En, "APISIX") {
				t.Errorf("the message does not name APISIX: %s", c.Problems[0].Text.En)
			}
		}
		if got != want {
			t.Errorf("connect: %s gives %s, want %s", written, got, want)
		}
	}
}

func TestChecks(t *testing.T) {
	both := "healthy: {interval: 2}, unhealthy: {interval: 1}"
	for _, c := range []struct {
		name, checks string
		want         map[schema.Path]string
		problems     []string
	}{
		{"active", "active: {" + both + "}", map[schema.Path]string{"probe.interval": "2s", "probe.intervals.down": "1s"}, nil},
		{"fractions of an interval", "active: {healthy: {interval: 1.5}, unhealthy: {}}", map[schema.Path]string{"probe.interval": "-"}, []string{"schema/invalid  interval"}},
		{"interval with a unit", "active: {healthy: {interval: 2s}, unhealthy: {}}", map[schema.Path]string{"probe.interval": "-"}, []string{"schema/unit  interval"}},
		{"interval 0", "active: {healthy: {interval: 0}, unhealthy: {}}", map[schema.Path]string{"probe.interval": "-"}, []string{"schema/invalid  interval"}},
		{"fall of http", "active: {healthy: {}, unhealthy: {http_failures: 4, tcp_failures: 2}}", map[schema.Path]string{"probe.fall": "4", "checks.active.unhealthy.tcp_failures": "2"}, nil},
		{"fall of tcp", "active: {type: tcp, healthy: {}, unhealthy: {http_failures: 4, tcp_failures: 2}}", map[schema.Path]string{"probe.fall": "2", "checks.active.unhealthy.http_failures": "4"}, nil},
		{"statuses", "active: {healthy: {http_statuses: [302, 200]}, unhealthy: {http_statuses: [503, 500]}}", map[schema.Path]string{"probe.expect.statuses": "[200, 302]", "probe.badStatuses": "[500, 503]"}, nil},
		{"no side", "active: {http_path: /x}", map[schema.Path]string{"probe.path": "/x"}, []string{"probe/never-runs"}},
		{"only healthy", "active: {healthy: {interval: 2}}", map[schema.Path]string{"probe.interval": "2s"}, []string{"probe/never-runs warning"}},
		{"only unhealthy", "active: {unhealthy: {interval: 2}}", map[schema.Path]string{"probe.intervals.down": "2s"}, []string{"probe/never-runs warning"}},
		{"passive alone", "passive: {unhealthy: {http_failures: 3}}", map[schema.Path]string{"decision.consecutive": "3"}, []string{"schema/invalid  checks.passive"}},
		{"passive switched off", "active: {" + both + "}, passive: {unhealthy: {http_failures: 0}}", map[schema.Path]string{"decision.consecutive": "-", "checks.passive.unhealthy.http_failures": "0"}, nil},
		{"passive", "active: {" + both + "}, passive: {unhealthy: {http_statuses: [503, 500], http_failures: 3}}", map[schema.Path]string{"decision.consecutive": "3", "decision.counts": "[500, 503]"}, nil},
		{"template", "\"{{ checks }}\"", map[schema.Path]string{"probe.interval": "-"}, nil},
	} {
		block := "{" + c.checks + "}"
		if c.checks[0] == '"' {
			block = c.checks
		}
		got := one(t, upstreamOf("nodes: {}, checks: "+block))
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

func TestEndMark(t *testing.T) {
	const rules = "routes: [{uri: /a, upstream: {type: roundrobin, nodes: {\"a:80\": 1}}}]\n"
	for _, c := range []struct{ path, text, want string }{
		{"conf/apisix.yaml", rules + "#END\n", ""},
		{"conf/apisix.yaml", rules + "#END", ""},
		{"conf/apisix.yaml", rules + "#END\r\n\n", ""},
		{"conf/apisix.yaml", rules, "schema/invalid "},
		{"conf/apisix.yaml", rules + "#END\n" + strings.Repeat("\n", 12), "schema/invalid "},
		{"conf/apisix.yaml", rules + "#END\n# more\n", "schema/invalid "},
		{"fragments/orders.yaml", rules, "schema/invalid warning"},
		{"conf/apisix.json", `{"routes": [{"uri": "/a", "upstream": {"type": "roundrobin", "nodes": {"a:80": 1}}}]}`, ""},
		{"adc.yaml", "services: [{name: s, upstream: {nodes: []}, routes: [{uris: [/a]}]}]\n", ""},
		{"adc.yaml", "services: [{name: s, upstream: {nodes: []}}]\n", ""},
		{"upstream.yaml", "type: roundrobin\nnodes: {\"a:80\": 1}\n", ""},
	} {
		r := readText(c.path, c.text)
		got := ""
		if len(r.Problems) > 0 {
			got = r.Problems[0].Rule + " " + r.Problems[0].Severity.String()
		}
		if got != c.want || len(r.Copies) != 1 {
			t.Errorf("%s %q gives %q and %d copies, want %q", c.path, c.text, got, len(r.Copies), c.want)
		}
	}
}

// TestAdmin: the shapes of the Admin API.
func TestAdmin(t *testing.T) {
	for text, want := range map[string]string{
		`{"key": "/apisix/upstreams/9", "value": {"type": "roundrobin", "nodes": {"a:80": 1}}}`:               "9",
		`{"value": {"id": "8", "nodes": {"a:80": 1}}, "key": "/apisix/upstreams/9"}`:                          "8",
		`{"node": {"key": "/apisix/upstreams/7", "value": {"nodes": {"a:80": 1}}}, "action": "get"}`:          "7",
		`{"node": {"dir": true, "nodes": [{"key": "/apisix/upstreams/6", "value": {"nodes": {"a:80": 1}}}]}}`: "6",
		`{"id": "5", "type": "chash", "nodes": [{"host": "a", "port": 80, "weight": 1}]}`:                     "5",
		`{"uri": "/a", "upstream": {"nodes": {"a:80": 1}}}`:                                                   "route:/a",
		`[{"key": "/apisix/services/4", "value": {"upstream": {"nodes": {"a:80": 1}}}}]`:                      "4",
		`{"upstreams": [{"id": "3", "nodes": {"a:80": 1}}], "upstreams_conf_version": 1}`:                     "3",
	} {
		r := readText("x.json", text)
		if len(r.Copies) != 1 || r.Copies[0].Pool != want || members(&r.Copies[0]) == "" {
			t.Errorf("%s gives %+v", text, r.Copies)
		}
	}
}

func TestSecretsStayOut(t *testing.T) {
	text := `{"uri": "/v1", "plugins": {"ai-proxy-multi": {"instances": [
		{"name": "a", "provider": "openai", "weight": 1, "auth": {"header": {"Authorization": "Bearer sk-123"}}, "options": {"model": "m"}, "checks": {"active": {"healthy": {}, "unhealthy": {}}}},
		{"name": "b", "provider": "qwen", "weight": 1, "auth": {"query": {"key": "sk-123"}}, "options": {"model": "m"}, "checks": {"active": {"http_path": "/x", "healthy": {}, "unhealthy": {}}}}]}}}`
	r := readText("x.json", text)
	if len(r.Copies) != 1 || len(r.Copies[0].Members) != 2 {
		t.Fatalf("%+v", r)
	}
	for _, f := range r.Copies[0].Fields {
		if strings.Contains(f.Value.String(), "sk-123") {
			t.Errorf("%s shows a secret", f.Path)
		}
	}
	if value(&r.Copies[0], "instances[1].checks.active.http_path") != "/x" {
		t.Errorf("checks that differ are no settings: %v", r.Copies[0].Fields)
	}
}

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		path, text string
		want       sources.Confidence
	}{
		{"conf/apisix.yaml", "routes:\n-\n  uri: /a\n  upstream:\n    nodes: {\"a:80\": 1}\n#END\n", sources.Certain},
		{"x.yaml", "upstreams:\n- id: 1\n  type: roundrobin\n  nodes: {}\n", sources.Certain},
		{"x.json", `{"nodes": {"a:80": 1}, "type": "chash"}`, sources.Certain},
		{"x.json", `{"key": "/apisix/upstreams/1", "value": {"nodes": {}}}`, sources.Certain},
		{"x.yaml", "services:\n- name: s\n  upstream:\n    nodes: []\n", sources.Likely},
		{"kong.yaml", "_format_version: \"3.0\"\nupstreams:\n- name: a\n  targets: []\n  nodes: 1\n", sources.Unlikely},
		{"kong.yaml", "upstreams:\n- name: a\n  targets: []\n", sources.Unlikely},
		{"route.yaml", "apiVersion: apisix.apache.org/v2\nkind: ApisixUpstream\nspec: {nodes: 1}\n", sources.Unlikely},
		{"cluster.json", `{"nodes": ["a", "b"], "name": "redis"}`, sources.Possible},
		{"README.md", "upstreams:\n- nodes: {}\n  type: roundrobin\n", sources.Unlikely},
		{"", "", sources.Unlikely},
	} {
		if got := detect(c.path, []byte(c.text)); got != c.want {
			t.Errorf("detect(%q, %q) = %v, want %v", c.path, c.text, got, c.want)
		}
	}
}
