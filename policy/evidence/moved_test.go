package evidence

import (
	"testing"

	"github.com/poolproof/poolproof/sources/manifest"
)

// TestMovedLinesChangeNothing: a manifest whose lines only moved is the same manifest.
func TestMovedLinesChangeNothing(t *testing.T) {
	const text = `sources:
  - {side: gateway, format: haproxy, files: ["envs/{env}/gateway/*.cfg"], profile: haproxy-2.6}
  - side: app
    format: mapped
    files: ["services/orders/config.yaml"]
    map:
      pool: orders
      members: {each: "upstream.hosts[*]", address: host, port: port, weight: weight}
      probe: {interval: "probe.ms | ms"}
      decision: {window: "breaker.window_s | s", minSamples: breaker.min_calls}
      cooldown: {duration: "breaker.sleep_ms | ms"}
      ramp: {each: "ramp[*]", share: share}
  - side: app
    format: mapped
    files: ["services/all.yaml"]
    map:
      pool: {each: "pools.*", name: key}
      members: hosts
  - {side: order, files: ["changes/*.md"]}
pools:
  orders:
    names: {gateway: be_orders, doc: "Orders address pool"}
    executor: gateway
    traffic: {rps: 120, p50: 10ms}
    onAllOut: pass
    minActive: 2
    truth: {members: {side: app, reason: "the registry feeds the gateway"}}
    constraints: strict
    severity: {members/extra: warning}
    probePorts: [8081]
defaults: {executor: gateway}
severity: {"pool/*": info}
aliases: {host-a: 10.0.0.1}
vars: {REGION: eu}
exceptions:
  - {rule: members/missing, pool: orders, side: app, member: "10.0.0.3:8080", initiator: a, saw: b, reclaim: c, expires: 2026-12-20}
live:
  - {gateway: haproxy, address: "unix:/run/haproxy.sock", every: 15s}
alerts: {for: 30s, webhook: {url: "http://alerts.example.com/"}}
`
	base, problems := manifest.Load("poolproof.yaml", []byte(text))
	for _, p := range problems {
		t.Errorf("%s: %s", p.Rule, p.Text.En)
	}
	head, _ := manifest.Load("poolproof.yaml", []byte("# moved\n\n"+text))
	if len(base.Sources) != 4 || len(base.Exceptions) != 1 || len(base.Live) != 1 {
		t.Fatalf("%+v", base)
	}
	for _, c := range changes(&base, &head) {
		t.Errorf("%s: %s", c.What, c.Text.En)
	}
	u := Unite(&base, &head)
	if n := len(u.Head.Sources); n != 4 {
		t.Errorf("%d sources, want 4", n)
	}
}
