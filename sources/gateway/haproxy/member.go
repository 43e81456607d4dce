package haproxy

import (
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
)

// list looks at the section's servers as a whole.
func (k *copier) list() {
	c := k.Copy
	c.Complete = len(k.p.opaque) == 0 && k.p.within < cond && !k.p.reopened
	at := schema.Span{}
	for s := range k.p.servers.all() {
		at = schema.Join(at, s.at)
		if s.within >= cond || s.template {
			c.Complete = false
		}
		if yes, _ := s.checks(); yes {
			k.checked = append(k.checked, s)
		}
	}
	if k.p.servers.n == 0 {
		at = k.p.opaque[0]
		k.Unresolve("members[0]", at)
	}
	c.ItemAt[schema.Members] = at
}

// members turns the section's servers into members. It comes last, and drops the servers as it goes, but what it finds
// stands before what the settings gave.
func (k *copier) members() {
	c := k.Copy
	problems, unresolved := c.Problems, c.Unresolved
	own := min(len(k.p.problems), len(problems)) // the reader's come first
	c.Problems, c.Unresolved = problems[:own:own], nil
	k.checked, k.every = nil, nil
	c.Members = make([]schema.Member, 0, k.p.servers.n)
	for s := range k.p.servers.take() {
		k.member(s)
		k.trim()
	}
	c.Problems = append(c.Problems, problems[own:]...)
	c.Unresolved = append(c.Unresolved, unresolved...)
	k.rankBackups()
}

// member reads one server line.
func (k *copier) member(s *server) {
	text, ok := s.addr.text, true
	if s.addr.templated || !plain(text) {
		if text, ok = k.address(s); !ok {
			return
		}
	}
	a, problem := parseAddress(text)
	if problem.En != "" {
		hint := schema.Text{}
		if strings.Count(text, ":") > 1 {
			hint = schema.Textf("write IPv6 addresses in brackets: [%s]", "IPv6 地址请加方括号：[%s]", text)
		}
		k.Refuse(s.path(), s.addr.scalar(), "schema/invalid", problem, hint)
		return
	}
	m := schema.Member{Host: a.host, Port: uint16(a.port), PortText: a.portText, PortImplied: a.implied, Socket: a.socket, At: s.at}
	if text == s.addr.text {
		m.HostAt = s.addr.part(a.hostFrom, a.hostTo)
		if a.portTo > a.portFrom {
			m.PortAt = s.addr.part(a.portFrom, a.portTo)
		}
	} else {
		m.HostAt, m.PortAt = s.addr.at, s.addr.at
	}
	switch {
	case a.srv:
		m.Origin = schema.FromSRV
	case s.template:
		m.Origin = schema.FromDNS
	case s.within >= cond: // it may not be there, so nobody lacks it
		m.Origin = schema.FromTemplate
	}
	if m.Origin != schema.Static {
		k.Copy.Complete = false
	}
	k.traits(s, &m)
	k.extras(s, &m)
	k.Copy.Members = append(k.Copy.Members, m)
}

// plain reports addresses of letters, digits and the marks of hosts and ports, which hold no placeholders.
func plain(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; !nameByte(c) && c != '.' && c != ':' && c != '-' || c == '_' {
			return false
		}
	}
	return true
}

// path names a member that cannot be read.
func (s *server) path() schema.Path {
	return schema.Path("members[" + strconv.Itoa(int(s.index)) + "]")
}

// address resolves the environment variables of an address.
func (k *copier) address(s *server) (text string, ok bool) {
	v := s.addr.scalar()
	if !s.addr.templated {
		v.Text, ok = bind.Expand(braced(v.Text), k.Vars, syntax)
	}
	if !ok || placeholder(v.Text) {
		k.Copy.Unresolve(s.path(), s.addr.text, s.addr.at)
		return "", false
	}
	return k.Resolve(s.path(), v)
}

// traits reads weight, backup and state.
func (k *copier) traits(s *server, m *schema.Member) {
	if o := s.get(pWeight); o != nil && k.certain(s, o) {
		m.Weight, m.HasWeight = k.weight(s, o)
		if m.HasWeight {
			m.WeightAt = o.value.at
		}
	}
	if o := s.get(pBackup); o != nil && k.certain(s, o) {
		m.Backup, m.BackupAt = schema.TriOf(!o.undo), o.at
	}
	if o := s.get(pDisabled); o != nil && k.certain(s, o) {
		m.State, m.StateAt = schema.Disabled, o.at
		if o.undo {
			m.State = schema.Active
		}
	}
}

// certain reports whether a parameter is there; one inside a conditional is recorded as unresolved.
func (k *copier) certain(s *server, o *option) bool {
	if o.unsure && k.once(o.at) {
		k.Unresolve(serverPath(s, o.name), o.at)
	}
	return !o.unsure
}

func (k *copier) weight(s *server, o *option) (int64, bool) {
	text, ok := k.Resolve(serverPath(s, "weight"), o.value.scalar())
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err == nil && n >= 0 && n <= 256 {
		return n, true
	}
	rule, say := "schema/invalid", schema.Textf("HAProxy takes weights from 0 to 256, not %s", "HAProxy 的权重取值为 0 到 256，而非 %s", text)
	if err != nil {
		say = schema.Textf("the weight %q is no whole number; HAProxy would read what it can and ignore the rest, or take 0", "权重 %q 不是整数；HAProxy 会读取能识别的部分并忽略其余，或当作 0", text)
		if _, err := parseTime(text); err == nil {
			rule = "schema/unit"
		}
	}
	if k.once(o.at) {
		k.Copy.Report(schema.Problem{Rule: rule, At: o.value.at, Item: schema.Members, Field: "weight", Member: s.addr.text, Text: say, Got: text})
	}
	k.Copy.Unresolved = append(k.Copy.Unresolved, schema.Unresolved{Path: serverPath(s, "weight"), Raw: text, At: o.value.at, Quiet: true})
	return 0, false
}

// serverPath names a setting of one server.
func serverPath(s *server, name string) schema.Path {
	if s.name.templated {
		return schema.Path("server[" + strconv.Itoa(int(s.index)) + "]." + name)
	}
	return schema.Path("server." + s.name.text + "." + name)
}

// rankBackups gives several backups the ranks in which HAProxy uses them: without "option allbackups" only the first
// usable one takes traffic.
func (k *copier) rankBackups() {
	if s := k.p.setting("option", "allbackups"); s != nil && (s.unsure || !s.negated) {
		return
	}
	backups := 0
	for _, m := range k.Copy.Members {
		if m.Backup == schema.Yes {
			backups++
		}
	}
	if backups < 2 {
		return
	}
	rank := int64(0)
	for i := range k.Copy.Members {
		if m := &k.Copy.Members[i]; m.Backup == schema.Yes {
			rank++
			m.HasPriority, m.Priority, m.PriorityAt = true, rank, m.BackupAt
		}
	}
}
