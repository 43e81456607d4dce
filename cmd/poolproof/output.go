package main

import (
	"errors"
	"io"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/spf13/cobra"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/policy/rules"
	"github.com/poolproof/poolproof/schema"
)

// target is one report to write; an empty file is standard output.
type target struct{ format, file string }

// outputs parses --format, --output and --report before anything runs, so that a misspelt format costs no time.
func (o *options) outputs() ([]target, error) {
	format := o.format
	if format == "" {
		format = "console"
	}
	list := []target{{format, o.outputFile()}}
	for _, r := range o.reports {
		format, file, ok := strings.Cut(r, "=")
		if !ok || file == "" {
			return nil, usage("--report %s: write FORMAT=FILE", r)
		}
		list = append(list, target{format, standard(file)})
	}
	taken := map[string]bool{}
	for _, t := range list {
		if _, err := report.FormatOf(t.format); err != nil {
			return nil, usage("unknown format %q: one of %s", t.format, strings.Join(report.Formats(), ", "))
		}
		name := t.file
		if name != "" {
			name = filepath.Clean(name)
		}
		if taken[name] {
			if name == "" {
				name = "standard output"
			}
			return nil, usage("two reports for %s: give each its own file", name)
		}
		taken[name] = true
	}
	return list, nil
}

// outputFile is the file of --output; empty for standard output, which "-" stands for as well.
func (o *options) outputFile() string {
	return standard(o.output)
}

// standard returns a file's name, empty for those that stand for standard output.
func standard(file string) string {
	switch file {
	case "-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1":
		return ""
	}
	return file
}

// oneFormat returns --format for a command that writes one of a few; empty is the first of them.
func (o *options) oneFormat(cmd *cobra.Command, known ...string) (string, error) {
	switch {
	case o.format == "":
		return known[0], nil
	case slices.Contains(known, o.format):
		return o.format, nil
	case len(known) == 1:
		return "", usage("%s writes no %s", cmd.Name(), o.format)
	}
	return "", usage("%s --format %s: one of %s", cmd.Name(), o.format, strings.Join(known, ", "))
}

// emit writes what a command has to say to --output, or to standard output.
func (o *options) emit(write func(w io.Writer) error) error {
	file := o.outputFile()
	if file == "" {
		if err := write(o.env.out); err != nil {
			return notChecked("%w", err)
		}
		return nil
	}
	if err := writeTo(file, write); err != nil {
		return notChecked("%w", err)
	}
	return nil
}

// newRun starts a report.
func (o *options) newRun(command string, w *workspace, r request) *report.Run {
	byID := map[string]*rules.Rule{}
	for i := range r.rules {
		byID[r.rules[i].ID] = &r.rules[i]
	}
	run := &report.Run{Tool: "poolproof", Version: version(), Command: command, Now: r.now, Lang: r.lang, Root: w.root, Source: w.source()}
	run.Rule = func(id string) (report.RuleInfo, bool) {
		rule, ok := byID[id]
		if !ok {
			return report.RuleInfo{}, false
		}
		return report.RuleInfo{ID: id, Title: rule.Title, Severity: rule.Severity, Judgement: rule.Judgement, Page: rules.Page(id, "en")}, true
	}
	run.Fails = func(f *schema.Finding) bool { return fails(f, r.failOn) }
	return run
}

// finish sorts, locates, names and counts the findings and writes every report. One that cannot be written does not
// keep the others from being written.
func (o *options) finish(run *report.Run, w *workspace, r request) error {
	report.Locate(run.Findings, run.Source)
	report.Sort(run.Findings)
	report.Fingerprints(run.Findings)
	run.Summary.Count(run.Findings)
	var errs []error
	for _, t := range r.targets {
		errs = append(errs, o.write(run, w, t))
	}
	if err := errors.Join(errs...); err != nil {
		return notChecked("%w", err)
	}
	return nil
}

func (o *options) write(run *report.Run, w *workspace, t target) error {
	opts := report.Options{Verbose: o.verbose, Quiet: o.quiet, Width: o.env.width, Prefix: w.prefix}
	if run.Command == "ci" && t.format == "markdown" {
		// Comments of GitHub take 65,536 characters, notes of GitLab a million.
		opts.Marker, opts.MaxBytes = "poolproof:ci", 60_000
	}
	if t.file == "" {
		opts.Color = o.color()
		return report.Render(o.env.out, t.format, run, opts)
	}
	return writeTo(t.file, func(out io.Writer) error { return report.Render(out, t.format, run, opts) })
}

// color reports whether standard output takes colours.
func (o *options) color() bool {
	return o.env.outTerminal && !o.noColor && o.env.getenv("NO_COLOR") == "" && o.env.getenv("TERM") != "dumb"
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return slices.Clip(keys)
}
