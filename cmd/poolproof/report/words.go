package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// language is the language of a report for people: "zh", or English.
type language string

// say returns the words in the language.
func (l language) say(en, zh string) string {
	if l == "zh" {
		return zh
	}
	return en
}

// in returns a sentence of a finding in the language.
func (l language) in(t schema.Text) string { return t.In(string(l)) }

// severity names a severity.
func (l language) severity(s schema.Severity) string {
	switch s {
	case schema.Error:
		return l.say("error", "错误")
	case schema.Info:
		return l.say("info", "提示")
	case schema.Off:
		return l.say("off", "关闭")
	}
	return l.say("warning", "警告")
}

// count names a number of things: "1 error", "3 errors", "3 个错误". The Chinese word comes with its measure word.
func (l language) count(n int, en, zh string) string {
	switch {
	case l == "zh":
		return strconv.Itoa(n) + " " + zh
	case n == 1:
		return "1 " + en
	case strings.HasSuffix(en, "copy"):
		return strconv.Itoa(n) + " " + strings.TrimSuffix(en, "y") + "ies"
	}
	return strconv.Itoa(n) + " " + en + "s"
}

// owner is the pool that a finding is about, with its environment, as it stands before the message; empty for a finding
// about a file.
func owner(f *schema.Finding) string {
	switch {
	case f.Pool == "":
		return ""
	case f.Env == "":
		return short(f.Pool)
	}
	return short(f.Pool) + " (" + short(f.Env) + ")"
}

// sentence is a finding in one line: the pool and what is wrong with it.
func (l language) sentence(f *schema.Finding) string {
	s := text(l.in(f.Message))
	if o := owner(f); o != "" {
		s = o + ": " + s
	}
	return s
}

// label says what a related place holds.
func (l language) label(r *schema.Related) string {
	s := text(l.in(r.Label))
	switch {
	case s != "":
		if !r.Truth || strings.Contains(s, l.say("truth", "依据")) {
			return s
		}
	case r.Value != "" && r.Side != "":
		s = fmt.Sprintf(l.say("%s says %s", "%s 为 %s"), l.side(r.Side), short(r.Value))
	case r.Value != "":
		s = short(r.Value)
	default:
		s = l.side(r.Side)
	}
	if r.Truth {
		s = strings.TrimSpace(s + l.say(" (truth)", "（依据）"))
	}
	return s
}

// where is the position of a place as editors and terminals read it: file:line:column. A place whose range is not known
// is its file alone; one without a file is empty.
func where(p *schema.Place) string {
	s := path(p.File)
	if s == "" || p.Line == 0 || (!p.Span.Known() && p.Line == 1 && p.Column <= 1) {
		return s
	}
	s += ":" + strconv.Itoa(p.Line)
	if p.Column > 0 {
		s += ":" + strconv.Itoa(p.Column)
	}
	return s
}

// stamp is a moment in the form that --now reads.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
