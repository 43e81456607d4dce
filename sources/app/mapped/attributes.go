package mapped

import (
	"math"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
)

// address reads the host of a member; a text with a port or a URL gives the port too. A port that has a path of its own
// must say the same.
func (p *poolReader) address(m *schema.Member, path schema.Path, s bind.Scalar) bool {
	text, ok := p.resolve(path, s)
	if !ok {
		return false
	}
	before := *m
	if !p.endpoint(m, text, s) {
		return false
	}
	if before.Port == 0 && before.PortText == "" {
		return true
	}
	if m.Port != 0 && !m.PortImplied && (m.Port != before.Port || before.PortText != "") {
		return p.portClash(path, s, m.Port, before.PortString())
	}
	m.Port, m.PortText, m.PortAt, m.PortImplied = before.Port, before.PortText, before.PortAt, false
	return true
}

// port reads a port number, "client" or an offset.
func (p *poolReader) port(m *schema.Member, path schema.Path, s bind.Scalar) bool {
	text, ok := p.binder.Resolve(path, s)
	if !ok {
		return false
	}
	port, word := uint16(0), ""
	if sign := strings.TrimLeft(text, "+-"); text == "client" || len(sign) == len(text)-1 && sign != "" && strings.Trim(sign, "0123456789") == "" && text[0] == '+' {
		word = text
	} else {
		n, ok := p.binder.IntValue(path, s, 1, math.MaxUint16)
		if !ok {
			return false
		}
		port = uint16(n)
	}
	if m.Port != 0 && !m.PortImplied && (m.Port != port || word != "") {
		return p.portClash(path, s, m.Port, word+strconv.Itoa(int(port)))
	}
	m.Port, m.PortText, m.PortAt, m.PortImplied = port, word, s.At, false
	return true
}

func (p *poolReader) portClash(path schema.Path, s bind.Scalar, inAddress uint16, own string) bool {
	p.binder.Refuse(path, bind.Scalar{Text: bind.HideUser(s.Text), At: s.At}, "schema/invalid",
		schema.Textf("the address names port %d and the entry names port %s", "地址中的端口是 %d，而该项另写了端口 %s", inAddress, own),
		schema.Textf("keep one of them", "请只保留一个"))
	return false
}

// identityText reads a text that names the member.
func (p *poolReader) identityText(to *string, path schema.Path, s bind.Scalar) bool {
	text, ok := p.binder.Resolve(path, s)
	if ok {
		*to = text
	}
	return ok
}

// origin reads how a member came into the list; anything but static makes the list incomplete.
func (p *poolReader) origin(m *schema.Member, path schema.Path, s bind.Scalar) {
	text, ok := p.binder.Resolve(path, s)
	if !ok {
		p.copy.Complete = false
		return
	}
	for o := schema.Static; o <= schema.FromTemplate; o++ {
		if o.String() == strings.ToLower(text) {
			m.Origin = o
			p.copy.Complete = p.copy.Complete && o == schema.Static
			return
		}
	}
	p.copy.Complete = false
	p.binder.Refuse(path, s, "schema/invalid", schema.Textf("%s: %q is none of static, dns, srv, eds, template", "%s：%q 不在 static、dns、srv、eds、template 之中", path, s.Text), schema.Text{})
}

// states are the words that files use; true and false are what "enabled" says.
var states = map[string]schema.State{
	"active": schema.Active, "enabled": schema.Active, "up": schema.Active, "true": schema.Active,
	"drain": schema.Drain, "draining": schema.Drain, "drained": schema.Drain,
	"disabled": schema.Disabled, "down": schema.Disabled, "false": schema.Disabled,
}

func (p *poolReader) state(m *schema.Member, path schema.Path, s bind.Scalar) {
	text, ok := p.binder.Resolve(path, s)
	if !ok {
		return
	}
	if m.State, ok = states[strings.ToLower(text)]; ok {
		m.StateAt = s.At
		return
	}
	p.binder.Refuse(path, s, "schema/invalid", schema.Textf("%s: %q is no state", "%s：%q 不是状态", path, s.Text),
		schema.Textf("the states are active, drain and disabled", "状态有 active、drain、disabled"))
}

// extra reads an attribute outside the compared ones.
func (p *poolReader) extra(m *schema.Member, name string, path schema.Path, s bind.Scalar) {
	value := schema.Value{}
	switch name {
	case "maxConnections", "contextWindow":
		lo := int64(0)
		if name == "contextWindow" {
			lo = 1
		}
		if n, ok := p.binder.IntValue(path, s, lo, math.MaxInt64); ok {
			value = schema.IntOf(n)
		}
	case "verified.permission", "verified.quota":
		if v, ok := p.binder.BoolValue(path, s); ok {
			value = schema.BoolOf(v)
		}
	default:
		if text, ok := p.binder.Resolve(path, s); ok {
			value = schema.TextOf(text)
		}
	}
	if value.Said() {
		m.Extra = append(m.Extra, schema.Field{Path: schema.Path(name), Value: value, At: s.At})
	}
}
