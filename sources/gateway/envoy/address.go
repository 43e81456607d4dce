package envoy

import (
	"unicode/utf8"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
)

// endpoint reads an endpoint's address into m. An address that is a template, or that Envoy refuses, counts as one
// unresolved member, and ok is false.
func (r *reader) endpoint(m *schema.Member, n *data.Node, position int) bool {
	if n == nil || n.Kind != data.Map {
		if !absent(n) {
			r.oddEntry(n, position)
			return false
		}
		return r.unplaced(m, position, "an entry without an endpoint", "条目没有 endpoint")
	}
	var address, check *data.Node
	for i := range n.Pairs {
		v := n.Pairs[i].Value
		switch n.Pairs[i].Key {
		case "address":
			address = v
		case "health_check_config", "healthCheckConfig":
			check = v
		case "hostname":
			if text(v) != "" {
				m.Extra = append(m.Extra, schema.Field{Path: "hostname", Value: schema.TextOf(v.Text), At: v.Place()})
			}
		}
	}
	if check != nil && check.Kind == data.Map {
		r.checkConfig(m, check, position)
	}
	return r.address(m, address, position)
}

// hosts reads the list of addresses that clusters had before load_assignment.
func (r *reader) hosts(n *data.Node) {
	c := r.copy
	c.ItemAt[schema.Members] = n.Place()
	items := r.list("members", n)
	c.Complete = n.Kind == data.List && !n.Partial
	c.Members = make([]schema.Member, 0, len(items))
	for i, item := range items {
		if !r.address(r.next(item), item, i) {
			r.drop()
		}
	}
}

func (r *reader) address(m *schema.Member, n *data.Node, position int) bool {
	if n != nil && n.Kind == data.Map {
		for i := range n.Pairs {
			v := n.Pairs[i].Value
			switch n.Pairs[i].Key {
			case "socket_address", "socketAddress":
				return r.socketAddress(m, v, position)
			case "pipe":
				return r.pipe(m, v, position)
			case "envoy_internal_address", "envoyInternalAddress":
				// An internal listener of the same Envoy: no address that another copy could name.
				r.copy.Unresolve(memberPath(position, ""), "envoy_internal_address "+text(get(v, "server_listener_name", "serverListenerName")), m.At)
				return false
			}
		}
	}
	if n.Scalar() && n.Kind != data.Null {
		r.oddEntry(n, position)
		return false
	}
	return r.unplaced(m, position, "an entry without an address", "条目没有地址")
}

// unplaced reports an entry that names no place, and is false.
func (r *reader) unplaced(m *schema.Member, position int, what, whatZh string) bool {
	r.bind.Refuse(memberPath(position, ""), bind.Scalar{At: m.At}, "schema/invalid",
		schema.Text{En: what + "; Envoy refuses it", Zh: whatZh + "；Envoy 会拒绝"}, schema.Text{})
	return false
}

func (r *reader) pipe(m *schema.Member, n *data.Node, position int) bool {
	s, ok := bind.Of(get(n, "path", "path"))
	if !ok {
		return r.unplaced(m, position, "a pipe without a path", "pipe 没有 path")
	}
	m.HostAt = s.At
	m.Socket, ok = r.bind.Resolve(memberPath(position, ""), s)
	return ok
}

func (r *reader) socketAddress(m *schema.Member, n *data.Node, position int) bool {
	if n.Kind != data.Map {
		if n.Kind != data.Null {
			r.oddEntry(n, position)
			return false
		}
		return r.unplaced(m, position, "an empty socket_address", "socket_address 为空")
	}
	var host, port *data.Node
	for i := range n.Pairs {
		v := n.Pairs[i].Value
		switch n.Pairs[i].Key {
		case "address":
			host = v
		case "port_value", "portValue":
			port = v
		case "named_port", "namedPort":
			r.copy.Unresolve(memberPath(position, ""), text(get(n, "address", "address"))+":"+text(v), m.At)
			return false
		case "resolver_name", "resolverName":
			m.Extra = append(m.Extra, schema.Field{Path: "resolver", Value: schema.TextOf(text(v)), At: v.Place()})
		}
	}
	if name, number, ok := usual(host, port); ok {
		m.Host, m.HostAt, m.Port, m.PortAt = name, host.Place(), number, port.Place()
		return true
	}
	return !r.templated(m, host, port, position) && r.host(m, host, position) && r.port(m, port, position)
}

// usual reads an address and port that need nothing filled in, folded or explained.
func usual(host, port *data.Node) (name string, number uint16, ok bool) {
	if host == nil || port == nil || host.Kind != data.String || host.Text == "" {
		return "", 0, false
	}
	for i := 0; i < len(host.Text); i++ {
		if host.Text[i] >= utf8.RuneSelf {
			return "", 0, false
		}
	}
	v, ok := plain(port)
	if !ok || v < 1 || v > 65535 {
		return "", 0, false
	}
	name, ok = schema.NormalHost(host.Text)
	return name, uint16(v), ok
}

// templated records an address or port that stays unknown after its placeholders are filled in, as one member.
func (r *reader) templated(m *schema.Member, host, port *data.Node, position int) bool {
	for _, n := range [...]*data.Node{host, port} {
		if _, ok := bind.Expand(text(n), r.in.Vars, r.bind.Syntax); !ok {
			r.copy.Unresolve(memberPath(position, ""), text(host)+":"+text(port), m.At)
			return true
		}
	}
	return false
}

func (r *reader) host(m *schema.Member, n *data.Node, position int) bool {
	s, ok := bind.Of(n)
	if !ok || s.Text == "" {
		return r.unplaced(m, position, "a socket_address without an address", "socket_address 没有 address")
	}
	m.HostAt = s.At
	word, ok := r.bind.Resolve(memberPath(position, ""), s)
	if !ok {
		return false
	}
	if m.Host, ok = schema.NormalHost(word); ok {
		return true
	}
	hint := schema.Text{}
	if e, ok := schema.SplitEndpoint(word); ok && e.Port != 0 {
		hint = schema.Textf("write the port as port_value: %d", "端口请写成 port_value: %d", e.Port)
	}
	r.refuse(memberPath(position, ""), n, "schema/invalid", schema.Textf("%q is neither a host name nor an IP address", "%q 既非主机名也非 IP 地址", s.Text), hint)
	return false
}

func (r *reader) port(m *schema.Member, n *data.Node, position int) bool {
	if absent(n) {
		return r.unplaced(m, position, "a socket_address without port_value", "socket_address 没有 port_value")
	}
	v, ok := r.whole(memberPath(position, ".port"), n, 1, 65535)
	m.Port, m.PortAt = uint16(v), n.Place()
	return ok
}

// checkConfig reads where an endpoint is checked, if not at its own address.
func (r *reader) checkConfig(m *schema.Member, n *data.Node, position int) {
	for i := range n.Pairs {
		v := n.Pairs[i].Value
		switch n.Pairs[i].Key {
		case "port_value", "portValue": // 0 is "the endpoint's own"
			if port, ok := r.whole(memberPath(position, ".check.port"), v, 0, 65535); ok && port != 0 {
				m.Extra = append(m.Extra, schema.Field{Path: "check.port", Value: schema.IntOf(port), At: v.Place()})
			}
		case "hostname":
			if text(v) != "" {
				m.Extra = append(m.Extra, schema.Field{Path: "check.host", Value: schema.TextOf(v.Text), At: v.Place()})
			}
		case "address":
			at := get(v, "socket_address", "socketAddress")
			if host := get(at, "address", "address"); text(host) != "" {
				name, ok := schema.NormalHost(host.Text)
				if !ok {
					name = host.Text
				}
				m.Extra = append(m.Extra, schema.Field{Path: "check.address", Value: schema.TextOf(name), At: host.Place()})
			}
			if port := get(at, "port_value", "portValue"); port != nil && get(n, "port_value", "portValue") == nil {
				if p, ok := r.whole(memberPath(position, ".check.port"), port, 1, 65535); ok {
					m.Extra = append(m.Extra, schema.Field{Path: "check.port", Value: schema.IntOf(p), At: port.Place()})
				}
			}
		case "disable_active_health_check", "disableActiveHealthCheck":
			if s, ok := bind.Of(v); ok {
				if off, ok := r.bind.BoolValue(memberPath(position, ".check.disabled"), s); ok {
					m.Extra = append(m.Extra, schema.Field{Path: "check.disabled", Value: schema.BoolOf(off), At: s.At})
				}
			}
		}
	}
}
