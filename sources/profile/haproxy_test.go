package profile

import (
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// effectiveHAProxy returns what HAProxy of a version makes of a copy, as "path=value", "path!value" where it is clamped and
// "path=value|other" where versions differ.
func effectiveHAProxy(t *testing.T, name string, c *schema.Copy) string {
	t.Helper()
	p, ok := Lookup(name)
	if !ok {
		t.Fatalf("no profile %s", name)
	}
	var out []string
	for _, e := range p.EffectiveOf(c) {
		s := string(e.Path) + "=" + e.Value.String()
		if e.Clamped {
			s = string(e.Path) + "!" + e.Value.String()
		}
		if e.Unsure {
			s += "|" + e.Other.String()
		}
		if e.Why.En == "" || e.Why.Zh == "" {
			t.Errorf("%s has no reason", s)
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func TestHAProxy(t *testing.T) {
	at := schema.At(1, 2)
	type set map[schema.Path]schema.Value
	second := schema.DurationOf(time.Second)
	for name, c := range map[string]struct {
		profile string
		touch   schema.Item
		set     set
		unknown schema.Path
		members int
		want    string
	}{
		"nothing written":          {"haproxy", schema.NoItem, nil, "", 0, ""},
		"a bare check":             {"haproxy", schema.Probe, nil, "", 0, "probe.interval=2s probe.intervals.fast=2s probe.intervals.down=2s probe.timeout=2s probe.rise=2 probe.fall=3 probe.protocol=tcp"},
		"an interval":              {"haproxy", schema.NoItem, set{"probe.interval": second, "probe.rise": schema.IntOf(1), "probe.fall": schema.IntOf(1), "probe.protocol": schema.TextOf("http"), "probe.path": schema.TextOf("/x"), "probe.timeout": second}, "", 0, "probe.intervals.fast=1s probe.intervals.down=1s probe.timeout=1s probe.method=OPTIONS probe.expect.statuses=[200-399]"},
		"an unknown interval":      {"haproxy", schema.NoItem, set{"probe.rise": schema.IntOf(1)}, "probe.interval", 0, "probe.fall=3 probe.protocol=tcp"},
		"a probe that is off":      {"haproxy", schema.NoItem, set{"probe.off": schema.TextOf("no check")}, "", 0, ""},
		"a probe from a template":  {"haproxy", schema.Probe, nil, "probe", 0, ""},
		"whole seconds":            {"haproxy", schema.NoItem, set{"ramp.window": schema.DurationOf(1500 * time.Millisecond)}, "", 0, "ramp.window!2s"},
		"whole milliseconds":       {"haproxy", schema.NoItem, set{"timeout server": schema.DurationOf(1500 * time.Microsecond)}, "", 0, "timeout server!2ms"},
		"static balancing":         {"haproxy", schema.NoItem, set{"ramp.window": second, "balance": schema.TextOf("hdr(X)")}, "", 0, "ramp.window=1s"},
		"consistent hashing":       {"haproxy", schema.NoItem, set{"ramp.window": second, "balance": schema.TextOf("hdr(X)"), "hash-type": schema.TextOf("consistent sdbm")}, "", 0, ""},
		"retries":                  {"haproxy", schema.NoItem, set{"retry.on": schema.ListOf("503")}, "", 0, "retry.attempts=3 option redispatch=false"},
		"observation":              {"haproxy", schema.Decision, set{"observe": schema.TextOf("layer4")}, "", 0, "decision.consecutive=10 decision.counts=[connect] on-error=fail-check"},
		"balance of no version":    {"haproxy", schema.NoItem, nil, "", 1, "balance=roundrobin|random"},
		"balance of 3.2":           {"haproxy-3.2", schema.NoItem, nil, "", 1, "balance=roundrobin"},
		"balance of 3.3":           {"haproxy-3.3", schema.NoItem, nil, "", 1, "balance=random"},
		"a queue without timeout":  {"haproxy", schema.NoItem, set{"timeout connect": second}, "", 0, "timeout queue=1s"},
		"a written queue timeout":  {"haproxy", schema.NoItem, set{"timeout connect": second, "timeout queue": second}, "", 0, ""},
		"a short timeout is noted": {"haproxy", schema.Probe, set{"probe.timeout": schema.DurationOf(time.Millisecond), "probe.interval": second, "probe.rise": schema.IntOf(1), "probe.fall": schema.IntOf(1), "probe.protocol": schema.TextOf("tcp"), "probe.intervals.fast": second, "probe.intervals.down": second}, "", 0, "probe.timeout=1ms"},
	} {
		t.Run(name, func(t *testing.T) {
			copied := &schema.Copy{Members: make([]schema.Member, c.members)}
			if c.touch != schema.NoItem {
				copied.Touch(c.touch, at)
			}
			for p, v := range c.set {
				copied.Set(p, v, at)
			}
			if c.unknown != "" {
				copied.Unresolve(c.unknown, "{{ x }}", at)
			}
			if got := effectiveHAProxy(t, c.profile, copied); got != c.want {
				t.Errorf("%s\ninstead of\n%s", got, c.want)
			}
		})
	}
}
