package haproxy

import (
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/bind"
)

// proxy is a defaults, listen or backend section.
type proxy struct {
	kind       string
	name       word
	start, end int
	tpl, dot   *block // blocks around the header
	within     blockKind
	// reopened: the file holds the section in more than one branch of a conditional.
	reopened bool

	settings []setting
	checks   checks
	// http and tcp are the section's own rule sets, nil where it writes none.
	http, tcp *ruleset
	base      []option // default-server, as far as it has been read
	servers   servers
	names     map[string]int32
	opaque    []schema.Span // lines that may stand for servers
	// unknown is the first template that may stand for any settings of the section or its defaults.
	unknown  schema.Span
	problems []schema.Problem
	speller  *speller
	// syntax and other bound the problems: those that a section without servers has too, and the others.
	syntax, other sources.Tally
	// inDefaults: the file has a defaults section that the section builds on.
	inDefaults bool
}

// directive is one line of a section.
type directive struct {
	words []word // without "no"
	at    schema.Span
	// negated: the line starts with "no".
	negated bool
	// unsure: the line stands inside a conditional.
	unsure bool
}

// inherit starts a section from a defaults section, which may be nil.
func (p *proxy) inherit(from *proxy) {
	if from == nil {
		return
	}
	p.inDefaults = true
	unsure := from.within >= cond || from.reopened
	p.settings = append(p.settings, from.settings...)
	p.base = append(p.base, from.base...)
	p.unknown = from.unknown
	p.checks = from.checks
	p.checks.own = false
	for i := range p.settings {
		p.settings[i].own = false
		p.settings[i].unsure = p.settings[i].unsure || unsure
	}
	for i := range p.base {
		p.base[i].own = false
		p.base[i].unsure = p.base[i].unsure || unsure
	}
	p.checks.unsure = p.checks.unsure || unsure && p.checks.kind != ""
}

// relative says what blocks opened inside the section make of a line.
func (p *proxy) relative(l *line) blockKind {
	if p.reopened {
		return cond
	}
	return max(since(l.tpl, p.tpl), since(l.dot, p.dot))
}

// unsettle notes a template that may stand for any settings.
func (p *proxy) unsettle(at schema.Span) {
	if !p.unknown.Known() {
		p.unknown = at
	}
}

// reopen continues a section in another branch: whatever it says may or may not apply.
func (p *proxy) reopen(tpl, dot *block) {
	p.reopened, p.tpl, p.dot = true, tpl, dot
	for i := range p.settings {
		p.settings[i].unsure = p.settings[i].unsure || p.settings[i].own
	}
	for i := range p.base {
		p.base[i].unsure = p.base[i].unsure || p.base[i].own
	}
	p.checks.unsure = p.checks.unsure || p.checks.own
	for s := range p.servers.all() {
		s.within = max(s.within, cond)
	}
}

// line reads one line of the section.
func (p *proxy) line(l *line) {
	if len(l.words) == 0 || l.words[0].templated || bind.HasTemplate(l.words[0].text, bind.Common) {
		p.opaque = append(p.opaque, l.span()) // a template writes the line, whatever it may be
		p.unsettle(l.span())
		return
	}
	if l.opaque && l.words[0].text != "server" {
		p.opaque = append(p.opaque, l.span())
		p.unsettle(l.span())
	}
	d := directive{words: l.words, at: l.span(), unsure: p.relative(l) >= cond}
	switch d.words[0].text {
	case "no":
		d.negated, d.words = true, d.words[1:]
	case "default":
		d.words = d.words[1:]
		if len(d.words) > 1 {
			p.forget(d.words[0].text, d.words[1].text)
		}
		return
	}
	if len(d.words) == 0 {
		return
	}
	switch d.words[0].text {
	case "server":
		p.server(l, false)
	case "server-template":
		p.server(l, true)
	case "default-server":
		p.defaultServer(l)
	case "http-check", "tcp-check":
		p.rule(d)
	case "option", "type": // a healthcheck section names its check by "type"
		if len(d.words) > 1 && p.checkOption(d) {
			return
		}
		p.set(d)
	default:
		p.set(d)
	}
}

func (p *proxy) report(problem schema.Problem) {
	if p.kind == "listen" || p.kind == "backend" {
		problem.Pool = p.name.text
	}
	p.problems = append(p.problems, problem)
}

// duplicate reports a keyword that is written twice with two values.
func (p *proxy) duplicate(key string, at, first schema.Span) {
	if !p.other.Room(schema.Error) {
		return
	}
	p.report(schema.Problem{Rule: "source/duplicate-key", At: at, Field: key,
		Text:    schema.Textf("%q is written twice with different values; HAProxy uses the last one", "%q 重复且取值不同；HAProxy 采用最后一个", key),
		Hint:    schema.Textf("delete one of them", "删除其中一个"),
		Related: []schema.Note{{At: first, Label: schema.Textf("the first one", "第一处")}}})
}
