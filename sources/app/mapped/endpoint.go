package mapped

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
)

// endpoint fills a member from one text: host, host:port, [v6]:port, a URL, or a unix socket. s is where the text
// stands. It reports whether the text is any of these; what is none is refused.
func (p *poolReader) endpoint(m *schema.Member, text string, s bind.Scalar) bool {
	if socket, ok := unixSocket(text); ok {
		m.Socket, m.HostAt = socket, s.At
		return true
	}
	e, ok := schema.SplitEndpoint(text)
	if !ok {
		p.binder.Refuse(memberPath(p.index), bind.Scalar{Text: bind.HideUser(text), At: s.At}, "schema/invalid",
			schema.Textf("%q is no address: neither host:port, nor [IPv6]:port, nor a URL", "%q 不是地址：既非 host:port、[IPv6]:port，也非 URL", clip(bind.HideUser(text))),
			schema.Textf("ports lie between 1 and 65535; IPv6 addresses with a port stand in brackets: [2001:db8::1]:8080", "端口在 1 与 65535 之间；带端口的 IPv6 地址须加方括号：[2001:db8::1]:8080"))
		return false
	}
	m.Host, m.Port = e.Host, uint16(e.Port)
	m.HostAt, m.PortAt = bind.EndpointPlaces(p.src(s.At), s.At, text, e)
	if m.Port == 0 {
		m.PortAt = schema.Span{}
		if d := schema.DefaultPort(e.Scheme); d != 0 {
			m.Port, m.PortImplied = uint16(d), true
		}
	}
	if e.Scheme != "" {
		m.Extra = append(m.Extra, schema.Field{Path: "scheme", Value: schema.TextOf(e.Scheme), At: s.At})
	}
	if e.Path != "" && e.Path != "/" {
		m.Extra = append(m.Extra, schema.Field{Path: "path", Value: schema.TextOf(e.Path), At: s.At})
	}
	return true
}

// unixSocket reads unix:/path, unix:///path and /path.
func unixSocket(text string) (string, bool) {
	rest, named := strings.CutPrefix(text, "unix:")
	if named {
		rest = strings.TrimPrefix(rest, "//")
	}
	if !strings.HasPrefix(rest, "/") || len(rest) < 2 || strings.ContainsAny(rest, " \t") {
		return "", false
	}
	return rest, true
}

// clip shortens a text of the file for a message.
func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}
