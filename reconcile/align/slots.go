package align

import (
	"slices"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

// slots returns the ways in which a new member is put into the text of a sibling: what stands in place of its address,
// port, weight, priority, backup and state.
func (p *planner) slots(d *reconcile.Divergence, n neighbour, x pattern, truth *schema.Member, r *roster) [][]slot {
	m := &p.copy.Members[x.copy]
	rest, ok := p.tunables(m, truth, n, r)
	if !ok {
		return nil
	}
	var out [][]slot
	for _, who := range p.identity(d, n.list, x, m, truth) {
		all := append(slices.Clone(who), rest...)
		slices.SortFunc(all, func(a, b slot) int { return a.at.start - b.at.start })
		out = append(out, all)
	}
	return out
}

// tunables returns what stands in place of the values that are no part of the identity.
func (p *planner) tunables(m, truth *schema.Member, n neighbour, r *roster) ([]slot, bool) {
	var out []slot
	set := func(at schema.Span, ways []string, keep bool) {
		place, _, ok := p.at(at)
		switch {
		case !ok:
		case !keep || len(ways) == 0:
			out = append(out, slot{at: place, drop: true})
		default:
			out = append(out, slot{at: place, text: ways[0]})
		}
	}
	text := func(at schema.Span) string { _, s, _ := p.at(at); return s }
	if m.HasWeight {
		w, ok := r.weights[tierOf(truth)].of(r.weightOf(n.truth))
		set(m.WeightAt, spellInt(text(m.WeightAt), w), ok)
	}
	if m.HasPriority {
		v, ok := r.ranks.value[tierOf(truth)]
		set(m.PriorityAt, spellInt(text(m.PriorityAt), v), ok)
	}
	if m.Backup != schema.Unsaid {
		want := truth.Backup == schema.Yes
		ways := []string{text(m.BackupAt)}
		if (m.Backup == schema.Yes) != want {
			ways = p.flagWays(m, want)
		}
		set(m.BackupAt, ways, want || p.usual(func(o *schema.Member) bool { return o.Backup == schema.No }))
	}
	if m.State != schema.StateUnsaid {
		want := max(truth.State, schema.Active)
		ways := []string{text(m.StateAt)}
		if m.State != want {
			ways = p.stateWays(m, want)
		}
		set(m.StateAt, ways, want != schema.Active || p.usual(func(o *schema.Member) bool { return o.State == schema.Active }))
	}
	return out, true
}

// usual reports whether some member of the copy writes a value that could also be left out.
func (p *planner) usual(is func(*schema.Member) bool) bool {
	const most = 64
	for i := range p.copy.Members[:min(most, len(p.copy.Members))] {
		if is(&p.copy.Members[i]) {
			return true
		}
	}
	return false
}

// identity returns the ways to write who the new member is.
func (p *planner) identity(d *reconcile.Divergence, l *listing, x pattern, m, truth *schema.Member) [][]slot {
	switch {
	case truth.Socket != "":
		return p.named(l, x, []string{m.Socket}, []string{truth.Socket})
	case truth.Host == "":
		return p.named(l, x, []string{m.Provider, m.Model}, []string{truth.Provider, truth.Model})
	}
	if m.Host == "" {
		return nil
	}
	host, port := identityOf(d, truth)
	hostAt, oldHost, ok := p.at(m.HostAt)
	if !ok {
		return nil
	}
	portAt, oldPort, hasPort := p.at(m.PortAt)
	both := schema.JoinEndpoint(host, port)
	switch {
	case hasPort && hostAt == portAt: // one text whose parts have no places
		return ways(hostAt, endpoint(oldHost, host, port)...)
	case hasPort && portAt.start == hostAt.end+1 && p.text[hostAt.end] == ':':
		return ways(span{hostAt.start, portAt.end}, p.quoted(span{hostAt.start, portAt.end}, both))
	case hasPort:
		return p.apart(hostAt, portAt, oldHost, oldPort, host, port)
	case m.PortImplied: // the scheme's own
		bare := host
		if strings.Contains(host, ":") {
			bare = "[" + host + "]"
		}
		if strings.Contains(oldHost, "://") {
			return ways(hostAt, endpoint(oldHost, host, port)...)
		}
		if strconv.Itoa(int(m.Port)) == port {
			return ways(hostAt, bare)
		}
		return ways(hostAt, both)
	case m.Port != 0: // the text holds it in some other form
		return ways(hostAt, endpoint(oldHost, host, port)...)
	}
	return ways(hostAt, p.quoted(hostAt, host), p.quoted(hostAt, both))
}

// apart returns slots for a host and a port that stand each for itself.
func (p *planner) apart(hostAt, portAt span, oldHost, oldPort, host, port string) [][]slot {
	var out [][]slot
	hosts := []string{p.quoted(hostAt, host)}
	if e, ok := schema.SplitEndpoint(bareText(oldHost)); ok && (e.Scheme != "" || e.Port != 0) {
		hosts = endpoint(oldHost, host, port)
	}
	ports := spellInt(oldPort, 0)
	if n, err := strconv.Atoi(port); err == nil {
		ports = spellInt(oldPort, int64(n))
	} else {
		ports = []string{requote(oldPort, port, p.notation.quotable())}
	}
	for _, h := range hosts {
		for _, o := range ports[:min(1, len(ports))] {
			out = append(out, []slot{{at: hostAt, text: h}, {at: portAt, text: o, drop: port == ""}})
		}
	}
	return out
}

func ways(at span, texts ...string) [][]slot {
	var out [][]slot
	for _, t := range texts {
		out = append(out, []slot{{at: at, text: t}})
	}
	return out
}

// endpoint writes host and port in the form of another text: a URL stays one.
func endpoint(old, host, port string) []string {
	both := schema.JoinEndpoint(host, port)
	e, ok := schema.SplitEndpoint(bareText(old))
	if !ok || e.Scheme == "" {
		return []string{requote(old, both, false), requote(old, both, true)}
	}
	tail := ""
	if i := strings.LastIndex(bareText(old), e.Path); e.Path != "" && i > 0 {
		tail = bareText(old)[i:]
	}
	scheme, _, _ := strings.Cut(bareText(old), "://")
	return []string{requote(old, scheme+"://"+both+tail, false)}
}

// quoted writes a text in the quotes of the old one; in place of a whole scalar without any, with quotes where it needs
// them, and inside of a scalar as it is.
func (p *planner) quoted(at span, text string) string {
	old := p.text[at.start:at.end]
	s, ok := p.tree.text(at)
	switch whole := ok && asSpan(s.node.At) == at; {
	case whole && s.node.Style == data.Plain:
		return requote(old, text, p.notation.quotable())
	case whole:
		return requote(old, text, false)
	}
	return text
}

// named returns slots for texts that name a member and whose places the adapter does not tell: they are looked for.
func (p *planner) named(l *listing, x pattern, old, new []string) [][]slot {
	var out []slot
	for i := range old {
		if old[i] == "" || new[i] == "" {
			if old[i] != new[i] {
				return nil
			}
			continue
		}
		at, ok := p.find(l, x.i, old[i])
		if !ok {
			return nil
		}
		out = append(out, slot{at: at, text: requote(p.text[at.start:at.end], new[i], p.notation.quotable())})
	}
	return [][]slot{out}
}

// find returns where an entry writes a text: a value of its own, else the only place of its bytes.
func (p *planner) find(l *listing, i int, text string) (span, bool) {
	at := l.items[i]
	if l.seats != nil && l.indexed == nil {
		n := l.seats[i].node
		for j := range n.Pairs {
			if v := n.Pairs[j].Value; v.Scalar() && v.Text == text && !v.Alias.Known() {
				return asSpan(v.At), true
			}
		}
	}
	src := p.text[at.start:at.end]
	if k := strings.Index(src, text); k >= 0 && strings.Count(src, text) == 1 {
		return span{at.start + k, at.start + k + len(text)}, true
	}
	return span{}, false
}
