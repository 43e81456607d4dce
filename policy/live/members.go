package live

import (
	"slices"
	"strconv"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	gateway "github.com/poolproof/poolproof/sources/live"
)

// pair is a pool of a file and of a gateway.
type pair struct {
	*judge
	answer *gateway.Answer
	group  *reconcile.Group
	file   *reconcile.View
	live   *schema.Copy
}

// members compares the lists.
func (p *pair) members() {
	f := p.file.Copy
	if !f.States(schema.Members) || !p.live.States(schema.Members) {
		return
	}
	live, byName := p.adopt()
	for _, d := range reconcile.MembersOf(p.file, live, p.in.Manifest.Aliases) {
		switch {
		case d.Kind == reconcile.CannotCompare, d.Field == "weight":
			// A name and an address accuse nobody; weights are told member by member.
		case d.Kind == reconcile.Missing:
			names := d.Names
			if len(names) == 0 {
				names = []string{d.Member}
			}
			for _, name := range names {
				p.missing(name, d.TruthAt)
			}
		case d.Kind == reconcile.Extra:
			p.extra(d.Member, byName[d.Member])
		case d.Field == "state" && agent(p.find(f, d.Member)) || d.Field == "state" && agent(p.find(live, d.Member)):
			// An agent owns it.
		default:
			p.differs(&d, "")
		}
	}
	p.weights(live)
}

// adopt returns the running copy with its members called as the file calls them, where both give a server the same name:
// a gateway may show the address for a host name, a number for a relative port, and no path of a socket. Where server
// and address do not fit, that is reported, and the rest of the server compared. names gives the names of servers by
// identity.
func (p *pair) adopt() (live *schema.Copy, names map[string]string) {
	c := *p.live
	c.Members = slices.Clone(c.Members)
	names = make(map[string]string, len(c.Members))
	byName := make(map[string]*schema.Member, len(p.file.Copy.Members))
	for i := range p.file.Copy.Members {
		m := &p.file.Copy.Members[i]
		if name, ok := m.Get("name"); ok && m.Origin == schema.Static {
			byName[name.Value.Text()] = m
		}
	}
	kept := c.Members[:0]
	for i := range c.Members {
		m := c.Members[i]
		n, _ := m.Get("name")
		name := n.Value.Text()
		w := byName[name]
		switch {
		case w != nil && m.ID() == w.ID():
		case w != nil && (unplaced(&m) || p.same(w, &m)):
			call(&m, w)
		case w != nil:
			p.moved(w, &m, name)
			call(&m, w)
		case unplaced(&m):
			// Known by name alone: it cannot be told from a member that the file writes without a name.
			if p.file.Copy.Complete && len(byName) > 0 && name != "" && p.file.Copy.UnresolvedMembers() == 0 {
				p.extra(name, "")
			}
			continue
		}
		names[m.ID()] = name
		kept = append(kept, m)
	}
	if len(kept) < len(p.live.Members) && len(byName) == 0 {
		c.Complete = false
	}
	c.Members = kept
	return &c, names
}

func unplaced(m *schema.Member) bool {
	return m.Host == "" && m.Socket == "" && m.Model == "" && m.Provider == ""
}

// call gives a member the identity that the file gives it.
func call(m, w *schema.Member) {
	m.Host, m.Port, m.PortText, m.PortImplied, m.Socket = w.Host, w.Port, w.PortText, w.PortImplied, w.Socket
}

// same reports whether an address that a gateway shows may be what the file writes.
func (p *pair) same(w, m *schema.Member) bool {
	if w.Host == "" || m.Host == "" { // a socket, or nothing that is shown
		return false
	}
	host := w.Host == m.Host || !schema.IsAddress(w.Host) && schema.IsAddress(m.Host)
	if known := p.in.Manifest.Aliases[w.Host]; len(known) > 0 && schema.IsAddress(m.Host) {
		host = slices.Contains(known, m.Host)
	}
	port := w.Port == m.Port && w.PortText == m.PortText
	if offset, err := strconv.Atoi(w.PortText); err == nil { // "+100" shows as 100
		port = m.Port != 0 && (offset == int(m.Port) || -offset == int(m.Port))
	}
	return host && port
}

// find returns a member by identity.
func (p *pair) find(c *schema.Copy, id string) *schema.Member {
	for i := range c.Members {
		if c.Members[i].ID() == id {
			return &c.Members[i]
		}
	}
	return nil
}

// agent reports whether a program beside the member sets its state and weight at run time.
func agent(m *schema.Member) bool {
	if m == nil {
		return false
	}
	f, ok := m.Get("agent-check")
	return ok && f.Value.Bool()
}

func (p *pair) missing(member string, at schema.Span) {
	f := p.file.Copy
	p.hit("live/not-applied", p.group, rules.Hit{Copy: p.live, Item: schema.Members, Member: member, Want: member,
		Text:    schema.Textf("%s is in the file and not in %s", "%s 在文件中，而 %s 没有运行它", member, p.answer.Name),
		Hint:    schema.Textf("reload the gateway, or remove it from %s", "请重新加载网关，或从 %s 中删除", f.File()),
		Related: []rules.Relative{{Copy: f, At: at, Value: member, Truth: true, Label: schema.Textf("the file lists it", "文件列有该成员")}},
	})
}

func (p *pair) extra(member, name string) {
	f := p.file.Copy
	called := schema.Text{En: member, Zh: member}
	if name != "" {
		called = schema.Textf("%s (server %s)", "%s（server %s）", member, name)
	}
	p.hit("live/only-running", p.group, rules.Hit{Copy: p.live, Item: schema.Members, Member: member, Got: member,
		Text: schema.Text{
			En: called.En + " runs in " + p.answer.Name + " and is not in the file; a reload would lose it",
			Zh: called.Zh + " 正在 " + p.answer.Name + " 中运行，而文件中没有；重新加载后会丢失",
		},
		Hint:    schema.Textf("write it into %s, or take it out of the running gateway", "请写入 %s，或从运行中的网关移除", f.File()),
		Related: []rules.Relative{{Copy: f, At: f.ItemAt[schema.Members], Truth: true, Label: schema.Textf("the file's list", "文件中的列表")}},
	})
}

// moved reports a server that has another address at run time.
func (p *pair) moved(w, m *schema.Member, name string) {
	d := reconcile.Divergence{Item: schema.Members, Field: "address", Member: w.ID(), Want: w.ID(), Got: m.ID(), TruthAt: w.HostAt}
	p.differs(&d, name)
}

// differs reports a value. name is the server's, where the member alone would not tell which one it is.
func (p *pair) differs(d *reconcile.Divergence, name string) {
	f := p.file.Copy
	what := subject(d, name)
	got := schema.Text{En: d.Got, Zh: d.Got}
	if d.Got == "" {
		got = schema.Textf("not set", "未设置")
	}
	label := schema.Textf("the file says %s", "文件写的是 %s", d.Want)
	if d.Implied != nil {
		label = schema.Text{En: "the file writes nothing: " + d.Want + ", " + d.Implied.Why.En, Zh: "文件未写出：" + d.Want + "，" + d.Implied.Why.In("zh")}
	}
	p.hit("live/differs", p.group, rules.Hit{Copy: p.live, Item: d.Item, Field: d.Field, Member: d.Member, Got: d.Got, Want: d.Want,
		Text: schema.Text{
			En: what.En + " is " + got.En + " in " + p.answer.Name + " and " + d.Want + " in the file",
			Zh: what.Zh + " 在 " + p.answer.Name + " 中为 " + got.Zh + "，文件中为 " + d.Want,
		},
		Hint:    schema.Textf("reload the gateway or undo the change at run time, or write the new value into %s", "请重新加载网关或撤销运行时的改动；若新值正确，请写入 %s", f.File()),
		Related: []rules.Relative{{Copy: f, At: d.TruthAt, Value: d.Want, Truth: true, Label: label}},
	})
}

// subject names what differs.
func subject(d *reconcile.Divergence, name string) schema.Text {
	switch {
	case name != "":
		return schema.Textf("the %s of the server %s", "server %[2]s 的 %[1]s", d.Field, name)
	case d.Member != "":
		return schema.Textf("the %s of %s", "%[2]s 的 %[1]s", d.Field, d.Member)
	}
	path := d.Item.String()
	if d.Field != "" {
		path += "." + d.Field
	}
	return schema.Text{En: path, Zh: path}
}
