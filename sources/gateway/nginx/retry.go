package nginx

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/gateway/internal/spelling"
)

// retries binds what the places that use the pool write about retries and time limits. What all of them write alike is
// the pool's; where they differ, each value is a setting "NAME@OWNER", and the pool has none.
func (p *pool) retries(uses []*use) {
	if len(uses) == 0 {
		return
	}
	p.passed(uses)
	for _, suffix := range inherited {
		first := uses[0].find(suffix)
		same := len(first) > 0
		for _, u := range uses[1:] {
			if !alike(first, u.find(suffix)) {
				same = false
				break
			}
		}
		if same {
			p.inherit(suffix, first)
			continue
		}
		p.differing(suffix, uses)
	}
	for _, u := range uses {
		if u.target.port != 0 && !u.target.partial && u.target.host != "" && !p.c.Owned {
			p.portAfterName(u)
		}
	}
}

// passed records which directives hand requests to the pool, where it is not proxy_pass alone: the names of the settings
// follow from it. It also records an include beside them, which may hold further settings.
func (p *pool) passed(uses []*use) {
	var names []string
	for _, u := range uses {
		if name := u.family + "pass"; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, u := range uses {
		if d := u.scope.included(); d != nil {
			p.c.Set("include", schema.TextOf(d.text()), d.head())
			break
		}
	}
	if len(names) > 1 || names[0] != "proxy_pass" {
		p.c.Set("pass", schema.TextOf(strings.Join(names, " ")), uses[0].d.head())
	}
}

// alike reports whether two places write a setting with the same words.
func alike(a, b []*directive) bool {
	return slices.EqualFunc(a, b, func(x, y *directive) bool {
		return x == y || slices.EqualFunc(x.args, y.args, func(v, w word) bool { return v.text == w.text })
	})
}

func (p *pool) differing(suffix string, uses []*use) {
	told := map[string]bool{}
	for _, u := range uses {
		for _, d := range u.find(suffix) {
			text := d.text()
			if told[text] {
				continue
			}
			told[text] = true
			path := schema.Path(d.name.text + "@" + u.scope.owner())
			if d.templated() {
				p.c.Unresolve(path, text, d.span())
			} else {
				p.c.Fields = append(p.c.Fields, schema.Field{Path: path, Value: schema.TextOf(text), At: d.head()})
			}
		}
	}
}

// inherit binds a setting that all places share.
func (p *pool) inherit(suffix string, ds []*directive) {
	d := ds[len(ds)-1]
	path := schema.Path(strings.Clone(d.name.text))
	switch suffix {
	case "next_upstream":
		path = "retry.on"
	case "next_upstream_tries":
		path = "retry.attempts"
	case "next_upstream_timeout":
		path = "retry.total"
	}
	if d.maybe || len(d.args) == 0 {
		p.c.Unresolve(path, strings.Clone(p.src[d.first():d.end]), d.span())
		return
	}
	if suffix != "next_upstream" && len(d.args) != 1 {
		p.b.Refuse(path, bind.Scalar{Text: d.text(), At: d.head()}, "schema/invalid", schema.Textf("NGINX wants one value after %s, here are %d", "NGINX 要求 %s 之后只有一个值，这里有 %d 个", d.name.text, len(d.args)),
			schema.Textf("write the parts of a time together, as in 1m30s", "时间的各部分请连写，例如 1m30s"))
		return
	}
	switch suffix {
	case "next_upstream":
		p.retryOn(ds)
	case "next_upstream_tries":
		n, ok := p.natural(path, d.name.text, d.args[0].scalar(), 0)
		switch {
		case ok && n > 0:
			p.c.Set(path, schema.IntOf(n-1), d.args[0].span()) // tries count the first one
		case ok: // 0 is no limit, not no attempt
			p.c.Set(schema.Path(strings.Clone(d.name.text)), schema.IntOf(0), d.args[0].span())
		}
	default:
		p.limit(path, d)
	}
}

// limit binds a time limit. 0 means none for next_upstream_timeout, so it is a setting of that name and no total.
func (p *pool) limit(path schema.Path, d *directive) {
	v := d.args[0].scalar()
	text, ok := p.b.Resolve(path, v)
	if !ok {
		return
	}
	if placeholder(text) {
		p.c.Unresolve(path, v.Text, v.At)
		return
	}
	t, err := parseMillis(text)
	if err != nil {
		p.b.Refuse(path, v, "schema/invalid", timeProblem(d.name.text, text, err), timeHint(text, err))
		return
	}
	if path == "retry.total" && t == 0 {
		path = schema.Path(strings.Clone(d.name.text))
	}
	p.c.Set(path, schema.DurationOf(t), v.At)
}

// causes are the words of proxy_next_upstream and its kin.
var causes = []string{"error", "timeout", "denied", "invalid_header", "invalid_response", "not_found", "http_500", "http_502", "http_503", "http_504", "http_403", "http_404", "http_429",
	"non_idempotent", "updating", "off", "on"}

// retryOn binds the causes of a retry. NGINX joins repeated directives of one block, and "off" silences all others.
// The stream module knows on and off alone: it goes on when no connection can be made.
func (p *pool) retryOn(ds []*directive) {
	var on []string
	at := schema.Span{}
	off := false
	for _, d := range ds {
		for _, a := range d.args {
			text, ok := bind.Expand(a.text, p.in.Vars, syntax)
			if !ok {
				p.c.Unresolve("retry.on", strings.Clone(a.text), a.span())
				return
			}
			if !slices.Contains(causes, text) {
				p.refuseCause(d, a, text)
				return
			}
			at = schema.Join(at, a.span())
			switch text {
			case "off":
				off = true
			case "non_idempotent":
				p.c.Set("retry.nonIdempotent", schema.BoolOf(true), a.span())
			case "on":
				on = append(on, "error", "timeout")
			default:
				on = append(on, strings.Clone(text))
			}
		}
	}
	if off {
		on = nil
	}
	p.c.Set("retry.on", schema.ListOf(on...), at)
}

func (p *pool) refuseCause(d *directive, a word, text string) {
	hint := schema.Textf("it knows error, timeout, invalid_header, http_500, http_502, http_503, http_504, http_403, http_404, http_429, non_idempotent and off", "可用取值有 error、timeout、invalid_header、http_500、http_502、http_503、http_504、http_403、http_404、http_429、non_idempotent 和 off")
	if near := spelling.Nearest(text, causes); near != "" {
		hint = schema.Textf("is %s meant?", "是否应为 %s？", near)
	}
	p.b.Refuse("retry.on", a.scalar(), "schema/invalid", schema.Textf("NGINX refuses %q in %s", "NGINX 拒绝 %[2]s 中的 %[1]q", clip(text), d.name.text), hint)
}

// portAfterName reports a port behind the name of an upstream.
func (p *pool) portAfterName(u *use) {
	a := u.d.args[0]
	p.c.Report(schema.Problem{
		Rule: "schema/invalid", At: a.part(u.target.from, u.target.to), Got: strings.Clone(a.text),
		Text: schema.Textf("NGINX refuses a port after the name of an upstream: %q has its ports in its server lines", "NGINX 拒绝在 upstream 名称后写端口：%q 的端口写在其 server 行中", p.c.Pool),
		Hint: schema.Textf("write %s without :%d", "请写 %s，去掉 :%d", u.target.host, u.target.port),
	})
}
