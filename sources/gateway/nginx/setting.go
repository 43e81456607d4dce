package nginx

import (
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/gateway/internal/spelling"
)

// methods choose the member of a request; known lists the other directives of an upstream, of NGINX, NGINX Plus and
// widespread modules; once those of them that NGINX refuses to see twice.
var (
	methods = []string{"least_conn", "ip_hash", "hash", "random", "least_time", "fair", "consistent_hash", "round_robin"}
	known   = []string{"zone", "keepalive", "keepalive_requests", "keepalive_time", "keepalive_timeout", "ntlm", "queue", "resolver", "resolver_timeout",
		"sticky", "sticky_cookie_insert", "session_sticky", "session_sticky_hide_cookie", "jvm_route", "upstream_conf"}
	once = []string{"keepalive", "keepalive_requests", "keepalive_time", "keepalive_timeout"}
)

func (p *pool) twice(d *directive) {
	p.c.Report(schema.Problem{
		Rule: "source/duplicate-key", At: d.head(), Field: d.name.text,
		Text: schema.Textf("%s stands twice in the upstream; NGINX refuses the file", "upstream 中 %s 出现了两次；NGINX 会拒绝该文件", d.name.text),
		Hint: schema.Textf("keep one of them", "只保留一个"),
	})
}

// balance records how a member is chosen. A method does not take "backup" on lines that follow it.
func (p *pool) balance(d *directive) {
	if d.maybe || d.templated() {
		p.c.Unresolve("balance", strings.Clone(p.src[d.first():d.end]), d.span())
		return
	}
	p.method = strings.Clone(d.name.text)
	text := p.method
	if len(d.args) > 0 {
		text += " " + d.text()
	}
	p.c.Set("balance", schema.TextOf(text), d.head())
	if !p.takesBackup() {
		for _, w := range p.backups {
			p.refuseBackup(w, schema.Warning)
		}
	}
}

// takesBackup reports whether the method so far takes backups: of those of NGINX, hash, ip_hash and random do not.
func (p *pool) takesBackup() bool {
	return p.method != "hash" && p.method != "ip_hash" && p.method != "random"
}

func (p *pool) refuseBackup(w word, severity schema.Severity) {
	text := schema.Textf(`NGINX refuses "backup" together with %s`, `NGINX 拒绝 "backup" 与 %s 同时使用`, p.method)
	if severity == schema.Warning {
		text = schema.Textf(`"backup" does not go with %s; NGINX overlooks it only because the method stands below the servers`, `"backup" 不能与 %s 同时使用；NGINX 未拒绝只是因为负载均衡方法写在服务器之后`, p.method)
	}
	p.c.Report(schema.Problem{
		Rule: "schema/invalid", Severity: severity, At: w.span(), Item: schema.Members, Field: "backup", Got: "backup", Text: text,
		Hint: schema.Textf("take backup away, or use least_conn or round robin", "去掉 backup，或改用 least_conn 或轮询"),
	})
}

// setting records a directive under its own name: a number, a length of time, else its text.
func (p *pool) setting(path schema.Path, d *directive) {
	if d.maybe || d.templated() {
		p.c.Unresolve(path, strings.Clone(p.src[d.first():d.end]), d.span())
		return
	}
	switch len(d.args) {
	case 0:
		p.c.Set(path, schema.BoolOf(true), d.head())
		return
	case 1:
		a := d.args[0]
		text, ok := bind.Expand(a.text, p.in.Vars, syntax&^bind.DollarBare)
		if !ok {
			p.c.Unresolve(path, strings.Clone(a.text), a.span())
			return
		}
		p.c.Set(path, literal(text), a.span())
		return
	}
	p.c.Set(path, schema.TextOf(d.text()), schema.At(d.args[0].start, d.args[len(d.args)-1].end))
}

// written records that a directive stands there, without its arguments: nobody knows what a foreign module keeps in
// them, and it may be a secret.
func (p *pool) written(d *directive) {
	if path := schema.Path(strings.Clone(d.name.text)); path != "" && path.Item() == schema.NoItem {
		p.c.Set(path, schema.BoolOf(true), d.head())
	}
}

// literal reads a whole number, or a time that has a unit, or text.
func literal(text string) schema.Value {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return schema.IntOf(n)
	}
	if d, err := parseMillis(text); err == nil {
		return schema.DurationOf(d)
	}
	return schema.TextOf(strings.Clone(text))
}

// unknown judges a directive that no upstream has: a slip of the pen loses a server or a setting.
func (p *pool) unknown(d *directive) {
	near := spelling.Nearest(d.name.text, append([]string{"server"}, append(methods, known...)...))
	if near == "" {
		p.written(d)
		return
	}
	p.c.Report(schema.Problem{
		Rule: "schema/unknown-key", Severity: schema.Warning, At: d.name.span(), Got: strings.Clone(d.name.text), Want: near,
		Text: schema.Textf("NGINX knows no %q in an upstream; is %q meant?", "NGINX 的 upstream 中没有 %q；是否应为 %q？", clip(d.name.text), near),
		Hint: schema.Textf("write %s", "请写成 %s", near),
	})
	if near == "server" {
		p.c.Unresolved = append(p.c.Unresolved, schema.Unresolved{Path: p.memberPath(), Raw: strings.Clone(p.src[d.first():d.end]), At: d.span(), Quiet: true})
		p.lines++
	}
}

// backupsAlone reports a list that holds nothing but backups.
func (p *pool) backupsAlone() {
	if p.primary || len(p.backups) == 0 {
		return
	}
	p.c.Report(schema.Problem{
		Rule: "schema/invalid", At: p.c.PoolAt, Item: schema.Members,
		Text: schema.Textf("every server of upstream %q is a backup; NGINX refuses an upstream without a primary server", "upstream %q 的服务器全是 backup；NGINX 拒绝没有主服务器的 upstream", p.c.Pool),
		Hint: schema.Textf("take backup away from at least one server", "至少去掉一个服务器的 backup"),
	})
}
