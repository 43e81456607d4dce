package section

import (
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
)

// maxLead bounds the word in front of an effective time, with its markup.
const maxLead = 64

// Line reads a line of text, which starts at byte start, for an effective time: "Effective: 2026-11-01T02:00:00+08:00",
// "**生效时刻**：2026-11-01 02:00:00 +08:00". It holds for the section with its subsections, unless they say their own;
// of several the latest counts. Everything else is prose and is not read.
func (b *Builder) Line(depth int, text string, start int) {
	b.Text(depth)
	b.effective(text, start)
}

// effective reads a line for an effective time and reports whether it is meant as one.
func (b *Builder) effective(text string, start int) bool {
	const marks = " \t*_`:~"
	at, digit := leads(text)
	if at < 0 || !b.lex.Effective(text[:at]) {
		if digit <= 0 || !b.lex.Effective(text[:digit]) {
			return false
		}
		at = digit // without a colon only what is a time counts
		if _, err := b.time(text[at:]); err != nil {
			return false
		}
	}
	if head := strings.TrimLeft(text, " \t*_"); strings.HasPrefix(head, "~~") && strings.HasSuffix(strings.TrimRight(head, " \t*_"), "~~") {
		return true // the line is struck out
	}
	rest := strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(text[at:], "："), ":"), " \t")
	if struck, ok := strings.CutPrefix(rest, "~~"); ok { // what it was before
		if _, now, closed := strings.Cut(struck, "~~"); closed && strings.Trim(now, marks) != "" {
			at = len(text) - len(now)
		}
	}
	value := strings.TrimLeft(strings.TrimPrefix(text[at:], "："), marks)
	at = len(text) - len(value)
	value = strings.TrimRight(value, marks+"。 ")
	b.since(b.top(), Cell{Text: value, At: schema.At(start+at, start+at+len(value))})
	return true
}

// leads returns where the first colon and the first digit of a line stand; -1 if there is none early on.
func leads(text string) (colon, digit int) {
	digit = -1
	for i := 0; i < len(text) && i < maxLead; i++ {
		switch c := text[i]; {
		case c == ':' || c == "："[0] && strings.HasPrefix(text[i:], "："):
			return i, digit
		case c >= '0' && c <= '9' && digit < 0:
			digit = i
		}
	}
	return -1, digit
}

// since sets the effective time of a section.
func (b *Builder) since(at int, c Cell) {
	if c.Text == "" || b.lex.Nothing(c.Text) {
		return
	}
	s := &b.sections[at]
	t, err := b.time(c.Text)
	if err != nil {
		if !s.effectiveAt.Known() {
			s.effectiveAt, s.unreadable = c.At, &c
		}
		return
	}
	if !s.effectiveAt.Known() || s.effective.Before(t) {
		s.effective, s.effectiveAt, s.unreadable = t, c.At, nil
	}
}

func (b *Builder) time(text string) (time.Time, error) {
	text, _ = bind.Expand(text, b.in.Vars, bind.Common)
	return b.lex.Time(text)
}

// untimed records an effective time that cannot be read: as unresolved where it is a template, else as a mistake.
func (d *draft) untimed(c Cell) {
	if bind.HasTemplate(c.Text, bind.Common) || d.holder != nil && d.holder(c.Text) {
		d.copy.Unresolve("effective", c.Text, c.At)
		return
	}
	d.copy.Report(notATime(c))
}

// notATime is a warning: the document means to say since when, and nobody can tell.
func notATime(c Cell) schema.Problem {
	return schema.Problem{
		Rule: "schema/invalid", Severity: schema.Warning, At: c.At, Field: "effective", Got: c.Text,
		Text: schema.Textf("effective: %q is no time", "生效时刻：%q 不是时间", c.Text),
		Hint: schema.Textf("write it as 2026-11-01T02:00:00+08:00 or 2026-11-01 02:00 +08:00", "写成 2026-11-01T02:00:00+08:00 或 2026-11-01 02:00 +08:00"),
	}
}
