package profile

import (
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// haproxy is the profile of HAProxy 2.0 to 3.5. Facts: include/haproxy/defaults.h (DEF_CHKINTR, DEF_RISETIME,
// DEF_FALLTIME, DEF_HANA_ERRLIMIT, CONN_RETRIES), src/check.c (timeouts of a check), src/server.c (srv_parse_slowstart,
// server_recalc_eweight), src/backend.c (recount_servers) and the configuration manual.
//
// Weights go from 0 to 256, 1 where none is written; 0 takes a server out of balancing. Backups are used when no other
// server is left, and of several only the first usable one, unless "option allbackups" is set. Without any server
// requests get 503 at once. A check bounds its own time, so a long "timeout check" is harmless. HAProxy knows no
// cooldown: a server is back after "rise" good checks. "retries" counts further tries after the first one.
func haproxy() Profile {
	return Profile{
		Name: "haproxy",
		Traits: Traits{
			Timeout: TimeoutFree, ZeroWeight: ZeroDrains, DefaultWeight: 1, Tiers: true, FirstBackupOnly: true, Probes: true, AllOut: "reject",
			SpreadsProbes: true,
		},
		Complete: completeHAProxy,
	}
}

// haproxyCompletion collects what an engine really uses.
type haproxyCompletion struct {
	c   *schema.Copy
	v   Version
	out []schema.Effective
}

func completeHAProxy(c *schema.Copy, v Version) []schema.Effective {
	h := &haproxyCompletion{c: c, v: v}
	h.rounded()
	if c.States(schema.Probe) && !h.says("probe.off") && !h.says("probe") {
		h.probe()
	}
	if c.States(schema.Decision) {
		h.decision()
	}
	if c.States(schema.Ramp) {
		h.ramp()
	}
	if c.States(schema.Retry) {
		h.retry()
	}
	h.other()
	return h.out
}

// says reports whether the copy writes a value, be it one that stays unknown. "probe" is a probe of which a template may
// write any part.
func (h *haproxyCompletion) says(p schema.Path) bool {
	if _, ok := h.c.Get(p); ok {
		return true
	}
	for i := range h.c.Unresolved {
		if h.c.Unresolved[i].Path == p {
			return true
		}
	}
	return false
}

func (h *haproxyCompletion) text(p schema.Path) string {
	f, _ := h.c.Get(p)
	return f.Value.Text()
}

func (h *haproxyCompletion) duration(p schema.Path) time.Duration {
	f, _ := h.c.Get(p)
	return f.Value.Duration()
}

func (h *haproxyCompletion) add(p schema.Path, v schema.Value, why schema.Text) {
	h.out = append(h.out, schema.Effective{Path: p, Value: v, Why: why})
}

// absent adds a default where the copy says nothing.
func (h *haproxyCompletion) absent(p schema.Path, v schema.Value, why schema.Text) {
	if !h.says(p) {
		h.add(p, v, why)
	}
}

func haproxyDefault() schema.Text { return schema.Textf("default of HAProxy", "HAProxy 的默认值") }

// rounded: HAProxy keeps times in milliseconds, rounded up. (slowstart is kept in seconds, see ramp.)
func (h *haproxyCompletion) rounded() {
	for _, f := range h.c.Fields {
		if d := f.Value.Duration(); d%time.Millisecond != 0 && f.Path != "ramp.window" {
			h.out = append(h.out, schema.Effective{Path: f.Path, Value: schema.DurationOf(haproxyCeil(d, time.Millisecond)), Clamped: true,
				Why: schema.Textf("HAProxy rounds times up to whole milliseconds", "HAProxy 把时长向上取整到毫秒")})
		}
	}
}

func haproxyCeil(d, unit time.Duration) time.Duration { return (d + unit - 1) / unit * unit }

func (h *haproxyCompletion) probe() {
	interval := h.duration("probe.interval")
	if !h.says("probe.interval") {
		interval = 2 * time.Second
		h.add("probe.interval", schema.DurationOf(interval), haproxyDefault())
	}
	if interval > 0 {
		same := schema.Textf("not written: the same as inter", "未写：与 inter 相同")
		h.absent("probe.intervals.fast", schema.DurationOf(interval), same)
		h.absent("probe.intervals.down", schema.DurationOf(interval), same)
		h.timeout(interval)
	}
	h.absent("probe.rise", schema.IntOf(2), haproxyDefault())
	h.absent("probe.fall", schema.IntOf(3), haproxyDefault())
	h.absent("probe.protocol", schema.TextOf("tcp"), schema.Textf("without a check option HAProxy only connects", "没有探测选项时 HAProxy 只建立连接"))
	if p := h.text("probe.protocol"); p == "http" || p == "https" {
		h.absent("probe.method", schema.TextOf("OPTIONS"), haproxyDefault())
		h.absent("probe.path", schema.TextOf("/"), haproxyDefault())
		if !h.says("http-check expect") && !h.says("probe.expect.body") && !h.says("probe.badStatuses") {
			h.absent("probe.expect.statuses", schema.ListOf("200-399"), schema.Textf("default of HAProxy: redirects pass too", "HAProxy 的默认值：重定向也算成功"))
		}
	}
}

// timeout: without "timeout check" one interval bounds connection and answer together. With it, the connection gets the
// smaller of "timeout connect" and the interval, and the answer gets "timeout check" on top.
func (h *haproxyCompletion) timeout(interval time.Duration) {
	f, written := h.c.Get("probe.timeout")
	if !written {
		h.absent("probe.timeout", schema.DurationOf(interval), schema.Textf("without timeout check one interval bounds connection and answer together", "未写 timeout check 时，连接与应答合计不超过一个探测间隔"))
		return
	}
	connect := interval
	if d := h.duration("timeout connect"); d > 0 {
		connect = min(connect, d)
	}
	switch d := f.Value.Duration(); {
	case d > 0 && d < connect:
		h.add("probe.timeout", f.Value, schema.Textf("for the answer only; shorter than the %s that the connection may take, it is noticed late, after up to %[1]s", "只限应答；短于连接允许的 %s，因而会滞后生效，最迟至 %[1]s", schema.FormatDuration(connect)))
	case d > 0:
		h.add("probe.timeout", f.Value, schema.Textf("for the answer only; the connection may take up to %s before it, and the next check waits for both", "只限应答；之前的连接最长 %s，下一次探测要等两者结束", schema.FormatDuration(connect)))
	}
}

func (h *haproxyCompletion) decision() {
	h.absent("decision.consecutive", schema.IntOf(10), schema.Textf("default of error-limit; every good check sets the count back to 0", "error-limit 的默认值；每次探测成功都会把计数清零"))
	switch h.text("observe") {
	case "layer4":
		h.absent("decision.counts", schema.ListOf("connect"), schema.Textf("observe layer4 counts failed connections", "observe layer4 统计连接失败"))
	case "layer7":
		h.absent("decision.counts", schema.ListOf("5xx", "connect", "timeout"), schema.Textf("observe layer7 counts failed connections, broken and late answers, and statuses of 500 and above except 501 and 505", "observe layer7 统计连接失败、损坏或超时的应答，以及 500 以上的状态码（501、505 除外）"))
	}
	if h.says("observe") {
		h.absent("on-error", schema.TextOf("fail-check"), haproxyDefault())
	}
}

// haproxyStatic are the algorithms whose weights cannot change at run time, hash-based ones unless hash-type is
// consistent.
var haproxyStatic = []string{"static-rr", "source", "uri", "url_param", "hdr", "rdp-cookie", "hash"}

func (h *haproxyCompletion) ramp() {
	f, ok := h.c.Get("ramp.window")
	if !ok {
		return
	}
	if d := f.Value.Duration(); d%time.Second != 0 {
		h.out = append(h.out, schema.Effective{Path: "ramp.window", Value: schema.DurationOf(haproxyCeil(d, time.Second)), Clamped: true,
			Why: schema.Textf("HAProxy rounds slowstart up to whole seconds", "HAProxy 把 slowstart 向上取整到秒")})
	}
	algorithm, _, _ := strings.Cut(h.text("balance"), " ")
	algorithm, _, _ = strings.Cut(algorithm, "(")
	for _, s := range haproxyStatic {
		if algorithm == s && (s == "static-rr" || !strings.HasPrefix(h.text("hash-type"), "consistent")) {
			h.add("ramp.window", schema.DurationOf(haproxyCeil(f.Value.Duration(), time.Second)),
				schema.Textf("balance %s cannot change weights at run time: slowstart limits only maxconn", "balance %s 运行时不能改权重：slowstart 只限制 maxconn", s))
		}
	}
}

func (h *haproxyCompletion) retry() {
	h.absent("retry.attempts", schema.IntOf(3), haproxyDefault())
	h.absent("retry.on", schema.ListOf("conn-failure"), haproxyDefault())
	h.absent("option redispatch", schema.BoolOf(false), schema.Textf("off by default: retries go to the same server while it counts as up", "默认关闭：只要该 server 仍视为可用，重试就发往同一 server"))
}

// other adds what belongs to no item but hangs on a written value.
func (h *haproxyCompletion) other() {
	if d := h.duration("timeout connect"); d > 0 {
		h.absent("timeout queue", schema.DurationOf(d), schema.Textf("not written: the same as timeout connect", "未写：与 timeout connect 相同"))
	}
	if len(h.c.Members) == 0 || h.says("balance") {
		return
	}
	rr, random := schema.TextOf("roundrobin"), schema.TextOf("random")
	switch {
	case !h.v.Known():
		h.out = append(h.out, schema.Effective{Path: "balance", Value: rr, Unsure: true, Other: random,
			Why: schema.Textf("default of HAProxy up to 3.2; random since 3.3", "HAProxy 3.2 及以前的默认值；3.3 起为 random")})
	case h.v.Less(3, 3):
		h.add("balance", rr, haproxyDefault())
	default:
		h.add("balance", random, schema.Textf("default of HAProxy since 3.3", "HAProxy 3.3 起的默认值"))
	}
}
