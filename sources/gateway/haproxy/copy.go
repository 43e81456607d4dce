package haproxy

import (
	"slices"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/bind"
)

// syntax is what may stand in place of a value: template outputs, and environment variables with their defaults. HAProxy
// expands them in double quotes and addresses only, the generators of its files everywhere.
const syntax = bind.Braces | bind.Dollar | bind.DollarBare | bind.DashDefault

// copier turns one section into a copy.
type copier struct {
	*bind.Binder
	r *reader
	p *proxy
	// checked are the servers that HAProxy checks, or may check.
	checked []*server
	every   []*server   // all servers, once they were asked for
	checkAt schema.Span // the "check" of the first of them
	// scratch takes settings of single servers, so that many of them stay cheap.
	scratch schema.Copy
	said    map[schema.Span]bool // parameters of which a problem has been reported
	leftOut int                  // problems that are too many to keep
}

// once reports whether a parameter is looked at for the first time: default-server hands one mistake to many servers.
func (k *copier) once(at schema.Span) bool {
	if k.said[at] {
		return false
	}
	if k.said == nil {
		k.said = map[schema.Span]bool{}
	}
	k.said[at] = true
	return true
}

// build makes the copy of a section, if it has servers.
func (r *reader) build(p *proxy) {
	if p.servers.n == 0 && (p.kind != "backend" || len(p.opaque) == 0) {
		r.keep(syntaxOnly(p.problems), p.syntax.LeftOut)
		return
	}
	name, ok := bind.Expand(p.name.text, r.vars, syntax)
	if !ok || p.name.templated {
		r.keep([]schema.Problem{{Rule: "source/skipped", At: p.name.at,
			Text: schema.Textf("the pool %q is named by a template and is not read", "地址池 %q 的名称来自模板，未读取", p.name.text)}}, 0)
		return
	}
	side := r.in.Source.Side
	if side == "" {
		side = schema.Gateway
	}
	c := &schema.Copy{
		Side: side, Format: "haproxy", Profile: r.profile(), Files: []string{r.in.Path}, Env: r.in.Source.Env,
		Pool: name, PoolAt: p.name.at, Problems: p.problems, Fields: make([]schema.Field, 0, 8+len(p.settings)),
	}
	k := &copier{Binder: &bind.Binder{Copy: c, Vars: r.vars, Syntax: syntax}, r: r, p: p}
	k.list()
	k.probe()
	k.passive()
	k.ramp()
	k.settings()
	k.narrow()
	k.members()
	r.tell(p, c)
	r.result.LeftOut += k.leftOut + p.syntax.LeftOut + p.other.LeftOut
	c.Problems = r.room(c.Problems)
	r.result.Copies = append(r.result.Copies, *c)
}

// keep adds problems of the file, as long as there is room, and left that were never worded.
func (r *reader) keep(problems []schema.Problem, left int) {
	r.result.LeftOut += left
	r.result.Problems = append(r.result.Problems, r.room(problems)...)
}

// room counts problems of the file and drops those that are too many.
func (r *reader) room(problems []schema.Problem) []schema.Problem {
	before := r.tally.LeftOut
	problems = slices.DeleteFunc(problems, func(p schema.Problem) bool { return !r.tally.Room(sources.Weight(&p)) })
	r.result.LeftOut += r.tally.LeftOut - before
	return problems
}

// maxOwn is how many problems a copy keeps until those that an earlier copy has reported are dropped.
const maxOwn = 4 * sources.MaxProblems

// trim drops problems of a copy that are too many. It keeps memory small while many servers are read.
func (k *copier) trim() {
	if len(k.Copy.Problems) <= maxOwn {
		return
	}
	var t sources.Tally
	k.Copy.Problems = slices.DeleteFunc(k.Copy.Problems, func(p schema.Problem) bool { return !t.Room(sources.Weight(&p)) })
	k.leftOut += t.LeftOut
}

// syntaxOnly keeps the problems of a section without servers that concern the file.
func syntaxOnly(problems []schema.Problem) []schema.Problem {
	return slices.DeleteFunc(problems, func(p schema.Problem) bool { return p.Rule != "source/syntax" })
}

// place is where a rule found something.
type place struct {
	start uint32
	rule  string
}

// tell drops problems in defaults sections that an earlier copy has reported.
func (r *reader) tell(p *proxy, c *schema.Copy) {
	c.Problems = slices.DeleteFunc(c.Problems, func(q schema.Problem) bool {
		if int(q.At.Start) >= p.start && int(q.At.End) <= p.end {
			return false
		}
		key := place{q.At.Start, q.Rule}
		told := r.told[key]
		r.told[key] = true
		return told
	})
}

// narrow narrows the places of items to the section where its own lines state them: a value from a defaults section far
// above would stretch them over the whole file.
func (k *copier) narrow() {
	start, end := uint32(k.p.start), uint32(k.p.end)
	inside := func(s schema.Span) bool { return s.Known() && s.Start >= start && s.End <= end }
	for item := range k.Copy.ItemAt {
		if !k.Copy.ItemAt[item].Known() || inside(k.Copy.ItemAt[item]) {
			continue
		}
		at := schema.Span{}
		if schema.Item(item) == schema.Probe && inside(k.checkAt) {
			at = k.checkAt
		}
		for _, f := range k.Copy.Fields {
			if f.Path.Item() == schema.Item(item) && inside(f.At) {
				at = schema.Join(at, f.At)
			}
		}
		for _, u := range k.Copy.Unresolved {
			if u.Path.Item() == schema.Item(item) && inside(u.At) {
				at = schema.Join(at, u.At)
			}
		}
		if at.Known() {
			k.Copy.ItemAt[item] = at
		}
	}
}

// unsure records a value that stands inside a conditional.
func (k *copier) unsure(p schema.Path, at schema.Span) {
	k.Unresolve(p, at)
	if i := p.Item(); i != schema.NoItem && i != schema.Members {
		k.Copy.Touch(i, at)
	}
}

// Unresolve records the text at a place as a value that stays unknown.
func (k *copier) Unresolve(p schema.Path, at schema.Span) {
	k.Copy.Unresolve(p, k.r.text[at.Start:at.End], at)
}
