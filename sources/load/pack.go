package load

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

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
// are being judged large. What pairing needs stays: names, places of items, files. Of copies that are kept for their names
// nothing else stays.
func (r *reader) pack(f *File) {
	p, named := r.options.Packer, r.part.Named
	if p == nil && named == nil || len(f.Result.Copies) == 0 {
		return
	}
	ends := make([]int, len(f.Result.Copies))
	var b []byte
	for i := range f.Result.Copies {
		c := &f.Result.Copies[i]
		bare := named != nil && named(f, c)
		if !bare && p == nil {
			continue
		}
		var rest schema.Copy
		swap(c, &rest)
		if !bare {
			b = p.Pack(b, &rest)
		}
		ends[i] = len(b)
	}
	if p == nil {
		return
	}
	r.detach(f)
	b = append(make([]byte, 0, len(b)), b...)
	start := 0
	f.packed = make([][]byte, len(ends))
	for i, end := range ends {
		if end > start {
			f.packed[i] = b[start:end:end]
		}
		start = end
	}
}

// swap exchanges what is packed of two copies.
func swap(a, b *schema.Copy) {
	a.Members, b.Members = b.Members, a.Members
	a.Batches, b.Batches = b.Batches, a.Batches
	a.Stops, b.Stops = b.Stops, a.Stops
	a.Fields, b.Fields = b.Fields, a.Fields
	a.Unresolved, b.Unresolved = b.Unresolved, a.Unresolved
	a.Problems, b.Problems = b.Problems, a.Problems
}

// detach gives what is left of packed copies texts of their own: one text that is cut out of all that a file says would
// keep all of it.
func (r *reader) detach(f *File) {
	var size int
	for i := range f.Result.Copies {
		leftTexts(f, &r.manifest.Sources[f.Source], &f.Result.Copies[i], func(s string) string { size += len(s); return s })
	}
	var all strings.Builder
	all.Grow(size)
	own := func(s string) string {
		start := all.Len()
		all.WriteString(s)
		return all.String()[start:]
	}
	for i := range f.Result.Copies {
		leftTexts(f, &r.manifest.Sources[f.Source], &f.Result.Copies[i], own)
	}
}

// leftTexts passes the texts of a packed copy through own, apart from those that file or source have too.
func leftTexts(f *File, source *schema.Source, c *schema.Copy, own func(string) string) {
	copyTexts(c, own)
	c.Side = schema.Side(shared(own, string(c.Side), string(source.Side)))
	c.Format = shared(own, c.Format, f.Format)
	for i := range c.Files {
		c.Files[i] = shared(own, c.Files[i], f.Path)
	}
}

func shared(own func(string) string, s, other string) string {
	if s == other {
		return other
	}
	return move(own, s)
}

// index finds the bytes of copies. It is made once, after all files are read.
func (l *Loaded) index(p Packer) {
	if p == nil {
		return
	}
	l.packer, l.packed = p, map[*schema.Copy][]byte{}
	for _, f := range l.Files {
		for i, b := range f.packed {
			if b != nil {
				l.packed[&f.Result.Copies[i]] = b
			}
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
	var rest schema.Copy
	if err := l.packer.Unpack(b, &rest); err != nil {
		panic(fmt.Sprintf("unpacking the copy of %q in %s: %v", c.Pool, c.File(), err)) // only this run wrote it
	}
	whole := *c
	swap(&whole, &rest)
	return &whole
}

// Same reports whether a copy says the same as one of another tree, under the same name and at the same place. Where the
// copies are packed, what was not found to be the same when it was read counts as different.
func (l *Loaded) Same(c *schema.Copy, other *Loaded, d *schema.Copy) bool {
	if c.Side != d.Side || c.Env != d.Env || c.Pool != d.Pool || c.PoolAt != d.PoolAt || !slices.Equal(c.Files, d.Files) {
		return false
	}
	a, packed := l.packed[c]
	b, alsoPacked := other.packed[d]
	if packed || alsoPacked {
		return len(a) > 0 && len(a) == len(b) && &a[0] == &b[0] && (c == d || equal(*c, *d))
	}
	return c == d || equal(*c, *d)
}

// equal reports whether two copies are the same but for where they come from.
func equal(c, d schema.Copy) bool {
	c.Revision, d.Revision = "", ""
	return reflect.DeepEqual(c, d)
}

// Unpack makes a copy whole in place, for those who change it.
func (l *Loaded) Unpack(c *schema.Copy) {
	if _, ok := l.packed[c]; ok {
		*c = *l.Whole(c)
		delete(l.packed, c)
	}
}
