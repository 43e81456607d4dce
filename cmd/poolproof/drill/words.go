package drill

import (
	"fmt"
	"strconv"
	"time"

	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
)

// language is the language of what is written for people: "zh", or English.
type language string

func (l language) say(en, zh string) string {
	if l == "zh" {
		return zh
	}
	return en
}

func (l language) in(t schema.Text) string { return t.In(string(l)) }

// verdict names an outcome.
func (l language) verdict(p dryrun.Pass) string {
	switch p {
	case dryrun.Held:
		return l.say("ok", "成立")
	case dryrun.Failed:
		return l.say("FAILED", "不成立")
	}
	return l.say("not applicable", "不适用")
}

// state names the state of a member.
func (l language) state(s failover.State) string {
	switch s {
	case failover.In:
		return l.say("in", "在池")
	case failover.Out:
		return l.say("out", "摘除")
	case failover.Cooling:
		return l.say("cooling", "冷却")
	case failover.Ramping:
		return l.say("ramping", "放量")
	}
	return l.say("manual", "人工摘除")
}

// better names the outcome of a comparison, from the point of view of the head.
func (l language) better(b dryrun.Better) string {
	switch b {
	case dryrun.BetterHead:
		return l.say("better", "变好")
	case dryrun.BetterBase:
		return l.say("worse", "变差")
	}
	return l.say("same", "相同")
}

// side names the side of a comparison.
func (l language) side(config string) string {
	if config == Base {
		return l.say("base", "变更前")
	}
	return l.say("head", "变更后")
}

// metric names a metric.
func (l language) metric(name string) string {
	switch name {
	case "availability":
		return l.say("availability", "可用性")
	case "latency-p50":
		return l.say("latency p50", "延迟 p50")
	case "latency-p95":
		return l.say("latency p95", "延迟 p95")
	case "latency-p99":
		return l.say("latency p99", "延迟 p99")
	case "errors":
		return l.say("failed requests", "失败请求数")
	case "refused":
		return l.say("refused requests", "被拒请求数")
	case "time-to-detect":
		return l.say("first failure seen after", "首次失败用时")
	case "time-to-remove":
		return l.say("removed after", "摘除用时")
	case "time-to-return":
		return l.say("back after", "回切用时")
	case "flaps":
		return l.say("removed again", "反复摘除次数")
	case "largest-share":
		return l.say("largest share on one member", "单个成员最大份额")
	case "all-out":
		return l.say("all members out for", "全部摘除时长")
	case "refused-after-well":
		return l.say("refused though well again", "恢复后仍拒绝")
	case "retry-amplification":
		return l.say("attempts per request", "每请求尝试数")
	case "probe-amplification":
		return l.say("probes per request", "每请求探测数")
	}
	return name
}

// event names a kind of entry of a timeline.
func (l language) event(name string) string {
	switch name {
	case "fault":
		return l.say("fault begins", "故障开始")
	case "fault ends":
		return l.say("fault ends", "故障结束")
	case "reload":
		return l.say("reload", "重新加载")
	case "external":
		return l.say("external notice", "外部通知")
	case "operator":
		return l.say("operator", "人工操作")
	case "apply":
		return l.say("settings of head applied", "应用变更后配置")
	case "pool":
		return l.say("pool", "池")
	case "notice":
		return l.say("note", "提示")
	}
	if s, ok := failover.ParseState(name); ok {
		return l.state(s)
	}
	return name
}

// number writes one value of a metric: never below zero, "never" for a time that did not come.
func (l language) number(metric string, f float64) string {
	switch metric {
	case "availability", "largest-share":
		return percentText(f)
	case "errors", "refused", "flaps":
		return strconv.FormatFloat(f, 'f', decimals(f), 64)
	case "retry-amplification", "probe-amplification":
		return strconv.FormatFloat(f, 'f', 3, 64)
	}
	if f < 0 {
		return l.say("never", "未发生")
	}
	return span(time.Duration(f * 1e9))
}

// decimals shows the one decimal of medians between two counts, and none of whole ones.
func decimals(f float64) int {
	if f == float64(int64(f)) {
		return 0
	}
	return 1
}

// percentText writes a part; what is not quite all does not show as all.
func percentText(f float64) string {
	s := strconv.FormatFloat(100*f, 'f', 2, 64)
	switch {
	case s == "100.00" && f < 1:
		s = strconv.FormatFloat(100*f, 'f', 4, 64)
		if s == "100.0000" {
			s = "99.9999"
		}
	case s == "0.00" && f > 0:
		return "<0.01 %"
	}
	return s + " %"
}

// span writes a length of time with three digits or so.
func span(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return schema.FormatDuration(d.Round(time.Microsecond))
	case d < 100*time.Millisecond:
		return schema.FormatDuration(d.Round(100 * time.Microsecond))
	case d < time.Second:
		return schema.FormatDuration(d.Round(time.Millisecond))
	case d < 10*time.Second:
		return schema.FormatDuration(d.Round(10 * time.Millisecond))
	case d < time.Hour:
		return schema.FormatDuration(d.Round(100 * time.Millisecond))
	}
	return schema.FormatDuration(d.Round(time.Second))
}

// moment writes a time of a run, to the millisecond.
func moment(t time.Duration) string { return schema.FormatDuration(t.Round(time.Millisecond)) }

// spread writes a metric over all seeds: the median, and the range if there is one. median and rng are apart for tables.
func (l language) spread(metric string, s dryrun.Spread) (median, rng string) {
	median = l.number(metric, s.Median)
	if low, high := l.number(metric, s.Low), l.number(metric, s.High); low != high {
		rng = low + " – " + high
	}
	return median, rng
}

// idle reports whether a metric says that nothing of its kind came about.
func idle(s dryrun.Spread) bool { return s.Median == 0 && s.High == 0 || s.High < 0 }

func (l language) count(n int, en, many, zh string) string {
	switch {
	case l == "zh":
		return fmt.Sprintf("%d %s", n, zh)
	case n == 1:
		return "1 " + en
	}
	return fmt.Sprintf("%d %s", n, many)
}

// title names a run: the acceptance case, the bad day, or the scenario.
func (r *Run) title(l language) string {
	switch {
	case r.File != "":
		return l.say("scenario ", "场景 ") + r.Scenario
	case r.Group == GroupBadDays:
		return l.say("bad day ", "故障日 ") + r.Scenario
	}
	return r.Scenario
}
