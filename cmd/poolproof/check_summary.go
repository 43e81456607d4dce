package main

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/policy/audit"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
)

// summarise says what a check looked at.
func summarise(run *report.Run, w *workspace, loaded *load.Loaded, res *audit.Result) {
	s := &run.Summary
	s.Pools, s.Copies, s.Files, s.Rules, s.Sides, s.Discovered = res.Pools, res.Copies, res.Files, res.Rules, res.Sides, w.manifest.Discovered
	for _, name := range sortedKeys(res.Formats) {
		s.Formats = append(s.Formats, report.FormatCount{Name: name, Files: res.Formats[name]})
	}
	for _, skip := range res.Skipped {
		s.Skipped = append(s.Skipped, report.Skip{What: skip.What, Why: skip.Why})
	}
	s.Notes = append(s.Notes, w.notes...)
	s.Notes = append(s.Notes, unread(s, &w.manifest, loaded)...)
	if w.below != "" {
		s.Notes = append(s.Notes, schema.Textf("only pools with a copy under %s", "仅限在 %s 下有副本的池", w.below))
	}
}

// unread says of which sides the manifest names sources and not one file was found, and counts no copy for them. Such a
// side is missing from every comparison; a number that is not there would not show it.
func unread(s *report.Summary, m *schema.Manifest, loaded *load.Loaded) []schema.Text {
	files, patterns := map[schema.Side]int{}, map[schema.Side][]string{}
	for i := range m.Sources {
		side := m.Sources[i].Side
		patterns[side] = append(patterns[side], m.Sources[i].Files...)
	}
	for _, f := range loaded.Files {
		files[m.Sources[f.Source].Side]++
	}
	var notes []schema.Text
	for _, side := range []schema.Side{schema.Gateway, schema.App, schema.Doc, schema.Order} {
		list := patterns[side]
		if list == nil || files[side] > 0 {
			continue
		}
		if s.Sides == nil {
			s.Sides = map[schema.Side]int{}
		}
		s.Sides[side] += 0
		const most = 3
		shown := strings.Join(list[:min(most, len(list))], ", ")
		if len(list) > most {
			shown += ", ..."
		}
		notes = append(notes, schema.Textf("%[1]s: 0 files: nothing matches %[3]s, so no copy of this side was compared",
			"%[2]s：0 个文件：没有文件匹配 %[3]s，因此没有比对这一方的任何副本", report.Side(side, "en"), report.Side(side, "zh"), shown))
	}
	return notes
}

// conclude tells the readers of a report what its exit code says: why the run fails, where that is not its findings, and
// what was asked for in vain besides them.
func (o *options) conclude(run *report.Run, r request, missing *schema.Text) {
	run.Summary.Failed = nil
	switch code := verdict(run.Findings, missing == nil, r.failOn, o.allowEmpty); {
	case code == exitNotChecked:
		run.Summary.Failed = missing
	case missing != nil:
		note := schema.Text{En: "not judged: " + missing.En, Zh: "未作判断：" + missing.Zh}
		if !slices.Contains(run.Summary.Notes, note) { // a run that is told again has it
			run.Summary.Notes = append(run.Summary.Notes, note)
		}
	}
}

// notFound says what the command line asks for and the tree does not have, or that there is nothing at all; nil where
// all of it was judged. A misspelt name must not pass for a clean one.
func (o *options) notFound(w *workspace, res *audit.Result) *schema.Text {
	if len(res.Groups) == 0 {
		text := schema.Textf("no copy of a pool was found", "没有找到任何池的副本")
		return &text
	}
	if text := o.noSuchEnv(&w.manifest, res); text != nil {
		return text
	}
	if text := o.noSuchPool(res.Groups); text != nil || res.Pools > 0 {
		return text
	}
	text := schema.Textf("no pool fits --pool and --env", "没有池符合 --pool 与 --env")
	if w.below != "" {
		text = schema.Textf("no pool has a copy under %s", "%s 下没有任何池的副本", w.below)
	}
	return &text
}

// noSuchEnv says that --env names an environment that neither the manifest nor a copy knows; nil if one does.
func (o *options) noSuchEnv(m *schema.Manifest, res *audit.Result) *schema.Text {
	if o.poolEnv == "" {
		return nil
	}
	var envs []string
	for i := range m.Sources {
		envs = append(envs, m.Sources[i].Env)
	}
	for _, g := range res.Groups {
		envs = append(envs, g.Env)
	}
	for _, c := range res.Unbound {
		envs = append(envs, c.Env)
	}
	envs = slices.DeleteFunc(uniqueSorted(envs), func(env string) bool { return env == "" })
	var text schema.Text
	switch {
	case slices.Contains(envs, o.poolEnv):
		return nil
	case len(envs) == 0:
		text = schema.Textf("there is no environment %s: nothing here names one (env: at a source of the manifest, {env} in its patterns)",
			"没有环境 %s：此处没有写明任何环境（在清单的来源中写 env:，或在其模式中写 {env}）", o.poolEnv)
	default:
		text = schema.Textf("there is no environment %s; there are: %s", "没有环境 %s；现有：%s", o.poolEnv, strings.Join(envs, ", "))
	}
	return &text
}

// noSuchPool says that --pool names a pool that is not among groups, by its own name or that of a copy; nil if all are.
func (o *options) noSuchPool(groups []*reconcile.Group) *schema.Text {
	var pools []string
	for _, g := range groups {
		pools = append(pools, g.Pool)
	}
	for _, p := range audit.PoolNames(groups, o.pools) {
		if !slices.ContainsFunc(pools, func(name string) bool { return reconcile.Key(name) == reconcile.Key(p) }) {
			near := didYouMean(p, pools)
			return &schema.Text{En: "there is no pool " + p + near.En, Zh: "没有池 " + p + near.Zh}
		}
	}
	return nil
}

func uniqueSorted(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}
