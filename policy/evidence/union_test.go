package evidence

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/manifest"
)

func read(t *testing.T, text string) *schema.Manifest {
	t.Helper()
	m, problems := manifest.Load("poolproof.yaml", []byte(text))
	for _, p := range problems {
		t.Fatalf("%s\n%s", p.Text.En, text)
	}
	return &m
}

const plain = `sources:
  - {side: gateway, files: ["gateway/*.cfg"]}
  - {side: doc, files: ["docs/*.md"]}
pools: {orders: {names: {gateway: be_orders}, executor: gateway, minActive: 2}}
`

// sourcesOf writes the sources of a manifest in a line each.
func sourcesOf(m *schema.Manifest) string {
	var out []string
	for _, s := range m.Sources {
		line := string(s.Side) + " " + strings.Join(s.Files, ",")
		if len(s.Exclude) > 0 {
			line += " -" + strings.Join(s.Exclude, ",")
		}
		if s.Profile != "" {
			line += " " + s.Profile
		}
		out = append(out, line)
	}
	return strings.Join(out, "; ")
}

// TestSources holds that head adds sources and takes none away.
func TestSources(t *testing.T) {
	of := func(sources string) *schema.Manifest { return read(t, "sources: ["+sources+"]\n") }
	const gateway, doc = `{side: gateway, files: ["g/*.cfg"]}`, `{side: doc, files: ["d/*.md"]}`
	for _, tt := range []struct{ name, base, head, want string }{
		{"the same", gateway + "," + doc, gateway + "," + doc, "gateway g/*.cfg; doc d/*.md"},
		{"in another order", gateway + "," + doc, doc + "," + gateway, "gateway g/*.cfg; doc d/*.md"},
		{"one dropped", gateway + "," + doc, gateway, "gateway g/*.cfg; doc d/*.md"},
		{"one added", gateway, gateway + "," + doc, "gateway g/*.cfg; doc d/*.md"},
		{"a pattern added", gateway, `{side: gateway, files: ["g/*.cfg", "h/*.cfg"]}`, "gateway g/*.cfg,h/*.cfg"},
		{"a pattern dropped", `{side: gateway, files: ["g/*.cfg", "h/*.cfg"]}`, gateway, "gateway g/*.cfg,h/*.cfg"},
		{"a pattern narrowed", gateway, `{side: gateway, files: ["g/a.cfg"]}`, "gateway g/*.cfg,g/a.cfg"},
		{"excluded", gateway, `{side: gateway, files: ["g/*.cfg"], exclude: ["g/a.cfg"]}`, "gateway g/*.cfg"},
		{"excluded with a pattern added", gateway, `{side: gateway, files: ["g/*.cfg", "h/*.cfg"], exclude: ["h/a.cfg"]}`, "gateway g/*.cfg; gateway h/*.cfg -h/a.cfg"},
		{"no longer excluded", `{side: gateway, files: ["g/*.cfg"], exclude: ["g/a.cfg"]}`, gateway, "gateway g/*.cfg"},
		{"in another repository", gateway, gateway + `,{side: app, files: ["a"], repo: ../x}`, "gateway g/*.cfg"},
		{"moved to another repository", gateway, `{side: gateway, files: ["g/*.cfg"], repo: ../x}`, "gateway g/*.cfg"},
		{"another profile", `{side: gateway, files: ["g/*.cfg"], profile: haproxy-2.4}`, `{side: gateway, files: ["g/*.cfg"], profile: haproxy-2.6}`, "gateway g/*.cfg haproxy-2.4; gateway g/*.cfg haproxy-2.6"},
	} {
		u := Unite(of(tt.base), of(tt.head))
		if got := sourcesOf(u.Head); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		if u.Base != u.Head {
			t.Errorf("%s: two manifests", tt.name)
		}
	}
}

// TestNames holds that head adds names and takes none away, neither from its pool nor from another.
func TestNames(t *testing.T) {
	const sources = "sources: [{side: gateway, files: [a]}]\n"
	for _, tt := range []struct {
		name, base, head string
		want             map[string][]string
	}{
		{"added", "a: {names: {gateway: x}}", "a: {names: {gateway: [x, y]}}", map[string][]string{"a": {"x", "y"}}},
		{"changed", "a: {names: {gateway: x}}", "a: {names: {gateway: y}}", map[string][]string{"a": {"x", "y"}}},
		{"dropped", "a: {names: {gateway: x}}", "a: {}", map[string][]string{"a": {"x"}}},
		{"the first", "a: {}", "a: {names: {gateway: x}}", map[string][]string{"a": {"a", "x"}}},
		{"a new pool", "a: {}", "b: {names: {gateway: x}}", map[string][]string{"a": nil, "b": {"b", "x"}}},
		{"another's name", "a: {names: {gateway: x}}", "b: {names: {gateway: x}}", map[string][]string{"a": {"x"}, "b": {"b"}}},
		{"exchanged", "{a: {names: {gateway: x}}, b: {names: {gateway: y}}}", "{a: {names: {gateway: y}}, b: {names: {gateway: x}}}", map[string][]string{"a": {"x"}, "b": {"y"}}},
	} {
		wrap := func(s string) string {
			if !strings.HasPrefix(s, "{") {
				s = "{" + s + "}"
			}
			return sources + "pools: " + s + "\n"
		}
		u := Unite(read(t, wrap(tt.base)), read(t, wrap(tt.head)))
		got := map[string][]string{}
		for _, e := range u.Head.Pools {
			got[e.Name] = e.Names[schema.Gateway]
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s\n%s", tt.name, diff)
		}
		if !slices.IsSortedFunc(u.Head.Pools, func(a, b schema.PoolEntry) int { return strings.Compare(a.Name, b.Name) }) {
			t.Errorf("%s: the pools are not sorted", tt.name)
		}
	}
}

// TestBaseDecides holds what head cannot change, and that every change is said.
func TestBaseDecides(t *testing.T) {
	for _, tt := range []struct{ name, head, what string }{
		{"nothing", plain, ""},
		{"comments and order", "# new\n" + plain, ""},
		{"severity", plain + "severity: {members/missing: info}\n", "severity"},
		{"an exception", plain + "exceptions: [{rule: members/missing, pool: orders, side: app, member: \"a:1\", initiator: a, saw: b, reclaim: c, expires: 2027-01-01}]\n", "exceptions"},
		{"evidence", plain + "evidence: attested\n", "evidence"},
		{"vocabulary", plain + "vocabulary: {interval: [every]}\n", "vocabulary"},
		{"aliases", plain + "aliases: {a.example.com: 10.0.0.1}\n", "aliases"},
		{"an executor", strings.Replace(plain, "executor: gateway", "executor: app", 1), "pools.orders.executor"},
		{"a minimum", strings.Replace(plain, "minActive: 2", "minActive: 1", 1), "pools.orders.minActive"},
		{"constraints", strings.Replace(plain, "minActive: 2", "minActive: 2, constraints: strict", 1), "pools.orders.constraints"},
		{"truth", strings.Replace(plain, "minActive: 2", "minActive: 2, truth: {members: {side: app, reason: x}}", 1), "pools.orders.truth.members"},
		{"the severity of a pool", strings.Replace(plain, "minActive: 2", "minActive: 2, severity: {members/*: info}", 1), "pools.orders.severity"},
		{"traffic", strings.Replace(plain, "minActive: 2", "minActive: 2, traffic: {rps: 1}", 1), "pools.orders.traffic"},
		{"probe ports", strings.Replace(plain, "minActive: 2", "minActive: 2, probePorts: [81]", 1), "pools.orders.probePorts"},
		{"defaults", plain + "defaults: {executor: app}\n", "defaults.executor"},
	} {
		base, head := read(t, plain), read(t, tt.head)
		u := Unite(base, head)
		var what []string
		for _, c := range u.Changes {
			what = append(what, c.What)
			if c.Text.En == "" || c.Text.Zh == "" {
				t.Errorf("%s: no text", tt.name)
			}
		}
		if got := strings.Join(what, " "); got != tt.what {
			t.Errorf("%s: changes %q, want %q", tt.name, got, tt.what)
		}
		u.Head.Pools[0].Names, base.Pools[0].Names = nil, nil
		u.Head.Sources, base.Sources = nil, nil
		if diff := cmp.Diff(base, u.Head); diff != "" {
			t.Errorf("%s changes what the base says\n%s", tt.name, diff)
		}
	}
}

// TestVars holds that values of vars are settings: each end has its own.
func TestVars(t *testing.T) {
	u := Unite(read(t, plain+"vars: {A: 1, B: 2}\n"), read(t, plain+"vars: {A: 3, C: 4}\n"))
	if diff := cmp.Diff(map[string]string{"A": "1", "B": "2", "C": "4"}, u.Base.Vars); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"A": "3", "B": "2", "C": "4"}, u.Head.Vars); diff != "" {
		t.Error(diff)
	}
}

// TestNoManifest is about changes that bring, drop or never had one.
func TestNoManifest(t *testing.T) {
	m, none := read(t, plain), &schema.Manifest{Discovered: true}
	if u := Unite(none, m); !u.First || u.Base != m || u.Head != m {
		t.Error("the first manifest does not count for both ends")
	}
	if u := Unite(nil, m); !u.First {
		t.Error("no manifest is taken for one")
	}
	if u := Unite(m, none); u.First || u.Head != m || len(u.Changes) != 1 || !u.Changes[0].Removed {
		t.Error("a removed manifest does not count")
	}
	if u := Unite(nil, nil); u.First || u.Head == nil {
		t.Error("no manifest at all")
	}
	one := &schema.Manifest{Discovered: true, Sources: []schema.Source{{Side: schema.Gateway, Files: []string{"a"}}}}
	two := &schema.Manifest{Discovered: true, Sources: []schema.Source{{Side: schema.Gateway, Files: []string{"b"}}}}
	if u := Unite(one, two); sourcesOf(u.Head) != "gateway a; gateway b" || !u.Head.Discovered {
		t.Errorf("discovered: %s", sourcesOf(u.Head))
	}
}

func TestBare(t *testing.T) {
	for in, want := range map[string]string{
		"https://user:secret@git.example.com/a/b.git": "https://git.example.com/a/b.git",
		"https://secret@git.example.com":              "https://git.example.com",
		"https://git.example.com/a@b":                 "https://git.example.com/a@b",
		"git@example.com:a/b":                         "git@example.com:a/b",
		"../shop":                                     "../shop",
	} {
		if got := bare(in); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
}

// TestMaps holds that head adds settings to a map, that it drops none, and that a path that it moves is tried behind the
// base's.
func TestMaps(t *testing.T) {
	of := func(m string) *schema.Manifest {
		return read(t, "sources: [{side: app, format: mapped, files: [a.yaml], map: {pool: orders, "+m+"}}]\n")
	}
	keys := func(m *schema.Map) (out string) {
		for _, e := range m.MembersMap {
			out += e.Key + "=" + e.Expr + " "
		}
		for _, e := range m.Probe {
			out += "probe." + e.Key + "=" + e.Expr + " "
		}
		return strings.TrimSpace(out)
	}
	for _, tt := range []struct{ name, base, head, want string }{
		{"a key added", `members: {each: "h[*]", address: ip}`, `members: {each: "h[*]", address: ip, weight: w}`, "address=ip weight=w"},
		{"a key dropped", `members: {each: "h[*]", address: ip, weight: w}`, `members: {each: "h[*]", address: ip}`, "address=ip weight=w"},
		{"an item added", `members: {each: "h[*]", address: ip}`, `members: {each: "h[*]", address: ip}, probe: {interval: i}`, "address=ip probe.interval=i"},
		{"a key moved", `members: {each: "h[*]", address: ip}`, `members: {each: "h[*]", address: addr, weight: w}`, "address=ip weight=w; address=addr weight=w"},
		{"a list moved", `members: {each: "h[*]", address: ip, weight: w}`, `members: {each: "k[*]", address: ip}`, "address=ip weight=w; address=ip"},
	} {
		u := Unite(of(tt.base), of(tt.head))
		var got []string
		for _, s := range u.Head.Sources {
			got = append(got, keys(s.Map))
		}
		if strings.Join(got, "; ") != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if len(u.twins) != len(got)-1 {
			t.Errorf("%s: twins %v", tt.name, u.twins)
		}
	}
}
