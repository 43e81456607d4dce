package haproxy

import (
	"slices"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
)

// extraKind says how an extra is read.
type extraKind uint8

const (
	extraText extraKind = iota
	extraCount
	extraTime
	extraFlag
)

// extraNames are the parameters that inspect shows with a member, in report order.
var extraNames = [...]struct {
	param param
	name  schema.Path
	kind  extraKind
}{
	{pID, "id", extraText}, {pInitState, "init-state", extraText}, {pMaxconn, "maxConnections", extraCount}, {pMinconn, "minconn", extraCount},
	{pMaxqueue, "maxqueue", extraCount}, {pCookie, "cookie", extraText}, {pTrack, "track", extraText}, {pSource, "source", extraText},
	{pPort, "check.port", extraCount}, {pAddr, "check.address", extraText}, {pHealthcheck, "healthcheck", extraText},
	{pAgentCheck, "agent-check", extraFlag}, {pAgentPort, "agent-port", extraCount}, {pAgentAddr, "agent-addr", extraText},
	{pAgentInter, "agent-inter", extraTime}, {pResolvers, "resolvers", extraText}, {pSSL, "ssl", extraFlag}, {pProto, "proto", extraText},
}

// extras reads everything else that says something about one member.
func (k *copier) extras(s *server, m *schema.Member) {
	m.Extra = make([]schema.Field, 0, s.shown())
	if !s.name.templated {
		m.Extra = append(m.Extra, schema.Field{Path: "name", Value: schema.TextOf(s.name.text), At: s.name.at})
	}
	if s.template {
		if n, ok := span(s.count.text); ok {
			m.Extra = append(m.Extra, schema.Field{Path: "count", Value: schema.IntOf(n), At: s.count.at})
		}
	}
	for _, e := range extraNames {
		o := s.get(e.param)
		if o == nil || o.unsure {
			continue
		}
		at := o.value.at
		v := schema.Value{}
		switch text, ok := bind.Expand(o.value.text, k.Vars, syntax); {
		case e.kind == extraFlag:
			v, at = schema.BoolOf(!o.undo), o.at
		case !ok:
			k.Copy.Unresolve(serverPath(s, o.name), o.value.text, at)
		case e.kind == extraText:
			switch e.param {
			case pSource: // with usesrc and interface
				at = schema.Join(o.value.at, schema.At(int(o.at.End), int(o.at.End)))
				text = strings.Join(strings.Fields(k.r.text[at.Start:at.End]), " ")
			case pAddr:
				if a, problem := parseAddress(text); problem.En == "" && a.socket == "" && a.implied {
					text = a.host
				}
			}
			v = schema.TextOf(text)
		case e.kind == extraCount:
			if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= 0 {
				v = schema.IntOf(n)
			}
		case e.kind == extraTime:
			if d, err := parseTime(text); err == nil {
				v = schema.DurationOf(d)
			}
		}
		if v.Said() {
			m.Extra = append(m.Extra, schema.Field{Path: e.name, Value: v, At: at})
		}
		if e.param == pInitState {
			k.initState(o)
		}
	}
}

// shown is how many extras a server may have at the most.
func (s *server) shown() int {
	n := 1
	if s.template {
		n++
	}
	for i := range s.options {
		if s.options[i].param.shown() {
			n++
		}
	}
	return n
}

// shown reports whether inspect shows the parameter with a member.
func (p param) shown() bool {
	for i := range extraNames {
		if extraNames[i].param == p {
			return true
		}
	}
	return false
}

// span counts the servers of "5" or "1-5".
func span(text string) (int64, bool) {
	low, high, ranged := strings.Cut(text, "-")
	n, err := strconv.ParseInt(low, 10, 32)
	if err != nil || n < 0 {
		return 0, false
	}
	if !ranged {
		return n, true
	}
	to, err := strconv.ParseInt(high, 10, 32)
	return to - n + 1, err == nil && to >= n
}

var initStates = []string{"fully-up", "up", "down", "fully-down", "none"}

// initState refuses values and versions that HAProxy does.
func (k *copier) initState(o *option) {
	switch v := k.r.version; {
	case !k.once(o.at):
	case v.Known() && v.Less(3, 1):
		k.Copy.Report(schema.Problem{Rule: "schema/invalid", At: o.at, Item: schema.Members, Got: o.value.text,
			Text: schema.Textf("init-state exists since HAProxy 3.1; %d.%d refuses it", "init-state 自 HAProxy 3.1 起才有；%d.%d 会拒绝", v.Major, v.Minor)})
	case !o.value.templated && !strings.Contains(o.value.text, "$") && !slices.Contains(initStates, o.value.text):
		k.Copy.Report(schema.Problem{Rule: "schema/invalid", At: o.value.at, Item: schema.Members, Got: o.value.text,
			Text: schema.Textf("HAProxy knows no init-state %q", "HAProxy 没有 init-state %q", o.value.text),
			Hint: schema.Textf("use one of %s", "可用：%s", strings.Join(initStates, ", "))})
	}
}
