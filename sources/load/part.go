package load

import (
	"context"
	"slices"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources"
	"github.com/poolproof/poolproof/sources/tree"
)

// Part says which part of a tree is read, and what is known of it. Every field may be nil.
type Part struct {
	// Want selects the files.
	Want func(*File) bool
	// Keep selects the copies of a file by their sides, environments, pools and candidates, the rest of which may not be
	// there yet; the others are dropped, as if it did not have them.
	Keep func(*File, *schema.Copy) bool
	// Known returns what an earlier reading found out about the bytes of a file, nil if nothing is known. The file is not
	// read then if a cache has the rest.
	Known func(*File) *Known
	// Twin returns the file of another tree that was read with the same manifest and the same part, and has not been paired
	// since, and has the same bytes, with the tree that it is of; nil if there is none.
	Twin func(*File) (*Loaded, *File)
}

// Known is what is known of a file's bytes without reading them.
type Known struct {
	// Sum is their SHA-256.
	Sum      [32]byte
	Format   string
	Detected bool
	Markers  []Marker
}

// Some reads a part of the files of a list; the others are left out of what it returns. Files that cannot be read at all
// stay with their problem if they are selected.
func (l *Loaded) Some(ctx context.Context, t tree.Tree, m *schema.Manifest, o Options, p Part) (*Loaded, error) {
	some := &Loaded{Problems: l.Problems, Skipped: slices.Clone(l.Skipped)}
	for _, f := range l.Files {
		if p.Want == nil || p.Want(f) {
			own := *f
			some.Files = append(some.Files, &own)
		}
	}
	if err := some.read(ctx, t, m, o, p); err != nil {
		return nil, err
	}
	return some, nil
}

// share takes over what another tree's reading of the same bytes found, if copies are packed: then nobody changes them.
func (r *reader) share(f *File) bool {
	if r.part.Twin == nil || len(f.Result.Problems) > 0 {
		return false
	}
	l, twin := r.part.Twin(f)
	if twin == nil || twin == f || l.packer == nil {
		return false
	}
	f.Format, f.Detected, f.Sum, f.Markers = twin.Format, twin.Detected, twin.Sum, twin.Markers
	f.failure, f.err, f.beside, f.unsure = twin.failure, twin.err, twin.beside, twin.unsure
	f.Result = sources.Result{Copies: slices.Clone(twin.Result.Copies), Orders: slices.Clone(twin.Result.Orders), Problems: twin.Result.Problems}
	from, _ := f.from(r.tree)
	f.packed = make([][]byte, len(f.Result.Copies))
	for i := range f.Result.Copies {
		f.packed[i] = l.packed[&twin.Result.Copies[i]]
		f.Result.Copies[i].Revision = from.Revision()
	}
	return true
}

// keeper returns what selects the copies of a file, nil if all are wanted.
func (r *reader) keeper(f *File) func(*schema.Copy) bool {
	if r.part.Keep == nil {
		return nil
	}
	return func(c *schema.Copy) bool { return r.part.Keep(f, c) }
}

// keep drops the copies that the part leaves out.
func (r *reader) keep(f *File) {
	if r.part.Keep != nil {
		f.Result.Copies = slices.DeleteFunc(f.Result.Copies, func(c schema.Copy) bool { return !r.part.Keep(f, &c) })
	}
}

// recall takes a file's result from the cache without reading the file.
func (r *reader) recall(f *File) bool {
	if r.part.Known == nil || r.options.Cache == nil {
		return false
	}
	known := r.part.Known(f)
	if known == nil || known.Format == "" {
		return false
	}
	i := slices.IndexFunc(r.options.Adapters, func(a sources.Adapter) bool { return a.Name == known.Format })
	if i < 0 {
		return false
	}
	adapter := &r.options.Adapters[i]
	source, view := r.source(adapter, f)
	from, p := f.from(r.tree)
	kept, ok := r.cached(adapter, f, known.Sum, &source, view, from, p)
	if !ok {
		return false
	}
	f.Sum, f.Format, f.Detected, f.Markers, f.Result = known.Sum, known.Format, known.Detected, known.Markers, kept
	return true
}
