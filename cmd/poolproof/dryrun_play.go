package main

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/poolproof/poolproof/cmd/poolproof/drill"
	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/policy/audit"
	"github.com/poolproof/poolproof/policy/dryrun"
	"github.com/poolproof/poolproof/policy/dryrun/acceptance"
	"github.com/poolproof/poolproof/policy/dryrun/cast"
	"github.com/poolproof/poolproof/policy/failover"
	"github.com/poolproof/poolproof/policy/failover/engines"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
)

// actor is a pool with what is played of it.
type actor struct {
	pool    *rules.Pool
	copy    *schema.Copy
	engine  string
	traffic cast.Traffic
	file    string // of the copy, as reports show it
	digests []drill.Digest
	set     *acceptance.Set
}

// house is the pools of one tree.
type house struct {
	loaded *load.Loaded
	result *audit.Result
	pools  []*rules.Pool
}

// key tells pools of one tree apart.
func key(p *rules.Pool) string { return p.Group.Env + "\x00" + reconcile.Key(p.Group.Pool) }

// enter reads a tree and finds its pools.
func (d *dry) enter(ctx context.Context, w *workspace) (*house, error) {
	loaded, err := w.load(ctx, d.o)
	if err != nil {
		return nil, err
	}
	h := &house{loaded: loaded}
	var mu sync.Mutex
	found := map[string]*rules.Pool{}
	opts := audit.Options{Rules: d.reading(map[string]func(*rules.Pool, *rules.Reporter){ruleFailed: func(p *rules.Pool, _ *rules.Reporter) {
		mu.Lock()
		defer mu.Unlock()
		found[key(p)] = p
	}}), Now: d.request.now, Pools: d.o.pools, Env: d.o.poolEnv}
	if h.result, err = audit.Audit(ctx, &w.manifest, w.problems, loaded, opts); err != nil {
		return nil, notChecked("judging the copies: %w", err)
	}
	for _, k := range sortedKeys(found) {
		h.pools = append(h.pools, found[k])
	}
	return h, nil
}

// reading returns the rules of which only the dry-run's own judges, by a function; the others lend their severities to
// what was found while the files were read.
func (d *dry) reading(judges map[string]func(*rules.Pool, *rules.Reporter)) []rules.Rule {
	var list []rules.Rule
	for _, rule := range d.request.rules {
		if strings.HasPrefix(rule.ID, "exception/") {
			continue
		}
		rule.Copy, rule.Pool, rule.Run = nil, nil, nil
		rule.Pool = judges[rule.ID]
		list = append(list, rule)
	}
	return list
}

// The rules that a play judges.
const (
	ruleFailed = "dryrun/failed"
	ruleFate   = "breaker/shared-fate"
)

// play plays one stage.
func (d *dry) play(ctx context.Context, s *stage) error {
	now, err := d.enter(ctx, s.w)
	if err != nil {
		return err
	}
	var before *house
	if s.base != nil {
		if before, err = d.enter(ctx, s.base); err != nil {
			return err
		}
	}
	d.seen(s, now)
	if d.o.noSuchEnv(&s.w.manifest, now.result) != nil {
		now.pools = nil // what has no environment would pass for what was asked for
	} else {
		d.read(s, now)
	}
	progress := d.o.progress("playing")
	progress.unit = "scenarios"
	defer progress.done()
	first := len(d.runs)
	actors := d.actors(s, now)
	s.pools = len(actors)
	d.gone(before, now)
	done, total := 0, d.plays(s, actors)
	d.step = func() {
		done++
		progress.set(done, total)
	}
	for _, a := range actors {
		if err := ctx.Err(); err != nil {
			return err
		}
		old := d.counterpart(a, before)
		if before != nil {
			d.change(a, old, before)
		}
		d.act(ctx, s, a, old)
	}
	d.unplayed(s, now, actors)
	return d.judge(ctx, s, now, d.runs[first:])
}

// seen keeps what the trees hold, to say at the end what none of them has.
func (d *dry) seen(s *stage, h *house) {
	all := &d.all
	all.manifest.Sources = append(all.manifest.Sources, s.w.manifest.Sources...)
	all.result.Groups = append(all.result.Groups, h.result.Groups...)
	all.result.Unbound = append(all.result.Unbound, h.result.Unbound...)
	all.result.Pools += h.result.Pools
}

// missing says what the command line asks for and no tree has; nil where all of it is there.
func (d *dry) missing() *schema.Text {
	if len(d.stages) == 0 {
		return nil // a day with a pool of its own
	}
	return d.o.notFound(&workspace{manifest: d.all.manifest}, &d.all.result)
}

// read takes over what was wrong in the files that were read.
func (d *dry) read(s *stage, h *house) {
	var list []schema.Finding
	for _, f := range h.result.Findings {
		if f.Severity > schema.Info && f.Rule != ruleFailed {
			list = append(list, f)
		}
	}
	d.take(s, list)
}

// take locates findings in a stage's tree and gives their files the names that reports show.
func (d *dry) take(s *stage, list []schema.Finding) {
	report.Locate(list, func(p schema.Place) ([]byte, bool) {
		if text, ok := d.texts[p.File]; ok {
			return text, true
		}
		return s.w.source()(p)
	})
	if s.prefix != "" {
		for i := range list {
			d.rename(s, &list[i].At)
			related := slices.Clone(list[i].Related)
			for j := range related {
				d.rename(s, &related[j].Place)
			}
			list[i].Related = related
		}
	}
	d.findings = append(d.findings, list...)
}

func (d *dry) rename(s *stage, p *schema.Place) {
	if _, own := d.texts[p.File]; !own && p.File != "" {
		p.File = path.Join(s.prefix, p.File)
	}
}

// actors lists the pools that can be played, and notes why others cannot.
func (d *dry) actors(s *stage, h *house) []*actor {
	var list []*actor
	for _, p := range h.pools {
		if a := d.actor(s, p, true); a != nil {
			list = append(list, a)
		}
	}
	return list
}

// actor finds the copy of a pool that is played. The engine is tried out, so that one that is not built is said so once.
func (d *dry) actor(s *stage, p *rules.Pool, note bool) *actor {
	if !s.builtin && !slices.ContainsFunc(s.scripts, func(x *script) bool { return x.wants(p) }) {
		return nil
	}
	skip := func(engine string, why schema.Text) *actor {
		if note {
			d.skipped = append(d.skipped, drill.Skipped{Pool: p.Group.Pool, Env: p.Group.Env, Engine: engine, Why: why})
		}
		return nil
	}
	c, engine := cast.Choose(p)
	if c == nil {
		return skip("", schema.Textf("no gateway's or application's copy lists members", "没有网关或应用的副本列出成员"))
	}
	if engine == "" {
		return skip("", schema.Textf("no copy names an engine: give its source a profile, or the pool an engine", "没有副本指明引擎：请为来源写 profile，或为池写 engine"))
	}
	switch _, err := engines.New(c, failover.Options{}); {
	case errors.Is(err, failover.ErrNotBuilt):
		return skip(engine, schema.Textf("the engine %s is not built: it is not played, and nothing stands in for it", "引擎 %s 尚未实现：不演练，也不用其他引擎代替", engine))
	case errors.Is(err, failover.ErrNoMembers):
		return skip(engine, schema.Textf("no member of it is known", "没有已知的成员"))
	case err != nil:
		return skip(engine, schema.Textf("its engine cannot run: %v", "引擎无法运行：%v", err))
	}
	a := &actor{pool: p, copy: c, engine: engine, traffic: cast.TrafficOf(p, c), file: path.Join(s.prefix, c.File())}
	for i := schema.Members; i < schema.Items; i++ {
		if c.States(i) {
			a.digests = append(a.digests, drill.Digest{Item: i.String(), Sum: schema.Digest(c, i)})
		}
	}
	return a
}

// wants reports whether a scenario is for a pool.
func (x *script) wants(p *rules.Pool) bool {
	name := x.scenario.Pool
	if name == "" {
		return true
	}
	k := reconcile.Key(name)
	if k == reconcile.Key(p.Group.Pool) {
		return true
	}
	return slices.ContainsFunc(p.Group.Copies, func(c *schema.Copy) bool { return reconcile.Key(c.Pool) == k })
}

// counterpart finds the same pool in the tree to compare with.
func (d *dry) counterpart(a *actor, h *house) *actor {
	if h == nil {
		return nil
	}
	i := slices.IndexFunc(h.pools, func(p *rules.Pool) bool { return key(p) == key(a.pool) })
	if i < 0 {
		return nil
	}
	return d.actor(&stage{builtin: true}, h.pools[i], false)
}

// change notes which settings of a pool are not those of the base.
func (d *dry) change(now, old *actor, before *house) {
	var list []drill.Change
	switch {
	case old != nil:
		list = drill.Changes(old.copy, now.copy)
	case slices.ContainsFunc(before.pools, func(p *rules.Pool) bool { return key(p) == key(now.pool) }):
		d.skipped = append(d.skipped, drill.Skipped{Pool: now.pool.Group.Pool, Env: now.pool.Group.Env, Why: schema.Textf("the base cannot be played, so nothing is compared", "变更前的配置无法演练，故不作比较")})
		return
	default:
		list = []drill.Change{{Path: "pool", Head: "new"}}
	}
	for _, c := range list {
		c.Pool, c.Env = now.pool.Group.Pool, now.pool.Group.Env
		d.changes = append(d.changes, c)
	}
}

// unplayed says which scenarios no pool was played in.
func (d *dry) unplayed(s *stage, h *house, actors []*actor) {
	var names []string
	for _, g := range h.result.Groups {
		names = append(names, g.Pool)
	}
	names = uniqueSorted(names)
	for _, x := range s.scripts {
		sc := x.scenario
		if x.played {
			continue
		}
		known := sc.Pool == "" || slices.ContainsFunc(h.pools, x.wants)
		switch {
		case sc.Pool == "" && len(actors) > 1:
			d.problems(x.file, "", []schema.Problem{{Rule: "schema/invalid",
				Text: schema.Textf("the scenario does not say which pool it is for; there are: %s", "场景没有写明是哪个池；现有：%s", strings.Join(names, ", ")),
				Hint: schema.Textf("write pool:, or give --pool", "请写 pool:，或使用 --pool")}})
		case len(names) == 0:
			d.skipped = append(d.skipped, drill.Skipped{Scenario: sc.Name, Why: schema.Textf("no copy of a pool was found to play it on", "没有找到可供演练的池")})
		case !known && len(d.o.pools) == 0 && d.o.poolEnv == "":
			d.problems(x.file, "", []schema.Problem{{Rule: "schema/invalid", At: sc.PoolAt, Got: sc.Pool,
				Text: schema.Textf("there is no pool %q; there are: %s", "没有池 %q；现有：%s", sc.Pool, strings.Join(names, ", ")),
				Hint: schema.Textf("write the name as the manifest or the gateway does", "名称请与清单或网关一致")}})
		case known && sc.Pool != "":
			if list := playableNames(h); len(list) > 0 {
				d.skipped = append(d.skipped, drill.Skipped{Scenario: sc.Name, Why: schema.Textf("pool %s cannot be played; these can: %s", "池 %s 无法演练；可演练的有：%s", sc.Pool, strings.Join(list, ", "))})
			}
		case !known:
			d.skipped = append(d.skipped, drill.Skipped{Scenario: sc.Name, Pool: sc.Pool, Why: schema.Textf("left out by --pool or --env", "被 --pool 或 --env 排除")})
		}
	}
}

// playableNames lists the pools of which a copy names an engine.
func playableNames(h *house) []string {
	var list []string
	for _, p := range h.pools {
		if c, engine := cast.Choose(p); c != nil && engine != "" {
			list = append(list, p.Group.Pool)
		}
	}
	return uniqueSorted(list)
}

// judge turns what did not hold into findings. They go through the audit, so that the manifest's severities and
// exceptions hold for them as for any other.
func (d *dry) judge(ctx context.Context, s *stage, h *house, runs []*drill.Run) error {
	failed := map[string][]*drill.Run{}
	for _, r := range runs {
		if r.Judged && r.Config == drill.Head && r.Failed() {
			k := r.Env + "\x00" + reconcile.Key(r.Pool)
			failed[k] = append(failed[k], r)
		}
	}
	fates := d.fates
	d.fates = nil
	if len(failed) == 0 && len(fates) == 0 {
		return nil
	}
	opts := audit.Options{Now: d.request.now, Pools: d.o.pools, Env: d.o.poolEnv, RuleNames: []string{ruleFailed, ruleFate}}
	opts.Rules = d.reading(map[string]func(*rules.Pool, *rules.Reporter){
		ruleFailed: func(p *rules.Pool, r *rules.Reporter) {
			for _, run := range failed[key(p)] {
				d.hit(p, run, r)
			}
		},
		ruleFate: func(p *rules.Pool, r *rules.Reporter) {
			for i := range fates {
				if f := &fates[i]; f.run.Env+"\x00"+reconcile.Key(f.run.Pool) == key(p) {
					f.hit(p, r)
				}
			}
		},
	})
	res, err := audit.Audit(ctx, &s.w.manifest, nil, h.loaded, opts)
	if err != nil {
		return notChecked("judging the runs: %w", err)
	}
	d.take(s, res.Findings)
	return nil
}

func (d *dry) hit(p *rules.Pool, run *drill.Run, r *rules.Reporter) {
	for _, e := range run.Expectations {
		if e.Pass != dryrun.Failed {
			continue
		}
		hit := rules.Hit{Field: e.ID, Got: e.Observed.En, Want: e.Text.En,
			Text: schema.Textf("%s: %s, which does not hold: %s", "%[1]s：%[2]s，不成立：%[3]s", e.ID, e.Text, e.Observed)}
		if run.File != "" {
			hit.Copy, hit.At, hit.Severity = &schema.Copy{Files: []string{run.File}, Pool: p.Group.Pool}, e.Place, schema.Error
			hit.Hint = schema.Textf("see the timeline of %q; change the settings, or the expectation if it asks too much", "参见 %q 的时间线；请修改配置，或在预期过高时修改预期", run.Scenario)
		} else {
			c, _ := cast.Choose(p)
			item := areaItem(run.Group)
			from := cast.Source(p, c, item)
			if from == nil {
				from = original(p, c)
			}
			hit.Copy, hit.At, hit.Item = from, from.ItemAt[item], item
			hit.Hint = schema.Textf("poolproof dryrun --pool %[1]s --scenario %[2]s -v shows what happened", "poolproof dryrun --pool %[1]s --scenario %[2]s -v 可查看经过", p.Group.Pool, run.Scenario)
		}
		r.Hit(hit)
	}
}

// original returns the copy that a chosen one stands for.
func original(p *rules.Pool, c *schema.Copy) *schema.Copy {
	for _, o := range p.Group.Copies {
		if o.File() == c.File() && o.PoolAt == c.PoolAt {
			return o
		}
	}
	return c
}

// areaItem is the item whose settings decide a group of acceptance cases.
func areaItem(group string) schema.Item {
	if group == "granularity" {
		return schema.Decision
	}
	item, _ := schema.ParseItem(group)
	return item
}

// finish sorts and names everything that was found.
func (d *dry) finish() {
	report.Locate(d.findings, func(p schema.Place) ([]byte, bool) { text, ok := d.texts[p.File]; return text, ok })
	report.Sort(d.findings)
	report.Fingerprints(d.findings)
	slices.SortStableFunc(d.skipped, func(a, b drill.Skipped) int {
		return cmp.Or(strings.Compare(a.Pool, b.Pool), strings.Compare(a.Env, b.Env))
	})
}
