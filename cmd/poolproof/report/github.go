package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// maxAnnotations is how many annotations of each severity GitHub shows of one step; the others vanish.
const maxAnnotations = 10

// github writes workflow commands, errors first and at most ten of each severity because GitHub drops the rest, then all
// findings as plain lines of the log, and the summary. No plain line can be read as a command: each starts with a word of
// ours.
func github(w io.Writer, run *Run, opts Options) error {
	p := &githubWriter{out: w}
	if why := run.Summary.Failed; why != nil {
		p.line("::error title=" + commandProperty(run.Tool) + "::" + commandData(language("en").failure(why)))
	}
	shownNow := 0
	for _, s := range []schema.Severity{schema.Error, schema.Warning, schema.Info} {
		shownNow += p.annotations(run.Findings, s, opts.Prefix)
	}
	listed := 0
	for i := range run.Findings {
		if !silenced(&run.Findings[i]) {
			listed++
		}
	}
	if listed > 0 {
		p.line("::group::" + run.Tool + ": all findings (" + strconv.Itoa(listed) + ")")
		for i := range run.Findings {
			if f := &run.Findings[i]; !silenced(f) {
				p.plain(f)
			}
		}
		p.line("::endgroup::")
	}
	if opts.Quiet {
		return p.err
	}
	l := language("en")
	if rest := listed - shownNow; rest > 0 {
		p.line(fmt.Sprintf("%s: %d of %d findings are annotated; the list has all of them", run.Tool, shownNow, listed))
	}
	for i := range run.Obligations {
		p.line(run.Tool + ": owed by this change: " + l.debt(&run.Obligations[i]))
	}
	for _, s := range append([]string{l.verdict(run), l.lookedAt(run)}, l.remarks(run, opts.Verbose)...) {
		p.line(run.Tool + ": " + s)
	}
	return p.err
}

type githubWriter struct {
	out io.Writer
	err error
}

func (p *githubWriter) line(s string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.out, s+"\n")
	}
}

// annotations writes the first findings of a severity as workflow commands and returns how many.
func (p *githubWriter) annotations(findings []schema.Finding, s schema.Severity, prefix string) int {
	n := 0
	for i := range findings {
		f := &findings[i]
		if silenced(f) || githubLevel(f.Severity) != githubLevel(s) {
			continue
		}
		if n == maxAnnotations {
			break
		}
		n++
		p.line(annotation(f, prefix))
	}
	return n
}

func githubLevel(s schema.Severity) string {
	switch s {
	case schema.Error:
		return "error"
	case schema.Info:
		return "notice"
	}
	return "warning"
}

// annotation is one finding as a workflow command.
func annotation(f *schema.Finding, prefix string) string {
	var b strings.Builder
	b.WriteString("::" + githubLevel(f.Severity) + " ")
	property := func(name, value string) {
		if value != "" {
			b.WriteString(name + "=" + commandProperty(value) + ",")
		}
	}
	number := func(name string, n int) {
		if n > 0 {
			property(name, strconv.Itoa(n))
		}
	}
	if f.At.File != "" {
		property("file", path(repositoryPath(prefix, f.At.File)))
		number("line", f.At.Line)
		// GitHub ignores columns of annotations that span lines, and wants the last column inside.
		number("endLine", f.At.EndLine)
		if f.At.EndLine == f.At.Line {
			number("col", f.At.Column)
			number("endColumn", max(f.At.EndColumn-1, f.At.Column))
		}
	}
	b.WriteString("title=" + commandProperty(short(f.Rule)))
	message := language("en").sentence(f)
	for i := range f.Related {
		if r := &f.Related[i]; r.Truth {
			message += "\n" + language("en").label(r) + ": " + where(&r.Place)
		}
	}
	if f.Hint.En != "" {
		message += "\nhelp: " + text(f.Hint.En)
	}
	b.WriteString("::" + commandData(message))
	return b.String()
}

// plain writes a finding as a line of the log.
func (p *githubWriter) plain(f *schema.Finding) {
	s := githubLevel(f.Severity) + "[" + short(f.Rule) + "] "
	if at := where(&f.At); at != "" {
		s += at + " "
	}
	s += language("en").sentence(f)
	if f.Status == schema.Existing {
		s += " (existing)"
	}
	p.line(s)
}

// commandData escapes the message of a workflow command.
func commandData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// commandProperty escapes a property of a workflow command.
func commandProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
