package dryrun

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/engines"
	"github.com/poolproof/poolproof/schema"
)

// odd are pools out of all reason.
func odd() map[string]func(*schema.Copy) {
	set := func(settings ...any) func(*schema.Copy) {
		return func(c *schema.Copy) {
			for i := 0; i < len(settings); i += 2 {
				v := schema.Value{}
				switch x := settings[i+1].(type) {
				case time.Duration:
					v = schema.DurationOf(x)
				case int:
					v = schema.IntOf(int64(x))
				case float64:
					v = schema.NumberOf(x)
				case string:
					v = schema.TextOf(x)
				}
				c.Set(schema.Path(settings[i].(string)), v, schema.At(1, 2))
			}
		}
	}
	each := func(f func(*schema.Member)) func(*schema.Copy) {
		return func(c *schema.Copy) {
			for i := range c.Members {
				f(&c.Members[i])
			}
		}
	}
	const century = 100 * 365 * 24 * time.Hour
	return map[string]func(*schema.Copy){
		"no members":          func(c *schema.Copy) { c.Members = nil },
		"one member":          func(c *schema.Copy) { c.Members = c.Members[:1] },
		"weight 0 everywhere": each(func(m *schema.Member) { m.HasWeight, m.Weight = true, 0 }),
		"negative weights":    each(func(m *schema.Member) { m.HasWeight, m.Weight = true, -5 }),
		"huge weights":        each(func(m *schema.Member) { m.HasWeight, m.Weight = true, 1<<62 }),
		"all backups":         each(func(m *schema.Member) { m.Backup = schema.Yes }),
		"all disabled":        each(func(m *schema.Member) { m.State = schema.Disabled }),
		"one identity":        each(func(m *schema.Member) { m.Host = "10.0.0.1" }),
		"cooldown 0":          set("cooldown.duration", time.Duration(0), "decision.consecutive", 1),
		"a cooldown of 100 a": set("cooldown.duration", century, "cooldown.max", century, "decision.consecutive", 1),
		"consecutive 0":       set("decision.consecutive", 0, "decision.minSamples", 0, "decision.errorRatio", 0.0, "decision.window", time.Duration(0)),
		"a window of 1 ns":    set("decision.window", time.Nanosecond, "decision.errorRatio", 0.5),
		"a million samples":   set("decision.minSamples", 1<<40, "decision.window", century, "decision.errorRatio", 1.0),
		"probes without end":  set("probe.interval", time.Nanosecond, "probe.timeout", time.Duration(0), "probe.fall", 0, "probe.rise", 1<<40),
		"retries without end": set("retry.attempts", 1<<40, "retry.perTry", time.Nanosecond),
		"a retry a century":   set("retry.attempts", 1, "retry.perTry", century, "retry.total", century),
		"unknown words":       set("onAllOut.then", "perhaps", "cooldown.exit", "tomorrow", "balance", "by mood", "probe.protocol", "smoke"),
	}
}

// TestOddPools plays every engine on pools out of all reason, through a fault of everybody, one of one member, an order and
// a restart: it ends, in a result in which each request has come to something, or in an error that says why not.
func TestOddPools(t *testing.T) {
	const text = `
duration: 30s
traffic: {rps: 20}
events:
  - {at: 5s, for: 5s, fault: {down: true}}
  - {at: 12s, for: 5s, fault: {members: ["10.0.0.a:80"], errors: 1}}
  - {at: 20s, operator: {force: out, member: "10.0.0.a:80", initiator: a, saw: b}}
  - {at: 21s, external: {says: down}}
  - {at: 22s, reload: true}
  - {at: 23s, operator: {force: in, member: "10.0.0.a:80", initiator: a, saw: b}}
expect: [{id: x, at: 29s, member: "10.0.0.a:80", state: in}]
`
	for name, change := range odd() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, engine := range engines.Names() {
				c := pool(engine, 3)
				change(c)
				began := time.Now()
				r, err := Run(read(t, text), Options{Copy: c, Head: c})
				if d := time.Since(began); d > 20*time.Second {
					t.Errorf("%s: it took %v", engine, d)
				}
				switch {
				case err == nil && len(c.Members) == 0:
					t.Errorf("%s: nobody was played", engine)
				case errors.Is(err, failover.ErrNoMembers), errors.Is(err, ErrTooLarge):
				case err != nil && !strings.Contains(err.Error(), "building"):
					t.Errorf("%s: the error does not say what: %v", engine, err)
				case err == nil && (r.Metrics.Requests != 600 || len(r.Verdicts) != 1 || r.Verdicts[0].Observed.En == ""):
					t.Errorf("%s: %d requests, %+v", engine, r.Metrics.Requests, r.Verdicts)
				}
			}
		})
	}
}

// TestOddScenarios: what makes no sense is a finding with a place, or a clear error.
func TestOddScenarios(t *testing.T) {
	for name, c := range map[string]struct{ text, at string }{
		"rps 0":                {"scenario: a\ntraffic: {rps: 0}", "0}"},
		"rps below 0":          {"scenario: a\ntraffic: {rps: -3}", "-3"},
		"an event in the past": {"scenario: a\nevents: [{at: -3s, fault: {down: true}}]", "-3s"},
		"a window in the past": {"scenario: a\nduration: 9s\nexpect: [{id: x, from: -5s, to: 1s, metric: error-rate, below: 1}]", "-5s"},
		"an endless scenario":  {"scenario: a\nevents: [{at: 1s, every: 2s, fault: {down: true}}]", "{at: 1s"},
		"a year":               {"scenario: a\nduration: 365d", "365d"},
		"contradictory states": {"scenario: a\nduration: 9s\nexpect: [{id: x, at: 2s, member: m, state: in}, {id: y, at: 2s, member: m, state: out}]", "{id: y"},
		"contradictory lines":  {"scenario: a\nduration: 9s\nexpect: [{id: x, from: 1s, to: 2s, metric: error-rate, above: 0.5}, {id: y, from: 1s, to: 2s, metric: error-rate, below: 0.4}]", "{id: y"},
		"a share above 100":    {"scenario: a\nduration: 9s\nexpect: [{id: x, from: 1s, to: 2s, member: m, share: 101}]", "101"},
		"a ratio above 1":      {"scenario: a\nevents: [{at: 1s, fault: {errors: 1.5}}]", "1.5"},
	} {
		t.Run(name, func(t *testing.T) {
			_, problems, ok := Read("s.yaml", []byte(c.text))
			if ok {
				t.Fatalf("it would be played; problems %+v", problems)
			}
			for _, p := range problems {
				if p.At.Known() && strings.HasPrefix(c.text[p.At.Start:], c.at) && p.Text.En != "" && p.Text.Zh != "" {
					return
				}
			}
			t.Errorf("no problem at %q: %+v", c.at, problems)
		})
	}
	s := read(t, "duration: 1d\ntraffic: {rps: 1000000}")
	if _, err := Run(s, Options{Copy: haproxyPool(2)}); !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), "1000000 requests a second") {
		t.Errorf("a million requests a second for a day: %v", err)
	}
}

// TestCancel: a run that nobody waits for any more ends at once, wherever it is.
func TestCancel(t *testing.T) {
	s := read(t, "duration: 1h\ntraffic: {rps: 50000}")
	cause := errors.New("the user went away")
	ctx, cancel := context.WithCancelCause(t.Context())
	began := time.Now()
	time.AfterFunc(50*time.Millisecond, func() { cancel(cause) })
	if _, err := RunContext(ctx, s, Options{Copy: haproxyPool(2)}); !errors.Is(err, cause) {
		t.Errorf("it ended with %v", err)
	}
	if d := time.Since(began); d > 5*time.Second {
		t.Errorf("it took %v", d)
	}
	began = time.Now()
	if _, err := RunSeedsContext(ctx, s, Options{Copy: haproxyPool(2)}, 100); !errors.Is(err, cause) {
		t.Errorf("seeds ended with %v", err)
	}
	if d := time.Since(began); d > 5*time.Second {
		t.Errorf("the seeds took %v", d)
	}
}
