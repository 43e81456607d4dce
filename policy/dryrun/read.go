package dryrun

import (
	"path"
	"strconv"
	"time"

	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/schema/judge"
	"github.com/poolproof/poolproof/sources/cuefile"
	"github.com/poolproof/poolproof/sources/data"
	"github.com/poolproof/poolproof/sources/strict"
)

// Read reads a scenario in YAML, JSON or CUE, by the name's extension. ok is false if it cannot be played; the problems
// say why, each at its place.
func Read(name string, text []byte) (s *Scenario, problems []schema.Problem, ok bool) {
	r := reader{file: strict.New().Settings()}
	var tree data.File
	switch path.Ext(name) {
	case ".cue":
		tree = cuefile.Parse(text)
	case ".json":
		tree = data.JSON(text)
	default:
		tree = data.YAML(text)
	}
	r.problems = tree.Problems
	var root *data.Node
	for _, d := range tree.Documents {
		switch {
		case d.Root == nil:
		case root == nil:
			root = d.Root
		default:
			r.invalid(d.At, schema.Textf("a second document: a scenario file holds one scenario", "出现第二个文档：一个场景文件只含一个场景"), schema.Textf("put it into a file of its own", "请放入单独的文件"))
		}
	}
	if root == nil {
		if len(r.problems) == 0 {
			r.invalid(schema.At(0, 0), schema.Textf("the scenario is empty", "场景为空"), schema.Textf("write scenario: and what happens", "请写 scenario: 以及发生的事"))
		}
		return nil, r.problems, false
	}
	for _, i := range r.file.Check(judge.Scenario, root) {
		r.problems = append(r.problems, i.Problem(schema.Textf("the scenario", "场景")))
	}
	s = r.scenario(root)
	check(s, &r)
	for _, p := range r.problems {
		if p.Severity != schema.Warning && p.Severity != schema.Info {
			return s, r.problems, false
		}
	}
	return s, r.problems, true
}

// reader turns a judged document into a scenario. What was refused stays unsaid.
type reader struct {
	file     *strict.File
	problems []schema.Problem
}

// ruleInvalid is the rule of everything that a scenario gets wrong.
const ruleInvalid = judge.RuleInvalid

func (r *reader) invalid(at schema.Span, text, hint schema.Text) {
	r.problems = append(r.problems, schema.Problem{Rule: ruleInvalid, At: at, Text: text, Hint: hint})
}

func (r *reader) warn(at schema.Span, text, hint schema.Text) {
	r.problems = append(r.problems, schema.Problem{Rule: ruleInvalid, Severity: schema.Warning, At: at, Text: text, Hint: hint})
}

func (r *reader) text(n *data.Node) string { return r.file.Text(n) }

func (r *reader) duration(n *data.Node, def time.Duration) time.Duration {
	if !r.file.Usable(n) || !n.Scalar() {
		return def
	}
	d, err := schema.ParseDuration(n.Text)
	if err != nil {
		r.invalid(n.Place(), schema.Textf("%q is no length of time", "%q 不是时长", n.Text), schema.Textf("write it as in 30s", "请写成 30s 的形式"))
		return def
	}
	return d
}

func (r *reader) number(n *data.Node, def float64) float64 {
	if r.file.Usable(n) && n.Scalar() {
		if f, ok := strict.ParseNumber(n.Text); ok {
			return f
		}
	}
	return def
}

func (r *reader) int(n *data.Node, def int) int {
	const most = 1 << 31
	if r.file.Usable(n) && n.Scalar() {
		if i, ok := strict.ParseInt(n.Text); ok {
			return int(max(-most, min(i, most)))
		}
	}
	return def
}

func (r *reader) flag(n *data.Node) bool {
	return r.file.Usable(n) && (n.Kind == data.Bool) && (n.Text[0] == 't' || n.Text[0] == 'T')
}

func (r *reader) texts(n *data.Node) []string {
	if !r.file.Usable(n) || n.Kind != data.List {
		return nil
	}
	list := make([]string, 0, len(n.Items))
	for _, item := range n.Items {
		if r.file.Usable(item) {
			list = append(list, r.text(item))
		}
	}
	return list
}

// items returns the usable entries of a list.
func (r *reader) items(n *data.Node) []*data.Node {
	if !r.file.Usable(n) || n.Kind != data.List {
		return nil
	}
	var list []*data.Node
	for _, item := range n.Items {
		if item.Kind == data.Map {
			list = append(list, item)
		}
	}
	return list
}

func place(n *data.Node) schema.Span {
	if n == nil {
		return schema.Span{}
	}
	return n.Place()
}

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
