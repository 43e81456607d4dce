package haproxy

import (
	"slices"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
)

// portless reports checked servers of which neither the address, nor the check, nor a connect rule has a port: HAProxy
// then knows no port to check and refuses the file. A port that follows the client's counts for none. Names get away with
// it, as they are resolved only later.
func (k *copier) portless() {
	if v := k.r.version; v.Known() && v.Less(2, 0) { // old ones take the port of the section's own listener
		return
	}
	if off := k.p.setting("disabled", ""); off != nil && !off.negated {
		return
	}
	if k.unknown().Known() || k.p.checks.unsure || k.p.checks.kind == "external" || k.connectsElsewhere() {
		return
	}
	for _, s := range k.checked {
		o := s.get(pCheck)
		if o == nil || o.unsure || o.undo || s.template || s.addr.templated || s.get(pPort) != nil || s.get(pHealthcheck) != nil {
			continue
		}
		a, problem := parseAddress(s.addr.text)
		if problem.En != "" || a.port != 0 || !schema.IsAddress(a.host) || k.addressHasPort(s) || !k.once(s.addr.at) {
			continue
		}
		k.Copy.Report(schema.Problem{Rule: "schema/invalid", At: s.addr.at, Item: schema.Probe, Field: "port", Member: s.addr.text,
			Text: schema.Textf("HAProxy 2.0 and later refuses to check %q: neither the server nor its check has a port", "HAProxy 2.0 及以后的版本拒绝探测 %q：server 和探测都没有端口", s.name.text),
			Hint: schema.Textf("write the port behind the address, or say which one is checked: check port 8080", "请在地址后写端口，或写明探测端口：check port 8080")})
		k.trim()
	}
}

// addressHasPort reports whether the check's own address may have a port.
func (k *copier) addressHasPort(s *server) bool {
	o := s.get(pAddr)
	if o == nil {
		return false
	}
	a, problem := parseAddress(o.value.text)
	return o.unsure || problem.En != "" || a.port != 0 || a.socket != "" || bind.HasTemplate(o.value.text, syntax)
}

// connectsElsewhere reports whether a rule of the check may name an address or port of its own.
func (k *copier) connectsElsewhere() bool {
	c := k.p.checks
	return c.rules != nil && slices.ContainsFunc(c.rules.lines, func(d directive) bool {
		return d.words[1].text == "connect" && len(d.words) > 2
	})
}
