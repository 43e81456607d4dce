package profile

import (
	"testing"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// copyWith returns a copy that writes values at made-up places.
func copyWith(values map[schema.Path]schema.Value) *schema.Copy {
	c := &schema.Copy{}
	for p, v := range values {
		c.Set(p, v, schema.At(1, 2))
	}
	return c
}

// effective returns what a profile makes of a copy, by path.
func effective(t *testing.T, name string, c *schema.Copy) map[schema.Path]schema.Effective {
	t.Helper()
	p, ok := Lookup(name)
	if !ok {
		t.Fatalf("no profile %q", name)
	}
	all := map[schema.Path]schema.Effective{}
	for _, e := range p.EffectiveOf(c) {
		if e.Why.En == "" || e.Why.Zh == "" {
			t.Errorf("%s: %s is not explained in both languages", name, e.Path)
		}
		if _, twice := all[e.Path]; !twice {
			all[e.Path] = e
		}
	}
	return all
}

func expect(t *testing.T, got map[schema.Path]schema.Effective, want map[schema.Path]string) {
	t.Helper()
	for p, v := range want {
		s := "-"
		if e, ok := got[p]; ok {
			s = e.Value.String()
		}
		if s != v {
			t.Errorf("%s = %s, want %s", p, s, v)
		}
	}
}

func seconds(n int) schema.Value { return schema.DurationOf(time.Duration(n) * time.Second) }

func TestEnvoyStartsNoItem(t *testing.T) {
	if got := effective(t, "envoy", copyWith(map[schema.Path]schema.Value{"connect_timeout": seconds(1)})); len(got) != 0 {
		t.Errorf("a cluster without checks and ejection gets %v", got)
	}
	got := effective(t, "envoy", copyWith(map[schema.Path]schema.Value{"outlier_detection": schema.TextOf("{}")}))
	expect(t, got, map[schema.Path]string{
		"cooldown.duration": "-", "decision.consecutive": "-", "outlier_detection.base_ejection_time": "30s", "outlier_detection.consecutive_5xx": "5",
		"outlier_detection.interval": "10s", "outlier_detection.max_ejection_percent": "10",
	})
}

func TestEnvoyCooldown(t *testing.T) {
	got := effective(t, "envoy", copyWith(map[schema.Path]schema.Value{"cooldown.duration": seconds(45)}))
	expect(t, got, map[schema.Path]string{"cooldown.max": "5m", "cooldown.growth.kind": "linear", "cooldown.growth.decays": "true", "decision.consecutive": "-"})
	got = effective(t, "envoy", copyWith(map[schema.Path]schema.Value{"cooldown.duration": seconds(600)}))
	expect(t, got, map[schema.Path]string{"cooldown.max": "10m"})
	got = effective(t, "envoy", copyWith(map[schema.Path]schema.Value{"cooldown.max": seconds(60)}))
	expect(t, got, map[schema.Path]string{"cooldown.duration": "30s", "cooldown.max": "-"})
	refused := copyWith(map[schema.Path]schema.Value{"cooldown.max": seconds(60)})
	refused.Unresolve("cooldown.duration", "60", schema.At(1, 2))
	expect(t, effective(t, "envoy", refused), map[schema.Path]string{"cooldown.duration": "-"})
}

func TestEnvoyProbe(t *testing.T) {
	got := effective(t, "envoy", copyWith(map[schema.Path]schema.Value{"probe.interval": seconds(7), "probe.protocol": schema.TextOf("https"), "probe.fall": schema.IntOf(3)}))
	expect(t, got, map[schema.Path]string{
		"probe.intervals.down": "7s", "probe.intervals.idle": "1m", "probe.expect.statuses": "[200]", "probe.method": "GET", "probe.jitter": "0", "probe.fall": "3", "probe.timeout": "-",
	})
	if got["probe.fall"].Clamped {
		t.Error("a note changes the value")
	}
	got = effective(t, "envoy", copyWith(map[schema.Path]schema.Value{"probe.interval": seconds(7), "probe.protocol": schema.TextOf("tcp")}))
	expect(t, got, map[schema.Path]string{"probe.expect.statuses": "-", "probe.method": "-"})
}

// TestEnvoyEjectionCap: how many of n members may be out, by version.
func TestEnvoyEjectionCap(t *testing.T) {
	for _, c := range []struct {
		version       string
		members       int
		percent       int64
		oneAlways     bool
		want          int64
		unsure        bool
		wantOtherwise int64
	}{
		{"-1.33", 3, 10, false, 0, false, 0},
		{"-1.27", 3, 10, false, 1, false, 0},
		{"", 3, 10, false, 0, true, 1},
		{"-1.33", 3, 67, false, 2, false, 0},
		{"-1.27", 3, 67, false, 3, false, 0},
		{"-1.33", 3, 10, true, 1, false, 0},
		{"", 10, 50, false, 5, false, 0},
		{"-1.33", 4, 100, false, 4, false, 0},
		{"-1.27", 4, 0, false, 1, false, 0},
	} {
		copied := copyWith(map[schema.Path]schema.Value{"outlier_detection.max_ejection_percent": schema.IntOf(c.percent)})
		if c.oneAlways {
			copied.Set("outlier_detection.always_eject_one_host", schema.BoolOf(true), schema.At(1, 2))
		}
		copied.Complete, copied.Members = true, make([]schema.Member, c.members)
		e := effective(t, "envoy"+c.version, copied)["outlier_detection.max_ejected"]
		if e.Value.Int() != c.want || e.Unsure != c.unsure || e.Other.Int() != c.wantOtherwise {
			t.Errorf("envoy%s, %d members, %d%%: %s unsure=%v other=%s", c.version, c.members, c.percent, e.Value, e.Unsure, e.Other)
		}
	}
	discovered := copyWith(map[schema.Path]schema.Value{"outlier_detection.max_ejection_percent": schema.IntOf(10)})
	expect(t, effective(t, "envoy", discovered), map[schema.Path]string{"outlier_detection.max_ejected": "-"})
}

func TestEnvoyAllOut(t *testing.T) {
	got := effective(t, "envoy", copyWith(map[schema.Path]schema.Value{"probe.interval": seconds(7)}))
	expect(t, got, map[schema.Path]string{"onAllOut.panicBelow": "50", "onAllOut.then": "-"})
	got = effective(t, "envoy", copyWith(map[schema.Path]schema.Value{"onAllOut.panicBelow": schema.NumberOf(0)}))
	expect(t, got, map[schema.Path]string{"onAllOut.panicBelow": "-", "onAllOut.then": "reject"})
	got = effective(t, "envoy", copyWith(map[schema.Path]schema.Value{"onAllOut.panicBelow": schema.NumberOf(33.7)}))
	if e := got["onAllOut.panicBelow"]; e.Value.Number() != 33 || !e.Clamped {
		t.Errorf("33.7 %% becomes %s clamped=%v", e.Value, e.Clamped)
	}
}

func TestEnvoyRetry(t *testing.T) {
	got := effective(t, "envoy", copyWith(map[schema.Path]schema.Value{"retry.on": schema.ListOf("5xx")}))
	expect(t, got, map[schema.Path]string{"retry.attempts": "1", "retry.total": "15s"})
	got = effective(t, "envoy", copyWith(map[schema.Path]schema.Value{"retry.attempts": schema.IntOf(3)}))
	if e := got["retry.attempts"]; e.Value.Int() != 0 || !e.Clamped {
		t.Errorf("retries without retry_on: %s clamped=%v", e.Value, e.Clamped)
	}
}
