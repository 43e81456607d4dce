package main

import (
	"context"
	"errors"
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
	w.packed, w.whole = true, true
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
		o.conclude(run, r, kept.Missing)
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
	summarise(run, w, loaded, res)
	if o.noSuchEnv(&w.manifest, res) != nil { // what has no environment would pass for what was asked for
		run.Findings, run.Summary.Pools = nil, 0
	}
	missing := o.notFound(w, res)
	o.conclude(run, r, missing)
	if err := o.finish(run, w, r); err != nil {
		return err
	}
	rec.keep(w, r.now, loaded, res, run, missing)
	return o.judged(run, r, missing)
}

// judged turns findings, and what was asked for in vain, into the exit code.
func (o *options) judged(run *report.Run, r request, missing *schema.Text) error {
	switch code := verdict(run.Findings, missing == nil, r.failOn, o.allowEmpty); code {
	case exitClean:
		return nil
	case exitNotChecked:
		if run.Summary.Pools > 0 {
			return notChecked("not all could be judged: %s (--allow-empty accepts that)", *missing)
		}
		return notChecked("nothing could be judged: %s (--allow-empty accepts that)", *missing)
	default:
		return &exitError{code: code}
	}
}

// nearestName returns the name that is nearest in spelling, or nothing.
func nearestName(name string, among []string) string {
	if near := reconcile.Nearest(name, among); len(near) > 0 {
		return near[0]
	}
	return ""
}

// abandon writes the reports of a run that could not judge: whoever reads them finds no findings, and why.
func (o *options) abandon(run *report.Run, w *workspace, r request, cause error) error {
	if codeOf(cause) == exitUsage {
		return cause
	}
	run.Summary.Failed = &schema.Text{En: inWords(cause, "en"), Zh: inWords(cause, "zh")}
	return errors.Join(cause, o.finish(run, w, r))
}
