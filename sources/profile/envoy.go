package profile

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// Facts: envoyproxy/envoy, source/common/upstream/outlier_detection_impl.cc, source/extensions/health_checkers/common/
// health_checker_base_impl.cc, source/extensions/load_balancing_policies/common/load_balancer_impl.cc, the comments of
// api/envoy/config/{cluster,core,endpoint,route}/v3, and docs/root/intro/arch_overview/upstream.

// envoy is Envoy. Its timer waits for the answer or the timeout before the interval starts, so a long timeout harms
// nothing. What it does when no member is left depends on the panic threshold, so AllOut is empty.
func envoy() Profile {
	return Profile{
		Name:     "envoy",
		Traits:   Traits{Timeout: TimeoutFree, ZeroWeight: ZeroRefused, DefaultWeight: 1, Tiers: true, Probes: true},
		Complete: completeEnvoy,
	}
}

// Envoy's defaults.
const (
	envoyConsecutive   = 5
	envoyBaseEjection  = 30 * time.Second
	envoyMaxEjection   = 300 * time.Second
	envoySweep         = 10 * time.Second
	envoyEjectPercent  = 10
	envoyPanic         = 50
	envoyIdle          = 60 * time.Second
	envoyRouteTimeout  = 15 * time.Second
	envoyRetryAttempts = 1
)

func envoyDefault(name string) schema.Text {
	return schema.Text{En: "default of Envoy: " + name, Zh: "Envoy 默认值：" + name}
}

func completeEnvoy(c *schema.Copy, v Version) []schema.Effective {
	k := &completion{c: c, out: make([]schema.Effective, 0, 16)}
	outlier := envoyWritesOutlier(c)
	if c.States(schema.Probe) {
		k.envoyProbe()
	}
	if outlier {
		k.envoyOutlier(v)
	}
	if c.States(schema.Decision) {
		k.envoyDecision()
	}
	if c.States(schema.Cooldown) {
		k.envoyCooldown()
	}
	if outlier || c.States(schema.Probe) || c.States(schema.OnAllOut) {
		k.envoyAllOut()
	}
	if c.States(schema.Ramp) {
		k.envoySlowStart()
	}
	if c.States(schema.Retry) {
		k.envoyRetry()
	}
	return k.out
}

// envoyWritesOutlier reports whether outlier detection is written at all: its values are spread over the model and
// settings, and an empty block is a setting.
func envoyWritesOutlier(c *schema.Copy) bool {
	if c.States(schema.Decision) || c.States(schema.Cooldown) {
		return true
	}
	for i := range c.Fields {
		if strings.HasPrefix(string(c.Fields[i].Path), "outlier_detection") {
			return true
		}
	}
	return false
}

func (k *completion) envoyProbe() {
	if interval, ok := k.c.Get("probe.interval"); ok {
		k.fill("probe.intervals.down", interval.Value, schema.Text{En: "default of Envoy: unhealthy_interval is the interval", Zh: "Envoy 默认：unhealthy_interval 等于 interval"})
	}
	k.fill("probe.intervals.idle", schema.DurationOf(envoyIdle), schema.Text{
		En: "default of Envoy: no_traffic_interval 60s, for as long as the cluster had no traffic at all; it comes before every other interval",
		Zh: "Envoy 默认：no_traffic_interval 60s，在集群从未有流量期间生效，优先于其他间隔"})
	k.fill("probe.jitter", schema.NumberOf(0), schema.Textf("default of Envoy: no jitter", "Envoy 默认值：无抖动"))
	k.note("probe.rise", schema.Text{En: "the first check of a new member counts at once: one pass puts it in", Zh: "新成员的首次检查立即生效：通过一次即可加入"})
	protocol, _ := k.c.Get("probe.protocol")
	if p := protocol.Value.Text(); p != "http" && p != "https" {
		return
	}
	k.fill("probe.method", schema.TextOf("GET"), envoyDefault("GET"))
	k.fill("probe.expect.statuses", schema.ListOf("200"), schema.Textf("default of Envoy: 200 only", "Envoy 默认值：仅 200"))
	k.note("probe.fall", schema.Text{
		En: "counts timeouts, refused connections and retriable_statuses; any other status that is not expected takes the member out at once",
		Zh: "仅统计超时、连接被拒和 retriable_statuses；其他非预期状态码会立即摘除成员"})
}

// envoyOutlier completes the settings of outlier detection that are outside the model, and works out how many members
// may be out at once.
func (k *completion) envoyOutlier(v Version) {
	k.fill("outlier_detection.interval", schema.DurationOf(envoySweep), envoyDefault("interval 10s"))
	k.fill("outlier_detection.max_ejection_percent", schema.IntOf(envoyEjectPercent), envoyDefault("max_ejection_percent 10"))
	if !k.c.States(schema.Decision) {
		k.fill("outlier_detection.consecutive_5xx", schema.IntOf(envoyConsecutive), envoyDefault("consecutive_5xx 5"))
	}
	if !k.c.States(schema.Cooldown) {
		k.fill("outlier_detection.base_ejection_time", schema.DurationOf(envoyBaseEjection), envoyDefault("base_ejection_time 30s"))
	}
	k.envoyEjectionCap(v)
}

// envoyEjectionCap adds outlier_detection.max_ejected, the number of members that may be out at once. From 1.28 on the
// member about to go counts: floor(n * percent / 100), which may be none. Before, an ejection was allowed while the
// share already out was below the limit, and the first always: at least one, and one more than the share says.
// always_eject_one_host (1.31) brings the one back.
func (k *completion) envoyEjectionCap(v Version) {
	n := int64(len(k.c.Members))
	if !k.c.Complete || n == 0 || k.c.UnresolvedMembers() > 0 {
		return
	}
	percent := int64(envoyEjectPercent)
	if f, ok := k.c.Get("outlier_detection.max_ejection_percent"); ok {
		percent = f.Value.Int()
	}
	now := n * percent / 100
	if k.yes("outlier_detection.always_eject_one_host") {
		now = max(now, 1)
	}
	before := max(1, int64(math.Ceil(float64(n*percent)/100)))
	e := schema.Effective{Path: "outlier_detection.max_ejected", Value: schema.IntOf(now), Why: schema.Text{
		En: "how many members may be out at once: max_ejection_percent of them, the one about to go counted",
		Zh: "最多可同时摘除的成员数：按 max_ejection_percent 计算，计入即将被摘除的一个"}}
	switch {
	case v.Known() && v.Less(1, 28):
		e.Value, e.Why = schema.IntOf(before), schema.Text{
			En: "how many members may be out at once: before Envoy 1.28 one more than max_ejection_percent covers, and always one",
			Zh: "最多可同时摘除的成员数：Envoy 1.28 之前比 max_ejection_percent 所覆盖的多一个，且至少一个"}
	case !v.Known() && before != now:
		e.Unsure, e.Other = true, schema.IntOf(before)
	}
	k.out = append(k.out, e)
}

func (k *completion) envoyDecision() {
	k.fill("decision.consecutive", schema.IntOf(envoyConsecutive), envoyDefault("consecutive_5xx 5"))
	if k.yes("outlier_detection.split_external_local_origin_errors") {
		k.fill("decision.counts", schema.ListOf("5xx"), schema.Text{En: "split_external_local_origin_errors: only answers count", Zh: "split_external_local_origin_errors：只统计应答"})
		return
	}
	k.fill("decision.counts", schema.ListOf("5xx", "connect", "timeout"),
		schema.Text{En: "Envoy counts a failed connection as 503 and a timeout as 504; any other answer clears the count", Zh: "Envoy 把连接失败计为 503、超时计为 504；其他应答会清零计数"})
}

func (k *completion) envoyCooldown() {
	k.fill("cooldown.duration", schema.DurationOf(envoyBaseEjection), envoyDefault("base_ejection_time 30s"))
	base := envoyBaseEjection
	if f, ok := k.c.Get("cooldown.duration"); ok {
		base = f.Value.Duration()
	}
	k.fill("cooldown.max", schema.DurationOf(max(envoyMaxEjection, base)), schema.Text{En: "default of Envoy: 300s, or the base where that is longer", Zh: "Envoy 默认：300s，基准值更长时取基准值"})
	k.fill("cooldown.growth.kind", schema.TextOf("linear"), schema.Text{En: "Envoy multiplies the base by the number of ejections", Zh: "Envoy 以摘除次数乘以基准时长"})
	k.fill("cooldown.growth.decays", schema.BoolOf(true), schema.Text{En: "the multiplier falls by one for each interval without an ejection", Zh: "每过一个未被摘除的间隔，倍数减一"})
	why := schema.Text{En: "a member returns at the next sweep after its time is over (outlier_detection.interval)", Zh: "到期后在下一次扫描时恢复（outlier_detection.interval）"}
	if k.c.States(schema.Probe) && !k.no("outlier_detection.successful_active_health_check_uneject_host") {
		why = schema.Text{
			En: "at most: a passing health check returns the member at once; else it returns at the next sweep after its time is over",
			Zh: "上限：健康检查通过会立即恢复成员；否则到期后在下一次扫描时恢复"}
	}
	k.note("cooldown.duration", why)
}

func (k *completion) envoyAllOut() {
	k.fill("onAllOut.panicBelow", schema.NumberOf(envoyPanic),
		schema.Text{En: "default of Envoy: below 50 % healthy members it sends to all, the failed ones included", Zh: "Envoy 默认：健康成员低于 50 % 时发往所有成员，包括故障成员"})
	f, written := k.c.Get("onAllOut.panicBelow")
	switch line := f.Value.Number(); {
	case !written:
	case line == 0:
		k.fill("onAllOut.then", schema.TextOf("reject"), schema.Text{En: "healthy_panic_threshold 0 switches panic off: without a member Envoy answers 503", Zh: "healthy_panic_threshold 为 0 会关闭恐慌模式：没有成员时 Envoy 返回 503"})
	case line != math.Trunc(line):
		k.change("onAllOut.panicBelow", schema.NumberOf(math.Trunc(line)), schema.Text{En: "Envoy cuts the threshold to whole percents", Zh: "Envoy 把阈值截为整数百分比"})
	}
	if k.yes("common_lb_config.zone_aware_lb_config.fail_traffic_on_panic") {
		k.fill("onAllOut.then", schema.TextOf("reject"), schema.Text{En: "fail_traffic_on_panic: in panic Envoy answers 503", Zh: "fail_traffic_on_panic：恐慌时 Envoy 返回 503"})
	}
}

func (k *completion) envoySlowStart() {
	if !k.has("ramp.window") {
		return
	}
	k.note("ramp.window", schema.Text{
		En: "by time since the member joined or passed its health check; a return from ejection alone does not start it",
		Zh: "从成员加入或健康检查通过起按时间放量；仅从摘除中恢复不会触发"})
	k.fill("slow_start_config.aggression", schema.NumberOf(1), schema.Textf("default of Envoy: aggression 1.0, a straight line", "Envoy 默认值：aggression 1.0，即线性"))
	k.fill("slow_start_config.min_weight_percent", schema.NumberOf(10), envoyDefault("min_weight_percent 10"))
}

func (k *completion) envoyRetry() {
	// A timeout of 0, or several different ones, are settings of the routes and no single total.
	if !slices.ContainsFunc(k.c.Fields, func(f schema.Field) bool {
		return f.Path == "route.timeout" || strings.HasPrefix(string(f.Path), "route[")
	}) {
		k.fill("retry.total", schema.DurationOf(envoyRouteTimeout), schema.Textf("default of Envoy: route timeout 15s, over all tries", "Envoy 默认值：路由超时 15s，含全部重试"))
	}
	attempts, written := k.c.Get("retry.attempts")
	switch {
	case k.has("retry.on") || k.unread("retry.on"):
		k.fill("retry.attempts", schema.IntOf(envoyRetryAttempts), envoyDefault("num_retries 1"))
	case written && attempts.Value.Int() > 0:
		k.change("retry.attempts", schema.IntOf(0), schema.Text{En: "without retry_on Envoy retries nothing", Zh: "没有 retry_on 时 Envoy 不会重试"})
	}
}
