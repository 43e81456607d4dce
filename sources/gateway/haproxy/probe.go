package haproxy

import (
	"github.com/poolproof/poolproof/schema"
)

// probe reads what the section's servers are checked with and how often. A section of which no server is checked has no
// probe, whatever its options say; where the section itself says it, that is a mistake.
func (k *copier) probe() {
	sure, hint := false, k.p.checks.own
	for _, s := range k.checked {
		o := s.get(pCheck)
		if !k.checkAt.Known() {
			k.checkAt = s.at // a template may hold the word
		}
		hint = hint || o != nil
		if o != nil && !o.unsure && !sure {
			sure, k.checkAt = true, o.at
		}
	}
	if !hint && k.ownProbing() == nil { // nothing but templates, which might hold anything
		k.checked = nil
	}
	if len(k.checked) == 0 {
		if !k.p.unknown.Known() && len(k.p.opaque) == 0 && !k.p.reopened {
			k.neverRuns()
		}
		return
	}
	if sure {
		k.Copy.Touch(schema.Probe, k.checkAt)
	} else {
		k.unsure("probe", k.checkAt)
	}
	if at := k.unknown(); sure && at.Known() {
		k.Unresolve("probe", at)
	}
	k.unchecked()
	k.common(k.checked, pPort, "probe.port", paramPort)
	k.request()
	k.portless()
	k.common(k.checked, pInter, "probe.interval", paramTime)
	k.common(k.checked, pFastinter, "probe.intervals.fast", paramTime)
	k.common(k.checked, pDowninter, "probe.intervals.down", paramTime)
	k.common(k.checked, pRise, "probe.rise", paramPositive)
	k.common(k.checked, pFall, "probe.fall", paramPositive)
	k.common(k.checked, pCheckSNI, "check-sni", paramText)
	k.common(k.checked, pCheckALPN, "check-alpn", paramText)
	k.common(k.checked, pCheckProto, "check-proto", paramText)
	k.common(k.checked, pCheckProxy, "check-send-proxy", paramFlag)
}

// unknown returns a template that may stand for parameters of the check, which then are not those that HAProxy has by
// itself.
func (k *copier) unknown() schema.Span {
	for _, s := range k.checked {
		if s.opaque.Known() {
			return s.opaque
		}
	}
	return k.p.unknown
}

// timeoutCheck reads "timeout check", which is part of the probe where there is one; ok is false where there is none.
func (k *copier) timeoutCheck(s *setting, args []word) (ok bool) {
	if len(k.checked) == 0 || len(args) == 0 || s.negated {
		return false
	}
	if s.unsure {
		k.unsure("probe.timeout", s.at)
		return true
	}
	if d, err := parseTime(args[0].text); err == nil && d == 0 {
		return false // no time limit of its own, as if it were not written
	}
	k.time("probe.timeout", args[0], 1)
	return true
}

// request reads what is sent and what must come back.
func (k *copier) request() {
	c := k.p.checks
	if name := k.sharedTest(); name != nil {
		test := k.r.tests[name.value.text]
		if test == nil {
			k.Unresolve("probe.protocol", name.at) // in another file
			return
		}
		c = test.checks
	}
	if c.unsure {
		k.unsure("probe.protocol", c.option.at)
		return
	}
	if c.kind == "" {
		k.unusedRules()
		return
	}
	protocol := c.kind
	at := c.option.at
	if len(c.option.words) > 1 {
		at = c.option.words[1].at
	}
	q := readRules(&c)
	tls, mixed := k.tls(q)
	if tls && protocol == "http" {
		protocol = "https"
	}
	k.Copy.Set("probe.protocol", schema.TextOf(protocol), at)
	if mixed {
		k.common(k.checked, pCheckSSL, "check-ssl", paramFlag)
	}
	k.bindRequest(q)
	if c.lost && c.kind == "http" {
		k.lostRequest(&c, q)
	}
}

// sharedTest returns the healthcheck parameter that all checked servers share, nil where they do not.
func (k *copier) sharedTest() *option {
	first := k.checked[0].get(pHealthcheck)
	for _, s := range k.checked {
		o := s.get(pHealthcheck)
		if o == nil || first == nil || o.value.text != first.value.text || o.value.templated {
			return nil
		}
	}
	return first
}

// tls reports whether most checked servers are checked over TLS; mixed says that not all do alike.
func (k *copier) tls(q *request) (tls, mixed bool) {
	if q.connect {
		if q.ssl {
			return true, false
		}
		if !q.byDefault {
			return false, false
		}
	}
	n := 0
	for _, s := range k.checked {
		if checkTLS(s) {
			n++
		}
	}
	return 2*n > len(k.checked), n > 0 && n < len(k.checked)
}

// checkTLS reports whether a server's checks use TLS. They do as its traffic does, unless they go elsewhere.
func checkTLS(s *server) bool {
	if o := s.get(pCheckSSL); o != nil && !o.unsure {
		return !o.undo
	}
	return s.has(pSSL) && s.get(pPort) == nil && s.get(pAddr) == nil
}

// unchecked names the servers of a checked pool that HAProxy does not check: they always count as up.
func (k *copier) unchecked() {
	for s := range k.p.servers.all() {
		if yes, certain := s.checks(); !yes && certain {
			k.Copy.Fields = append(k.Copy.Fields, schema.Field{Path: serverPath(s, "check"), Value: schema.BoolOf(false), At: s.at})
		}
	}
}
