package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

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
	list := []target{{format, o.output}}
	for _, r := range o.reports {
		format, file, ok := strings.Cut(r, "=")
		if !ok || file == "" {
			return nil, usage("--report %s: write FORMAT=FILE", r)
		}
		list = append(list, target{format, file})
	}
	for _, t := range list {
		if _, err := report.FormatOf(t.format); err != nil {
			return nil, usage("%w", err)
		}
	}
	return list, nil
}

// newRun starts a report.
func (o *options) newRun(command string, w *workspace, now time.Time) *report.Run {
	lang, _ := o.language()
	infos := map[string]report.RuleInfo{}
	for _, r := range rules.All() {
		infos[r.ID] = report.RuleInfo{ID: r.ID, Title: r.Title, Severity: r.Severity, Judgement: r.Judgement, Page: rules.Page(r.ID, "en")}
	}
	run := &report.Run{Tool: "poolproof", Version: version(), Command: command, Now: now, Lang: lang,
		Rule: func(id string) (report.RuleInfo, bool) { i, ok := infos[id]; return i, ok }}
	if w != nil {
		run.Root, run.Source = w.root, w.source()
	}
	return run
}

// finish sorts, locates, names and counts the findings and writes every report.
func (o *options) finish(run *report.Run, w *workspace, targets []target) error {
	if _, err := o.language(); err != nil {
		return err
	}
	failOn, err := o.failOnSeverity()
	if err != nil {
		return err
	}
	report.Locate(run.Findings, run.Source)
	report.Sort(run.Findings)
	report.Fingerprints(run.Findings)
	run.Summary.Count(run.Findings)
	run.Fails = func(f *schema.Finding) bool { return fails(f, failOn) }
	for _, t := range targets {
		if err := o.write(run, w, t); err != nil {
			return notChecked("%w", err)
		}
	}
	return nil
}

func (o *options) write(run *report.Run, w *workspace, t target) error {
	opts := report.Options{Verbose: o.verbose, Quiet: o.quiet, Width: o.env.width}
	if w != nil {
		opts.Prefix = w.prefix
	}
	if t.file == "" {
		opts.Color = o.env.outTerminal && !o.noColor && o.env.getenv("NO_COLOR") == ""
		return report.Render(o.env.out, t.format, run, opts)
	}
	var b bytes.Buffer
	if err := report.Render(&b, t.format, run, opts); err != nil {
		return err
	}
	return writeFile(t.file, b.Bytes())
}

// writeFile writes a file beside its place and renames it, so that a full disk leaves no half report that looks whole.
func writeFile(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".poolproof-*")
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return slices.Clip(keys)
}
