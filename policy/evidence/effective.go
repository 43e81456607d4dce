package evidence

import (
	"slices"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// effective judges whether the documents record since when the new members are in force.
func (c *change) effective() {
	changed, by := c.membersChanged()
	if !changed {
		return
	}
	for _, l := range c.links(schema.Doc, schema.NoItem) {
		if l.head == nil {
			continue
		}
		d := c.debt("effective", by, l.head)
		h, b := l.head, before0(l.base)
		switch {
		case h.Effective.IsZero() && slices.ContainsFunc(h.Unresolved, func(u schema.Unresolved) bool { return u.Path == "effective" }):
			continue // a template
		case !h.Effective.IsZero() && !h.Effective.Equal(b.Effective):
			d.PaidBy, d.Ref = "tree", h.File()
			c.owe(d)
			continue
		}
		at := h.EffectiveAt
		if !at.Known() {
			at = h.ItemAt[schema.Members]
		}
		f := c.finding("evidence/no-effective-time", schema.Members, c.judge.head.place(h, at))
		f.Field = "effective"
		if f.Message = schema.Textf("the members change, and the document does not say since when", "成员有变更，而文档未写明何时生效"); !h.Effective.IsZero() {
			f.Got = h.Effective.Format(time.RFC3339)
			f.Message = schema.Textf("the members change, and the document's effective time is still %s", "成员有变更，而文档的生效时刻仍为 %s", f.Got)
		} else if h.EffectiveAt.Known() {
			f.Message = schema.Textf("the members change, and what the document gives as the effective time is no time", "成员有变更，而文档写的生效时刻不是时间")
		}
		f.Hint = schema.Textf("write in %s when the new members take effect, as in: Effective: YYYY-MM-DDThh:mm:ssZ", "在 %s 中写明新成员何时生效，如：生效时刻：YYYY-MM-DD hh:mm:ss +08:00", h.File())
		f.Related = c.relatedTruth(schema.Members)
		d.finding = &f
		c.owe(d)
	}
}

// membersChanged reports whether the members themselves change, and on which side: those of the truth or, where it is
// silent, those of any copy but documents.
func (c *change) membersChanged() (bool, schema.Side) {
	before, after := truthOf(c.base, schema.Members), truthOf(c.head, schema.Members)
	switch {
	case after != nil:
		if before == nil && c.judge.base.breaks(after) {
			return false, ""
		}
		return c.digest(before, schema.Members) != c.digest(after, schema.Members), after.Side
	case before != nil:
		return false, ""
	}
	for _, side := range []schema.Side{schema.Gateway, schema.App} {
		if slices.ContainsFunc(c.links(side, schema.Members), func(l link) bool { return l.head != nil && c.moved(l, schema.Members) }) {
			return true, side
		}
	}
	return false, ""
}
