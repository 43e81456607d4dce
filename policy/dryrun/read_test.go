package dryrun

import (
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

const whole = `
scenario: "everything"
pool: p
config: [haproxy.cfg]
duration: 1m
warm: 5s
seeds: 3
traffic: {rps: 50, arrival: poisson, errorRate: 0.01, p50: 5ms, p99: 9ms, interfaces: {/a: 60, /b: 40}, regions: {eu: 100}, methods: {GET: 90, POST: 10}, tenants: {x: 50, y: 50}}
members:
  "10.0.0.1:80": {latency: {p50: 2ms}, errors: 0.5, capacity: 4, onOverload: hang}
  "*": {latency: {p50: 1ms, p99: 3ms}}
events:
  - {at: 1s, for: 2s, every: 10s, times: 2, fault: {members: ["10.0.0.1:80"], interfaces: [/a], down: true, recovers: gradually}}
  - {at: 2s, requests: 5, fault: {down: drop, shares: [link]}}
  - {at: 3s, for: 1s, fault: {hang: true, slowBy: 20ms, errors: 0.5, status: 503, businessOnly: true}}
  - {at: 4s, external: {says: down, members: ["10.0.0.1:80"]}}
  - {at: 5s, operator: {force: out, member: "10.0.0.1:80", initiator: a, saw: b, reclaim: c, review: 1h}}
  - {at: 6s, reload: true}
  - {at: 7s, apply: head}
expect:
  - {id: a, at: 9s, within: 1s, member: "10.0.0.1:80", state: [in, ramping]}
  - {id: b, from: 1s, to: 2s, metric: latency-p99, below: 50ms, tolerance: 1ms}
  - {id: c, from: 1s, member: "10.0.0.1:80", share: 50, tolerance: 1.5, of: attempts}
  - {id: d, by: 20s, member: "10.0.0.1:80", state: out}
  - {id: e, from: 0s, to: 9s, metric: status, status: 503, above: 0.1, below: 0.2}
`

func TestReadWhole(t *testing.T) {
	s, problems, ok := Read("s.yaml", []byte(whole))
	if !ok || len(problems) > 0 {
		t.Fatalf("not read: %+v", problems)
	}
	if s.Name != "everything" || s.Duration != time.Minute || s.Warm != 5*time.Second || s.Seeds != 3 || len(s.Config) != 1 {
		t.Errorf("head: %+v", s)
	}
	if tr := s.Traffic; !tr.Poisson || tr.RPS != 50 || len(tr.Interfaces) != 2 || len(tr.Tenants) != 2 || len(tr.Methods) != 2 || tr.P99 != 9*time.Millisecond {
		t.Errorf("traffic: %+v", tr)
	}
	b := s.Members["10.0.0.1:80"]
	if b.P50 != 2*time.Millisecond || b.P99 != 2*time.Millisecond || b.Capacity != 4 || b.OnOverload != OverloadHang || b.Errors != 0.5 {
		t.Errorf("behaviour: %+v", b)
	}
	if f := s.Events[0].Fault; f.Down != DownRefuse || !f.Gradually || f.Status != 500 {
		t.Errorf("first fault: %+v", f)
	}
	if f := s.Events[1].Fault; f.Down != DownDrop || s.Events[1].Requests != 5 {
		t.Errorf("second fault: %+v", f)
	}
	if f := s.Events[2].Fault; !f.Hang || f.SlowBy != 20*time.Millisecond || f.Status != 503 || !f.BusinessOnly {
		t.Errorf("third fault: %+v", f)
	}
	if o := s.Events[4].Operator; !o.Out || o.Review != time.Hour || o.Reclaim != "c" {
		t.Errorf("operator: %+v", o)
	}
	if !s.Events[3].External.Down || !s.Events[5].Reload || !s.Events[6].Apply {
		t.Errorf("events: %+v", s.Events)
	}
	if e := s.Expect[0]; len(e.States) != 2 || e.States[1] != failover.Ramping || e.Within != time.Second {
		t.Errorf("first expectation: %+v", e)
	}
	if e := s.Expect[1]; !e.Below.Duration || e.Span != time.Millisecond || e.At != unsaid {
		t.Errorf("second expectation: %+v", e)
	}
	if e := s.Expect[2]; e.Of != OfAttempts || e.Tolerance != 1.5 || e.To != unsaid {
		t.Errorf("third expectation: %+v", e)
	}
}

func TestReadCUE(t *testing.T) {
	s, problems, ok := Read("s.cue", []byte(`
scenario: "in CUE"
let when = "3s"
traffic: rps: 10
events: [{at: when, for: "1s", fault: down: true}]
expect: [{id: "a", from: "0s", to: "9s", metric: "error-rate", below: 0.5}]
`))
	if !ok || len(s.Events) != 1 || s.Events[0].At != 3*time.Second || s.Traffic.RPS != 10 {
		t.Fatalf("not read: %+v %+v", s, problems)
	}
}

func TestReadProblems(t *testing.T) {
	for name, c := range map[string]struct{ text, says, at string }{
		"no name":                {"traffic: {rps: 3}", "scenario", ""},
		"unknown key":            {"scenario: a\nspeed: 3", "unknown key speed", "speed"},
		"no requests":            {"scenario: a\ntraffic: {rps: 0}", "rps", "0"},
		"bare number":            {"scenario: a\nduration: 30", "no unit", "30"},
		"endless":                {"scenario: a\nevents: [{at: 1s, every: 2s, fault: {down: true}}]", "no duration", "{at: 1s"},
		"too long":               {"scenario: a\nduration: 30d", "longer than", "30d"},
		"nothing expected":       {"scenario: a\nduration: 9s\nexpect: [{id: x, at: 1s}]", "expects nothing", "{id: x"},
		"two things expected":    {"scenario: a\nduration: 9s\nexpect: [{id: x, at: 1s, member: m, state: in, share: 3}]", "several things", "{id: x"},
		"state of nobody":        {"scenario: a\nduration: 9s\nexpect: [{id: x, at: 1s, state: in}]", "no member", "{id: x"},
		"no line":                {"scenario: a\nduration: 9s\nexpect: [{id: x, from: 1s, to: 2s, metric: error-rate}]", "no line", "{id: x"},
		"empty between":          {"scenario: a\nduration: 9s\nexpect: [{id: x, from: 1s, to: 2s, metric: error-rate, above: 0.5, below: 0.5}]", "never hold", "{id: x"},
		"backwards":              {"scenario: a\nduration: 9s\nexpect: [{id: x, from: 3s, to: 2s, metric: error-rate, above: 0.5}]", "ends before", "{id: x"},
		"a number for a time":    {"scenario: a\nduration: 9s\nexpect: [{id: x, from: 1s, to: 2s, metric: latency-p99, below: 0.5}]", "length of time", "{id: x"},
		"a time for a number":    {"scenario: a\nduration: 9s\nexpect: [{id: x, from: 1s, to: 2s, metric: error-rate, below: 5ms}]", "number", "{id: x"},
		"twice":                  {"scenario: a\nduration: 9s\nexpect: [{id: x, at: 1s, member: m, state: in}, {id: x, at: 2s, member: m, state: in}]", "second expectation", "{id: x, at: 2s"},
		"contradictory states":   {"scenario: a\nduration: 9s\nexpect: [{id: x, at: 2s, member: m, state: in}, {id: y, from: 1s, to: 3s, member: m, state: out}]", "cannot both hold", "{id: y"},
		"contradictory shares":   {"scenario: a\nduration: 9s\nexpect: [{id: x, from: 1s, to: 3s, member: m, share: 50, tolerance: 1}, {id: y, from: 1s, to: 3s, member: m, share: 40, tolerance: 1}]", "cannot both hold", "{id: y"},
		"after the end":          {"scenario: a\nduration: 9s\nexpect: [{id: x, from: 11s, to: 13s, metric: error-rate, above: 0.5}]", "is over", "{id: x"},
		"hits nothing":           {"scenario: a\nevents: [{at: 1s, fault: {down: true, probesOnly: true, businessOnly: true}}]", "hit nothing", "{at: 1s"},
		"broken":                 {"scenario: [a", "", ""},
		"empty":                  {"", "empty", ""},
		"too many repetitions":   {"scenario: a\nduration: 1d\nevents: [{at: 1s, every: 1ms, reload: true}]", "things happen", "{at: 1s"},
		"impossible repetitions": {"scenario: a\nduration: 9s\nevents: [{at: 1s, every: 1ns, fault: {down: true}}]", "at least 1ms", "{at: 1s"},
	} {
		t.Run(name, func(t *testing.T) {
			_, problems, ok := Read("s.yaml", []byte(c.text))
			if ok {
				t.Fatal("it would be played")
			}
			for _, p := range problems {
				if strings.Contains(p.Text.En, c.says) && strings.HasPrefix(c.text[p.At.Start:], c.at) {
					return
				}
			}
			t.Fatalf("no problem says %q at %q: %+v", c.says, c.at, problems)
		})
	}
}

func TestReadWarnings(t *testing.T) {
	for says, text := range map[string]string{
		"is over":         "scenario: a\nduration: 5s\nevents: [{at: 9s, reload: true}]",
		"does nothing":    "scenario: a\nevents: [{at: 1s, fault: {members: [m]}}]",
		"nothing happens": "scenario: a\nevents: [{at: 1s}]",
		"no HTTP status":  "scenario: a\nevents: [{at: 1s, fault: {errors: 1, status: 99999}}]",
		"without every":   "scenario: a\nevents: [{at: 1s, times: 3, reload: true}]",
	} {
		_, problems, ok := Read("s.yaml", []byte(text))
		if !ok || len(problems) != 1 || problems[0].Severity != schema.Warning || !strings.Contains(problems[0].Text.En, says) {
			t.Errorf("%q: %v %+v", says, ok, problems)
		}
	}
}

func TestUnknown(t *testing.T) {
	s, _, _ := Read("s.yaml", []byte(`
scenario: a
traffic: {rps: 5, interfaces: {/a: 100}}
members: {"10.9.9.9:80": {errors: 0.1}}
events:
  - {at: 1s, fault: {members: ["10.9.9.8:80"], down: true}}
  - {at: 1s, external: {says: up, members: ["10.9.9.7:80"]}}
  - {at: 1s, operator: {force: out, member: "10.9.9.6:80", initiator: a, saw: b}}
expect:
  - {id: x, from: 0s, to: 1s, member: "10.9.9.5:80", share: 5}
  - {id: y, from: 0s, to: 1s, interface: /b, metric: error-rate, below: 1}
  - {id: z, from: 0s, to: 1s, interface: /a, member: "10.0.0.a:80", share: 5}
`))
	problems := Unknown(s, Options{Copy: pool("haproxy", 1)})
	if len(problems) != 6 {
		t.Errorf("%d problems, not 6: %+v", len(problems), problems)
	}
	for _, p := range problems {
		if !p.At.Known() {
			t.Errorf("%q has no place", p.Text.En)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("s.yaml", []byte(whole))
	f.Add("s.cue", []byte(`scenario: "a"`))
	f.Add("s.json", []byte(`{"scenario": "a", "expect": [{"id": "x", "at": "1s", "member": "m", "state": ["in"]}]}`))
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		s, problems, ok := Read(name, text)
		for _, p := range problems {
			if int(p.At.End) > len(text) || p.At.Start > p.At.End {
				t.Fatalf("%q lies at %+v of %d bytes", p.Text.En, p.At, len(text))
			}
		}
		if !ok {
			return
		}
		if s == nil {
			t.Fatal("nothing to play")
		}
		o := Options{Copy: pool("haproxy-2.6", 2), MaxRequests: 2000}
		Unknown(s, o)
		if s.end() > time.Minute {
			return // as bounded, and not worth the time here
		}
		if r, err := Run(s, o); err == nil && len(r.Verdicts) != len(s.Expect) {
			t.Fatalf("%d verdicts for %d expectations", len(r.Verdicts), len(s.Expect))
		}
	})
}
