package report

import (
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// junit writes the JUnit XML that build servers read, in English: one suite a pool, one case a finding. A finding that
// makes the run fail is a failure; every other one is a skipped case with its message, so that a warning is seen and
// breaks nothing. A run without findings is one passed case, and one that could not judge has a case with an error.
func junit(w io.Writer, run *Run, _ Options) error {
	x := &xmlWriter{out: w}
	x.raw(`<?xml version="1.0" encoding="UTF-8"?>` + "\n<testsuites>\n")
	for i, s := range junitSuites(run) {
		x.suite(run, i, s)
	}
	x.raw("</testsuites>\n")
	return x.err
}

// junitSuite is the findings of one pool, or of the files as a whole.
type junitSuite struct {
	name     string
	findings []*schema.Finding
	failures int
	used     map[string]int
}

// junitSuites groups the findings by pool and environment, in order of appearance.
func junitSuites(run *Run) []*junitSuite {
	var suites []*junitSuite
	byName := map[string]*junitSuite{}
	for i := range run.Findings {
		f := &run.Findings[i]
		name := owner(f)
		if name == "" {
			name = "(files)"
		}
		s := byName[name]
		if s == nil {
			s = &junitSuite{name: name, used: map[string]int{}}
			byName[name] = s
			suites = append(suites, s)
		}
		s.findings = append(s.findings, f)
		if run.fails(f) {
			s.failures++
		}
	}
	if suites == nil {
		return []*junitSuite{{name: run.Tool}}
	}
	return suites
}

// xmlWriter writes XML piece by piece.
type xmlWriter struct {
	out io.Writer
	err error
}

func (x *xmlWriter) raw(s string) {
	if x.err == nil {
		_, x.err = io.WriteString(x.out, s)
	}
}

// start writes a start tag with attributes, given as names and values; names are ours.
func (x *xmlWriter) start(name string, attributes ...string) {
	x.raw("<" + name)
	for i := 0; i+1 < len(attributes); i += 2 {
		x.raw(" " + attributes[i] + `="` + xmlText(attributes[i+1]) + `"`)
	}
	x.raw(">")
}

// xmlText escapes text for XML. Characters that XML does not have were written out before.
func xmlText(s string) string {
	if !strings.ContainsAny(s, "&<>\"'") {
		return s
	}
	return xmlEscapes.Replace(s)
}

var xmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

func (x *xmlWriter) suite(run *Run, id int, s *junitSuite) {
	why := run.Summary.Failed
	if id > 0 { // once is enough for a run
		why = nil
	}
	tests, errors := len(s.findings), 0
	switch {
	case why != nil:
		tests, errors = tests+1, 1
	case tests == 0:
		tests = 1
	}
	x.start("testsuite", "name", s.name, "package", run.Tool, "id", strconv.Itoa(id), "timestamp", junitTime(run.Now),
		"hostname", "localhost", "tests", strconv.Itoa(tests), "failures", strconv.Itoa(s.failures), "errors", strconv.Itoa(errors),
		"skipped", strconv.Itoa(len(s.findings)-s.failures), "time", "0")
	x.raw("\n<properties>")
	if id == 0 {
		x.start("property", "name", "looked at", "value", language("en").lookedAt(run))
		x.raw("</property>")
	}
	x.raw("</properties>\n")
	if why != nil || len(s.findings) == 0 {
		x.start("testcase", "name", language("en").verdict(run), "classname", run.Tool+"."+run.Command, "time", "0")
		if why != nil {
			x.start("error", "message", language("en").failure(why), "type", "not-checked")
			x.raw("</error>")
		}
		x.raw("</testcase>\n")
	}
	for _, f := range s.findings {
		x.testcase(run, s, f)
	}
	x.raw("<system-out></system-out>\n<system-err></system-err>\n</testsuite>\n")
}

func (x *xmlWriter) testcase(run *Run, s *junitSuite, f *schema.Finding) {
	message := text(f.Message.En)
	name := short(f.Rule) + ": " + message
	if s.used[name]++; s.used[name] > 1 {
		name += " (" + strconv.Itoa(s.used[name]) + ")" // servers take cases of one name for one case
	}
	class := run.Tool + "." + s.name
	x.start("testcase", "name", name, "classname", class, "time", "0")
	switch {
	case run.fails(f):
		x.start("failure", "message", message, "type", short(f.Rule))
		x.raw(xmlText(junitDetails(f)) + "</failure>")
	default:
		x.start("skipped", "message", junitState(f)+": "+message)
		x.raw(xmlText(junitDetails(f)) + "</skipped>")
	}
	x.raw("</testcase>\n")
}

// junitState says why a finding is no failure.
func junitState(f *schema.Finding) string {
	switch {
	case f.Status == schema.Suppressed && f.SuppressedBy != "":
		return "suppressed by " + short(f.SuppressedBy)
	case f.Status == schema.Suppressed, f.Status == schema.Existing:
		return string(f.Status)
	}
	return severityName(f.Severity)
}

// junitDetails is what a finding says beside its message, one fact a line.
func junitDetails(f *schema.Finding) string {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			b.WriteString("\n" + name + ": " + value)
		}
	}
	line("severity", severityName(f.Severity))
	line("at", where(&f.At))
	line("found", short(f.Got))
	line("expected", short(f.Want))
	line("truth", short(f.Truth))
	for i := range f.Related {
		line("see", strings.TrimSpace(where(&f.Related[i].Place)+" "+language("en").label(&f.Related[i])))
	}
	line("help", text(f.Hint.En))
	b.WriteString("\n")
	return b.String()
}

// junitTime is a moment as JUnit has it, without a zone; a run to which time is nothing stands at the epoch.
func junitTime(t time.Time) string {
	if t.IsZero() {
		t = time.Unix(0, 0)
	}
	return t.UTC().Format("2006-01-02T15:04:05")
}
