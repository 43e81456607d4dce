package nginx

import (
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
)

// implicit makes pools of places that pass requests to a host instead of an upstream: NGINX makes each address of the
// host a member. Two conditions keep what is no failover pool, or not certain, out of the way:
//
//   - The host is certainly none: an IP address, a socket, or a host with a port (NGINX refuses a port after the name of
//     an upstream). A bare name may be an upstream of another file.
//   - The location (in the stream module, the server) writes retries or a health check of its own: without them it is a
//     plain reverse proxy to one place, and a pool of one member that nobody calls a pool.
func (f *file) implicit() {
	seen, count := map[string]*directive{}, map[string]int{}
	for _, u := range f.uses {
		t := u.target
		if t.partial || t.port == 0 && t.socket == "" && !isAddress(t.host) {
			continue
		}
		if !u.own(u.family+"next_upstream", u.family+"next_upstream_tries", u.family+"next_upstream_timeout") && !u.checked() {
			continue
		}
		name := u.scope.owner()
		if first, taken := seen[name]; !taken {
			seen[name] = u.d
		} else if alike([]*directive{first}, []*directive{u.d}) {
			continue // the same site on another port
		}
		if count[name]++; count[name] > 1 {
			name += "#" + strconv.Itoa(count[name])
		}
		f.copyImplicit(u, name)
	}
}

func isAddress(host string) bool {
	normal, ok := schema.NormalHost(host)
	return ok && schema.IsAddress(normal)
}

// checked reports whether a health check stands beside the place.
func (u *use) checked() bool { return len(u.scope.set["health_check"]) > 0 }

func (f *file) copyImplicit(u *use, name string) {
	a := u.d.args[0]
	p := f.newPool(name, a.span(), u.d.span())
	p.c.Owned = true
	if p.stream = u.stream; p.stream {
		p.c.Set("context", schema.TextOf("stream"), u.d.head())
	}
	if m, ok := p.target(u); ok {
		p.c.Members = append(p.c.Members, m)
	}
	p.retries([]*use{u})
	p.probes([]*use{u})
}

// target makes the member of a place that passes to a host.
func (p *pool) target(u *use) (schema.Member, bool) {
	a := u.d.args[0]
	text, _ := bind.Expand(a.text, p.in.Vars, bind.Braces)
	m := schema.Member{At: u.d.span(), HostAt: a.span()}
	if u.target.socket != "" {
		m.Socket = strings.Clone(u.target.socket)
		return m, true
	}
	host, ok := schema.NormalHost(u.target.host)
	if !ok || placeholder(host) {
		p.c.Unresolve("members[0]", strings.Clone(a.text), a.span())
		return m, false
	}
	m.Host, m.Port = strings.Clone(host), uint16(u.target.port)
	switch from, to := u.target.from, u.target.to; {
	case m.Port != 0 && text == a.text:
		colon := from + strings.LastIndexByte(text[from:to], ':')
		m.HostAt, m.PortAt = a.part(from, colon), a.part(colon+1, to)
	case m.Port != 0:
		m.PortAt = a.span()
	case !p.stream && (u.family == "proxy_" || u.family == "grpc_"):
		if m.Port = uint16(schema.DefaultPort(u.target.scheme)); m.Port == 0 {
			m.Port = 80
		}
		m.PortImplied = true
	}
	return m, true
}
