package haproxy

import (
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/live"
)

// The bits of srv_admin_state that are orders of people. Others are inherited from a tracked server, left from the file,
// or say that a name does not resolve.
const (
	forcedMaintenance = 0x01
	forcedDrain       = 0x08
)

// serverKey is a server's name, which is unique inside a backend.
type serverKey struct{ proxy, name string }

// build makes the copies of all backends. It is not ok where the lists do not fit together, because servers came or went
// between two questions.
func build(backends []string, servers []state, rows []stat) (copies []schema.Copy, ok bool) {
	stats := make(map[serverKey]*stat, len(rows))
	for i := range rows {
		if rows[i].server {
			stats[serverKey{rows[i].proxy, rows[i].name}] = &rows[i]
		}
	}
	b := newBuilder()
	for _, name := range backends {
		b.open(name)
	}
	for i := range servers {
		s := &servers[i]
		row := stats[serverKey{s.backend, s.name}]
		if inside(s.backend) {
			continue
		}
		c := b.copies[s.backend]
		if c == nil || row == nil {
			return nil, false
		}
		m := schema.Member{HasWeight: true, Weight: s.weight, State: schema.Active}
		switch {
		case s.admin&forcedMaintenance != 0:
			m.State = schema.Disabled
		case s.admin&forcedDrain != 0:
			m.State = schema.Drain
		}
		host := s.fqdn
		if host == "" {
			host = given(s.addr)
		}
		place(&m, host, s.port)
		if s.srv != "" {
			m.Origin, c.Complete = schema.FromSRV, false
		}
		b.add(c, m, s.name, row)
	}
	return b.finish(), true
}

// fromPage makes copies of the statistics alone.
func fromPage(rows []stat) []schema.Copy {
	b := newBuilder()
	for i := range rows {
		if !rows[i].server && !inside(rows[i].proxy) {
			b.open(rows[i].proxy)
		}
	}
	for i := range rows {
		row := &rows[i]
		c := b.copies[row.proxy]
		if !row.server || c == nil {
			continue
		}
		m := schema.Member{State: schema.Active}
		weight, set := row.number("uweight")
		if _, ramping := row.fields["throttle"]; !set && !ramping { // older versions show only the effective one
			weight, set = row.number("weight")
		}
		m.Weight, m.HasWeight = weight, set
		switch status := row.fields["status"]; {
		case status == "MAINT":
			m.State = schema.Disabled
		case status == "DRAIN" && !(set && weight == 0): // weight 0 shows as DRAIN too
			m.State = schema.Drain
		}
		if i := strings.LastIndexByte(row.fields["addr"], ':'); i > 0 {
			port := 0
			for _, digit := range row.fields["addr"][i+1:] {
				if digit < '0' || digit > '9' || port > 65535 {
					port = 1 << 16
					break
				}
				port = port*10 + int(digit-'0')
			}
			place(&m, row.fields["addr"][:i], port)
		}
		b.add(c, m, row.name, row)
	}
	return b.finish()
}

// place sets a member's address. Port 0 is that of the client's connection.
func place(m *schema.Member, host string, port int) {
	if port < 0 || port > 65535 {
		return
	}
	name, ok := schema.NormalHost(host)
	if !ok {
		return
	}
	m.Host, m.Port = name, uint16(port)
	if port == 0 {
		m.PortText = "client"
	}
}

// inside reports proxies that HAProxy makes for itself.
func inside(name string) bool { return name == "" || name[0] == '<' || name == "MASTER" }

// builder collects the copies in the order of the backends.
type builder struct {
	copies map[string]*schema.Copy
	order  []*schema.Copy
	counts map[*schema.Copy]*counts
}

// counts are rise and fall as far as the servers of a backend agree.
type counts struct {
	rise, fall int64
	seen, odd  bool
}

func newBuilder() *builder {
	return &builder{copies: map[string]*schema.Copy{}, counts: map[*schema.Copy]*counts{}}
}

func (b *builder) open(name string) {
	if inside(name) || b.copies[name] != nil {
		return
	}
	c := &schema.Copy{Pool: name, PoolAt: live.Somewhere(), Profile: "haproxy", Complete: true}
	c.Touch(schema.Members, live.Somewhere())
	b.copies[name], b.counts[c] = c, &counts{}
	b.order = append(b.order, c)
}

// add puts a server into its backend, with what the statistics say of it.
func (b *builder) add(c *schema.Copy, m schema.Member, name string, row *stat) {
	at := live.Somewhere()
	m.At = at
	m.Extra = []schema.Field{{Path: "name", Value: schema.TextOf(name), At: at}}
	if backup, ok := row.number("bck"); ok {
		m.Backup = schema.TriOf(backup == 1)
	}
	if row.fields["agent_status"] != "" || row.fields["agent_rise"] != "" {
		m.Extra = append(m.Extra, schema.Field{Path: "agent-check", Value: schema.BoolOf(true), At: at})
	}
	c.Members = append(c.Members, m)
	rise, ok := row.number("check_rise")
	fall, ok2 := row.number("check_fall")
	if n := b.counts[c]; ok && ok2 && rise > 0 && fall > 0 {
		n.odd = n.odd || n.seen && (n.rise != rise || n.fall != fall)
		n.rise, n.fall, n.seen = rise, fall, true
	}
}

// finish gives each backend the counts on which its servers agree.
func (b *builder) finish() []schema.Copy {
	out := make([]schema.Copy, 0, len(b.order))
	for _, c := range b.order {
		if n := b.counts[c]; n.seen && !n.odd {
			c.Set("probe.rise", schema.IntOf(n.rise), live.Somewhere())
			c.Set("probe.fall", schema.IntOf(n.fall), live.Somewhere())
		}
		out = append(out, *c)
	}
	return out
}
