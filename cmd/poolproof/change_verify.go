package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	order "github.com/poolproof/poolproof/cmd/poolproof/change"
	"github.com/poolproof/poolproof/policy/audit"
	"github.com/poolproof/poolproof/policy/change"
	"github.com/poolproof/poolproof/policy/evidence"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/order/changeorder"
	"github.com/poolproof/poolproof/sources/tree"
)

func changeVerifyCommand(o *options) *cobra.Command {
	var f changeFlags
	cmd := &cobra.Command{
		Use:   "verify [FILE...]",
		Short: "hold change orders against the trees",
		Long: `verify holds change orders against the trees before and after the change, compared as ci does, or the last commit and what is
staged: whether the grammar accepts them and nothing is left to be filled in; whether the digests are those of the trees and
every item that changes is named; whether the drill gives the same results when it is played again; whether the ramp that is
frozen is the one that the copies state; whether what they say of other repositories holds; and whether somebody but the
initiator approved what stands there now. It prints the digest that an approval has to carry.

FILE is read as it is in the working tree. Without FILE, all orders that the change adds or edits are verified.`,
		Example: `  poolproof change verify --base origin/main
  poolproof change verify changes/CHG-1042.md --base origin/main
  poolproof change verify changes/CHG-1042.md --staged --fail-on warning`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return o.changeVerify(cmd.Context(), args, &f) },
	}
	f.compared(cmd)
	return cmd
}

// changeVerify verifies change orders and writes the reports, also where it could not.
func (o *options) changeVerify(ctx context.Context, files []string, f *changeFlags) error {
	r, err := o.request()
	if err != nil {
		return err
	}
	if err := f.check(); err != nil {
		return err
	}
	d, nothing, err := o.openDispute("", r, f)
	defer d.close()
	run := o.newRun("change verify", &workspace{}, r)
	abandon := func(err error) error { return o.abandon(run, d.workspace(), r, err) }
	if err != nil {
		return abandon(err)
	}
	run.Root, run.Source = d.root, d.source
	v := &verifier{dispute: d}
	if nothing == nil {
		if err := v.read(files); err != nil {
			return abandon(err)
		}
		if err := v.verify(ctx); err != nil {
			return abandon(err)
		}
		d.describe(run, v.change)
		run.Obligations = nil
	} else {
		run.Summary.Notes = append(run.Summary.Notes, *nothing)
	}
	run.Findings = v.findings
	run.Summary.Notes = append(run.Summary.Notes, v.notes...)
	var missing *schema.Text
	if nothing == nil {
		if missing, err = d.noSuchName(ctx, v.change); err != nil {
			return abandon(err)
		}
		if missing == nil && len(v.paths) == 0 {
			text := schema.Textf("the change brings no change order; one that is not committed yet has to be named: poolproof change verify FILE", "本次变更没有变更单；尚未提交的变更单须写明：poolproof change verify FILE")
			missing = &text
		}
	}
	o.conclude(run, r, missing)
	var short error
	if nothing == nil {
		short = incomplete(run, v.change)
	}
	if err := o.finish(run, d.workspace(), r); err != nil {
		return err
	}
	if short != nil {
		return short
	}
	return o.judged(run, r, missing)
}

// verifier verifies change orders.
type verifier struct {
	*dispute
	change *change.Change
	pools  []evidence.PoolChange
	// paths are those of the orders in head.
	paths    []string
	findings []schema.Finding
	notes    []schema.Text
	// weigh weighs a finding by what the base says of its rule, and reports whether anything is left of it.
	weigh func(*schema.Finding) bool
}

// read reads the orders that are named.
func (v *verifier) read(files []string) error {
	for _, name := range files {
		path, ok := v.inTree(name)
		if !ok {
			return usage("%s is not in the repository", name)
		}
		text, err := readNamed(name, true)
		if errors.Is(err, fs.ErrNotExist) {
			return usage("%s: there is no such file", name)
		}
		if err != nil {
			return notChecked("reading %s: %w", name, err)
		}
		v.written[path] = text
		if !slices.Contains(v.paths, path) {
			v.paths = append(v.paths, path)
		}
	}
	return nil
}

// verify judges the change and gathers what concerns the orders.
func (v *verifier) verify(ctx context.Context) error {
	c, err := v.judgeWith(ctx)
	if err != nil {
		return err
	}
	v.change = c
	if len(v.written) == 0 {
		v.paths = ordersOf(c)
	}
	slices.Sort(v.paths)
	told := audit.Told{Manifest: c.Base.Manifest, Rules: v.request.rules, Now: v.request.now, RuleNames: v.o.rules}
	v.weigh = told.Scale()
	names, frozen := map[string]bool{}, map[string]bool{}
	for _, path := range v.paths {
		for _, o := range v.ordersAt(path) {
			for _, n := range o.Pools {
				names[reconcile.Key(n)] = true
			}
			for _, n := range o.Ramps {
				frozen[reconcile.Key(n)] = true
			}
		}
	}
	v.judged(names, frozen)
	for _, path := range v.paths {
		if err := v.one(ctx, path); err != nil {
			return err
		}
	}
	return nil
}

// ordersAt are the orders that a file of head holds, as they were read.
func (v *verifier) ordersAt(path string) []*schema.ChangeOrder {
	var out []*schema.ChangeOrder
	for _, f := range v.change.Head.Loaded.Files {
		if f.Path == path {
			for i := range f.Result.Orders {
				out = append(out, &f.Result.Orders[i])
			}
		}
	}
	return out
}

// judged takes over what was found about the orders, what their pools owe, and where copies state another ramp.
func (v *verifier) judged(names, frozen map[string]bool) {
	for i := range v.change.Findings {
		f := v.change.Findings[i]
		here := slices.Contains(v.paths, f.At.File) && f.At.Revision != v.base.Revision()
		owed := strings.HasPrefix(f.Rule, "evidence/") && f.Rule != "evidence/rules-changed" && names[reconcile.Key(f.Pool)]
		ramp := f.Rule == "ramp/differs" && frozen[reconcile.Key(f.Pool)]
		if !here && !owed && !ramp {
			continue
		}
		if f.Status != schema.Suppressed {
			f.Status = schema.New
		}
		v.findings = append(v.findings, f)
	}
}

// tell records a finding of this command.
func (v *verifier) tell(f schema.Finding) {
	for i := range v.request.rules {
		if v.request.rules[i].ID == f.Rule && f.Severity == schema.DefaultSeverity {
			f.Severity = v.request.rules[i].Severity
		}
	}
	f.Status = schema.New
	if v.weigh(&f) {
		v.findings = append(v.findings, f)
	}
}

// at is a place in an order.
func (v *verifier) at(path string, span schema.Span) schema.Place {
	return schema.Place{Side: schema.Order, File: path, Span: span}
}

// one verifies the orders of one file.
func (v *verifier) one(ctx context.Context, path string) error {
	text, err := v.span.head.Read(path)
	if err != nil {
		return notChecked("reading %s: %w", path, err)
	}
	v.todo(path, text)
	list := v.ordersAt(path)
	if !v.change.Changed[path] && v.sourced(path) {
		v.notes = append(v.notes, schema.Textf("%s is in the base already, and not about this change: only its form is looked at", "%s 在基准中已有，与本次变更无关：仅检查其格式", path))
		if len(list) == 0 { // nothing of it is in reach of the change
			v.form(path, text)
		}
	} else if len(list) == 0 {
		v.unread(path, text)
	}
	for _, o := range list {
		if !o.Valid {
			continue
		}
		v.notes = append(v.notes, schema.Textf("an approval of %[1]s (%[2]s) carries digest: %[3]s", "%[1]s（%[2]s）的审批须写明 digest: %[3]s", o.ID, path, o.Digest))
		v.ramps(path, o)
		if !v.change.Changed[path] {
			continue
		}
		v.complete(o)
		v.stale(path, text)
		if err := v.drill(ctx, o); err != nil {
			return err
		}
	}
	return nil
}

// form reports what the grammar says of an order.
func (v *verifier) form(path string, text []byte) {
	for _, p := range changeorder.Adapter().Read(sourceInput(path, text)).Problems {
		v.tell(schema.Finding{Rule: p.Rule, Severity: p.Severity, Pool: p.Pool, Item: p.Item, Field: p.Field, Message: p.Text, Hint: p.Hint, Got: p.Got, Want: p.Want, At: v.at(path, p.At)})
	}
}

// sourced reports whether a source of the manifest reads a file as a change order.
func (v *verifier) sourced(path string) bool { return readAsOrder(v.change.Head.Manifest, path) }

func readAsOrder(m *schema.Manifest, path string) bool {
	matches := func(pattern string) bool {
		g, err := tree.CompileGlob(pattern)
		if err != nil {
			return false
		}
		_, ok := g.Match(path)
		return ok
	}
	return slices.ContainsFunc(m.Sources, func(s schema.Source) bool {
		return s.Side == schema.Order && s.Repo == "" && slices.ContainsFunc(s.Files, matches) && !slices.ContainsFunc(s.Exclude, matches)
	})
}

// unread says why no order was found in a file.
func (v *verifier) unread(path string, text []byte) {
	f := schema.Finding{Rule: "schema/invalid", Severity: schema.Error, At: v.at(path, schema.Span{})}
	r := changeorder.Adapter()
	switch holds := len(r.Read(sourceInput(path, text)).Orders) > 0; {
	case !holds:
		f.Message = schema.Textf("the file holds no change order", "文件中没有变更单")
		f.Hint = schema.Textf("poolproof change new writes one", "poolproof change new 可生成")
		for i := range v.findings {
			if f := &v.findings[i]; f.At.File == path && f.Severity >= schema.Error {
				return // it is said already what is wrong with it
			}
		}
	default:
		f.Message = schema.Textf("no source of the manifest reads this file as a change order, so that it proves nothing", "清单中没有来源将该文件读作变更单，故它不能作为证据")
		f.Hint = schema.Textf("move it to where the manifest looks for orders, or add a source: {side: order, files: [%q]}", "移到清单读取变更单的位置，或添加来源：{side: order, files: [%q]}", path)
	}
	v.tell(f)
}

// todo says what is still to be filled in, in the place of what the grammar says of it.
func (v *verifier) todo(path string, text []byte) {
	for _, t := range order.Todo(text) {
		v.findings = slices.DeleteFunc(v.findings, func(f schema.Finding) bool {
			return f.At.File == path && f.Rule == "schema/invalid" && (t.What != "" && f.Field == t.What || f.At.Span.Start < t.At.End && t.At.Start < f.At.Span.End)
		})
		f := schema.Finding{Rule: "schema/invalid", Severity: schema.Error, Field: t.What, At: v.at(path, t.At), Got: "TODO"}
		f.Message = schema.Textf("%s is still to be filled in", "%s 尚未填写", t.What)
		if t.What == "" {
			f.Message = schema.Textf("here the text is still to be written", "此处尚未填写")
		}
		f.Hint = schema.Textf("write what belongs here in the place of TODO", "请将 TODO 替换为应有的内容")
		if strings.Contains(t.What, ".aligned.") {
			f.Hint = schema.Textf("let the copy follow in this change and run poolproof change new again, or name where it was aligned: {repo, commit, file, digest}",
				"让该副本在本次变更中跟随并重新运行 poolproof change new，或写明在何处对齐：{repo, commit, file, digest}")
		}
		v.tell(f)
	}
}

// complete says what the change does to the pools of an order that the order does not say.
func (v *verifier) complete(o *schema.ChangeOrder) {
	if v.pools == nil {
		v.pools = evidence.Pools(v.changeOptions(v.change), o.File)
	}
	for i := range v.pools {
		p := &v.pools[i]
		if !slices.ContainsFunc(o.Pools, func(n string) bool { return v.means(p, n) }) {
			continue
		}
		for _, x := range p.Items {
			named := slices.ContainsFunc(o.Items, func(i schema.OrderItem) bool {
				return v.means(p, i.Pool) && (i.Item == x.Item.String() || i.Item == "pool" && (p.Gone || p.New))
			})
			if named {
				continue
			}
			f := schema.Finding{Rule: "evidence/stale", Pool: p.Pool, Env: p.Env, Item: x.Item, Field: "items", At: v.at(o.File, o.IDAt)}
			name := rules.ItemName(x.Item)
			f.Message = schema.Text{En: fmt.Sprintf("the change alters the %s as well, and the change order %s does not say so", name.En, o.ID), Zh: fmt.Sprintf("本次变更还改变了%s，而变更单 %s 没有写明", name.In("zh"), o.ID)}
			f.Hint = again()
			v.tell(f)
		}
	}
}

// means reports whether an order's name of a pool means one that changes.
func (v *verifier) means(p *evidence.PoolChange, name string) bool {
	if reconcile.Key(p.Pool) == reconcile.Key(name) {
		return true
	}
	return slices.ContainsFunc(v.change.Head.Audit.Groups, func(g *reconcile.Group) bool {
		return g.Pool == p.Pool && g.Env == p.Env && calledBy(g, name)
	})
}

// again is what brings an order up to date.
func again() schema.Text {
	return schema.Textf("run poolproof change new again: it keeps what people wrote; then have the order approved again", "重新运行 poolproof change new（会保留人工填写的内容），然后重新审批")
}
