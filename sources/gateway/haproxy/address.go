package haproxy

import (
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// address is where a server listens, as HAProxy reads it.
type address struct {
	host     string // normal form
	port     int
	portText string // "client", "+N" or "-N"
	implied  bool   // no port is written
	socket   string
	srv      bool // the name of an SRV record

	hostFrom, hostTo int // where the host stands in the text
	portFrom, portTo int
}

// transports may stand before an address family.
var transports = []string{"stream+", "dgram+", "quic+"}

// families are the prefixes of addresses; true for those of sockets.
var families = map[string]bool{
	"unix": true, "uxst": true, "uxdg": true, "abns": true, "abnsz": true, "fd": true, "sockpair": true, "rhttp": true,
	"ip": false, "ipv4": false, "ipv6": false, "tcp": false, "tcp4": false, "tcp6": false, "udp": false, "udp4": false,
	"udp6": false, "mptcp": false, "mptcp4": false, "mptcp6": false, "quic4": false, "quic6": false,
}

// parseAddress reads "host", "host:port", "ipv6@[::1]:80", "unix@/run/x.sock" and so on. The last colon separates the
// port, so that an IPv6 address may do without brackets but not without the colon ("::1:"). No port, or 0, is that of
// the client's connection. problem says why HAProxy refuses the text; it is empty where it takes it.
func parseAddress(text string) (a address, problem schema.Text) {
	rest := text
	for _, t := range transports {
		rest = strings.TrimPrefix(rest, t)
	}
	family, after, has := strings.Cut(rest, "@")
	socket, known := families[family]
	switch {
	case has && known:
		if socket {
			a.hostFrom, a.hostTo = 0, len(text)
			a.socket = rest
			if strings.HasPrefix(family, "u") {
				a.socket = after
			}
			if after == "" && family != "rhttp" {
				return a, schema.Textf("%q names no socket", "%q 没有给出套接字", text)
			}
			return a, schema.Text{}
		}
		rest = after
	case strings.HasPrefix(rest, "/"):
		a.socket, a.hostFrom, a.hostTo = rest, len(text)-len(rest), len(text)
		return a, schema.Text{}
	default:
		family = ""
	}
	offset := len(text) - len(rest)
	host, port := rest, ""
	a.implied, a.portText = true, "client"
	if i := strings.LastIndexAny(rest, ":]"); i >= 0 && rest[i] == ':' {
		host, port = rest[:i], rest[i+1:]
		a.portFrom, a.portTo = offset+i+1, len(text)
	}
	a.hostFrom, a.hostTo = offset, offset+len(host)
	if problem = a.readPort(port); problem.En != "" {
		return a, problem
	}
	switch {
	case (host == "" || host == "*") && strings.HasSuffix(family, "6"):
		a.host = "::"
	case host == "" || host == "*":
		a.host = "0.0.0.0"
	default:
		var ok bool
		if a.host, ok = schema.NormalHost(host); !ok {
			return a, badHost(text, host)
		}
		a.srv = strings.HasPrefix(a.host, "_")
	}
	return a, schema.Text{}
}

func (a *address) readPort(port string) schema.Text {
	if port == "" {
		return schema.Text{}
	}
	a.implied = false
	digits := port
	if port[0] == '+' || port[0] == '-' {
		digits = port[1:]
	}
	n, err := strconv.Atoi(digits)
	if err != nil || strings.Trim(digits, "0123456789") != "" || n > 65535 {
		return schema.Textf("HAProxy refuses the port %q: it must be a number from 0 to 65535, or an offset like +1", "HAProxy 拒绝端口 %q：应为 0 到 65535 的数字，或 +1 这样的偏移", port)
	}
	switch {
	case n == 0: // the client's port
	case digits != port:
		a.portText = port[:1] + strconv.Itoa(n)
	default:
		a.port, a.portText = n, ""
	}
	return schema.Text{}
}

func badHost(text, host string) schema.Text {
	if strings.Count(host, ":") > 1 || strings.HasSuffix(host, ":") {
		return schema.Textf("HAProxy takes what follows the last colon of %q for the port, and %q is no address", "HAProxy 把 %q 中最后一个冒号之后的部分当作端口，而 %q 不是地址", text, host)
	}
	return schema.Textf("%q is neither an address nor a host name", "%[1]q 既不是地址也不是主机名", host)
}

// placeholder reports hosts that stand for another text in documentation and generators: <IP>, @HOST@, %%HOST%%,
// __HOST__.
func placeholder(text string) bool {
	for _, marks := range [...][2]string{{"<", ">"}, {"@", "@"}, {"%%", "%%"}, {"__", "__"}} {
		if _, after, ok := strings.Cut(text, marks[0]); ok {
			if name, _, ok := strings.Cut(after, marks[1]); ok && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.- ") == "" {
				before, _, _ := strings.Cut(text, marks[0])
				_, family := families[before]
				return !family
			}
		}
	}
	return false
}

// braced turns $NAME into ${NAME}: HAProxy expands both in addresses, quoted or not.
func braced(text string) string {
	i := strings.IndexByte(text, '$')
	if i < 0 {
		return text
	}
	var b strings.Builder
	for ; i >= 0; i = strings.IndexByte(text, '$') {
		end := i + 1
		for end < len(text) && nameByte(text[end]) {
			end++
		}
		if end == i+1 {
			b.WriteString(text[:end])
		} else {
			b.WriteString(text[:i] + "${" + text[i+1:end] + "}")
		}
		text = text[end:]
	}
	return b.String() + text
}
