// Package codec turns what was read from a file into bytes and back. The form is compact and quick to decode, and it is
// private: only the build that wrote it can read it, so it has no versions of its own.
//
// A record is the length of the body, how many of the most frequent elements the decoder must make room for, the body,
// and the texts. The body holds numbers as varints, and refers to texts by number: each stands once in a record, however
// often it is used, and paths of the model never. What is mostly absent (places, optional texts, flags) is written as a
// mask of what is there, followed by that alone.
//
// One description of each type serves both directions, so they cannot disagree.
package codec

import (
	"encoding/binary"
	"errors"

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
	c.writing, c.body, c.text, c.start, c.need = true, c.body[:0], c.text[:0], 0, needs{}
	body(c)
	out := binary.AppendUvarint(e.out[:0], uint64(len(c.body)))
	for _, n := range c.need.all() {
		out = binary.AppendUvarint(out, uint64(*n))
	}
	out = append(out, c.body...)
	e.out = append(out, c.text...)
	clear(c.refs)
	return e.out
}

// Decoder decodes readings, one after the other. The zero Decoder is ready; it is for one goroutine at a time.
type Decoder struct{ c coder }

// Decode returns the reading that was encoded as data, without keeping data. It fails with ErrDamaged on anything else,
// having allocated no more than a fixed multiple of the length of data.
func (d *Decoder) Decode(data []byte) (load.Reading, error) {
	var r load.Reading
	if err := d.unframe(data, func(c *coder) { c.reading(&r) }); err != nil {
		return load.Reading{}, err
	}
	return r, nil
}

// DecodeFindings returns the findings that were encoded as data, under the same terms as Decode.
func (d *Decoder) DecodeFindings(data []byte) ([]schema.Finding, error) {
	var findings []schema.Finding
	if err := d.unframe(data, func(c *coder) { list(c, &findings, leastFinding, (*coder).finding) }); err != nil {
		return nil, err
	}
	return findings, nil
}

// unframe reads a record whose body is what the description reads.
func (d *Decoder) unframe(data []byte, body func(*coder)) error {
	c := &d.c
	table := c.table
	*c = coder{body: data, table: table[:0]}
	// The texts live on in the reading alone.
	defer func() { clear(c.table); *c = coder{table: c.table[:0]} }()
	size := c.next()
	for _, n := range c.need.all() {
		*n = int(min(c.next(), uint64(len(data))))
	}
	if c.bad || size > uint64(len(c.body)-c.at) {
		return ErrDamaged
	}
	end := c.at + int(size)
	if !c.need.fit(int(size)) {
		return ErrDamaged
	}
	c.blob = string(data[end:])
	c.body = data[:end]
	c.members = make([]schema.Member, c.need.members)
	c.fields = make([]schema.Field, c.need.fields)
	c.batches = make([]schema.Batch, c.need.batches)
	c.texts = make([]string, c.need.texts)
	body(c)
	if c.bad || c.at != len(c.body) || c.taken != len(c.blob) || len(c.members)+len(c.fields)+len(c.batches)+len(c.texts) > 0 {
		return ErrDamaged
	}
	return nil
}

// needs counts what a reading holds of the types that come in large numbers, so that the decoder allocates each once.
type needs struct{ members, fields, batches, texts int }

func (n *needs) all() [4]*int { return [4]*int{&n.members, &n.fields, &n.batches, &n.texts} }

// fit reports whether a body of that size can hold so many.
func (n *needs) fit(size int) bool {
	return n.members <= size/leastMember && n.fields <= size/leastField && n.batches <= size/leastBatch && n.texts <= size
}
