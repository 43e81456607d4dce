package nginx

import (
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
)

// memberPath is the path of the server line that is read next.
func (p *pool) memberPath() schema.Path {
	return schema.Path("members[" + strconv.Itoa(p.lines) + "]")
}

// server reads one server line.
func (p *pool) server(d *directive) {
	path := p.memberPath()
	p.lines++
	raw := func() string { return strings.Clone(p.src[d.first():d.end]) }
	if d.maybe {
		p.c.Complete, p.primary = false, true
		p.c.Unresolve(path, raw(), d.span())
		p.tallies(d)
		return
	}
	if len(d.args) == 0 {
		p.primary = true
		s := d.name.scalar()
		p.b.Refuse(path, s, "schema/invalid", schema.Textf("NGINX wants an address after server", "NGINX 要求 server 之后有地址"), schema.Textf("write server HOST:PORT;", "请写成 server 主机:端口;"))
		return
	}
	a := d.args[0]
	text, ok := bind.Expand(a.text, p.in.Vars, syntax)
	if !ok || placeholder(text) {
		p.primary = p.primary || !p.saysBackup(d)
		p.c.Unresolve(path, raw(), d.span())
		p.tallies(d)
		return
	}
	text, _ = p.b.Resolve(path, a.scalar())
	addr, bad := parseAddress(text, p.stream)
	if bad != nil {
		p.primary = p.primary || !p.saysBackup(d)
		why := schema.Textf("NGINX refuses the server %q: ", "NGINX 拒绝服务器 %q：", clip(a.text))
		why.En, why.Zh = why.En+bad.why.En, why.Zh+bad.why.Zh
		p.b.Refuse(path, a.scalar(), "schema/invalid", why, bad.hint)
		return
	}
	m := schema.Member{At: d.span(), Host: strings.Clone(addr.host), Port: uint16(addr.port), Socket: strings.Clone(addr.socket), HostAt: a.span()}
	if text == a.text {
		m.HostAt = a.part(addr.hostFrom, addr.hostTo)
	}
	switch {
	case addr.port != 0 && text == a.text:
		m.PortAt = a.part(addr.portFrom, len(text))
	case addr.port != 0:
		m.PortAt = a.span()
	case addr.socket == "":
		m.Port, m.PortImplied = 80, true
	}
	if addr.octal {
		p.c.Report(schema.Problem{
			Rule: "source/scalar-hazard", Severity: schema.Warning, At: m.HostAt, Item: schema.Members, Got: strings.Clone(a.text), Want: m.Host, Member: m.ID(),
			Text: schema.Textf("%q has leading zeros: NGINX reads %s, other programs read octal numbers or refuse it", "%q 含前导零：NGINX 读作 %s，其他程序按八进制读取或拒绝", clip(a.text), m.Host),
			Hint: schema.Textf("write %s", "请写成 %s", m.Host),
		})
	}
	p.parameters(&m, path, d.args[1:])
	if m.Backup != schema.Yes {
		p.primary = true
	}
	if m.Origin != schema.Static {
		p.c.Complete = false
	}
	p.c.Members = append(p.c.Members, m)
}

func (p *pool) saysBackup(d *directive) bool {
	for _, a := range d.args {
		if a.text == "backup" {
			return true
		}
	}
	return false
}
