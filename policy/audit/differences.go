package audit

import (
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/policy/truth"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// Differences tells pool by pool in which values a copy differs from the one that counts, and nothing else that is wrong. It
// is safe for concurrent use.
type Differences struct {
	prepared *Prepared
	run      *rules.Run
	weigher  *weigher
	marks    []marker
	table    *truth.Table
}

// Differing is what differs in a pool.
type Differing struct {
	Pool *rules.Pool
	// Open are the differences that Judge reports as new; Passed those that an exception or a severity lets pass, or that
	// are not asked for.
	Open, Passed []Difference
	// Silent is how many values differ from another copy's without one that decides.
	Silent int
}

// Difference is one value or member on which a copy differs from the one that counts.
type Difference struct {
	reconcile.Divergence
	// Rule is the one that tells it.
	Rule string
}

// Differences prepares for telling. What an option leaves out of the report of Judge is passed here.
func (p *Prepared) Differences() *Differences {
	all, o := p.run, p.options
	run := &rules.Run{Manifest: all.Manifest, Loaded: all.Loaded, Pairing: all.Pairing, Orders: all.Orders, Now: all.Now, Whole: all.Whole, Known: all.Known, Sides: all.Sides}
	o.Pools = PoolNames(p.Groups, o.Pools)
	w := newWeigher(run.Manifest, &o)
	var ignored []schema.Finding
	marks := w.markers(run, &ignored) // what is wrong with them, and of no use, is for Judge to say
	p.count(w)
	return &Differences{p, run, w, marks, &truth.Table{Manifest: run.Manifest, Orders: run.Orders, Now: run.Now}}
}

// Result says what there is; it holds no findings.
func (d *Differences) Result() *Result { return d.prepared.result }

// Asked reports whether the options ask for a group.
func (d *Differences) Asked(g *reconcile.Group) bool { return d.weigher.wants(g) }

// Of returns what differs in a group of the tree. The pool is built for it, so that memory follows the work in flight.
func (d *Differences) Of(g *reconcile.Group) Differing {
	x := d.weigher.differing(rules.Build(whole(g, d.run.Loaded), d.table, d.run), d.run, d.marks)
	if !d.Asked(g) {
		x.Open, x.Passed, x.Silent = nil, append(x.Passed, x.Open...), 0
	}
	return x
}

// differing has the rules tell the divergences of a pool one by one, so that each has the finding that belongs to it.
func (w *weigher) differing(p *rules.Pool, run *rules.Run, marks []marker) Differing {
	d := Differing{Pool: p}
	var differences []Difference
	var findings []schema.Finding
	for i := range p.Divergences {
		j := &p.Divergences[i]
		switch {
		case j.Silent && j.Kind != reconcile.CannotCompare:
			d.Silent++
			continue
		case j.Silent, j.Editable, j.Kind == reconcile.CannotCompare:
			continue
		}
		one := *p
		one.Divergences = p.Divergences[i : i+1]
		for _, id := range []string{"members/missing", "members/extra", j.Item.String() + "/differs"} {
			rule := w.rules[id]
			if rule == nil || rule.Pool == nil {
				continue
			}
			var r rules.Reporter
			r.For(rule, &one)
			rule.Pool(&one, &r)
			for _, f := range r.Findings() {
				f.Pool, f.Env = p.Group.Pool, p.Group.Env
				differences, findings = append(differences, Difference{j.Divergence, f.Rule}), append(findings, f)
			}
		}
	}
	if len(findings) == 0 {
		return d
	}
	w.except(run, marks, &findings)
	for i := range differences {
		f := &findings[i]
		if f.Status == schema.Suppressed || w.severity(f) == schema.Off || len(w.options.RuleNames) > 0 && !matches(w.options.RuleNames, f.Rule) {
			d.Passed = append(d.Passed, differences[i])
		} else {
			d.Open = append(d.Open, differences[i])
		}
	}
	return d
}
