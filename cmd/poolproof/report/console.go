package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// maxRelated is how many related places the console shows of one finding unless all are asked for.
const maxRelated = 8

// printer writes the console report. It remembers which rules it has pointed to.
type printer struct {
	language
	paint
	out     io.Writer
	run     *Run
	verbose bool
	width   int
	sources *sourceCache
	told    map[string]bool
	err     error
}

// console writes findings as compilers do: what is wrong, the source line with a caret, the lines of the other copies,
// and what to do; then what was looked at.
func console(w io.Writer, run *Run, opts Options) error {
	width := opts.Width
	if width == 0 {
		width = 100
	}
	p := &printer{language: language(run.Lang), paint: paint(opts.Color), out: w, run: run, verbose: opts.Verbose,
		width: max(width, 40), sources: newSourceCache(run.Source), told: map[string]bool{}}
	for i := range run.Findings {
		if f := &run.Findings[i]; p.verbose || !silenced(f) {
			p.finding(f)
		}
	}
	if !opts.Quiet {
		p.summary()
	}
	return p.err
}

// line writes one line; the arguments are joined as they are.
func (p *printer) line(parts ...string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.out, strings.Join(parts, "")+"\n")
	}
}

func (p *printer) finding(f *schema.Finding) {
	label := p.severity(f.Severity)
	if silenced(f) {
		label = p.say("suppressed ", "已豁免 ") + label
	}
	color := severityColor(f.Severity)
	state := ""
	if f.Status == schema.Existing {
		state = p.as(dim, p.say(" (existing)", "（已存在）"))
	}
	p.line(p.as(color, label+"["+short(f.Rule)+"]"), " ", p.as(bold, p.sentence(f)), state)

	gutter := gutterOf(f)
	pad := strings.Repeat(" ", gutter)
	if at := where(&f.At); at != "" {
		p.line(pad, p.as(blue, "--> "), at, p.revision(&f.At, p.verbose))
		p.excerpts(&f.At, gutter, "^", color, "")
	}
	for i := range f.Related {
		r := &f.Related[i]
		if i == maxRelated && !p.verbose {
			p.line(pad, p.as(blue, " = "), fmt.Sprintf(p.say("and %d more copies", "另有 %d 处副本"), len(f.Related)-i))
			break
		}
		p.related(r, gutter, r.Revision != f.At.Revision)
	}
	p.trailer(f, pad)
	p.line()
}

// related shows the place of another copy: its source line with the label under it, or the label beside the file.
func (p *printer) related(r *schema.Related, gutter int, otherRevision bool) {
	pad := strings.Repeat(" ", gutter)
	at := where(&r.Place)
	label := p.label(r)
	if at == "" {
		p.line(pad, p.as(blue, " = "), label)
		return
	}
	src, ok := p.sources.text(&r.Place)
	if !ok || !r.Span.Known() || r.Line == 0 {
		if label != "" {
			label = ": " + label
		}
		p.line(pad, p.as(blue, "::: "), at, p.revision(&r.Place, otherRevision), label)
		return
	}
	p.line(pad, p.as(blue, "::: "), at, p.revision(&r.Place, otherRevision))
	list := excerpts(src, &r.Place, p.width-gutter-3)
	p.excerpt(list[:min(1, len(list))], gutter, "-", blue, label)
}

// trailer says which row decided, what to do, and where to read on.
func (p *printer) trailer(f *schema.Finding, pad string) {
	note := func(name, text string) {
		if text != "" {
			p.line(pad, p.as(blue, " = "), p.as(bold, name+p.say(": ", "：")), text)
		}
	}
	note(p.say("truth", "依据"), p.row(f.Truth))
	if p.verbose {
		note(p.say("found", "实际"), p.value(f, f.Got))
		note(p.say("expected", "应为"), p.value(f, f.Want))
		note(p.say("fingerprint", "指纹"), short(f.Fingerprint))
	}
	note(p.say("help", "建议"), text(p.in(f.Hint)))
	if f.Status == schema.Suppressed {
		note(p.say("suppressed by", "豁免来源"), p.silencedBy(f.SuppressedBy))
	}
	if !p.told[f.Rule] && f.Rule != "" {
		p.told[f.Rule] = true
		note(p.say("explain", "详解"), short(p.run.Tool)+" explain "+short(f.Rule))
	}
}

// revision is the revision of a place, where it is worth saying.
func (p *printer) revision(at *schema.Place, say bool) string {
	if !say || at.Revision == "" {
		return ""
	}
	r := short(at.Revision)
	if len(r) >= 40 && strings.Trim(r, "0123456789abcdef") == "" {
		r = r[:12]
	}
	return p.as(dim, " @ "+r)
}

func (p *printer) summary() {
	if n := len(p.run.Obligations); n > 0 {
		p.line(p.as(bold, p.say("owed by this change:", "本次变更须同步：")))
		for i := range p.run.Obligations {
			p.line("  ", p.debt(&p.run.Obligations[i]))
		}
		p.line()
	}
	p.drills()
	color := green
	switch s := &p.run.Summary; {
	case s.Errors > 0 || s.Failed != nil:
		color = red
	case s.Warnings > 0 || s.Pools == 0:
		color = yellow
	}
	p.line(p.as(color, p.verdict(p.run)))
	p.line(p.lookedAt(p.run))
	for _, remark := range p.remarks(p.run, p.verbose) {
		p.line(remark)
	}
}
