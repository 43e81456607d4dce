package codec

import (
	"github.com/poolproof/poolproof/schema"
)

// leastFinding is how many bytes a finding takes at the least.
const leastFinding = 13

func (c *coder) finding(f *schema.Finding) {
	c.string(&f.Rule)
	small(c, &f.Severity, schema.Error)
	small(c, &f.Item, schema.Items-1)
	c.flags(&f.Judgement)
	c.strings(&f.Pool, &f.Env, &f.Field, &f.Member, &f.Got, &f.Want, &f.Truth, &f.SuppressedBy)
	c.stringList(&f.Also)
	c.string(&f.Fingerprint)
	text(c, &f.Status)
	c.both(&f.Message)
	c.both(&f.Hint)
	c.place(&f.At)
	list(c, &f.Related, leastOther, (*coder).related)
}

func (c *coder) related(r *schema.Related) {
	c.place(&r.Place)
	c.strings(&r.Value)
	c.both(&r.Label)
	c.flags(&r.Truth)
}

func (c *coder) place(p *schema.Place) {
	text(c, &p.Side)
	c.strings(&p.File, &p.Revision)
	c.spans(&p.Span)
	signed(c, &p.Line)
	signed(c, &p.Column)
	signed(c, &p.EndLine)
	signed(c, &p.EndColumn)
}
