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
		Copy: func(c *Copy, r *Reporter) {
			if !c.Copy.States(schema.Probe) {
				return
			}
			c.otherPort(r)
			c.otherProtocol(r)
		},
	}
}

// otherPort reports probes that go to a port on which no member serves business.
func (c *Copy) otherPort(r *Reporter) {
	ports := map[int]bool{}
	members := c.Copy.Members
	if t := c.In.Truth(schema.Members); len(members) == 0 && t != nil {
		members = t.Copy.Members
	}
	for i := range members {
		if p := members[i].Port; p != 0 {
			ports[int(p)] = true
		}
	}
	if len(ports) == 0 {
		return
	}
	hit := func(port int64, at schema.Span, member string) {
		if port == 0 || ports[int(port)] || slices.Contains(c.In.Entry.ProbePorts, int(port)) {
			return
		}
		r.Hit(Hit{Copy: c.Copy, At: at, Item: schema.Probe, Field: "port", Member: member, Got: strconv.FormatInt(port, 10),
			Text: schema.Textf("the probe goes to port %d, on which no member of the pool serves business", "探测端口 %d 不是池中任何成员的业务端口", port),
			Hint: schema.Textf("probe the business port, or declare the port: probePorts: [%d]", "探测业务端口，或在清单中声明 probePorts: [%d]", port)})
	}
	if f, ok := c.Copy.Get("probe.port"); ok {
		hit(f.Value.Int(), f.At, "")
	}
	said := map[int64]bool{}
	for i := range c.Copy.Members {
		m := &c.Copy.Members[i]
		if f, ok := m.Get("check.port"); ok && !said[f.Value.Int()] {
			said[f.Value.Int()] = true
			hit(f.Value.Int(), f.At, m.ID())
		}
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
