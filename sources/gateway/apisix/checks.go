package apisix

import (
	"math"
	"slices"
	"strconv"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

// checks reads active checks as the probe and passive ones as the decision.
func (r *reader) checks(n *data.Node) {
	if !r.isMap("checks", n) {
		return
	}
	active, passive := n.Get("active"), n.Get("passive")
	if !absent(active) && r.isMap("checks.active", active) {
		r.copy.Touch(schema.Probe, active.Place())
		before := len(r.copy.Fields)
		r.active(active)
		for _, block := range [...]*data.Node{n, active, active.Get("healthy"), active.Get("unhealthy")} {
			r.uncertain(before, block)
		}
	}
	if absent(passive) || !r.isMap("checks.passive", passive) {
		return
	}
	if absent(active) && !n.Partial {
		p := n.Pair("passive")
		r.copy.Report(schema.Problem{Rule: "schema/invalid", At: p.KeyAt, Item: schema.Decision, Field: "checks.passive",
			Text: schema.Textf("passive checks without active ones; APISIX refuses them, because nothing could return a member", "只有被动检查而没有主动检查；APISIX 会拒绝，因为成员无法恢复"),
			Hint: schema.Textf("add checks.active", "请加上 checks.active")})
	}
	before := len(r.copy.Fields)
	r.passive(passive)
	for _, block := range [...]*data.Node{n, passive, passive.Get("healthy"), passive.Get("unhealthy")} {
		r.uncertain(before, block)
	}
}

func (r *reader) active(n *data.Node) {
	var healthy, unhealthy *data.Node
	tcp := text(n.Get("type")) == "tcp"
	for i := range n.Pairs {
		v := n.Pairs[i].Value
		switch n.Pairs[i].Key {
		case "type":
			r.words("probe.protocol", v)
		case "timeout":
			r.seconds("probe.timeout", v, zeroTaken)
		case "http_path":
			r.words("probe.path", v)
		case "http_method":
			r.words("probe.method", v)
		case "host":
			r.words("probe.host", v)
		case "port":
			r.count("probe.port", v, 1, 65535)
		case "concurrency":
			r.count("checks.active.concurrency", v, 0, math.MaxInt32)
		case "https_verify_certificate":
			r.flag("checks.active.https_verify_certificate", v)
		case "healthy":
			healthy = v
		case "unhealthy":
			unhealthy = v
		}
	}
	r.runs(n, healthy, unhealthy)
	if !absent(healthy) && r.isMap("checks.active.healthy", healthy) {
		r.present("checks.active.healthy", healthy)
		r.interval("probe.interval", healthy.Get("interval"))
		r.count("probe.rise", healthy.Get("successes"), 1, 254)
		r.statuses("probe.expect.statuses", healthy.Get("http_statuses"))
	}
	if absent(unhealthy) || !r.isMap("checks.active.unhealthy", unhealthy) {
		return
	}
	r.present("checks.active.unhealthy", unhealthy)
	r.interval("probe.intervals.down", unhealthy.Get("interval"))
	r.statuses("probe.badStatuses", unhealthy.Get("http_statuses"))
	// Each kind of failure has a count of its own; the model's fall is the one that the probe's type can reach.
	http, connect := schema.Path("probe.fall"), schema.Path("checks.active.unhealthy.tcp_failures")
	if tcp {
		http, connect = "checks.active.unhealthy.http_failures", "probe.fall"
	}
	r.count(http, unhealthy.Get("http_failures"), 1, 254)
	r.count(connect, unhealthy.Get("tcp_failures"), 1, 254)
	r.count("checks.active.unhealthy.timeouts", unhealthy.Get("timeouts"), 1, 254)
}

// present records that an object is written: its presence alone switches APISIX's defaults on.
func (r *reader) present(p schema.Path, n *data.Node) {
	if len(n.Pairs) == 0 {
		r.copy.Set(p, schema.TextOf("{}"), n.Place())
	}
}

// runs reports a probe that does not run. The defaults of an interval stand inside healthy and unhealthy; where such an
// object is not written, the health library's own interval of 0 applies, which is off.
func (r *reader) runs(n, healthy, unhealthy *data.Node) {
	p := schema.Problem{Rule: "probe/never-runs", At: start(n), Item: schema.Probe}
	switch {
	case n.Partial || !absent(healthy) && !absent(unhealthy):
		return
	case absent(healthy) && absent(unhealthy):
		p.Text = schema.Textf("checks.active without healthy and unhealthy: APISIX never runs the probe", "checks.active 没有 healthy 和 unhealthy：APISIX 不会运行探测")
		p.Hint = schema.Textf("write healthy.interval and unhealthy.interval, in seconds", "请写明 healthy.interval 和 unhealthy.interval（秒）")
		r.copy.Set("probe.off", schema.TextOf("neither healthy nor unhealthy is written"), start(n))
	case absent(healthy):
		p.Severity = schema.Warning
		p.Text = schema.Textf("checks.active without healthy: APISIX probes no member that is in, so the probe takes none out", "checks.active 没有 healthy：APISIX 不探测在用成员，探测不会摘除任何成员")
		p.Hint = schema.Textf("write healthy.interval, in seconds", "请写明 healthy.interval（秒）")
	default:
		p.Severity = schema.Warning
		p.Text = schema.Textf("checks.active without unhealthy: APISIX probes no member that is out, so none returns", "checks.active 没有 unhealthy：APISIX 不探测已摘除的成员，成员不会恢复")
		p.Hint = schema.Textf("write unhealthy.interval, in seconds", "请写明 unhealthy.interval（秒）")
	}
	r.copy.Report(p)
}

func (r *reader) passive(n *data.Node) {
	r.copy.Touch(schema.Decision, n.Place())
	if kind := n.Get("type"); kind != nil {
		r.words("checks.passive.type", kind)
	}
	if healthy := n.Get("healthy"); !absent(healthy) && r.isMap("checks.passive.healthy", healthy) {
		r.present("checks.passive.healthy", healthy)
		r.count("checks.passive.healthy.successes", healthy.Get("successes"), 0, 254)
		r.statuses("checks.passive.healthy.http_statuses", healthy.Get("http_statuses"))
	}
	unhealthy := n.Get("unhealthy")
	if absent(unhealthy) || !r.isMap("checks.passive.unhealthy", unhealthy) {
		return
	}
	r.present("checks.passive.unhealthy", unhealthy)
	r.statuses("decision.counts", unhealthy.Get("http_statuses"))
	r.count("checks.passive.unhealthy.tcp_failures", unhealthy.Get("tcp_failures"), 0, 254)
	r.count("checks.passive.unhealthy.timeouts", unhealthy.Get("timeouts"), 0, 254)
	failures := unhealthy.Get("http_failures")
	if v, ok := r.whole("decision.consecutive", failures, 0, 254); ok {
		p := schema.Path("decision.consecutive")
		if v == 0 { // switches the counter off: no decision
			p = "checks.passive.unhealthy.http_failures"
		}
		r.copy.Set(p, schema.IntOf(v), failures.Place())
	}
}

// statuses reads a list of HTTP statuses, sorted: their order means nothing.
func (r *reader) statuses(p schema.Path, n *data.Node) {
	if absent(n) {
		return
	}
	if n.Kind != data.List {
		r.wrongKind(p, n, "a list of statuses", "状态码列表")
		return
	}
	codes := make([]int64, 0, len(n.Items))
	for _, item := range n.Items {
		code, ok := r.whole(p, item, 200, 599)
		if !ok {
			return
		}
		codes = append(codes, code)
	}
	slices.Sort(codes)
	words := make([]string, 0, len(codes))
	for _, code := range slices.Compact(codes) {
		words = append(words, strconv.FormatInt(code, 10))
	}
	r.copy.Set(p, schema.ListOf(words...), n.Place())
}
