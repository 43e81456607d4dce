package nginx

import (
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// address is the first argument of a server line, split as NGINX splits it (ngx_parse_url).
type address struct {
	host   string // in normal form
	port   int    // 0: none written
	socket string
	// The bytes of the text that hold host and port.
	hostFrom, hostTo, portFrom int
	// octal: a part of an IPv4 address starts with 0, which NGINX reads as decimal and others as octal.
	octal bool
}

// refusal says why NGINX refuses an address, and what to write.
type refusal struct{ why, hint schema.Text }

func refused(why, hint schema.Text) (address, *refusal) { return address{}, &refusal{why, hint} }

// parseAddress reads host, host:port, [v6]:port or unix:path. The stream module wants a port, the others default to 80.
func parseAddress(text string, stream bool) (address, *refusal) {
	if path, ok := strings.CutPrefix(text, "unix:"); ok {
		if path == "" {
			return refused(schema.Textf("no path stands after unix:", "unix: 之后没有路径"), schema.Textf("write unix:/path/of/the.sock", "请写成 unix:/路径.sock"))
		}
		return address{socket: path, hostTo: len(text)}, nil
	}
	if scheme, rest, ok := strings.Cut(text, "://"); ok {
		return refused(schema.Textf("a URL cannot stand in a server line", "server 行中不能写 URL"), schema.Textf("drop %s://, as in server %s", "去掉 %s://，例如 server %s", scheme, rest))
	}
	if i := strings.IndexByte(text, '/'); i >= 0 {
		return refused(schema.Textf("a path cannot stand in a server line", "server 行中不能写路径"), schema.Textf("write it in proxy_pass", "路径请写在 proxy_pass 中"))
	}
	a := address{hostTo: len(text)}
	host, port, hasPort := text, "", false
	if strings.HasPrefix(text, "[") {
		i := strings.IndexByte(text, ']')
		if i < 0 {
			return refused(schema.Textf("the bracket of the IPv6 address is not closed", "IPv6 地址的方括号没有闭合"), schema.Text{})
		}
		host = text[:i+1]
		if rest := text[i+1:]; rest != "" {
			if rest[0] != ':' {
				return refused(schema.Textf("only :port can follow the IPv6 address", "IPv6 地址之后只能写 :端口"), schema.Text{})
			}
			port, hasPort, a.portFrom = rest[1:], true, i+2
		}
		a.hostTo = len(host)
	} else if i := strings.IndexByte(text, ':'); i >= 0 {
		host, port, hasPort, a.hostTo, a.portFrom = text[:i], text[i+1:], true, i, i+1
		if strings.IndexByte(port, ':') >= 0 {
			return refused(schema.Textf("an IPv6 address needs brackets", "IPv6 地址需要方括号"), schema.Textf("write [%s]", "请写成 [%s]", text))
		}
	}
	if hasPort {
		n, err := strconv.ParseUint(port, 10, 32)
		if err != nil || n < 1 || n > 65535 {
			return refused(schema.Textf("%q is no port from 1 to 65535", "%q 不是 1 到 65535 的端口", port), schema.Text{})
		}
		a.port = int(n)
	} else if stream {
		return refused(schema.Textf("a server of the stream module needs a port", "stream 模块的 server 必须写端口"), schema.Textf("write %s:PORT", "请写成 %s:端口", text))
	}
	if host == "" {
		return refused(schema.Textf("the host is missing", "缺少主机"), schema.Textf("write HOST:PORT", "请写成 主机:端口"))
	}
	plain := host
	if plain, a.octal = decimal(host); a.octal {
		host = plain
	}
	normal, ok := schema.NormalHost(host)
	if !ok {
		return refused(schema.Textf("%q is neither a host name nor an address", "%q 既不是主机名也不是地址", host), schema.Text{})
	}
	a.host = normal
	return a, nil
}

// decimal drops the leading zeros of the parts of an IPv4 address, as NGINX reads them.
func decimal(host string) (plain string, changed bool) {
	if strings.Trim(host, "0123456789.") != "" || strings.Count(host, ".") != 3 {
		return host, false
	}
	parts := strings.Split(host, ".")
	for i, part := range parts {
		for len(part) > 1 && part[0] == '0' {
			part, changed = part[1:], true
		}
		parts[i] = part
	}
	return strings.Join(parts, "."), changed
}

// placeholder reports marks of other template tools, which no host name and no number holds: __NAME__, %NAME%,
// %%NAME%%, <NAME>, #{name}, [[name]], %(name)s.
func placeholder(s string) bool {
	switch {
	case strings.ContainsAny(s, "<>%"), strings.Contains(s, "#{"), strings.Contains(s, "[["):
		return true
	}
	i := strings.Index(s, "__")
	if i < 0 {
		return false
	}
	j := strings.Index(s[i+2:], "__")
	return j > 0 && strings.Trim(s[i+2:i+2+j], "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}
