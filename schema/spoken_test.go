package schema

import "testing"

func TestSpoken(t *testing.T) {
	for _, c := range []struct {
		item      Item
		value, zh string
	}{
		{Ramp, "5% 10m 500 samples, 100%", "5% 10m 500 个样本, 100%"},
		{Ramp, "regions cn-north+cn-east manual", "地区 cn-north+cn-east 人工确认"},
		{Ramp, "latency-p99 above 1.5 against baseline; error-rate above 0.01", "latency-p99 高于 1.5（相对基线）; error-rate 高于 0.01"},
		{Members, "no backup", "非备用"},
		{Members, "backup 2", "备用，优先级 2"},
		{Members, "priority 1", "优先级 1"},
		{Members, "2:1", "2:1"},
		{Probe, "/above all samples", "/above all samples"},
		{Cooldown, "", ""},
	} {
		if got := Spoken(c.item, c.value); got.En != c.value || got.Zh != c.zh {
			t.Errorf("%s %q: %+v, want %q", c.item, c.value, got, c.zh)
		}
	}
}
