package main

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/drill"
	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/schema"
)

// report writes every report that was asked for. One that cannot be written does not keep the others from being written.
// cause says why nothing could be played, nil where something was.
func (d *dry) report(cause error) error {
	doc := &drill.Report{Tool: "poolproof", Version: version(), Now: d.request.now, Lang: d.request.lang, Command: d.command, Base: d.base, Revision: d.revision,
		Runs: d.runs, Comparisons: d.comparisons, Changes: d.changes, Skipped: d.skipped, Findings: d.findings, Failed: d.failed}
	if cause != nil {
		doc.Failed = &schema.Text{En: inWords(cause, "en"), Zh: inWords(cause, "zh")}
	}
	var errs []error
	for _, t := range d.request.targets {
		if cause != nil && t.format == "console" {
			continue // the error says it
		}
		errs = append(errs, d.write(doc, t))
	}
	if err := errors.Join(errs...); err != nil {
		return notChecked("%w", err)
	}
	return nil
}

func (d *dry) write(doc *drill.Report, t target) error {
	var b bytes.Buffer
	if err := d.render(&b, doc, t); err != nil {
		return err
	}
	if t.file != "" {
		return writeFile(t.file, b.Bytes())
	}
	_, err := d.o.env.out.Write(b.Bytes())
	return err
}

func (d *dry) render(w io.Writer, doc *drill.Report, t target) error {
	switch t.format {
	case "console":
		return doc.Console(w, drill.Terminal{Width: d.o.env.width, Color: t.file == "" && d.o.color(), Unicode: d.o.unicode(), Verbose: d.o.verbose, Quiet: d.o.quiet})
	case "json":
		return doc.JSON(w)
	case "html":
		return doc.HTML(w)
	}
	return report.Render(w, t.format, d.findingsRun(doc), report.Options{Verbose: d.o.verbose, Quiet: d.o.quiet, Prefix: d.inRepository()})
}

// inRepository is where the paths of reports start inside the git repository.
func (d *dry) inRepository() string {
	repo := repository(d.cwd)
	if repo == "" {
		return ""
	}
	rel, _ := inside(repo, d.cwd)
	return rel
}

// findingsRun is the run for formats that know findings alone.
func (d *dry) findingsRun(doc *drill.Report) *report.Run {
	run := d.o.newRun("dryrun", &workspace{root: d.cwd}, d.request)
	run.Findings, run.Source = d.findings, d.source()
	total := doc.Total()
	s := &run.Summary
	s.Pools, s.Rules = total.Pools, 1
	s.Count(run.Findings)
	if total.Scenarios > 0 {
		s.Notes = append(s.Notes, schema.Textf("%d scenarios: %d expectations ok, %d failed, %d not applicable", "%d 个场景：预期成立 %d，不成立 %d，不适用 %d", total.Scenarios, total.Held, total.Failed, total.NotApplicable))
	}
	s.Failed = doc.Failed
	for i := range d.skipped {
		k := &d.skipped[i]
		what := k.Pool
		if what == "" || k.Scenario != "" {
			what = strings.TrimPrefix(what+" / "+k.Scenario, " / ")
		}
		s.Skipped = append(s.Skipped, report.Skip{What: what, Why: k.Why})
	}
	return run
}

// source returns the text of a file that a finding names: a scenario's, or one of a stage's tree.
func (d *dry) source() report.Source {
	sources := make([]report.Source, len(d.stages))
	for i, s := range d.stages {
		sources[i] = s.w.source()
	}
	return func(p schema.Place) ([]byte, bool) {
		if text, ok := d.texts[p.File]; ok {
			return text, true
		}
		for i, s := range d.stages {
			q := p
			if s.prefix != "" {
				rest, ok := strings.CutPrefix(p.File, s.prefix+"/")
				if !ok {
					continue
				}
				q.File = rest
			}
			if text, ok := sources[i](q); ok {
				return text, true
			}
		}
		return nil, false
	}
}

// unicode reports whether the locale says that texts may hold signs beyond ASCII.
func (o *options) unicode() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToUpper(o.env.getenv(name)); v != "" {
			return strings.Contains(v, "UTF-8") || strings.Contains(v, "UTF8")
		}
	}
	return false
}
