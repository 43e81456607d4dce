package evidence

import (
	"cmp"
	"context"
	"path"
	"slices"
	"time"

	"github.com/poolproof/poolproof/policy/audit"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
)

// judge is one run of Judge.
type judge struct {
	ctx        context.Context
	options    *Options
	base, head *end
	orders     *orders
	// excuse weighs a finding by what the base says, and reports whether anything is left of it.
	excuse  func(*schema.Finding) bool
	scale   func(*schema.Finding) bool // excuse, for those rules that are asked for
	report  *Report
	debts   []*debt
	decided []*change // pools whose decision changes
	lookups int       // pieces of evidence that were looked up elsewhere
}

// end is one end of the change with what its copies are judged by.
type end struct {
	Tree
	manifest *schema.Manifest
	now      time.Time
	broken   map[reading]bool // files that do not parse, or cannot be read
}

func newJudge(ctx context.Context, o *Options) *judge {
	j := &judge{ctx: ctx, options: o, report: &Report{renamed: map[Pool]Pool{}, gone: map[string]bool{}, ahead: map[place]*schema.ChangeOrder{}, first: o.Union.First}}
	j.base = newEnd(o.Base, o.Union.Base, o.Now, o.Union.lost)
	j.head = newEnd(o.Head, o.Union.Head, o.Now, o.Union.lost)
	j.orders = newOrders(o)
	var old []*schema.ChangeOrder
	for _, f := range o.Base.Loaded.Files {
		for i := range f.Result.Orders {
			old = append(old, &f.Result.Orders[i])
		}
		if o.Changed == nil || o.Changed[f.Path] {
			j.report.gone[f.Path] = true
		}
	}
	for _, f := range o.Head.Loaded.Files {
		delete(j.report.gone, f.Path)
	}
	if was := o.Union.Base.File; was != o.Union.file {
		j.report.gone[was] = true // the manifest takes another name
	}
	told := audit.Told{Manifest: o.Union.Base, Rules: o.Rules, Orders: old, Now: o.Now}
	weigh := told.Scale()
	j.excuse = func(f *schema.Finding) bool { return weigh(f) && f.Status != schema.Suppressed }
	asked := told
	asked.RuleNames = o.RuleNames
	j.scale = asked.Scale()
	return j
}

// reading is a file as the sources of one side read it.
type reading struct {
	side schema.Side
	file string
}

// breaks reports whether the file of a copy cannot be read at this end, or a folder above it. Where several sources of its
// side read it, one that makes sense of it is enough.
func (e *end) breaks(c *schema.Copy) bool {
	for at := c.File(); ; at = path.Dir(at) {
		if e.broken[reading{c.Side, at}] {
			return true
		}
		if at == "." || at == "/" {
			return false
		}
	}
}

func newEnd(t Tree, m *schema.Manifest, now time.Time, lost map[*load.File]bool) *end {
	e := &end{Tree: t, manifest: m, now: now, broken: map[reading]bool{}}
	sound := map[reading]bool{}
	for _, f := range t.Loaded.Files {
		at := reading{m.Sources[f.Source].Side, f.Path}
		if slices.ContainsFunc(f.Result.Problems, func(p schema.Problem) bool { return p.Rule == "source/syntax" || p.Rule == "source/unreadable" }) {
			e.broken[at] = true
		} else if !lost[f] {
			sound[at] = true
		}
	}
	for at := range sound {
		delete(e.broken, at)
	}
	return e
}

// debt is an obligation and the finding that it is as long as nothing pays it; finding is empty for what is paid.
type debt struct {
	Obligation
	finding *schema.Finding
}

// owe records an obligation.
func (j *judge) owe(d *debt) { j.debts = append(j.debts, d) }

// tell records a finding that is no obligation.
func (j *judge) tell(f schema.Finding) { j.debts = append(j.debts, &debt{finding: &f}) }

// place returns a span of a copy of one end.
func (e *end) place(c *schema.Copy, at schema.Span) schema.Place {
	p := rules.PlaceOf(c, at)
	if p.Revision == "" {
		p.Revision = e.Revision
	}
	return p
}

// done weighs what was found and puts everything in order.
func (j *judge) done() *Report {
	byRule := map[string]schema.Severity{}
	for i := range j.options.Rules {
		byRule[j.options.Rules[i].ID] = j.options.Rules[i].Severity
	}
	type said struct {
		rule, pool, file, field, message string
		at                               schema.Span
	}
	seen := map[said]bool{}
	for _, d := range j.debts {
		if d.finding != nil {
			f := d.finding
			if f.Severity == schema.DefaultSeverity {
				f.Severity = byRule[f.Rule]
			}
			if f.Status == "" {
				f.Status = schema.New
			}
			if j.report.first && f.Rule != "evidence/no-base-manifest" {
				f.Status = schema.Existing
			}
			// A copy that belongs to several environments owes the same in each of them once.
			k := said{f.Rule, f.Pool, f.At.File, f.Field, f.Message.En, f.At.Span}
			stays := j.scale(f)
			if f.Status == schema.Suppressed && d.Owes != "" {
				d.PaidBy, d.Ref = "exception", f.SuppressedBy
			}
			if stays && !seen[k] {
				j.report.Findings = append(j.report.Findings, *f)
			}
			seen[k] = true
		}
		if d.Owes != "" {
			j.report.Obligations = append(j.report.Obligations, d.Obligation)
		}
	}
	slices.SortStableFunc(j.report.Obligations, func(a, b Obligation) int {
		return cmp.Or(cmp.Compare(a.Pool, b.Pool), cmp.Compare(a.Env, b.Env), cmp.Compare(a.Item, b.Item), cmp.Compare(a.Owes, b.Owes), cmp.Compare(a.File, b.File))
	})
	return j.report
}
