package envoy

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/live"
	"github.com/poolproof/poolproof/sources/live/livetest"
)

const (
	info = `{"version":"1234abcd/1.33.2/Clean/RELEASE/BoringSSL","state":"LIVE"}`
	dump = `{"configs":[{"@type":"type.googleapis.com/envoy.admin.v3.ClustersConfigDump",
	 "static_clusters":[{"cluster":{"name":"a","type":"STATIC","load_assignment":{"cluster_name":"a","endpoints":[{"lb_endpoints":[
	   {"endpoint":{"address":{"pipe":{"path":"/run/a"}}},"health_status":"DRAINING"}]}]}}}],
	 "dynamic_active_clusters":[{"cluster":{"name":"b","type":"EDS"}}],"dynamic_warming_clusters":[{"cluster":{"name":"w","type":"EDS"}}]}]}`
	clusters = `{"cluster_statuses":[{"name":"a"},{"name":"b","added_via_api":true,"host_statuses":[
	 {"address":{"socket_address":{"address":"2001:DB8::1","port_value":80}},"health_status":{"failed_outlier_check":true},"weight":2,"priority":1},
	 {"address":{"pipe":{"path":"/run/b"}},"health_status":{"eds_health_status":"UNHEALTHY"},"weight":1},
	 {"address":{"envoy_internal_address":{"server_listener_name":"x"}},"weight":1}]}]}`
)

func answers(info, dump, clusters string) livetest.Answers {
	return livetest.Answers{"/server_info": info, "/config_dump?include_eds=": dump, "/clusters?format=json": clusters}
}

func TestRead(t *testing.T) {
	s := livetest.Serve(t, answers(info, dump, clusters), nil)
	copies, err := livetest.Read(t, Kind(), schema.LiveGateway{Address: s.URL}, live.Options{})
	if err != nil || len(copies) != 2 {
		t.Fatalf("%v, %d copies", err, len(copies))
	}
	a, b := copies[0], copies[1]
	if a.Pool != "a" || a.Profile != "envoy-1.33" || !a.Complete || a.Members[0].ID() != "unix:/run/a" || a.Members[0].State != schema.Drain || a.Members[0].Weight != 1 {
		t.Errorf("%+v", a)
	}
	if _, api := a.Get("added_via_api"); api {
		t.Error("the static cluster counts as one of the control plane")
	}
	if _, api := b.Get("added_via_api"); !api || b.Complete || len(b.Members) != 2 { // an internal address is nothing that a file could name
		t.Errorf("%+v", b)
	}
	if m := b.Members[0]; m.ID() != "[2001:db8::1]:80" || m.State != schema.Active || m.Weight != 2 || m.Priority != 1 || !m.HasPriority {
		t.Errorf("%+v", m)
	}
	if m := b.Members[1]; m.ID() != "unix:/run/b" || m.State != schema.Disabled || m.HasPriority {
		t.Errorf("%+v", m)
	}
}

// TestHealth holds that a member of which only its checks are known has no state: a dump shows them as if configured.
func TestHealth(t *testing.T) {
	const endpoints = `{"configs":[{"@type":"x.ClustersConfigDump","static_clusters":[{"cluster":{"name":"b","type":"EDS"}}]},
	 {"@type":"x.EndpointsConfigDump","dynamic_endpoint_configs":[{"endpoint_config":{"@type":"type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment","cluster_name":"b","endpoints":[{"lb_endpoints":[
	  {"endpoint":{"address":{"socket_address":{"address":"10.0.0.1","port_value":80}}},"health_status":"UNHEALTHY"}]}]}}]}]}`
	copies, err := build([]byte(info), []byte(endpoints), []byte(`{"cluster_statuses":[{"name":"b"}]}`))
	if err != nil || len(copies) != 1 || len(copies[0].Members) != 1 || copies[0].Members[0].State != schema.StateUnsaid {
		t.Errorf("%v, %+v", err, copies)
	}
}

func TestUnknown(t *testing.T) {
	for _, tt := range []struct{ name, want, info, dump, clusters string }{
		{"another program", "HTTP 404", "", dump, clusters},
		{"no dump", "no dump of Envoy", info, `{}`, clusters},
		{"a dump of secrets alone", "no clusters section", info, `{"configs":[{"@type":"x.SecretsConfigDump"}]}`, clusters},
		{"a cluster without a name", "form that poolproof does not know", info, strings.Replace(dump, `"name":"a",`, "", 1), clusters},
		{"clusters of another kind", "form that poolproof does not know", info, strings.Replace(dump, `"static_clusters":[`, `"static_clusters":[3,`, 1), clusters},
		{"hosts of another kind", "form that poolproof does not know", info, dump, `{"cluster_statuses":{}}`},
		{"cut off", "cut off or no JSON", info, dump[:len(dump)-1], clusters},
	} {
		a := answers(tt.info, tt.dump, tt.clusters)
		if tt.info == "" {
			delete(a, "/server_info")
		}
		_, err := livetest.Read(t, Kind(), schema.LiveGateway{Address: livetest.Serve(t, a, nil).URL}, live.Options{})
		livetest.Unknown(t, err, tt.want, "")
	}
}

func TestProfile(t *testing.T) {
	for text, want := range map[string]string{info: "envoy-1.33", `{"version":"x"}`: "envoy", `{"version":"1.2.3.4/dev"}`: "envoy-1.2", `[]`: "envoy", `{"version":"9999.1.1"}`: "envoy"} {
		if got := profile([]byte(text)); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

func FuzzAnswers(f *testing.F) {
	f.Add([]byte(info), []byte(dump), []byte(clusters))
	f.Add([]byte(`{}`), []byte(`{"configs":[{"@type":"x.ClustersConfigDump"},{"@type":"x.EndpointsConfigDump","static_endpoint_configs":[{"endpoint_config":{"cluster_name":"c","endpoints":[]}}]}]}`), []byte(`{}`))
	f.Fuzz(func(t *testing.T, info, dump, clusters []byte) {
		copies, err := build(info, dump, clusters)
		if err != nil {
			return
		}
		for i := range copies {
			c := &copies[i]
			c.Side, c.Files = schema.Live, []string{"x"}
			livetest.Check(t, c)
		}
	})
}
