package codec

import (
	"encoding/binary"
	"math"
	"math/bits"
	"time"

	"github.com/poolproof/poolproof/schema"
)

// coder writes or reads the values that it is shown, in the order in which it is shown them. After a fault it goes on
// with zeros, which ends soon, and Decode refuses the whole.
type coder struct {
	writing bool
	bad     bool
	body    []byte
	start   uint32 // where the last span started; the next one is not far
	need    needs

	// Writing.
	text []byte
	refs map[string]uint64

	// Reading.
	at      int
	blob    string
	taken   int // bytes of blob
	table   []string
	members []schema.Member
	fields  []schema.Field
	batches []schema.Batch
	texts   []string
}

// next reads a number. Most take one byte.
func (c *coder) next() uint64 {
	if at := c.at; at < len(c.body) && c.body[at] < 0x80 {
		c.at = at + 1
		return uint64(c.body[at])
	}
	return c.long()
}

func (c *coder) long() uint64 {
	b := c.body[c.at:]
	if len(b) > 1 && b[1] < 0x80 {
		c.at += 2
		return uint64(b[0]&0x7f) | uint64(b[1])<<7
	}
	v, n := binary.Uvarint(b)
	if n <= 0 {
		c.fail()
		return 0
	}
	c.at += n
	return v
}

func (c *coder) fail() {
	c.bad = true
	c.at = len(c.body)
}

func (c *coder) uint(v *uint64) {
	if c.writing {
		c.body = binary.AppendUvarint(c.body, *v)
		return
	}
	*v = c.next()
}

// signed codes numbers so that small ones are short on both sides of zero.
func signed[T ~int | ~int64](c *coder, v *T) {
	if c.writing {
		i := int64(*v)
		c.body = binary.AppendUvarint(c.body, uint64(i)<<1^uint64(i>>63))
		return
	}
	u := c.next()
	*v = T(int64(u>>1) ^ -int64(u&1))
}

// float codes the bits from the far end, where those of short fractions are.
func (c *coder) float(v *float64) {
	if c.writing {
		c.body = binary.AppendUvarint(c.body, bits.ReverseBytes64(math.Float64bits(*v)))
		return
	}
	*v = math.Float64frombits(bits.ReverseBytes64(c.next()))
}

// small codes a number that must not be above most.
func small[T ~uint8 | ~uint16](c *coder, v *T, most T) {
	if c.writing {
		c.body = binary.AppendUvarint(c.body, uint64(*v))
		return
	}
	u := c.next()
	if u > uint64(most) {
		c.fail()
		u = 0
	}
	*v = T(u)
}

// flags codes several flags as one number.
func (c *coder) flags(flags ...*bool) {
	if c.writing {
		mask := uint64(0)
		for i, f := range flags {
			if *f {
				mask |= 1 << i
			}
		}
		c.body = binary.AppendUvarint(c.body, mask)
		return
	}
	mask := c.mask(len(flags))
	for i, f := range flags {
		*f = mask>>i&1 == 1
	}
}

// mask reads a number of that many bits.
func (c *coder) mask(width int) uint64 {
	mask := c.next()
	if mask>>width != 0 {
		c.fail()
		return 0
	}
	return mask
}

// Numbers of texts: none, the next of the record's own, those of the model, those of the record that were there before.
const (
	noText = iota
	newText
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
	case ref == newText:
		n := c.next()
		if n > uint64(len(c.blob)-c.taken) {
			c.fail()
			return
		}
		*s = c.blob[c.taken : c.taken+int(n)]
		c.taken += int(n)
		c.table = append(c.table, *s)
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
	c.body = binary.AppendUvarint(append(c.body, newText), uint64(len(s)))
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

// time codes a moment with its zone, which decides how it is shown.
func (c *coder) time(t *time.Time) {
	const (
		zero = iota
		utc
		zoned
	)
	form := uint8(zero)
	switch {
	case t.Location() != time.UTC:
		form = zoned
	case !t.IsZero():
		form = utc
	}
	small(c, &form, zoned)
	if form == zero {
		return
	}
	sec, nano := t.Unix(), uint64(t.Nanosecond())
	signed(c, &sec)
	c.uint(&nano)
	location := time.UTC
	if form == zoned {
		name, offset := t.Zone()
		c.string(&name)
		signed(c, &offset)
		location = time.FixedZone(name, offset)
	}
	if c.writing {
		return
	}
	if nano >= uint64(time.Second) {
		c.fail()
		return
	}
	*t = time.Unix(sec, int64(nano)).In(location)
}

// length codes how many elements a list has; nil and empty lists stay apart. least is how many bytes an element takes
// at the least, which bounds what a reader makes room for.
func (c *coder) length(n int, isNil bool, least int) (length int, none bool) {
	u := uint64(n) + 1
	if isNil {
		u = 0
	}
	c.uint(&u)
	switch {
	case u == 0:
		return 0, true
	case !c.writing && u-1 > uint64((len(c.body)-c.at)/least):
		c.fail()
		return 0, true
	}
	return int(u - 1), false
}

// list codes a list of elements.
func list[T any](c *coder, s *[]T, least int, element func(*coder, *T)) {
	n, none := c.length(len(*s), *s == nil, least)
	if none {
		return
	}
	if !c.writing {
		*s = make([]T, n)
	}
	for i := range *s {
		element(c, &(*s)[i])
	}
}

// slabList codes a list of one of the types that come in large numbers: the reader takes it off the slab. Its
// capacity ends with it, so that appending to one list does not reach the next.
func slabList[T any](c *coder, s, slab *[]T, need *int, element func(*coder, *T)) {
	n, none := c.length(len(*s), *s == nil, 1)
	if none {
		return
	}
	if c.writing {
		*need += n
	} else {
		if n > len(*slab) {
			c.fail()
			return
		}
		*s, *slab = (*slab)[:n:n], (*slab)[n:]
	}
	for i := range *s {
		element(c, &(*s)[i])
	}
}

func (c *coder) stringList(s *[]string) {
	slabList(c, s, &c.texts, &c.need.texts, (*coder).string)
}
