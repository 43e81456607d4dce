package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

func probeNotIsomorphic() Rule {
	return Rule{
		ID: "probe/not-isomorphic", Severity: schema.Warning, Judgement: true,
		Title: schema.Text{En: "the probe does not take the way that business takes: another port, protocol or host", Zh: "探测与业务路径不同：端口、协议或主机不一致"},
		Copy: deciding(schema.Probe, func(c *Copy, r *Reporter) {
			c.otherPort(r)
			c.otherAddress(r)
			c.otherProtocol(r)
		}),
	}
}

// served returns the members that business goes to: the copy's own, else those of the truth; whole says that there are
// no others.
func (c *Copy) served() (members []schema.Member, whole bool) {
	of := c.Copy
	if t := c.In.Truth(schema.Members); len(of.Members) == 0 && t != nil {
		of = t.Copy
	}
	return of.Members, of.Complete && of.UnresolvedMembers() == 0
}

// otherPort reports probes that go to a port on which no member serves business. It needs to know all ports.
func (c *Copy) otherPort(r *Reporter) {
	members, whole := c.served()
	if !whole || len(members) == 0 {
		return
	}
	ports := map[int64]bool{}
	for i := range members {
		if members[i].Port == 0 {
			return
		}
		ports[int64(members[i].Port)] = true
	}
	hit := func(port int64, at schema.Span, member string) {
		if port == 0 || ports[port] || slices.Contains(c.In.Entry.ProbePorts, int(port)) {
			return
		}
		r.Hit(Hit{Copy: c.Copy, At: at, Item: schema.Probe, Field: "port", Member: member, Got: strconv.FormatInt(port, 10),
			Text: schema.Textf("the probe goes to port %d, on which no member serves business", "探测端口 %d 不是任何成员的业务端口", port),
			Hint: schema.Textf("probe the business port, or declare the port in the manifest: probePorts: [%d]", "探测业务端口，或在清单中声明 probePorts: [%d]", port)})
	}
	said := map[int64]bool{}
	if f, ok := c.Copy.Get("probe.port"); ok {
		said[f.Value.Int()] = true
		hit(f.Value.Int(), f.At, "")
	}
	for i := range c.Copy.Members {
		m := &c.Copy.Members[i]
		if f, ok := m.Get("check.port"); ok && !said[f.Value.Int()] {
			said[f.Value.Int()] = true
			hit(f.Value.Int(), f.At, m.ID())
		}
	}
}

// otherAddress reports checks that go to an address which no member has. A name and an address cannot be compared.
func (c *Copy) otherAddress(r *Reporter) {
	members, whole := c.served()
	if !whole {
		return
	}
	for i := range c.Copy.Members {
		m := &c.Copy.Members[i]
		f, ok := m.Get("check.address")
		if !ok {
			continue
		}
		host, ok := schema.NormalHost(f.Value.Text())
		if !ok || slices.ContainsFunc(members, func(o schema.Member) bool {
			return o.Host == host || o.Host == "" || schema.IsAddress(o.Host) != schema.IsAddress(host)
		}) {
			continue
		}
		r.Hit(Hit{Copy: c.Copy, At: f.At, Item: schema.Probe, Field: "host", Member: m.ID(), Got: host, Want: m.Host,
			Text: schema.Textf("%s is checked at %s, where no member serves business", "%s 的探测目标是 %s，那里没有成员提供业务", m.ID(), host),
			Hint: schema.Textf("check the member's own address", "探测成员自己的地址")})
	}
}

// otherProtocol reports a probe that does not speak HTTP to a pool whose business does.
func (c *Copy) otherProtocol(r *Reporter) {
	mode, ok := c.Copy.Get("mode")
	protocol, ok2 := c.Copy.Get("probe.protocol")
	if !ok || !ok2 || mode.Value.Text() != "http" || strings.HasPrefix(protocol.Value.Text(), "http") || strings.HasPrefix(protocol.Value.Text(), "grpc") {
		return
	}
	r.Hit(Hit{Copy: c.Copy, At: protocol.At, Path: "probe.protocol", Got: protocol.Value.Text(), Want: "http",
		Text: schema.Textf("business speaks http, the probe %s: an open port says nothing about the service behind it", "业务为 http，探测为 %s：端口可连并不说明服务可用", protocol.Value.Text()),
		Hint: schema.Textf("probe with http, on a path that uses what business uses", "改用 http 探测，并选择与业务相同依赖的路径")})
}
