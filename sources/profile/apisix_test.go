package profile

import (
	"testing"

	"github.com/poolproof/poolproof/schema"
)

func TestAPISIXStartsNoItem(t *testing.T) {
	if got := effective(t, "apisix", copyWith(map[schema.Path]schema.Value{"type": schema.TextOf("roundrobin")})); len(got) != 0 {
		t.Errorf("an upstream without checks gets %v", got)
	}
}

// TestAPISIXActive: the defaults of a side hold only where that side is written.
func TestAPISIXActive(t *testing.T) {
	got := effective(t, "apisix-3.9", copyWith(map[schema.Path]schema.Value{"probe.path": schema.TextOf("/x")}))
	expect(t, got, map[schema.Path]string{"probe.timeout": "1s", "probe.protocol": "http", "probe.interval": "-", "probe.rise": "-", "probe.fall": "-", "probe.badStatuses": "-"})
	got = effective(t, "apisix", copyWith(map[schema.Path]schema.Value{"probe.interval": seconds(2)}))
	expect(t, got, map[schema.Path]string{"probe.interval": "2s", "probe.rise": "2", "probe.expect.statuses": "[200, 302]", "probe.intervals.down": "-"})
	got = effective(t, "apisix", copyWith(map[schema.Path]schema.Value{"probe.fall": schema.IntOf(3)}))
	expect(t, got, map[schema.Path]string{"probe.intervals.down": "1s", "probe.badStatuses": "[404, 429, 500, 501, 502, 503, 504, 505]", "probe.interval": "-"})
	got = effective(t, "apisix", copyWith(map[schema.Path]schema.Value{"probe.protocol": schema.TextOf("tcp"), "checks.active.unhealthy": schema.TextOf("{}")}))
	expect(t, got, map[schema.Path]string{"probe.fall": "2", "probe.badStatuses": "-", "probe.path": "-"})
}

func TestAPISIXPassive(t *testing.T) {
	got := effective(t, "apisix", copyWith(map[schema.Path]schema.Value{"decision.counts": schema.ListOf("500")}))
	expect(t, got, map[schema.Path]string{"decision.consecutive": "5", "checks.passive.unhealthy.timeouts": "7", "decision.counts": "-", "checks.passive.healthy.successes": "-"})
	off := copyWith(map[schema.Path]schema.Value{"decision.counts": schema.ListOf("500"), "checks.passive.unhealthy.http_failures": schema.IntOf(0)})
	expect(t, effective(t, "apisix", off), map[schema.Path]string{"decision.consecutive": "-"})
}

func TestAPISIXSingleNode(t *testing.T) {
	c := copyWith(map[schema.Path]schema.Value{"decision.consecutive": schema.IntOf(3)})
	c.Complete, c.Members = true, make([]schema.Member, 1)
	found := false
	for _, e := range apisix().EffectiveOf(c) {
		found = found || e.Path == "decision.consecutive" && e.Why.En == "a pool of one node is used whatever its health"
	}
	if !found {
		t.Error("nothing says that a single node is used whatever its health")
	}
}
