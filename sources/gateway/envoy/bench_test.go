package envoy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/data"
)

// manyClusters writes n clusters of nine members in three tiers each, checked and with outlier detection.
func manyClusters(n int) []byte {
	var b strings.Builder
	b.WriteString("static_resources:\n  clusters:\n")
	for i := range n {
		fmt.Fprintf(&b, "    - name: pool-%05d\n      type: STRICT_DNS\n      connect_timeout: 1.500s\n      lb_policy: ROUND_ROBIN\n      load_assignment:\n        cluster_name: pool-%05d\n        endpoints:\n", i, i)
		for m := range 9 {
			if m%3 == 0 {
				fmt.Fprintf(&b, "          - priority: %d\n            lb_endpoints:\n", m/3)
			}
			fmt.Fprintf(&b, "              - endpoint:\n                  address:\n                    socket_address: { address: m%02d.pool-%05d.example.net, port_value: %d }\n                load_balancing_weight: %d\n", m, i, 2000+m, 10+m)
		}
		b.WriteString("      health_checks:\n        - interval: 18.000s\n          timeout: 16.000s\n          unhealthy_threshold: 4\n          healthy_threshold: 2\n          http_health_check: { path: /healthz }\n")
		b.WriteString("      outlier_detection:\n        consecutive_5xx: 5\n        max_ejection_percent: 50\n        base_ejection_time: 201.000s\n        max_ejection_time: 402.000s\n")
	}
	return []byte(b.String())
}

// BenchmarkRead is a whole file, decoding included.
func BenchmarkRead(b *testing.B) {
	text := manyClusters(100)
	in := sources.Input{Path: "clusters.yaml", Data: text, Source: &schema.Source{Side: schema.Gateway, Profile: "envoy"}}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if r := read(in); len(r.Copies) != 100 || len(r.Problems) != 0 {
			b.Fatal(len(r.Copies), r.Problems)
		}
	}
}

// BenchmarkWalk is what this package adds to the decoding of a file.
func BenchmarkWalk(b *testing.B) {
	text := manyClusters(100)
	root := data.YAML(text).Documents[0].Root
	in := sources.Input{Path: "clusters.yaml", Data: text, Source: &schema.Source{Side: schema.Gateway, Profile: "envoy"}}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		var out sources.Result
		r := newReader(in, &out)
		r.visit(root, anything, 0)
		r.finish()
		if len(out.Copies) != 100 {
			b.Fatal(len(out.Copies))
		}
	}
}
