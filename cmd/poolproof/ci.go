package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/policy/change"
	"github.com/poolproof/poolproof/schema"
)

// ciFlags are the flags of ci alone.
type ciFlags struct {
	base, head     string
	noDryrun       bool
	failOnExisting bool
	allowRepos     []string
	text           string
}

func ciCommand(o *options) *cobra.Command {
	var f ciFlags
	cmd := &cobra.Command{
		Use:   "ci [PATH]",
		Short: "judge a change: what is new, what it owes, what it does",
		Long: `ci compares two commits: the one that the change starts from (the merge base of --base and --head) and the one that it
arrives at. It says what check says about the pools that the changed files hold a copy of, what the change owes to the
other copies and what pays it, and plays these pools before and after, in virtual time.

Without --base, the variables of GitHub, Gitea and GitLab say what the change is. Only commits are read: nothing is
checked out, and no hook, filter or setting of the repository is run. A change does not rewrite the rules that it is
judged by: severities, exceptions and the source-of-truth table are those of the base.

New findings and unpaid evidence decide the exit code; what was there before is shown as existing.`,
		Example: `  poolproof ci --base origin/main
  poolproof ci --base origin/main --format github --report markdown=summary.md
  poolproof ci --base v1.4 --head release --no-dryrun --format json`,
		Args: onePath,
		RunE: func(cmd *cobra.Command, args []string) error {
			path := ""
			if len(args) > 0 {
				path = args[0]
			}
			return o.ci(cmd.Context(), path, &f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.base, "base", "", "the `revision` that the change is to go into")
	flags.StringVar(&f.head, "head", "", "the `revision` under review (default: what is checked out)")
	flags.BoolVar(&f.noDryrun, "no-dryrun", false, "do not play the pools that the change touches")
	flags.BoolVar(&f.failOnExisting, "fail-on-existing", false, "findings that were there before the change fail the run too")
	flags.StringArrayVar(&f.allowRepos, "allow-repo", nil, "open other repositories whose path or address starts with `PREFIX` (repeatable)")
	flags.StringVar(&f.text, "change-text", "", "the `file` with the text of the change request, where the CI hands over none")
	return cmd
}

// ci judges a change and writes the reports, also where it could not judge.
func (o *options) ci(ctx context.Context, path string, f *ciFlags) error {
	r, err := o.request()
	if err != nil {
		return err
	}
	s := &span{o: o, flags: f, request: r}
	defer s.close()
	run := o.newRun("ci", &workspace{}, r)
	run.Obligations = []report.Obligation{}
	abandon := func(err error) error { return o.abandon(run, s.workspace(), r, err) }
	switch nothing, err := s.open(path); {
	case err != nil:
		return abandon(err)
	case nothing != nil:
		run.Summary.Notes = append(run.Summary.Notes, *nothing)
		return o.finish(run, s.workspace(), r)
	}
	run.Root, run.Source = s.root, s.source
	run.Summary.Notes = append(run.Summary.Notes, s.notes...)
	if !f.noDryrun {
		s.plays = newPlays(o, r)
	}
	c, err := s.judge(ctx)
	if err != nil {
		return abandon(err)
	}
	run.Findings = c.Findings
	if s.plays != nil {
		run.Drills = s.plays.drills(run.Findings)
	}
	if f.failOnExisting {
		run.Fails = func(f *schema.Finding) bool { return f.Status != schema.Suppressed && f.Severity >= r.failOn }
	}
	s.describe(run, c)
	missing, err := s.noSuchName(ctx, c)
	switch {
	case err != nil:
		return abandon(err)
	case missing != nil:
		run.Findings, run.Obligations, run.Drills, run.Summary.Pools = nil, []report.Obligation{}, nil, 0
	case run.Summary.Copies == 0 && len(c.Base.Totals.Sides) == 0:
		text := schema.Textf("no copy of a pool was found", "没有找到任何池的副本")
		missing = &text
	}
	fails := func() bool {
		return slices.ContainsFunc(run.Findings, func(f schema.Finding) bool { return run.Fails(&f) })
	}
	unjudged := missing != nil && !fails() && !o.allowEmpty
	switch {
	case unjudged:
		run.Summary.Failed = missing
	case missing != nil:
		run.Summary.Notes = append(run.Summary.Notes, schema.Text{En: "not judged: " + missing.En, Zh: "未作判断：" + missing.Zh})
	}
	var short error
	if !unjudged {
		short = incomplete(run, c)
	}
	if err := o.finish(run, s.workspace(), r); err != nil {
		return err
	}
	switch {
	case fails():
		return &exitError{code: exitFindings}
	case short != nil:
		return short
	case unjudged:
		return notChecked("nothing could be judged: %s (--allow-empty accepts that)", *missing)
	}
	return nil
}

// asUsage turns the error of a manifest that cannot be used into one of usage.
func (s *span) asUsage(err error) error {
	var broken *change.ManifestError
	if !errors.As(err, &broken) {
		return notChecked("%w", err)
	}
	w := &workspace{manifestText: broken.Text, problems: broken.Problems}
	w.manifest.File = broken.File
	if s.base != nil && broken.Revision != "" && broken.Revision == s.base.Revision() {
		w.manifest.File = fmt.Sprintf("%.12s:%s", broken.Revision, broken.File) // as git names it: not the one that people have before them
	}
	return &exitError{exitUsage, s.o.manifestError(w)}
}

// readText reads the text of a change request from a file, within the bounds of every file.
func readText(name string) (string, error) {
	data, err := readNamed(name, true)
	if errors.Is(err, os.ErrNotExist) {
		return "", usage("--change-text %s: there is no such file", name)
	}
	if err != nil {
		return "", usage("--change-text: %w", err)
	}
	return string(data), nil
}
