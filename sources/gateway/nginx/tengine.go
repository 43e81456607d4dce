package nginx

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
)

// tengine binds the checks of Tengine and of nginx_upstream_check_module, which stand in the upstream. Their times are
// bare numbers of milliseconds.
func (p *pool) tengine(d *directive) {
	if d.maybe {
		p.c.Unresolve("probe", strings.Clone(p.src[d.first():d.end]), d.span())
		return
	}
	p.c.Touch(schema.Probe, d.head())
	if p.c.Profile == engineName {
		p.c.Profile = "tengine" // NGINX itself has no such directive
	}
	switch d.name.text {
	case "check":
		p.tengineCheck(d)
	case "check_http_send":
		p.tengineSend(d)
	case "check_http_expect_alive":
		var statuses []string
		for _, a := range d.args {
			if a.template {
				p.c.Unresolve("probe.expect.statuses", strings.Clone(a.text), a.span())
				return
			}
			statuses = append(statuses, strings.Clone(strings.TrimPrefix(a.text, "http_")))
		}
		if len(statuses) > 0 {
			p.c.Set("probe.expect.statuses", schema.ListOf(statuses...), schema.At(d.args[0].start, d.args[len(d.args)-1].end))
		}
	default:
		p.setting(schema.Path(strings.Clone(d.name.text)), d)
	}
}

func (p *pool) tengineCheck(d *directive) {
	p.c.Set("check", words(d), d.head())
	for _, a := range d.args {
		key, v, set := a.value()
		switch {
		case bind.HasTemplate(key, syntax) || placeholder(key) || !set:
			p.c.Unresolve("", strings.Clone(a.text), a.span())
		case key == "interval":
			p.milliseconds("probe.interval", v)
		case key == "timeout":
			p.milliseconds("probe.timeout", v)
		case key == "fall":
			p.checkNumber("probe.fall", key, v, 1)
		case key == "rise":
			p.checkNumber("probe.rise", key, v, 1)
		case key == "port":
			p.checkPort(v)
		case key == "type":
			p.b.Text("probe.protocol", v)
		default:
			p.c.Set("check."+schema.Path(strings.Clone(key)), literal(v.Text), v.At)
		}
	}
	if f, ok := p.c.Get("probe.interval"); ok && f.Value.Duration() == 0 {
		text := schema.Textf("check with interval=0 never runs", "interval=0 的 check 永远不会运行")
		p.c.Report(schema.Problem{Rule: "probe/never-runs", At: f.At, Item: schema.Probe, Field: "interval", Text: text, Hint: schema.Textf("write an interval in milliseconds such as 3000", "请写明毫秒间隔，例如 3000")})
		p.c.Set("probe.off", schema.TextOf(text.En), f.At)
	}
}

// milliseconds binds a bare number of milliseconds; a unit cannot stand behind it.
func (p *pool) milliseconds(path schema.Path, v bind.Scalar) {
	text, ok := p.b.Resolve(path, v)
	if !ok {
		return
	}
	if placeholder(text) {
		p.c.Unresolve(path, v.Text, v.At)
		return
	}
	ms, err := schema.DurationIn(text, 1_000_000)
	if err == nil && strings.IndexByte(text, '.') < 0 {
		p.c.Set(path, schema.DurationOf(ms), v.At)
		return
	}
	if d, derr := schema.ParseDuration(text); derr == nil {
		p.b.Refuse(path, v, "schema/unit", schema.Textf("check takes bare milliseconds and refuses the unit in %q", "check 只接受不带单位的毫秒数，拒绝 %q 中的单位", text),
			schema.Textf("write %d", "请写 %d", d.Milliseconds()))
		return
	}
	p.b.Refuse(path, v, "schema/invalid", schema.Textf("check takes a whole number of milliseconds, not %q", "check 只接受整数毫秒，而不是 %q", clip(text)), schema.Text{})
}

// tengineSend reads method and path from the request that the check sends: "GET /ping HTTP/1.0\r\n\r\n".
func (p *pool) tengineSend(d *directive) {
	if len(d.args) == 0 {
		return
	}
	a := d.args[0]
	if a.template {
		p.c.Unresolve("probe.path", strings.Clone(a.text), a.span())
		return
	}
	line, _, _ := strings.Cut(a.text, "\r\n")
	fields := strings.Fields(line)
	if len(fields) < 2 {
		return
	}
	p.c.Set("probe.method", schema.TextOf(strings.Clone(fields[0])), a.span())
	p.c.Set("probe.path", schema.TextOf(strings.Clone(fields[1])), a.span())
}
