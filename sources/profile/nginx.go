package profile

import (
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// Facts: ngx_http_upstream_round_robin.c, ngx_http_upstream.c and ngx_parse.c of NGINX; the manuals of
// ngx_http_upstream_module, ngx_http_proxy_module and ngx_http_upstream_hc_module; the manual of
// nginx_upstream_check_module for the checks of Tengine.

// nginx is open source NGINX, or an edition that nobody named. It has no active probes of its own. Without a zone each
// worker counts failures for itself, so PerWorker holds for copies without the setting "zone".
func nginx() Profile {
	return Profile{Name: "nginx", Traits: nginxTraits(), Complete: completeNginx}
}

// nginxPlus is NGINX Plus ("nginx-plus", "nginx-plus-33"), which has active probes.
func nginxPlus() Profile {
	traits := nginxTraits()
	traits.Probes = true
	return Profile{Name: "nginx-plus", Traits: traits, Complete: completeNginx}
}

// tengine is Tengine, or NGINX built with nginx_upstream_check_module, which probe by "check" in the upstream.
func tengine() Profile {
	p := nginxPlus()
	p.Name = "tengine"
	return p
}

func nginxTraits() Traits {
	return Traits{ZeroWeight: ZeroRefused, DefaultWeight: 1, Tiers: true, AllOut: "reject", PerWorker: true}
}

// The defaults of a server line, of proxy_*_timeout, and of health_check.
const (
	nginxMaxFails    = 1
	nginxFailTimeout = 10 * time.Second
	nginxProxyTime   = 60 * time.Second
	nginxCheckEvery  = 5 * time.Second
)

// nginxCopy completes one copy.
type nginxCopy struct{ completion }

func completeNginx(c *schema.Copy, _ Version) []schema.Effective {
	n := &nginxCopy{completion{c: c}}
	n.passive()
	n.ramp()
	n.retry()
	n.probe()
	return n.out
}

func (n *nginxCopy) add(p schema.Path, v schema.Value, why schema.Text) {
	n.out = append(n.out, schema.Effective{Path: p, Value: v, Why: why})
}

func (n *nginxCopy) stream() bool { return n.says("context", "stream") }

// single reports whether the pool is certain to be one address, down or not: then NGINX ignores max_fails and
// fail_timeout, and tries once. A host name may have several addresses.
func (n *nginxCopy) single() bool {
	all, _ := n.addresses()
	return all == 1
}

// addresses counts the servers, and those of them that are not down; 0 where the number is not certain.
func (n *nginxCopy) addresses() (all, up int) {
	if !n.c.Complete || n.c.UnresolvedMembers() > 0 {
		return 0, 0
	}
	for i := range n.c.Members {
		m := &n.c.Members[i]
		if m.Socket == "" && !schema.IsAddress(m.Host) {
			return 0, 0
		}
		if m.State != schema.Disabled {
			up++
		}
	}
	return len(n.c.Members), up
}

// passive completes max_fails and fail_timeout, where a server writes one of them.
func (n *nginxCopy) passive() {
	isOff := n.has("max_fails")
	if !n.c.States(schema.Decision) && !n.c.States(schema.Cooldown) && !isOff {
		return
	}
	if isOff {
		n.note("max_fails", schema.Textf("max_fails=0: NGINX counts no failures, and takes no server out", "max_fails=0：NGINX 不统计失败，也不会摘除任何服务器"))
	} else {
		n.fill("decision.consecutive", schema.IntOf(nginxMaxFails), schema.Textf("default of NGINX: max_fails=1", "NGINX 默认：max_fails=1"))
	}
	why := schema.Textf("default of NGINX: fail_timeout=10s", "NGINX 默认：fail_timeout=10s")
	if n.single() {
		why = schema.Textf("default of NGINX: fail_timeout=10s, ignored: a pool of one address is never taken out", "NGINX 默认：fail_timeout=10s，但被忽略：只有一个地址的池不会被摘除")
	}
	n.fill("cooldown.duration", schema.DurationOf(nginxFailTimeout), why)
	if n.has("decision.consecutive") {
		why := schema.Textf("failures count together while each follows the last within fail_timeout; passes in between do not clear them", "每次失败在 fail_timeout 内跟随上一次即累计；期间的成功不会清零")
		if n.single() {
			why = schema.Textf("ignored: a pool of one address is never taken out", "被忽略：只有一个地址的池不会被摘除")
		}
		if !n.has("zone") && !n.single() {
			why.En += "; without a zone each worker process counts for itself"
			why.Zh += "；没有 zone 时各工作进程分别计数"
		}
		n.note("decision.consecutive", why)
	}
	if f, ok := n.c.Get("cooldown.duration"); ok {
		s := int64(f.Value.Duration() / time.Second)
		why := schema.Textf("counted in whole seconds: a server stays out for %d to %d s, then one request tries it", "按整秒计：服务器摘除 %d 至 %d 秒，之后放一个请求试探", s, s+1)
		switch {
		case isOff:
			why = schema.Textf("ignored: max_fails=0", "被忽略：max_fails=0")
		case n.single():
			why = schema.Textf("ignored: a pool of one address is never taken out", "被忽略：只有一个地址的池不会被摘除")
		}
		n.note("cooldown.duration", why)
	}
	n.silent("max_fails", "decision.consecutive", schema.IntOf(nginxMaxFails))
	n.silent("fail_timeout", "cooldown.duration", schema.DurationOf(nginxFailTimeout))
	n.counts(isOff)
}

// silent names the servers that write nothing where others do, so that the default holds for them alone.
func (n *nginxCopy) silent(name, path schema.Path, def schema.Value) {
	pool, ok := n.c.Get(path)
	if !ok {
		pool, ok = n.c.Get(name)
	}
	if !ok || pool.Value == def || n.unread(name) {
		return
	}
	says := func(m *schema.Member) bool { _, ok := m.Get(name); return ok }
	var silent []*schema.Member
	for i := range n.c.Members {
		if m := &n.c.Members[i]; !says(m) && m.State != schema.Disabled {
			silent = append(silent, m)
		}
	}
	if len(silent) == len(n.c.Members) {
		return // no list of servers with values of their own
	}
	for _, m := range silent {
		n.add("server."+schema.Path(m.ID())+"."+name, def, schema.Textf("default of NGINX: this server writes no %s, others do", "NGINX 默认：该服务器未写 %s，其他服务器写了", name))
	}
}

// counts lists what NGINX counts as a failure: errors of the connection always, statuses where retry.on names them.
// 403 and 404 cause a retry and are never counted.
func (n *nginxCopy) counts(off bool) {
	on, ok := n.c.Get("retry.on")
	if !ok || off {
		return
	}
	list := []string{"connect", "timeout"}
	if !n.stream() {
		list = append(list, "invalid_header")
		for _, cause := range on.Value.List() {
			if status, ok := strings.CutPrefix(cause, "http_"); ok && status != "403" && status != "404" {
				list = append(list, status)
			}
		}
	}
	n.fill("decision.counts", schema.ListOf(list...), schema.Textf("errors of the connection always count; a status only where next_upstream names it, 403 and 404 never", "连接类错误总是计入；状态码只有列入 next_upstream 才计入，403 和 404 从不计入"))
}

func (n *nginxCopy) ramp() {
	if !n.has("ramp.window") {
		return
	}
	var why schema.Text
	if !strings.HasPrefix(n.c.Profile, "nginx-plus") {
		why = schema.Textf("slow_start is of NGINX Plus only: open source NGINX refuses the file", "slow_start 仅 NGINX Plus 支持：开源 NGINX 会拒绝该文件")
	}
	if n.single() {
		why = schema.Textf("ignored: a pool of one address has no slow start", "被忽略：只有一个地址的池没有慢启动")
	}
	if b, ok := n.c.Get("balance"); ok {
		if method, _, _ := strings.Cut(b.Value.Text(), " "); method == "hash" || method == "ip_hash" || method == "random" {
			why = schema.Textf("slow_start does not work with %s", "slow_start 不能与 %s 同用", method)
		}
	}
	if why.En != "" {
		n.note("ramp.window", why)
	}
}

// retry completes what a place that uses the pool leaves out, where it writes anything about retries.
func (n *nginxCopy) retry() {
	if !n.c.States(schema.Retry) {
		return
	}
	n.attempts()
	if n.has("include") {
		return // an included file may write what is missing here
	}
	def := func(what string) schema.Text {
		return schema.Textf("default of NGINX, where no block around this file writes another: %s", "NGINX 默认值（外层文件未另行设置时）：%s", what)
	}
	if n.stream() {
		n.fill("proxy_connect_timeout", schema.DurationOf(nginxProxyTime), def("60s"))
		return
	}
	if !n.differ("next_upstream") {
		n.fill("retry.on", schema.ListOf("error", "timeout"), def("error timeout"))
		n.fill("retry.nonIdempotent", schema.BoolOf(false), schema.Textf("default of NGINX: POST, LOCK and PATCH are not sent twice", "NGINX 默认：POST、LOCK、PATCH 不会重发"))
	}
	family := "proxy_"
	if f, ok := n.c.Get("pass"); ok {
		var one bool
		if family, one = strings.CutSuffix(f.Value.Text(), "pass"); !one || strings.Contains(family, " ") {
			return // several protocols, each with its own limits
		}
	}
	for _, name := range []string{"connect_timeout", "read_timeout"} {
		if !n.differ(name) {
			n.fill(schema.Path(family+name), schema.DurationOf(nginxProxyTime), def("60s"))
		}
	}
}

// differ reports whether the places that use the pool write a setting differently, so that no default holds for all.
func (n *nginxCopy) differ(suffix string) bool {
	for i := range n.c.Fields {
		if strings.Contains(string(n.c.Fields[i].Path), "_"+suffix+"@") {
			return true
		}
	}
	return false
}

// attempts says how often a request is tried again: once on each further server, backups included, unless tries bounds
// it.
func (n *nginxCopy) attempts() {
	_, count := n.addresses()
	more := schema.IntOf(int64(max(count-1, 0)))
	if on, ok := n.c.Get("retry.on"); ok && len(on.Value.List()) == 0 {
		n.add("retry.attempts", schema.IntOf(0), schema.Textf("next_upstream is off: one attempt", "next_upstream 为 off：只尝试一次"))
		return
	}
	f, written := n.c.Get("retry.attempts")
	switch {
	case count == 0 || !written && n.has("include") || n.differ("next_upstream") || n.differ("next_upstream_tries"):
	case written && f.Value.Int() > more.Int():
		n.add("retry.attempts", more, schema.Textf("each server is tried once, and there are %s", "每个服务器只尝试一次，共有 %s 个", strconv.Itoa(count)))
	case !written:
		n.fill("retry.attempts", more, schema.Textf("default of NGINX: each server is tried once, backups included", "NGINX 默认：每个服务器尝试一次，包括 backup"))
	}
}

// probe completes health_check of NGINX Plus, or check of Tengine.
func (n *nginxCopy) probe() {
	if !n.c.States(schema.Probe) {
		return
	}
	if n.has("check") {
		why := schema.Textf("default of check", "check 的默认值")
		n.fill("probe.interval", schema.DurationOf(30*time.Second), why)
		n.fill("probe.timeout", schema.DurationOf(time.Second), why)
		n.fill("probe.fall", schema.IntOf(5), why)
		n.fill("probe.rise", schema.IntOf(2), why)
		n.fill("probe.protocol", schema.TextOf("tcp"), why)
		return
	}
	if !n.has("health_check") {
		return
	}
	why := schema.Textf("default of health_check", "health_check 的默认值")
	n.fill("probe.interval", schema.DurationOf(nginxCheckEvery), why)
	n.fill("probe.fall", schema.IntOf(1), why)
	n.fill("probe.rise", schema.IntOf(1), why)
	if n.stream() {
		n.fill("probe.timeout", schema.DurationOf(nginxCheckEvery), why)
		n.fill("probe.protocol", schema.TextOf("tcp"), why)
		return
	}
	if n.says("probe.protocol", "grpc") {
		return
	}
	n.fill("probe.path", schema.TextOf("/"), why)
	if !n.has("health_check.match") {
		n.fill("probe.expect.statuses", schema.ListOf("200-399"), why)
	}
}
