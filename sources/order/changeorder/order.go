package changeorder

import (
	"sort"
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/schema/judge"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/data"
	"github.com/poolproof/poolproof/sources/strict"
)

// reader reads one order.
type reader struct {
	file   *strict.File
	in     sources.Input
	result *sources.Result
	valid  bool
}

func (r *reader) refuse(p schema.Problem) {
	r.valid = false
	r.result.Report(p)
}

func (r *reader) order(d data.Document) {
	root := d.Root
	r.valid = true
	for _, i := range r.file.Check(judge.ChangeOrder, root) {
		r.refuse(r.placed(i.Problem(schema.Textf("the change order", "变更单")), root))
	}
	for _, p := range r.file.Taken(root.At) {
		r.refuse(p)
	}
	o := schema.ChangeOrder{
		File:      r.in.Path,
		ID:        r.text(root.Get("id")),
		Initiator: r.text(root.Get("initiator")),
		Effective: r.time(root.Get("effective")),
		Drill:     r.drill(root.Get("drill")),
		At:        root.Place(),
		Digest:    digest(root),
	}
	if id := root.Get("id"); id != nil {
		o.IDAt = id.Place()
	}
	for _, n := range r.list(root.Get("pools")) {
		o.Pools = append(o.Pools, r.text(n))
	}
	for _, n := range r.list(root.Get("items")) {
		o.Items = append(o.Items, r.item(n))
	}
	for _, n := range r.list(root.Get("approvals")) {
		o.Approvals = append(o.Approvals, schema.Approval{By: r.text(n.Get("by")), Time: r.time(n.Get("at")), Digest: r.text(n.Get("digest")), At: n.Place()})
	}
	for _, n := range r.list(root.Get("exceptions")) {
		if e, ok := r.exception(n); ok {
			o.Exceptions = append(o.Exceptions, e)
		}
	}
	// What a template hides may be required, and nobody knows what it says.
	r.valid = r.valid && o.ID != "" && o.Initiator != "" && !o.Effective.IsZero()
	r.ramps(&o, root)
	o.Valid = r.valid
	sort.Strings(o.Ramps)
	r.result.Orders = append(r.result.Orders, o)
}

// placed names the pool of a problem that stands in a ramp.
func (r *reader) placed(p schema.Problem, root *data.Node) schema.Problem {
	ramps := root.Get("ramp")
	if p.Item != schema.Ramp || ramps == nil {
		return p
	}
	for i := range ramps.Pairs {
		pair := &ramps.Pairs[i]
		if at := schema.Join(pair.KeyAt, pair.Value.Place()); p.At.Start >= at.Start && p.At.End <= at.End {
			p.Pool = pair.Key
			p.Field = strings.TrimPrefix(strings.TrimPrefix(p.Field, pair.Key), ".")
		}
	}
	return p
}

// ramps lists the pools whose ramp the order freezes and, of an order that the grammar accepts, gives each as a copy.
func (r *reader) ramps(o *schema.ChangeOrder, root *data.Node) {
	n := root.Get("ramp")
	if !r.file.Usable(n) {
		return
	}
	effective := root.Get("effective")
	files := []string{r.in.Path}
	for i := range n.Pairs {
		p := &n.Pairs[i]
		o.Ramps = append(o.Ramps, p.Key)
		if !r.valid {
			continue
		}
		c := schema.Copy{
			Side: r.in.Source.Side, Format: Name, Profile: r.in.Source.Profile, Files: files, Env: r.in.Source.Env,
			Pool: p.Key, PoolAt: p.KeyAt, Effective: o.Effective, EffectiveAt: effective.Place(),
		}
		b := strict.Binder{File: r.file, Copy: &c}
		b.Item("ramp", p.Value)
		r.result.Copies = append(r.result.Copies, c)
	}
}

func (r *reader) exception(n *data.Node) (schema.Exception, bool) {
	e, ok := r.file.Exception(n, r.refuse)
	if !ok {
		return e, false
	}
	e.File = r.in.Path
	if lacks := strict.Lacks(&e); lacks != nil {
		// Such an exception excuses nothing; the order holds without it.
		what := strings.Join(lacks, ", ")
		r.result.Report(schema.Problem{Rule: "exception/incomplete", At: e.At, Pool: e.Pool, Got: e.Rule + " " + e.Pool,
			Text: schema.Textf("the exception for %s lacks %s", "对 %s 的例外缺少 %s", e.Rule, what),
			Hint: schema.Textf("add %s", "补充 %s", what)})
	}
	return e, true
}

func (r *reader) item(n *data.Node) schema.OrderItem {
	i := schema.OrderItem{Pool: r.text(n.Get("pool")), Item: r.text(n.Get("item")), After: r.text(n.Get("after")), At: n.Place()}
	r.each(n.Get("before"), func(p *data.Pair) {
		if i.Before == nil {
			i.Before = map[schema.Side]string{}
		}
		i.Before[schema.Side(p.Key)] = r.text(p.Value)
	})
	r.each(n.Get("aligned"), func(p *data.Pair) {
		if i.Aligned == nil {
			i.Aligned = map[schema.Side]schema.Aligned{}
		}
		v := p.Value
		i.Aligned[schema.Side(p.Key)] = schema.Aligned{
			ThisChange: v.Scalar(), Repo: r.text(v.Get("repo")), Commit: r.text(v.Get("commit")), File: r.text(v.Get("file")), Digest: r.text(v.Get("digest")),
			At: v.Place(),
		}
	})
	return i
}

func (r *reader) drill(n *data.Node) *schema.Drill {
	if !r.file.Usable(n) || n.Kind != data.Map {
		return nil
	}
	seeds, _ := strict.ParseInt(r.text(n.Get("seeds")))
	d := &schema.Drill{Command: r.text(n.Get("command")), Tool: r.text(n.Get("tool")), Config: r.text(n.Get("config")), Seeds: int(seeds), At: n.Place()}
	for _, c := range r.list(n.Get("results")) {
		d.Results = append(d.Results, schema.DrillResult{ID: r.text(c.Get("id")), Pass: strings.ToLower(r.text(c.Get("pass"))), Observed: r.text(c.Get("observed")), At: c.Place()})
	}
	return d
}

func (r *reader) text(n *data.Node) string { return r.file.Text(n) }

func (r *reader) time(n *data.Node) time.Time {
	if !r.file.Usable(n) {
		return time.Time{}
	}
	t, _ := time.Parse(time.RFC3339Nano, n.Text) // refused values are not usable
	return t
}

func (r *reader) list(n *data.Node) []*data.Node {
	if !r.file.Usable(n) {
		return nil
	}
	return n.Items
}

func (r *reader) each(n *data.Node, do func(*data.Pair)) {
	if !r.file.Usable(n) {
		return
	}
	for i := range n.Pairs {
		do(&n.Pairs[i])
	}
}
