package profile

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
)

// nginxPool is a complete pool of two addresses.
func nginxPool(fields ...schema.Field) *schema.Copy {
	c := &schema.Copy{Complete: true, Members: []schema.Member{{Host: "10.0.0.1", Port: 80}, {Host: "10.0.0.2", Port: 80}}}
	for _, f := range fields {
		c.Set(f.Path, f.Value, schema.At(1, 2))
	}
	return c
}

func field(p schema.Path, v schema.Value) schema.Field { return schema.Field{Path: p, Value: v} }

// TestNGINX: defaults, limits and notes appear for what a copy writes, and for nothing else.
func TestNGINX(t *testing.T) {
	seconds := func(n int) schema.Value { return schema.DurationOf(time.Duration(n) * time.Second) }
	one := func(c *schema.Copy) *schema.Copy { c.Members = c.Members[:1]; return c }
	tests := []struct {
		name string
		c    *schema.Copy
		want string // path=value, one a line; a note's word in brackets
	}{
		{"nothing written", nginxPool(), ""},
		{"settings alone", nginxPool(field("keepalive", schema.IntOf(3))), ""},
		{"max_fails alone", nginxPool(field("decision.consecutive", schema.IntOf(3))), "cooldown.duration=10s [default]\ndecision.consecutive=3 [zone]"},
		{"fail_timeout alone", nginxPool(field("cooldown.duration", seconds(30))), "decision.consecutive=1 [default]\ncooldown.duration=30s [31 s]"},
		{"a zone", nginxPool(field("decision.consecutive", schema.IntOf(1)), field("zone", schema.TextOf("a 64k"))), "cooldown.duration=10s [default]\ndecision.consecutive=1 [count together]"},
		{"max_fails=0", nginxPool(field("max_fails", schema.IntOf(0)), field("cooldown.duration", seconds(30))), "max_fails=0 [no failures]\ncooldown.duration=30s [ignored]"},
		{"one address", one(nginxPool(field("decision.consecutive", schema.IntOf(3)), field("cooldown.duration", seconds(5)))), "decision.consecutive=3 [ignored]\ncooldown.duration=5s [ignored]"},
		{"one name", func() *schema.Copy {
			c := one(nginxPool(field("cooldown.duration", seconds(5))))
			c.Members[0].Host = "a.example.com"
			return c
		}(), "decision.consecutive=1 [default]\ncooldown.duration=5s [6 s]"},
		{"one address, others discovered", func() *schema.Copy {
			c := one(nginxPool(field("cooldown.duration", seconds(5))))
			c.Complete = false
			return c
		}(), "decision.consecutive=1 [default]\ncooldown.duration=5s [6 s]"},
		{"a template", func() *schema.Copy {
			c := nginxPool(field("decision.consecutive", schema.IntOf(1)))
			c.Unresolve("cooldown.duration", "${T}", schema.At(1, 2))
			return c
		}(), "decision.consecutive=1 [zone]"},
		{"a server that writes none", func() *schema.Copy {
			c := nginxPool(field("cooldown.duration", seconds(30)))
			c.Members[0].Extra = []schema.Field{field("fail_timeout", seconds(30))}
			return c
		}(), "decision.consecutive=1 [default]\ncooldown.duration=30s [31 s]\nserver.10.0.0.2:80.fail_timeout=10s [others do]"},
		{"tries", nginxPool(field("retry.attempts", schema.IntOf(5))),
			"retry.attempts=1 [there are 2]\nretry.on=[error, timeout] [default]\nretry.nonIdempotent=false [default]\nproxy_connect_timeout=1m [default]\nproxy_read_timeout=1m [default]"},
		{"off", nginxPool(field("retry.on", schema.ListOf()), field("proxy_connect_timeout", seconds(1)), field("proxy_read_timeout", seconds(1))), "retry.attempts=0 [off]\nretry.nonIdempotent=false [default]"},
		{"grpc", nginxPool(field("retry.on", schema.ListOf("error")), field("pass", schema.TextOf("grpc_pass"))),
			"retry.attempts=1 [each server]\nretry.nonIdempotent=false [default]\ngrpc_connect_timeout=1m [default]\ngrpc_read_timeout=1m [default]"},
		{"several protocols", nginxPool(field("retry.on", schema.ListOf("error")), field("pass", schema.TextOf("proxy_pass grpc_pass"))), "retry.attempts=1 [each server]\nretry.nonIdempotent=false [default]"},
		{"places differ", nginxPool(field("retry.total", seconds(5)), field("proxy_next_upstream@server:a/location:/", schema.TextOf("error")), field("proxy_read_timeout@server:a/location:/", schema.TextOf("5s"))),
			"proxy_connect_timeout=1m [default]"},
		{"an include", nginxPool(field("retry.on", schema.ListOf("error")), field("include", schema.TextOf("proxy_params"))), ""},
		{"stream", nginxPool(field("retry.on", schema.ListOf("error", "timeout")), field("context", schema.TextOf("stream")), field("decision.consecutive", schema.IntOf(1)), field("cooldown.duration", seconds(1))),
			"decision.consecutive=1 [zone]\ncooldown.duration=1s [2 s]\ndecision.counts=[connect, timeout] []\nretry.attempts=1 [each server]\nproxy_connect_timeout=1m [default]"},
		{"what counts", nginxPool(field("retry.on", schema.ListOf("error", "http_500", "http_404", "http_429")), field("decision.consecutive", schema.IntOf(1)), field("cooldown.duration", seconds(1)),
			field("proxy_connect_timeout", seconds(1)), field("proxy_read_timeout", seconds(1))),
			"decision.consecutive=1 [zone]\ncooldown.duration=1s [2 s]\ndecision.counts=[connect, timeout, invalid_header, 500, 429] [404 never]\nretry.attempts=1 [each server]\nretry.nonIdempotent=false [default]"},
		{"slow start", nginxPool(field("ramp.window", seconds(30))), "ramp.window=30s [Plus only]"},
		{"slow start with hash", nginxPool(field("ramp.window", seconds(30)), field("balance", schema.TextOf("ip_hash"))), "ramp.window=30s [ip_hash]"},
		{"health check", nginxPool(field("health_check", schema.BoolOf(true)), field("probe.interval", seconds(2))), "probe.fall=1 [default]\nprobe.rise=1 [default]\nprobe.path=/ [default]\nprobe.expect.statuses=[200-399] [default]"},
		{"check", nginxPool(field("check", schema.BoolOf(true)), field("probe.interval", seconds(2))), "probe.timeout=1s [default]\nprobe.fall=5 [default]\nprobe.rise=2 [default]\nprobe.protocol=tcp [default]"},
	}
	p, _ := Lookup("nginx-1.22")
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			notes := map[string]string{}
			var want, got []string
			for _, line := range strings.Split(test.want, "\n") {
				if line != "" {
					value, note, _ := strings.Cut(strings.TrimSuffix(line, "]"), " [")
					if i := strings.LastIndex(line, " ["); i >= 0 {
						value, note = line[:i], strings.TrimSuffix(line[i+2:], "]")
					}
					want = append(want, value)
					notes[value] = note
				}
			}
			for _, e := range p.EffectiveOf(test.c) {
				line := string(e.Path) + "=" + e.Value.String()
				got = append(got, line)
				if !strings.Contains(e.Why.En, notes[line]) || e.Why.Zh == "" {
					t.Errorf("%s: why %q (%q), want %q in it", line, e.Why.En, e.Why.Zh, notes[line])
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestNGINXNames(t *testing.T) {
	for name, probes := range map[string]bool{"nginx": false, "nginx-1.22": false, "nginx-plus": true, "nginx-plus-33": true, "tengine": true, "tengine-3.1": true} {
		p, ok := Lookup(name)
		if !ok || p.Traits.Probes != probes || p.Traits.ZeroWeight != ZeroRefused || p.Traits.AllOut != "reject" {
			t.Errorf("%s: %v, %+v", name, ok, p.Traits)
		}
	}
}
