package codec

import (
	"encoding/binary"

	"github.com/poolproof/poolproof/schema"
)

// needs counts what a reading, or a copy, holds of the types that come in large numbers, so that the decoder allocates
// each once.
type needs struct{ members, fields, batches, texts int }

func (n *needs) all() [4]*int { return [4]*int{&n.members, &n.fields, &n.batches, &n.texts} }

// fit reports whether a body of that size can hold so many.
func (n *needs) fit(size int) bool {
	return n.members <= size/leastMember && n.fields <= size/leastField && n.batches <= size/leastBatch && n.texts <= size
}

func (n needs) append(out []byte) []byte {
	for _, k := range n.all() {
		out = binary.AppendUvarint(out, uint64(*k))
	}
	return out
}

// since returns what came to be needed after an earlier count.
func (n needs) since(earlier needs) needs {
	return needs{n.members - earlier.members, n.fields - earlier.fields, n.batches - earlier.batches, n.texts - earlier.texts}
}

func (c *coder) needs() (n needs) {
	for _, k := range n.all() {
		*k = int(min(c.next(), uint64(len(c.body))))
	}
	return n
}

// slabs are the room for them; lists are cut off their beginnings.
type slabs struct {
	members []schema.Member
	fields  []schema.Field
	batches []schema.Batch
	texts   []string
}

func (s *slabs) make(n needs) {
	s.members = make([]schema.Member, n.members)
	s.fields = make([]schema.Field, n.fields)
	s.batches = make([]schema.Batch, n.batches)
	s.texts = make([]string, n.texts)
}

// used reports whether nothing is left.
func (s *slabs) used() bool { return len(s.members)+len(s.fields)+len(s.batches)+len(s.texts) == 0 }

// section codes what a description describes behind its length and what it needs, in places of its own.
// wanted is asked only when reading; what is not wanted is passed over.
func (c *coder) section(wanted func() bool, body func()) (read bool) {
	c.start = 0
	defer func() { c.start = 0 }()
	if c.writing {
		at, before := len(c.body), c.need
		body()
		var head [5 * binary.MaxVarintLen64]byte
		prefix := binary.AppendUvarint(head[:0], uint64(len(c.body)-at))
		prefix = c.need.since(before).append(prefix)
		n := len(c.body)
		c.body = append(c.body, prefix...)
		copy(c.body[at+len(prefix):], c.body[at:n])
		copy(c.body[at:], prefix)
		return true
	}
	size := c.next()
	need := c.needs()
	if c.bad || size > uint64(len(c.body)-c.at) || !need.fit(int(size)) {
		c.fail()
		return false
	}
	end := c.at + int(size)
	if !wanted() {
		c.at = end
		return false
	}
	if c.keep != nil {
		c.slabs.make(need)
	}
	body()
	if c.at != end || c.keep != nil && !c.slabs.used() {
		c.fail()
	}
	return true
}
