package strict

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/schema/judge"
	"github.com/poolproof/poolproof/sources/data"
)

// bindPool reads one pool written in YAML.
func bindPool(t *testing.T, text string, vars map[string]string) *schema.Copy {
	t.Helper()
	tree := data.YAML([]byte(text))
	if len(tree.Problems) > 0 {
		t.Fatal(tree.Problems)
	}
	f := New().File()
	f.Prepare([]byte(text), tree.Documents, vars)
	c := &schema.Copy{Pool: "orders", PoolAt: schema.At(0, 1)}
	f.Pool(c, tree.Documents[0].Root)
	return c
}

// example returns a value that a path of the model takes.
func example(e schema.Entry) string {
	switch e.Kind {
	case schema.Duration:
		return "90s"
	case schema.Int:
		return "3"
	case schema.Number:
		return "1"
	case schema.Bool:
		return "true"
	case schema.List:
		return "[b, a]"
	}
	if e.Enum != nil {
		return e.Enum[0]
	}
	return "x"
}

// Every scalar path of the model arrives in the copy, with the kind that the model says.
func TestEveryPath(t *testing.T) {
	for _, e := range schema.Model() {
		keys := strings.Split(string(e.Path), ".")
		text := strings.Join(keys, ": {") + ": " + example(e) + strings.Repeat("}", len(keys)-1) + "\n"
		c := bindPool(t, text, nil)
		f, ok := c.Get(e.Path)
		if !ok || f.Value.Kind() != e.Kind {
			t.Errorf("%s: %v, %v", text, f.Value, ok)
			continue
		}
		if !c.States(e.Path.Item()) {
			t.Errorf("%s: %s is not stated", text, e.Path.Item())
		}
		if at := f.At; !strings.HasPrefix(text[at.Start:at.End], example(e)[:1]) {
			t.Errorf("%s stands at %q", e.Path, text[at.Start:at.End])
		}
	}
}

func TestShortForms(t *testing.T) {
	for text, want := range map[string]string{
		"cooldown: {growth: 2.5}":                 "cooldown.growth.kind=exponential cooldown.growth.factor=2.5",
		"cooldown: {growth: 1}":                   "cooldown.growth.kind=constant",
		"cooldown: {growth: 1.0}":                 "cooldown.growth.kind=constant",
		"onAllOut: pass":                          "onAllOut.then=pass",
		"onAllOut: {panicBelow: 50}":              "onAllOut.panicBelow=50",
		"onAllOut: {alertAfter: 60s, then: pass}": "onAllOut.alertAfter=1m onAllOut.then=pass",
	} {
		c := bindPool(t, text, nil)
		var got []string
		for _, f := range c.Fields {
			got = append(got, string(f.Path)+"="+f.Value.String())
		}
		if s := strings.Join(got, " "); s != want || len(c.Problems) > 0 {
			t.Errorf("%s: %s, want %s; %v", text, s, want, c.Problems)
		}
	}
}

func TestIdentity(t *testing.T) {
	for _, tt := range []struct {
		member, id, problem string
		complete            bool
	}{
		{"{address: API.Example.COM., port: 0080}", "", "leading zero", true},
		{"{address: API.Example.COM., port: 80}", "api.example.com:80", "", true},
		{"{address: \"2001:0DB8::1\", port: 80}", "[2001:db8::1]:80", "", true},
		{"{address: a, port: client}", "a:client", "", true},
		{"{address: a, port: \"+010\"}", "a:+10", "", true},
		{"{address: a, port: \"-1\"}", "a:-1", "", true},
		{"{socket: /a}", "unix:/a", "", true},
		{"{provider: p, model: m}", "p/m", "", true},
		{"{address: _a._tcp.b, from: srv}", "_a._tcp.b", "", false},
		{"{address: \"outbound|80||a\", from: eds}", "outbound|80||a", "", false},
		{"{address: a, from: dns}", "", "an address without a port", false},
		{"{address: a, port: 80, from: dns}", "a:80", "", false},
		{"{address: a}", "", "an address without a port", true},
		{"{port: 80}", "", "a port without an address", true},
		{"{address: a, port: 80, socket: /a}", "", "this one has several", true},
		{"{port: 80, model: m}", "", "this one has several", true},
		{"{provider: p}", "", "a provider without a model", true},
		{"{model: m}", "", "a model without a provider", true},
		{"{weight: 1}", "", "a member without an address", true},
		{"{address: \"a:80\", port: 80}", "", "neither a host name nor an address", true},
		{"{address: 10.0.0.256, port: 80}", "", "neither a host name nor an address", true},
	} {
		c := bindPool(t, "members: ["+tt.member+"]", nil)
		id, problem := "", ""
		if len(c.Members) > 0 {
			id = c.Members[0].ID()
		}
		for _, p := range c.Problems {
			problem += p.Text.En
		}
		if id != tt.id || !strings.Contains(problem, tt.problem) || (tt.problem == "") != (problem == "") || c.Complete != tt.complete {
			t.Errorf("%s: %q complete %v, %q", tt.member, id, c.Complete, problem)
		}
		if tt.id == "" && c.UnresolvedMembers() != 1 {
			t.Errorf("%s: %d unresolved members", tt.member, c.UnresolvedMembers())
		}
	}
}

// One mistake yields one finding, and a value that cannot be read is unresolved once.
func TestFates(t *testing.T) {
	c := bindPool(t, `
members:
  - {address: "${A}", port: 80, weight: 1}
  - {address: "${B}", port: 80, weight: "{{ .W }}"}
  - {address: c, port: 80, weight: 010, region: no}
  - "{{ .Rest }}"
probe: {interval: "${I}", rise: "３", fall: 0}
retry: {on: [a, "{{ .On }}"]}
ramp: {batches: [{share: 5, dwell: 1_0}, {share: 101}], agreedBy: 王（SRE）}
`, map[string]string{"B": "b", "I": "5s"})
	var got []string
	for _, m := range c.Members {
		got = append(got, "member "+m.ID())
	}
	for _, f := range c.Fields {
		got = append(got, string(f.Path)+" = "+f.Value.String())
	}
	for _, u := range c.Unresolved {
		quiet := ""
		if u.Quiet {
			quiet = " quiet"
		}
		got = append(got, "unresolved "+string(u.Path)+" "+u.Raw+quiet)
	}
	for _, p := range c.Problems {
		got = append(got, p.Rule+" "+p.Severity.String()+" "+p.Item.String()+" "+p.Field)
	}
	want := []string{
		"member b:80", "member c:80",
		"probe.interval = 5s", "probe.rise = 3", "ramp.agreedBy = 王（SRE）",
		"unresolved members[0] ${A}:80", "unresolved members[1].weight {{ .W }}", "unresolved members[2].weight 010 quiet",
		"unresolved members[2].region no quiet", "unresolved members[3] {{ .Rest }}",
		"unresolved probe.fall 0 quiet", "unresolved retry.on {{ .On }}", "unresolved ramp.batches[0].dwell 1_0 quiet",
		"unresolved ramp.batches[1].share 101 quiet",
		"schema/invalid  probe fall", "schema/invalid  ramp batches[1].share",
		"source/scalar-hazard error members weight", "source/scalar-hazard error members region", "source/scalar-hazard warning probe rise",
		"source/scalar-hazard error ramp batches[0].dwell",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Template lines around entries mean that what is written is not all: nothing is missing for certain.
func TestPartial(t *testing.T) {
	root := data.YAML([]byte("members: [{address: a, port: 80}]\ncooldown: {repeat: {limit: 3}}\n")).Documents[0].Root
	root.Get("members").Partial = true
	root.Path("cooldown", "repeat").Partial = true
	c := &schema.Copy{Pool: "orders"}
	New().File().Pool(c, root)
	if c.Complete || len(c.Problems) > 0 {
		t.Errorf("complete %v, %v", c.Complete, c.Problems)
	}
}

func TestNothingStated(t *testing.T) {
	for text, want := range map[string]int{"env: prod": 1, "traffic: {rps: 5}\ndomain: {region: eu}": 1, "members: []": 0, "onAllOut: pass": 0, "probe: {}": 0, "decision: {record: true}": 0} {
		if c := bindPool(t, text, nil); len(c.Problems) != want {
			t.Errorf("%s: %v", text, c.Problems)
		}
	}
}

func TestException(t *testing.T) {
	read := func(text string) (schema.Exception, bool, []schema.Problem) {
		var found []schema.Problem
		n := data.YAML([]byte(text)).Documents[0].Root
		e, ok := New().Settings().Exception(n, func(p schema.Problem) { found = append(found, p) })
		return e, ok, found
	}
	for expires, want := range map[string]time.Time{
		"2026-12-31":                time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC),
		"2026-12-31T08:00:00+08:00": time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC),
	} {
		if e, ok, _ := read("{rule: a/b, expires: " + expires + "}"); !ok || !e.Expires.Equal(want) {
			t.Errorf("%s: %v", expires, e.Expires)
		}
	}
	if _, ok, found := read("{rule: a/b, expires: 2026-02-30}"); ok || len(found) != 1 {
		t.Errorf("a day that is not in the calendar: %v", found)
	}
	for text, want := range map[string]string{
		"{rule: members/missing}":                        "side, member",
		"{rule: members/differs}":                        "side",
		"{rule: evidence/missing, member: a}":            "side",
		"{rule: members/extra, side: app, member: a:80}": "",
		"{rule: probe/load}":                             "",
	} {
		e, _, _ := read(text)
		if got := strings.Join(Lacks(&e), ", "); got != want {
			t.Errorf("%s lacks %q, want %q", text, got, want)
		}
	}
}

func TestKinds(t *testing.T) {
	if judge.Kind(data.Null) != judge.Null || judge.Kind(data.Bool) != judge.Bool || judge.Kind(data.Int) != judge.Int || judge.Kind(data.Float) != judge.Float ||
		judge.Kind(data.String) != judge.String || judge.Kind(data.Map) != judge.Map || judge.Kind(data.List) != judge.List {
		t.Error("the kinds of nodes and of judged trees differ")
	}
}

func TestTaken(t *testing.T) {
	text := []byte("poolproof: change-order/v1\nid: \"{{ .ID }}\"\nramp: {a: {suspendAfter: 010}}\n")
	tree := data.YAML(text)
	f := New().File()
	f.Prepare(text, tree.Documents, nil)
	root := tree.Documents[0].Root
	f.Check(judge.ChangeOrder, root)
	taken := f.Taken(root.At)
	if len(taken) != 2 || taken[0].Rule != "schema/invalid" || taken[1].Rule != "source/scalar-hazard" {
		t.Errorf("%v", taken)
	}
	if got := f.Taken(schema.At(0, 5)); got != nil {
		t.Errorf("taken from another document: %v", got)
	}
}
