package nginx

import (
	"errors"
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

// tallies reads the parameters that count for the whole pool from a server that is known by a template only.
func (p *pool) tallies(d *directive) {
	for _, a := range d.args[min(1, len(d.args)):] {
		switch key, v, set := a.value(); {
		case set && (key == "max_fails" || key == "fail_timeout" || key == "slow_start"):
			m := schema.Member{Host: strings.Clone(d.args[0].text)}
			p.perServer(&m, key, v, d.maybe)
		}
	}
}

// parameterNames are those that NGINX, NGINX Plus and widespread modules know on a server line.
var parameterNames = []string{"weight", "max_conns", "max_fails", "fail_timeout", "slow_start", "backup", "down", "drain", "resolve", "service", "route", "id", "srun_id", "sid"}

// parameters reads what follows the address.
func (p *pool) parameters(m *schema.Member, path schema.Path, args []word) {
	seen := map[string]bool{}
	for _, a := range args {
		key, v, set := a.value()
		if bind.HasTemplate(key, syntax) || placeholder(key) {
			p.c.Unresolve("", strings.Clone(a.text), a.span())
			continue
		}
		if seen[key] {
			p.c.Report(schema.Problem{
				Rule: "source/duplicate-key", At: a.span(), Item: schema.Members, Field: strings.Clone(key), Member: m.ID(),
				Text: schema.Textf("%s stands twice on the line; NGINX uses the last one", "%s 在该行出现两次；NGINX 采用最后一个", key),
				Hint: schema.Textf("keep one of them", "只保留一个"),
			})
		}
		seen[key] = true
		p.parameter(m, path, a, key, v, set)
	}
}

func (p *pool) parameter(m *schema.Member, path schema.Path, a word, key string, v bind.Scalar, set bool) {
	extra := func(name schema.Path, value schema.Value) {
		m.Extra = append(m.Extra, schema.Field{Path: name, Value: value, At: v.At})
	}
	switch {
	case key == "weight" && set:
		if n, ok := p.natural(path+".weight", key, v, 1); ok {
			m.HasWeight, m.Weight, m.WeightAt = true, n, v.At
		}
	case key == "max_conns" && set:
		if n, ok := p.natural(path+".maxConnections", key, v, 0); ok {
			extra("maxConnections", schema.IntOf(n))
		}
	case (key == "max_fails" || key == "fail_timeout" || key == "slow_start") && set:
		p.perServer(m, key, v, false)
	case key == "backup" && !set:
		m.Backup, m.BackupAt = schema.Yes, a.span()
		p.backups = append(p.backups, a)
		if !p.takesBackup() {
			p.refuseBackup(a, schema.DefaultSeverity)
		}
	case key == "down" && !set:
		m.State, m.StateAt = schema.Disabled, a.span()
	case key == "drain" && !set:
		if m.State != schema.Disabled {
			m.State, m.StateAt = schema.Drain, a.span()
		}
	case key == "resolve" && !set:
		if m.Origin == schema.Static {
			m.Origin = schema.FromDNS
		}
		extra("resolve", schema.BoolOf(true))
	case key == "service" && set:
		m.Origin = schema.FromSRV
		extra("service", schema.TextOf(v.Text))
	case (key == "route" || key == "id" || key == "srun_id" || key == "sid") && set:
		extra(schema.Path(strings.Clone(key)), schema.TextOf(v.Text))
	default:
		p.unknownParameter(m, a, key)
	}
}

// perServer reads a setting that NGINX keeps for each server and the model for the pool.
func (p *pool) perServer(m *schema.Member, key string, v bind.Scalar, maybe bool) {
	var t *tally
	var value schema.Value
	var ok bool
	switch key {
	case "max_fails":
		t = &p.fails
		value, ok = p.counted(t, key, v)
	case "fail_timeout":
		t = &p.timeouts
		value, ok = p.timed(t, key, v, parseSeconds)
	case "slow_start":
		t = &p.ramps
		if p.edition == openSource {
			p.refuse(t, v, schema.Textf("only NGINX Plus takes slow_start; open source NGINX refuses the file", "只有 NGINX Plus 支持 slow_start；开源 NGINX 会拒绝该文件"),
				schema.Textf("take it away, or name the profile nginx-plus", "去掉它，或将 profile 设为 nginx-plus"))
			return
		}
		value, ok = p.timed(t, key, v, parseAny)
	}
	if ok {
		m.Extra = append(m.Extra, schema.Field{Path: schema.Path(strings.Clone(key)), Value: value, At: v.At})
		t.add(value, v.At, m.ID(), maybe)
	}
}

func (p *pool) unknownParameter(m *schema.Member, a word, key string) {
	problem := schema.Problem{
		Rule: "schema/unknown-key", Severity: schema.Warning, At: a.span(), Item: schema.Members, Field: strings.Clone(key), Member: m.ID(), Got: strings.Clone(a.text),
		Text: schema.Textf("NGINX knows no %q on a server line and refuses the file", "NGINX 的 server 行没有 %q，会拒绝该文件", clip(a.text)),
		Hint: schema.Textf("parameters are weight=, max_fails=, fail_timeout=, max_conns=, backup and down", "可用参数有 weight=、max_fails=、fail_timeout=、max_conns=、backup 和 down"),
	}
	if near := nearest(key, parameterNames); near != "" && near != key {
		problem.Want = near
		problem.Hint = schema.Textf("is %s meant?", "是否应为 %s？", near)
	}
	p.c.Report(problem)
}

// natural reads a number of digits alone, at least lo, the only numbers that NGINX takes.
func (p *pool) natural(path schema.Path, key string, v bind.Scalar, lo int64) (int64, bool) {
	text, ok := p.b.Resolve(path, v)
	if !ok || placeholder(text) {
		if ok {
			p.c.Unresolve(path, v.Text, v.At)
		}
		return 0, false
	}
	n, rule, why, hint := number(key, text, lo)
	if rule != "" {
		p.b.Refuse(path, v, rule, why, hint)
		return 0, false
	}
	return n, true
}

// number is the rule for numbers: what is wrong with one, if anything.
func number(key, text string, lo int64) (n int64, rule string, why, hint schema.Text) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err == nil && n >= lo && text[0] != '+' && text[0] != '-' {
		return n, "", schema.Text{}, schema.Text{}
	}
	if key == "weight" && err == nil && n == 0 {
		return 0, "schema/invalid", schema.Textf("NGINX refuses weight=%s: a weight is a whole number from 1", "NGINX 拒绝 weight=%s：权重是从 1 起的整数", text),
			schema.Textf("use down to take the server out", "要摘除该服务器请用 down")
	}
	if _, derr := schema.ParseDuration(text); derr == nil {
		return 0, "schema/unit", schema.Textf("NGINX refuses %s=%s: it is a number, and no unit can stand here", "NGINX 拒绝 %s=%s：此处是数字，不能带单位", key, text),
			schema.Textf("drop the unit", "去掉单位")
	}
	return 0, "schema/invalid", schema.Textf("NGINX refuses %s=%s: it takes a whole number from %d", "NGINX 拒绝 %s=%s：只接受从 %d 起的整数", key, clip(text), lo), schema.Text{}
}

// timed reads a time of a server line for the pool's tally.
func (p *pool) timed(t *tally, key string, v bind.Scalar, parse bind.DurationParser) (schema.Value, bool) {
	text, ok := bind.Expand(v.Text, p.in.Vars, syntax)
	if !ok || placeholder(text) {
		t.later(v, false)
		return schema.Value{}, false
	}
	text, _ = p.b.Resolve(t.path, v)
	d, err := parse(text)
	if err != nil {
		p.refuse(t, v, timeProblem(key, text, err), timeHint(text, err))
		return schema.Value{}, false
	}
	return schema.DurationOf(d), true
}

// counted reads a number of a server line for the pool's tally.
func (p *pool) counted(t *tally, key string, v bind.Scalar) (schema.Value, bool) {
	text, ok := bind.Expand(v.Text, p.in.Vars, syntax)
	if !ok || placeholder(text) {
		t.later(v, false)
		return schema.Value{}, false
	}
	text, _ = p.b.Resolve(t.path, v)
	n, rule, why, hint := number(key, text, 0)
	if rule != "" {
		p.c.Report(schema.Problem{Rule: rule, At: v.At, Item: t.path.Item(), Field: t.path.Leaf(), Got: v.Text, Text: why, Hint: hint})
		t.later(v, true)
		return schema.Value{}, false
	}
	return schema.IntOf(n), true
}

// refuse reports a value of a server line that counts for the whole pool.
func (p *pool) refuse(t *tally, v bind.Scalar, why, hint schema.Text) {
	p.c.Report(schema.Problem{Rule: "schema/invalid", At: v.At, Item: t.path.Item(), Field: t.path.Leaf(), Got: v.Text, Text: why, Hint: hint})
	t.later(v, true)
}

func timeProblem(name, text string, err error) schema.Text {
	if errors.Is(err, errWholeSeconds) {
		return schema.Textf("NGINX refuses %s=%s: it counts whole seconds here and knows no ms", "NGINX 拒绝 %s=%s：此处以整秒计，不支持 ms", name, clip(text))
	}
	return schema.Textf("NGINX refuses %s=%s: it is no time", "NGINX 拒绝 %s=%s：不是合法的时间", name, clip(text))
}

func timeHint(text string, err error) schema.Text {
	if errors.Is(err, errWholeSeconds) {
		return schema.Textf("write whole seconds: 1s, 30s, 1m", "请写整秒：1s、30s、1m")
	}
	return schema.Textf("a time is whole numbers with units, the longest unit first: 30s, 1m30s, 2h", "时间由整数和单位组成，单位从大到小：30s、1m30s、2h")
}
