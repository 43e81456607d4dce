package configmap

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/app/spring"
	"github.com/poolproof/poolproof/sources/gateway/envoy"
	"github.com/poolproof/poolproof/sources/gateway/haproxy"
	"github.com/poolproof/poolproof/sources/gateway/nginx"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

func adapter() sources.Adapter {
	return Adapter(haproxy.Adapter(), nginx.Adapter(), envoy.Adapter(), spring.Adapter())
}

func TestGolden(t *testing.T) {
	sourcetest.Golden(t, adapter(), "edge.yaml", schema.Source{})
}

// TestSides: what an application's file says is not read as the gateway's, and the other way round.
func TestSides(t *testing.T) {
	const app = "application.yml: |\n    resilience4j.circuitbreaker.instances.orders.waitDurationInOpenState: 30s\n"
	const gateway = "haproxy.cfg: |\n    backend b\n      server a 10.0.0.1:80\n"
	for _, c := range []struct {
		name, entries string
		side          schema.Side
		want          string
		detect        sources.Confidence
	}{
		{"both, for the gateway", app + "  " + gateway, schema.Gateway, "haproxy gateway skipped", sources.Certain},
		{"both, for the application", app + "  " + gateway, schema.App, "spring app skipped", sources.Certain},
		{"the gateway's alone", gateway, schema.Gateway, "haproxy gateway", sources.Certain},
		{"an application may run a gateway", gateway, schema.App, "haproxy app", sources.Certain},
		{"the application's alone", app, schema.App, "spring app", sources.Possible},
		{"nothing", "a: |\n    b\n", schema.App, "", sources.Unlikely},
	} {
		text := []byte("kind: ConfigMap\napiVersion: v1\ndata:\n  " + c.entries)
		var got []string
		r := sourcetest.Read(adapter(), "cm.yaml", text, schema.Source{Side: c.side})
		for i := range r.Copies {
			if r.Copies[i].File() != "cm.yaml" {
				t.Errorf("%s: of file %s", c.name, r.Copies[i].File())
			}
			got = append(got, r.Copies[i].Format, string(r.Copies[i].Side))
		}
		for _, p := range r.Problems {
			got = append(got, strings.TrimPrefix(p.Rule, "source/"))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %q, want %q", c.name, s, c.want)
		}
		if d := detect([]sources.Adapter{haproxy.Adapter(), spring.Adapter()}, "cm.yaml", text); d != c.detect {
			t.Errorf("%s: detected with %v, want %v", c.name, d, c.detect)
		}
	}
}

// TestLastLine: the end of the block decides whether the file ends with a line feed, which HAProxy insists on.
func TestLastLine(t *testing.T) {
	for head, want := range map[string]int{"|": 0, "|-": 1, "|+": 0, "|2-": 1} {
		r := sourcetest.Read(adapter(), "cm.yaml", []byte("kind: ConfigMap\ndata:\n  haproxy.cfg: "+head+"\n    backend b\n      server a 10.0.0.1:80\n"), schema.Source{})
		if len(r.Copies) != 1 || len(r.Problems) != want {
			t.Errorf("%s: %d copies, %v", head, len(r.Copies), r.Problems)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("kind: ConfigMap\ndata:\n  haproxy.cfg: |\n    backend b\n      server a 10.0.0.1:80\n"))
	f.Add([]byte("kind: List\nitems:\n- kind: ConfigMap\n  data:\n    nginx.conf: |-\n      upstream a { server b; }\n    application.yml: |\n      a: 1\n      ---\n      b: 2"))
	f.Add([]byte("kind: ConfigMap\r\ndata:\r\n  envoy.yaml: |4+\r\n    ---\r\n     static_resources: {clusters: []}\r\n"))
	a := adapter()
	f.Fuzz(func(t *testing.T, text []byte) {
		a.Detect("cm.yaml", text)
		sourcetest.Check(t, a, "cm.yaml", text)
	})
}
