package codec

import (
	"encoding/binary"

	"github.com/poolproof/poolproof/schema"
)

// Numbers of texts: none, those of the model, those of the record.
const (
	noText = iota
	knownTexts
)

func (c *coder) string(s *string) {
	if c.writing {
		c.putText(*s)
		return
	}
	switch ref := c.next(); {
	case ref == noText:
		*s = ""
	case ref < uint64(knownTexts+len(dictionary.texts)):
		*s = dictionary.texts[ref-knownTexts]
	case ref-uint64(knownTexts+len(dictionary.texts)) < uint64(len(c.table)):
		*s = c.table[ref-uint64(knownTexts+len(dictionary.texts))]
	default:
		c.fail()
	}
}

func (c *coder) putText(s string) {
	if s == "" {
		c.body = append(c.body, noText)
		return
	}
	ref, ok := c.refs[s]
	if ok {
		c.body = binary.AppendUvarint(c.body, ref)
		return
	}
	ref = uint64(knownTexts + len(dictionary.texts) + len(c.refs))
	c.refs[s] = ref
	c.body = binary.AppendUvarint(c.body, ref)
	c.lengths = binary.AppendUvarint(c.lengths, uint64(len(s)))
	c.text = append(c.text, s...)
}

// path codes a path, for which there is a number if it is one of the model's.
func (c *coder) path(p *schema.Path) {
	if c.writing {
		if ref, ok := dictionary.refs[*p]; ok {
			c.body = binary.AppendUvarint(c.body, ref)
			return
		}
	}
	text(c, p)
}

// text codes a text of a type of its own.
func text[T ~string](c *coder, v *T) {
	s := string(*v)
	c.string(&s)
	if !c.writing {
		*v = T(s)
	}
}

// strings codes texts of which most are empty.
func (c *coder) strings(texts ...*string) {
	mask := uint64(0)
	if c.writing {
		for i, s := range texts {
			if *s != "" {
				mask |= 1 << i
			}
		}
		c.body = binary.AppendUvarint(c.body, mask)
	} else {
		mask = c.mask(len(texts))
	}
	for i, s := range texts {
		if mask>>i&1 == 1 {
			c.string(s)
		}
	}
}

// both codes a sentence in both languages.
func (c *coder) both(t *schema.Text) { c.strings(&t.En, &t.Zh) }
