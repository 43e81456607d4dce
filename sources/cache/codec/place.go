package codec

import (
	"encoding/binary"
	"math"

	"github.com/poolproof/poolproof/schema"
)

// spans codes places, of which those that are unknown cost nothing. Each starts at a distance from the one before it.
// The highest bit of the mask says that some are in other files than the first. The arithmetic wraps around, so every
// span comes back as it was.
func (c *coder) spans(spans ...*schema.Span) {
	if !c.writing {
		c.readSpans(spans)
		return
	}
	mask, files := uint64(0), uint64(1)<<len(spans)
	for i, s := range spans {
		if s.Known() {
			mask |= 1 << i
		}
		if s.File != 0 {
			mask |= files
		}
	}
	c.body = binary.AppendUvarint(c.body, mask)
	for i, s := range spans {
		if mask>>i&1 == 0 {
			continue
		}
		d := int32(s.Start - c.start)
		c.body = binary.AppendUvarint(c.body, uint64(uint32(d)<<1^uint32(d>>31)))
		c.body = binary.AppendUvarint(c.body, uint64(s.End-s.Start))
		if mask&files != 0 {
			c.body = binary.AppendUvarint(c.body, uint64(s.File))
		}
		c.start = s.Start
	}
}

func (c *coder) readSpans(spans []*schema.Span) {
	mask := c.mask(len(spans) + 1)
	if mask == 0 {
		return
	}
	files, start, over := uint64(1)<<len(spans), c.start, uint64(0)
	for i, s := range spans {
		if mask>>i&1 == 0 {
			continue
		}
		var z, length uint64
		if b := c.body[c.at:]; len(b) > 1 && b[0]|b[1] < 0x80 { // both are nearly always small
			z, length = uint64(b[0]), uint64(b[1])
			c.at += 2
		} else {
			z, length = c.next(), c.next()
		}
		over |= (z | length) >> 32
		start += uint32(z)>>1 ^ -(uint32(z) & 1)
		s.Start, s.End = start, start+uint32(length)
		if mask&files != 0 {
			small(c, &s.File, math.MaxUint16)
		}
	}
	c.start = start
	if over != 0 {
		c.fail()
	}
}
