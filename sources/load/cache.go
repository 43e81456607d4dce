package load

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"path"
	"strconv"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/tree"
)

// Cache keeps readings by content. Implementations are safe for concurrent use and never fail a run.
type Cache interface {
	// Get returns the reading that was put under a key. The caller owns it. keep, if it is not nil, selects the copies;
	// it sees their sides, environments, pools and candidates and nothing else. The others are left out.
	Get(key Key, keep func(*schema.Copy) bool) (Reading, bool)
	// Put keeps a reading, in place of an earlier one under the same key. The caller may change it afterwards.
	Put(key Key, r Reading)
}

// Key names a reading: what was read, and everything that decides how. What else an adapter looked at is in the
// reading itself.
type Key struct {
	Content [32]byte
	// Reader is the digest of the adapter and its version, the path and its environment, and the settings of source
	// and manifest.
	Reader [32]byte
}

// Reading is what an adapter made of a file. It is the same for every revision that has the file with this content.
type Reading struct {
	Result sources.Result
	// Siblings are the files beside it that the adapter asked for.
	Siblings []Sibling
}

// Sibling is a file that an adapter asked for while it read another one of the same folder.
type Sibling struct {
	Name string // base name
	// Sum is the SHA-256 of its content, zero where there is no such file.
	Sum [32]byte
}

// siblings gives an adapter the files beside the one that it reads, and records what it saw.
type siblings struct {
	tree tree.Tree
	dir  string
	seen []Sibling
	// unsure says why one of them could not be read, nil if all could. That is not ours to compare, so the result holds for
	// this run only.
	unsure error
}

func (s *siblings) read(base string) ([]byte, error) {
	if path.Base(base) != base {
		return nil, fmt.Errorf("%s: %w", base, fs.ErrNotExist)
	}
	data, err := read(s.tree, path.Join(s.dir, base))
	switch {
	case err == nil:
		s.seen = append(s.seen, Sibling{base, sha256.Sum256(data)})
	case errors.Is(err, fs.ErrNotExist):
		s.seen = append(s.seen, Sibling{Name: base})
	default:
		s.unsure = err
	}
	return data, err
}

// read reads a file. One that Git LFS has not fetched is none, whatever stands in its place.
func read(t tree.Tree, p string) ([]byte, error) {
	data, err := t.Read(p)
	if _, _, is := tree.Pointer(data); err == nil && is {
		return nil, tree.ErrPointer
	}
	return data, err
}

// unchanged reports whether the files of a folder are still those that an adapter saw.
func unchanged(t tree.Tree, dir string, seen []Sibling) bool {
	for _, s := range seen {
		sum := [32]byte{}
		data, err := t.Read(path.Join(dir, s.Name))
		switch {
		case err == nil:
			sum = sha256.Sum256(data)
		case !errors.Is(err, fs.ErrNotExist):
			return false
		}
		if sum != s.Sum {
			return false
		}
	}
	return true
}

// view is a source as adapters see it: without what says only where the source stands, so that a result depends on
// nothing that its key leaves out.
type view struct {
	source schema.Source
	digest [32]byte
}

// views are the two ways to look at a source: adapters that ask for siblings also see which files it selects.
type views struct{ alone, beside view }

func viewsOf(m *schema.Manifest) []views {
	common := sha256.New()
	fmt.Fprintf(common, "%#v %#v", m.Vars, m.Vocabulary)
	out := make([]views, len(m.Sources))
	for i, s := range m.Sources {
		s.At, s.Repo, s.Ref = schema.Span{}, "", ""
		out[i].beside = view{s, digest(common, s)}
		s.Files, s.Exclude = nil, nil
		out[i].alone = view{s, digest(common, s)}
	}
	return out
}

// digest covers all of a source. Go's own notation quotes every text in full and sorts maps, so that different sources
// never look the same.
func digest(common hash.Hash, s schema.Source) (sum [32]byte) {
	mapping := s.Map
	s.Map = nil // a pointer would show as an address
	h := sha256.New()
	h.Write(common.Sum(nil))
	fmt.Fprintf(h, "%#v", s)
	if mapping != nil {
		fmt.Fprintf(h, " %#v", *mapping)
	}
	h.Sum(sum[:0])
	return sum
}

// reader returns the digest of everything besides the content that decides what adapter a makes of a file.
func (v *view) reader(a *sources.Adapter, p string, s *schema.Source) [32]byte {
	text := append(make([]byte, 0, 256), v.digest[:]...)
	text = strconv.AppendInt(text, int64(a.Version), 10)
	for _, part := range [...]string{a.Name, p, s.Env, s.Profile} {
		text = append(strconv.AppendInt(append(text, ' '), int64(len(part)), 10), ':')
		text = append(text, part...)
	}
	return sha256.Sum256(text)
}
