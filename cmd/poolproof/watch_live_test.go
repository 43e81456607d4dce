package main

import (
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/poolproof/poolproof/sources/live/livetest"
)

// gatewayServer gives answers that a test changes while they are asked for.
type gatewayServer struct {
	token   atomic.Value // a string: what the header Authorization or X-API-KEY must hold, if anything
	answers atomic.Pointer[livetest.Answers]
}

func (g *gatewayServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if token, _ := g.token.Load().(string); r.Header.Get("Authorization")+r.Header.Get("X-API-KEY") != token {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	answers := *g.answers.Load()
	body, ok := answers[r.URL.RequestURI()]
	if !ok {
		body, ok = answers[r.URL.Path]
	}
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(body))
}

// change answers from now on with another text in place of old ones.
func (g *gatewayServer) change(edits ...string) {
	next := livetest.Answers{}
	for path, body := range *g.answers.Load() {
		next[path] = strings.NewReplacer(edits...).Replace(body)
	}
	g.answers.Store(&next)
}

// TestWatchGateways lets a watch ask gateways of every other kind, which say what real ones do. What people change there
// is told within two polls, with both values, and its end too; what only looks different is not.
func TestWatchGateways(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind, format, file, path string
		token, header            string
		text                     string
		answers                  livetest.Answers
		same, other              []string // edits of what only looks different, and of drift
		want                     []string
	}{
		{
			kind: "envoy", format: "envoy", file: "envoy.yaml", text: `
static_resources:
  clusters:
  - name: orders
    type: STATIC
    connect_timeout: 0.25s
    load_assignment: {cluster_name: orders, endpoints: [{lb_endpoints: [
      {endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}, load_balancing_weight: 3},
      {endpoint: {address: {socket_address: {address: 10.0.0.2, port_value: 80}}}}]}]}
    outlier_detection: {consecutive_5xx: 5, base_ejection_time: 30s}
`, answers: livetest.Answers{"/server_info": `{"version":"abc/1.33.0/Clean/RELEASE/BoringSSL","state":"LIVE"}`,
				"/config_dump": `{"configs":[{"@type":"type.googleapis.com/envoy.admin.v3.ClustersConfigDump","static_clusters":[
  {"cluster":{"@type":"type.googleapis.com/envoy.config.cluster.v3.Cluster","name":"orders","type":"STATIC","connect_timeout":"0.250s",
   "load_assignment":{"cluster_name":"orders","endpoints":[{"lb_endpoints":[
    {"endpoint":{"address":{"socket_address":{"address":"10.0.0.2","port_value":80}}}},
    {"endpoint":{"address":{"socket_address":{"address":"10.0.0.1","port_value":80}}},"load_balancing_weight":3}]}]},
   "outlier_detection":{"consecutive_5xx":5,"base_ejection_time":"30s"}}}]}]}`,
				"/clusters?format=json": `{"cluster_statuses":[{"name":"orders","host_statuses":[
  {"address":{"socket_address":{"address":"10.0.0.1","port_value":80}},"health_status":{"eds_health_status":"HEALTHY"},"weight":3}]}]}`},
			same:  []string{`"30s"`, `"30.000s"`, `{"eds_health_status":"HEALTHY"}`, `{"failed_active_health_check":true,"failed_outlier_check":true,"eds_health_status":"HEALTHY"}`},
			other: []string{`"load_balancing_weight":3`, `"load_balancing_weight":7`, `"30.000s"`, `"60s"`},
			want:  []string{"live/differs orders 10.0.0.1:80 weight want=3 got=7", "live/differs orders duration want=30s got=1m"},
		},
		{
			kind: "apisix", format: "apisix", file: "apisix.yaml", token: "edd1c9f034335f136f87ad84b625c8f1", text: `
upstreams:
  - {id: 1, type: roundrobin, nodes: {"10.0.0.1:80": 1, "10.0.0.2:80": 3}}
#END
`, answers: livetest.Answers{"/apisix/admin/services": `{"total":0,"list":{}}`, "/apisix/admin/routes": `{"total":0,"list":[]}`,
				"/apisix/admin/upstreams": `{"total":1,"list":[{"key":"/apisix/upstreams/1","createdIndex":9,"value":{"id":"1","type":"roundrobin","scheme":"http","pass_host":"pass",
  "nodes":[{"host":"10.0.0.2","port":80,"weight":3,"priority":0},{"host":"10.0.0.1","port":80,"weight":1,"priority":0}]}}]}`},
			same:  []string{`"weight":3`, `"weight":6`, `"weight":1`, `"weight":2`},
			other: []string{`"weight":6`, `"weight":1`, `"weight":2`, `"weight":1`},
			want:  []string{"live/differs 1 10.0.0.2:80 weight want=3 got=1"},
		},
		{
			kind: "nginx-plus", format: "nginx", file: "nginx.conf", path: "/api/9", text: `
http {
  upstream orders { zone orders 64k; server 10.0.0.1:80 weight=2; server 10.0.0.2; }
}
`, answers: livetest.Answers{"/api/9/": `["nginx","http"]`, "/api/9/nginx": `{"build":"nginx-plus-r31"}`, "/api/9/http/": `["requests","upstreams"]`,
				"/api/9/http/upstreams": `{"orders":{"peers":[
  {"id":1,"server":"10.0.0.2:80","name":"10.0.0.2:80","backup":false,"weight":1,"state":"up"},
  {"id":0,"server":"10.0.0.1:80","name":"10.0.0.1:80","backup":false,"weight":2,"state":"up"}],"zone":"orders"}}`},
			same:  []string{`"weight":2,"state":"up"`, `"weight":2,"state":"unhealthy"`},
			other: []string{`"weight":2,"state":"unhealthy"`, `"weight":2,"state":"draining"`, `{"id":1`, `{"id":2,"server":"10.0.0.9:80","name":"10.0.0.9:80","backup":false,"weight":1,"state":"up"},{"id":1`},
			want:  []string{"live/differs orders 10.0.0.1:80 state want=active got=drain", "live/only-running orders 10.0.0.9:80 want= got=10.0.0.9:80"},
		},
		{
			kind: "argo-rollouts", format: "argo-rollouts", file: "rollout.yaml", path: "/namespaces/shop", token: "a.kubernetes.token", header: "Bearer ", text: `
apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: orders, namespace: shop}
spec: {replicas: 3, strategy: {canary: {steps: [{setWeight: 5}, {pause: {duration: 10m}}, {setWeight: 50}, {pause: {}}]}}}
`, answers: livetest.Answers{"/apis/argoproj.io/v1alpha1/namespaces/shop/rollouts": `{"kind":"RolloutList","apiVersion":"argoproj.io/v1alpha1","metadata":{"resourceVersion":"1"},"items":[
 {"metadata":{"name":"orders","namespace":"shop"},"spec":{"replicas":3,"strategy":{"canary":{"steps":[{"setWeight":5},{"pause":{"duration":"10m"}},{"setWeight":50},{"pause":{}}]}}},
  "status":{"currentStepIndex":1}}]}`},
			same:  []string{`"replicas":3`, `"replicas":17`, `"10m"`, `"600s"`, `"currentStepIndex":1`, `"currentStepIndex":3,"abort":true`},
			other: []string{`"setWeight":50`, `"setWeight":40`},
			want:  []string{"live/differs orders batches[1].share want=5% 10m, 50% manual, 100% got=5% 10m, 40% manual, 100%"},
		},
	} {
		t.Run(tt.kind, func(t *testing.T) {
			t.Parallel()
			server := new(gatewayServer)
			server.token.Store(tt.header + tt.token)
			server.answers.Store(&tt.answers)
			s := httptest.NewTLSServer(server)
			defer s.Close()
			mail := newInbox(t)
			root, beside := t.TempDir(), t.TempDir()
			put(t, beside, "ca.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})), "token", tt.token+"\n")
			put(t, root, tt.file, tt.text, "poolproof.yaml", fmt.Sprintf(`
sources: [{side: gateway, format: %s, files: [%s]}]
live: [{gateway: %s, address: "%s", every: 500ms, caFile: %s%s}]
alerts: {stdout: {}, webhook: {url: "%s"}}
`, tt.format, tt.file, tt.kind, s.URL+tt.path, filepath.Join(beside, "ca.pem"), tokenSetting(tt.token, filepath.Join(beside, "token")), mail.URL))
			g := &liveWatch{watch(t, root), mail}
			g.polls(2)
			if tt.token != "" { // a token that was renewed is read anew
				if reason := g.status().Gateways[0].Reason; reason != "" {
					t.Fatal(reason)
				}
				server.token.Store(tt.header + "renewed")
				g.until("the old token refused", func() bool { return strings.Contains(g.status().Gateways[0].Reason, "HTTP 401") })
				put(t, beside, "token", "renewed")
				g.until("the new token taken", func() bool { return g.status().Gateways[0].Unknown == "" })
			}
			server.change(tt.same...)
			g.polls(3)
			for _, e := range append(g.events(), mail.events()...) {
				if e.Rule != "live/unknown" && strings.HasPrefix(e.Rule, "live/") {
					t.Errorf("told of what only looks different: %+v", e)
				}
			}
			before := *server.answers.Load()
			server.change(tt.other...)
			g.within(2, tt.want)
			g.told("firing", tt.want)
			server.answers.Store(&before)
			g.within(2, nil)
			g.told("resolved", tt.want)
			if text := g.log.String() + g.out.String() + string(g.get("/")) + string(g.get("/api/v1/status")); tt.token != "" && strings.Contains(text, tt.token) {
				t.Error("the token is shown")
			}
			g.end()
		})
	}
}

func tokenSetting(token, file string) string {
	if token == "" {
		return ""
	}
	return ", tokenFile: " + file
}

// TestWatchUnknown keeps a state over restarts while a gateway does not answer: since when it is unknown, and the drift
// that was there before.
func TestWatchUnknown(t *testing.T) {
	t.Parallel()
	server := new(gatewayServer)
	server.answers.Store(&livetest.Answers{"/api/9/": `["nginx","http"]`, "/api/9/nginx": `{"build":"nginx-plus-r31"}`, "/api/9/http/": `["upstreams"]`,
		"/api/9/http/upstreams": `{"orders":{"peers":[{"id":0,"server":"10.0.0.1:80","name":"10.0.0.1:80","backup":false,"weight":2,"state":"down"}],"zone":"orders"}}`})
	s := httptest.NewServer(server)
	mail := newInbox(t)
	root, kept := t.TempDir(), t.TempDir()
	put(t, root, "nginx.conf", "http {\n  upstream orders { zone orders 64k; server 10.0.0.1:80 weight=2; }\n}\n", "poolproof.yaml", fmt.Sprintf(
		"sources: [{side: gateway, format: nginx, files: [nginx.conf]}]\nlive: [{gateway: nginx-plus, address: \"%s\", every: 500ms}]\nalerts: {stdout: {}, webhook: {url: \"%s\"}}\n", s.URL, mail.URL))
	g := &liveWatch{watch(t, root, "--state", kept), mail}
	want := []string{"live/differs orders 10.0.0.1:80 state want=active got=disabled"}
	g.within(2, want)
	g.told("firing", want)
	s.Close()
	g.until("unknown told", func() bool { return len(mail.events()) == 2 })
	since := g.drifts()
	g.end()

	g = &liveWatch{watch(t, root, "--state", kept), mail}
	g.polls(3)
	if now := g.drifts(); len(now) != 2 || fmt.Sprint(now) != fmt.Sprint(since) {
		t.Errorf("after a restart %v, before it %v", now, since)
	}
	g.end()
	if got := mail.events(); len(got) != 2 {
		t.Errorf("%d alerts, of 2: %+v", len(got), got)
	}
	if entries, err := os.ReadDir(kept); err != nil || len(entries) == 0 {
		t.Errorf("%v, %v", entries, err)
	}
}

// drifts lists what lasts, since when, and whether it is held.
func (g *liveWatch) drifts() (list []string) {
	for _, d := range g.status().Drifts {
		list = append(list, fmt.Sprint(d.Key, d.Rule, d.Since, d.Rule == "live/unknown" || d.Held))
	}
	return list
}
