package haproxy

import (
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

// TestServersApart: what holds for single servers of a pool is not lost in what holds for the pool.
func TestServersApart(t *testing.T) {
	const text = "backend b\n  option httpchk GET /\n  server s1 10.0.0.1:80 check fall 5\n  server s2 10.0.0.2:80 check\n  server s3 10.0.0.3:80\n" +
		"backend c\n  default-server check fall 5\n  server s1 10.0.0.1:80\n  server s2 10.0.0.2:80\n"
	r := sourcetest.Read(Adapter(), "a.cfg", []byte(text), schema.Source{})
	if len(r.Copies) != 2 {
		t.Fatalf("%d copies", len(r.Copies))
	}
	want := map[schema.Path]schema.Value{
		"probe.fall": schema.IntOf(5), "server.s2.fall": schema.TextOf("default"), "server.s3.check": schema.BoolOf(false),
		"server.s1.fall": {}, "server.s1.check": {}, "server.s2.check": {},
	}
	for p, v := range want {
		if f, _ := r.Copies[0].Get(p); f.Value != v {
			t.Errorf("%s is %s, not %s", p, f.Value, v)
		}
	}
	for _, f := range r.Copies[1].Fields {
		if f.Path == "server.s1.fall" || f.Path == "server.s2.fall" || f.Path == "server.s1.check" {
			t.Errorf("%s although all servers agree", f.Path)
		}
	}
}
