package haproxy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

// BenchmarkRead reads a file of 1,000 ordinary backends.
func BenchmarkRead(b *testing.B) {
	var t strings.Builder
	t.WriteString("defaults\n mode http\n timeout connect 1s\n timeout server 30s\n retries 2\n option redispatch\n default-server inter 2s fall 3 rise 2\n")
	for i := range 1000 {
		fmt.Fprintf(&t, "\nbackend be_%d\n    balance roundrobin\n    option httpchk GET /healthz\n    http-check expect status 200\n", i)
		for j := range 4 {
			fmt.Fprintf(&t, "    server s%d 10.0.%d.%d:8080 check weight %d maxconn 100\n", j, i%250, j+1, 10*j+10)
		}
	}
	text := []byte(t.String())
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if r := sourcetest.Read(Adapter(), "x.cfg", text, schema.Source{}); len(r.Copies) != 1000 {
			b.Fatal(len(r.Copies))
		}
	}
}
