package spring

import (
	"math"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
)

// discovery reads spring.cloud.discovery.client.simple.instances: one pool a service, with the members that are written
// there, and what the load balancer's settings say about it.
func (r *reader) discovery() {
	services := r.root.get("spring", "cloud", "discovery", "client", "simple", "instances")
	balancer := r.root.get("spring", "cloud", "loadbalancer")
	for _, service := range services.entries() {
		if service.node == nil && !service.list {
			continue
		}
		c := r.newCopy(service.name, service.at)
		c.Complete = true
		c.Touch(schema.Members, service.valueAt)
		b := r.binder(c)
		if service.node != nil { // the list as a whole is a placeholder
			s, _ := service.scalar()
			if strings.TrimSpace(s.Text) != "" {
				c.Unresolve("members", s.Text, s.At)
				c.Complete = false
			}
		}
		weighted := r.configuration(b, balancer, service.name)
		for i, entry := range service.kids {
			r.instance(b, i, entry, weighted)
		}
		r.probe(b, balancer, service.name)
		r.add(c)
	}
	r.checkedElsewhere(services, balancer)
}

// checkedElsewhere reads the health checks of clients whose members come from a registry, not from this file.
func (r *reader) checkedElsewhere(services, balancer *prop) {
	for _, client := range balancer.child("clients").entries() {
		if services.child(client.name) != nil || client.child("health-check") == nil {
			continue
		}
		c := r.newCopy(client.name, client.at)
		b := r.binder(c)
		r.configuration(b, balancer, client.name)
		r.probe(b, balancer, client.name)
		if c.States(schema.Probe) {
			r.add(c)
		}
	}
}

// configuration reads which of the load balancer's ready-made configurations the service uses.
func (r *reader) configuration(b *binder, balancer *prop, service string) (name string) {
	v := balancer.get("clients", service, "configurations")
	if v == nil {
		v = balancer.child("configurations")
	}
	name, ok := b.text("loadbalancer.configurations", v)
	if ok {
		b.Copy.Set("loadbalancer.configurations", schema.TextOf(name), v.valueAt)
	}
	return name
}

// instance reads one member: a URI, or host and port.
func (r *reader) instance(b *binder, i int, entry *prop, configuration string) {
	path := schema.Path("members[" + strconv.Itoa(i) + "]")
	m := schema.Member{At: entry.valueAt}
	uri := entry.child("uri")
	s, named := uri.scalar()
	switch {
	case named:
		text, ok := b.address(path, s)
		if !ok {
			return
		}
		if !b.endpoint(&m, path, text, s) {
			return
		}
	default:
		host := entry.child("host")
		if s, named = host.scalar(); !named {
			b.Copy.Unresolve(path, "uri", m.At)
			return
		}
		text, ok := b.address(path, s)
		if !ok {
			return
		}
		normal, ok := schema.NormalHost(text)
		if !ok {
			b.badAddress(path, s, text)
			return
		}
		m.Host, m.HostAt = normal, s.At
		if port := entry.child("port"); port != nil && port.node != nil {
			n, ok := b.integer(path, port, "Spring", "port", 1, math.MaxUint16)
			if !ok {
				return
			}
			m.Port, m.PortAt = uint16(n), port.valueAt
		}
	}
	r.metadata(b, &m, path, entry, configuration)
	b.Copy.Members = append(b.Copy.Members, m)
}

// address fills in the placeholders of a member's address; what stays unknown is noted without user and password.
func (b *binder) address(path schema.Path, s bind.Scalar) (string, bool) {
	if _, ok := b.r.expand(s.Text); !ok {
		b.Copy.Unresolve(path, bind.HideUser(s.Text), s.At)
		return "", false
	}
	return b.resolve(path, s, nil, false)
}

func (b *binder) badAddress(path schema.Path, s bind.Scalar, text string) {
	text = bind.HideUser(text)
	b.Refuse(path, bind.Scalar{Text: text, At: s.At}, "schema/invalid",
		schema.Textf("%q is no address", "%q 不是地址", text),
		schema.Textf("write a URI with host and port: http://10.0.0.1:8080", "请写带主机和端口的 URI：http://10.0.0.1:8080"))
}

// endpoint fills a member from a URI, or from host:port.
func (b *binder) endpoint(m *schema.Member, path schema.Path, text string, s bind.Scalar) bool {
	e, ok := schema.SplitEndpoint(text)
	if !ok {
		b.badAddress(path, s, text)
		return false
	}
	m.Host, m.Port = e.Host, uint16(e.Port)
	m.HostAt, m.PortAt = bind.EndpointPlaces(b.r.src(s.At), s.At, text, e)
	if m.Port == 0 {
		m.PortAt = schema.Span{}
		if d := schema.DefaultPort(e.Scheme); d != 0 {
			m.Port, m.PortImplied = uint16(d), true
		}
	}
	if e.Scheme != "" {
		m.Extra = append(m.Extra, schema.Field{Path: "scheme", Value: schema.TextOf(e.Scheme), At: s.At})
	}
	return true
}

// metadata reads what an instance says besides its address.
func (r *reader) metadata(b *binder, m *schema.Member, path schema.Path, entry *prop, configuration string) {
	extra := func(name string, v *prop) {
		if text, ok := b.text(path+"."+schema.Path(name), v); ok {
			m.Extra = append(m.Extra, schema.Field{Path: schema.Path(name), Value: schema.TextOf(text), At: v.valueAt})
		}
	}
	extra("name", entry.child("instance-id"))
	extra("secure", entry.child("secure"))
	for _, v := range entry.child("metadata").entries() {
		switch relaxed(v.name) {
		case "weight":
			r.weight(b, m, path, v, configuration)
		case "zone":
			extra("zone", v)
		case "region":
			extra("region", v)
		}
	}
}

// weight reads a member's weight. The load balancer takes whole numbers from 1 on and reads everything else as 1
// (WeightedServiceInstanceListSupplier).
func (r *reader) weight(b *binder, m *schema.Member, path schema.Path, v *prop, configuration string) {
	field := path + ".weight"
	s, ok := v.scalar()
	if !ok {
		return
	}
	text, ok := b.resolve(field, s, v.node, true)
	if !ok {
		return
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err == nil && n >= 0 {
		m.Weight, m.HasWeight, m.WeightAt = n, true, v.valueAt
	}
	if err == nil && n > 0 {
		return
	}
	note := schema.Textf("Spring's load balancer reads weight %q as 1; it does not drain the instance", "Spring 负载均衡把权重 %q 当作 1，不会摘除该实例的流量", s.Text)
	if configuration != "" && configuration != "weighted" {
		note = schema.Textf("weight %q: Spring's load balancer would read it as 1, and its configuration %s uses no weights", "权重 %q：Spring 负载均衡会当作 1，而配置 %s 不使用权重", s.Text, configuration)
	}
	b.Copy.Report(schema.Problem{
		Rule: "members/weights", Severity: schema.Warning, At: v.valueAt, Item: schema.Members, Field: "weight", Member: m.ID(), Got: s.Text, Want: "1", Text: note,
		Hint: schema.Textf("weights are whole numbers from 1 on; take the instance out of the list to drain it", "权重是从 1 开始的整数；要摘除流量，请把该实例移出列表"),
	})
}
