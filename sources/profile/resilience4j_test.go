package profile

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// addedBy writes what a profile adds to a copy.
func addedBy(t *testing.T, name string, c *schema.Copy) string {
	t.Helper()
	p, ok := Lookup(name)
	if !ok {
		t.Fatalf("no profile %s", name)
	}
	var b strings.Builder
	for _, e := range p.EffectiveOf(c) {
		fmt.Fprintf(&b, "%s=%s", e.Path, e.Value)
		if e.Clamped {
			b.WriteString("!")
		}
		if e.Why.En == "" || e.Why.Zh == "" {
			t.Errorf("%s: no reason in both languages", e.Path)
		}
		b.WriteString(" ")
	}
	return strings.TrimSpace(b.String())
}

type setting struct {
	path  schema.Path
	value schema.Value
}

func copyOf(settings ...setting) *schema.Copy {
	c := &schema.Copy{}
	for i, s := range settings {
		c.Set(s.path, s.value, schema.At(10*i+1, 10*i+2))
	}
	return c
}

func TestResilience4j(t *testing.T) {
	ratio := setting{"decision.errorRatio", schema.NumberOf(0.3)}
	timed := setting{"slidingWindowType", schema.TextOf("TIME_BASED")}
	size := func(n int64) setting { return setting{"slidingWindowSize", schema.IntOf(n)} }
	samples := func(n int64) setting { return setting{"decision.minSamples", schema.IntOf(n)} }
	wait := setting{"cooldown.duration", schema.DurationOf(5 * time.Second)}
	automatic := setting{"automaticTransitionFromOpenToHalfOpenEnabled", schema.BoolOf(true)}
	const slow, half = "slowCallRateThreshold=100 decision.slow.threshold=1m ", " permittedNumberOfCallsInHalfOpenState=10"
	for _, c := range []struct {
		name string
		copy *schema.Copy
		want string
	}{
		{"nothing written, nothing filled in", copyOf(size(5)), ""},
		{"decision", copyOf(ratio), slow + "slidingWindowType=COUNT_BASED slidingWindowSize=100 decision.minSamples=100" + half},
		{"the default of samples is lowered to the window", copyOf(ratio, size(20)), slow + "slidingWindowType=COUNT_BASED decision.minSamples=20" + half},
		{"a default is not raised to it", copyOf(ratio, size(500)), slow + "slidingWindowType=COUNT_BASED decision.minSamples=100" + half},
		{"written samples are clamped", copyOf(ratio, size(20), samples(30)), slow + "slidingWindowType=COUNT_BASED decision.minSamples=20!" + half},
		{"equal ones are not", copyOf(ratio, size(30), samples(30)), slow + "slidingWindowType=COUNT_BASED" + half},
		{"the default window clamps too", copyOf(samples(200)), "decision.errorRatio=0.5 " + slow + "slidingWindowType=COUNT_BASED slidingWindowSize=100 decision.minSamples=100!" + half},
		{"a window of time clamps nothing", copyOf(ratio, timed, samples(200)), slow + "decision.window=1m40s" + half},
		{"cooldown", copyOf(wait, automatic), "permittedNumberOfCallsInHalfOpenState=10"},
		{"a note on the wait", copyOf(wait), "cooldown.duration=5s permittedNumberOfCallsInHalfOpenState=10"},
		{"growth", copyOf(wait, automatic, setting{"cooldown.growth.kind", schema.TextOf("exponential")}), "cooldown.growth.factor=1.5 permittedNumberOfCallsInHalfOpenState=10"},
		{"spread", copyOf(wait, automatic, setting{"enableRandomizedWait", schema.BoolOf(true)}), "cooldown.jitter=0.5 permittedNumberOfCallsInHalfOpenState=10"},
		{"retry", copyOf(setting{"retry.maxAttempts", schema.IntOf(4)}, setting{"retry.attempts", schema.IntOf(3)}), "retry.waitDuration=500ms"},
		{"retry by default", copyOf(setting{"retry.waitDuration", schema.DurationOf(time.Second)}), "retry.attempts=2"},
		{"retries of others", copyOf(setting{"retry.nonIdempotent", schema.BoolOf(true)}), ""},
	} {
		if got := addedBy(t, "resilience4j-2.4", c.copy); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, c.want)
		}
	}
	// What is written and cannot be read has no default.
	c := copyOf(ratio)
	for _, p := range []schema.Path{"slidingWindowSize", "decision.minSamples", "slowCallRateThreshold", "decision.slow.threshold"} {
		c.Unresolve(p, "${X}", schema.At(1, 2))
	}
	if got, want := addedBy(t, "resilience4j", c), "slidingWindowType=COUNT_BASED permittedNumberOfCallsInHalfOpenState=10"; got != want {
		t.Errorf("unresolved\n got %s\nwant %s", got, want)
	}
}

func TestSpring(t *testing.T) {
	interval := setting{"probe.interval", schema.DurationOf(time.Second)}
	path := setting{"probe.path", schema.TextOf("/healthz")}
	if got, want := addedBy(t, "spring", copyOf(interval)), "probe.path=/actuator/health probe.method=GET probe.expect.statuses=[200] probe.rise=1 probe.fall=1"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if got, want := addedBy(t, "spring-3.4", copyOf(path)), "probe.interval=25s probe.method=GET probe.expect.statuses=[200] probe.rise=1 probe.fall=1"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	route := copyOf(setting{"retry.methods", schema.ListOf("GET")})
	route.Owned = true
	if got, want := addedBy(t, "spring", route), "retry.attempts=3 retry.on=[SERVER_ERROR] retry.nonIdempotent=false"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if got := addedBy(t, "spring", &schema.Copy{Owned: true}); got != "" {
		t.Errorf("a route without a retry: %s", got)
	}
}
