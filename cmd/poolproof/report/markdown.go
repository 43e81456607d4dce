package report

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// markdown writes a report for change requests and job summaries: the verdict, a table with one row a finding, and the
// details of each, folded. With a bound on its length it ends early, between two findings, and says how many are missing.
func markdown(w io.Writer, run *Run, opts Options) error {
	m := &markdownWriter{language: language(run.Lang), out: w, limit: opts.MaxBytes}
	if m.limit > 0 {
		m.limit = max(m.limit, 1000) - markdownTail
	}
	if opts.Marker != "" {
		m.must("<!-- " + opts.Marker + " -->\n")
	}
	m.heading(run, opts)
	m.obligations(run.Obligations)
	m.drills(run.Drills)
	var open []*schema.Finding
	for i := range run.Findings {
		if f := &run.Findings[i]; opts.Verbose || !silenced(f) {
			open = append(open, f)
		}
	}
	if len(open) > 0 {
		m.table(open)
		m.details(open)
	}
	return m.err
}

// markdownTail is the room kept for the sentences that say what is missing.
const markdownTail = 400

type markdownWriter struct {
	language
	out     io.Writer
	limit   int // 0: none
	written int
	err     error
}

// fits writes a piece if there is room for it.
func (m *markdownWriter) fits(s string) bool {
	if m.limit > 0 && m.written+len(s) > m.limit {
		return false
	}
	m.must(s)
	return true
}

// must writes a piece that is short by itself.
func (m *markdownWriter) must(s string) {
	m.written += len(s)
	if m.err == nil {
		_, m.err = io.WriteString(m.out, s)
	}
}

func (m *markdownWriter) heading(run *Run, opts Options) {
	title := run.Tool
	if run.Command != "" {
		title += " " + run.Command
	}
	m.must("## " + markdownText(short(title)) + m.say(": ", "：") + m.verdict(run) + "\n\n")
	if opts.Quiet {
		return
	}
	if line := markdownText(m.lookedAt(run)) + "\n\n"; !m.fits(line) {
		return
	}
	remarks := m.remarks(run, opts.Verbose)
	for _, r := range remarks {
		if !m.fits("- " + markdownText(r) + "\n") {
			break
		}
	}
	if len(remarks) > 0 {
		m.must("\n")
	}
}

func (m *markdownWriter) table(findings []*schema.Finding) {
	m.must(m.say("| severity | rule | pool | where | what |\n", "| 级别 | 规则 | 地址池 | 位置 | 问题 |\n") + "|---|---|---|---|---|\n")
	for i, f := range findings {
		row := "| " + m.severity(f.Severity) + m.state(f) + " | " + markdownCell(short(f.Rule)) + " | " +
			markdownText(owner(f)) + " | " + markdownCell(where(&f.At)) + " | " + markdownText(text(m.in(f.Message))) + " |\n"
		if !m.fits(row) {
			m.missing(len(findings) - i)
			return
		}
	}
	m.must("\n")
}

// state says what makes a finding different from a new one.
func (m *markdownWriter) state(f *schema.Finding) string {
	switch f.Status {
	case schema.Existing:
		return m.say(" (existing)", "（已存在）")
	case schema.Suppressed:
		return m.say(" (suppressed)", "（已豁免）")
	}
	return ""
}

func (m *markdownWriter) missing(n int) {
	m.must("\n" + fmt.Sprintf(m.say("%s not shown here: the report is cut to the length that this site takes.",
		"此处未列出 %s：报告已按本站点的长度限制截断。"), m.count(n, "finding", "个问题")) + "\n\n")
}

func (m *markdownWriter) details(findings []*schema.Finding) {
	for i, f := range findings {
		if !m.fits(m.detail(f)) {
			if i == 0 {
				return // the table has said it
			}
			m.must(fmt.Sprintf(m.say("The details of %s are left out.", "省略了 %s的详情。"),
				m.count(len(findings)-i, "finding", "个问题")) + "\n\n")
			return
		}
	}
}

// detail is what the table has no room for, empty if there is nothing. The line between the summary tags is HTML, the rest Markdown.
func (m *markdownWriter) detail(f *schema.Finding) string {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			b.WriteString("- " + name + m.say(": ", "：") + value + "\n")
		}
	}
	line(m.say("where", "位置"), markdownCode(where(&f.At)))
	line(m.say("found", "实际"), markdownCode(m.value(f, f.Got)))
	line(m.say("expected", "应为"), markdownCode(m.value(f, f.Want)))
	line(m.say("truth", "依据"), markdownText(m.row(f.Truth)))
	for i := range f.Related {
		r := &f.Related[i]
		line(m.say("see", "参见"), strings.TrimSpace(markdownCode(where(&r.Place))+" "+markdownText(m.label(r))))
	}
	line(m.say("help", "建议"), markdownText(text(m.in(f.Hint))))
	if f.Status == schema.Suppressed {
		line(m.say("suppressed by", "豁免来源"), markdownText(m.silencedBy(f.SuppressedBy)))
	}
	if b.Len() == 0 {
		return ""
	}
	return "<details><summary>" + m.severity(f.Severity) + " <code>" + htmlText(short(f.Rule)) + "</code> " +
		markdownText(m.sentence(f)) + "</summary>\n\n" + b.String() + "\n</details>\n\n"
}

func (m *markdownWriter) obligations(list []Obligation) {
	if len(list) == 0 || !m.fits(m.say("### Owed by this change\n\n", "### 本次变更须同步\n\n")) {
		return
	}
	for i := range list {
		if !m.fits("- " + markdownText(m.debt(&list[i])) + "\n") {
			m.must(fmt.Sprintf(m.say("- and %d more", "- 另有 %d 项"), len(list)-i) + "\n")
			return
		}
	}
}

// htmlText escapes text, already in visible form, for HTML.
func htmlText(s string) string { return html.EscapeString(s) }
