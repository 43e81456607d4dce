package haproxy

import "slices"

// checks is what a section's servers are checked with.
type checks struct {
	// kind is "http", "tcp", or the protocol of a built-in check; empty is a plain connection.
	kind   string
	option directive // the option line that chose it
	rules  *ruleset  // of http and tcp
	own    bool      // chosen by the section itself, not by its defaults
	// unsure: chosen inside a conditional.
	unsure bool
	// lost: the section's own rules have replaced those of its defaults, the request among them.
	lost bool
}

// ruleset is a list of http-check or tcp-check lines, with the option lines among them.
type ruleset struct {
	lines   []directive
	request *request // once they have been followed
}

// checkOptions maps the options that choose a check to its protocol.
var checkOptions = map[string]string{
	"httpchk": "http", "tcp-check": "tcp", "ssl-hello-chk": "ssl", "smtpchk": "smtp", "pgsql-check": "pgsql",
	"redis-check": "redis", "mysql-check": "mysql", "ldap-check": "ldap", "spop-check": "spop", "external-check": "external",
}

// checkOption handles an option line that chooses a check; ok is false for other options.
func (p *proxy) checkOption(d directive) (ok bool) {
	kind, ok := checkOptions[d.words[1].text]
	if !ok || d.negated {
		return ok
	}
	d.words = slices.Clone(d.words)
	c := checks{kind: kind, option: d, own: true, unsure: d.unsure}
	switch kind {
	case "http":
		c.rules = own(&p.http)
		c.rules.lines = append(c.rules.lines, d)
	case "tcp":
		c.rules = own(&p.tcp)
	}
	p.checks = c
	return true
}

// rule handles an http-check or tcp-check line. Where the section's defaults chose the check, the first rule of the
// section drops all rules of the defaults (since HAProxy 2.2).
func (p *proxy) rule(d directive) {
	if len(d.words) < 2 {
		return
	}
	d.words = slices.Clone(d.words)
	kind, set := "http", &p.http
	if d.words[0].text == "tcp-check" {
		kind, set = "tcp", &p.tcp
	} else if w := d.words[1].text; w == "disable-on-404" || w == "send-state" {
		p.set(d)
		return
	}
	rules := own(set)
	rules.lines = append(rules.lines, d)
	if p.checks.kind == kind && p.checks.rules != rules {
		p.checks.lost = p.checks.rules != nil
		p.checks.rules = rules
	}
}

func own(set **ruleset) *ruleset {
	if *set == nil {
		*set = &ruleset{}
	}
	return *set
}
