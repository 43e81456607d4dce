package strict

import (
	"math"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

// Members binds the list of members. A member whose identity cannot be read counts as unresolved; of one with another
// value that cannot be read, the rest counts.
func (b *Binder) Members(n *data.Node) {
	if n.Kind == data.List || n.Scalar() && n.Kind != data.Null {
		b.Copy.Touch(schema.Members, n.Place())
	}
	if !b.usable("members", n) || n.Kind != data.List {
		return
	}
	b.Copy.Complete = !n.Partial
	b.Copy.Members = make([]schema.Member, 0, len(n.Items))
	for i, item := range n.Items {
		m := memberBinder{Binder: b, index: i, node: item}
		m.bind()
	}
}

// memberBinder binds one member.
type memberBinder struct {
	*Binder
	index  int
	node   *data.Node
	member schema.Member
	// The identity's parts, nil where they are not written.
	address, port, socket, provider, model *data.Node
}

func (m *memberBinder) path(leaf string) schema.Path { return m.entryPath("members", m.index, leaf) }

func (m *memberBinder) bind() {
	n := m.node
	if m.File.marks != nil && !m.usable(m.path(""), n) || n.Kind != data.Map {
		if m.File.markOf(n).fate == template {
			m.Copy.Complete = false
		}
		return
	}
	m.member.At = n.Place()
	m.parts()
	if m.member.Origin != schema.Static || n.Partial {
		m.Copy.Complete = false
	}
	if m.identity() {
		m.Copy.Members = append(m.Copy.Members, m.member)
	}
}

func (m *memberBinder) parts() {
	for i := range m.node.Pairs {
		key, v := m.node.Pairs[i].Key, m.node.Pairs[i].Value
		switch key {
		case "address":
			m.address = v
		case "port":
			m.port = v
		case "weight":
			m.member.Weight, m.member.HasWeight, m.member.WeightAt = m.tunable(key, v)
		case "priority":
			m.member.Priority, m.member.HasPriority, m.member.PriorityAt = m.tunable(key, v)
		case "socket":
			m.socket = v
		case "provider":
			m.provider = v
		case "model":
			m.model = v
		default:
			m.rest(key, v)
		}
	}
}

// tunable reads a number that is no part of the identity.
func (m *memberBinder) tunable(key string, v *data.Node) (n int64, ok bool, at schema.Span) {
	if m.File.marks == nil {
		if n, ok = small(v.Text); ok {
			return n, true, v.Place()
		}
	}
	n, ok = m.int(m.path(key), v)
	return n, ok, v.Place()
}

// small reads a short number of plain digits, as nearly all are.
func small(s string) (int64, bool) {
	if s == "" || len(s) > 9 {
		return 0, false
	}
	n := int64(0)
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int64(s[i]-'0')
	}
	return n, true
}

// rest reads what is written more rarely.
func (m *memberBinder) rest(key string, v *data.Node) {
	switch key {
	case "from":
		if m.usable(m.path(key), v) {
			m.member.Origin, _ = schema.ParseOrigin(v.Text)
		} else {
			m.Copy.Complete = false
		}
	case "backup":
		if m.usable(m.path(key), v) {
			m.member.Backup, m.member.BackupAt = schema.TriOf(isTrue(v)), v.Place()
		}
	case "state":
		if m.usable(m.path(key), v) {
			m.member.State, _ = schema.ParseState(v.Text)
			m.member.StateAt = v.Place()
		}
	case "verified":
		if m.usable(m.path(key), v) {
			for i := range v.Pairs {
				m.extra("verified."+v.Pairs[i].Key, v.Pairs[i].Value)
			}
		}
	case "region", "zone", "interfaces", "maxConnections", "shares", "contextWindow", "features":
		m.extra(key, v)
	}
}

// extra keeps a value that annotates the member.
func (m *memberBinder) extra(key string, v *data.Node) {
	if m.File.markOf(v).fate != wide && !m.usable(m.path(key), v) {
		return
	}
	var value schema.Value
	switch v.Kind {
	case data.List:
		list, ok := m.texts(m.path(key), v)
		if !ok {
			return
		}
		value = schema.ListOf(list...)
	case data.Bool:
		value = schema.BoolOf(isTrue(v))
	case data.Int:
		n, ok := m.int(m.path(key), v)
		if !ok {
			return
		}
		value = schema.IntOf(n)
	default:
		value = schema.TextOf(v.Text)
		if mk := m.File.markOf(v); mk.fate == wide {
			value = schema.TextOf(mk.raw)
		}
	}
	m.member.Extra = append(m.member.Extra, schema.Field{Path: schema.Path(key), Value: value, At: v.Place()})
}

// identity reads address and port, socket, or provider and model, of which a member has exactly one. It reports whether
// the member is known.
func (m *memberBinder) identity() bool {
	ways := 0
	for _, written := range []bool{m.address != nil || m.port != nil, m.socket != nil, m.provider != nil || m.model != nil} {
		if written {
			ways++
		}
	}
	switch {
	case ways == 0:
		return m.incomplete(schema.Textf("a member without an address", "成员没有地址"), schema.Textf("write address and port, socket, or provider and model", "请写 address 和 port，或 socket，或 provider 和 model"))
	case ways > 1:
		return m.incomplete(schema.Textf("a member is one of address and port, socket, or provider and model; this one has several", "成员只能是 address 和 port、socket、provider 和 model 之一，此处写了多种"),
			schema.Textf("keep one of them", "只保留一种"))
	case m.socket != nil:
		if !m.known(m.socket) {
			return false
		}
		m.member.Socket, m.member.HostAt = m.socket.Text, m.socket.Place()
		return true
	case m.provider != nil && m.model != nil:
		if !m.known(m.provider, m.model) {
			return false
		}
		m.member.Provider, m.member.Model, m.member.HostAt = m.provider.Text, m.model.Text, schema.Join(m.provider.Place(), m.model.Place())
		return true
	case m.provider != nil:
		return m.incomplete(schema.Textf("a provider without a model", "有 provider 而没有 model"), schema.Textf("add model", "补充 model"))
	case m.model != nil:
		return m.incomplete(schema.Textf("a model without a provider", "有 model 而没有 provider"), schema.Textf("add provider", "补充 provider"))
	case m.address == nil:
		return m.incomplete(schema.Textf("a port without an address", "有端口而没有地址"), schema.Textf("add address", "补充 address"))
	}
	return m.endpoint()
}

// endpoint reads address and port.
func (m *memberBinder) endpoint() bool {
	if m.port == nil && (m.member.Origin == schema.Static || m.member.Origin == schema.FromDNS) {
		return m.incomplete(schema.Textf("an address without a port", "有地址而没有端口"), schema.Textf("add port", "补充 port"))
	}
	if !m.known(m.address, m.port) {
		return false
	}
	host, ok := schema.NormalHost(m.address.Text)
	if !ok && m.member.Origin != schema.FromEDS && m.member.Origin != schema.FromTemplate {
		m.noHost()
		return false
	}
	if !ok {
		// A name inside a control plane, in that plane's own form.
		host = strings.TrimSpace(m.address.Text)
	}
	m.member.Host, m.member.HostAt = host, m.address.Place()
	if m.port == nil {
		return true
	}
	m.member.PortAt = m.port.Place()
	if n, ok := ParseInt(m.port.Text); ok && m.port.Text[0] >= '0' && m.port.Text[0] <= '9' {
		m.member.Port = uint16(min(n, math.MaxUint16))
		return true
	}
	m.member.PortText = relative(m.port.Text)
	return true
}

// relative normalises a relative port: +08 is +8.
func relative(s string) string {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		s = strconv.FormatInt(n, 10)
		if n >= 0 {
			s = "+" + s
		}
	}
	return s
}

// known reports whether all parts of the identity can be read; if not, the whole member is unresolved, once.
func (m *memberBinder) known(parts ...*data.Node) bool {
	if m.File.marks == nil {
		return true
	}
	for _, n := range parts {
		if n == nil {
			continue
		}
		switch mk := m.File.marks[n]; mk.fate {
		case template:
			m.Copy.Unresolve(m.path(""), rawOf(m.File, parts), schema.Join(parts[0].Place(), n.Place()))
			return false
		case hazard:
			m.warn(mk.was, n)
			m.quiet(m.path(""), n)
			return false
		case refused:
			m.quiet(m.path(""), n)
			return false
		case wide, warned:
			m.usable(m.path(m.nameOf(n)), n)
		}
	}
	return true
}

// warn reports what was found about a part of the identity before it was bound.
func (m *memberBinder) warn(p schema.Problem, n *data.Node) {
	p.Item, p.Field = schema.Members, m.nameOf(n)
	m.Copy.Report(p)
}

// nameOf returns the key under which a part of the identity stands.
func (m *memberBinder) nameOf(n *data.Node) string {
	switch n {
	case m.address:
		return "address"
	case m.port:
		return "port"
	case m.socket:
		return "socket"
	case m.provider:
		return "provider"
	}
	return "model"
}

// rawOf returns the identity as written: "${HOST}:8080".
func rawOf(f *File, parts []*data.Node) string {
	var raw []string
	for _, n := range parts {
		if n == nil {
			continue
		}
		if mk := f.markOf(n); mk.raw != "" {
			raw = append(raw, mk.raw)
		} else {
			raw = append(raw, n.Text)
		}
	}
	return strings.Join(raw, ":")
}

// incomplete refuses a member that is nothing, or several things, and counts it as unresolved.
func (m *memberBinder) incomplete(text, hint schema.Text) bool {
	at := m.node.Place()
	p := indexed("members", m.index, "")
	text = schema.Text{En: string(p) + ": " + text.En, Zh: string(p) + "：" + text.Zh}
	m.Copy.Report(schema.Problem{Rule: "schema/invalid", At: at, Item: schema.Members, Text: text, Hint: hint})
	m.Copy.Unresolved = append(m.Copy.Unresolved, schema.Unresolved{Path: p, At: at, Quiet: true})
	return false
}

func (m *memberBinder) noHost() {
	hint := schema.Textf("write a host name, an IPv4 address or an IPv6 address", "请写主机名、IPv4 或 IPv6 地址")
	if e, ok := schema.SplitEndpoint(m.address.Text); ok && e.Port != 0 {
		hint = schema.Textf("write address: %[1]s and port: %[2]d", "请写 address: %[1]s 和 port: %[2]d", e.Host, e.Port)
	}
	text := schema.Textf("%[1]s: %[2]q is neither a host name nor an address", "%[1]s：%[2]q 既不是主机名也不是地址", indexed("members", m.index, "address"), clip(m.address.Text))
	m.Copy.Report(schema.Problem{Rule: "schema/invalid", At: m.address.Place(), Item: schema.Members, Field: "address", Got: clip(m.address.Text), Text: text, Hint: hint})
	m.Copy.Unresolved = append(m.Copy.Unresolved, schema.Unresolved{Path: indexed("members", m.index, ""), Raw: m.address.Text, At: m.address.Place(), Quiet: true})
}
