package dryrun

import (
	"strconv"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

func (r *reader) scenario(n *data.Node) *Scenario {
	s := &Scenario{
		Name: r.text(n.Get("scenario")), Pool: r.text(n.Get("pool")), PoolAt: place(n.Get("pool")), Config: r.texts(n.Get("config")),
		Duration: r.duration(n.Get("duration"), 0), DurationAt: place(n.Get("duration")), Warm: r.duration(n.Get("warm"), 0),
		Members: map[string]Behaviour{}, MemberAt: map[string]schema.Span{}, Seeds: r.int(n.Get("seeds"), 0),
	}
	if t := n.Get("traffic"); t != nil && t.Kind == data.Map {
		s.Traffic, s.TrafficAt = r.traffic(t), t.Place()
	}
	if m := n.Get("members"); m != nil && m.Kind == data.Map {
		for i := range m.Pairs {
			p := &m.Pairs[i]
			b := r.behaviour(p.Value)
			if p.Key == "*" {
				s.Default = b
				continue
			}
			key := memberID(p.Key)
			s.Members[key], s.MemberAt[key] = b, p.KeyAt
		}
	}
	for _, e := range r.items(n.Get("events")) {
		s.Events = append(s.Events, r.event(e))
	}
	for _, e := range r.items(n.Get("expect")) {
		s.Expect = append(s.Expect, r.expect(e))
	}
	return s
}

// memberID brings the name of a member into the form that copies use.
func memberID(text string) string {
	if e, ok := schema.SplitEndpoint(text); ok {
		if host, ok := schema.NormalHost(e.Host); ok && e.Port > 0 {
			return schema.JoinEndpoint(host, strconv.Itoa(int(e.Port)))
		}
	}
	return text
}

func memberIDs(list []string) []string {
	for i := range list {
		list[i] = memberID(list[i])
	}
	return list
}

func (r *reader) traffic(n *data.Node) *Traffic {
	return &Traffic{
		RPS: r.number(n.Get("rps"), 0), ErrorRate: r.number(n.Get("errorRate"), 0),
		P50: r.duration(n.Get("p50"), 0), P99: r.duration(n.Get("p99"), 0), Poisson: r.text(n.Get("arrival")) == "poisson",
		Interfaces: r.shares(n.Get("interfaces")), Regions: r.shares(n.Get("regions")),
		Tenants: r.shares(n.Get("tenants")), Methods: r.shares(n.Get("methods")),
	}
}

func (r *reader) shares(n *data.Node) []schema.Share {
	if !r.file.Usable(n) || n.Kind != data.Map {
		return nil
	}
	var list []schema.Share
	for i := range n.Pairs {
		if v := n.Pairs[i].Value; r.file.Usable(v) {
			list = append(list, schema.Share{Name: n.Pairs[i].Key, Share: r.number(v, 0)})
		}
	}
	return list
}

func (r *reader) behaviour(n *data.Node) Behaviour {
	b := Behaviour{Capacity: r.int(n.Get("capacity"), 0)}
	if l := n.Get("latency"); l != nil && l.Kind == data.Map {
		b.HasLatency = true
		b.P50 = r.duration(l.Get("p50"), 0)
		b.P99 = r.duration(l.Get("p99"), b.P50)
	}
	if e := n.Get("errors"); r.file.Usable(e) {
		b.HasErrors, b.Errors = true, r.number(e, 0)
	}
	switch r.text(n.Get("onOverload")) {
	case "error":
		b.OnOverload = OverloadError
	case "hang":
		b.OnOverload = OverloadHang
	}
	return b
}

func (r *reader) event(n *data.Node) Event {
	e := Event{
		At: r.duration(n.Get("at"), 0), For: r.duration(n.Get("for"), 0), Every: r.duration(n.Get("every"), 0), Times: r.int(n.Get("times"), 0),
		Requests: r.int(n.Get("requests"), 0), Reload: r.flag(n.Get("reload")), Apply: r.text(n.Get("apply")) == "head", Place: n.Place(),
	}
	if f := n.Get("fault"); f != nil && f.Kind == data.Map {
		e.Fault = r.fault(f)
	}
	if x := n.Get("external"); x != nil && x.Kind == data.Map {
		e.External = &External{Down: r.text(x.Get("says")) == "down", Members: memberIDs(r.texts(x.Get("members")))}
	}
	if o := n.Get("operator"); o != nil && o.Kind == data.Map {
		e.Operator = &Operator{Out: r.text(o.Get("force")) == "out", Member: memberID(r.text(o.Get("member"))), Initiator: r.text(o.Get("initiator")),
			Saw: r.text(o.Get("saw")), Reclaim: r.text(o.Get("reclaim")), Review: r.duration(o.Get("review"), 0)}
	}
	return e
}

func (r *reader) fault(n *data.Node) *Fault {
	f := &Fault{
		Members: memberIDs(r.texts(n.Get("members"))), Interfaces: r.texts(n.Get("interfaces")), Regions: r.texts(n.Get("regions")),
		Shares: r.texts(n.Get("shares")), Tenants: r.texts(n.Get("tenants")),
		Hang: r.flag(n.Get("hang")), SlowBy: r.duration(n.Get("slowBy"), 0), Errors: r.number(n.Get("errors"), 0), Status: uint16(max(0, min(r.int(n.Get("status"), 500), 999))),
		ProbesOnly: r.flag(n.Get("probesOnly")), BusinessOnly: r.flag(n.Get("businessOnly")), Gradually: r.text(n.Get("recovers")) == "gradually",
	}
	if d := n.Get("down"); r.file.Usable(d) {
		switch {
		case r.flag(d):
			f.Down = DownRefuse
		case d.Text == "refuse":
			f.Down = DownRefuseNew
		case d.Text == "drop":
			f.Down = DownDrop
		case d.Text == "reset":
			f.Down = DownReset
		}
	}
	return f
}

func (r *reader) expect(n *data.Node) Expect {
	e := Expect{
		ID: r.text(n.Get("id")), At: r.duration(n.Get("at"), unsaid), Within: r.duration(n.Get("within"), unsaid), By: r.duration(n.Get("by"), unsaid),
		From: r.duration(n.Get("from"), unsaid), To: r.duration(n.Get("to"), unsaid), Member: memberID(r.text(n.Get("member"))), Interface: r.text(n.Get("interface")),
		Metric: Metric(r.text(n.Get("metric"))), Status: r.int(n.Get("status"), 0), Above: r.bound(n.Get("above")), Below: r.bound(n.Get("below")),
		Place: n.Place(), MemberAt: place(n.Get("member")), InterfaceAt: place(n.Get("interface")),
	}
	if s := n.Get("state"); s != nil {
		for _, name := range append(r.texts(s), r.text(s)) {
			if state, ok := failover.ParseState(name); ok {
				e.States = append(e.States, state)
			}
		}
	}
	if s := n.Get("share"); r.file.Usable(s) {
		e.HasShare, e.Share = true, r.number(s, 0)
	}
	switch r.text(n.Get("of")) {
	case "attempts":
		e.Of = OfAttempts
	case "sent":
		e.Of = OfSent
	}
	if b := r.bound(n.Get("tolerance")); b.Duration {
		e.Span = time.Duration(b.Value)
	} else {
		e.Tolerance = b.Value
	}
	return e
}

func (r *reader) bound(n *data.Node) Bound {
	if !r.file.Usable(n) || !n.Scalar() {
		return Bound{}
	}
	if n.Kind == data.String {
		return Bound{Set: true, Value: float64(r.duration(n, 0)), Duration: true}
	}
	return Bound{Set: true, Value: r.number(n, 0)}
}
