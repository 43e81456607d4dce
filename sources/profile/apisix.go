package profile

import (
	"time"

	"github.com/poolproof/poolproof/schema"
)

// Facts: apache/apisix, apisix/schema_def.lua, balancer.lua, healthcheck_manager.lua and upstream.lua; the health library
// api7/lua-resty-healthcheck, lib/resty/healthcheck.lua.

// apisix is Apache APISIX. Weight 0 gets no traffic, in a list every node must write a weight; when all members are out
// it sends to all of them. Health is shared by the workers of one gateway.
func apisix() Profile {
	return Profile{
		Name:     "apisix",
		Traits:   Traits{Timeout: TimeoutFree, ZeroWeight: ZeroDrains, Tiers: true, Probes: true, AllOut: "pass"},
		Complete: completeAPISIX,
	}
}

func apisixDefault(name string) schema.Text {
	return schema.Text{En: "default of APISIX: " + name, Zh: "APISIX 默认值：" + name}
}

func completeAPISIX(c *schema.Copy, _ Version) []schema.Effective {
	k := &completion{c: c}
	if c.States(schema.Probe) {
		k.apisixProbe()
	}
	if c.States(schema.Decision) {
		k.apisixPassive()
	}
	if len(c.Members) == 1 && c.Complete && c.UnresolvedMembers() == 0 && !k.says("type", "least_conn") {
		why := schema.Text{En: "a pool of one node is used whatever its health", Zh: "只有一个节点的上游不看健康状态"}
		k.note("probe.fall", why)
		k.note("decision.consecutive", why)
	}
	return k.out
}

// apisixProbe completes the active checks. The defaults of an interval and its counts stand inside healthy and
// unhealthy: where such an object is not written, that side is not probed and has no interval.
func (k *completion) apisixProbe() {
	k.note("probe.interval", schema.Text{
		En: "starts with the first request to this upstream: without traffic APISIX probes nothing",
		Zh: "从该上游收到第一个请求开始：没有流量时 APISIX 不探测"})
	k.fill("probe.protocol", schema.TextOf("http"), apisixDefault("http"))
	k.fill("probe.timeout", schema.DurationOf(time.Second), apisixDefault("1s"))
	tcp := k.says("probe.protocol", "tcp")
	if !tcp {
		k.fill("probe.path", schema.TextOf("/"), apisixDefault("/"))
		k.fill("probe.method", schema.TextOf("GET"), apisixDefault("GET"))
	}
	k.fill("checks.active.concurrency", schema.IntOf(10), apisixDefault("10"))
	if k.writes("checks.active.healthy", "probe.interval", "probe.rise", "probe.expect.statuses") {
		k.fill("probe.interval", schema.DurationOf(time.Second), apisixDefault("healthy.interval 1s"))
		k.fill("probe.rise", schema.IntOf(2), apisixDefault("healthy.successes 2"))
		if !tcp {
			k.fill("probe.expect.statuses", schema.ListOf("200", "302"), apisixDefault("healthy.http_statuses 200 and 302; a status in neither list counts for nothing"))
		}
	}
	if !k.writes("checks.active.unhealthy", "probe.intervals.down", "probe.fall", "probe.badStatuses",
		"checks.active.unhealthy.http_failures", "checks.active.unhealthy.tcp_failures", "checks.active.unhealthy.timeouts") {
		return
	}
	k.fill("probe.intervals.down", schema.DurationOf(time.Second), apisixDefault("unhealthy.interval 1s"))
	k.fill("checks.active.unhealthy.timeouts", schema.IntOf(3), apisixDefault("unhealthy.timeouts 3, counted on its own"))
	if tcp {
		k.fill("probe.fall", schema.IntOf(2), apisixDefault("unhealthy.tcp_failures 2"))
		return
	}
	k.fill("probe.fall", schema.IntOf(5), apisixDefault("unhealthy.http_failures 5"))
	k.fill("checks.active.unhealthy.tcp_failures", schema.IntOf(2), apisixDefault("unhealthy.tcp_failures 2, counted on its own"))
	k.fill("probe.badStatuses", schema.ListOf("404", "429", "500", "501", "502", "503", "504", "505"), apisixDefault("unhealthy.http_statuses"))
}

// writes reports whether the copy writes any of the paths, also as a value that could not be read.
func (k *completion) writes(paths ...schema.Path) bool {
	for _, p := range paths {
		if k.has(p) || k.unread(p) {
			return true
		}
	}
	return false
}

// apisixPassive completes the passive checks. Each kind of failure is counted on its own and any counted success clears
// all; the last try of a request counts only if its status is in a list, so a final 502 or 504 is missed by default.
func (k *completion) apisixPassive() {
	if k.writes("checks.passive.unhealthy", "decision.consecutive", "decision.counts", "checks.passive.unhealthy.http_failures",
		"checks.passive.unhealthy.tcp_failures", "checks.passive.unhealthy.timeouts") {
		if !k.has("checks.passive.unhealthy.http_failures") {
			k.fill("decision.consecutive", schema.IntOf(5), apisixDefault("unhealthy.http_failures 5"))
		}
		k.fill("decision.counts", schema.ListOf("429", "500", "503"), apisixDefault("unhealthy.http_statuses; 502 and 504 of a last try are not counted"))
		k.fill("checks.passive.unhealthy.tcp_failures", schema.IntOf(2), apisixDefault("unhealthy.tcp_failures 2"))
		k.fill("checks.passive.unhealthy.timeouts", schema.IntOf(7), apisixDefault("unhealthy.timeouts 7"))
	}
	if k.writes("checks.passive.healthy", "checks.passive.healthy.successes", "checks.passive.healthy.http_statuses") {
		k.fill("checks.passive.healthy.successes", schema.IntOf(5), apisixDefault("healthy.successes 5"))
		return
	}
	k.note("decision.consecutive", schema.Text{
		En: "without passive.healthy no answered request counts as a success: failures add up until a probe passes",
		Zh: "没有 passive.healthy 时正常应答不计为成功：失败会一直累计，直到探测通过"})
}
