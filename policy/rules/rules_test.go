package rules

import (
	"fmt"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/truth"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// judge runs one rule on one copy and returns its messages.
func judge(t *testing.T, id string, c *schema.Copy) []string {
	t.Helper()
	run := &Run{Manifest: &schema.Manifest{}, Now: time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)}
	p := Build(&reconcile.Group{Pool: c.Pool, Copies: []*schema.Copy{c}}, &truth.Table{Manifest: run.Manifest, Now: run.Now}, run)
	var out []string
	for _, rule := range All() {
		if rule.ID != id {
			continue
		}
		var r Reporter
		r.For(&rule, p)
		switch {
		case rule.Copy != nil:
			rule.Copy(p.Copies[0], &r)
		case rule.Pool != nil:
			rule.Pool(p, &r)
		}
		for _, f := range r.Findings() {
			out = append(out, f.Message.En)
		}
	}
	return out
}

// probed is a pool of n members that is probed every second.
func probed(n int, profile string) *schema.Copy {
	c := &schema.Copy{Side: schema.Gateway, Pool: "big", Files: []string{"big"}, Complete: true, Profile: profile}
	for i := range n {
		c.Members = append(c.Members, schema.Member{Host: fmt.Sprintf("10.0.%d.%d", i/256, i%256), Port: 80})
	}
	c.Touch(schema.Members, schema.At(1, 2))
	c.Set("probe.interval", schema.DurationOf(time.Second), schema.At(3, 4))
	return c
}

// TestProbeLoad looks at what a case would have to be very long for: pools of a thousand members.
func TestProbeLoad(t *testing.T) {
	jittered := probed(1001, "")
	jittered.Set("probe.jitter", schema.NumberOf(0.1), schema.At(5, 6))
	for _, tt := range []struct {
		name string
		copy *schema.Copy
		want int
	}{
		{"1000 a second", probed(1000, ""), 0},
		{"1001 in lock step", probed(1001, ""), 1},
		{"spread by a jitter", jittered, 0},
		{"spread by the engine", probed(1001, "haproxy-2.6"), 0},
		{"an engine that does not", probed(1001, "apisix"), 1},
	} {
		if got := judge(t, "probe/load", tt.copy); len(got) != tt.want {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}

// TestHugeNumbers holds that absurd but legal numbers do not leave the range of durations.
func TestHugeNumbers(t *testing.T) {
	c := probed(1, "poolproof")
	c.Set("probe.rise", schema.IntOf(1<<62), schema.At(7, 8))
	c.Set("cooldown.duration", schema.DurationOf(time.Hour), schema.At(9, 10))
	c.Set("retry.attempts", schema.IntOf(1<<62), schema.At(11, 12))
	c.Set("retry.perTry", schema.DurationOf(time.Second), schema.At(11, 12))
	c.Set("retry.total", schema.DurationOf(time.Minute), schema.At(11, 12))
	for _, id := range []string{"cooldown/shorter-than-proof", "retry/timeout-chain", "retry/amplification"} {
		if got := judge(t, id, c); len(got) != 1 {
			t.Errorf("%s: %q", id, got)
		}
	}
}

func TestHolds(t *testing.T) {
	for _, tt := range []struct {
		list []string
		code int
		want bool
	}{
		{[]string{"429"}, 429, true}, {[]string{"4xx"}, 429, true}, {[]string{"4XX"}, 404, true}, {[]string{"400-499"}, 429, true},
		{[]string{"5xx", "timeout"}, 429, false}, {[]string{"!429"}, 429, false}, {[]string{"-429"}, 429, false}, {[]string{"xxx", "9xx", ""}, 429, false}, {nil, 429, false},
	} {
		if got := holds(tt.list, tt.code); got != tt.want {
			t.Errorf("%q holds %d: %v", tt.list, tt.code, got)
		}
	}
}

func TestKnown(t *testing.T) {
	known := Known(All())
	for name, want := range map[string]bool{"members/missing": true, "members/*": true, "*": true, "members": false, "members/mising": false, "nothing/*": false, "": false} {
		if known(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}
