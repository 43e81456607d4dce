package report

import (
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// excerpts shows the source lines of the place of a finding.
func (p *printer) excerpts(at *schema.Place, gutter int, mark, color, label string) {
	if src, ok := p.sources.text(at); ok {
		p.excerpt(excerpts(src, at, p.width-gutter-3), gutter, mark, color, label)
	}
}

// excerpt writes source lines, each with its number and a line of marks below; the label follows the last marks.
func (p *printer) excerpt(list []excerpt, gutter int, mark, color, label string) {
	if len(list) == 0 {
		return
	}
	bar := strings.Repeat(" ", gutter+1) + "|"
	p.line(p.as(blue, bar))
	for i, e := range list {
		if i > 0 && e.line > list[i-1].line+1 {
			p.line(p.as(blue, strings.Repeat(" ", gutter)+"..."))
		}
		number := strconv.Itoa(e.line)
		number = strings.Repeat(" ", gutter-len(number)) + number
		// Once more, because what is harmless in parts may be a log command when joined.
		line := strings.TrimRight(visible(e.before+e.marked+e.after), " ")
		if line != "" {
			line = " " + line
		}
		p.line(p.as(blue, number+" |"), line)
		marks := strings.Repeat(mark, max(1, cells(e.marked)))
		if i == len(list)-1 && label != "" {
			marks += " " + label
		}
		p.line(p.as(blue, bar), " ", strings.Repeat(" ", cells(e.before)), p.as(color, marks))
	}
}

// gutterOf is the width of the longest line number of a finding.
func gutterOf(f *schema.Finding) int {
	last := max(f.At.Line, f.At.EndLine)
	for i := range f.Related {
		last = max(last, f.Related[i].Line)
	}
	return max(2, len(strconv.Itoa(last)))
}

// paint says whether colours are allowed.
type paint bool

// The colours, as parameters of the terminal's "select graphic rendition" sequence.
const (
	bold   = "1"
	dim    = "2"
	red    = "1;31"
	green  = "1;32"
	yellow = "1;33"
	cyan   = "1;36"
	blue   = "1;34"
)

// as returns s in a colour, where colours are allowed.
func (p paint) as(color, s string) string {
	if !p || s == "" {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}

func severityColor(s schema.Severity) string {
	switch s {
	case schema.Error:
		return red
	case schema.Info:
		return cyan
	}
	return yellow
}

// sourceCache keeps the last few texts, because the findings of one pool take turns between the same few files.
type sourceCache struct {
	source Source
	recent []cachedText
}

type cachedText struct {
	file, revision string
	text           []byte
	ok             bool
}

// maxTexts is how many texts are kept: more than a pool has copies.
const maxTexts = 8

func newSourceCache(source Source) *sourceCache { return &sourceCache{source: source} }

// text returns the text of a place's file.
func (c *sourceCache) text(p *schema.Place) ([]byte, bool) {
	if c.source == nil || p.File == "" {
		return nil, false
	}
	for i := len(c.recent) - 1; i >= 0; i-- {
		if t := &c.recent[i]; t.file == p.File && t.revision == p.Revision {
			return t.text, t.ok
		}
	}
	text, ok := c.source(*p)
	if len(c.recent) == maxTexts {
		c.recent = append(c.recent[:0], c.recent[1:]...)
	}
	c.recent = append(c.recent, cachedText{p.File, p.Revision, text, ok})
	return text, ok
}
