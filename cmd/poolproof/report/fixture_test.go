package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/schema"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares a report with its golden file.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func render(t testing.TB, format string, run *Run, opts Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Render(&b, format, run, opts); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// texts are the files of a fixture.
type texts map[string]string

func (m texts) source(p schema.Place) ([]byte, bool) {
	s, ok := m[p.File]
	return []byte(s), ok
}

// at returns the place of the first occurrence of a text in a file, after another one if given.
func (m texts) at(side schema.Side, file, what string, after ...string) schema.Place {
	from := 0
	for _, a := range after {
		from += strings.Index(m[file][from:], a) + len(a)
	}
	i := strings.Index(m[file][from:], what)
	if i < 0 {
		panic(what + " is not in " + file)
	}
	return schema.Place{Side: side, File: file, Span: schema.At(from+i, from+i+len(what))}
}

var files = texts{
	"app/orders.yaml": "# Orders\norders:\n  hosts:\n    - 10.0.0.1:8080\n    - 10.0.0.2:8080\n  probe: {interval: 5s, timeout: 1s}\n",
	"gateway/haproxy.cfg": "backend be_orders\n\tbalance roundrobin\n\tdefault-server inter 2s fall 3\r\n" +
		"\tserver s1 10.0.0.1:8080 check\n\tserver s2 10.0.0.2:8080 check\n\tserver s3 10.0.0.3:8080 check password hunter2\n",
	"docs/订单.md":    "# 订单地址池\n\n| 参数 | 取值 |\n|---|---|\n| 探测间隔（全角） | ５秒 |\n| 👩‍💻 超时 | 1s |\n| cafe\u0301 冷却时长 | 30s |\n",
	"app/long.json": `{"pad": "` + strings.Repeat("x", 3<<20) + `", "weight": 010, "pad2": "` + strings.Repeat("y", 1<<20) + `"}`,
}

var rules = map[string]RuleInfo{
	"members/missing": {Title: schema.Text{En: "A member is missing in a copy", Zh: "副本缺少成员"}, Severity: schema.Error,
		Page: "# members/missing\n\nThe truth lists a member that the copy lacks.\n"},
	"probe/differs": {Title: schema.Text{En: "A probe setting differs", Zh: "探测参数不一致"}, Severity: schema.Error,
		Page: "# probe/differs\n\nValues differ.\n"},
	"cooldown/starts-early": {Title: schema.Text{En: "The cooldown starts too early"}, Severity: schema.Warning, Judgement: true},
}

// fixture is one run with everything that makes reports difficult.
func fixture() *Run {
	m := files
	findings := []schema.Finding{
		{Rule: "members/missing", Severity: schema.Error, Pool: "orders", Env: "prod", Item: schema.Members,
			Member:  "10.0.0.3:8080",
			Message: schema.Text{En: "10.0.0.3:8080 is missing in the app copy", Zh: "应用侧副本缺少 10.0.0.3:8080"},
			Hint:    schema.Text{En: "add it to the list, or remove it from the gateway", Zh: "在列表中补上，或从网关中移除"},
			At:      m.at(schema.App, "app/orders.yaml", "hosts:\n    - 10.0.0.1:8080\n    - 10.0.0.2:8080\n"),
			Related: []schema.Related{{Place: m.at(schema.Gateway, "gateway/haproxy.cfg", "10.0.0.3:8080"), Value: "10.0.0.3:8080", Truth: true}},
			Want:    "10.0.0.3:8080", Truth: "members: gateway"},
		{Rule: "probe/differs", Severity: schema.Error, Pool: "orders", Env: "prod", Item: schema.Probe, Field: "interval",
			Message: schema.Text{En: "the document says 5s and the gateway probes every 2s", Zh: "文档写 5s，网关每 2s 探测一次"},
			Hint:    schema.Text{En: "write 2s into the document", Zh: "把文档改为 2s"},
			At:      m.at(schema.Doc, "docs/订单.md", "５秒"),
			Related: []schema.Related{
				{Place: m.at(schema.Gateway, "gateway/haproxy.cfg", "2s"), Value: "2s", Truth: true,
					Label: schema.Text{En: "gateway says 2s (truth)", Zh: "网关为 2s（依据）"}},
				{Place: m.at(schema.App, "app/orders.yaml", "5s"), Value: "5s"},
			},
			Got: "5s", Want: "2s", Truth: "probe: gateway (executor)"},
		{Rule: "cooldown/starts-early", Severity: schema.Warning, Pool: "orders", Env: "prod", Item: schema.Cooldown, Judgement: true,
			Message: schema.Text{En: "the cooldown starts when the member is ejected"},
			At:      m.at(schema.Doc, "docs/订单.md", "30s"), Got: "ejected", Want: "drained"},
		{Rule: "probe/timeout", Severity: schema.Warning, Pool: "orders", Env: "prod", Item: schema.Probe, Status: schema.Existing,
			Message: schema.Text{En: "the timeout is short"}, At: m.at(schema.Doc, "docs/订单.md", "1s"), Got: "1s"},
		{Rule: "members/extra", Severity: schema.Error, Pool: "billing", Item: schema.Members, Member: "10.9.9.9:80",
			Status: schema.Suppressed, SuppressedBy: "exception of alice until 2026-12-31",
			Message: schema.Text{En: "10.9.9.9:80 is not in the gateway"},
			At:      m.at(schema.App, "app/orders.yaml", "10.0.0.2:8080")},
		{Rule: "source/scalar-hazard", Severity: schema.Error, Pool: "long", Item: schema.Members,
			Message: schema.Text{En: "010 is read as 8 by some readers and as 10 by others", Zh: "010 会被读作 8 或 10"},
			At:      m.at(schema.App, "app/long.json", "010"), Got: "010"},
		{Rule: "pool/missing-copy", Severity: schema.Warning, Pool: "billing",
			Message: schema.Text{En: "the gateway has this pool and the docs do not"},
			At:      schema.Place{Side: schema.Gateway, File: "gateway/haproxy.cfg"}},
		{Rule: "source/undetected", Severity: schema.Info,
			Message: schema.Text{En: "the format could not be told"}, At: schema.Place{Side: schema.App, File: "app/a b:c.txt"}},
		{Rule: "live/unknown", Severity: schema.Warning, Pool: "orders", Env: "prod",
			Message: schema.Text{En: "the gateway could not be asked"}, At: schema.Place{Side: schema.Live}},
	}
	run := &Run{Tool: "poolproof", Version: "1.2.3", Command: "check", Now: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC),
		Root: "/srv/配置", Findings: findings, Source: m.source,
		Rule: func(id string) (RuleInfo, bool) { r, ok := rules[id]; return r, ok },
		Summary: Summary{Pools: 14, Copies: 27, Files: 9, Rules: 58,
			Sides:   map[schema.Side]int{schema.Doc: 9, schema.Gateway: 9, schema.App: 9},
			Formats: []FormatCount{{"haproxy", 2}, {"markdown", 3}, {"spring", 4}},
			Skipped: []Skip{{"vendor/big.yaml", schema.Text{En: "larger than 64 MiB", Zh: "超过 64 MiB"}}},
			Notes:   []schema.Text{{En: "the cache was empty", Zh: "缓存为空"}}},
		Obligations: []Obligation{
			{Pool: "orders", Item: "members", Changed: schema.Gateway, Owes: schema.App, PaidBy: "tree"},
			{Pool: "orders", Item: "members", Changed: schema.Gateway, Owes: schema.Doc},
			{Pool: "orders", Item: "ramp", Changed: schema.Order, Owes: schema.Doc, PaidBy: "order", Ref: "CHG-7"},
		}}
	finish(run)
	return run
}

// finish does what a command does before it renders.
func finish(run *Run) {
	Sort(run.Findings)
	Fingerprints(run.Findings)
	Locate(run.Findings, run.Source)
	run.Summary.Count(run.Findings)
}

// clean is a run without findings.
func clean() *Run {
	run := fixture()
	run.Findings, run.Obligations, run.Summary.Skipped, run.Summary.Notes = nil, nil, nil, nil
	run.Summary.Count(nil)
	return run
}
