package nginx

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
)

// pool makes the copy of one upstream.
type pool struct {
	*file
	c *schema.Copy
	b bind.Binder
	// stream: the pool belongs to the stream module, which wants ports and has other defaults.
	stream bool

	lines   int // server lines so far
	method  string
	backups []word // the "backup" of the servers, in order
	primary bool   // a server that is no backup stands in the list, or may

	fails, timeouts, ramps tally
}

// newPool starts a copy and adds it to the result. The pointer stays valid until the next copy is started.
func (f *file) newPool(name string, at schema.Span, items schema.Span) *pool {
	side := f.in.Source.Side
	if side == "" {
		side = schema.Gateway
	}
	f.result.Copies = append(f.result.Copies, schema.Copy{
		Side: side, Format: formatName, Profile: f.profile(), Files: []string{f.in.Path}, Env: f.in.Source.Env,
		Pool: strings.Clone(name), PoolAt: at, Complete: true,
	})
	p := &pool{file: f, c: &f.result.Copies[len(f.result.Copies)-1]}
	p.b = bind.Binder{Copy: p.c, Vars: f.in.Vars, Syntax: syntax}
	p.c.ItemAt[schema.Members] = items
	p.fails.path, p.timeouts.path, p.ramps.path = "decision.consecutive", "cooldown.duration", "ramp.window"
	return p
}

func (f *file) copyUpstream(up *upstream) {
	first := up.blocks[0]
	p := f.newPool(up.name, up.nameAt, first.span())
	p.c.Members = make([]schema.Member, 0, len(first.body))
	p.c.Fields = make([]schema.Field, 0, 8)
	if p.stream = up.stream(); p.stream {
		p.c.Set("context", schema.TextOf("stream"), up.contextAt())
	}
	for _, d := range up.blocks {
		for _, inner := range split(d.body, inUpstream, p.c.Report) {
			// Of several blocks of one name a template keeps one, so nothing in any of them is certain.
			inner.maybe = inner.maybe || len(up.blocks) > 1
			p.directive(&inner)
		}
	}
	if strings.HasPrefix(p.method, "balancer_by_lua") {
		for i := range p.c.Members {
			p.c.Members[i].Origin = schema.FromTemplate
		}
	}
	p.aggregate()
	if f.workers != nil {
		p.setting("worker_processes", f.workers)
	}
	p.backupsAlone()
	p.retries(up.uses)
	p.probes(up.uses)
}

// directive reads one line of an upstream's block.
func (p *pool) directive(d *directive) {
	name := d.name.text
	switch {
	case d.loose, d.name.template:
		p.c.Complete, p.primary = false, true
		p.c.Unresolve("members", strings.Clone(p.src[d.first():d.end]), d.span())
	case name == "server":
		p.server(d)
	case name == "include":
		p.c.Complete, p.primary = false, true
		p.c.Unresolve("members", strings.Clone(p.src[d.first():d.end]), d.span())
	case name == "state":
		p.c.Complete, p.primary = false, true
		p.setting("state", d)
	case strings.HasPrefix(name, "balancer_by_lua"):
		// Real peers are chosen by code; the servers written are placeholders.
		p.c.Complete, p.primary = false, true
		p.method = name
		p.c.Set("balance", schema.TextOf(strings.Clone(name)), d.head())
	case strings.HasPrefix(name, "upsync"), name == "consul", name == "dynamic_upstream":
		p.c.Complete, p.primary = false, true
		p.written(d)
	case name == "check" || strings.HasPrefix(name, "check_"):
		p.tengine(d)
	case slices.Contains(methods, name):
		p.balance(d)
	case slices.Contains(known, name):
		if _, twice := p.c.Get(schema.Path(name)); twice && slices.Contains(once, name) {
			p.twice(d)
		}
		p.setting(schema.Path(strings.Clone(name)), d)
	default:
		p.unknown(d)
	}
}
