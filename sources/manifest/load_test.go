package manifest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/poolproof/poolproof/schema"
)

func load(t *testing.T, name, text string) schema.Manifest {
	t.Helper()
	m, problems := Load(name, []byte(text))
	for _, p := range problems {
		t.Errorf("%s %s", p.Rule, p.Text.En)
	}
	return m
}

var noPlaces = cmp.Options{cmpopts.IgnoreTypes(schema.Span{}, []schema.Written{}), cmpopts.IgnoreFields(schema.Manifest{}, "File"), cmpopts.IgnoreFields(schema.Exception{}, "File")}

func TestEveryField(t *testing.T) {
	text, err := os.ReadFile("../../schema/testdata/Manifest/good-everything.yaml")
	if err != nil {
		t.Fatal(err)
	}
	got := load(t, "poolproof.yaml", string(text))
	want := schema.Manifest{
		Sources: []schema.Source{
			{Side: "gateway", Format: "haproxy", Files: []string{"envs/{env}/gateway/*.cfg"}, Exclude: []string{"**/old/**"}, Env: "prod",
				Profiles: []string{"prod"}, Profile: "haproxy-2.6", Repo: "../gateway", Ref: "main"},
			{Side: "app", Files: []string{"app.yaml"}, Map: &schema.Map{
				PoolEach: "upstreams.*", PoolName: "key",
				MembersEach: "hosts[*]", MembersMap: []schema.MapEntry{{Key: "address", Expr: "ip"}, {Key: "port", Expr: "port"}},
				Probe: []schema.MapEntry{{Key: "interval", Expr: "health.interval_ms | ms"}}, Decision: []schema.MapEntry{{Key: "window", Expr: "w"}},
				Cooldown: []schema.MapEntry{{Key: "duration", Expr: "c"}}, RampEach: "steps[*]", Ramp: []schema.MapEntry{{Key: "share", Expr: "s"}},
				Retry: []schema.MapEntry{{Key: "attempts", Expr: "r"}},
			}},
			{Side: "order", Files: []string{"changes/*.md"}, Map: &schema.Map{Pool: "orders", Members: "orders.hosts[*]"}},
		},
		Pools: []schema.PoolEntry{{
			Name: "orders", Names: map[schema.Side][]string{"gateway": {"be_orders"}, "doc": {"Orders address pool", "订单"}}, Executor: "gateway",
			Traffic: &schema.Traffic{RPS: 120},
			Truth: map[schema.Item]schema.TruthEntry{schema.Members: {Side: "app", Reason: "the application decides"},
				schema.Probe: {Side: "executor", Copy: "a.cfg", Reason: "two files"}},
			Severity: []schema.SeverityRule{{Rule: "probe/load", Severity: schema.Off}}, Constraints: "strict", OnAllOut: &schema.AllOut{Then: "pass"},
			MinActive: 2, ProbePorts: []int{9000}, Owner: "sre",
		}},
		Defaults:   schema.PoolEntry{Executor: "gateway"},
		Vars:       map[string]string{"HOST": "10.0.0.1", "PORT": "8080", "TLS": "true"},
		Aliases:    map[string][]string{"a.example.com": {"10.0.0.1"}, "b.example.com": {"10.0.0.2", "10.0.0.3"}},
		Severity:   []schema.SeverityRule{{Rule: "probe/*", Severity: schema.Info}},
		Evidence:   "verified",
		Vocabulary: map[string][]string{"interval": {"Probe period"}},
		Live: []schema.LiveGateway{
			{Gateway: "haproxy", Address: "unix:/run/haproxy.sock", Pools: []string{"orders"}, Every: 30 * time.Second, TokenFile: "t", CAFile: "c"},
		},
		Alerts: schema.Alerts{Sinks: []schema.AlertSink{{Kind: "slack", Settings: []schema.AlertSetting{{Key: "anything", Values: []string{"1", "2.5", "true"}}}}}},
		Exceptions: []schema.Exception{
			{Rule: "members/missing", Pool: "orders", Side: "app", Member: "10.0.0.3:8080", Field: "members", Initiator: "alice", Saw: "connection resets",
				Reclaim: "when the migration ends", Expires: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)},
			{Rule: "probe/load", Pool: "orders", Initiator: "a", Saw: "b", Reclaim: "c", Expires: time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC)},
		},
	}
	if diff := cmp.Diff(want, got, noPlaces); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if at := got.Sources[1].Map.Probe[0].At; string(text[at.Start:at.End]) != `"health.interval_ms | ms"` {
		t.Errorf("the path expression stands at %q", text[at.Start:at.End])
	}
	for name, at := range map[string]schema.Span{
		`orders`: got.Pools[0].NameAt, `be_orders`: got.Pools[0].NamesAt[0].At, `"Orders address pool"`: got.Pools[0].NamesAt[1].At,
		`a.cfg`: got.Pools[0].Truth[schema.Probe].CopyAt, `gateway`: got.Pools[0].ExecutorAt, `a.example.com`: got.AliasesAt[0].At,
	} {
		if written := string(text[at.Start:at.End]); written != name {
			t.Errorf("%s stands at %q", name, written)
		}
	}
	if at := got.Exceptions[0].At; !strings.HasPrefix(string(text[at.Start:]), "rule: members/missing") {
		t.Errorf("the exception stands at %q", text[at.Start:at.Start+20])
	}
}

// The three spellings of a manifest say the same.
func TestSpellings(t *testing.T) {
	yaml := load(t, "poolproof.yaml", "sources:\n  - {side: app, files: [\"*.yaml\"]}\npools:\n  a: {minActive: 2, traffic: {rps: 1.5, p99: 1m30s, interfaces: {/b: 40, /a: 60}}}\n")
	json := load(t, "poolproof.json", `{"sources": [{"side": "app", "files": ["*.yaml"]}], "pools": {"a": {"minActive": 2, "traffic": {"rps": 1.5, "p99": "1m30s", "interfaces": {"/b": 40, "/a": 60}}}}}`)
	cue := load(t, "poolproof.cue", "package poolproof\nsources: [{side: \"app\", files: [\"*.yaml\"]}]\n_n: 2\npools: a: {minActive: _n, traffic: {rps: 1.5, p99: \"1m30s\", interfaces: {\"/b\": 40, \"/a\": 60}}}\n")
	if diff := cmp.Diff(yaml, json, noPlaces); diff != "" {
		t.Errorf("yaml and json (-yaml +json):\n%s", diff)
	}
	if diff := cmp.Diff(yaml, cue, noPlaces); diff != "" {
		t.Errorf("yaml and cue (-yaml +cue):\n%s", diff)
	}
	if yaml.Evidence != "reachable" {
		t.Errorf("evidence is %q where nothing is said", yaml.Evidence)
	}
}

func TestProblems(t *testing.T) {
	const sources = "sources: [{side: app, files: [a]}]\n"
	for _, tt := range []struct{ name, text, rule, at, message string }{
		{"unknown key", sources + "sevrity: {}\n", "schema/unknown-key", "sevrity", "unknown key sevrity"},
		{"side", "sources:\n  - {side: gatway, files: [a]}\n", "schema/invalid", "gatway", `sources[0].side: "gatway" is none of`},
		{"no sources", "pools: {}\n", "schema/invalid", "pools: {}", "sources is missing"},
		{"duration", sources + "live: [{gateway: haproxy, address: a, every: 30}]\n", "schema/unit", "30", "live[0].every: 30 has no unit"},
		{"alias", sources + "aliases: {a b: 10.0.0.1}\n", "schema/invalid", "a b", "neither a host name nor an address"},
		{"alias value", sources + "aliases: {a: 10.0.0.256}\n", "schema/invalid", "10.0.0.256", "neither a host name nor an address"},
		{"second document", sources + "---\npools: {}\n", "schema/invalid", "---\npools: {}", "a second document"},
		{"empty", "# nothing\n", "schema/invalid", "", "the manifest is empty"},
		{"list", "- a\n", "schema/invalid", "- a", "the manifest: a list is not a mapping"},
		{"syntax", "sources: [\n", "source/syntax", "", ""},
		{"names", sources + "pools: {a: {names: {gatway: b}}}\n", "schema/unknown-key", "gatway", "pools.a.names has no key gatway"},
		{"no such day", sources + "exceptions: [{rule: a/b, pool: p, initiator: i, saw: s, reclaim: r, expires: 2026-02-30}]\n", "schema/invalid", "2026-02-30", "there is no day"},
		{"range", sources + "pools: {a: {minActive: 99999999999}}\n", "schema/invalid", "99999999999", "out of range"},
	} {
		_, problems := Load("poolproof.yaml", []byte(tt.text))
		if len(problems) != 1 {
			t.Errorf("%s: %d problems: %v", tt.name, len(problems), problems)
			continue
		}
		p := problems[0]
		if at := tt.text[p.At.Start:p.At.End]; p.Rule != tt.rule || tt.rule != "source/syntax" && at != tt.at || !strings.Contains(p.Text.En, tt.message) {
			t.Errorf("%s: %s at %q: %s", tt.name, p.Rule, at, p.Text.En)
		}
		if p.Text.Zh == "" {
			t.Errorf("%s: no Chinese", tt.name)
		}
	}
}

// What is refused costs nothing else.
func TestRestCounts(t *testing.T) {
	m, problems := Load("poolproof.yaml", []byte(`sources:
  - {side: app, files: [a]}
  - {side: nowhere, files: [b]}
  - {side: doc}
pools:
  a: {minActive: 0, owner: x, severity: {a/b: fatal, c/d: off}, onAllOut: {panicBelow: 0}}
exceptions:
  - {rule: members/missing, pool: a}
  - {rule: a/b, pool: a, side: nowhere, initiator: i, saw: s, reclaim: r, expires: 2026-12-31}
`))
	if len(problems) != 5 {
		t.Errorf("%d problems: %v", len(problems), problems)
	}
	if len(m.Sources) != 1 || len(m.Pools) != 1 || m.Pools[0].Owner != "x" || m.Pools[0].MinActive != 0 || len(m.Pools[0].Severity) != 1 || !m.Pools[0].OnAllOut.HasPanic {
		t.Errorf("%+v", m)
	}
	// An exception that lacks something is kept for the rule that says so; one with a refused value is not.
	if len(m.Exceptions) != 1 || m.Exceptions[0].Rule != "members/missing" || !m.Exceptions[0].Expires.IsZero() {
		t.Errorf("%+v", m.Exceptions)
	}
}

// Good and bad samples of the grammar are read as the grammar says.
func TestSamples(t *testing.T) {
	files, err := filepath.Glob("../../schema/testdata/Manifest/*")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, problems := Load("poolproof.yaml", text)
		if good := strings.HasPrefix(filepath.Base(file), "good-"); good != (len(problems) == 0) {
			t.Errorf("%s: %v", file, problems)
		}
	}
}

func FuzzManifest(f *testing.F) {
	files, _ := filepath.Glob("../../schema/testdata/Manifest/*")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("package a\nsources: [{side: \"app\", files: [\"x\"]}]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, name := range Names() {
			m, problems := Load(name, text)
			for _, p := range problems {
				if p.At.Start > p.At.End || int(p.At.End) > len(text) {
					t.Fatalf("%s: %s is outside the text: %v", name, p.Rule, p.At)
				}
			}
			if len(problems) == 0 && m.Sources == nil && !strings.Contains(string(text), "sources") {
				t.Fatalf("%s: accepted without sources", name)
			}
		}
	})
}
