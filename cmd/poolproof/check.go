package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/policy/audit"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/reconcile"
	"github.com/poolproof/poolproof/schema"
)

func checkCommand(o *options) *cobra.Command {
	var staged bool
	cmd := &cobra.Command{
		Use:   "check [PATH]",
		Short: "validate every copy and compare them",
		Long: `check reads every copy that the manifest names, validates it, and compares the copies of each pool with the one
that counts. Without a manifest it finds the known formats under PATH, says what it found, and checks what can be checked.

The manifest is looked for in PATH (the current folder, if PATH is not given) and above it, up to the root of the git
repository. PATH may be a folder or a file below the manifest: then only pools that have a copy there are reported.
The patterns of a manifest start at its folder; with --manifest, they start at PATH where PATH lies outside of that.`,
		Example: `  poolproof check
  poolproof check services/orders --fail-on warning
  poolproof check --format github --report sarif=poolproof.sarif --report junit=poolproof.xml
  poolproof check --rule 'members/*' --pool orders --format json`,
		Args: onePath,
		RunE: func(cmd *cobra.Command, args []string) error {
			path := ""
			if len(args) > 0 {
				path = args[0]
			}
			if staged {
				return o.checkStaged(cmd.Context(), path)
			}
			return o.check(cmd.Context(), path)
		},
	}
	cmd.Flags().BoolVar(&staged, "staged", false, "read what is staged in git, and report only pools that staged files touch")
	return cmd
}

// request is what the flags of a judging command ask for, checked before anything is read.
type request struct {
	failOn  schema.Severity
	targets []target
	now     time.Time
	lang    string
	rules   []rules.Rule
}

func (o *options) request() (r request, err error) {
	if r.failOn, err = o.failOnSeverity(); err != nil {
		return r, err
	}
	if r.targets, err = o.outputs(); err != nil {
		return r, err
	}
	if r.now, err = o.moment(); err != nil {
		return r, err
	}
	if r.lang, err = o.language(); err != nil {
		return r, err
	}
	r.rules = rules.All()
	return r, o.checkRules(r.rules)
}

// checkRules refuses rules on the command line that do not exist.
func (o *options) checkRules(list []rules.Rule) error {
	known := rules.Known(list)
	for _, name := range o.rules {
		if !known(name) {
			return usage("--rule %s: no such rule%s; poolproof rules lists them", name, didYouMean(name, ruleNames()))
		}
	}
	return nil
}

// check judges the tree at path and writes the reports, also where it could not judge.
func (o *options) check(ctx context.Context, path string) error {
	r, err := o.request()
	if err != nil {
		return err
	}
	w, err := o.openWorkspace(path)
	if err != nil {
		return err
	}
	defer w.close()
	w.packed = true
	run := o.newRun("check", w, r)
	defer func() {
		if cause := recover(); cause != nil { // the reports say so; whoever runs the command prints it
			_ = o.abandon(run, w, r, &exitError{exitInternal, errors.New("internal error")})
			panic(cause)
		}
	}()
	rec := o.openRecord(w)
	if kept := rec.find(ctx, w, r.now); kept != nil {
		if err := o.protect(w); err != nil {
			return err
		}
		run.Findings, run.Summary = kept.findings, kept.Summary
		if err := o.finish(run, w, r); err != nil {
			return err
		}
		return o.judged(run, r, kept.Missing)
	}
	loaded, err := w.load(ctx, o)
	if err != nil {
		return o.abandon(run, w, r, err)
	}
	opts := audit.Options{Rules: r.rules, Now: r.now, Pools: o.pools, RuleNames: o.rules, Env: o.poolEnv, Read: w.tree.Read}
	if w.below != "" {
		opts.Touched = w.touched(loaded)
	}
	res, err := audit.Audit(ctx, &w.manifest, w.problems, loaded, opts)
	if err != nil {
		return o.abandon(run, w, r, notChecked("judging the copies: %w", err))
	}
	run.Findings = res.Findings
	summarise(run, w, res)
	if err := o.finish(run, w, r); err != nil {
		return err
	}
	missing := o.notFound(w, res)
	rec.keep(w, r.now, loaded, res, run, missing)
	return o.judged(run, r, missing)
}

// judged turns findings, and what was asked for in vain, into the exit code.
func (o *options) judged(run *report.Run, r request, missing *schema.Text) error {
	switch code := verdict(run.Findings, missing == nil, r.failOn, o.allowEmpty); code {
	case exitClean:
		return nil
	case exitNotChecked:
		return notChecked("nothing could be judged: %s (--allow-empty accepts that)", *missing)
	default:
		return &exitError{code: code}
	}
}

func summarise(run *report.Run, w *workspace, res *audit.Result) {
	s := &run.Summary
	s.Pools, s.Copies, s.Files, s.Rules, s.Sides, s.Discovered = res.Pools, res.Copies, res.Files, res.Rules, res.Sides, w.manifest.Discovered
	for _, name := range sortedKeys(res.Formats) {
		s.Formats = append(s.Formats, report.FormatCount{Name: name, Files: res.Formats[name]})
	}
	for _, skip := range res.Skipped {
		s.Skipped = append(s.Skipped, report.Skip{What: skip.What, Why: skip.Why})
	}
	s.Notes = append(s.Notes, w.notes...)
	if w.below != "" {
		s.Notes = append(s.Notes, schema.Textf("only pools with a copy under %s", "仅限在 %s 下有副本的池", w.below))
	}
}

// notFound says what the command line asks for and the tree does not have, or that there is nothing at all; nil where
// all of it was judged. A misspelt name must not pass for a clean one.
func (o *options) notFound(w *workspace, res *audit.Result) *schema.Text {
	var pools, envs []string
	for _, g := range res.Groups {
		pools = append(pools, g.Pool)
		if g.Env != "" {
			envs = append(envs, g.Env)
		}
	}
	var text schema.Text
	switch {
	case len(pools) == 0:
		text = schema.Textf("no copy of a pool was found", "没有找到任何池的副本")
	case o.poolEnv != "" && len(envs) > 0 && !slices.Contains(envs, o.poolEnv):
		text = schema.Textf("there is no environment %s; there are: %s", "没有环境 %s；现有：%s", o.poolEnv, strings.Join(uniqueSorted(envs), ", "))
	default:
		for _, p := range o.pools {
			if !slices.ContainsFunc(pools, func(name string) bool { return name == p || reconcile.Key(name) == reconcile.Key(p) }) {
				near := didYouMean(p, pools)
				text = schema.Text{En: "there is no pool " + p + near.En, Zh: "没有池 " + p + near.Zh}
				return &text
			}
		}
		switch {
		case res.Pools > 0:
			return nil
		case w.below != "":
			text = schema.Textf("no pool has a copy under %s", "%s 下没有任何池的副本", w.below)
		default:
			text = schema.Textf("no pool fits --pool and --env", "没有池符合 --pool 与 --env")
		}
	}
	return &text
}

// nearestName returns the name that is nearest in spelling, or nothing.
func nearestName(name string, among []string) string {
	if near := reconcile.Nearest(name, among); len(near) > 0 {
		return near[0]
	}
	return ""
}

func uniqueSorted(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// abandon writes the reports of a run that could not judge: whoever reads them finds no findings, and why.
func (o *options) abandon(run *report.Run, w *workspace, r request, cause error) error {
	if codeOf(cause) == exitUsage {
		return cause
	}
	run.Summary.Notes = append(run.Summary.Notes, schema.Text{En: "could not check: " + inWords(cause, "en"), Zh: "未能检查：" + inWords(cause, "zh")})
	return errors.Join(cause, o.finish(run, w, r))
}
