// Package codec turns what was read from a file into bytes and back. The form is compact and quick to decode, and it is
// private: only the build that wrote it can read it, so it has no versions of its own.
//
// A record is the length of the body, how many of the most frequent elements the decoder must make room for, the lengths
// of the texts, the body, and the texts. The body holds numbers as varints, and refers to texts by number: each stands
// once in a record, however often it is used, and paths of the model never. What is mostly absent (places, optional
// texts, flags) is written as a mask of what is there, followed by that alone. A copy begins with what names its pool;
// its other parts have their length before them, so that a reader who wants other copies passes over them.
//
// One description of each type serves both directions, so they cannot disagree.
package codec

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
)

// ErrDamaged is what Decode returns for bytes that Encode did not write.
var ErrDamaged = errors.New("not a record of the cache")

// maxKept is how many texts an encoder remembers room for between records.
const maxKept = 4096

// Encoder encodes readings, one after the other. The zero Encoder is ready; it is for one goroutine at a time.
type Encoder struct {
	c   coder
	out []byte
}

// Encode returns a reading's bytes, which stay valid until the next call. Equal readings give equal bytes.
func (e *Encoder) Encode(r *load.Reading) []byte {
	return e.frame(func(c *coder) { c.reading(r) })
}

// EncodeFindings returns the bytes of findings, which stay valid until the next call.
func (e *Encoder) EncodeFindings(findings []schema.Finding) []byte {
	return e.frame(func(c *coder) { list(c, &findings, leastFinding, (*coder).finding) })
}

// frame writes a record whose body is what the description writes.
func (e *Encoder) frame(body func(*coder)) []byte {
	c := &e.c
	if c.refs == nil || len(c.refs) > maxKept {
		c.refs = make(map[string]uint64)
	}
	c.writing, c.body, c.text, c.lengths, c.start, c.need = true, c.body[:0], c.text[:0], c.lengths[:0], 0, needs{}
	body(c)
	out := binary.AppendUvarint(e.out[:0], uint64(len(c.body)))
	out = c.need.append(out)
	out = binary.AppendUvarint(out, uint64(len(c.refs)))
	out = append(out, c.lengths...)
	out = append(out, c.body...)
	e.out = append(out, c.text...)
	clear(c.refs)
	return e.out
}

// Decoder decodes readings, one after the other. The zero Decoder is ready; it is for one goroutine at a time.
type Decoder struct{ c coder }

// Decode returns the reading that was encoded as data, without keeping data. It fails with ErrDamaged on anything else,
// having allocated no more than a fixed multiple of the length of data. keep, if it is not nil, selects the copies by
// their sides, environments, pools and candidates, which is all that it sees of them; the others are left out.
func (d *Decoder) Decode(data []byte, keep func(*schema.Copy) bool) (load.Reading, error) {
	var r load.Reading
	if err := d.unframe(data, keep, func(c *coder) { c.reading(&r) }); err != nil {
		return load.Reading{}, err
	}
	return r, nil
}

// DecodeFindings returns the findings that were encoded as data, under the same terms as Decode.
func (d *Decoder) DecodeFindings(data []byte) ([]schema.Finding, error) {
	var findings []schema.Finding
	if err := d.unframe(data, nil, func(c *coder) { list(c, &findings, leastFinding, (*coder).finding) }); err != nil {
		return nil, err
	}
	return findings, nil
}

// unframe reads a record whose body is what the description reads.
func (d *Decoder) unframe(data []byte, keep func(*schema.Copy) bool, body func(*coder)) error {
	c := &d.c
	*c = coder{body: data, table: c.table[:0], keep: keep}
	// The texts live on in the reading alone.
	defer func() { clear(c.table); *c = coder{table: c.table[:0]} }()
	size := c.next()
	need := c.needs()
	if !c.readTexts(size) || !need.fit(int(size)) {
		return ErrDamaged
	}
	if keep == nil { // else room is made for one copy at a time
		c.slabs.make(need)
	}
	body(c)
	if c.bad || c.at != len(c.body) || !c.slabs.used() {
		return ErrDamaged
	}
	return nil
}

// readTexts reads the lengths of the texts and the texts themselves, and leaves the body, which has that size.
func (c *coder) readTexts(size uint64) bool {
	count := c.next()
	if c.bad || count > uint64(len(c.body)-c.at) {
		return false
	}
	c.table = slices.Grow(c.table, int(count))[:count]
	lengths, all := c.at, uint64(0)
	for range count {
		n := c.next()
		if all += n; n > uint64(len(c.body)) {
			return false
		}
	}
	rest := uint64(len(c.body) - c.at)
	if c.bad || size > rest || all != rest-size {
		return false
	}
	start := c.at
	end := start + int(size)
	blob := string(c.body[end:])
	c.at = lengths
	for i := range c.table {
		n := int(c.next())
		c.table[i], blob = blob[:n], blob[n:]
	}
	c.at, c.body = start, c.body[:end]
	return true
}
