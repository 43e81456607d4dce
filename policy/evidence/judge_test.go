package evidence_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/policy/evidence"
	"github.com/poolproof/poolproof/schema"
)

const manifestText = `sources:
  - {side: gateway, files: ["gateway/*.yaml"]}
  - {side: app, files: ["app/*.yaml"]}
  - {side: doc, files: ["docs/*.md"]}
`

// members is a native file of one pool.
func members(pool string, ns ...int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "pools:\n  %s:\n    members:\n", pool)
	for _, n := range ns {
		fmt.Fprintf(&b, "      - {address: 10.0.0.%d, port: 80}\n", n)
	}
	return b.String()
}

// grown is a change that adds a third member on the gateway alone.
func grown() play {
	base := map[string]string{"poolproof.yaml": manifestText, "gateway/a.yaml": members("orders", 1, 2), "app/a.yaml": members("orders", 1, 2)}
	head := maps.Clone(base)
	head["gateway/a.yaml"] = members("orders", 1, 2, 3)
	return play{base: base, head: head}
}

// rulesOf lists the rules of the findings that count, each once.
func rulesOf(findings []schema.Finding) string {
	seen := map[string]bool{}
	for _, f := range findings {
		if f.Status != schema.Suppressed && strings.HasPrefix(f.Rule, "evidence/") {
			seen[strings.TrimPrefix(f.Rule, "evidence/")] = true
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(seen)), " ")
}

func paid(list []evidence.Obligation) string {
	var out []string
	for _, o := range list {
		out = append(out, fmt.Sprintf("%s: %s changed, %s owes: %s", o.Item, o.Changed, o.Owes, strings.TrimSpace(o.PaidBy+" "+o.Ref)))
	}
	return strings.Join(out, "\n")
}

// TestObligations holds what is recorded of what is owed, and by what it is paid.
func TestObligations(t *testing.T) {
	const doc = "# orders\n\nEffective: 2026-%s-01T00:00:00Z\n\n| Address | Port |\n|---|---|\n%s"
	row := func(ns ...int) string {
		s := ""
		for _, n := range ns {
			s += fmt.Sprintf("| 10.0.0.%d | 80 |\n", n)
		}
		return s
	}
	p := grown()
	p.base["docs/a.md"] = fmt.Sprintf(doc, "11", row(1, 2))
	p.head["docs/a.md"] = fmt.Sprintf(doc, "12", row(1, 2, 3))
	const exception = "exceptions:\n  - {rule: evidence/missing, pool: orders, side: app, initiator: a, saw: b, reclaim: c, expires: 2099-01-01}\n"
	p.base["poolproof.yaml"] += exception
	p.head["poolproof.yaml"] += exception
	want := `effective: gateway changed, doc owes: tree docs/a.md
members: gateway changed, app owes: exception exception by a until 2099-01-02T00:00:00Z
members: gateway changed, doc owes: tree docs/a.md`
	if diff := cmp.Diff(want, paid(p.run(t).obligations)); diff != "" {
		t.Error(diff)
	}
}

const inText = "## What\r\n\r\n```yaml poolproof\r\npoolproof: change-order/v1\r\nid: CHG-5\r\npools: [orders]\r\ninitiator: a\r\neffective: 2026-12-01T00:00:00Z\r\nitems:\r\n%s\r\n```\r\n"

// TestPullRequestText holds what an order in the text of a pull request can do: pay, and never freeze.
func TestPullRequestText(t *testing.T) {
	aligned := "  - pool: orders\r\n    item: members\r\n    aligned:\r\n      app: {repo: ../shop, commit: \"" + commitOf("shop") + "\", file: conf/a.yaml, digest: \"%s\"}"
	base := manifestText + "  - {side: app, format: poolproof, files: [\"conf/*.yaml\"], repo: ../shop}\n"
	shop := members("orders", 1, 2, 3)
	copies, err := beside{"shop", map[string]string{"conf/a.yaml": shop}, &schema.Source{Side: schema.App, Format: "poolproof"}}.Copies(context.Background(), "", "conf/a.yaml")
	if err != nil || len(copies) != 1 {
		t.Fatal(err)
	}
	good := fmt.Sprintf(inText, fmt.Sprintf(aligned, schema.Digest(&copies[0], schema.Members)))
	batch := "    ramp: {by: ratio, batches: [{share: %d, dwell: 10m}, {share: 100}]}\n"
	for _, tt := range []struct {
		name, text string
		change     func(*play)
		want       string
	}{
		{"nothing", "", nil, "missing"},
		{"prose about a change-order", "the poolproof: change-order/v1 comes later", nil, "missing"},
		{"a quoted block", "> ```yaml\n> poolproof: change-order/v1\n> ```", nil, "missing"},
		{"evidence", good, nil, "unapproved"},
		{"evidence with another digest", fmt.Sprintf(inText, fmt.Sprintf(aligned, "sha256:"+strings.Repeat("0", 64))), nil, "stale unapproved"},
		{"another pool", strings.ReplaceAll(good, "pool: orders", "pool: stock"), nil, "missing unapproved"},
		{"refused by the grammar", strings.Replace(good, "initiator", "initator", 1), nil, "missing"},
		{"mass removal", fmt.Sprintf(inText, "  - {pool: orders, item: members}"), func(p *play) {
			p.head["gateway/a.yaml"], p.head["app/a.yaml"] = members("orders", 9), members("orders", 9)
		}, "unapproved"},
		{"a ramp", strings.Replace(fmt.Sprintf(inText, "  - {pool: orders, item: ramp}"), "\r\n```\r\n", "\r\nramp: {orders: {by: ratio, batches: [{share: 50, dwell: 10m}, {share: 100}]}}\r\n```\r\n", 1), func(p *play) {
			p.base["gateway/a.yaml"] = members("orders", 1, 2) + fmt.Sprintf(batch, 5)
			p.head["gateway/a.yaml"] = members("orders", 1, 2) + fmt.Sprintf(batch, 50)
		}, "no-drill not-in-order unapproved"},
	} {
		p := grown()
		p.text = tt.text
		p.beside = map[string]map[string]string{"shop": {"conf/a.yaml": shop}}
		p.base["poolproof.yaml"], p.head["poolproof.yaml"] = base, base
		if tt.change != nil {
			tt.change(&p)
		}
		got := p.run(t)
		if rules := rulesOf(got.findings); rules != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, rules, tt.want)
			for i := range got.findings {
				t.Log(show(&got.findings[i]))
			}
		}
	}
}

// TestReadPullRequest holds that a text without orders is nothing, and that one of any length and kind is read in bounds.
func TestReadPullRequest(t *testing.T) {
	if evidence.ReadPullRequest("") != nil || evidence.ReadPullRequest("Fixes #4.\n\n```yaml\na: b\n```\n") != nil {
		t.Error("a text without an order is one")
	}
	p := evidence.ReadPullRequest([]byte(fmt.Sprintf(inText, "  []")))
	if p == nil || len(p.Orders) != 1 {
		t.Fatalf("%+v", p)
	}
	two := evidence.ReadPullRequest(fmt.Sprintf(inText, "  []") + "\n\n" + strings.ReplaceAll(fmt.Sprintf(inText, "  []"), "CHG-5", "CHG-6"))
	if two == nil || len(two.Orders) != 2 || two.Orders[1].ID != "CHG-6" {
		t.Errorf("%+v", two)
	}
	for _, text := range []string{
		strings.Repeat("```yaml\npoolproof: change-order/v1\n```\n", 60000),
		"---\npoolproof: change-order/v1\n" + strings.Repeat("[", 500000),
		"```yaml\npoolproof: change-order/v1\na: &a [x]\n" + strings.Repeat("b: *a\n", 10000) + "```\n",
		strings.Repeat("```yaml\n", 200000) + "change-order",
	} {
		evidence.ReadPullRequest(text) // the time limit of the test run judges
	}
}

func FuzzReadPullRequest(f *testing.F) {
	f.Add(fmt.Sprintf(inText, "  []"))
	f.Add("---\npoolproof: change-order/v1\n---\n")
	f.Fuzz(func(t *testing.T, text string) {
		p := evidence.ReadPullRequest(text)
		if p == nil {
			return
		}
		change := grown()
		change.text = text
		for _, finding := range change.run(t).findings {
			if finding.Message.En == "" || finding.Rule == "" {
				t.Fatalf("%+v", finding)
			}
		}
	})
}

// TestStatus holds which findings of head the base had already.
func TestStatus(t *testing.T) {
	at := func(file string) schema.Place { return schema.Place{Side: schema.App, File: file} }
	f := func(rule, pool, got, file string) schema.Finding {
		return schema.Finding{Rule: rule, Pool: pool, Got: got, At: at(file), Status: schema.New}
	}
	suppressed := f("members/extra", "a", "x", "f")
	suppressed.Status = schema.Suppressed
	in := func(env string, also ...string) schema.Finding {
		x := f("members/extra", "a", "x", "f")
		x.Env, x.Also = env, also
		return x
	}
	for _, tt := range []struct {
		name       string
		base, head []schema.Finding
		want       string
	}{
		{"new", nil, []schema.Finding{f("members/extra", "a", "x", "f")}, "new"},
		{"the same", []schema.Finding{f("members/extra", "a", "x", "f")}, []schema.Finding{f("members/extra", "a", "x", "f")}, "existing"},
		{"in another file", []schema.Finding{f("members/extra", "a", "x", "f")}, []schema.Finding{f("members/extra", "a", "x", "g")}, "existing"},
		{"another value", []schema.Finding{f("members/extra", "a", "x", "f")}, []schema.Finding{f("members/extra", "a", "y", "f")}, "new"},
		{"once more", []schema.Finding{f("members/extra", "a", "x", "f")}, []schema.Finding{f("members/extra", "a", "x", "f"), f("members/extra", "a", "x", "f")}, "existing new"},
		{"of a file", []schema.Finding{f("source/syntax", "", "", "f")}, []schema.Finding{f("source/syntax", "", "", "f")}, "existing"},
		{"of another file", []schema.Finding{f("source/syntax", "", "", "f")}, []schema.Finding{f("source/syntax", "", "", "g")}, "new"},
		{"suppressed", []schema.Finding{f("members/extra", "a", "x", "f")}, []schema.Finding{suppressed}, "suppressed"},
		{"of both environments", []schema.Finding{in("prod", "test")}, []schema.Finding{in("prod", "test")}, "existing"},
		{"left in one environment", []schema.Finding{in("prod", "test")}, []schema.Finding{in("test")}, "existing"},
		{"new in one environment", []schema.Finding{in("prod")}, []schema.Finding{in("prod", "test")}, "new"},
		{"suppressed before", []schema.Finding{suppressed}, []schema.Finding{f("members/extra", "a", "x", "f")}, "existing"},
	} {
		new(evidence.Report).Status(tt.base, tt.head, nil)
		var got []string
		for _, x := range tt.head {
			got = append(got, string(x.Status))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, got, tt.want)
		}
	}
}

// TestStatusFollows holds that findings stay existing where a pool is renamed and where a file moves.
func TestStatusFollows(t *testing.T) {
	p := grown()
	p.base["app/a.yaml"], p.base["app/bad.yaml"] = members("orders", 1, 2, 7), "pools: [\n"
	p.head["gateway/a.yaml"], p.head["app/a.yaml"] = members("basket", 1, 2), members("basket", 1, 2, 7)
	p.head["app/moved.yaml"] = p.base["app/bad.yaml"]
	delete(p.head, "app/bad.yaml")
	got := p.run(t)
	if len(got.findings) == 0 {
		t.Fatal("no findings")
	}
	for i := range got.findings {
		if f := &got.findings[i]; f.Status == schema.New && f.Severity == schema.Error {
			t.Errorf("%s", show(f))
		}
	}
}

// TestFilters holds that a choice of pools, environments and rules limits the report, and does not change what is paid.
func TestFilters(t *testing.T) {
	p := grown()
	for _, tt := range []struct {
		name   string
		adjust func(*evidence.Options)
		want   string
	}{
		{"everything", func(*evidence.Options) {}, "missing"},
		{"the pool", func(o *evidence.Options) { o.Pools = []string{"Orders"} }, "missing"},
		{"another pool", func(o *evidence.Options) { o.Pools = []string{"stock"} }, ""},
		{"the rule", func(o *evidence.Options) { o.RuleNames = []string{"evidence/missing"} }, "missing"},
		{"another rule", func(o *evidence.Options) { o.RuleNames = []string{"evidence/stale", "members/*"} }, ""},
		{"an environment", func(o *evidence.Options) { o.Env = "prod" }, "missing"},
		{"files that no pool stands in", func(o *evidence.Options) { o.Changed, o.Entire = map[string]bool{"README.md": true}, false }, ""},
		{"copies that differ though their files do not", func(o *evidence.Options) { o.Changed = map[string]bool{"README.md": true} }, "missing"},
		{"every file", func(o *evidence.Options) { o.Changed = nil }, "missing"},
	} {
		got := p.run(t, tt.adjust)
		if rules := rulesOf(got.findings); rules != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, rules, tt.want)
		}
		if tt.want == "" && tt.name != "another rule" && len(got.obligations) > 0 {
			t.Errorf("%s: %s", tt.name, paid(got.obligations))
		}
	}
}

// closed refuses to open anything, and counts.
type closed struct{ asked int }

func (c *closed) Open(context.Context, *schema.Source) (evidence.Repository, error) {
	c.asked++
	return nil, errors.New("no")
}

// TestLookupsAreBounded holds that an order of any length does not make the run knock at a repository without end.
func TestLookupsAreBounded(t *testing.T) {
	p := grown()
	base := manifestText + "  - {side: app, format: poolproof, files: [\"conf/*.yaml\"], repo: ../shop}\n"
	p.base["poolproof.yaml"], p.head["poolproof.yaml"] = base, base
	var items strings.Builder
	for range 1500 {
		items.WriteString("  - {pool: orders, item: members, aligned: {app: {repo: ../shop, commit: abcdef0, file: conf/a.yaml, digest: \"sha256:" + strings.Repeat("0", 64) + "\"}}}\r\n")
	}
	p.text = fmt.Sprintf(inText, items.String())
	door := &closed{}
	got := p.run(t, func(o *evidence.Options) { o.Repositories = door })
	if door.asked == 0 || door.asked > 1000 {
		t.Errorf("opened %d times", door.asked)
	}
	if rules := rulesOf(got.findings); rules != "unapproved unverified" {
		t.Error(rules)
	}
}

// TestOwnGrants holds that what the change adds to silence itself does not, and what the base has does.
func TestOwnGrants(t *testing.T) {
	p := grown()
	const marker = "<!-- poolproof:ignore members/effective-time until=2099-12-31 by=dev because=later -->\n"
	doc := "# orders\n\n| Address | Port |\n|---|---|\n| 10.0.0.1 | 80 |\n| 10.0.0.2 | 80 |\n"
	count := func(p play) (loud int) {
		for _, f := range p.run(t).findings {
			if f.Rule == "members/effective-time" && f.Status != schema.Suppressed {
				loud++
			}
		}
		return loud
	}
	p.head["docs/a.md"] = marker + doc
	if count(p) != 1 {
		t.Error("a marker of the change silences")
	}
	p.base["docs/old.md"] = marker + doc
	if count(p) != 0 {
		t.Error("a marker that moved no longer silences")
	}
}

// TestDeterministic holds that nothing depends on the order of maps.
func TestDeterministic(t *testing.T) {
	p := grown()
	p.head["gateway/b.yaml"], p.head["app/b.yaml"] = members("stock", 1), members("stock", 2)
	p.base["gateway/c.yaml"], p.base["app/c.yaml"] = members("cart", 1, 2), members("cart", 1, 2)
	first := ""
	for range 10 {
		got := p.run(t)
		text := fmt.Sprint(paid(got.obligations), got.report.Touched)
		for i := range got.report.Findings {
			text += show(&got.report.Findings[i])
		}
		if first == "" {
			first = text
		}
		if text != first {
			t.Fatalf("%s\n%s", first, text)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var options evidence.Options
	grown().run(t, func(o *evidence.Options) { options = *o })
	if _, err := evidence.Judge(ctx, options); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestSettings holds what the digest of a drill's settings depends on.
func TestSettings(t *testing.T) {
	of := func(change func(map[string]string), names ...string) string {
		p := grown()
		change(p.head)
		var s string
		p.run(t, func(o *evidence.Options) { s = evidence.Settings(o.Head, o.Union.Head, moment, names, "") })
		return s
	}
	same := func(map[string]string) {}
	want := of(same, "orders")
	if !strings.HasPrefix(want, "sha256:") || len(want) != 71 {
		t.Fatal(want)
	}
	if of(func(f map[string]string) { f["gateway/b.yaml"] = f["gateway/a.yaml"]; delete(f, "gateway/a.yaml") }, "Orders") != want {
		t.Error("a move or the spelling of the name counts")
	}
	if of(func(f map[string]string) { f["app/a.yaml"] = members("orders", 8) }, "orders") != want {
		t.Error("a copy that does not decide counts")
	}
	if of(func(f map[string]string) { f["gateway/a.yaml"] = members("orders", 8) }, "orders") == want || of(same, "stock") == want {
		t.Error("the settings do not count")
	}
}

// TestFirstManifestOpensNothing holds that the first manifest, which nobody reviewed yet, names no repositories to open.
func TestFirstManifestOpensNothing(t *testing.T) {
	p := grown()
	p.head["poolproof.yaml"] = manifestText + "  - {side: app, format: poolproof, files: [\"conf/*.yaml\"], repo: ../shop}\n"
	delete(p.base, "poolproof.yaml")
	p.text = fmt.Sprintf(inText, "  - {pool: orders, item: members, aligned: {app: {repo: ../shop, commit: abcdef0, file: conf/a.yaml, digest: \"sha256:"+strings.Repeat("0", 64)+"\"}}}")
	door := &closed{}
	if got := p.run(t, func(o *evidence.Options) { o.Repositories = door }); door.asked > 0 || !strings.Contains(rulesOf(got.findings), "unverified") {
		t.Errorf("opened %d times; %s", door.asked, rulesOf(got.findings))
	}
}

// TestDrillOfSettings holds that a drill counts that was played with the settings of the whole pool.
func TestDrillOfSettings(t *testing.T) {
	const cooldown = "    cooldown: {duration: %s}\n"
	p := grown()
	p.base["gateway/a.yaml"] = members("orders", 1, 2) + fmt.Sprintf(cooldown, "30s")
	p.head["gateway/a.yaml"] = members("orders", 1, 2) + fmt.Sprintf(cooldown, "60s")
	p.base["poolproof.yaml"] += "  - {side: order, files: [\"changes/*.md\"]}\n"
	p.head["poolproof.yaml"] = p.base["poolproof.yaml"]
	const order = "---\npoolproof: change-order/v1\nid: A\npools: [orders]\ninitiator: a\neffective: 2026-12-20T00:00:00Z\nitems: [{pool: orders, item: cooldown}]\n" +
		"drill: {command: dryrun, tool: poolproof, seeds: 1, config: %q, results: [{id: a/b, pass: true, observed: x}]}\n---\n"
	var right string
	p.run(t, func(o *evidence.Options) {
		right = evidence.Settings(o.Head, o.Union.Head, moment, []string{"orders"}, "changes/a.md")
	})
	for config, want := range map[string]string{right: "unapproved", "sha256:" + strings.Repeat("0", 64): "no-drill unapproved"} {
		p.head["changes/a.md"] = fmt.Sprintf(order, config)
		if got := rulesOf(p.run(t).findings); got != want {
			t.Errorf("%s: %s, want %s", config, got, want)
		}
	}
}
