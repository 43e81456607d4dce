package load

import (
	"bytes"
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
	// Named selects those of the copies, by the same, that are kept for their names alone: where they stand and which items
	// they state is known of them, and nothing else that they say.
	Named func(*File, *schema.Copy) bool
	// Known returns what an earlier reading found out about the bytes of a file, nil if nothing is known. The file is not
	// read then if a cache has the rest.
	Known func(*File) *Known
	// Twin returns the file of another tree that was read with the same manifest and the same part, and has not been paired
	// since, and has the same bytes, with the tree that it is of; nil if there is none.
	Twin func(*File) (*Loaded, *File)
	// Like returns a file of such a tree that may say the same, with the tree. It is read all the same, and what it says is
	// kept once if it is equal.
	Like func(*File) (*Loaded, *File)
	// Still: no name of the manifest holds {env}, so that pairing changes no copies but those of documents, and twins may
	// have the others in common.
	Still bool
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

// Fill is Some in the list itself, for the last who needs it.
func (l *Loaded) Fill(ctx context.Context, t tree.Tree, m *schema.Manifest, o Options, p Part) error {
	if p.Want != nil {
		l.Files = slices.DeleteFunc(l.Files, func(f *File) bool { return !p.Want(f) })
	}
	return l.read(ctx, t, m, o, p)
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
	f.packed = l.bytes(twin)
	if r.common(twin) {
		f.Result = twin.Result
		return true
	}
	f.Result = sources.Result{Copies: slices.Clone(twin.Result.Copies), Orders: slices.Clone(twin.Result.Orders), Problems: twin.Result.Problems, LeftOut: twin.Result.LeftOut}
	from, _ := f.from(r.tree)
	for i := range f.Result.Copies {
		f.Result.Copies[i].Revision = from.Revision()
	}
	return true
}

// merge keeps what a file says once, if another one says the same.
func (r *reader) merge(f *File) {
	if r.part.Like == nil || r.options.Packer == nil || len(f.Result.Copies) == 0 {
		return
	}
	l, like := r.part.Like(f)
	if like == nil || like == f || l.packer == nil {
		return
	}
	packed := l.bytes(like)
	if len(packed) != len(f.packed) {
		return
	}
	all := true
	for i := range packed {
		if bytes.Equal(f.packed[i], packed[i]) {
			f.packed[i] = packed[i]
		} else {
			all = false
		}
	}
	if all && r.common(like) && slices.EqualFunc(f.Result.Copies, like.Result.Copies, equal) {
		f.Result.Copies = like.Result.Copies
	}
}

// common reports whether two trees can have the copies of a file in common.
func (r *reader) common(f *File) bool {
	return r.part.Still && !slices.ContainsFunc(f.Result.Copies, paired)
}

// bytes returns what the copies of a file are packed in.
func (l *Loaded) bytes(f *File) [][]byte {
	packed := make([][]byte, len(f.Result.Copies))
	for i := range packed {
		packed[i] = l.packed[&f.Result.Copies[i]]
	}
	return packed
}

// paired reports whether pairing changes a copy: it is bound, or joined with others.
func paired(c schema.Copy) bool { return c.Side == schema.Doc || len(c.Candidates) > 0 }

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
