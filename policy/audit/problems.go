package audit

import (
	"fmt"
	"slices"

	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
)

// problems turns what was seen while reading a copy into findings.
func (w *weigher) problems(p *rules.Pool, c *schema.Copy, r *rules.Reporter) {
	for i := range c.Problems {
		w.problem(p, c, &c.Problems[i], r)
	}
	for i := range c.Unresolved {
		u := &c.Unresolved[i]
		if u.Quiet || len(w.echoes) > 0 && w.echoes[echo{c.File(), u.Path, u.Raw}] {
			continue
		}
		pr := schema.Problem{
			Rule: "source/unresolved", At: u.At, Item: u.Path.Item(), Field: string(u.Path), Got: u.Raw,
			Text: schema.Textf("%s is not resolved here: it is not compared and accuses nobody", "%s 在此处无法解析：不参与比较，也不据此指责任何一方", u.Raw),
			Hint: schema.Textf("give its value in the manifest (vars), or check the rendered file", "在清单的 vars 中给出取值，或检查渲染后的文件"),
		}
		if c.Format == "mapped" && w.paths[u.Raw] {
			pr.Text = schema.Textf("the path %s of the map finds no value here: it is not compared and accuses nobody", "map 中的路径 %s 在此处没有取到值：不参与比较，也不据此指责任何一方", u.Raw)
			pr.Hint = schema.Textf("correct the path in the manifest (map), or the file", "更正清单中的路径（map）或该文件")
		}
		w.problem(p, c, &pr, r)
	}
}

// mapPaths returns the paths that the maps of the manifest read by. One that finds nothing is no placeholder: what helps
// is another path.
func mapPaths(sources []schema.Source) map[string]bool {
	paths := map[string]bool{}
	for i := range sources {
		m := sources[i].Map
		if m == nil {
			continue
		}
		for _, expr := range []string{m.Members, m.MembersEach, m.RampEach} {
			paths[expr] = true
		}
		for _, list := range [][]schema.MapEntry{m.MembersMap, m.Probe, m.Decision, m.Cooldown, m.Retry, m.Ramp} {
			for _, e := range list {
				paths[e.Expr] = true
			}
		}
	}
	delete(paths, "")
	return paths
}

func (w *weigher) problem(p *rules.Pool, c *schema.Copy, pr *schema.Problem, r *rules.Reporter) {
	rule := w.rules[pr.Rule]
	if rule == nil {
		rule = &rules.Rule{ID: pr.Rule, Severity: schema.Error}
	}
	r.For(rule, p)
	h := rules.Hit{Copy: c, At: pr.At, Item: pr.Item, Field: pr.Field, Member: pr.Member, Severity: pr.Severity, Text: pr.Text, Hint: pr.Hint, Got: pr.Got, Want: pr.Want}
	for _, n := range pr.Related {
		h.Related = append(h.Related, rules.Relative{Copy: c, At: n.At, Label: n.Label})
	}
	r.Hit(h)
}

// files turns problems of whole files into findings, and sections of documents without a pool into source/skipped.
func (w *weigher) files(run *rules.Run) []schema.Finding {
	var r rules.Reporter
	for _, f := range run.Loaded.Files {
		if w.options.Touched != nil && !w.options.Touched[f.Path] {
			continue
		}
		side := run.Manifest.Sources[f.Source].Side
		holder := &schema.Copy{Side: side, Files: []string{f.Path}, Env: f.Env}
		for i := range f.Result.Problems {
			pr := &f.Result.Problems[i]
			holder.Pool = pr.Pool
			w.problem(nil, holder, pr, &r)
		}
	}
	for _, c := range run.Pairing.Unbound {
		if w.options.Touched != nil && !w.options.Touched[c.File()] {
			continue
		}
		for _, item := range schema.Reconciled() {
			if c.States(item) {
				w.problem(nil, c, &schema.Problem{
					Rule: "source/skipped", At: c.ItemAt[item], Item: item, Got: c.Pool,
					Text: schema.Text{
						En: fmt.Sprintf("a table of %s under %q is skipped: no heading above it names a known pool", item, c.Pool),
						Zh: fmt.Sprintf("标题 %q 下的%s表被跳过：其上没有标题指向已知的池", c.Pool, rules.ItemName(item).Zh),
					},
					Hint: schema.Textf("name the pool in a heading or in the manifest, or bind the table: <!-- poolproof: pool=NAME item=%s -->", "在标题或清单中写明池名，或绑定该表：<!-- poolproof: pool=NAME item=%s -->", item),
				}, &r)
				break
			}
		}
	}
	found := r.Findings()
	for i := range found {
		if found[i].Rule == "source/skipped" {
			found[i].Pool = ""
		}
	}
	return found
}

// manifestProblems turns what is wrong in the manifest into findings placed in it.
func (w *weigher) manifestProblems(run *rules.Run, problems []schema.Problem) []schema.Finding {
	var r rules.Reporter
	holder := &schema.Copy{Files: []string{w.file()}}
	for _, list := range [][]schema.Problem{problems, run.Loaded.Problems, w.stray} {
		for i := range list {
			holder.Pool = list[i].Pool
			w.problem(nil, holder, &list[i], &r)
		}
	}
	return r.Findings()
}

// file is where the manifest stands in the tree.
func (w *weigher) file() string {
	if own := w.options.Own; own != nil {
		return own.File
	}
	return w.manifest.File
}

// runRules runs the rules that look at the run as a whole.
func (w *weigher) runRules(run *rules.Run) []schema.Finding {
	var r, some rules.Reporter
	o := w.options
	for i := range o.Rules {
		rule := &o.Rules[i]
		if rule.Run == nil {
			continue
		}
		to := &r
		if rule.FullOnly && !run.Full {
			if !o.Entire || o.Reported == nil || len(o.Pools) > 0 || o.Env != "" {
				continue
			}
			to = &some
		}
		to.For(rule, nil)
		rule.Run(run, to)
	}
	return append(r.Findings(), slices.DeleteFunc(some.Findings(), func(f schema.Finding) bool { return !o.Reported(f.Pool) })...)
}

// unique drops findings that say the same of the same place: a copy that belongs to several environments is judged in
// each of them. What is left names the environments of the others (schema.Finding.Also).
func unique(findings []schema.Finding) []schema.Finding {
	type key struct {
		rule, pool, file, field, member, message string
		at                                       schema.Span
	}
	seen := make(map[key]int, len(findings))
	out := findings[:0]
	for _, f := range findings {
		k := key{f.Rule, f.Pool, f.At.File, f.Field, f.Member, f.Message.En, f.At.Span}
		if f.Rule == "source/unresolved" && f.Item == schema.NoItem {
			k.pool = "" // a setting that many pools inherit is shown once
		}
		i, ok := seen[k]
		switch {
		case ok && out[i].Env == f.Env:
			continue
		case ok && f.Env != "":
			if first := &out[i]; first.Pool == f.Pool && first.At.Side == f.At.Side && !slices.Contains(first.Also, f.Env) {
				first.Also = append(first.Also, f.Env)
			}
			continue
		}
		seen[k] = len(out)
		out = append(out, f)
	}
	return out
}
