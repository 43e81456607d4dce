package haproxy

import "github.com/poolproof/poolproof/schema"

// probing are the parameters that only make sense on a checked server, observation among them.
var probing = [...]param{pInter, pFastinter, pDowninter, pRise, pFall, pCheckSSL, pCheckSNI, pCheckALPN, pCheckProto, pCheckProxy, pHealthcheck, pObserve}

// neverRuns reports a check that the section writes although none of its servers is checked. What stands in defaults
// says nothing about the sections that do not use it.
func (k *copier) neverRuns() {
	at, what := schema.Span{}, ""
	severity := schema.DefaultSeverity
	switch c := k.p.checks; {
	case c.own && !c.unsure:
		at, what = c.option.at, "option "+c.option.words[1].text
	case k.p.http != nil && !k.p.http.lines[0].unsure:
		at, what = k.p.http.lines[0].at, "http-check"
	case k.p.tcp != nil && !k.p.tcp.lines[0].unsure:
		at, what = k.p.tcp.lines[0].at, "tcp-check"
	}
	if what == "" {
		if o := k.ownProbing(); o != nil {
			at, what = o.at, o.name
			if o.param == pObserve {
				severity = schema.Warning
			}
		}
	}
	if what == "" {
		return
	}
	tracking := true
	for s := range k.p.servers.all() {
		tracking = tracking && s.get(pTrack) != nil
	}
	hint := schema.Textf(`add "check" to the servers or to default-server, or delete %q`, `在各 server 或 default-server 上加 "check"，或删除 %q`, what)
	if tracking { // the servers do follow a check, that of another section
		severity = schema.Warning
		hint = schema.Textf("the servers take their state from those that they track; delete %q", "这些 server 的状态来自所跟踪的 server；请删除 %q", what)
	}
	k.Copy.Set("probe.off", schema.TextOf("no server has check"), at)
	k.Copy.Report(schema.Problem{Rule: "probe/never-runs", Severity: severity, At: at, Item: schema.Probe, Field: "off", Got: what,
		Text: schema.Textf(`%q is written, but no server has "check": HAProxy never checks them and always takes them for up`, `写了 %q，但没有一个 server 带 "check"：HAProxy 从不探测，始终视为可用`, what),
		Hint: hint})
}

// ownProbing returns the first parameter of the section's own lines that needs a check.
func (k *copier) ownProbing() (first *option) {
	for _, p := range probing {
		if o := find(k.p.base, p); o != nil && o.own && !o.undo && !o.unsure && (first == nil || o.at.Start < first.at.Start) {
			first = o
		}
	}
	if first != nil {
		return first
	}
	for s := range k.p.servers.all() {
		for _, p := range probing {
			if o := s.get(p); o != nil && o.own && !o.undo && !o.unsure && (first == nil || o.at.Start < first.at.Start) {
				first = o
			}
		}
		if first != nil {
			return first
		}
	}
	return nil
}

// lostRequest warns of http-check lines that replace the rules of the defaults without sending a request: HAProxy then
// connects, sends nothing, and takes every check for failed.
func (k *copier) lostRequest(c *checks, q *request) {
	if q.option || q.steps > 0 || len(q.unsure) > 0 || len(k.p.opaque) > 0 || len(q.expects) == 0 || k.r.version.Known() && k.r.version.Less(2, 2) {
		return
	}
	k.Copy.Report(schema.Problem{Rule: "probe/never-runs", Severity: schema.Warning, At: q.expects[0].at, Item: schema.Probe, Field: "expect",
		Text:    schema.Textf("the section's http-check lines replace all those of defaults, the request of its option httpchk among them (HAProxy 2.2 and later): checks connect, send nothing and fail", "本段的 http-check 会取代 defaults 中的全部规则，包括其 option httpchk 的请求（HAProxy 2.2 及以后）：探测只建立连接、不发请求，必然失败"),
		Hint:    schema.Textf("repeat option httpchk in this section", "在本段中重写 option httpchk"),
		Related: []schema.Note{{At: c.option.at, Label: schema.Textf("the request that is lost", "丢失的请求")}}})
}

// unusedRules warns of http-check lines without option httpchk, which HAProxy ignores.
func (k *copier) unusedRules() {
	if k.p.http == nil || !k.p.inDefaults || len(k.p.opaque) > 0 || k.p.http.lines[0].unsure {
		return // the option may stand in defaults of another file
	}
	k.Copy.Report(schema.Problem{Rule: "probe/never-runs", Severity: schema.Warning, At: k.p.http.lines[0].at, Item: schema.Probe,
		Text: schema.Textf("HAProxy ignores http-check without option httpchk: the servers are only connected to", "没有 option httpchk 时 HAProxy 忽略 http-check：只对 server 建立连接"),
		Hint: schema.Textf("add option httpchk", "加上 option httpchk")})
}
