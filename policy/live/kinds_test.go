package live

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	adapters "github.com/poolproof/poolproof/sources/all"
	gateway "github.com/poolproof/poolproof/sources/live"
	"github.com/poolproof/poolproof/sources/live/all"
	"github.com/poolproof/poolproof/sources/live/livetest"
)

// files reads files by format; a key is "format path" or "format path env".
func files(t *testing.T, texts map[string]string, m *schema.Manifest) []*reconcile.Group {
	t.Helper()
	var copies []*schema.Copy
	for key, text := range texts {
		words := append(strings.Fields(key), "")
		read := false
		for _, a := range adapters.Adapters() {
			if a.Name != words[0] {
				continue
			}
			read = true
			result := a.Read(sources.Input{Path: words[1], Data: []byte(text), Source: &schema.Source{Side: schema.Gateway, Format: a.Name, Env: words[2]}})
			for i := range result.Copies {
				copies = append(copies, &result.Copies[i])
			}
		}
		if !read {
			t.Fatalf("no format %q", words[0])
		}
	}
	return reconcile.Pair(copies, m, nil).Groups
}

// ask serves answers and reads them with the reader of a kind.
func ask(t *testing.T, kind, path string, answers livetest.Answers) gateway.Answer {
	t.Helper()
	s := livetest.Serve(t, answers, nil)
	r, err := gateway.New(all.Kinds(), schema.LiveGateway{Gateway: kind, Address: s.URL + path}, gateway.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := r.Ask(context.Background())
	if a.Unreachable != nil {
		t.Fatal(a.Unreachable)
	}
	for i := range a.Copies {
		livetest.Check(t, &a.Copies[i])
	}
	return a
}

const envoyFile = `
static_resources:
  clusters:
  - name: orders
    type: STATIC
    connect_timeout: 0.25s
    load_assignment: {cluster_name: orders, endpoints: [{lb_endpoints: [
      {endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}, load_balancing_weight: 3},
      {endpoint: {address: {socket_address: {address: 10.0.0.2, port_value: 80}}}}]}]}
    health_checks: [{timeout: 1s, interval: 5s, unhealthy_threshold: 3, healthy_threshold: 2, http_health_check: {path: /h}}]
    outlier_detection: {consecutive_5xx: 5, base_ejection_time: 30s}
  - name: names
    type: STRICT_DNS
    load_assignment: {cluster_name: names, endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: api.example.com, port_value: 443}}}}]}]}
  - name: found
    type: EDS
    eds_cluster_config: {service_name: svc/found, eds_config: {ads: {}}}
`

// envoyDump is what a process shows that runs envoyFile; edits are pairs of texts to replace.
func envoyAnswers(edits ...string) livetest.Answers {
	dump := `{"configs":[
 {"@type":"type.googleapis.com/envoy.admin.v3.BootstrapConfigDump","bootstrap":{"static_resources":{"clusters":[{"name":"boot","type":"STATIC"}]}}},
 {"@type":"type.googleapis.com/envoy.admin.v3.SecretsConfigDump","static_secrets":[{"name":"s"}]},
 {"@type":"type.googleapis.com/envoy.admin.v3.ClustersConfigDump","static_clusters":[
  {"cluster":{"@type":"type.googleapis.com/envoy.config.cluster.v3.Cluster","name":"orders","type":"STATIC","connect_timeout":"0.250s",
   "load_assignment":{"cluster_name":"orders","endpoints":[{"lb_endpoints":[
    {"endpoint":{"address":{"socket_address":{"address":"10.0.0.2","port_value":80}}}},
    {"endpoint":{"address":{"socket_address":{"address":"10.0.0.1","port_value":80}}},"load_balancing_weight":3}]}]},
   "health_checks":[{"timeout":"1s","interval":"5s","unhealthy_threshold":3,"healthy_threshold":2,"http_health_check":{"path":"/h"}}],
   "outlier_detection":{"consecutive_5xx":5,"base_ejection_time":"30s"}}},
  {"cluster":{"@type":"type.googleapis.com/envoy.config.cluster.v3.Cluster","name":"names","type":"STRICT_DNS",
   "load_assignment":{"cluster_name":"names","endpoints":[{"lb_endpoints":[{"endpoint":{"address":{"socket_address":{"address":"api.example.com","port_value":443}}}}]}]}}},
  {"cluster":{"@type":"type.googleapis.com/envoy.config.cluster.v3.Cluster","name":"found","type":"EDS","eds_cluster_config":{"service_name":"svc/found","eds_config":{"ads":{}}}}}],
 "dynamic_active_clusters":[{"cluster":{"@type":"type.googleapis.com/envoy.config.cluster.v3.Cluster","name":"xds-made","type":"EDS","eds_cluster_config":{"eds_config":{"ads":{}}}}}],
 "dynamic_warming_clusters":[{"cluster":{"@type":"type.googleapis.com/envoy.config.cluster.v3.Cluster","name":"orders2","type":"STATIC","load_assignment":{"cluster_name":"orders2","endpoints":[{"lb_endpoints":[{"endpoint":{"address":{"socket_address":{"address":"10.0.0.9","port_value":80}}}}]}]}}}]},
 {"@type":"type.googleapis.com/envoy.admin.v3.EndpointsConfigDump","dynamic_endpoint_configs":[
  {"endpoint_config":{"@type":"type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment","cluster_name":"svc/found","endpoints":[{"lb_endpoints":[
   {"endpoint":{"address":{"socket_address":{"address":"10.1.0.1","port_value":80}}},"health_status":"UNHEALTHY","load_balancing_weight":1},
   {"endpoint":{"address":{"socket_address":{"address":"10.1.0.2","port_value":80}}},"health_status":"HEALTHY","load_balancing_weight":1}]}]}}]}]}`
	clusters := `{"cluster_statuses":[
 {"name":"orders","host_statuses":[{"address":{"socket_address":{"address":"10.0.0.1","port_value":80}},"health_status":{"failed_active_health_check":true,"eds_health_status":"HEALTHY"},"weight":3}]},
 {"name":"found","host_statuses":[
  {"address":{"socket_address":{"address":"10.1.0.1","port_value":80}},"health_status":{"failed_active_health_check":true,"eds_health_status":"HEALTHY"},"weight":1},
  {"address":{"socket_address":{"address":"10.1.0.2","port_value":80}},"health_status":{"eds_health_status":"HEALTHY"},"weight":1}]},
 {"name":"xds-made","added_via_api":true,"host_statuses":[{"address":{"socket_address":{"address":"10.2.0.1","port_value":80}},"health_status":{"eds_health_status":"DRAINING"},"weight":4,"priority":1}]}]}`
	for i := 0; i+1 < len(edits); i += 2 {
		if !strings.Contains(dump+clusters, edits[i]) {
			panic("nothing to edit: " + edits[i])
		}
		dump, clusters = strings.ReplaceAll(dump, edits[i], edits[i+1]), strings.ReplaceAll(clusters, edits[i], edits[i+1])
	}
	return livetest.Answers{"/server_info": `{"version":"abc/1.33.0/Clean/RELEASE/BoringSSL"}`, "/config_dump": dump, "/clusters?format=json": clusters}
}

const edsFile = `{"@type": type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment, cluster_name: found, endpoints: [{lb_endpoints: [
  {endpoint: {address: {socket_address: {address: 10.1.0.1, port_value: 80}}}},
  {endpoint: {address: {socket_address: {address: 10.1.0.2, port_value: 80}}}}]}]}`

const apisixFile = `
upstreams:
  - id: 1
    name: orders
    type: roundrobin
    nodes: {"10.0.0.1:80": 1, "10.0.0.2:80": 3}
    checks: {active: {type: http, http_path: /h, healthy: {interval: 2, successes: 1}}}
  - id: 2
    nodes: [{host: 10.0.0.3, port: 80, weight: 1, priority: 1}, {host: 10.0.0.4, port: 80, weight: 1}]
routes:
  - id: r1
    uri: /pay
    upstream: {nodes: {"10.0.0.5:80": 1}}
#END
`

func apisixAnswers(edits ...string) livetest.Answers {
	upstreams := `{"total":2,"list":[
 {"key":"/apisix/upstreams/1","createdIndex":9,"value":{"id":"1","name":"orders","type":"roundrobin","scheme":"http","pass_host":"pass","hash_on":"vars","update_time":1,
  "nodes":[{"host":"10.0.0.2","port":80,"weight":3,"priority":0},{"host":"10.0.0.1","port":80,"weight":1,"priority":0}],
  "checks":{"active":{"type":"http","http_path":"/h","timeout":1,"concurrency":10,"healthy":{"interval":2,"successes":1,"http_statuses":[200,302]}}}}},
 {"key":"/apisix/upstreams/2","value":{"id":"2","nodes":[{"host":"10.0.0.3","port":80,"weight":1,"priority":1},{"host":"10.0.0.4","port":80,"weight":1,"priority":0}]}}]}`
	routes := `{"total":1,"list":[{"key":"/apisix/routes/r1","value":{"id":"r1","uri":"/pay","upstream":{"nodes":{"10.0.0.5:80":1}}}}]}`
	for i := 0; i+1 < len(edits); i += 2 {
		if !strings.Contains(upstreams+routes, edits[i]) {
			panic("nothing to edit: " + edits[i])
		}
		upstreams, routes = strings.ReplaceAll(upstreams, edits[i], edits[i+1]), strings.ReplaceAll(routes, edits[i], edits[i+1])
	}
	return livetest.Answers{"/apisix/admin/upstreams": upstreams, "/apisix/admin/services": `{"total":0,"list":{}}`, "/apisix/admin/routes": routes}
}

const nginxFile = `
upstream orders {
  zone orders 64k;
  server 10.0.0.1:80 weight=2;
  server 10.0.0.2;
  server api.example.com:81 backup;
  server 10.0.0.4:80 down;
}
upstream hidden { server 10.0.0.9; }
upstream seen { zone seen 64k; server unix:/run/a.sock; }
`

func nginxAnswers(edits ...string) livetest.Answers {
	upstreams := `{"orders":{"peers":[
  {"id":0,"server":"10.0.0.1:80","name":"10.0.0.1:80","backup":false,"weight":2,"state":"unhealthy"},
  {"id":1,"server":"10.0.0.2:80","name":"10.0.0.2:80","backup":false,"weight":1,"state":"up"},
  {"id":2,"server":"192.0.2.1:81","name":"api.example.com:81","backup":true,"weight":1,"state":"unavail"},
  {"id":3,"server":"192.0.2.2:81","name":"api.example.com:81","backup":true,"weight":1,"state":"up"},
  {"id":4,"server":"10.0.0.4:80","name":"10.0.0.4:80","backup":false,"weight":1,"state":"down"}],"zone":"orders"},
 "seen":{"peers":[{"id":0,"server":"unix:/run/a.sock","name":"unix:/run/a.sock","backup":false,"weight":1,"state":"up"}],"zone":"seen"}}`
	for i := 0; i+1 < len(edits); i += 2 {
		if !strings.Contains(upstreams, edits[i]) {
			panic("nothing to edit: " + edits[i])
		}
		upstreams = strings.ReplaceAll(upstreams, edits[i], edits[i+1])
	}
	return livetest.Answers{"/api/9/": `["nginx","http","stream"]`, "/api/9/nginx": `{"build":"nginx-plus-r31"}`, "/api/9/http/": `["requests","upstreams"]`,
		"/api/9/stream/": `["server_zones"]`, "/api/9/http/upstreams": upstreams}
}

const rolloutFile = `
apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: orders, namespace: shop}
spec: {replicas: 3, strategy: {canary: {steps: [{setWeight: 5}, {pause: {duration: 10m}}, {setWeight: 50}, {pause: {}}]}}}
`

func rolloutAnswers(edits ...string) livetest.Answers {
	list := `{"kind":"RolloutList","apiVersion":"argoproj.io/v1alpha1","metadata":{"continue":"","resourceVersion":"1"},"items":[
 {"metadata":{"name":"orders","namespace":"shop"},"spec":{"replicas":17,"strategy":{"canary":{"steps":[{"setWeight":5},{"pause":{"duration":"600s"}},{"setWeight":50},{"pause":{}}]}}},
  "status":{"currentStepIndex":1,"abort":true}},
 {"metadata":{"name":"orders","namespace":"other"},"spec":{"strategy":{"canary":{"steps":[{"setWeight":99}]}}}},
 {"metadata":{"name":"foreign","namespace":"shop"},"spec":{"strategy":{"canary":{"steps":[{"setWeight":1}]}}}}]}`
	for i := 0; i+1 < len(edits); i += 2 {
		if !strings.Contains(list, edits[i]) {
			panic("nothing to edit: " + edits[i])
		}
		list = strings.ReplaceAll(list, edits[i], edits[i+1])
	}
	return livetest.Answers{"/apis/argoproj.io/v1alpha1/rollouts": list, "/apis/argoproj.io/v1alpha1/namespaces/shop/rollouts": list}
}

// TestKinds compares files with answers of gateways that run them, and of gateways that do not.
func TestKinds(t *testing.T) {
	for _, tt := range []struct {
		name, kind, path, file, text string
		answers                      livetest.Answers
		want                         []string
	}{
		{"envoy", "envoy", "", "envoy envoy.yaml", envoyFile, envoyAnswers(), nil},
		{"envoy: weight", "envoy", "", "envoy envoy.yaml", envoyFile, envoyAnswers(`"load_balancing_weight":3`, `"load_balancing_weight":7`),
			[]string{"live/differs orders 10.0.0.1:80 weight want=3 got=7"}},
		{"envoy: interval", "envoy", "", "envoy envoy.yaml", envoyFile, envoyAnswers(`"interval":"5s"`, `"interval":"60s"`),
			[]string{"live/differs orders interval want=5s got=1m"}},
		{"envoy: no checks", "envoy", "", "envoy envoy.yaml", envoyFile, envoyAnswers(`"health_checks":[{"timeout":"1s","interval":"5s","unhealthy_threshold":3,"healthy_threshold":2,"http_health_check":{"path":"/h"}}],`, ``),
			[]string{"live/not-applied orders want=probe got="}},
		{"envoy: a default for a value", "envoy", "", "envoy envoy.yaml", envoyFile, envoyAnswers(`,"base_ejection_time":"30s"`, ``), nil},
		{"envoy: nothing is the default", "envoy", "", "envoy envoy.yaml", strings.Replace(envoyFile, "timeout: 1s,", "timeout: 1s, interval_jitter_percent: 0,", 1), envoyAnswers(), nil},
		{"envoy: a value that it lacks", "envoy", "", "envoy envoy.yaml", strings.Replace(envoyFile, "timeout: 1s,", "timeout: 1s, interval_jitter_percent: 10,", 1), envoyAnswers(),
			[]string{"live/differs orders jitter want=0.1 got=0"}},
		{"envoy: another default", "envoy", "", "envoy envoy.yaml", strings.Replace(envoyFile, "30s", "40s", 1), envoyAnswers(`,"base_ejection_time":"30s"`, ``),
			[]string{"live/differs orders duration want=40s got=30s"}},
		{"envoy: checks that no file has", "envoy", "", "envoy envoy.yaml", strings.Replace(envoyFile, "health_checks: [", "x: [", 1), envoyAnswers(),
			[]string{"live/only-running orders want= got=fall 3, interval 5s, path /h, protocol http, rise 2, timeout 1s"}},
		{"envoy: address", "envoy", "", "envoy envoy.yaml", envoyFile, envoyAnswers(`"address":"10.0.0.2"`, `"address":"10.0.0.22"`),
			[]string{"live/only-running orders 10.0.0.22:80 want= got=10.0.0.22:80", "live/not-applied orders 10.0.0.2:80 want=10.0.0.2:80 got="}},
		{"envoy: a static pool more", "envoy", "", "envoy envoy.yaml", strings.Replace(envoyFile, "name: names", "name: renamed", 1), envoyAnswers(),
			[]string{"live/only-running names want= got=names", "live/not-applied renamed want=renamed got="}},
		{"envoy: endpoints", "envoy", "", "envoy eds.yaml", edsFile, envoyAnswers(), nil},
		{"envoy: endpoints without include_eds", "envoy", "", "envoy eds.yaml", edsFile, envoyAnswers(`EndpointsConfigDump`, `OtherDump`), nil},
		{"envoy: endpoints drained", "envoy", "", "envoy eds.yaml", edsFile, envoyAnswers(`"failed_active_health_check":true,"eds_health_status":"HEALTHY"},"weight":1`, `"eds_health_status":"DRAINING"},"weight":1`),
			[]string{"live/differs found 10.1.0.1:80 state want=active got=drain"}},

		{"apisix", "apisix", "", "apisix apisix.yaml", apisixFile, apisixAnswers(), nil},
		{"apisix: weight", "apisix", "", "apisix apisix.yaml", apisixFile, apisixAnswers(`"weight":3`, `"weight":1`), []string{"live/differs 1 10.0.0.2:80 weight want=3 got=1"}},
		{"apisix: all weights twice", "apisix", "", "apisix apisix.yaml", apisixFile, apisixAnswers(`"weight":3`, `"weight":6`, `"port":80,"weight":1`, `"port":80,"weight":2`), nil},
		{"apisix: priority", "apisix", "", "apisix apisix.yaml", apisixFile, apisixAnswers(`"priority":1`, `"priority":-1`),
			[]string{"live/differs 2 10.0.0.3:80 priority want=priority -1 got=priority 1", "live/differs 2 10.0.0.4:80 priority want=no backup got=priority 0"}},
		{"apisix: node", "apisix", "", "apisix apisix.yaml", apisixFile, apisixAnswers(`"10.0.0.5:80"`, `"10.0.0.6:80"`),
			[]string{"live/only-running r1 10.0.0.6:80 want= got=10.0.0.6:80", "live/not-applied r1 10.0.0.5:80 want=10.0.0.5:80 got="}},
		{"apisix: called by name", "apisix", "", "apisix adc.yaml", "upstreams:\n  - name: orders\n    type: roundrobin\n    nodes: {\"10.0.0.1:80\": 1, \"10.0.0.2:80\": 2}\n", apisixAnswers(`"id":"1"`, `"id":"5f2e"`, `upstreams/1`, `upstreams/5f2e`),
			[]string{"live/only-running 2 want= got=2", "live/differs orders 10.0.0.2:80 weight want=2 got=3", "live/only-running orders want= got=expect.statuses [200, 302], interval 2s, path /h, protocol http, rise 1, timeout 1s", "live/only-running r1 want= got=r1"}},

		{"nginx", "nginx-plus", "", "nginx nginx.conf", nginxFile, nginxAnswers(), nil},
		{"nginx: down", "nginx-plus", "", "nginx nginx.conf", nginxFile, nginxAnswers(`"weight":2,"state":"unhealthy"`, `"weight":2,"state":"down"`),
			[]string{"live/differs orders 10.0.0.1:80 state want=active got=disabled"}},
		{"nginx: up again", "nginx-plus", "", "nginx nginx.conf", nginxFile, nginxAnswers(`"weight":1,"state":"down"`, `"weight":1,"state":"up"`),
			[]string{"live/differs orders 10.0.0.4:80 state want=disabled got=active"}},
		{"nginx: draining", "nginx-plus", "/api/9", "nginx nginx.conf", nginxFile, nginxAnswers(`"weight":2,"state":"unhealthy"`, `"weight":2,"state":"draining"`),
			[]string{"live/differs orders 10.0.0.1:80 state want=active got=drain"}},
		{"nginx: a pool less", "nginx-plus", "", "nginx nginx.conf", nginxFile, nginxAnswers(`"seen":`, `"unseen":`),
			[]string{"live/not-applied seen want=seen got=", "live/only-running unseen want= got=unseen"}},

		{"rollout", "argo-rollouts", "", "argo-rollouts r.yaml", rolloutFile, rolloutAnswers(), nil},
		{"rollout: namespace", "argo-rollouts", "/namespaces/shop", "argo-rollouts r.yaml", rolloutFile, rolloutAnswers(), nil},
		{"rollout: share", "argo-rollouts", "", "argo-rollouts r.yaml", rolloutFile, rolloutAnswers(`"setWeight":50`, `"setWeight":40`),
			[]string{"live/differs orders batches[1].share want=5% 10m, 50% manual, 100% got=5% 10m, 40% manual, 100%"}},
		{"rollout: dwell", "argo-rollouts", "", "argo-rollouts r.yaml", rolloutFile, rolloutAnswers(`600s`, `60s`),
			[]string{"live/differs orders batches[0].dwell want=5% 10m, 50% manual, 100% got=5% 1m, 50% manual, 100%"}},
		{"rollout: gone", "argo-rollouts", "/namespaces/shop", "argo-rollouts r.yaml", rolloutFile, rolloutAnswers(`"name":"orders"`, `"name":"else"`),
			[]string{"live/not-applied orders want=orders got="}},
		{"rollout: of another namespace", "argo-rollouts", "/namespaces/shop", "argo-rollouts r.yaml", strings.Replace(rolloutFile, "namespace: shop", "namespace: pay", 1), rolloutAnswers(), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := &schema.Manifest{}
			p := &process{t: t}
			got := p.words(Judge(Input{Manifest: m, Groups: files(t, map[string]string{tt.file: tt.text}, m), Answers: []gateway.Answer{ask(t, tt.kind, tt.path, tt.answers)}}))
			if tt.want == nil {
				tt.want = []string{}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestUnknownGateway holds that a gateway that does not answer is one finding, whatever the number of its pools, and that
// the longer memory counts.
func TestUnknownGateway(t *testing.T) {
	m := &schema.Manifest{}
	since := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	a := gateway.Answer{Name: "apisix http://h:9180", Kind: gateway.Kind{Name: "apisix", Format: "apisix", Shows: []schema.Item{schema.Members}},
		Unreachable: &gateway.Unreachable{Since: since, Reason: schema.Textf("it is down", "宕机")}}
	in := Input{Manifest: m, Groups: files(t, map[string]string{"apisix apisix.yaml": apisixFile}, m), Answers: []gateway.Answer{a}}
	got := Judge(in)
	if len(got) != 1 || got[0].Rule != "live/unknown" || got[0].Severity != schema.Warning || !strings.Contains(got[0].Message.En, "since 2026-11-01T12:00:00Z: it is down") {
		t.Fatalf("%+v", got)
	}
	in.Since = func(string) (time.Time, bool) { return since.Add(-time.Hour), true }
	if got := Judge(in)[0].Message; !strings.Contains(got.En, "11:00:00Z") || !strings.Contains(got.Zh, "11:00:00Z") {
		t.Error(got)
	}
}

// TestEnvironments holds that a gateway is compared with the environment that it was made from, and that two gateways of
// one kind need not run each other's files.
func TestEnvironments(t *testing.T) {
	m := &schema.Manifest{}
	server := func(hosts ...string) string {
		text := "backend orders\n"
		for i, h := range hosts {
			text += fmt.Sprintf("    server s%d %s:80\n", i, h)
		}
		return text
	}
	texts := map[string]string{
		"haproxy envs/prod/haproxy.cfg prod":       server("10.0.0.1", "10.0.0.2", "10.0.0.3"),
		"haproxy envs/stage/haproxy.cfg stage":     server("10.9.0.1") + "backend new\n    server n 10.9.0.2:80\n",
		"haproxy envs/prod/other/haproxy.cfg prod": "backend other\n    server o 10.0.0.7:80\n",
	}
	pool := func(name string, hosts ...string) schema.Copy {
		c := schema.Copy{Side: schema.Live, Format: "haproxy", Pool: name, PoolAt: gateway.Somewhere(), Complete: true, Profile: "haproxy-2.6"}
		c.Touch(schema.Members, gateway.Somewhere())
		for _, h := range hosts {
			c.Members = append(c.Members, schema.Member{Host: h, Port: 80, At: gateway.Somewhere(), State: schema.Active})
		}
		return c
	}
	answer := func(name string, copies ...schema.Copy) gateway.Answer {
		for i := range copies {
			copies[i].Files = []string{name}
		}
		return gateway.Answer{Name: name, Kind: gateway.Kind{Name: "haproxy", Format: "haproxy", Shows: []schema.Item{schema.Members}}, Copies: copies}
	}
	p := &process{t: t}
	got := p.words(Judge(Input{Manifest: m, Groups: files(t, texts, m), Answers: []gateway.Answer{
		answer("prod", pool("orders", "10.0.0.1", "10.0.0.2")),
		answer("stage", pool("orders", "10.9.0.1", "10.9.0.9"), pool("New", "10.9.0.2")),
	}}))
	// A pool of one name in two files is run once.
	texts["haproxy more.cfg"] = "backend orders\n    server s 10.7.0.1:80\nbackend more\n    server m 10.7.0.2:80\n"
	if got := p.words(Judge(Input{Manifest: m, Groups: files(t, texts, m), Answers: []gateway.Answer{
		answer("prod", pool("orders", "10.0.0.1", "10.0.0.2", "10.0.0.3"), pool("more", "10.7.0.2")),
	}})); len(got) > 0 {
		t.Errorf("%q", got)
	}
	want := []string{"live/not-applied orders 10.0.0.3:80 want=10.0.0.3:80 got=", "live/only-running orders 10.9.0.9:80 want= got=10.9.0.9:80"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
