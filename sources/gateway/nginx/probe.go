package nginx

import (
	"slices"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
)

// probes binds the health checks of NGINX Plus, which stand beside the places that use the pool: the first is the
// pool's probe. Of several checks each can take a server out; further ones are settings.
func (p *pool) probes(uses []*use) {
	seen := map[*directive]bool{}
	var first *directive
	others := 0
	for _, u := range uses {
		for _, d := range u.scope.set["health_check"] {
			if seen[d] {
				continue
			}
			seen[d] = true
			switch {
			case d.maybe:
				p.c.Unresolve("probe", strings.Clone(p.src[d.first():d.end]), d.span())
			case first == nil:
				first = d
				p.healthCheck(d, u)
			case !alike([]*directive{first}, []*directive{d}):
				others++
				p.c.Set(schema.Path("health_check#"+strconv.Itoa(others+1)), schema.TextOf(d.text()), d.head())
			}
		}
	}
}

// healthCheck binds one health_check of NGINX Plus.
func (p *pool) healthCheck(d *directive, u *use) {
	p.c.Touch(schema.Probe, d.head())
	p.c.Set("health_check", words(d), d.head())
	for _, a := range d.args {
		key, v, set := a.value()
		switch {
		case bind.HasTemplate(key, syntax) || placeholder(key):
			p.c.Unresolve("", strings.Clone(a.text), a.span())
		case key == "interval" && set:
			p.checkTime("probe.interval", key, v)
		case key == "jitter" && set:
			p.checkTime("health_check.jitter", key, v)
		case key == "keepalive_time" && set:
			p.checkTime("health_check.keepalive_time", key, v)
		case key == "fails" && set:
			p.checkNumber("probe.fall", key, v, 1)
		case key == "passes" && set:
			p.checkNumber("probe.rise", key, v, 1)
		case key == "port" && set:
			p.checkPort(v)
		case key == "uri" && set:
			p.b.Text("probe.path", v)
		case key == "type" && set:
			p.b.Text("probe.protocol", v)
		case key == "udp" && !set:
			p.c.Set("probe.protocol", schema.TextOf("udp"), a.span())
		case key == "match" && set:
			p.match(v)
		case key == "mandatory" || key == "persistent" || key == "grpc_service" || key == "grpc_status":
			value := schema.BoolOf(true)
			if set {
				value = literal(v.Text)
			}
			p.c.Set(schema.Path("health_check."+strings.Clone(key)), value, v.At)
		}
	}
	if ds := u.scope.find("health_check_timeout"); len(ds) > 0 && len(ds[0].args) > 0 {
		p.checkTime("probe.timeout", "health_check_timeout", ds[0].args[0].scalar())
	}
	p.neverRuns(d)
	p.c.ItemAt[schema.Probe] = d.head() // and not as far as the match block
}

// words is the value of a directive as a whole: its arguments, or true where it has none.
func words(d *directive) schema.Value {
	if len(d.args) == 0 {
		return schema.BoolOf(true)
	}
	return schema.TextOf(d.text())
}

// neverRuns reports a check that NGINX does not run: an interval of 0, no shared memory to keep its verdicts in, or an
// edition that has no checks.
func (p *pool) neverRuns(d *directive) {
	report := func(rule string, text, hint schema.Text) {
		p.c.Report(schema.Problem{Rule: rule, At: d.head(), Item: schema.Probe, Text: text, Hint: hint})
		p.c.Set("probe.off", schema.TextOf(text.En), d.head())
	}
	if p.edition == openSource {
		report("schema/invalid", schema.Textf("open source NGINX has no health_check and refuses the file", "开源 NGINX 没有 health_check，会拒绝该文件"),
			schema.Textf("take it away and rely on max_fails, or name the profile nginx-plus", "去掉它并依靠 max_fails，或将 profile 设为 nginx-plus"))
		return
	}
	if f, ok := p.c.Get("probe.interval"); ok && f.Value.Duration() == 0 {
		report("probe/never-runs", schema.Textf("health_check with interval=0 never runs", "interval=0 的 health_check 永远不会运行"), schema.Textf("write an interval such as 5s", "请写明间隔，例如 5s"))
		return
	}
	if p.c.Owned {
		report("probe/never-runs", schema.Textf("health_check needs an upstream block with a zone; here requests go to a host", "health_check 需要带 zone 的 upstream 块；此处请求直接发往主机"),
			schema.Textf("define upstream NAME { zone NAME 64k; server ...; } and pass to it", "请定义 upstream 名称 { zone 名称 64k; server ...; } 并转发给它"))
		return
	}
	if _, zone := p.c.Get("zone"); !zone && !p.open("zone") {
		report("probe/never-runs", schema.Textf("health_check needs a zone in the upstream block, which has none", "health_check 需要 upstream 块中有 zone，但没有"),
			schema.Textf("add: zone %s 64k;", "请添加：zone %s 64k;", p.c.Pool))
	}
}

// open reports whether a setting stands in the file as a template, or may come from an included file.
func (p *pool) open(path schema.Path) bool {
	return slices.ContainsFunc(p.c.Unresolved, func(u schema.Unresolved) bool { return u.Path == path || u.Path == "members" })
}

func (p *pool) checkTime(path schema.Path, key string, v bind.Scalar) {
	text, ok := p.b.Resolve(path, v)
	if !ok {
		return
	}
	if placeholder(text) {
		p.c.Unresolve(path, v.Text, v.At)
		return
	}
	d, err := parseAny(text)
	if err != nil {
		p.b.Refuse(path, v, "schema/invalid", timeProblem(key, text, err), timeHint(text, err))
		return
	}
	p.c.Set(path, schema.DurationOf(d), v.At)
}

func (p *pool) checkNumber(path schema.Path, key string, v bind.Scalar, lo int64) {
	if n, ok := p.natural(path, key, v, lo); ok {
		p.c.Set(path, schema.IntOf(n), v.At)
	}
}

func (p *pool) checkPort(v bind.Scalar) {
	n, ok := p.natural("probe.port", "port", v, 1)
	if ok && n > 65535 {
		p.b.Refuse("probe.port", v, "schema/invalid", schema.Textf("NGINX refuses port=%d: it is no port from 1 to 65535", "NGINX 拒绝 port=%d：不是 1 到 65535 的端口", n), schema.Text{})
		return
	}
	if ok {
		p.c.Set("probe.port", schema.IntOf(n), v.At)
	}
}

// match binds the conditions that a check asks of an answer. A match block of another file is unresolved.
func (p *pool) match(v bind.Scalar) {
	p.c.Set("health_check.match", schema.TextOf(v.Text), v.At)
	d := p.matches[v.Text]
	if d == nil {
		p.c.Unresolve("probe.expect.statuses", v.Text, v.At)
		return
	}
	for i := range d.body {
		in := &d.body[i]
		if len(in.args) == 0 {
			continue
		}
		if in.maybe || in.templated() {
			p.c.Unresolve("probe.expect.statuses", strings.Clone(p.src[in.first():in.end]), in.span())
			continue
		}
		at := schema.At(in.args[0].start, in.args[len(in.args)-1].end)
		switch in.name.text {
		case "status":
			path, codes := schema.Path("probe.expect.statuses"), in.args
			if codes[0].text == "!" {
				path, codes = "probe.badStatuses", codes[1:]
			}
			list := make([]string, len(codes))
			for j, c := range codes {
				list[j] = strings.Clone(c.text)
			}
			p.c.Set(path, schema.ListOf(list...), at)
		case "body", "expect":
			p.c.Set("probe.expect.body", schema.TextOf(in.text()), at)
		default:
			p.c.Set(schema.Path("match."+strings.Clone(in.name.text)), schema.TextOf(in.text()), at)
		}
	}
}

// looseChecks reports health checks in blocks that pass requests nowhere.
func (f *file) looseChecks() {
	for _, c := range f.checks {
		if c.scope.passes || c.d.maybe {
			continue
		}
		f.result.Report(schema.Problem{
			Rule: "probe/never-runs", At: c.d.head(), Item: schema.Probe,
			Text: schema.Textf("health_check stands in a block that passes requests to no upstream, so it never runs", "health_check 所在的块没有把请求转发给任何 upstream，永远不会运行"),
			Hint: schema.Textf("put it beside proxy_pass", "请将其放在 proxy_pass 旁边"),
		})
	}
}
