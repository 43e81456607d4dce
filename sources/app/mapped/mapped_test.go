package mapped

import (
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

// entries makes the entries of a map from keys and paths in turn.
func entries(pairs ...string) []schema.MapEntry {
	var out []schema.MapEntry
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, schema.MapEntry{Key: pairs[i], Expr: pairs[i+1]})
	}
	return out
}

var samples = map[string]*schema.Map{
	"orders.yaml": {
		Pool:        "orders",
		MembersEach: "orders.hosts[*]",
		MembersMap: entries("address", "ip", "port", "port", "weight", "w", "zone", "zone", "interfaces", "uses", "backup", "standby",
			"state", "enabled", "region", "region"),
		Probe: entries("interval", "orders.health.interval_ms | ms", "timeout", "orders.health.timeout", "fall", "orders.health.max_fails",
			"rise", "orders.health.rise", "path", "orders.health.url", "expect.statuses", "orders.health.ok", "jitter", "orders.health.jitter",
			"port", "orders.health.port", "intervals.idle", `orders.health."time.to.live"`),
		Decision: entries("errorRatio", "orders.breaker.errors | percent", "window", "orders.breaker.window"),
		Cooldown: entries("duration", "orders.breaker.sleep_window | s", "growth", "orders.breaker.backoff.factor", "max", "orders.breaker.backoff.max"),
		RampEach: "orders.rollout[*]",
		Ramp:     entries("share", "percent", "dwell", "hold", "minSamples", "least"),
		Retry:    entries("attempts", "orders.retry.tries", "on", "orders.retry.codes[*]", "nonIdempotent", "orders.retry.post", "budget", "orders.retry"),
	},
	"pools.yaml":   {PoolEach: "upstreams.*", PoolName: "key", Members: "peers", Probe: entries("interval", "check.every")},
	"regions.json": {Pool: "search", MembersEach: "backends.*.*", MembersMap: entries("address", "key", "weight", "."), Ramp: entries("share", "ramp.shares", "dwell", "ramp.hold")},
	"models.toml": {
		PoolEach: "pool", PoolName: "name", MembersEach: "deployments[*]",
		MembersMap: entries("provider", "provider", "model", "model", "priority", "order", "contextWindow", "context", "features", "features",
			"verified.quota", "quota_ok", "state", "state"),
		Cooldown: entries("duration", `breaker."cool.down"`),
		Decision: entries("errorRatio", "breaker.ratio"),
		Ramp:     entries("share", "breaker.share_steps[*] | ratio"),
	},
	"client.properties": {
		Members:  "orders.hosts",
		Probe:    entries("interval", "orders.ping.interval | ms", "timeout", "orders.ping.timeout", "path", "orders.ping.path"),
		Cooldown: entries("duration", "orders.breaker.open | ms"),
	},
}

func source(m *schema.Map) schema.Source { return schema.Source{Map: m} }

func TestGolden(t *testing.T) {
	for name, m := range samples {
		t.Run(name, func(t *testing.T) { sourcetest.Golden(t, Adapter(), name, source(m)) })
	}
}

// with returns the adapter with a fixed map, for checks that bring none.
func with(m *schema.Map) sources.Adapter {
	a := Adapter()
	a.Read = func(in sources.Input) sources.Result {
		in.Source.Map = m
		return read(in)
	}
	return a
}
