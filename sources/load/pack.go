package load

import (
	"fmt"

	"github.com/poolproof/poolproof/schema"
)

// Packer keeps copies in few bytes. Implementations are safe for concurrent use.
type Packer interface {
	// Pack appends what a copy says to b.
	Pack(b []byte, c *schema.Copy) []byte
	// Unpack fills c from what Pack appended.
	Unpack(packed []byte, c *schema.Copy) error
}

// pack moves what the copies of a file say into bytes, so that memory holds the whole tree small and only the pools that
// are being judged large. What pairing needs stays: names, places of items, files.
func (r *reader) pack(f *File) {
	p := r.options.Packer
	if p == nil || len(f.Result.Copies) == 0 {
		return
	}
	ends := make([]int, len(f.Result.Copies))
	var b []byte
	for i := range f.Result.Copies {
		b = p.Pack(b, &f.Result.Copies[i])
		ends[i] = len(b)
	}
	b = append(make([]byte, 0, len(b)), b...)
	start := 0
	f.packed = make([][]byte, len(ends))
	for i, end := range ends {
		f.packed[i] = b[start:end:end]
		start = end
		c := &f.Result.Copies[i]
		c.Members, c.Batches, c.Stops, c.Fields, c.Unresolved, c.Problems = nil, nil, nil, nil, nil, nil
	}
}

// index finds the bytes of copies. It is made once, after all files are read.
func (l *Loaded) index(p Packer) {
	if p == nil {
		return
	}
	l.packer, l.packed = p, map[*schema.Copy][]byte{}
	for _, f := range l.Files {
		for i, b := range f.packed {
			l.packed[&f.Result.Copies[i]] = b
		}
		f.packed = nil
	}
}

// Whole returns a copy with everything that it says: c itself, or an unpacked one that the caller may keep or drop. It is
// safe for concurrent use as long as nobody calls Unpack.
func (l *Loaded) Whole(c *schema.Copy) *schema.Copy {
	b, ok := l.packed[c]
	if !ok {
		return c
	}
	whole := new(schema.Copy)
	if err := l.packer.Unpack(b, whole); err != nil {
		panic(fmt.Sprintf("unpacking the copy of %q in %s: %v", c.Pool, c.File(), err)) // only this run wrote it
	}
	// Pairing may have bound the copy since it was packed.
	whole.Pool, whole.PoolAt, whole.Env, whole.Revision = c.Pool, c.PoolAt, c.Env, c.Revision
	return whole
}

// Unpack makes a copy whole in place, for those who change it.
func (l *Loaded) Unpack(c *schema.Copy) {
	if _, ok := l.packed[c]; ok {
		*c = *l.Whole(c)
		delete(l.packed, c)
	}
}
