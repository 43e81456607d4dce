package dryrun

import (
	"encoding/json"
	"errors"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// read reads a scenario that has to be good.
func read(t *testing.T, text string) *Scenario {
	t.Helper()
	s, problems, ok := Read("s.yaml", []byte("scenario: test\n"+text))
	if !ok {
		t.Fatalf("%+v", problems)
	}
	return s
}

func play(t *testing.T, s *Scenario, o Options) *Result {
	t.Helper()
	if o.Copy == nil {
		o.Copy = pool("", 2)
	}
	if o.Copy.Profile == "" {
		o.Build = newCheap
	}
	r, err := Run(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// held fails the test for each expectation that did not hold.
func held(t *testing.T, r *Result) {
	t.Helper()
	for _, v := range r.Verdicts {
		if v.Pass != Held {
			t.Errorf("%s: %s: %s", v.ID, v.Text.En, v.Observed)
		}
	}
}

func haproxyPool(members int) *schema.Copy {
	c := pool("haproxy-2.6", members)
	at := schema.At(1, 2)
	c.Set("mode", schema.TextOf("http"), at)
	c.Set("probe.protocol", schema.TextOf("http"), at)
	c.Set("probe.path", schema.TextOf("/healthz"), at)
	c.Set("probe.interval", schema.DurationOf(time.Second), at)
	c.Set("option redispatch", schema.IntOf(1), at)
	c.Set("timeout connect", schema.DurationOf(time.Second), at)
	c.Set("timeout server", schema.DurationOf(2*time.Second), at)
	return c
}

func TestSameSeedSameBytes(t *testing.T) {
	s := read(t, `
duration: 20s
traffic: {rps: 300, arrival: poisson, interfaces: {/a: 60, /b: 40}}
members: {"*": {latency: {p50: 5ms, p99: 50ms}, capacity: 3}}
events: [{at: 5s, for: 5s, fault: {members: ["10.0.0.a:80"], errors: 0.4}}]
expect: [{id: x, from: 0s, to: 20s, metric: error-rate, below: 0.5}]
`)
	c := haproxyPool(3)
	c.Set("balance", schema.TextOf("random"), schema.At(1, 2))
	one := runtime.GOMAXPROCS(1)
	a, err := RunSeeds(s, Options{Copy: c, Seed: 7}, 6)
	runtime.GOMAXPROCS(max(4, one))
	b, err2 := RunSeeds(s, Options{Copy: c, Seed: 7}, 6)
	runtime.GOMAXPROCS(one)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	if string(x) != string(y) {
		t.Error("one core and several give different bytes")
	}
	other, err := RunSeeds(s, Options{Copy: c, Seed: 8}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if reflect.DeepEqual(a.First.Series, other.First.Series) {
		t.Error("another seed gives the same run")
	}
	if m := a.Metrics[0]; m.Name != "availability" || !(m.Low <= m.Median && m.Median <= m.High) || m.Median <= 0.5 {
		t.Errorf("metric %+v", m)
	}
}

func TestEveryRequestIsCountedOnce(t *testing.T) {
	s := read(t, `
duration: 10s
traffic: {rps: 500}
members: {"*": {latency: {p50: 5ms, p99: 50ms}, capacity: 2}}
events: [{at: 2s, for: 3s, fault: {members: ["10.0.0.a:80"], hang: true}}, {at: 6s, for: 1s, fault: {down: true}}]
`)
	r := play(t, s, Options{Copy: haproxyPool(3)})
	m := r.Metrics
	statuses, answers := uint64(0), uint64(0)
	for _, c := range m.Statuses {
		statuses += c.Count
	}
	for _, x := range r.Members {
		answers += x.Answers
	}
	if m.Requests != 5000 || statuses != m.Requests || answers > m.Requests || m.Attempts < m.Requests {
		t.Errorf("%d requests, %d statuses, %d answers, %d attempts", m.Requests, statuses, answers, m.Attempts)
	}
	sent, errs := uint64(0), uint64(0)
	for _, p := range r.Series {
		sent, errs = sent+p.Sent, errs+p.Errors
	}
	if sent != m.Requests || errs != m.Errors {
		t.Errorf("the series has %d requests and %d errors, not %d and %d", sent, errs, m.Requests, m.Errors)
	}
}

func TestWarmUpIsNotCounted(t *testing.T) {
	s := read(t, `
duration: 10s
warm: 5s
traffic: {rps: 10}
events: [{at: 0s, for: 5s, fault: {errors: 1, status: 503}}]
expect: [{id: x, from: 0s, to: 5s, metric: status, status: 503, above: 0.99}, {id: y, from: 0s, to: 10s, metric: requests, above: 99, below: 101}]
`)
	held(t, play(t, s, Options{}))
}

func TestFaults(t *testing.T) {
	const a, b = `"10.0.0.a:80"`, `"10.0.0.b:80"`
	for name, text := range map[string]string{
		"errors, by part": `
traffic: {rps: 1000}
events: [{at: 2s, for: 4s, fault: {errors: 0.25, status: 503}}]
expect: [{id: x, from: 2s, to: 6s, metric: status, status: 503, above: 0.22, below: 0.28}, {id: y, from: 6s, to: 9s, metric: error-rate, below: 0.001}]`,
		"a number of requests": `
traffic: {rps: 100}
events: [{at: 2s, requests: 7, fault: {errors: 1}}]
expect: [{id: x, from: 0s, to: 9s, metric: error-rate, above: 0.00777, below: 0.00778}]`,
		"again and again": `
traffic: {rps: 100}
events: [{at: 1s, for: 100ms, every: 2s, times: 3, fault: {errors: 1}}]
expect: [{id: x, from: 0s, to: 9s, metric: error-rate, above: 0.033, below: 0.034}]`,
		"gradual recovery": `
traffic: {rps: 1000}
events: [{at: 1s, for: 2s, fault: {errors: 1, recovers: gradually}}]
expect: [{id: x, from: 1s, to: 3s, metric: error-rate, above: 0.999}, {id: y, from: 3s, to: 5s, metric: error-rate, above: 0.45, below: 0.55}, {id: z, from: 5s, to: 9s, metric: error-rate, below: 0.001}]`,
		"one interface": `
traffic: {rps: 1000, interfaces: {/a: 50, /b: 50}}
events: [{at: 1s, for: 2s, fault: {interfaces: [/b], errors: 1}}]
expect: [{id: x, from: 1s, to: 3s, interface: /a, metric: error-rate, below: 0.001}, {id: y, from: 1s, to: 3s, interface: /b, metric: error-rate, above: 0.999}]`,
		"one tenant": `
traffic: {rps: 1000, tenants: {big: 25, small: 75}}
events: [{at: 1s, for: 8s, fault: {tenants: [big], errors: 1, status: 429}}]
expect: [{id: x, from: 1s, to: 9s, metric: status, status: 429, above: 0.23, below: 0.27}, {id: y, from: 1s, to: 9s, metric: error-rate, below: 0.001}]`,
		"slow": `
traffic: {rps: 100}
members: {"*": {latency: {p50: 2ms}}}
events: [{at: 1s, for: 2s, fault: {slowBy: 100ms}}]
expect: [{id: x, from: 1s, to: 3s, metric: latency-p50, above: 95ms, below: 109ms}, {id: y, from: 4s, to: 9s, metric: latency-p99, below: 3ms}]`,
		"shares of attempts and of what was sent": `
traffic: {rps: 100}
events: [{at: 1s, for: 2s, fault: {members: [` + a + `], errors: 1}}]
expect: [{id: x, from: 0s, to: 9s, member: ` + a + `, share: 50, of: attempts}, {id: y, from: 0s, to: 9s, member: ` + b + `, share: 50, of: sent}, {id: z, from: 0s, to: 9s, metric: largest-share, above: 0.49, below: 0.51}]`,
		"a dead upstream": `
traffic: {rps: 100}
events: [{at: 1s, for: 2s, fault: {members: [` + a + `, ` + b + `], down: true}}]
expect: [{id: x, from: 1s, to: 3s, metric: error-rate, above: 0.999}]`,
	} {
		t.Run(name, func(t *testing.T) { held(t, play(t, read(t, "duration: 9s\n"+text), Options{})) })
	}
}

// TestOverload: half of the members are gone, the others have too little room, and the queue grows until it is over.
func TestOverload(t *testing.T) {
	for kind, c := range map[string]struct{ expect string }{
		"queue": {`{id: x, from: 4s, to: 5s, metric: latency-p50, above: 500ms}, {id: y, from: 0s, to: 20s, metric: error-rate, below: 0.001}`},
		"error": {`{id: x, from: 2s, to: 5s, metric: status, status: 503, above: 0.45, below: 0.55}, {id: y, from: 6s, to: 20s, metric: error-rate, below: 0.001}`},
		"hang":  {`{id: x, from: 2s, to: 5s, metric: status, status: 504, above: 0.45, below: 0.55}`},
	} {
		t.Run(kind, func(t *testing.T) {
			s := read(t, `
duration: 20s
traffic: {rps: 160}
members: {"*": {latency: {p50: 10ms}, capacity: 1, onOverload: `+kind+`}}
events: [{at: 1s, for: 4s, fault: {members: ["10.0.0.a:80"], down: true}}]
expect: [`+c.expect+`]
`)
			c := haproxyPool(2)
			if kind == "queue" {
				c.Set("timeout server", schema.DurationOf(time.Minute), schema.At(1, 2))
			}
			c.ItemAt[schema.Probe] = schema.Span{}
			held(t, play(t, s, Options{Copy: c}))
		})
	}
}

func TestProbesAndBusiness(t *testing.T) {
	const member = `"10.0.0.a:80"`
	held(t, play(t, read(t, `
duration: 30s
traffic: {rps: 20, interfaces: {/healthz: 50, /b: 50}}
events:
  - {at: 2500ms, for: 5s, fault: {members: [`+member+`], errors: 1, probesOnly: true}}
  - {at: 12500ms, for: 5s, fault: {members: [`+member+`], errors: 1, businessOnly: true}}
  - {at: 22500ms, for: 5s, fault: {members: [`+member+`], interfaces: [/healthz], errors: 1}}
expect:
  - {id: probes-alone, from: 6s, to: 7s, member: `+member+`, state: out}
  - {id: nobody-noticed, from: 0s, to: 12s, metric: error-rate, below: 0.001}
  - {id: business-alone, from: 12s, to: 22s, member: `+member+`, state: in}
  - {id: half-failed, from: 12500ms, to: 17500ms, metric: error-rate, above: 0.4, below: 0.6}
  - {id: the-probes-path, from: 26s, to: 27s, member: `+member+`, state: out}
  - {id: probes, from: 0s, to: 10s, member: `+member+`, metric: probes, above: 9, below: 11}
  - {id: changes, from: 0s, to: 30s, metric: transitions, above: 3, below: 5}
  - {id: flaps, from: 0s, to: 30s, metric: flaps, above: 0, below: 2}
`), Options{Copy: haproxyPool(2)}))
}

func TestAllOut(t *testing.T) {
	r := play(t, read(t, `
duration: 20s
traffic: {rps: 20}
events: [{at: 2500ms, for: 5s, fault: {down: true}}]
expect:
  - {id: out, from: 0s, to: 20s, metric: all-out, above: 3500ms, below: 4500ms}
  - {id: refused, from: 6s, to: 7s, metric: refused-rate, above: 0.99}
`), Options{Copy: haproxyPool(2)})
	held(t, r)
	if w := r.Metrics.RefusedAfterWell; w < 500*time.Millisecond || w > 1500*time.Millisecond {
		t.Errorf("refused for %v after all was well", w)
	}
	if m := r.Metrics; m.Detect < 0 || m.Remove < 2*time.Second || m.Return < time.Second || m.Detect > m.Remove {
		t.Errorf("detected after %v, removed after %v, back after %v", m.Detect, m.Remove, m.Return)
	}
}

func TestApply(t *testing.T) {
	head := haproxyPool(3)
	head.Members[0].HasWeight, head.Members[0].Weight = true, 2
	held(t, play(t, read(t, `
duration: 20s
traffic: {rps: 40}
events: [{at: 10s, apply: head}]
expect:
  - {id: before, from: 0s, to: 10s, member: "10.0.0.a:80", share: 50}
  - {id: not-there, at: 5s, member: "10.0.0.c:80", state: out}
  - {id: after, from: 10s, to: 20s, member: "10.0.0.a:80", share: 50}
  - {id: new, from: 10s, to: 20s, member: "10.0.0.c:80", share: 25}
  - {id: there, at: 15s, member: "10.0.0.c:80", state: in}
`), Options{Copy: haproxyPool(2), Head: head}))
}

func TestErrors(t *testing.T) {
	s := read(t, "duration: 1h\ntraffic: {rps: 1000000}")
	if _, err := Run(s, Options{Copy: haproxyPool(2)}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a billion requests: %v", err)
	}
	s.Duration, s.Traffic.RPS = time.Second, 1e-9
	if _, err := Run(s, Options{Copy: haproxyPool(2)}); !errors.Is(err, ErrNoTraffic) {
		t.Errorf("no requests: %v", err)
	}
	s = read(t, "duration: 1s")
	if _, err := Run(s, Options{Copy: pool("haproxy-2.6", 0)}); !errors.Is(err, failover.ErrNoMembers) {
		t.Errorf("no members: %v", err)
	}
	if _, err := Run(s, Options{Copy: pool("traefik-3", 1)}); !errors.Is(err, failover.ErrNotBuilt) {
		t.Errorf("an engine that is not built: %v", err)
	}
	r := play(t, s, Options{Copy: haproxyPool(1)})
	if len(r.Assumed) == 0 || !strings.Contains(r.Assumed[0].En, "traffic") {
		t.Errorf("the traffic was assumed, and nothing says so: %+v", r.Assumed)
	}
}

func TestMillionRequestsASecond(t *testing.T) {
	r := play(t, read(t, `
duration: 200ms
traffic: {rps: 1000000}
members: {"*": {latency: {p50: 2ms, p99: 9ms}}}
`), Options{})
	if r.Metrics.Requests != 200000 || r.Metrics.Errors != 0 {
		t.Errorf("%+v", r.Metrics)
	}
}

func TestWeightZeroEverywhere(t *testing.T) {
	c := haproxyPool(2)
	for i := range c.Members {
		c.Members[i].HasWeight = true
	}
	r := play(t, read(t, "duration: 5s\ntraffic: {rps: 10}"), Options{Copy: c})
	if r.Metrics.Refused != r.Metrics.Requests || r.Metrics.Availability != 0 {
		t.Errorf("%+v", r.Metrics)
	}
}

func TestNoVerdictWithoutObservation(t *testing.T) {
	r := play(t, read(t, `
duration: 9s
traffic: {rps: 0.5, interfaces: {/a: 100}}
expect:
  - {id: a, from: 1100ms, to: 1200ms, metric: error-rate, below: 1}
  - {id: b, from: 0s, to: 9s, member: "10.0.0.a:80", metric: latency-p99, below: 1s}
  - {id: c, from: 0s, to: 9s, member: nobody, share: 0, tolerance: 100}
  - {id: d, from: 0s, to: 9s, interface: /nowhere, metric: error-rate, below: 1}
`), Options{})
	want := map[string]Pass{"a": Failed, "b": NotApplicable, "c": Failed, "d": Failed}
	for _, v := range r.Verdicts {
		if v.Pass != want[v.ID] || v.Observed.En == "" || v.Observed.Zh == "" {
			t.Errorf("%s: %v: %q", v.ID, v.Pass, v.Observed)
		}
	}
}

func TestRunAllocatesNothingPerRequest(t *testing.T) {
	o := Options{Copy: haproxyPool(12)}
	measure := func(d time.Duration) float64 {
		s := rich()
		s.Duration = d
		return testing.AllocsPerRun(1, func() {
			if _, err := Run(s, o); err != nil {
				t.Fatal(err)
			}
		})
	}
	short, long := measure(100*time.Second), measure(200*time.Second)
	if per := (long - short) / (100 * 5000); per > 0.01 {
		t.Errorf("%v allocations a request", per)
	}
}

// TestEndlessRetries: an engine that retries without end does not keep the run from ending.
func TestEndlessRetries(t *testing.T) {
	c := haproxyPool(2)
	c.Set("retry.attempts", schema.IntOf(1<<40), schema.At(1, 2))
	c.ItemAt[schema.Probe] = schema.Span{}
	s := read(t, "duration: 1h\ntraffic: {rps: 1}\nevents: [{at: 0s, fault: {down: true}}]")
	r, err := prepare(s, &Options{Copy: c})
	if err != nil {
		t.Fatal(err)
	}
	r.budget = 100000
	r.play(t.Context())
	if r.work != r.budget+1 {
		t.Errorf("given up after %d steps", r.work)
	}
}

// TestFaultsOfOneEventDoNotPileUp: an event that lasts longer than the time until it comes again is one fault at a time.
func TestFaultsOfOneEventDoNotPileUp(t *testing.T) {
	s := read(t, `
duration: 10s
traffic: {rps: 100}
members: {"*": {latency: {p50: 1ms}}}
events: [{at: 1s, for: 2500ms, every: 1s, times: 3, fault: {slowBy: 10ms}}]
expect: [{id: one, from: 1s, to: 5500ms, metric: latency-p99, above: 10ms, below: 13ms}, {id: over, from: 5500ms, to: 10s, metric: latency-p99, below: 2ms}]
`)
	held(t, play(t, s, Options{}))
}

func TestCompare(t *testing.T) {
	s := read(t, `
duration: 20s
traffic: {rps: 50}
members: {"*": {latency: {p50: 2ms}}}
events: [{at: 5250ms, for: 5s, fault: {members: ["10.0.0.a:80"], down: true}}]
`)
	base, head := haproxyPool(3), haproxyPool(3)
	base.Set("option redispatch", schema.BoolOf(false), schema.At(1, 2))
	a, err := RunSeeds(s, Options{Copy: base}, 3)
	if err != nil {
		t.Fatal(err)
	}
	b, err := RunSeeds(s, Options{Copy: head}, 3)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]Better{"availability": BetterHead, "errors": BetterHead, "flaps": Same, "latency-p99": BetterHead, "all-out": Same}
	for _, c := range Compare(a, b) {
		if w, ok := want[c.Metric]; ok && c.Better != w {
			t.Errorf("%s: %+v", c.Metric, c)
		}
	}
	for _, c := range Compare(b, a) {
		if c.Metric == "availability" && c.Better != BetterBase {
			t.Errorf("turned round: %+v", c)
		}
	}
}
