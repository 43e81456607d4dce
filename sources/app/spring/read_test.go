package spring

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
)

// folder is a set of files beside each other.
type folder map[string]string

// readFile reads one file of the folder app/.
func (f folder) readFile(name string, source schema.Source, vars map[string]string) sources.Result {
	source.Side = schema.App
	return read(sources.Input{
		Path: "app/" + name, Data: []byte(f[name]), Source: &source, Vars: vars,
		Sibling: func(base string) ([]byte, error) {
			if text, ok := f[base]; ok {
				return []byte(text), nil
			}
			return nil, fmt.Errorf("%s: %w", base, fs.ErrNotExist)
		},
	})
}

// say writes what was read, without places of its own.
func say(r sources.Result) string {
	var b strings.Builder
	for i := range r.Copies {
		c := &r.Copies[i]
		fmt.Fprintf(&b, "%s", c.Pool)
		for _, f := range c.Files[1:] {
			fmt.Fprintf(&b, " +%s", path.Base(f))
		}
		for _, m := range c.Members {
			fmt.Fprintf(&b, " %s", m.ID())
			if m.HasWeight {
				fmt.Fprintf(&b, "*%d", m.Weight)
			}
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

// breaker is the text of one instance, which a value ends.
const breaker = "resilience4j.circuitbreaker.instances.a."

func TestValues(t *testing.T) {
	for _, c := range []struct {
		text, want string
		vars       map[string]string
	}{
		// Durations as Spring Boot reads them.
		{text: breaker + "waitDurationInOpenState: 5000", want: "a cooldown.duration=5s"},
		{text: breaker + "waitDurationInOpenState: '5000'", want: "a cooldown.duration=5s"},
		{text: breaker + "waitDurationInOpenState: 5S", want: "a cooldown.duration=5s"},
		{text: breaker + "waitDurationInOpenState: pt1m", want: "a cooldown.duration=1m"},
		{text: breaker + "waitDurationInOpenState: 1d", want: "a cooldown.duration=24h"},
		{text: breaker + "waitDurationInOpenState: 1.5s", want: "a !schema/invalid:duration"},
		{text: breaker + "waitDurationInOpenState: 5 s", want: "a !schema/invalid:duration"},
		{text: breaker + "waitDurationInOpenState: 5min", want: "a !schema/invalid:duration"},
		{text: breaker + "waitDurationInOpenState: -5s", want: "a !schema/invalid:duration"},
		{text: breaker + "waitDurationInOpenState: +5s", want: "a cooldown.duration=5s"},
		{text: breaker + "waitDurationInOpenState: \"-5 s\"", want: "a !schema/invalid:duration"},
		{text: breaker + "waitDurationInOpenState: 0", want: "a !schema/invalid:duration"},
		{text: breaker + "waitDurationInOpenState: [1, 2]", want: ""},
		{text: breaker + "waitDurationInOpenState:", want: ""},
		{text: breaker + "waitDurationInOpenState: ''", want: ""},

		// Bounds of resilience4j.
		{text: breaker + "failureRateThreshold: 0.5", want: "a !schema/invalid:errorRatio"},
		{text: breaker + "failureRateThreshold: 101", want: "a !schema/invalid:errorRatio"},
		{text: breaker + "failureRateThreshold: 50%", want: "a !schema/unit:errorRatio"},
		{text: breaker + "failureRateThreshold: half", want: "a !schema/invalid:errorRatio"},
		{text: breaker + "minimumNumberOfCalls: 0", want: "a !schema/invalid:minSamples"},
		{text: breaker + "minimumNumberOfCalls: 10s", want: "a !schema/unit:minSamples"},
		{text: breaker + "minimumNumberOfCalls: 2.5", want: "a !schema/invalid:minSamples"},
		{text: breaker + "slowCallDurationThreshold: 0", want: "a !schema/invalid:slow.threshold"},

		// Placeholders: vars, the application's own properties, defaults.
		{text: breaker + "waitDurationInOpenState: ${W:30s}", want: "a cooldown.duration=30s"},
		{text: breaker + "waitDurationInOpenState: ${W:30s}", vars: map[string]string{"W": "7s"}, want: "a cooldown.duration=7s"},
		{text: breaker + "waitDurationInOpenState: ${W}", want: "a ?cooldown.duration:${W}"},
		{text: breaker + "waitDurationInOpenState: ${my.wait-time}\nmy: {waitTime: 9s}", want: "a cooldown.duration=9s"},
		{text: breaker + "waitDurationInOpenState: ${my.wait-time:1s}\nmy: {waitTime: 9s}", want: "a cooldown.duration=9s"},
		{text: breaker + "waitDurationInOpenState: ${my.wait-time:1s}\nmy: {waitTime: 9s}", vars: map[string]string{"MY_WAITTIME": "4s"}, want: "a cooldown.duration=4s"},
		{text: breaker + "waitDurationInOpenState: ${a}\na: ${b}\nb: ${a}", want: "a ?cooldown.duration:${a}"},
		{text: breaker + "waitDurationInOpenState: ${a:${b:3s}}", want: "a cooldown.duration=3s"},
		{text: breaker + "waitDurationInOpenState: \"@wait@\"", want: "a ?cooldown.duration:@wait@"},
		{text: breaker + "waitDurationInOpenState: \"{{ .Values.wait }}\"", want: "a ?cooldown.duration:{{ .Values.wait }}"},

		// Windows.
		{text: breaker + "slidingWindowSize: 10", want: ""},
		{text: "resilience4j.circuitbreaker.instances.a: {sliding-window-size: 10, SLIDING_WINDOW_TYPE: time-based}", want: "a slidingWindowType=TIME_BASED decision.window=10s"},
		{text: "resilience4j.circuitbreaker.instances.a: {slidingWindowSize: 10, slidingWindowType: MOON}", want: "a slidingWindowSize=10 !schema/invalid:slidingWindowType"},
		{text: "resilience4j.circuitbreaker.instances.a: {slidingWindowSize: 10, slidingWindowType: \"${T}\"}", want: "a slidingWindowSize=10 ?slidingWindowType:${T}"},

		// Instances that say nothing about their pool are none.
		{text: breaker + "registerHealthIndicator: yes", want: ""},
		{text: "resilience4j.retry.instances.a.maxAttempts: 3", want: ""},
		{text: "resilience4j.circuitbreaker.configs.default.failureRateThreshold: 50", want: ""},
		{text: "resilience4j.circuitbreaker.instances.a: {}", want: ""},
		{text: "spring.application.name: x", want: ""},
		{text: "", want: ""},
		{text: "- a\n- b", want: ""},

		// Unknown keys are ignored by the program, which is worth a word.
		{text: breaker + "waitDurationInOpenStateMillis: 5", want: "!!schema/unknown-key:waitDurationInOpenStateMillis"},
		{text: breaker + "ringBufferSizeInClosedState: 5", want: "!!schema/unknown-key:ringBufferSizeInClosedState"},
		{text: "resilience4j.retry.configs.x.maxRetryAttempts: 5", want: "!!schema/unknown-key:maxRetryAttempts"},
		{text: "resilience4j.thread-pool-bulkhead.instances.a.tags:", want: ""},
		{text: "resilience4j.circuitbreaker: {circuitBreakerAspectOrder: 1, tags: {a: b}}", want: ""},
	} {
		r := folder{"application.yml": c.text}.readFile("application.yml", schema.Source{}, c.vars)
		if got := say(r); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestWhoRefuses: Spring Boot reads a negative duration, and resilience4j refuses it.
func TestWhoRefuses(t *testing.T) {
	for value, want := range map[string]string{"-5s": "resilience4j refuses", "-5": "resilience4j refuses", "5 s": "Spring Boot reads no duration", "--5s": "Spring Boot reads no duration"} {
		r := folder{"application.yml": breaker + "waitDurationInOpenState: " + value}.readFile("application.yml", schema.Source{}, nil)
		if got := r.Copies[0].Problems[0].Text.En; !strings.Contains(got, want) {
			t.Errorf("%s: %s", value, got)
		}
	}
}

func TestLineage(t *testing.T) {
	const instance = "resilience4j.circuitbreaker:\n  instances: {a: {baseConfig: x, slidingWindowSize: 5}, x: {slidingWindowSize: 6}, z: {slidingWindowSize: 7}}\n" +
		"  configs: {default: {failureRateThreshold: 10}, x: {waitDurationInOpenState: 1s}}\n"
	for version, want := range map[string]string{
		"":                 "a slidingWindowSize=5 cooldown.duration=1s; x slidingWindowSize=6 cooldown.duration=1s; z decision.errorRatio=0.1 slidingWindowSize=7",
		"spring":           "a slidingWindowSize=5 cooldown.duration=1s; x slidingWindowSize=6 cooldown.duration=1s; z decision.errorRatio=0.1 slidingWindowSize=7",
		"resilience4j-2.4": "a slidingWindowSize=5 cooldown.duration=1s; x slidingWindowSize=6 cooldown.duration=1s; z decision.errorRatio=0.1 slidingWindowSize=7",
		"resilience4j-2.1": "a decision.errorRatio=0.1 slidingWindowSize=5 cooldown.duration=1s; x decision.errorRatio=0.1 slidingWindowSize=6; z decision.errorRatio=0.1 slidingWindowSize=7",
		"resilience4j-1.7": "a slidingWindowSize=5 cooldown.duration=1s",
	} {
		if got := say(folder{"application.yml": instance}.readFile("application.yml", schema.Source{Profile: version}, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", version, got, want)
		}
	}
}

func TestGrowth(t *testing.T) {
	for text, want := range map[string]string{
		"instances: {a: {waitDurationInOpenState: 1s, enableExponentialBackoff: true}}":                                                           "a cooldown.duration=1s enableExponentialBackoff=true cooldown.growth.kind=exponential",
		"instances: {a: {waitDurationInOpenState: 1s, enableExponentialBackoff: false, exponentialBackoffMultiplier: 3}}":                         "a cooldown.duration=1s enableExponentialBackoff=false exponentialBackoffMultiplier=3",
		"instances: {a: {waitDurationInOpenState: 1s, enableExponentialBackoff: true, exponentialMaxWaitDurationInOpenState: 9s}}":                "a cooldown.duration=1s enableExponentialBackoff=true cooldown.growth.kind=exponential exponentialMaxWaitDurationInOpenState=9s !schema/clamped:exponentialMaxWaitDurationInOpenState",
		"instances: {a: {waitDurationInOpenState: 1s, enableExponentialBackoff: true, enableRandomizedWait: true}}":                               "a cooldown.duration=1s enableExponentialBackoff=true enableRandomizedWait=true !schema/invalid:growth",
		"instances: {a: {enableExponentialBackoff: true, failureRateThreshold: 50}}":                                                              "a decision.errorRatio=0.5 enableExponentialBackoff=true !schema/clamped:enableExponentialBackoff",
		"instances: {a: {enableExponentialBackoff: true}}\n  configs: {default: {waitDurationInOpenState: 1s}}":                                   "a cooldown.duration=1s enableExponentialBackoff=true !schema/clamped:enableExponentialBackoff",
		"instances: {a: {waitDurationInOpenState: 2s}}\n  configs: {default: {waitDurationInOpenState: 1s, enableExponentialBackoff: true}}":      "a cooldown.duration=2s enableExponentialBackoff=true !schema/clamped:waitDurationInOpenState",
		"instances: {a: {failureRateThreshold: 50}}\n  configs: {default: {waitDurationInOpenState: 1s, enableExponentialBackoff: true}}":         "a decision.errorRatio=0.5 cooldown.duration=1s enableExponentialBackoff=true cooldown.growth.kind=exponential",
		"instances: {a: {waitDurationInOpenState: 2s}}\n  configs: {default: {waitDurationInOpenState: 1s, enableExponentialBackoff: false}}":     "a cooldown.duration=2s enableExponentialBackoff=false",
		"instances: {a: {waitDurationInOpenState: 1s, enableRandomizedWait: true, randomizedWaitFactor: 1}}":                                      "a cooldown.duration=1s enableRandomizedWait=true !schema/invalid:jitter",
		"instances: {a: {waitDurationInOpenState: 1s, enableExponentialBackoff: true, exponentialBackoffMultiplier: 0.5}}":                        "a cooldown.duration=1s enableExponentialBackoff=true cooldown.growth.kind=exponential !schema/invalid:growth.factor",
		"instances: {a: {waitDurationInOpenState: 1s, enableRandomizedWait: true, randomizedWaitFactor: 0.2}}\n  circuitBreakerAspectOrder: 1000": "a cooldown.duration=1s enableRandomizedWait=true cooldown.jitter=0.2",
	} {
		text = "resilience4j.circuitbreaker:\n  " + text
		if got := say(folder{"application.yml": text}.readFile("application.yml", schema.Source{}, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestFiles(t *testing.T) {
	wait := func(d string) string { return breaker + "waitDurationInOpenState: " + d + "\n" }
	all := folder{
		"application.yml": wait("1s"), "application-prod.yml": wait("2s"), "application-eu.yaml": wait("3s"),
		"application-prod.properties": strings.Replace(wait("4s"), ": ", "=", 1), "application-test.yml": wait("5s"),
	}
	every := []string{"app/application*"}
	for _, c := range []struct {
		file     string
		profiles []string
		files    []string
		want     string
	}{
		{"application.yml", nil, nil, "a cooldown.duration=1s"},
		{"application.yml", []string{"prod"}, nil, "a +application-prod.yml +application-prod.properties cooldown.duration=4s"},
		{"application.yml", []string{"prod", "eu"}, nil, "a +application-prod.yml +application-prod.properties +application-eu.yaml cooldown.duration=3s"},
		{"application.yml", []string{"eu", "prod"}, every, "a +application-eu.yaml +application-prod.yml +application-prod.properties cooldown.duration=4s"},
		{"application.yml", []string{"none"}, nil, "a cooldown.duration=1s"},
		{"application-prod.yml", []string{"prod"}, every, ""},
		{"application-prod.properties", []string{"prod"}, every, ""},
		{"application-prod.yml", []string{"prod"}, []string{"app/application-prod.yml"}, "a +application.yml +application-prod.properties cooldown.duration=4s"},
		{"application-prod.properties", []string{"prod"}, []string{"app/*.properties"}, "a +application.yml +application-prod.yml cooldown.duration=4s"},
		{"application-test.yml", []string{"prod"}, every, "!!source/skipped:"},
		{"application-prod.yml", nil, every, "a cooldown.duration=2s"},
	} {
		r := all.readFile(c.file, schema.Source{Profiles: c.profiles, Files: c.files}, nil)
		if got := say(r); got != c.want {
			t.Errorf("%s %v\n got %s\nwant %s", c.file, c.profiles, got, c.want)
		}
		for _, x := range r.Copies {
			f, _ := x.Get("cooldown.duration")
			text := all[path.Base(x.Files[f.At.File])]
			if got := text[f.At.Start:f.At.End]; got != schema.FormatDuration(f.Value.Duration()) {
				t.Errorf("%s %v: the place of the duration is %q in %s", c.file, c.profiles, got, x.Files[f.At.File])
			}
		}
	}
}

func TestConfigServerNames(t *testing.T) {
	f := folder{"orders.yml": breaker + "waitDurationInOpenState: 1s", "orders-prod.yml": breaker + "waitDurationInOpenState: 2s"}
	if got, want := say(f.readFile("orders.yml", schema.Source{Profiles: []string{"prod"}}, nil)), "a +orders-prod.yml cooldown.duration=2s"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestPropertiesWin(t *testing.T) {
	f := folder{
		"application.yml": breaker + "waitDurationInOpenState: 1s", "application.properties": "resilience4j.circuitbreaker.instances.a.wait-duration-in-open-state=2s\n",
	}
	if got, want := say(f.readFile("application.yml", schema.Source{}, nil)), "a +application.properties cooldown.duration=2s"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := say(f.readFile("application.properties", schema.Source{Files: []string{"app/*"}}, nil)); got != "" {
		t.Errorf("the other file speaks for both, got %s", got)
	}
}

// What is wrong in a file that goes with another is said once: by itself if it is read, else with the copy.
func TestProblemsElsewhere(t *testing.T) {
	f := folder{"application.yml": breaker + "waitDurationInOpenState: 1s", "application-prod.yml": "a: [1"}
	prod := schema.Source{Profiles: []string{"prod"}}
	r := f.readFile("application.yml", prod, nil)
	if got, want := say(r), "a +application-prod.yml cooldown.duration=1s !source/syntax:"; got != want {
		t.Errorf("got %s, want %s", got, want)
	} else if at := r.Copies[0].Problems[0].At; at.File != 1 {
		t.Errorf("the problem stands in file %d", at.File)
	}
	prod.Files = []string{"app/*"}
	if got, want := say(f.readFile("application.yml", prod, nil)), "a +application-prod.yml cooldown.duration=1s"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := say(f.readFile("application-prod.yml", prod, nil)), "!!source/syntax:"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	f["application.yml"] = "x: 1"
	prod.Files = nil
	r = f.readFile("application.yml", prod, nil)
	if got := say(r); got != "!!source/syntax:" || !strings.Contains(r.Problems[0].Text.En, "application-prod.yml") || r.Problems[0].At.Known() {
		t.Errorf("without a copy: %s, %+v", got, r.Problems)
	}
}

func TestDocuments(t *testing.T) {
	for _, c := range []struct {
		profiles []string
		when     string
		applies  bool
	}{
		{nil, "spring.config.activate.on-profile: default", true},
		{nil, "spring.config.activate.on-profile: '!prod'", true},
		{[]string{"prod"}, "spring.config.activate.on-profile: prod", true},
		{[]string{"prod"}, "spring.config.activate.onProfile: 'prod & !eu'", true},
		{[]string{"prod", "eu"}, "spring: {config: {activate: {on-profile: 'prod & !eu'}}}", false},
		{[]string{"prod"}, "spring.config.activate.on-profile: test, prod", true},
		{[]string{"prod"}, "spring.config.activate.on-profile: [test, 'us | prod']", true},
		{[]string{"prod"}, "spring.profiles: prod", true},
		{[]string{"prod"}, "spring.profiles: test", false},
		{[]string{"prod"}, "spring.profiles: {active: test}", true},
		{[]string{"prod"}, "spring.config.activate.on-cloud-platform: kubernetes", false},
	} {
		text := breaker + "waitDurationInOpenState: 1s\n---\n" + c.when + "\n" + breaker + "waitDurationInOpenState: 2s\n"
		r := folder{"application.yml": text}.readFile("application.yml", schema.Source{Profiles: c.profiles}, nil)
		want := time.Second
		if c.applies {
			want = 2 * time.Second
		}
		f, _ := r.Copies[0].Get("cooldown.duration")
		if f.Value.Duration() != want {
			t.Errorf("%v, %s: %v, want %v", c.profiles, c.when, f.Value, want)
		}
		if skipped := len(r.Problems) == 1 && r.Problems[0].Rule == "source/skipped"; skipped == c.applies {
			t.Errorf("%v, %s: problems %v", c.profiles, c.when, r.Problems)
		}
	}
	// A document without pools is left out without a word, and a broken expression is said.
	text := "a: 1\n---\nspring.config.activate.on-profile: prod\nserver.port: 80\n---\nspring.config.activate.on-profile: a & b | c\n" + breaker + "failureRateThreshold: 50\n"
	if got, want := say(folder{"application.yml": text}.readFile("application.yml", schema.Source{}, nil)), "!!schema/invalid:spring.config.activate.on-profile !!source/skipped:"; strings.TrimSpace(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestMerging(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"maps merge, lists are replaced",
			"spring.cloud.discovery.client.simple.instances.a: [{uri: http://h:1}, {uri: http://h:2}]\n" + breaker + "failureRateThreshold: 50\n---\n" +
				"spring.cloud.discovery.client.simple.instances.a: [{uri: http://h:3}]\n" + breaker + "waitDurationInOpenState: 1s\n",
			"a h:3 decision.errorRatio=0.5 cooldown.duration=1s"},
		{"a later value wins, an empty one does not",
			breaker + "failureRateThreshold: 50\n---\n" + breaker + "failureRateThreshold: 60\n---\n" + breaker + "failureRateThreshold:\n", "a decision.errorRatio=0.6"},
		{"an alias and a merge key",
			"x: &x {failureRateThreshold: 50, waitDurationInOpenState: 1s}\nresilience4j.circuitbreaker.instances: {a: {<<: *x, failure-rate-threshold: 60}, b: *x}\n",
			"a decision.errorRatio=0.6 cooldown.duration=1s; b decision.errorRatio=0.5 cooldown.duration=1s"},
		{"two spellings in one document",
			breaker + "failureRateThreshold: 50\n" + breaker + "failure-rate-threshold: 60\n", "a decision.errorRatio=0.6; !!source/duplicate-key:resilience4j.circuitbreaker.instances.a.failure-rate-threshold"},
		{"two spellings elsewhere may be two keys", "logging.level: {org.hibernate.SQL: DEBUG, org.hibernate.sql: INFO}", ""},
		{"old and new block names", "resilience4j.circuitbreaker: {backends: {a: {failureRateThreshold: 50}}, instances: {b: {failureRateThreshold: 60}}}",
			"b decision.errorRatio=0.6; a decision.errorRatio=0.5"},
		{"one pool from breaker and discovery",
			"spring.cloud.discovery.client.simple.instances.order-db: [{uri: http://h:1}]\nresilience4j.circuitbreaker.instances.orderDb.failureRateThreshold: 50\n",
			"orderDb h:1 decision.errorRatio=0.5"},
	} {
		if got := say(folder{"application.yml": c.text}.readFile("application.yml", schema.Source{}, nil)); strings.TrimSpace(got) != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}
