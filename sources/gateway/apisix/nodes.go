package apisix

import (
	"math"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
	"github.com/poolproof/poolproof/sources/data"
)

// nodes reads the members, written as a mapping of "host:port" to weight or as a list of objects. Without a port the
// scheme's own is meant. Larger priorities are preferred, so they change their sign.
func (r *reader) nodes(n, scheme *data.Node) {
	c := r.copy
	c.ItemAt[schema.Members] = n.Place()
	port, implied := defaultPort(scheme)
	switch n.Kind {
	case data.Map:
		c.Complete = !n.Partial
		c.Members = make([]schema.Member, 0, len(n.Pairs))
		for i := range n.Pairs {
			r.pair(&n.Pairs[i], i, port, implied)
		}
	case data.List:
		c.Complete = !n.Partial
		c.Members = make([]schema.Member, 0, len(n.Items))
		for i, item := range n.Items {
			r.node(item, i, port, implied)
		}
	default:
		r.wrongKind("members", n, "nodes as a mapping or a list", "映射或列表形式的 nodes")
	}
}

// defaultPort returns the port of a scheme; ok is false where there is none or the scheme is not known.
func defaultPort(scheme *data.Node) (port uint16, ok bool) {
	switch text(scheme) {
	case "":
		return 80, absent(scheme)
	case "http", "grpc":
		return 80, true
	case "https", "grpcs":
		return 443, true
	}
	return 0, false
}

func memberPath(i int, leaf string) schema.Path {
	return schema.Path("members[" + strconv.Itoa(i) + "]" + leaf)
}

// pair reads one entry of the mapping form.
func (r *reader) pair(p *data.Pair, i int, port uint16, implied bool) {
	m := schema.Member{At: schema.Join(p.KeyAt, p.Value.At)}
	if p.Merged || p.Value.Alias.Known() {
		m.At = p.KeyAt
	}
	name, known := r.bind.Resolve(memberPath(i, ""), bind.Scalar{Text: p.Key, At: p.KeyAt})
	if !known {
		return
	}
	refuse := func(what, hint schema.Text) {
		r.bind.Refuse(memberPath(i, ""), bind.Scalar{Text: p.Key, At: p.KeyAt}, "schema/invalid", what, hint)
	}
	if strings.Count(name, ":") > 1 && !strings.HasPrefix(name, "[") {
		refuse(schema.Textf("%q is an IPv6 address without brackets: where the port starts cannot be told", "%q 是不带方括号的 IPv6 地址：无法判断端口从哪里开始", p.Key),
			schema.Textf("write \"[address]:port\"", "请写成 \"[地址]:端口\""))
		return
	}
	e, ok := schema.SplitEndpoint(name)
	if !ok || e.Scheme != "" {
		refuse(schema.Textf("%q is no host:port; APISIX refuses it", "%q 不是 host:port；APISIX 会拒绝", p.Key), schema.Text{})
		return
	}
	m.Host, m.HostAt, m.PortAt = e.Host, p.KeyAt, p.KeyAt
	if e.Port != 0 {
		m.Port = uint16(e.Port)
		m.HostAt, m.PortAt = split(p)
	} else if implied {
		m.Port, m.PortImplied, m.PortAt = port, true, schema.Span{}
	}
	r.weight(&m, p.Value, i)
	r.copy.Members = append(r.copy.Members, m)
}

// split returns the places of host and port inside a key, or the key's where escapes hide them.
func split(p *data.Pair) (host, port schema.Span) {
	quotes := int(p.KeyAt.End-p.KeyAt.Start) - len(p.Key)
	colon := strings.LastIndexByte(p.Key, ':')
	if colon < 0 || quotes != 0 && quotes != 2 {
		return p.KeyAt, p.KeyAt
	}
	at := p.KeyAt.Start + uint32(quotes/2)
	host, port = p.KeyAt, p.KeyAt
	host.Start, host.End = at, at+uint32(colon)
	port.Start, port.End = at+uint32(colon)+1, at+uint32(len(p.Key))
	return host, port
}

// node reads one entry of the list form.
func (r *reader) node(n *data.Node, i int, port uint16, implied bool) {
	if n == nil || n.Kind != data.Map {
		r.copy.Complete = false
		if !absent(n) {
			r.wrongKind(memberPath(i, ""), n, "a mapping with host, port and weight", "含 host、port、weight 的映射")
		}
		return
	}
	m := schema.Member{At: n.Place()}
	var host, portNode, weight *data.Node
	for j := range n.Pairs {
		v := n.Pairs[j].Value
		switch n.Pairs[j].Key {
		case "host":
			host = v
		case "port":
			portNode = v
		case "weight":
			weight = v
		case "priority":
			if p, ok := r.whole(memberPath(i, ".priority"), v, -math.MaxInt32, math.MaxInt32); ok {
				m.HasPriority, m.Priority, m.PriorityAt = true, -p, v.Place()
			}
		}
	}
	for _, part := range [...]*data.Node{host, portNode} {
		if _, known := bind.Expand(text(part), r.in.Vars, r.bind.Syntax); !known {
			r.copy.Unresolve(memberPath(i, ""), text(host)+":"+text(portNode), m.At)
			return
		}
	}
	if !r.host(&m, host, i) {
		return
	}
	switch {
	case !absent(portNode):
		v, ok := r.whole(memberPath(i, ".port"), portNode, 1, 65535)
		if !ok {
			return
		}
		m.Port, m.PortAt = uint16(v), portNode.Place()
	case implied:
		m.Port, m.PortImplied = port, true
	}
	if absent(weight) {
		r.copy.Report(schema.Problem{Rule: "schema/invalid", At: m.At, Item: schema.Members, Member: m.ID(),
			Text: schema.Textf("%s has no weight; APISIX refuses a node in a list without one", "%s 没有 weight；APISIX 拒绝列表中没有权重的节点", m.ID()),
			Hint: schema.Textf("write weight: 1", "请写 weight: 1")})
	} else {
		r.weight(&m, weight, i)
	}
	r.copy.Members = append(r.copy.Members, m)
}

func (r *reader) host(m *schema.Member, n *data.Node, i int) bool {
	s, ok := bind.Of(n)
	if !ok {
		r.bind.Refuse(memberPath(i, ""), bind.Scalar{At: m.At}, "schema/invalid",
			schema.Textf("a node without a host; APISIX refuses it", "节点没有 host；APISIX 会拒绝"), schema.Text{})
		return false
	}
	word, ok := r.bind.Resolve(memberPath(i, ""), s)
	if !ok {
		return false
	}
	if m.Host, ok = schema.NormalHost(word); !ok {
		r.refuse(memberPath(i, ""), n, "schema/invalid", schema.Textf("%q is neither a host name nor an IP address", "%q 既非主机名也非 IP 地址", s.Text), schema.Text{})
		return false
	}
	m.HostAt = s.At
	return true
}

// weight reads a member's weight; 0 takes it out of the rotation.
func (r *reader) weight(m *schema.Member, n *data.Node, i int) {
	if w, ok := r.whole(memberPath(i, ".weight"), n, 0, math.MaxInt32); ok {
		m.HasWeight, m.Weight, m.WeightAt = true, w, n.Place()
	}
}
