package data

import (
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// blockPool is a pool file in block style, as people write them.
func blockPool(members int) []byte {
	var b strings.Builder
	b.WriteString("# failover pool\npools:\n  orders:\n    domain:\n      region: eu-west-1\n    members:\n")
	for i := range members {
		fmt.Fprintf(&b, "      - address: m%02d.orders.eu-west-1.example.net\n        port: %d\n        weight: %d\n        priority: %d\n", i, 20000+i, i%90+1, i/4)
	}
	b.WriteString("    probe:\n      interval: 23s\n      timeout: 13s\n      path: /ready\n    cooldown:\n      duration: 2m10s\n      max: 13m0s\n")
	return []byte(b.String())
}

// cluster is a gateway's file with flow mappings in it.
func cluster(clusters int) []byte {
	var b strings.Builder
	b.WriteString("static_resources:\n  clusters:\n")
	for i := range clusters {
		fmt.Fprintf(&b, "    - name: orders-%05d\n      type: STRICT_DNS\n      connect_timeout: 1.500s\n      load_assignment:\n        cluster_name: orders-%05d\n        endpoints:\n          - priority: 0\n            lb_endpoints:\n", i, i)
		for m := range 6 {
			fmt.Fprintf(&b, "              - endpoint:\n                  address:\n                    socket_address: { address: m%02d.orders-%05d.eu-west-1.example.net, port_value: %d }\n                load_balancing_weight: %d\n", m, i, 32000+m, m+1)
		}
	}
	return []byte(b.String())
}

func BenchmarkYAML(b *testing.B) {
	for _, c := range []struct {
		name string
		src  []byte
	}{{"pool", blockPool(10)}, {"gateway", cluster(200)}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.src)))
			b.ReportAllocs()
			for b.Loop() {
				if f := YAML(c.src); len(f.Documents) != 1 {
					b.Fatal(f.Problems)
				}
			}
		})
		b.Run(c.name+"-reference", func(b *testing.B) {
			b.SetBytes(int64(len(c.src)))
			b.ReportAllocs()
			for b.Loop() {
				if f := readYAML(c.src, false); len(f.Documents) != 1 {
					b.Fatal(f.Problems)
				}
			}
		})
		b.Run(c.name+"-yaml.v3", func(b *testing.B) {
			b.SetBytes(int64(len(c.src)))
			b.ReportAllocs()
			for b.Loop() {
				var n yaml.Node
				if err := yaml.Unmarshal(c.src, &n); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
