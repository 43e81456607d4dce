package mapped

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/schema"
)

func TestStrays(t *testing.T) {
	entry := func(key, expr string) schema.MapEntry { return schema.MapEntry{Key: key, Expr: expr} }
	const toml = "[upstream]\nhosts = [\"10.0.0.1:80\"]\n[health]\ninterval_ms = 2000\n[upstream.breaker]\nsleep = 30\n"
	many := &schema.Map{PoolEach: "pools.*", PoolName: "key", MembersEach: "hosts[*]", MembersMap: []schema.MapEntry{entry("address", "ip"), entry("weight", "wieght")}}
	for _, c := range []struct {
		name, file, text string
		m                *schema.Map
		want             []string // key: what was meant, or the keys there
		unsure           bool
	}{
		{"all there", "a.toml", toml, &schema.Map{Members: "upstream.hosts[*]", Probe: []schema.MapEntry{entry("interval", "health.interval_ms | ms")}}, nil, false},
		{"misspelt key", "a.toml", toml, &schema.Map{Members: "upstreams.hosts[*]", Probe: []schema.MapEntry{entry("interval", "health.intervall_ms | ms")}},
			[]string{"members: upstream.hosts[*]", "probe.interval: health.interval_ms | ms"}, false},
		{"elsewhere", "a.toml", toml, &schema.Map{Cooldown: []schema.MapEntry{entry("duration", "sleep | s")}}, []string{"cooldown.duration: upstream.breaker.sleep | s"}, false},
		{"nothing like it", "a.toml", toml, &schema.Map{Cooldown: []schema.MapEntry{entry("duration", "resilience.pause")}}, []string{"cooldown.duration: upstream, health"}, false},
		{"list and mapping", "a.toml", toml, &schema.Map{Members: "upstream.hosts.*"}, []string{"members: upstream.hosts[*]"}, false},
		{"in one pool is enough", "a.yaml", "pools: {a: {hosts: [{ip: 10.0.0.1}]}, b: {hosts: [{ip: 10.0.0.2, wieght: 1}]}}", many, nil, false},
		{"in no pool", "a.yaml", "pools: {a: {hosts: [{ip: 10.0.0.1, weight: 1}]}}", many, []string{"members.weight: weight"}, false},
		{"no pool", "a.yaml", "pool: {a: {hosts: []}}", many, []string{"pool.each: pool.*"}, false},
		{"an empty list is there", "a.yaml", "pools: {a: {hosts: []}}", many, nil, false},
		{"quotes", "a.yaml", "\"a.b\": {interval: 2s}", &schema.Map{Probe: []schema.MapEntry{entry("interval", `"a.c".interval`)}}, []string{`probe.interval: "a.b".interval`}, false},
		{"properties", "a.properties", "orders.hosts=10.0.0.1:80\n", &schema.Map{Members: "order.hosts"}, []string{"members: orders.hosts"}, false},
		{"batches", "a.yaml", "steps: [{share: 10, pause: 5m}]", &schema.Map{RampEach: "steps[*]", Ramp: []schema.MapEntry{entry("share", "share"), entry("dwell", "puase")}}, []string{"ramp.dwell: pause"}, false},
		{"no path", "a.toml", toml, &schema.Map{Members: "a[b"}, nil, false},
		{"broken", "a.toml", "[upstream", &schema.Map{Members: "x"}, nil, true},
		{"template", "a.yaml", "a: {{ .Values.a }}\n", &schema.Map{Members: "x"}, nil, true},
		{"empty", "a.yaml", "", &schema.Map{Members: "x"}, nil, true},
	} {
		list, ok := Strays(c.m, c.file, []byte(c.text))
		var got []string
		for _, s := range list {
			got = append(got, fmt.Sprintf("%s: %s%s", s.Key, s.Instead, strings.Join(s.Keys, ", ")))
		}
		if ok == c.unsure || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q %v, want %q", c.name, got, ok, c.want)
		}
	}
}
