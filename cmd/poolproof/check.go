package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/policy/audit"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
)

func checkCommand(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "check [PATH]",
		Short: "validate every copy and compare them",
		Long: `check reads every copy that the manifest names, validates it, and compares the copies of each pool with the one
that counts. Without a manifest it finds the known formats under PATH, says what it found, and checks what can be checked.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			path := "."
			if len(args) > 0 {
				path = args[0]
			}
			return o.check(cmd.Context(), path)
		},
	}
}

// check judges the tree at path and writes the reports.
func (o *options) check(ctx context.Context, path string) error {
	failOn, err := o.failOnSeverity()
	if err != nil {
		return err
	}
	out, err := o.outputs()
	if err != nil {
		return err
	}
	now, err := o.moment()
	if err != nil {
		return err
	}
	list := rules.All()
	if err := o.checkNames(list); err != nil {
		return err
	}
	w, err := o.openWorkspace(path)
	if err != nil {
		return err
	}
	defer w.close()
	loaded, err := w.load(ctx, o)
	if err != nil {
		return err
	}
	opts := audit.Options{Rules: list, Now: now, Pools: o.pools, RuleNames: o.rules, Env: o.poolEnv}
	if w.below != "" {
		opts.Touched = map[string]bool{}
		for _, f := range loaded.Files {
			if f.Path == w.below || strings.HasPrefix(f.Path, w.below+"/") {
				opts.Touched[f.Path] = true
			}
		}
	}
	res, err := audit.Audit(ctx, &w.manifest, w.problems, loaded, opts)
	if err != nil {
		return notChecked("judging the copies: %w", err)
	}
	run := o.newRun("check", w, now)
	run.Findings = res.Findings
	summarise(run, w, res)
	if err := o.finish(run, w, out); err != nil {
		return err
	}
	if code := verdict(run.Findings, res.Copies, failOn, o.allowEmpty); code != exitClean {
		if code == exitNotChecked {
			return notChecked("nothing could be judged: no copy of a pool was found (--allow-empty accepts that)")
		}
		return &exitError{code: code}
	}
	return nil
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
	if w.below != "" {
		s.Notes = append(s.Notes, schema.Textf("only pools with a copy under %s", "仅限在 %s 下有副本的池", w.below))
	}
}
