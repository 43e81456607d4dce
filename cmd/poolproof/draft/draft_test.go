package draft

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/all"
	"github.com/poolproof/poolproof/sources/load"
	"github.com/poolproof/poolproof/sources/manifest"
	"github.com/poolproof/poolproof/sources/tree"

	"github.com/poolproof/poolproof/cmd/poolproof/yamltext"
)

// draftOf lays files out and drafts a manifest for them.
func draftOf(t *testing.T, files map[string]string) *Draft {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	work, err := tree.OpenWork(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { work.Close() })
	options := load.Options{Adapters: all.Adapters()}
	m, err := load.Discover(context.Background(), work, options, "")
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := load.Load(context.Background(), work, m, options)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := work.List(".", load.Foreign)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, e := range entries {
		paths = append(paths, e.Path)
	}
	d := New(work, paths, m, loaded)
	accepted(t, d)
	return d
}

// accepted: what is written is a manifest, as far as there is anything to say.
func accepted(t *testing.T, d *Draft) {
	t.Helper()
	if len(d.Sources) == 0 {
		return
	}
	m, problems := manifest.Load("poolproof.yaml", []byte(d.YAML("en")))
	for _, p := range problems {
		t.Errorf("%s %s\n%s", p.Rule, p.Text.En, d.YAML("en"))
	}
	if len(m.Sources) != len(d.Sources) {
		t.Errorf("%d sources became %d\n%s", len(d.Sources), len(m.Sources), d.YAML("en"))
	}
	for i, s := range m.Sources {
		if diff := cmp.Diff(d.Sources[i].Files, s.Files); diff != "" {
			t.Errorf("files (-draft +read):\n%s", diff)
		}
	}
}

const gateway = "backend orders\n    mode http\n    server a 10.0.0.1:8080\n    server b 10.0.0.2:8080\n"

// TestGuess: lists of known addresses are found in every home-made format, and nowhere else.
func TestGuess(t *testing.T) {
	for _, c := range []struct{ name, file, text, members string }{
		{"mappings", "a.yaml", "up:\n  hosts:\n    - {ip: 10.0.0.1, port: 8080, w: 3}\n", `{each: "up.hosts[*]", address: ip, port: port, weight: w}`},
		{"texts", "a.yaml", "up: {hosts: [\"10.0.0.1:8080\", \"10.0.0.9:8080\"]}\n", `"up.hosts"`},
		{"URLs", "a.json", `{"up": ["http://10.0.0.1:8080/x"]}`, `"up"`},
		{"JSON", "a.json", `{"up": {"list": [{"addr": "10.0.0.1:8080", "Weight": 1, "prio": 0}]}}`, `{each: "up.list[*]", address: addr, weight: Weight, priority: prio}`},
		{"by name", "a.toml", "[hosts.one]\nip = \"10.0.0.1\"\nport = 8080\n[hosts.two]\nip = \"10.0.0.2\"\nport = 8080\n", `{each: "hosts.*", address: ip, port: port}`},
		{"commas", "a.properties", "order.hosts=10.0.0.1:8080,10.0.0.2:8080\n", `"order.hosts"`},
		{"second list", "a.yaml", "a: [{ip: 192.168.0.1, port: 1}]\nb: [{ip: 10.0.0.1, port: 8080}]\n", `{each: "b[*]", address: ip, port: port}`},
		{"deep", "a.yaml", "services:\n  - name: x\n    up: [\"10.0.0.1:8080\"]\n", `"services[0].up"`},
		{"odd keys", "a.yaml", "\"a.b\":\n  \"c d\": [{\"the host\": 10.0.0.1, port: 8080}]\n", `{each: "\"a.b\".\"c d\"[*]", address: "\"the host\"", port: port}`},
		{"another port", "a.yaml", "up: [\"10.0.0.1:9999\"]\n", ""},
		{"one lone address", "a.yaml", "host: 10.0.0.1\nport: 8080\n", ""},
		{"prose", "a.yaml", "note: \"10.0.0.1:8080, and more\"\n", ""},
		{"broken", "a.yaml", "up: [\"10.0.0.1:8080\"\n\t- x: {", ""},
		{"not structured", "a.txt", "up: [\"10.0.0.1:8080\"]\n", ""},
		{"tests", "src/test/a.yaml", "up: [\"10.0.0.1:8080\"]\n", ""},
	} {
		d := draftOf(t, map[string]string{"gateway/haproxy.cfg": gateway, c.file: c.text})
		text := d.YAML("en")
		if want := "      pool: orders\n      members: " + c.members + "\n"; c.members != "" && !strings.Contains(text, want) {
			t.Errorf("%s: %s\nwant %s", c.name, text, want)
		}
		if guessed := strings.Contains(text, "format: mapped\n    files"); guessed != (c.members != "") {
			t.Errorf("%s: guessed %v\n%s", c.name, guessed, text)
		}
	}
}

func TestEnvironmentOf(t *testing.T) {
	for _, c := range []struct{ path, word, pattern string }{
		{"envs/eu1/gw/haproxy.cfg", "eu1", "envs/{env}/gw/haproxy.cfg"},
		{"prod/haproxy.cfg", "prod", "{env}/haproxy.cfg"},
		{"gw/haproxy-prod.cfg", "prod", "gw/haproxy-{env}.cfg"},
		{"prod/haproxy-prod.cfg", "prod", "{env}/haproxy-*.cfg"},
		{"prod/product.cfg", "prod", "{env}/product.cfg"},
		{"gw/Prod_eu.cfg", "Prod", "gw/{env}_eu.cfg"},
		{"gw/[a]/test.cfg", "test", "gw/[[]a]/{env}.cfg"},
		{"环境/生产/haproxy.cfg", "生产", "环境/{env}/haproxy.cfg"},
		{"gw/producer.cfg", "", ""},
		{"envs/haproxy.cfg", "", ""},
		{"latest/a.yaml", "", ""},
	} {
		p, ok := environmentOf(c.path)
		if ok != (c.word != "") || p.word != c.word || p.pattern != c.pattern {
			t.Errorf("%s: %q, %q", c.path, p.word, p.pattern)
		}
		if !ok {
			continue
		}
		g, err := tree.CompileGlob(p.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
		} else if env, ok := g.Match(c.path); !ok || env != c.word {
			t.Errorf("%s: %s captures %q, %v", c.path, p.pattern, env, ok)
		}
	}
}

// TestEnvironments: one word alone is no environment, since nothing tells it apart from any other word.
func TestEnvironments(t *testing.T) {
	files := func(d *Draft) (out []string) {
		for _, s := range d.Sources {
			out = append(out, s.Files...)
		}
		return out
	}
	one := draftOf(t, map[string]string{"test/haproxy.cfg": gateway})
	if diff := cmp.Diff([]string{"test/haproxy.cfg"}, files(one)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	two := draftOf(t, map[string]string{
		"test/haproxy.cfg": gateway, "prod/haproxy.cfg": gateway,
		"apps/config-prod.yaml": "up: [\"10.0.0.1:8080\"]\n", "apps/config-test.yaml": "up: [\"10.0.0.1:8080\"]\n", "apps/config-dev.yaml": "up: [\"10.0.0.1:8080\"]\n",
	})
	if diff := cmp.Diff([]string{"{env}/haproxy.cfg", "apps/config-dev.yaml", "apps/config-{env}.yaml"}, files(two)); diff != "" {
		t.Errorf("-want +got:\n%s\n%s", diff, two.YAML("en"))
	}
	page := "# orders\n\n| Address | Port |\n|---|---|\n| 10.0.0.1 | 8080 |\n"
	documents := draftOf(t, map[string]string{
		"gw/prod/haproxy.cfg": gateway, "gw/staging/haproxy.cfg": gateway, "gw/staging/more.cfg": strings.Replace(gateway, "orders", "stock", 1),
		"docs/all.md": page, "docs/prod/orders.md": page, "docs/staging/deep/orders.md": page, "docs/staging/intro.md": "# Nothing\n",
	})
	if diff := cmp.Diff([]string{"gw/{env}/*.cfg", "docs/all.md", "docs/{env}/**/*.md"}, files(documents)); diff != "" {
		t.Errorf("-want +got:\n%s\n%s", diff, documents.YAML("en"))
	}
	section := draftOf(t, map[string]string{
		"gw/prod/haproxy.cfg": gateway, "gw/staging/haproxy.cfg": gateway, "docs/all.md": strings.Replace(page, "orders", "Orders service (prod)", 1),
	})
	if text := section.YAML("en"); !strings.Contains(text, "a section about prod alone") {
		t.Errorf("a section of one environment is not pointed out:\n%s", text)
	}
	names := draftOf(t, map[string]string{
		"gw/a-prod.cfg": gateway, "gw/a-test.cfg": gateway, "gw/b-prod.cfg": gateway, "gw/b-test.cfg": gateway, "gw/c.cfg": gateway, "gw/d.cfg": gateway,
	})
	if diff := cmp.Diff([]string{"gw/a-{env}.cfg", "gw/b-{env}.cfg", "gw/c.cfg", "gw/d.cfg"}, files(names)); diff != "" {
		t.Errorf("-want +got:\n%s\n%s", diff, names.YAML("en"))
	}
}

// TestOrders: the next change order is a new file, so that even one becomes a pattern.
func TestOrders(t *testing.T) {
	order := "---\npoolproof: change-order/v1\nid: CHG-1\npools: [orders]\ninitiator: a\neffective: 2026-01-20T02:00:00Z\nitems: []\n---\n"
	for _, c := range []struct {
		other, pattern string
	}{
		{"notes.md", "changes/*.md"},
		{"changes/README.md", "changes/CHG-*.md"},
	} {
		d := draftOf(t, map[string]string{"changes/CHG-1.md": order, c.other: "# Nothing\n"})
		if i := slices.IndexFunc(d.Sources, func(s Source) bool { return s.Side == schema.Order }); i < 0 || !slices.Equal(d.Sources[i].Files, []string{c.pattern}) {
			t.Errorf("beside %s: %s", c.other, d.YAML("en"))
		}
	}
}

// TestPatterns: files become one pattern only where it matches nothing of another kind.
func TestPatterns(t *testing.T) {
	pool := func(name string) string {
		return "pools:\n  " + name + ":\n    members:\n      - {address: 10.0.0.1, port: 8080}\n"
	}
	d := draftOf(t, map[string]string{
		"gw/a.cfg": gateway, "gw/b.cfg": strings.Replace(gateway, "orders", "stock", 1),
		"svc/a/pools.yaml": pool("a"), "svc/b/pools.yaml": pool("b"), "svc/c/pools.yaml": pool("c"), "svc/c/other.yaml": "x: 1\n",
		"mixed/a.yaml": pool("d"), "mixed/b.yaml": pool("e"), "mixed/c.yaml": "x: 1\n",
		"docs/deep/a.md": "# orders\n\n| Address | Port |\n|---|---|\n| 10.0.0.1 | 8080 |\n", "docs/b.md": "# Nothing\n",
	})
	got := map[schema.Side][]string{}
	for _, s := range d.Sources {
		got[s.Side] = append(got[s.Side], s.Files...)
	}
	want := map[schema.Side][]string{
		schema.Gateway: {"gw/*.cfg"},
		schema.App:     {"mixed/a.yaml", "mixed/b.yaml", "svc/*/pools.yaml"},
		schema.Doc:     {"docs/**/*.md"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestHostileNames: names from files stay data, in the manifest and in its comments.
func TestHostileNames(t *testing.T) {
	evil := "a\\\"]}\\n  - {side: app\\u2028\\e[31m"
	d := draftOf(t, map[string]string{
		"haproxy.cfg":      gateway,
		"pools.yaml":       "pools:\n  \"" + evil + "\":\n    members:\n      - {address: 10.0.0.1, port: 8080}\n    probe: {interval: 5s}\n  \"yes\":\n    cooldown: {duration: 5s}\n",
		"a'b \"c\" #d.cfg": strings.Replace(gateway, "orders", "stock#x", 1),
		"no.md":            "# or\"ders]}\n\n| Address | Port |\n|---|---|\n| 10.9.0.1 | 8080 |\n",
	})
	text := d.YAML("en")
	if strings.ContainsAny(text, "\x1b\u2028") || strings.Contains(text, "\n  - {side: app\n") {
		t.Errorf("a name leaves its place:\n%s", text)
	}
	if !strings.Contains(text, "  # \"yes\": app alone") {
		t.Errorf("a name became a boolean:\n%s", text)
	}
}

func TestScalar(t *testing.T) {
	for in, want := range map[string]string{
		"orders": "orders", "be_orders-2.x": "be_orders-2.x", "": `""`, "yes": `"yes"`, "NULL": `"NULL"`, "2nd": `"2nd"`, "a b": `"a b"`,
		"订单": `"订单"`, "a\tb": `"a\u0009b"`, "\U0001f600": "\"\U0001f600\"", "a\U000e0001": `"a\U000e0001"`, "\xff": "\"\uFFFD\"", `a"b\`: `"a\"b\\"`,
	} {
		if got := yamltext.Scalar(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

// TestOwnFiles: what people and poolproof write for poolproof is no copy of an application, whatever addresses stand in it;
// what only looks a little like it is.
func TestOwnFiles(t *testing.T) {
	front := "id: CHG-1\npools: [orders]\ninitiator: a\neffective: 2026-01-20T02:00:00Z\nitems: []\n"
	for _, c := range []struct{ name, file, text, why string }{
		{"scenario", "drills/a.yaml", "scenario: x\nevents:\n  - {at: 1s, fault: {members: [\"10.0.0.1:8080\"], down: true}}\n", "a scenario"},
		{"scenario in JSON", "drills/a.json", `{"scenario": "x", "members": {"10.0.0.1:8080": {}}, "config": ["10.0.0.1:8080"]}`, "a scenario"},
		{"second document", "drills/a.yaml", "note: x\n---\nscenario: x\nduration: 1m\nhosts: [\"10.0.0.1:8080\"]\n", "a scenario"},
		{"report", "out/dryrun.json", `{"schema": "poolproof/v1", "hosts": ["10.0.0.1:8080"]}`, "a report"},
		{"results", "drills/r.yaml", "command: poolproof dryrun\nresults:\n  - {id: cooldown/forced, pass: true, observed: x}\nhosts: [\"10.0.0.1:8080\"]\n", "results of a drill"},
		{"results of an order", "drills/r.yaml", "drill: {results: [{id: a, pass: true, observed: x}]}\nhosts: [\"10.0.0.1:8080\"]\n", "results of a drill"},
		{"order as YAML", "changes/a.yaml", "poolproof: change-order/v1\nhosts: [\"10.0.0.1:8080\"]\n" + front, "read from Markdown alone"},
		{"order that does not say so", "changes/a.md", "---\r\n" + strings.ReplaceAll(front, "\n", "\r\n") + "---\r\n# orders\n\n| Address | Port |\n|---|---|\n| 10.0.0.1 | 8080 |\n", "without the line"},
		{"a key of that name", "a.yaml", "scenario: production\nhosts: [\"10.0.0.1:8080\"]\n", ""},
		{"results of something else", "a.yaml", "results: [{id: a, value: 1}]\nhosts: [\"10.0.0.1:8080\"]\n", ""},
		{"front matter of a page", "docs/a.md", "---\ntitle: orders\ndate: 2026-01-01\n---\n# orders\n\n| Address | Port |\n|---|---|\n| 10.0.0.1 | 8080 |\n", ""},
	} {
		d := draftOf(t, map[string]string{"gateway/haproxy.cfg": gateway, c.file: c.text})
		text := d.YAML("en")
		named := slices.ContainsFunc(d.Sources, func(s Source) bool {
			return slices.ContainsFunc(s.Files, func(p string) bool {
				g, err := tree.CompileGlob(p)
				if err != nil {
					t.Fatal(err)
				}
				_, ok := g.Match(c.file)
				return ok
			})
		})
		if named != (c.why == "") || !strings.Contains(text, c.why) || (c.why != "") != strings.Contains(text, "# left out: ") {
			t.Errorf("%s: named %v\n%s", c.name, named, text)
		}
	}
}

// TestLeftOutInOneLine: a folder full of scenarios takes one line of the manifest.
func TestLeftOutInOneLine(t *testing.T) {
	files := map[string]string{"gateway/haproxy.cfg": gateway}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		files["drills/"+name+".yaml"] = "scenario: x\nduration: 1m\n"
	}
	if text := draftOf(t, files).YAML("en"); strings.Count(text, "left out") != 1 || !strings.Contains(text, `# left out: 5 files in "drills/" (a scenario`) {
		t.Errorf("%s", text)
	}
}

// TestOneNameOnTwoSides: a document and a change order call a pool alike, and the gateway otherwise.
func TestOneNameOnTwoSides(t *testing.T) {
	d := draftOf(t, map[string]string{
		"gateway/haproxy.cfg": strings.Replace(gateway, "orders", "be_orders", 1),
		"docs/a.md":           "# Orders address pool\n\n| Address | Port |\n|---|---|\n| 10.0.0.1 | 8080 |\n",
		"changes/CHG-1.md": "---\npoolproof: change-order/v1\nid: CHG-1\npools: [orders]\ninitiator: a\neffective: 2026-01-20T02:00:00Z\nitems: []\n" +
			"ramp: {orders: {batches: [{share: 50, dwell: 1m}, {share: 100, dwell: 1m}]}}\n---\n",
	})
	if text := d.YAML("en"); !strings.Contains(text, `  orders: {names: {gateway: be_orders}}  # gateway, doc, order; the names differ by usual words alone, and 1 of 2 addresses are the same`) {
		t.Errorf("%s", text)
	}
}
