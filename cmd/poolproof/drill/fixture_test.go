package drill

import (
	"fmt"
	"strings"
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

const second = time.Second

// hostile is a name as nobody should have one.
const hostile = `</title><script>alert(1)</script><img src=x onerror=alert(2)>` + "\x1b[31m\n::error::owned\u202e"

// fixture is a report with everything in it: two pools, one compared, verdicts of each kind, hostile and wide names.
func fixture(lang string) *Report {
	r := &Report{
		Tool: "poolproof", Version: "1.2.3", Now: time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC), Lang: lang,
		Command: []string{"poolproof", "dryrun", "a b.yaml", "--compare", "main"}, Base: "main", Revision: "0123456789abcdef0123456789abcdef01234567",
	}
	members := []string{"10.0.0.1:8080", "10.0.0.2:8080", "支付网关-上海.example:443"}
	base, head := played("link jitter", members, 8*second, 50*second), played("link jitter", members, 4*second, 22*second)
	for _, run := range []*Run{base, head} {
		run.Pool, run.Env, run.Engine, run.Group, run.File, run.Judged = "orders", "prod", "pool", GroupScenario, "drills/link jitter.yaml", true
		run.Config, run.Source = Head, "gateway/pools.yaml"
		run.Digests = []Digest{{"members", "sha256:" + strings.Repeat("ab", 32)}, {"cooldown", "sha256:" + strings.Repeat("cd", 32)}}
		run.Assumed = []schema.Text{schema.Textf("nobody says how much traffic there is: 100 requests a second", "未说明流量：按每秒 100 个请求处理")}
		run.Expectations = []Expectation{
			{ID: "out", Text: schema.Textf("10.0.0.1:8080 is out by 16s", "最迟 16s，10.0.0.1:8080 为 out"), Pass: dryrun.Held, Observed: schema.Textf("out at 14s", "14s 时为 out")},
			{ID: "back", Text: schema.Textf("10.0.0.1:8080 is in by 40s", "最迟 40s，10.0.0.1:8080 为 in"), Pass: dryrun.Held, Observed: schema.Textf("in at 36s", "36s 时为 in")},
		}
	}
	base.Config, base.Expectations[1].Pass, base.Expectations[1].Observed = Base, dryrun.Failed, schema.Textf("cooling at 40s", "40s 时为 cooling")
	r.Runs = append(r.Runs, base, head)
	r.Runs = append(r.Runs, &Run{Pool: "orders", Env: "prod", Engine: "pool", Scenario: "granularity/return-alike", Group: "granularity", Config: Head, Judged: true,
		Expectations: []Expectation{{ID: "granularity/return-alike", Text: schema.Textf("they recover: the return is per interface too", "接口恢复：恢复同样按接口进行"), Pass: dryrun.NotApplicable,
			Reason: schema.Textf("the pool states no granularity finer than the address", "池没有写明比地址更细的粒度"), Observed: schema.Textf("decision.granularity: address", "decision.granularity：address")}}})
	for _, c := range dryrun.Compare(base.Summary, head.Summary) {
		r.Comparisons = append(r.Comparisons, Comparison{Pool: "orders", Env: "prod", Scenario: "link jitter", Comparison: c})
	}
	r.Changes = []Change{{Pool: "orders", Env: "prod", Item: "cooldown", Path: "cooldown.duration", Base: "50s", Head: "22s"}, {Pool: "orders", Env: "prod", Item: "probe", Path: "probe.interval", Head: "2s"}}

	many := []string{hostile}
	for i := range 30 {
		many = append(many, fmt.Sprintf("10.9.0.%d:80", i))
	}
	day := played("dead-upstream", many, 4*second, 20*second)
	day.Pool, day.Engine, day.Group, day.Config = hostile, "haproxy-3.0", GroupBadDays, Head
	failed := played("cooldown/forced", members, 4*second, 20*second)
	failed.Pool, failed.Engine, failed.Group, failed.Config, failed.Judged = hostile, "haproxy-3.0", "cooldown", Head, true
	failed.Expectations = []Expectation{{ID: "cooldown/forced", Text: schema.Textf("an operator forces it back: a new cooldown starts", "人工强制放回：重新开始冷却"), Pass: dryrun.Failed, Observed: schema.Text{En: hostile, Zh: hostile}}}
	r.Runs = append(r.Runs, failed, day)
	r.Findings = []schema.Finding{{Rule: "dryrun/failed", Severity: schema.Error, Pool: hostile, Message: schema.Textf("cooldown/forced: %s", "cooldown/forced：%s", hostile),
		Hint: schema.Textf("change the settings", "请修改配置"), At: schema.Place{File: "haproxy.cfg", Line: 3, Column: 5}, Status: schema.New, Fingerprint: "f1"}}
	r.Skipped = []Skipped{{Pool: "web", Engine: "f5", Why: schema.Textf("the engine f5 is not built: it is not played, and nothing stands in for it", "引擎 f5 尚未实现：不演练，也不用其他引擎代替")}}
	return r
}

// played makes up a run: the first member goes out some time after a fault at 10s, cools down, ramps and is back.
func played(name string, members []string, detect, cooldown time.Duration) *Run {
	const duration, fault = 90 * second, 10 * second
	out := fault + detect
	ramp := out + cooldown
	r := &dryrun.Result{Scenario: name, Engine: "pool", Seed: 1, Duration: duration, Slice: second}
	for i, m := range members {
		x := dryrun.MemberResult{ID: m, Answers: 1000, Attempts: 1100, Probes: 45, States: []dryrun.StateSpan{{From: -5 * second, State: failover.In}}}
		if i == 0 {
			x.States = append(x.States, dryrun.StateSpan{From: out, State: failover.Out}, dryrun.StateSpan{From: out + 2*second, State: failover.Cooling},
				dryrun.StateSpan{From: ramp, State: failover.Ramping}, dryrun.StateSpan{From: ramp + 10*second, State: failover.In})
		}
		if i == 1 {
			x.States = append(x.States, dryrun.StateSpan{From: 70 * second, State: failover.Manual})
		}
		r.Members = append(r.Members, x)
	}
	add := func(at time.Duration, event, member, en, zh string) {
		r.Timeline = append(r.Timeline, dryrun.Entry{At: at, Event: event, Member: member, Why: schema.Text{En: en, Zh: zh}})
	}
	add(fault, "fault", "", "10.0.0.1:8080: down", "10.0.0.1:8080：宕机")
	add(out, "out", members[0], "business judges: 250 of 500 results failed", "业务判定：500 个结果中 250 个失败")
	add(20*second, "fault ends", "", "10.0.0.1:8080: down", "10.0.0.1:8080：宕机")
	add(ramp, "ramping", members[0], "batch 1", "批次 1")
	add(70*second, "operator", members[1], "on-call forces it out; saw: "+hostile, "值班强制摘除")
	for i := range 20 {
		add(71*second+time.Duration(i)*second/2, "notice", members[0], fmt.Sprintf("entry %d", i), fmt.Sprintf("条目 %d", i))
	}
	for t := time.Duration(0); t < duration; t += second {
		p := dryrun.Point{At: t, Sent: 100, P50: 10 * time.Millisecond, P95: 32 * time.Millisecond, P99: 50 * time.Millisecond, Answers: make([]uint64, len(members))}
		if t >= fault && t < out {
			p.Errors, p.Refused, p.P99 = 30, 10, 2*second
		}
		left := uint64(len(members))
		if t >= out && t < ramp {
			left--
		}
		for m := range members {
			if m > 0 || left == uint64(len(members)) {
				p.Answers[m] = (100 - p.Errors) / left
			}
		}
		r.Series = append(r.Series, p)
	}
	metric := func(name string, low, median, high float64) dryrun.MetricSummary {
		return dryrun.MetricSummary{Name: name, Spread: dryrun.Spread{Low: low, Median: median, High: high}}
	}
	d := detect.Seconds()
	sum := &dryrun.Summary{First: r, Seeds: 5, Metrics: []dryrun.MetricSummary{
		metric("availability", 1-d/290, 1-d/300, 1-d/310), metric("latency-p50", 0.0099, 0.01, 0.0101), metric("latency-p95", 0.031, 0.032, 0.033), metric("latency-p99", 0.05, 0.05, 0.05),
		metric("errors", 29*d, 30*d, 31*d), metric("refused", 10*d, 10*d, 10*d), metric("time-to-detect", 0.01, 0.02, 0.03), metric("time-to-remove", d-0.1, d, d+0.1),
		metric("time-to-return", -1, -1, -1), metric("flaps", 0, 0, 0), metric("largest-share", 0.51, 0.52, 0.53), metric("all-out", 0, 0, 0), metric("refused-after-well", 0, 0, 0),
		metric("retry-amplification", 1.01, 1.01, 1.01), metric("probe-amplification", 0.01, 0.01, 0.01)}}
	return &Run{Scenario: name, Summary: sum}
}
