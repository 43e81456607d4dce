package load

import (
	"context"
	"crypto/sha256"
	varint "encoding/binary"
	"path"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/tree"
)

// Inputs names everything in the tree that a load depends on. Two loads with equal inputs, manifest and adapters give
// the same.
type Inputs struct {
	// Digest covers the files that the sources list: path, environment, and content or why it cannot be read.
	Digest [32]byte
	// Beside are further files that adapters asked for.
	Beside []Beside
	// Unsure: something could not be compared later on.
	Unsure bool
}

// Beside is a file that no source lists and an adapter asked for.
type Beside struct {
	Path string
	// Sum is the SHA-256 of its content, zero where there is no such file.
	Sum [32]byte
}

// Inputs returns what was read.
func (l *Loaded) Inputs() Inputs {
	in := Inputs{Digest: sumOf(l.Files)}
	for _, f := range l.Files {
		in.Unsure = in.Unsure || f.unsure != nil
		for _, s := range f.beside {
			in.Beside = append(in.Beside, Beside{path.Join(path.Dir(f.Path), s.Name), s.Sum})
		}
	}
	return in
}

// Unchanged reads the tree as far as in tells and reports whether a load would give the same. Adapters are not asked.
func (in *Inputs) Unchanged(ctx context.Context, t tree.Tree, m *schema.Manifest, o Options) (bool, error) {
	if in.Unsure {
		return false, nil
	}
	l, err := plan(t, m, o)
	if err != nil {
		return false, err
	}
	err = eachFile(ctx, l.Files, o, func(f *File) {
		if f.failure != "" {
			return
		}
		from, p := f.from(t)
		data, err := from.Read(p)
		if err != nil {
			f.failure = err.Error()
			return
		}
		f.Sum = sha256.Sum256(data)
	})
	if err != nil || sumOf(l.Files) != in.Digest {
		return false, err
	}
	for _, b := range in.Beside {
		if !unchanged(t, path.Dir(b.Path), []Sibling{{path.Base(b.Path), b.Sum}}) {
			return false, nil
		}
	}
	return true, nil
}

func sumOf(files []*File) [32]byte {
	h := sha256.New()
	var b []byte
	text := func(s string) { b = append(varint.AppendUvarint(b, uint64(len(s))), s...) }
	for _, f := range files {
		b = varint.AppendUvarint(b[:0], uint64(f.Source))
		text(f.Path)
		text(f.Env)
		text(f.failure)
		h.Write(append(b, f.Sum[:]...))
	}
	return [32]byte(h.Sum(nil))
}
