package audit

import (
	"context"
	"slices"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/policy/truth"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

// Differing is a pool of which a copy differs from the one that counts, or that shares a copy with such a pool of another
// environment.
type Differing struct {
	Pool *rules.Pool
	// Open are the differences that count, each with the finding that tells it; Passed those that an exception or a severity
	// lets pass, or that are not asked for.
	Open, Passed []Difference
	// Silent is how many copies' values differ from another copy's without one that decides.
	Silent int
}

// Difference is one value or member on which a copy differs from the one that counts.
type Difference struct {
	reconcile.Divergence
	// Finding is what Judge reports about it, weighed.
	Finding schema.Finding
}

// Differences returns the pools that Judge finds a copy different in, without what else is wrong, in the order of the
// groups, and a result that says what there is and holds no findings. What an option leaves out of the report of Judge does
// not count here either.
func (p *Prepared) Differences(ctx context.Context) ([]Differing, *Result, error) {
	all, o := p.run, p.options
	run := &rules.Run{Manifest: all.Manifest, Loaded: all.Loaded, Pairing: all.Pairing, Orders: all.Orders, Now: all.Now, Whole: all.Whole, Known: all.Known, Sides: all.Sides}
	o.Pools = PoolNames(p.Groups, o.Pools)
	w := newWeigher(run.Manifest, &o)
	var ignored []schema.Finding
	marks := w.markers(run, &ignored) // what is wrong with them, and of no use, is for Judge to say
	table := &truth.Table{Manifest: run.Manifest, Orders: run.Orders, Now: run.Now}
	found := make([]*Differing, len(p.Groups))
	look := func(i int) *Differing {
		pool := rules.Build(whole(p.Groups[i], run.Loaded), table, run)
		d := w.differing(pool, run, marks)
		return &d
	}
	shared := map[place]bool{}
	for i, g := range p.Groups {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		if !w.wants(g) {
			continue
		}
		d := look(i)
		if len(d.Open)+len(d.Passed)+d.Silent == 0 {
			continue
		}
		found[i] = d
		for _, c := range g.Copies {
			shared[placeOf(c)] = true
		}
	}
	var out []Differing
	for i, g := range p.Groups {
		d := found[i]
		if d == nil && g.Env != "" && slices.ContainsFunc(g.Copies, func(c *schema.Copy) bool { return shared[placeOf(c)] }) {
			d = look(i)
			d.Open, d.Passed, d.Silent = nil, append(d.Passed, d.Open...), 0
		}
		if d != nil {
			out = append(out, *d)
		}
	}
	p.count(w)
	return out, p.result, nil
}

// place is where a copy stands, whatever environment it is read for.
type place struct {
	file  string
	pool  schema.Span
	items [schema.Items]schema.Span
}

func placeOf(c *schema.Copy) place { return place{c.File(), c.PoolAt, c.ItemAt} }

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
				differences, findings = append(differences, Difference{Divergence: j.Divergence}), append(findings, f)
			}
		}
	}
	w.except(run, marks, &findings)
	for i := range differences {
		f := &findings[i]
		f.Severity = w.severity(f)
		differences[i].Finding = *f
		if f.Status == schema.Suppressed || f.Severity == schema.Off || len(w.options.RuleNames) > 0 && !matches(w.options.RuleNames, f.Rule) {
			d.Passed = append(d.Passed, differences[i])
		} else {
			d.Open = append(d.Open, differences[i])
		}
	}
	return d
}
