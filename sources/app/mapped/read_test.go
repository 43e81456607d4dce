package mapped

import (
	"fmt"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/sourcetest"
)

// say dumps what is read of a text through a map, without places.
func say(t *testing.T, name, text string, m *schema.Map, vars map[string]string) string {
	t.Helper()
	sourcetest.Check(t, with(m), name, []byte(text))
	r := read(sources.Input{Path: name, Data: []byte(text), Source: &schema.Source{Side: schema.App, Map: m}, Vars: vars})
	var b strings.Builder
	for i := range r.Copies {
		c := &r.Copies[i]
		fmt.Fprintf(&b, "%s complete=%v", c.Pool, c.Complete)
		for _, m := range c.Members {
			fmt.Fprintf(&b, " %s", m.ID())
			if m.HasWeight {
				fmt.Fprintf(&b, "*%d", m.Weight)
			}
			for _, f := range m.Extra {
				if f.Path == "region" {
					fmt.Fprintf(&b, "@%s", f.Value)
				}
			}
		}
		for _, s := range c.Batches {
			fmt.Fprintf(&b, " %v%%/%v/%d", s.Share, s.Dwell, s.MinSamples)
		}
		for _, f := range c.Fields {
			fmt.Fprintf(&b, " %s=%s", f.Path, f.Value)
		}
		for _, u := range c.Unresolved {
			if !u.Quiet {
				fmt.Fprintf(&b, " ?%s:%s", u.Path, u.Raw)
			}
		}
		for _, p := range c.Problems {
			fmt.Fprintf(&b, " !%s:%s", p.Rule, p.Field)
		}
		b.WriteString("; ")
	}
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "!!%s:%s ", p.Rule, p.Field)
	}
	return strings.TrimRight(b.String(), "; ")
}

func TestRead(t *testing.T) {
	hosts := &schema.Map{Pool: "p", Members: "hosts[*]"}
	lone := &schema.Map{Pool: "p", Members: "hosts"}
	for _, c := range []struct {
		name, text string
		m          *schema.Map
		vars       map[string]string
		want       string
	}{
		// Lists of texts.
		{"a.yaml", "hosts: [a:1, 'b:2']", hosts, nil, "p complete=true a:1 b:2"},
		{"a.yaml", "hosts: [a:1, 'b:2']", lone, nil, "p complete=true a:1 b:2"},
		{"a.yaml", "hosts: a:1, b:2", lone, nil, "p complete=true a:1 b:2"},
		{"a.yaml", "hosts: a", lone, nil, "p complete=true a"},
		{"a.yaml", "hosts: []", hosts, nil, "p complete=true"},
		{"a.yaml", "hosts: []", lone, nil, "p complete=true"},
		{"a.yaml", "hosts: ''", lone, nil, "p complete=true"},
		{"a.yaml", "hosts:", lone, nil, "p complete=false ?members:hosts"},
		{"a.yaml", "hosts:", hosts, nil, "p complete=false ?members:hosts[*]"},
		{"a.yaml", "other: 1", hosts, nil, "p complete=false ?members:hosts[*]"},
		{"a.yaml", "hosts: {a: 1}", lone, nil, "p complete=true !schema/invalid:members[0]"},
		{"a.yaml", "hosts: [[a:1]]", hosts, nil, "p complete=true a:1"},
		{"a.yaml", "eu: {hosts: [a:1]}\nus: {hosts: [b:1]}", &schema.Map{Pool: "p", Members: "*.hosts[*]"}, nil, "p complete=true a:1 b:1"},
		{"a.yaml", "hosts: [a:1, b:2, c:3]", &schema.Map{Pool: "p", Members: "hosts[1]"}, nil, "p complete=true b:2"},
		{"a.yaml", "hosts: [a:1]\n---\nhosts: [b:2]\n", hosts, nil, "p complete=true a:1 b:2"},

		// Placeholders: of one member, of the list, from vars, from defaults.
		{"a.yaml", "hosts: [a:1, '${X}:2']", hosts, nil, "p complete=true a:1 ?members[1]:${X}:2"},
		{"a.yaml", "hosts: [a:1, '${X}:2']", hosts, map[string]string{"X": "b"}, "p complete=true a:1 b:2"},
		{"a.yaml", "hosts: ['${X}']", hosts, map[string]string{"X": "b:1, c:2"}, "p complete=true b:1 c:2"},
		{"a.yaml", "hosts: ['${X}']", hosts, nil, "p complete=true ?members[0]:${X}"},
		{"a.yaml", "hosts: ${X}", lone, nil, "p complete=false ?members:${X}"},
		{"a.yaml", "hosts: ${X}", lone, map[string]string{"X": "b:1,c:2"}, "p complete=true b:1 c:2"},
		{"a.yaml", `hosts: "${X:-b:1,c:2}"`, lone, nil, "p complete=true b:1 c:2"},
		{"a.yaml", `hosts: "${X:b:1,c:2}"`, lone, nil, "p complete=true b:1 c:2"},
		{"a.yaml", "hosts: ${X},a:1", lone, nil, "p complete=true a:1 ?members[0]:${X}"},
		{"a.yaml", "hosts: ['{{ host }}:80', b:2]", hosts, nil, "p complete=true b:2 ?members[0]:{{ host }}:80"},
		{"a.yaml", "hosts: ['{% for h in all %}']", hosts, nil, "p complete=false ?members[0]:{% for h in all %}"},
		{"a.yaml", "hosts: ['http://u:${PW}@h:1']", hosts, nil, "p complete=true ?members[0]:http://***@h:1"},

		// One member an entry.
		{"a.yaml", "n: [{h: a, p: 1, w: 2}, {h: b, p: 1}]", &schema.Map{Pool: "p", MembersEach: "n[*]", MembersMap: entries("address", "h", "port", "p", "weight", "w")}, nil, "p complete=true a:1*2 b:1"},
		{"a.yaml", "n: {a: 2, b: 1}", &schema.Map{Pool: "p", MembersEach: "n.*", MembersMap: entries("address", "key", "weight", "value")}, nil, "p complete=true a*2 b*1"},
		{"a.yaml", "n: {x: {key: a, w: 1}}", &schema.Map{Pool: "p", MembersEach: "n.*", MembersMap: entries("address", `"key"`, "weight", "w")}, nil, "p complete=true a*1"},
		{"a.yaml", "n: [{key: a, w: 1}]", &schema.Map{Pool: "p", MembersEach: "n[*]", MembersMap: entries("address", "key", "weight", "w")}, nil, "p complete=true a*1"},
		{"a.yaml", "n: {eu: [a:1], us: [b:1]}", &schema.Map{Pool: "p", MembersEach: "n.*[*]", MembersMap: entries("address", ".", "region", "key")}, nil, "p complete=true a:1@eu b:1@us"},
		{"a.yaml", "n: [{h: a:1, w: x}]", &schema.Map{Pool: "p", MembersEach: "n[*]", MembersMap: entries("address", "h", "weight", "w")}, nil, "p complete=true a:1 !schema/invalid:weight"},
		{"a.yaml", "n: [{h: a:1}]", &schema.Map{Pool: "p", MembersEach: "n[*]", MembersMap: entries("address", "host")}, nil, "p complete=false ?members.address:host"},
		{"a.yaml", "n: [{h: a:1}, {}]", &schema.Map{Pool: "p", MembersEach: "n[*]", MembersMap: entries("address", "h")}, nil, "p complete=true a:1 ?members[1]:h"},
		{"a.yaml", "n: [{h: a:1}, {h: b:1}]", &schema.Map{Pool: "p", MembersEach: "n[*]", MembersMap: entries("address", "h", "weight", "w")}, nil, "p complete=true a:1 b:1 ?members.weight:w"},
		{"a.yaml", "n: []", &schema.Map{Pool: "p", MembersEach: "n[*]", MembersMap: entries("address", "h", "weight", "w")}, nil, "p complete=true"},
		{"a.yaml", "n: [{h: a:1, s: srv}]", &schema.Map{Pool: "p", MembersEach: "n[*]", MembersMap: entries("address", "h", "from", "s")}, nil, "p complete=false a:1"},
		{"a.yaml", "n: [{h: a, p: client}, {h: b, p: +1000}]", &schema.Map{Pool: "p", MembersEach: "n[*]", MembersMap: entries("address", "h", "port", "p")}, nil, "p complete=true a:client b:+1000"},
		{"a.yaml", "n: [{h: https://a/x, p: 8443}]", &schema.Map{Pool: "p", MembersEach: "n[*]", MembersMap: entries("address", "h", "port", "p")}, nil, "p complete=true a:8443"},
		{"a.yaml", "n: [{h: a, p: '${P}', w: '${W}'}]", &schema.Map{Pool: "p", MembersEach: "n[*]", MembersMap: entries("address", "h", "port", "p", "weight", "w")}, nil, "p complete=true ?members[0]:${P}"},
		{"a.yaml", "n: [{s: /run/a.sock}, {s: unix:/run/b.sock}]", &schema.Map{Pool: "p", MembersEach: "n[*]", MembersMap: entries("address", "s")}, nil, "p complete=true unix:/run/a.sock unix:/run/b.sock"},

		// Several pools.
		{"a.yaml", "u: {a: {h: x:1}, b: {h: y:1}}", &schema.Map{PoolEach: "u.*", PoolName: "key", Members: "h"}, nil, "a complete=true x:1; b complete=true y:1"},
		{"a.yaml", "u: [{n: a, h: x:1}, {n: b}]", &schema.Map{PoolEach: "u[*]", PoolName: "n", Members: "h"}, nil, "a complete=true x:1; b complete=false ?members:h"},
		{"a.yaml", "n: a\nh: x:1\n---\nn: b\nh: y:1", &schema.Map{PoolEach: ".", PoolName: "n", Members: "h"}, nil, "a complete=true x:1; b complete=true y:1"},
		{"a.yaml", "u: {}", &schema.Map{PoolEach: "u.*", PoolName: "key", Members: "h"}, nil, ""},
		{"a.yaml", "v: {}", &schema.Map{PoolEach: "u.*", PoolName: "key", Members: "h"}, nil, "!!source/unresolved:map.pool.each"},
		{"a.yaml", "u: [{h: x:1}]", &schema.Map{PoolEach: "u[*]", PoolName: "n", Members: "h"}, nil, "!!source/unresolved:map.pool.name"},
		{"a.yaml", "u: [{n: '${N}', h: x:1}]", &schema.Map{PoolEach: "u[*]", PoolName: "n", Members: "h"}, nil, "!!source/unresolved:map.pool.name"},
		{"x/orders.prod.yaml", "hosts: [a:1]", &schema.Map{Members: "hosts"}, nil, "orders complete=true a:1"},

		// Settings.
		{"a.yaml", "t: 500", &schema.Map{Pool: "p", Probe: entries("timeout", "t")}, nil, "p complete=false !schema/unit:timeout"},
		{"a.yaml", "t: '500'", &schema.Map{Pool: "p", Probe: entries("timeout", "t | ms")}, nil, "p complete=false probe.timeout=500ms"},
		{"a.yaml", "t: 2s", &schema.Map{Pool: "p", Probe: entries("timeout", "t | ms")}, nil, "p complete=false probe.timeout=2s"},
		{"a.yaml", "t: 0", &schema.Map{Pool: "p", Probe: entries("timeout", "t")}, nil, "p complete=false probe.timeout=0s"},
		{"a.yaml", "t: -5s", &schema.Map{Pool: "p", Probe: entries("timeout", "t")}, nil, "p complete=false !schema/invalid:timeout"},
		{"a.yaml", "t: p1dt1h", &schema.Map{Pool: "p", Cooldown: entries("duration", "t")}, nil, "p complete=false cooldown.duration=25h"},
		{"a.yaml", "t: ${T:30s}", &schema.Map{Pool: "p", Cooldown: entries("duration", "t")}, nil, "p complete=false cooldown.duration=30s"},
		{"a.yaml", "t: ${T:-30s}", &schema.Map{Pool: "p", Cooldown: entries("duration", "t")}, map[string]string{"T": "5s"}, "p complete=false cooldown.duration=5s"},
		{"a.yaml", "t: ${T}", &schema.Map{Pool: "p", Cooldown: entries("duration", "t")}, nil, "p complete=false ?cooldown.duration:${T}"},
		{"a.yaml", "x: [{t: 1s}, {t: 2s}]", &schema.Map{Pool: "p", Cooldown: entries("duration", "x[*].t")}, nil, "p complete=false !schema/invalid:duration"},
		{"a.yaml", "x: [{t: 1s}, {t: 1s}]", &schema.Map{Pool: "p", Cooldown: entries("duration", "x[*].t")}, nil, "p complete=false cooldown.duration=1s"},
		{"a.yaml", "r: 50", &schema.Map{Pool: "p", Decision: entries("errorRatio", "r")}, nil, "p complete=false !schema/invalid:errorRatio"},
		{"a.yaml", "r: 50%", &schema.Map{Pool: "p", Decision: entries("errorRatio", "r")}, nil, "p complete=false decision.errorRatio=0.5"},
		{"a.yaml", "r: 50%", &schema.Map{Pool: "p", Decision: entries("errorRatio", "r | percent")}, nil, "p complete=false decision.errorRatio=0.5"},
		{"a.yaml", "f: 0", &schema.Map{Pool: "p", Cooldown: entries("growth.factor", "f")}, nil, "p complete=false !schema/invalid:growth.factor"},
		{"a.yaml", "n: 3s", &schema.Map{Pool: "p", Probe: entries("fall", "n")}, nil, "p complete=false !schema/unit:fall"},
		{"a.yaml", "m: get\np: HTTP\nh: Api.Example.com.", &schema.Map{Pool: "p", Probe: entries("method", "m", "protocol", "p", "host", "h")}, nil, "p complete=false probe.method=GET probe.protocol=http probe.host=api.example.com"},
		{"a.yaml", "s: drained", &schema.Map{Pool: "p", Cooldown: entries("startsAt", "s")}, nil, "p complete=false cooldown.startsAt=drained"},
		{"a.yaml", "s: later", &schema.Map{Pool: "p", Cooldown: entries("startsAt", "s")}, nil, "p complete=false !schema/invalid:startsAt"},
		{"a.yaml", "a: 0", &schema.Map{Pool: "p", Retry: entries("attempts", "a")}, nil, "p complete=false retry.attempts=0"},
		{"a.yaml", "t: ５s", &schema.Map{Pool: "p", Cooldown: entries("duration", "t")}, nil, "p complete=false cooldown.duration=5s !source/scalar-hazard:duration"},
		{"a.properties", "a=1s\na.b=2", &schema.Map{Pool: "p", Cooldown: entries("duration", "a")}, nil, "p complete=false cooldown.duration=1s"},

		// Ramps.
		{"a.yaml", "r: [{s: 5, d: 1m}, {s: 100}]", &schema.Map{Pool: "p", RampEach: "r[*]", Ramp: entries("share", "s", "dwell", "d")}, nil, "p complete=false 5%/1m0s/0 100%/0s/0"},
		{"a.yaml", "r: [5, 100]", &schema.Map{Pool: "p", RampEach: "r[*]", Ramp: entries("share", ".")}, nil, "p complete=false 5%/0s/0 100%/0s/0"},
		{"a.yaml", "r: {s: [5, 100], d: [60, 120]}", &schema.Map{Pool: "p", Ramp: entries("share", "r.s[*]", "dwell", "r.d | s")}, nil, "p complete=false 5%/1m0s/0 100%/2m0s/0"},
		{"a.yaml", "r: {s: [5, 50, 100], d: [60, 120]}", &schema.Map{Pool: "p", Ramp: entries("share", "r.s[*]", "dwell", "r.d | s")}, nil, "p complete=false 5%/0s/0 50%/0s/0 100%/0s/0 !schema/invalid:batches.dwell"},
		{"a.yaml", "r: {s: [5, 50, 100], d: 60}", &schema.Map{Pool: "p", Ramp: entries("share", "r.s[*]", "dwell", "r.d")}, nil, "p complete=false 5%/0s/0 50%/0s/0 100%/0s/0 !schema/unit:batches[0].dwell"},
		{"a.yaml", "r: [{s: 120}]", &schema.Map{Pool: "p", RampEach: "r[*]", Ramp: entries("share", "s", "minSamples", "n")}, nil, "p complete=false 0%/0s/0 ?ramp.batches.minSamples:n !schema/invalid:batches[0].share"},
		{"a.yaml", "x: 1", &schema.Map{Pool: "p", RampEach: "r[*]", Ramp: entries("share", "s")}, nil, "p complete=false ?ramp.batches:r[*]"},
		{"a.yaml", "w: 10m\nn: 3", &schema.Map{Pool: "p", Ramp: entries("window", "w", "suspendAfter", "n")}, nil, "p complete=false ramp.window=10m ramp.suspendAfter=3"},

		// Files that cannot be read, or hold nothing.
		{"a.yaml", "", lone, nil, "p complete=false ?members:hosts"},
		{"a.json", "{", lone, nil, "!!source/syntax:"},
		{"a.yaml", "hosts: [a:1]\nhosts: [b:1]", lone, nil, "p complete=true b:1; !!source/duplicate-key:hosts"},
		{"a.yaml", "hosts: [a:1]", &schema.Map{Pool: "p", Members: "hosts[", Probe: entries("intervall", "x")}, nil, "p complete=false"},
	} {
		if got := strings.TrimSpace(say(t, c.name, c.text, c.m, c.vars)); got != c.want {
			t.Errorf("%s %q\n got %s\nwant %s", c.name, c.text, got, c.want)
		}
	}
}

// TestUnitBelongsToTheMap: whoever is told that a number has no unit is sent to the manifest, not to a file whose program
// takes the number as it is.
func TestUnitBelongsToTheMap(t *testing.T) {
	for text, m := range map[string]*schema.Map{
		"t: 500":             {Pool: "p", Probe: entries("timeout", "t")},
		"b: [{s: 5, t: 60}]": {Pool: "p", RampEach: "b[*]", Ramp: entries("share", "s", "dwell", "t")},
	} {
		r := sourcetest.Read(Adapter(), "a.yaml", []byte(text), schema.Source{Map: m})
		if len(r.Copies) != 1 || len(r.Copies[0].Problems) != 1 {
			t.Fatalf("%s gives %+v", text, r)
		}
		if p := r.Copies[0].Problems[0]; p.Rule != "schema/unit" || !strings.Contains(p.Hint.En, `"t | s"`) || !strings.Contains(p.Hint.Zh, `"t | ms"`) {
			t.Errorf("%s: %s: %s", text, p.Text.En, p.Hint.En)
		}
	}
}
